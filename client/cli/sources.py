"""Finds replays: in a file, among the replays that are stored on this machine, or in a server's data folder."""

from __future__ import annotations

from typing import Annotated

import typer

from client.cli.data import require_data_folder
from client.replay_store import ReplayNotFound
from client.replay_store import read_replay as kept_content
from games.registry import all_games
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import TABLE_ID, MatchNotFound, load_replay_file

ServerData = Annotated[
    str,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The server's data folder, to find a table by its id. Default: that of `magehall serve`.",
    ),
]


def read_replay_source(spec: str, data: str) -> bytes:
    """Returns the bytes of the replay that `spec` names: a file, a stored replay, the newest stored one (`last`), or
    with `data` the match at a table. Raises NoReplay."""
    if not TABLE_ID.fullmatch(spec):
        return kept_content(spec)
    try:
        return load_replay_file(require_data_folder(data), spec, all_games())
    except (MatchNotFound, CannotOpen, StoreFailed) as error:
        raise ReplayNotFound(str(error)) from None
