"""The sources of replays: a file, those kept here, or a server's data on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from client.cli.data import kept_folder
from client.replay_store import NoReplay
from client.replay_store import content as kept_content
from games.registry import all_games
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import TABLE_ID, NotThere, replay_of

ServerData = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The server's data folder, to find a table by its id. Default: that of `magehall serve`.",
    ),
]


def content(spec: str, data: str) -> bytes:
    """Returns the replay: a file, a kept one, the newest of these for `last`, or that of a table's id. Raises
    NoReplay."""
    if not TABLE_ID.fullmatch(spec):
        return kept_content(spec)
    try:
        return replay_of(kept_folder(data), spec, all_games())
    except (NotThere, CannotOpen, StoreFailed) as error:
        raise NoReplay(str(error)) from None
