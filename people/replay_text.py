"""A finished match as plain text: the lines at each of its moments, with all hands open. Pure."""

from __future__ import annotations

from functools import lru_cache

from games.api import Span
from matches.fold import SPECTATORS
from matches.moments import Moment
from matches.record import Record
from people.pages import MomentRenderer
from people.render import plain_text, wrap_rows

WIDTH = 60  # columns of a line, which a phone shows without scrolling


class ReplayText:
    """The moments of one finished match as text.

    Attributes:
        lines: Each different line, once.
        moments: For each moment, the indices of its lines.
    """

    def __init__(self, record: Record) -> None:
        people = [seat.name for seat in record.header.seats]
        self.moments: list[list[int]] = []
        self._pages = MomentRenderer(record.game, people, SPECTATORS, True, WIDTH)
        self._numbers: dict[str, int] = {}

    @property
    def lines(self) -> list[str]:
        return list(self._numbers)

    def add(self, moment: Moment) -> None:
        """Adds the lines of the next moment."""
        shown = [row for line in self._pages.page_lines(moment) for row in _rows(tuple(line))]
        self.moments.append([self._numbers.setdefault(line, len(self._numbers)) for line in shown])


@lru_cache(4_096)
def _rows(line: tuple[Span, ...]) -> list[str]:
    """Returns a line folded to rows of WIDTH columns. The results are cached, because most lines of a moment are also
    in the one before."""
    return [plain_text(row) for row in wrap_rows([[*line]], WIDTH)]
