"""The log of a terminal: lines folded to its width, of which as many are seen as there is room for. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from client.language import _
from games.api import Line
from people.render import rows

MOST_LINES = 5_000  # older ones are dropped


class Scroll:
    """The lines in order; one sees the newest, or those `back` rows before them."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._rows: list[Line] = []
        self._counts: list[int] = []  # rows of each line
        self._folded = 0  # lines that are in `_rows`, for the width
        self._width = 0
        self._back = 0

    def add(self, lines: Iterable[Line]) -> None:
        """More lines below. Called from another thread than `seen`; a list takes that."""
        self._lines += list(lines)

    def drop(self, lines: list[Line]) -> None:
        """Forgets these lines, which stand together, if they are there."""
        last = len(self._lines) - len(lines)
        at = next((at for at in range(last, -1, -1) if lines and self._lines[at] is lines[0]), None)
        if at is not None:
            del self._lines[at : at + len(lines)]
            self._width = 0  # all are folded anew

    def seen(self, width: int, height: int) -> list[Line]:
        """The rows to show, at most so many."""
        self._fold(width)
        if height < 1:
            return []
        self._back = max(0, min(self._back, len(self._rows) - height))
        end = len(self._rows) - self._back
        shown = self._rows[max(0, end - height) : end]
        if self._back:
            shown[-1:] = [[("dim", _("-- {back} more below: Page Down --", back=self._back + 1))]]
        return shown

    def turn(self, by: int) -> None:
        """Back by so many rows, or on if negative."""
        self._back = max(0, self._back + by)

    @property
    def is_back(self) -> bool:
        """Whether one does not see the newest."""
        return self._back > 0

    def end(self) -> None:
        """Back to the newest row."""
        self._back = 0

    def _fold(self, width: int) -> None:
        below = 0  # lines that one has scrolled back by
        if width != self._width:
            below = self._lines_below()
            self._width, self._rows, self._counts, self._folded, self._back = width, [], [], 0, 0
        fresh = self._lines[self._folded :]
        for line in fresh:
            folded = list(rows([line], width))
            self._rows += folded
            self._counts.append(len(folded))
            if self._back:
                self._back += len(folded)  # what one reads stays where it is
        self._folded += len(fresh)
        if below:
            self._back = sum(self._counts[-below:])
        if self._folded > 2 * MOST_LINES:
            gone = self._folded - MOST_LINES
            del self._lines[:gone]
            del self._counts[:gone]
            self._folded -= gone
            self._rows = self._rows[-MOST_LINES:]

    def _lines_below(self) -> int:
        """As many lines as fill the rows below those that are seen, and what has come since."""
        left, count = self._back, 0
        while left > 0 and count < len(self._counts):
            count += 1
            left -= self._counts[-count]
        return count + len(self._lines) - self._folded if count else 0
