"""State of the part of the screen above the input: the page shown instead of the board, and the answer to the latest
typed line. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from games.api import StyledLine

Page = Callable[[int, int], list[StyledLine]]  # makes the lines for (columns, rows); 0 rows: as many as necessary


class ShownPage:
    """The page that is shown instead of the board until the person types a line, and the answer to the latest typed
    line."""

    def __init__(self) -> None:
        self.shown: Page | None = None
        self.above = 0  # how many rows of the page are scrolled out of sight above the first visible row
        self.answer: list[StyledLine] = []  # the answer to the latest typed line, unless that was a decision

    def show_page(self, page: Page) -> None:
        """Shows a page instead of the board."""
        self.shown = page

    def hide_page(self) -> None:
        """Shows the board again instead of the page, and keeps the answer to the latest typed line."""
        self.shown = None

    def clear_page(self, *, to_top: bool = False) -> Page | None:
        """Removes the page and the answer. Returns the removed page. With `to_top`, the next page begins at its first
        row."""
        page, self.shown, self.answer = self.shown, None, []
        self.above = 0 if to_top else self.above
        return page

    def set_answer(self, lines: list[StyledLine]) -> None:
        """Sets the answer to the latest typed line."""
        self.answer = lines

    def scroll(self, rows: int, most: int) -> None:
        """Scrolls the page by that many rows; `most` is how many of its rows do not fit on the screen."""
        self.above = max(0, min(self.above + rows, most))
