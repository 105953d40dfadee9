"""`magehall matches`: lists the finished matches that are stored on this machine, with filters."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date
from typing import Annotated

import typer

from client.cli.arguments import AsJson, command_group
from client.cli.data import require_data_folder
from client.cli.sources import ServerData
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from client.replay_store import replay_folder, stored_replays
from games.registry import all_games
from matches.match_filter import MatchSummary, filter_matches
from matches.results import sorted_by_place
from people.render import escape_line, plain_text
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import finished_matches

app = command_group("matches", "Lists finished matches.")


@app.command(
    epilog="""Examples:

\b
  magehall matches --player Ada --game ikasamage
  magehall matches --won Ada --since 2026-01-01 --json
"""
)
def matches(
    player: Annotated[
        str, typer.Option(metavar="NAME", help="Only matches in which this player or bot had a seat.")
    ] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="Only matches of this game.")] = "",
    since: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Only matches from this day on.")] = "",
    until: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Only matches up to this day.")] = "",
    won: Annotated[str, typer.Option(metavar="NAME", help="Only matches that this player or bot won.")] = "",
    server: Annotated[bool, typer.Option("--server", help="Lists the matches of a server on this machine.")] = False,
    data: ServerData = "",
    as_json: AsJson = False,
) -> None:
    """Lists the matches played or watched here, newest first. `magehall replay NAME` steps through one.

    With --server or --data it lists the finished matches of a server.
    """
    for day in (since, until):
        if day and not _is_day(day):
            exit_with_error(_("{day!r} is not a day. Write it like 2026-01-31.", day=day), MISUSED)
    hall = require_data_folder(data) if server or data else None
    try:
        there = list(stored_replays() if hall is None else finished_matches(hall, all_games()))
        found = list(filter_matches(there, player=player, game=game, since=since, until=until, won=won))
    except (CannotOpen, StoreFailed) as error:
        exit_with_error(f"{error}".rstrip(".") + ".")
    # a stored match may belong to a plug-in game that is no longer installed
    games = {*all_games(), *(one.game for one in there)}
    if game and game not in games:
        exit_with_error(
            _("There is no game {game!r}; there are: {listed}.", game=game, listed=", ".join(sorted(games))), MISUSED
        )
    if as_json:
        print(json.dumps([one.to_map() for one in found], indent=2, ensure_ascii=False))
        return
    for one in found:
        print(plain_text(escape_line([("", _row(one))])))
    if not found:
        print(_("No such match is saved in {folder}.", folder=hall or replay_folder()))


def _is_day(written: str) -> bool:
    with suppress(ValueError):
        # accepts YYYY-MM-DD only, as fromisoformat also accepts other forms
        return date.fromisoformat(written).isoformat() == written
    return False


def _row(one: MatchSummary) -> str:
    how = ", ".join(f"{place}. {seat.name} {seat.score}" for place, seat in sorted_by_place(one.results)) or _(
        "aborted"
    )
    return f"{one.name}  {one.date}  {one.game:<13} {how}"
