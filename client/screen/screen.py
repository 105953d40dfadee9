"""The screen of the client's user: lines above a live input line on a terminal, or plain lines in and out."""

from __future__ import annotations

import codecs
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import trio

from client.screen.width import output_columns
from games.api import StyledLine
from people.render import plain_text, wrap_rows
from people.vocabulary import split_lines

READ_BYTES = 4_096


@dataclass(frozen=True)
class InputLine:
    """A line of input.

    Attributes:
        text: The line.
        patient: Whether the line was not typed in reaction to the screen, such as a pasted or piped line. It then waits
            until all lines before it are answered.
        calls: How many decisions the screen had asked for when the line was typed; None if the screen does not count
            them.
    """

    text: str
    patient: bool = False
    calls: int | None = None


def is_interactive() -> bool:
    """Returns whether stdin is a terminal, so that a person may type."""
    return sys.stdin is not None and sys.stdin.isatty()


class Interrupted(Exception):
    """The person pressed Ctrl-C, a second time if a warning required it."""


Completions = Callable[[str], Sequence[str]]  # returns the possible next words, given the line up to the cursor


class Screen(ABC):
    """A terminal or a pipe. `read` runs until the input ends. `show` may be called at any time from trio's thread."""

    interactive = False  # whether a person types in reaction to what the screen shows
    pinned = False  # whether the board is always visible above the log, so that no line of the log repeats it
    in_columns = False  # whether long lists are shown in columns, which screen readers cannot read well

    def show_lines(self, lines: Iterable[StyledLine]) -> None:
        """Writes lines, folded to the width of the screen. Raises BrokenPipeError if the output's reader is gone."""
        text = "".join(f"{self.render_line(line)}\n" for line in wrap_rows(lines, output_columns()))
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()

    def redraw_clocks(self) -> None:  # noqa: B027 (plain lines show no clock)
        """Redraws the clocks if they have changed. Called a few times per second."""

    def close(self) -> None:  # noqa: B027 (a pipe has nothing to give back)
        """Restores the terminal. May be called twice."""

    @abstractmethod
    def render_line(self, line: StyledLine) -> str:
        """Returns the line as text for this screen, with or without colour codes."""

    @abstractmethod
    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        """Sends each typed line to `typed` until the input ends. Raises Interrupted. It may be cancelled."""


class PlainScreen(Screen):
    """Plain lines in and out, without colour, and none drawn twice, which is fit for screen readers and pipes."""

    def __init__(self) -> None:
        self.interactive = is_interactive()

    def render_line(self, line: StyledLine) -> str:
        return plain_text(line)

    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        if sys.stdin is None:  # stdin was closed from the start, so descriptor 0 may be another file by now
            return
        decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        rest = ""
        while True:
            # reads the descriptor itself, because an abandoned thread that held sys.stdin's lock would block the end of
            # the program
            try:
                data = await trio.to_thread.run_sync(os.read, 0, READ_BYTES, abandon_on_cancel=True)
            except OSError:
                data = b""
            rest += decode(data, final=not data)
            if not data:
                rest += "\n"
            whole, newline, rest = rest.rpartition("\n")
            for number, text in enumerate(split_lines(whole + newline)):
                await typed.send(InputLine(text, patient=not self.interactive or number > 0))
            if not data:
                return
