"""Restores a table from its rows: after a restart of the server, or after a failed commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.api import Game
from matches.referee import house_bot_seed
from server.common import SharedObjects
from server.player import Player
from server.table.records import HEADER, MatchRow, read_header, read_match, read_table
from server.table.table import Table


def is_installed(game: Game, row: MatchRow) -> bool:
    """Returns whether the game's installed rules and cards are those with which the match began."""
    return (row.rules, row.cards) == (game.rules_version, game.cards_digest)


class GameNotInstalled(Exception):
    """The table's game is not installed on this server."""


def restore_table(
    table_id: str,
    rows: Mapping[int, bytes],
    common: SharedObjects,
    player_of: Callable[[str], Player | None],
) -> Table:
    """Returns the table in these rows, with all its players disconnected. If its match began with other rules or cards
    than those installed, the table is `stopped`.

    Raises GameNotInstalled. Raises any exception if the rows are malformed, because the game's code computes with them.
    """
    row = read_table(rows)
    game = common.games.get(row.game)
    if game is None:
        raise GameNotInstalled(f"{row.game} is not installed")

    def player(name: str) -> Player:
        return player_of(name) or Player(name)

    table = Table(
        table_id,
        game,
        len(row.seat_states),
        common,
        owner=row.owner,
        options=row.options,
        clock=row.clock,
        delay=row.delay,
        seed=row.seed,
        salt=row.salt,
    )
    table.kicked, table.muted = (dict.fromkeys(map(player, names)) for names in (row.kicked, row.muted))
    table.stopped = HEADER in rows and not is_installed(game, read_header(rows))
    if table.stopped and row.over:
        table.done.set()
    for seat_state, kept in zip(table.seating.seat_states, row.seat_states, strict=True):
        seat_state.name, seat_state.nonce, seat_state.clock = kept.name, kept.nonce, kept.clock
        if kept.seated:
            seat_state.player = player(kept.name)
            if kept.listed and not table.stopped:
                seat_state.player.tables[table_id] = None
        elif kept.house and not table.stopped:
            seat_state.house_name = kept.house
            seat_state.house = common.house.make(
                game, len(row.seat_states), row.options, kept.house, house_bot_seed(table.chance, seat_state.number)
            )
    if HEADER in rows and not table.stopped:
        table.resume_match(*read_match(game, rows))
    return table
