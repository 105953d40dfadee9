"""The page that shows a spectator all hands of a watched match with a delay, instead of the board. Pure."""

from __future__ import annotations

from functools import partial

from games.api import StyledLine, View
from games.open_hands import draw_open_hands
from people.page import Page
from people.table import PersonTable
from people.text.sentences import hands_heading, seat_headings
from people.text.typing_context import RequestDraft
from protocol import messages as m

WORD = "hands"
SECONDS = 1.0  # between two refreshes of the page


class OpenHandsPage:
    """The page of open hands of one person. `page` is its latest version; None before the first."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self._table = ""  # the id of the table whose hands the page shows
        self._asked: RequestDraft | None = None
        self._last = 0.0

    def due_requests(self, shown: Page | None, now: float) -> list[RequestDraft]:
        """Returns the request that refreshes the page of open hands, if `shown` is that page and a refresh is due."""
        if shown is None or shown is not self.page or self._asked or now < self._last + SECONDS:
            return []
        self._asked, self._last = RequestDraft(m.Hands, {"table": self._table}), now
        return [self._asked]

    def is_refresh(self, ask: RequestDraft) -> bool:
        """Returns whether that request was a refresh from `due`, whose answer changes the page but adds no lines to the
        log."""
        if ask is not self._asked:
            return False
        self._asked = None
        return True

    def build_page(self, table: PersonTable, told: m.OpenHands) -> Page:
        """Builds and stores the page for the message `told`, which has the public view and each seat's view of `table`
        at one moment in the past. Returns the page."""
        views = [table.parse_view(view) for view in told.views]
        self._table = table.id
        self.page = partial(_page, table, told, table.parse_view(told.view), views)
        return self.page


def _page(table: PersonTable, told: m.OpenHands, view: View, views: list[View], w: int, h: int) -> list[StyledLine]:
    title: StyledLine = [("title", hands_heading(told))]
    heads = seat_headings(table.people)
    return [title, *draw_open_hands(table.game.words, view, views, table.people, heads, w, max(h - 1, 0))]
