"""All hands of a match that one watches, as they were some time ago, in the place of the board. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.api import Line, View
from games.opened import open_board
from people.table import PersonTable
from people.text.sentences import hands_title, only_texts
from people.text.where import Ask
from protocol import messages as m

WORD = "hands"
SECONDS = 1.0  # between two looks at all hands

Page = Callable[[int, int], list[Line]]  # for so many columns and rows; 0 rows: as many as it takes


class Opening:
    """For one person. `page` is the last one that was shown."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self._table = ""  # whose hands it shows
        self._asked: Ask | None = None
        self._last = 0.0

    def due(self, shown: Page | None, now: float) -> list[Ask]:
        """What to ask, so that the page that is shown is not too old."""
        if shown is None or shown is not self.page or self._asked or now < self._last + SECONDS:
            return []
        self._asked, self._last = Ask(m.Hands, {"table": self._table}), now
        return [self._asked]

    def is_quiet(self, ask: Ask) -> bool:
        """Whether it was asked for a page that is shown, where only the page changes."""
        if ask is not self._asked:
            return False
        self._asked = None
        return True

    def shows(self, table: PersonTable, told: m.OpenHands) -> Page:
        """The page with what was told."""
        views = [table.read_view(view) for view in told.views]
        self._table = table.id
        self.page = partial(_page, table, told, table.read_view(told.view), views)
        return self.page


def _page(table: PersonTable, told: m.OpenHands, view: View, views: list[View], w: int, h: int) -> list[Line]:
    title: Line = [("title", hands_title(told))]
    heads = only_texts(table.people)
    return [title, *open_board(table.game.words, view, views, table.people, heads, w, max(h - 1, 0))]
