"""The terminal's screen: when it is drawn again though nothing has happened, and which lines count as pasted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import trio
import trio.testing
from prompt_toolkit.input import DummyInput, Input, create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.screen import terminal
from client.screen.screen import InputLine
from people.frame import build_frame, clock_rows, turn_page
from people.person import Person
from tests.people.at_a_table import seated


async def test_the_terminal_is_drawn_again_when_a_clock_reads_otherwise_and_once_a_second_at_most(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    person, drawn, read = seated(3, 5), list[float](), list[tuple[str, str]]()
    screen = _screen(
        monkeypatch, person, DummyInput(), lambda columns: read[-1] if read else clock_rows(person, columns)
    )
    monkeypatch.setattr(screen._app, "invalidate", lambda: drawn.append(trio.current_time()))
    for quarter in range(12):  # of a second; the clocks read otherwise from the third on
        if quarter == 2:
            read.append(("Your turn for 0:01", ""))
        screen.redraw_clocks()
        await trio.sleep(0.25)
    assert drawn == [0.5, 1.5, 2.5]


@pytest.mark.usefixtures("nothing_is_soon")
async def test_lines_that_wait_together_are_pasted_however_slowly_they_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = seated(3, 5)
    with create_pipe_input() as keys:
        screen = _screen(monkeypatch, person, keys, partial(clock_rows, person))
        keys.send_text("bet 2\rpass\rdone\r")
        async with trio.open_nursery() as nursery:
            send, lines = trio.open_memory_channel[InputLine](0)
            nursery.start_soon(screen.read_lines, send)
            taken = [await lines.receive() for _ in range(3)]
            keys.send_text("look\r")
            taken.append(await lines.receive())
            keys.close()
    calls = person.prompt.calls
    assert taken == [
        *(InputLine("bet 2", calls=calls), InputLine("pass", patient=True, calls=calls)),
        *(InputLine("done", patient=True, calls=calls), InputLine("look", calls=calls)),
    ]


@pytest.fixture
def nothing_is_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the machine is so busy that each line is taken late."""
    monkeypatch.setattr(terminal, "PASTED_SECONDS", 0)


def _screen(
    monkeypatch: pytest.MonkeyPatch, person: Person, keys: Input, clocks: Callable[[int], tuple[str, str]]
) -> terminal.TerminalScreen:
    monkeypatch.setattr(terminal, "create_input", lambda: keys)
    monkeypatch.setattr(terminal, "create_output", DummyOutput)
    return terminal.TerminalScreen(
        frame=partial(build_frame, person),
        clocks=clocks,
        turn_page=partial(turn_page, person),
        completions=lambda _line: [],
        warn_before=lambda _key: "",
        colour=False,
        calls=lambda: False,
    )
