"""A cup's matches drawn for its report, each once, and the report as far as it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import msgspec

from client.tournament.report import STORY_BYTES, Report
from client.tournament.story import Story, story_of
from games.api import IllegalAction
from games.registry import all_games
from matches.record import Record, read
from protocol.replay import BadReplay
from server.tournament.cup import Cup

BATCH = 8  # matches at once

Replay = tuple[str, bytes]  # a table, and its file


class Drawing:
    """Draws with `each`, which is `map` or that of a pool of processes; without a `page` only what the table needs."""

    def __init__(self, each: Callable[..., Iterable[Any]] = map, *, page: bool = True) -> None:
        self._each, self._page = each, page
        self._stories: dict[str, Story] = {}
        self._tried: set[str] = set()
        self._size = 0

    @property
    def done(self) -> int:
        """How many matches it was given."""
        return len(self._tried)

    def wants(self, cup: Cup, table: str) -> bool:
        """Whether the match there is over, may be told, and is not drawn yet."""
        return table not in self._tried and cup.match_at(table) in cup.results and not cup.hides(table)

    def take(self, cup: Cup, replays: Iterable[Replay], on_match: Callable[[int, int], object]) -> list[str]:
        """Draws those that it wants, and says of which it cannot. `on_match` is told how many are drawn by now."""
        wrong = []
        wanted = (replay for replay in replays if self.wants(cup, replay[0]))
        while batch := list(islice(wanted, BATCH)):
            tables = [table for table, _content in batch]
            names = [[cup.names[one] for one in cup.pairings()[cup.match_at(table) - 1].entrants] for table in tables]
            shown = [self._page and self._size < STORY_BYTES] * len(batch)
            for table, drawn in zip(
                tables, self._each(draw, (content for _table, content in batch), names, shown), strict=True
            ):
                self._tried.add(table)
                if isinstance(drawn, str):
                    wrong.append(f"{table}: {drawn}")
                else:
                    self._stories[table] = drawn
                    self._size += drawn.size
                on_match(len(self._tried), len(cup.tables))
        return wrong

    def report(self, cup: Cup, *, bots: Sequence[str] = (), command: str = "") -> Report:
        """Of what is drawn by now."""
        return Report(
            cup.settings,
            cup.names,
            cup.matches(),
            cup.planned,
            cup.state,
            reached=cup.reached(),
            bots=bots,
            command=command,
            stories=self._stories,
        )


def draw(content: bytes, names: Sequence[str], shown: bool) -> Story | str:
    """The match in that file with these names at its seats, or what is wrong with it."""
    try:
        return story_of(_renamed(read(content, all_games()), names), shown=shown)
    except (BadReplay, IllegalAction) as error:
        return str(error)


def _renamed(record: Record, names: Sequence[str]) -> Record:
    """After the entrants, not after those who play for them."""
    seats = zip(record.header.seats, names, strict=True)
    named = tuple(msgspec.structs.replace(seat, name=name) for seat, name in seats)
    return replace(record, header=msgspec.structs.replace(record.header, seats=named))
