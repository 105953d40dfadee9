"""What stands in the board's place, or below it: a page or the answer to the last line. Pure."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Line

Page = Callable[[int, int], list[Line]]  # for so many columns and rows; 0 rows: as many as it takes


class PageShown:
    """The page in the board's place until the next line is typed, and the answer to the last one."""

    def __init__(self) -> None:
        self.shown: Page | None = None
        self.above = 0  # rows of the page that are above what is seen
        self.answer: list[Line] = []  # to the line typed last, as far as that was no decision

    def show(self, page: Page) -> None:
        """Shows a page."""
        self.shown = page

    def put_away(self) -> None:
        """Shows the board again; the answer stays."""
        self.shown = None

    def clear(self, *, to_top: bool = False) -> Page | None:
        """Puts page and answer away. Returns the page."""
        page, self.shown, self.answer = self.shown, None, []
        self.above = 0 if to_top else self.above
        return page

    def take_answer(self, lines: list[Line]) -> None:
        """These lines answer what was typed last."""
        self.answer = lines

    def scroll(self, rows: int, most: int) -> None:
        """Moves the page by so many rows; it is `most` rows too long."""
        self.above = max(0, min(self.above + rows, most))
