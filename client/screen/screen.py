"""The person's screen: lines above a live input line on a terminal, or plain lines in and out."""

from __future__ import annotations

import codecs
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import trio

from client.screen.width import columns
from games.api import StyledLine
from people.render import plain_text, rows
from people.vocabulary import lines_of

READ_BYTES = 4_096


@dataclass(frozen=True)
class Typed:
    """A typed line.

    Attributes:
        text: The line.
        patient: The line was not typed in reaction to the screen, so it waits for its turn.
        calls: Number of decisions that the screen had asked for when the line was typed; None without a screen.
    """

    text: str
    patient: bool = False
    calls: int | None = None


def is_typed_at() -> bool:
    """Returns whether a person may type here."""
    return sys.stdin is not None and sys.stdin.isatty()


class Interrupted(Exception):
    """The person pressed Ctrl-C, and confirmed it if that was necessary."""


Completions = Callable[[str], Sequence[str]]  # returns the words that may follow, given the line up to the cursor


class Screen(ABC):
    """A terminal or a pipe. `read` runs until the input ends; `show` may be called at any time from the trio thread."""

    interactive = False  # a person reacts to what it shows
    pinned = False  # the board stays above the log, so no line repeats it
    in_columns = False  # long lists may have columns, which screen readers cannot read well

    def show(self, lines: Iterable[StyledLine]) -> None:
        """Writes lines, folded to the width. Raises BrokenPipeError when the reader is gone."""
        text = "".join(f"{self.paint(line)}\n" for line in rows(lines, columns()))
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()

    def tick(self) -> None:  # noqa: B027 (plain lines show no clock)
        """Redraws what shows the time. Called a few times a second."""

    def close(self) -> None:  # noqa: B027 (a pipe has nothing to give back)
        """Restores the terminal. May be called twice."""

    @abstractmethod
    def paint(self, line: StyledLine) -> str:
        """Returns the line in the form of this screen."""

    @abstractmethod
    async def read(self, typed: trio.MemorySendChannel[Typed]) -> None:
        """Sends each line until the input ends. Raises Interrupted. May be cancelled."""


class PlainScreen(Screen):
    """Plain lines in and out: no colour, nothing drawn twice, fit for screen readers and pipes."""

    def __init__(self) -> None:
        self.interactive = is_typed_at()

    def paint(self, line: StyledLine) -> str:
        return plain_text(line)

    async def read(self, typed: trio.MemorySendChannel[Typed]) -> None:
        if sys.stdin is None:  # closed from the start: descriptor 0 may be another file by now
            return
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        rest = ""
        while True:
            try:  # not sys.stdin: an abandoned thread must hold none of its locks when the program ends
                data = await trio.to_thread.run_sync(os.read, 0, READ_BYTES, abandon_on_cancel=True)
            except OSError:
                data = b""
            rest += decode(data, final=not data)
            if not data:
                rest += "\n"
            whole, newline, rest = rest.rpartition("\n")
            for number, text in enumerate(lines_of(whole + newline)):
                await typed.send(Typed(text, patient=not self.interactive or number > 0))
            if not data:
                return
