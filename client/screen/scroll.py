"""The log of the terminal client: lines folded to the terminal's width, in a scrollable view. Without input or
output."""

from __future__ import annotations

from collections.abc import Iterable

from client.language import _
from games.api import StyledLine
from people.render import wrap_rows

MOST_LINES = 5_000  # most lines that are remembered; the oldest are dropped first


class ScrollView:
    """All lines in order, and a view of the newest rows, or of the rows that are `back` rows above them."""

    def __init__(self) -> None:
        self._lines: list[StyledLine] = []
        self._rows: list[StyledLine] = []
        self._counts: list[int] = []  # number of rows of each folded line
        self._folded = 0  # number of lines that are folded into `_rows` so far
        self._width = 0
        self._back = 0

    def append_lines(self, lines: Iterable[StyledLine]) -> None:
        """Appends lines. Called from another thread than `seen`, which is safe for a list."""
        self._lines += list(lines)

    def remove_lines(self, lines: list[StyledLine]) -> None:
        """Removes these lines, which are consecutive, if the log has them."""
        last = len(self._lines) - len(lines)
        at = next((at for at in range(last, -1, -1) if lines and self._lines[at] is lines[0]), None)
        if at is not None:
            del self._lines[at : at + len(lines)]
            self._width = 0  # makes the next drawing fold all lines again

    def visible_rows(self, width: int, height: int) -> list[StyledLine]:
        """Returns the rows that the view shows, at most `height`."""
        self._fold(width)
        if height < 1:
            return []
        self._back = max(0, min(self._back, len(self._rows) - height))
        end = len(self._rows) - self._back
        shown = self._rows[max(0, end - height) : end]
        if self._back:
            shown[-1:] = [[("dim", _("-- {back} more below: Page Down --", back=self._back + 1))]]
        return shown

    def scroll_by(self, by: int) -> None:
        """Scrolls the view towards older rows by that number of rows, or towards newer ones if it is negative."""
        self._back = max(0, self._back + by)

    @property
    def is_scrolled_back(self) -> bool:
        """Whether the newest rows are out of view."""
        return self._back > 0

    def scroll_to_end(self) -> None:
        """Scrolls to the newest row."""
        self._back = 0

    def _fold(self, width: int) -> None:
        below = 0  # number of lines below the view
        if width != self._width:
            below = self._lines_below()
            self._width, self._rows, self._counts, self._folded, self._back = width, [], [], 0, 0
        fresh = self._lines[self._folded :]
        for line in fresh:
            folded = list(wrap_rows([line], width))
            self._rows += folded
            self._counts.append(len(folded))
            if self._back:
                self._back += len(folded)  # keeps the same rows in the view
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
        """Returns the number of lines whose rows are below the view, including lines that are not folded yet."""
        left, count = self._back, 0
        while left > 0 and count < len(self._counts):
            count += 1
            left -= self._counts[-count]
        return count + len(self._lines) - self._folded if count else 0
