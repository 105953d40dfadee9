"""The log of a terminal: lines folded to its width, of which as many are seen as there is room for. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from client.language import _
from client.person.render import rows
from games.api import Line

MOST_LINES = 5_000  # older ones are dropped


class Scroll:
    """The lines in order; one sees the newest, or those `back` rows before them."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._rows: list[Line] = []
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

    def end(self) -> None:
        """Back to the newest row."""
        self._back = 0

    def _fold(self, width: int) -> None:
        if width != self._width:
            self._width, self._rows, self._folded = width, [], 0
        fresh = self._lines[self._folded :]
        folded = list(rows(fresh, width))
        self._rows += folded
        self._folded += len(fresh)
        if self._back:
            self._back += len(folded)  # what one reads stays where it is
        if self._folded > 2 * MOST_LINES:
            gone = self._folded - MOST_LINES
            del self._lines[:gone]
            self._folded -= gone
            self._rows = self._rows[-MOST_LINES:]
