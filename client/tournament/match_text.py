"""A finished match as text for a cup's report: the lines after each decision, and thinking times."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from client.language import _
from client.tournament.thinking_time import MatchTiming, match_timing
from games.api import Span
from matches.fold import SPECTATORS
from matches.ledger import Ledger
from matches.moments import moments
from matches.record import Record
from people.pages import Pages
from people.render import plain_text, rows

WIDTH = 60  # columns of a line, which a phone shows without scrolling


@dataclass(frozen=True)
class MatchText:
    """A finished match as text. `lines` has each different line once, and each item of `moments` has the indices of the
    lines at that moment. `reason` is the code for the way in which the match ended."""

    lines: list[str]
    moments: list[list[int]]
    timed: MatchTiming
    reason: str

    @property
    def size(self) -> int:
        """The bytes that the match takes in a page, approximately."""
        return sum(map(len, self.lines)) + 4 * sum(map(len, self.moments))


def story_of(record: Record, *, shown: bool = True) -> MatchText:
    """Returns the match as text with all hands open; without lines unless `shown`. Raises IllegalAction if the rules
    refuse a recorded action, ValueError if the match is not over."""
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
    return MatchText(list(numbers), steps, match_timing(record, made.spent), over.reason)


@lru_cache(4_096)
def _rows(line: tuple[Span, ...]) -> list[str]:
    """Returns a line folded to rows of WIDTH columns. The results are cached, because most lines of a moment are also
    in the one before."""
    return [plain_text(row) for row in rows([[*line]], WIDTH)]
