"""The delayed view of all hands of a watched match, in the place of the board. Pure."""

from __future__ import annotations

from functools import partial

from games.api import Line, View
from games.opened import open_board
from people.page import Page
from people.table import PersonTable
from people.text.sentences import hands_title, only_texts
from people.text.where import Ask
from protocol import messages as m

WORD = "hands"
SECONDS = 1.0  # between two refreshes


class Opening:
    """The delayed view for one person. `page` is the latest page."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self._table = ""  # id of the shown table
        self._asked: Ask | None = None
        self._last = 0.0

    def due(self, shown: Page | None, now: float) -> list[Ask]:
        """Returns the request that refreshes the shown page, if it is due."""
        if shown is None or shown is not self.page or self._asked or now < self._last + SECONDS:
            return []
        self._asked, self._last = Ask(m.Hands, {"table": self._table}), now
        return [self._asked]

    def is_quiet(self, ask: Ask) -> bool:
        """Returns whether that request is for a shown page, so that only the page changes."""
        if ask is not self._asked:
            return False
        self._asked = None
        return True

    def shows(self, table: PersonTable, told: m.OpenHands) -> Page:
        """Returns the page for these hands."""
        views = [table.read_view(view) for view in told.views]
        self._table = table.id
        self.page = partial(_page, table, told, table.read_view(told.view), views)
        return self.page


def _page(table: PersonTable, told: m.OpenHands, view: View, views: list[View], w: int, h: int) -> list[Line]:
    title: Line = [("title", hands_title(told))]
    heads = only_texts(table.people)
    return [title, *open_board(table.game.words, view, views, table.people, heads, w, max(h - 1, 0))]
