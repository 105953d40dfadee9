"""Reads the matches in a server's data folder, from the server or from other processes, at any time."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from games.api import Game
from matches.fold import fold
from matches.match_filter import MatchSummary
from matches.record import Record, iter_replay_lines
from protocol.entries import ActionTaken
from protocol.messages import Over
from server.language import _
from server.store.file import CannotOpen, open_read_only
from server.store.reading import FILE, last_write_times, read_rows
from server.store.rows import StoreFailed
from server.table.records import HEADER, read_header, read_match
from server.table.recovery import is_installed

TABLE_ID = re.compile("t[1-9][0-9]{0,14}")
_DATE = "SELECT COALESCE(STRFTIME('%Y-%m-%d %H:%M', ?, 'unixepoch', 'localtime'), '')"  # "" if the time is damaged


class MatchNotFound(Exception):
    """The table's match is not in the data, or cannot be used. The text says why."""


def finished_matches(folder: Path, games: Mapping[str, Game]) -> Iterator[MatchSummary]:
    """Yields a summary of each finished match that the installed games can compute, newest first. Raises CannotOpen,
    StoreFailed."""
    with open_read_only(folder / FILE) as file:
        try:
            times = last_write_times(file)
        except sqlite3.Error as error:
            raise StoreFailed(str(error)) from None
        for table in sorted(filter(TABLE_ID.fullmatch, times), key=lambda table: int(table[1:]), reverse=True):
            try:
                record = read_begun_match(read_rows(file, table), games)
                over = _end(record)
            except Exception:  # a game's code can raise any exception for damaged rows
                continue
            players = tuple(seat.name for seat in record.header.seats)
            decisions = sum(isinstance(entry, ActionTaken) for entry in record.entries)
            end = over.results, over.aborted, over.text
            (date,) = file.execute(_DATE, (times[table],)).fetchone()
            yield MatchSummary(table, date, str(folder / FILE), record.game.id, players, decisions, *end)


def load_replay_file(folder: Path, table: str, games: Mapping[str, Game]) -> bytes:
    """Returns the bytes of the replay file of a table's finished match. Raises NotThere, CannotOpen, StoreFailed."""
    record = load_finished_match(folder, table, games)
    return b"".join(iter_replay_lines(record.game, record.header, record.entries))


def load_finished_match(folder: Path, table: str, games: Mapping[str, Game]) -> Record:
    """Returns a table's finished match. Raises NotThere, CannotOpen, StoreFailed."""
    try:
        return finished_record(load_table_rows(folder, table), games)
    except MatchNotFound as why:
        raise MatchNotFound(_("{table} in {folder}: {why}", table=table, folder=folder, why=why)) from None
    except (CannotOpen, StoreFailed):
        raise
    except Exception as error:  # the text of the exception could name hidden cards
        raise MatchNotFound(
            _("{table} in {folder} cannot be read ({kind}).", table=table, folder=folder, kind=type(error).__name__)
        ) from None


def load_table_rows(folder: Path, table: str) -> Mapping[int, bytes]:
    """Returns all stored rows of a table and its match, by part. Raises CannotOpen, StoreFailed."""
    with open_read_only(folder / FILE) as file:
        return read_rows(file, table)


def finished_record(rows: Mapping[int, bytes], games: Mapping[str, Game]) -> Record:
    """Returns the finished match in the rows of a table. Raises NotThere if there is none, and any exception if the
    rows are damaged."""
    record = read_begun_match(rows, games)
    _end(record)
    return record


def read_begun_match(rows: Mapping[int, bytes], games: Mapping[str, Game]) -> Record:
    """Returns the match in the rows of a table, whether it is finished or not. Raises NotThere if there is none, and
    any exception if the rows are damaged."""
    if HEADER not in rows:
        raise MatchNotFound(_("no match of that table is stored."))
    row = read_header(rows)
    game = games.get(row.header.game)
    if game is None or not is_installed(game, row):
        raise MatchNotFound(_("the match began with other rules or cards than those installed."))
    header, entries = read_match(game, rows)
    return Record(game, header, tuple(entries))


def _end(record: Record) -> Over:
    over = fold(record.game, record.header, record.entries, {}).over
    if over is None:
        raise MatchNotFound(_("the match is not over."))
    return over
