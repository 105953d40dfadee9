"""Reads the cups in a server's data folder from another process, while the server runs or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from games.api import Game
from matches.record import Record, iter_replay_lines
from protocol.printable import escape_text
from server.cups.cup_rows import CUP, FIRST_ENTRY, SETTINGS, cup_subject, read_cup, read_settings
from server.language import _
from server.store.file import open_read_only
from server.store.reading import FILE, read_rows, readable_subjects
from server.store.rows import DamagedData
from server.table.archive import MatchNotFound, load_finished_match
from tournaments.cup import Cup


class CupUnreadable(Exception):
    """The cup does not exist or cannot be read. The text says why in a sentence."""


def read_stored_cup(folder: Path, name: str, known: Cup | None = None) -> Cup:
    """Returns the stored cup of that name. If `known` is the same cup, read earlier, it is brought up to date and
    returned instead.

    Raises NoCup, CannotOpen, StoreFailed.
    """
    with open_read_only(folder / FILE) as file:
        rows = read_rows(file, cup_subject(name), SETTINGS if known is None else FIRST_ENTRY + len(known.entries))
        if not rows and known is None:
            raise CupUnreadable(
                _(
                    "There is no cup {name} in {folder}. There are: {listed}.",
                    name=escape_text(name),
                    folder=folder,
                    listed=", ".join(_names(file)) or _("none"),
                )
            )
    try:
        return read_cup(rows, known)
    except Exception as error:  # the text of the exception could contain the cup's secret
        raise CupUnreadable(
            _(
                "The cup {name} in {folder} cannot be read ({kind}).",
                name=escape_text(name),
                folder=folder,
                kind=type(error).__name__,
            )
        ) from None


def _names(file: sqlite3.Connection) -> list[str]:
    """Returns the names of all cups in the data that can be read."""
    names = []
    for subject in readable_subjects(file):
        if subject.startswith(CUP):
            with suppress(Exception):
                names.append(read_settings(read_rows(file, subject)).cup)
    return names


def iter_cup_records(
    folder: Path, cup: Cup, games: Mapping[str, Game], missing: list[str]
) -> Iterator[tuple[str, Record]]:
    """Yields the table and the record of each finished match of a cup. For each match that cannot be read, appends a
    sentence to `missing`.

    Raises CannotOpen, StoreFailed.
    """
    for number, table in cup.tables.items():
        if number in cup.results:
            try:
                yield table, load_finished_match(folder, table, games)
            except (MatchNotFound, DamagedData) as why:
                missing.append(str(why))


def iter_cup_replays(
    folder: Path, cup: Cup, games: Mapping[str, Game], missing: list[str]
) -> Iterator[tuple[str, bytes]]:
    """Yields the table and the replay file of each finished match of a cup. For each match that cannot be read, appends
    a sentence to `missing`."""
    for table, record in iter_cup_records(folder, cup, games, missing):
        yield table, b"".join(iter_replay_lines(record.game, record.header, record.entries))
