"""The page in the board's place, or the answer to the latest line below it. Pure."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Line

Page = Callable[[int, int], list[Line]]  # for a number of columns and rows; 0 rows: as many as necessary


class PageShown:
    """The page in the board's place until the next line is typed, and the answer to the latest line."""

    def __init__(self) -> None:
        self.shown: Page | None = None
        self.above = 0  # rows of the page above the view
        self.answer: list[Line] = []  # to the latest line, unless that was a decision

    def show(self, page: Page) -> None:
        """Shows a page."""
        self.shown = page

    def put_away(self) -> None:
        """Shows the board again, and keeps the answer."""
        self.shown = None

    def clear(self, *, to_top: bool = False) -> Page | None:
        """Removes page and answer. Returns the page."""
        page, self.shown, self.answer = self.shown, None, []
        self.above = 0 if to_top else self.above
        return page

    def take_answer(self, lines: list[Line]) -> None:
        """Sets the answer to the latest line."""
        self.answer = lines

    def scroll(self, rows: int, most: int) -> None:
        """Scrolls the page by that many rows; `most` is the number of rows that do not fit."""
        self.above = max(0, min(self.above + rows, most))
