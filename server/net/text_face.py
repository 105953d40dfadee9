"""Draws what a person sees by telnet, as folded lines of plain text."""

from __future__ import annotations

import random
from collections.abc import Iterable

import trio

from people.render import plain_text
from people.settings import PAUSE, PersonSettings
from people.text.folding import COLUMNS, board_columns, clamp_columns, shift_prompt_mark, wrap_lines
from protocol import messages as m
from protocol.connection import BELL
from protocol.errors import Refusal
from server.desk.text_session import TextSession
from server.net.person_face import Line, PersonFace, RequestSender

# columns of a terminal that has not sent its width; one less than usual, because some clients (tf5) wrap a line that
# reaches the last column
UNTOLD = COLUMNS - 1
QUESTION = "> "  # begins the line that asks for a decision, and no other line


class TextFace(PersonFace):
    """What a person sees in one session by telnet. Each line of the output ends with a newline."""

    def __init__(self, typist: TextSession, carrier: RequestSender) -> None:
        settings = PersonSettings(
            now=trio.current_time,
            width=lambda: board_columns(self.width),
            stand_ins=typist,
            server=typist,
            question=QUESTION,
            pause=lambda: random.uniform(*PAUSE),
        )
        super().__init__(typist, carrier, settings)
        self._memory.set_width(UNTOLD)
        self._columns = 0  # the width that the terminal sent last, in columns; 0 if it sent none

    def handle_line(self, line: str) -> Refusal | None:
        self._look_at_terminal()  # applied first, so that a width in this line overrides the one that the terminal sent
        return super().handle_line(line)

    def render(self, messages: Iterable[m.Message]) -> str:
        calls = self._person.prompt.calls
        text = super().render(messages)
        return BELL + text if self._memory.rings and self._person.prompt.calls != calls else text

    @property
    def width(self) -> int:
        """The columns for lines of text: the width that was typed or sent by telnet last."""
        self._look_at_terminal()
        return self._memory.width

    def _look_at_terminal(self) -> None:
        columns = self._carrier.columns
        if columns != self._columns:
            self._columns = columns
            self._memory.set_width(clamp_columns(columns - 1) if columns else UNTOLD)

    def _drawn(self, lines: Iterable[Line], message: m.Message | None = None) -> str:
        if isinstance(message, m.ReplayLines):  # these are lines of a replay file, which must not be folded
            return "".join(f"{plain_text(line)}\n" for line in lines)
        texts = [
            plain_text(line) if ("you", QUESTION) in line else shift_prompt_mark(plain_text(line)) for line in lines
        ]
        return "".join([f"{row}\n" for row in wrap_lines(texts, self.width)])
