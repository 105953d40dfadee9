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
from client.cli.data import Data, kept_folder
from client.cli.server_options import ServerOptions, takes_server
from client.cli.solo import folders as solo_folders
from client.connecting import ConnectOptions, connected, usual_name
from client.exit_codes import fail
from client.language import _
from people.text.stats import stats_lines
from protocol import messages as m
from server.player import NAME, PlayerRow, subject_of
from server.player_stats import MatchStats
from server.store.file import CannotOpen, open_to_read
from server.store.reading import FILE, read_rows, subjects
from server.store.rows import Damaged, StoreFailed

app = command_group("stats", "How matches came out.")


@app.command(
    epilog="""Examples:

\b
  magehall stats                       wins of all players on the server of this machine
  magehall stats Ada                   Ada's places by game, and her opponents
  magehall stats --host 192.168.0.7    your own, there
"""
)
@takes_server("")
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
        fail(error.error.text)
    except (CannotOpen, StoreFailed, LinkFailed) as error:
        fail(f"{error}".rstrip(".") + ".")


async def _ask(options: ConnectOptions, name: str) -> None:
    wanted = name or usual_name(f"{options.host}:{options.port}")
    async with connected(options, only_looks=True) as visit:
        await visit.ask(m.Stats(id=1, name=wanted), m.PlayerStats)


def _show(named: str, name: str) -> None:
    """Prints one player's statistics, or a line per player, most wins first. Without --data it includes the matches
    that were played against house bots without a server."""
    known: dict[str, tuple[str, MatchStats]] = {}
    for row in _kept(kept_folder(named), name):
        known[subject_of(row.name)] = row.name, row.renown
    for folder in (one for one in solo_folders() if not named and (one / FILE).exists()):
        for row in _kept(folder, name):
            _name, renown = known.setdefault(subject_of(row.name), (row.name, MatchStats()))
            renown.add(row.renown)
    told = [renown.as_told(name) for name, renown in known.values() if renown.games]
    told.sort(key=lambda one: (-sum(game.places[0] for game in one.games), one.name))
    if not told:
        fail(_("{name} has finished no match there.", name=name) if name else _("Nobody has finished a match there."))
    for one in told:
        for line in stats_lines(one) if name else stats_lines(one)[:1]:
            print(line)


def _kept(folder: Path, name: str) -> Iterator[PlayerRow]:
    """Yields the stored statistics of the player of that name, or of all players. Raises CannotOpen, StoreFailed."""
    if not (folder / FILE).exists() and any((one / FILE).exists() for one in solo_folders()):
        return  # no server has stored data there, and the user has played matches without a server
    with open_to_read(folder / FILE) as file:
        try:
            names = [subject_of(name)] if name else [one for one in subjects(file) if one.startswith(NAME)]
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None
        for subject in names:
            with suppress(KeyError, msgspec.DecodeError, Damaged):
                yield msgspec.msgpack.decode(read_rows(file, subject)[0], type=PlayerRow)
