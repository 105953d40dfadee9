"""The cups in a server's data, read from outside while the server runs or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from games.api import Game
from protocol.printable import escape
from server.desk.cup_rows import CUP, read_cup, read_settings, subject_of
from server.language import _
from server.store.sqlite import FILE, open_to_read, read_rows, subjects
from server.table.archive import NotThere, replay_of
from server.tournament.cup import Cup


class NoCup(Exception):
    """There is no such cup, or it cannot be read; the text is a sentence."""


def kept_cup(folder: Path, name: str) -> Cup:
    """The cup of that name as far as it is kept. Raises NoCup, CannotOpen, StoreFailed."""
    with open_to_read(folder / FILE) as file:
        rows = read_rows(file, subject_of(name))
        if not rows:
            raise NoCup(
                _(
                    "There is no cup {name} in {folder}. There are: {listed}.",
                    name=escape(name),
                    folder=folder,
                    listed=", ".join(_names(file)) or _("none"),
                )
            )
    try:
        return read_cup(rows)
    except Exception as error:  # its text could tell the secret
        raise NoCup(
            _(
                "The cup {name} in {folder} cannot be read ({kind}).",
                name=escape(name),
                folder=folder,
                kind=type(error).__name__,
            )
        ) from None


def _names(file: sqlite3.Connection) -> list[str]:
    """Of all cups that can be read."""
    names = []
    for subject in subjects(file):
        if subject.startswith(CUP):
            with suppress(Exception):
                names.append(read_settings(read_rows(file, subject)).cup)
    return names


def replays(folder: Path, cup: Cup, games: Mapping[str, Game], missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """The files of a cup's matches, by table. Why there is none of a match with a result, is added to `missing`.
    Raises CannotOpen, StoreFailed."""
    for number, table in cup.tables.items():
        try:
            yield table, replay_of(folder, table, games)
        except NotThere as why:
            if number in cup.results and cup.results[number].results:
                missing.append(str(why))
