"""A finished match for the report: the events of each decision as lines of text, and its thinking times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from client.language import _
from client.tournament.thinking_time import MatchTiming, timed
from games.api import Span
from matches.fold import SPECTATORS
from matches.ledger import Ledger
from matches.moments import moments
from matches.record import Record
from people.pages import Pages
from people.render import plain_text, rows

WIDTH = 60  # columns: a phone shows them without scrolling


@dataclass(frozen=True)
class MatchText:
    """A rendered match. `lines` are its distinct lines, and each item of `moments` has the numbers of its lines.
    `reason` is the code for the end of the match."""

    lines: list[str]
    moments: list[list[int]]
    timed: MatchTiming
    reason: str

    @property
    def size(self) -> int:
        """Its approximate size in a page, in bytes."""
        return sum(map(len, self.lines)) + 4 * sum(map(len, self.moments))


def story_of(record: Record, *, shown: bool = True) -> MatchText:
    """Returns the match with all hands open, without lines unless `shown`. Raises IllegalAction if the rules refuse a
    recorded action, ValueError if the match is not over."""
    pages = Pages(record.game, [seat.name for seat in record.header.seats], SPECTATORS, True, WIDTH)
    numbers: dict[str, int] = {}
    steps: list[list[int]] = []
    made, over = Ledger(), None
    for moment in moments(record, apply=made.apply):
        if shown:
            told = [row for line in pages.page(moment) for row in _rows(tuple(line))]
            steps.append([numbers.setdefault(line, len(numbers)) for line in told])
        over = moment.match.over
    if over is None:
        raise ValueError(_("the match is not over"))
    return MatchText(list(numbers), steps, timed(record, made.spent), over.reason)


@lru_cache(4_096)
def _rows(line: tuple[Span, ...]) -> list[str]:
    """Returns a line folded to rows. Cached, because most lines of a moment are those of the moment before."""
    return [plain_text(row) for row in rows([[*line]], WIDTH)]
