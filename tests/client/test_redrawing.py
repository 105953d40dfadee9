"""When the terminal is drawn again though nothing has happened."""

from __future__ import annotations

from functools import partial

import pytest
import trio
import trio.testing
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from client.person.frame import clock_rows, frame, turn_page
from client.screen import terminal
from tests.client.at_a_table import seated


async def test_the_terminal_is_drawn_again_when_a_clock_reads_otherwise_and_once_a_second_at_most(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    monkeypatch.setattr(terminal, "create_input", DummyInput)
    monkeypatch.setattr(terminal, "create_output", DummyOutput)
    human, drawn, read = seated(3, 5), list[float](), list[tuple[str, str]]()
    screen = terminal.TerminalScreen(
        frame=partial(frame, human),
        clocks=lambda columns: read[-1] if read else clock_rows(human, columns),
        turn_page=partial(turn_page, human),
        completions=lambda _line: [],
        warn_before=lambda _key: "",
        colour=False,
        calls=False,
    )
    monkeypatch.setattr(screen._app, "invalidate", lambda: drawn.append(trio.current_time()))
    for quarter in range(12):  # of a second; the clocks read otherwise from the third on
        if quarter == 2:
            read.append(("Your turn for 0:01", ""))
        screen.tick()
        await trio.sleep(0.25)
    assert drawn == [0.5, 1.5, 2.5]
