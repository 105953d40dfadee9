"""The effects of a message or a typed line."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.api import Line
from people.page import Page
from people.pages import Review
from people.text.where import Ask
from protocol.errors import Refusal


@dataclass
class Effects:
    """Lines to show, requests to send, and a page for the board's place."""

    lines: list[Line] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    again: str = ""  # a typed line to carry out now, after its missing data has arrived
    page: Page | None = None  # shown in the board's place
    refused: Refusal | None = None  # why the line was not understood
    seeks: Review | None = None  # a match whose moment must be searched in parts, and then shown

    def say(self, text: str, style: str = "") -> None:
        """Appends a line."""
        self.lines.append([(style, text)])
