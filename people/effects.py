"""The effects of something heard or typed."""

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
    again: str = ""  # a typed line that can be carried out now, as what it needed has come
    page: Page | None = None  # stands in the board's place
    refused: Refusal | None = None  # why the line could not be understood
    seeks: Review | None = None  # a match whose moment is to be found in parts, and then shown

    def say(self, text: str, style: str = "") -> None:
        """One more line."""
        self.lines.append([(style, text)])
