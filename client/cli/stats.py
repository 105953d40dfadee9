"""`magehall stats`: results of finished matches, from a local data folder or from a remote server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import trio
import typer

from bots.sdk.link import LinkFailed, Refused
from client.cli.arguments import command_group
from client.cli.data import Data, require_data_folder
from client.cli.server_options import ServerOptions, add_server_options
from client.cli.solo import saved_match_folders as solo_folders
from client.connecting import ConnectOptions, last_used_name, open_session
from client.exit_codes import exit_with_error
from client.language import _
from people.text.stats import stats_lines
from protocol import messages as m
from server.player import NAME, PlayerRow, player_subject
from server.player_stats import MatchStats
from server.store.file import CannotOpen, open_read_only
from server.store.reading import FILE, read_rows, readable_subjects
from server.store.rows import DamagedData, StoreFailed

app = command_group("stats", "How matches came out.")


@app.command(
    epilog="""Examples:

\b
  magehall stats                       wins of all players on the server of this machine
  magehall stats Ada                   Ada's places by game, and her opponents
  magehall stats --host 192.168.0.7    your own, there
"""
)
@add_server_options("")
def stats(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A player. Default: all players; with --host, you.")
    ] = "",
    server: ServerOptions | None = None,
    data: Data = "",
) -> None:
    """Shows the results of finished matches: places by game, and results against each opponent."""
    try:
        if server is not None:
            options = ConnectOptions(game="", host=server.host, port=server.port, tls=server.tls, plain=True)
            trio.run(_ask, options, name)
        else:
            _show(data, name)
    except Refused as error:
        exit_with_error(error.error.text)
    except (CannotOpen, StoreFailed, LinkFailed) as error:
        exit_with_error(f"{error}".rstrip(".") + ".")


async def _ask(options: ConnectOptions, name: str) -> None:
    wanted = name or last_used_name(f"{options.host}:{options.port}")
    async with open_session(options, only_looks=True) as visit:
        await visit.ask(m.Stats(id=1, name=wanted), m.PlayerStats)


def _show(named: str, name: str) -> None:
    """Prints one player's statistics, or a line per player, most wins first. Without --data it includes the matches
    that were played against house bots without a server."""
    known: dict[str, tuple[str, MatchStats]] = {}
    for row in _kept(require_data_folder(named), name):
        known[player_subject(row.name)] = row.name, row.renown
    for folder in (one for one in solo_folders() if not named and (one / FILE).exists()):
        for row in _kept(folder, name):
            _name, renown = known.setdefault(player_subject(row.name), (row.name, MatchStats()))
            renown.merge(row.renown)
    told = [renown.to_message(name) for name, renown in known.values() if renown.games]
    told.sort(key=lambda one: (-sum(game.places[0] for game in one.games), one.name))
    if not told:
        exit_with_error(
            _("{name} has finished no match there.", name=name) if name else _("Nobody has finished a match there.")
        )
    for one in told:
        for line in stats_lines(one) if name else stats_lines(one)[:1]:
            print(line)


def _kept(folder: Path, name: str) -> Iterator[PlayerRow]:
    """Yields the stored statistics of the player of that name, or of all players. Raises CannotOpen, StoreFailed."""
    if not (folder / FILE).exists() and any((one / FILE).exists() for one in solo_folders()):
        return  # no server has stored data there, and the user has played matches without a server
    with open_read_only(folder / FILE) as file:
        try:
            names = [player_subject(name)] if name else [one for one in readable_subjects(file) if one.startswith(NAME)]
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None
        for subject in names:
            with suppress(KeyError, msgspec.DecodeError, DamagedData):
                yield msgspec.msgpack.decode(read_rows(file, subject)[0], type=PlayerRow)
