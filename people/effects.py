"""The effects of one message from the server or of one typed line on the person's screen and connection."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.api import StyledLine
from people.page import Page
from people.pages import Review
from people.text.typing_context import RequestDraft
from protocol.errors import Refusal


@dataclass
class Effects:
    """Lines to show in the log, requests to send, and a page to show instead of the board."""

    lines: list[StyledLine] = field(default_factory=list)
    asks: list[RequestDraft] = field(default_factory=list)
    again: str = ""  # a postponed typed line to carry out now, because the list of tables that it needs has arrived
    page: Page | None = None  # a page to show instead of the board
    refused: Refusal | None = None  # why the typed line was not carried out; None if it was
    seeks: Review | None = None  # a review whose current moment the server must compute in parts, and then show

    def add_line(self, text: str, style: str = "") -> None:
        """Appends a line of text in one style to the lines to show."""
        self.lines.append([(style, text)])
