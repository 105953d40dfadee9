"""Renders the matches of a cup as text for its report, each once, while the cup is being played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from client.language import _
from client.tournament.match_text import MatchText, render_match_text
from client.tournament.report import STORY_BYTES, CupReport
from games.api import Game, IllegalAction
from games.registry import all_games
from matches.record import Record, read_replay
from protocol.replay import BadReplay
from server.store.rows import DamagedData
from server.table.archive import MatchNotFound, read_begun_match
from tournaments.cup import Cup

BATCH = 8  # most matches that are rendered at the same time

Source: TypeAlias = bytes | Mapping[int, bytes]
"""A match, either as the bytes of a replay file or as its stored rows."""


class ReplayRenderer:
    """Renders matches with `each`, which is `map` or the `map` of a process pool. With `page=False` it renders only
    what the CSV table needs. If `games` replaces the installed games, `each` must be `map`."""

    def __init__(
        self,
        each: Callable[..., Iterable[Any]] = map,
        *,
        page: bool = True,
        games: Mapping[str, Game] | None = None,
    ) -> None:
        self._each, self._page = each, page
        self._draw = render_match if games is None else partial(render_match, games=games)
        self._stories: dict[str, MatchText] = {}
        self._tried: set[str] = set()
        self._size = 0

    @property
    def tried_count(self) -> int:
        """The number of matches that it has tried to render, with or without success."""
        return len(self._tried)

    def render_matches(
        self,
        cup: Cup,
        source: Callable[[str], Source | None],
        on_match: Callable[[int, int], object] = lambda _done, _all: None,
        *,
        most: int | None = None,
    ) -> list[str]:
        """Renders at most `most` finished public matches that it has not tried yet. Returns a line of text for each
        match that cannot be rendered.

        `source` returns the match at a table, or None if it is not stored, or raises Damaged. `on_match` is called with
        the number of matches tried and the number of tables.
        """
        wrong = []
        wanted = (table for table in cup.publishable_tables() if table not in self._tried)
        for tables in _batches(islice(wanted, most)):
            found = [_found(source, table) for table in tables]
            names = [
                [cup.entrant_names[one] for one in cup.pairings()[cup.match_number_at(table) - 1].entrants]
                for table in tables
            ]
            shown = [self._page and self._size < STORY_BYTES] * len(tables)
            for table, drawn in zip(tables, self._each(self._draw, found, names, shown), strict=True):
                self._tried.add(table)
                if not isinstance(drawn, str):
                    self._stories[table] = drawn
                    self._size += drawn.approximate_bytes
                elif cup.results[cup.match_number_at(table)].results:  # an aborted match need not be stored
                    wrong.append(f"{table}: {drawn}")
                on_match(len(self._tried), len(cup.tables))
        return wrong

    def build_report(
        self,
        cup: Cup,
        *,
        bots: Sequence[str] = (),
        command: str = "",
        commitment: str = "",
        confined_by: Sequence[str] = (),
    ) -> CupReport:
        """Returns the report with the matches rendered so far. `commitment` is the cup's commitment if its secret is
        not known on this machine."""
        return CupReport(
            cup.settings,
            cup.entrant_names,
            cup.finished_matches(),
            cup.planned_match_count,
            cup.state,
            reached=cup.stages_reached(),
            bots=bots,
            command=command,
            confined_by=confined_by,
            out=cup.drop_reasons,
            commitment=commitment,
            stories=self._stories,
        )


def render_match(
    source: Source | str, names: Sequence[str], shown: bool, games: Mapping[str, Game] | None = None
) -> MatchText | str:
    """Returns the match as text, with these names at its seats, or a text that says what is wrong with the match. If
    `source` is already such a text, it is returned unchanged."""
    if isinstance(source, str):
        return source
    games = all_games() if games is None else games
    try:
        record = read_replay(source, games) if isinstance(source, bytes) else read_begun_match(source, games)
        there = len(record.header.seats)
        if there != len(names):
            return _("it has {seats} seats, not {count}.", seats=there, count=len(names))
        return render_match_text(_renamed(record, names), shown=shown)
    except (BadReplay, IllegalAction, MatchNotFound) as error:
        return str(error)
    except Exception as error:  # rules applied to damaged or forged data can raise anything
        return _("it cannot be read ({kind}).", kind=type(error).__name__)


def _found(source: Callable[[str], Source | None], table: str) -> Source | str:
    try:
        found = source(table)
    except DamagedData as error:
        return str(error)
    return _("its replay is missing.") if found is None else found


def _batches(tables: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(tables, BATCH)):
        yield batch


def _renamed(record: Record, names: Sequence[str]) -> Record:
    """Returns the record with its seats named after the entrants, not after the entrants' players."""
    seats = zip(record.header.seats, names, strict=True)
    named = tuple(msgspec.structs.replace(seat, name=name) for seat, name in seats)
    return replace(record, header=msgspec.structs.replace(record.header, seats=named))
