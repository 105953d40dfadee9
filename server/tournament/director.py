"""Plays a tournament on a lobby's tables: opens them in order, seats the entrants' players, records the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import trio

from protocol.messages import ClockRule, Seated
from server.desk.lobby import Lobby
from server.player import Player
from server.table.table import Table
from server.tournament.schedule import Pairing, deal_seed, word_of
from server.tournament.standings import Played

LOOK_SECONDS = 0.02  # between two looks whether the awaited players are here


@dataclass(frozen=True)
class Tournament:
    """What is played by whom. `players` names, for each entrant, one player on the server for each seat it can have
    at one table; in a match its first seat goes to the first of them, and so on."""

    game: str
    seats: int
    secret: bytes  # which all deals come from; nobody is told before the last match is over
    pairings: Sequence[Pairing]
    players: Sequence[Sequence[str]]
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)


async def gather(
    lobby: Lobby, names: Iterable[str], seconds: float, is_gone: Callable[[str], bool] = lambda _name: False
) -> list[str]:
    """Waits until these players are here, for that time at most; returns those that are missing.

    Waits no longer once all that are missing are known to be gone.
    """
    missing = list(names)
    with trio.move_on_after(seconds):
        while missing := [name for name in missing if not _is_here(lobby, name)]:
            if all(is_gone(name) for name in missing):
                break
            await trio.sleep(LOOK_SECONDS)
    return missing


def dismiss(lobby: Lobby, name: str) -> None:
    """A player's process has ended: its seats in running matches go to the house at once."""
    player = lobby.people.find(name)
    if player is not None:
        for table in lobby.tables_of(player):
            table.dismiss(player)


async def direct(
    lobby: Lobby,
    tournament: Tournament,
    on_match: Callable[[Played], None],
    *,
    concurrency: int = 1,
    is_gone: Callable[[str], bool] = lambda _name: False,
) -> None:
    """Plays every pairing, `concurrency` at once; each goes to `on_match` when it is over.

    A player who is away when a match begins has the server's grace time; one who never came, or is known to be gone,
    has none. Then a house bot plays the seat. Until the end these players take no other seats; those that they hold
    already are no obstacle.
    """
    waiting = iter(tournament.pairings)
    names = {name for own in tournament.players for name in own}
    lobby.entered |= names
    try:
        async with trio.open_nursery() as nursery:
            for _ in range(min(concurrency, len(tournament.pairings))):
                nursery.start_soon(_play_on, lobby, tournament, waiting, on_match, is_gone)
    finally:
        lobby.entered -= names


async def _play_on(
    lobby: Lobby,
    tournament: Tournament,
    waiting: Iterator[Pairing],
    on_match: Callable[[Played], None],
    is_gone: Callable[[str], bool],
) -> None:
    for pairing in waiting:
        table, absent = _seat(lobby, tournament, pairing, is_gone)
        lobby.start(table)
        await table.done.wait()
        on_match(_record(table, pairing, absent))


def _seat(
    lobby: Lobby, tournament: Tournament, pairing: Pairing, is_gone: Callable[[str], bool]
) -> tuple[Table, set[int]]:
    """A full table for the pairing, and the seats of those who never came.

    No seat has a nonce, since the matches of a deal have to have the same cards. A bot's chance comes from the match's
    own word, so that with the same secret it plays the same way again.
    """
    table = lobby.open(
        tournament.game,
        tournament.seats,
        "",
        tournament.options,
        tournament.clock,
        deal_seed(tournament.secret, pairing.deal),
        word_of(tournament.secret, pairing.number),
    )
    absent = set()
    used: Counter[int] = Counter()
    for seat, entrant in enumerate(pairing.entrants, 1):
        name = tournament.players[entrant][used[entrant]]
        used[entrant] += 1
        player = lobby.people.find(name)
        if player is None:
            player = Player(name)  # keeps the seat for a name that is not here
            player.bot = True
            absent.add(seat)
        chair = table.sit(player, seat)
        if player.listener is not None:
            player.listener.push((Seated(info=table.info(), seat=seat),))
        elif seat in absent or is_gone(name):
            chair.grace = 0.0
    return table, absent


def _record(table: Table, pairing: Pairing, absent: set[int]) -> Played:
    over = table.running().over
    assert over is not None
    results = tuple(
        msgspec.structs.replace(result, how="absent") if result.seat in absent else result for result in over.results
    )
    return Played(pairing, table.id, results)


def _is_here(lobby: Lobby, name: str) -> bool:
    player = lobby.people.find(name)
    return player is not None and player.listener is not None
