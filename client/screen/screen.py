"""Where a person reads and types: lines above a live input line on a terminal, or plain lines in and out."""

from __future__ import annotations

import codecs
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import trio

from client.screen.width import columns
from games.api import Line
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
    """Whether a person may type here."""
    return sys.stdin is not None and sys.stdin.isatty()


class Interrupted(Exception):
    """The person pressed Ctrl-C, where nothing had to be asked or a second time."""


Completions = Callable[[str], Sequence[str]]  # the words that may stand where the last word is being typed


class Screen(ABC):
    """A terminal or a pipe. `read` runs until the input ends; `show` may be called at any time from the trio thread."""

    interactive = False  # a person sits there and reacts
    pinned = False  # the board stays above the log, so that no line repeats it
    in_columns = False  # a long list may stand in columns; a screen reader wants it line by line

    def show(self, lines: Iterable[Line]) -> None:
        """Writes lines, folded to the width. Raises BrokenPipeError when nobody reads any more."""
        text = "".join(f"{self.paint(line)}\n" for line in rows(lines, columns()))
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()

    def tick(self) -> None:  # noqa: B027 (plain lines show no clock)
        """Some time has passed: what shows it is drawn again. Called a few times a second."""

    def close(self) -> None:  # noqa: B027 (a pipe has nothing to give back)
        """Gives the terminal back as it was; harmless when that was done."""

    @abstractmethod
    def paint(self, line: Line) -> str:
        """The line as this screen shows it."""

    @abstractmethod
    async def read(self, typed: trio.MemorySendChannel[Typed]) -> None:
        """Sends each line; returns at the end of the input. Raises Interrupted. May be cancelled."""


class PlainScreen(Screen):
    """Lines in, lines out: no colour, nothing drawn twice, fit for a screen reader and for pipes."""

    def __init__(self) -> None:
        self.interactive = is_typed_at()

    def paint(self, line: Line) -> str:
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
