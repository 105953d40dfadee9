"""Commands of the tests that start as forks: the process that forks may be ended at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time

import pytest

from tests.helpers import warm
from tests.helpers.warm import COMMAND, ROOT, Warm, warm_commands


@pytest.mark.parametrize("ordered", [False, True])
def test_a_command_starts_anew_where_the_process_that_forks_has_been_ended(
    monkeypatch: pytest.MonkeyPatch, ordered: bool
) -> None:
    made = list[Warm]()

    class Known(Warm):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)
            if len(made) == 1:
                number = self._process.pid
                os.kill(number, signal.SIGSTOP)  # it takes no order
                threading.Timer(0.2 if ordered else 0, os.kill, (number, signal.SIGKILL)).start()
                time.sleep(0 if ordered else 0.2)

    monkeypatch.setattr(warm, "Warm", Known)
    with warm_commands():
        done = subprocess.run([*COMMAND, "games"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert "Ikasamage!" in done.stdout
    assert len(made) == 2
