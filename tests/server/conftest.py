"""The tests below this folder run in virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

HERE = Path(__file__).parent
THREADED = [
    HERE / "store" / name for name in ("test_archive.py", "test_versions.py")
]  # a clock that jumps skips threads


def run_with_virtual_time(
    main: Callable[[], Awaitable[Any]], clock: trio.abc.Clock | None = None, instruments: Sequence[Any] = ()
) -> Any:
    """A test here never sleeps: where nothing else is to be done the clock jumps to the next deadline."""
    return trio.run(main, clock=clock or trio.testing.MockClock(autojump_threshold=0), instruments=instruments)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """pytest-trio takes a clock from a test's own arguments only; this gives it to every test below this folder."""
    below = f"{HERE}/"
    for item in items:
        virtual = str(item.path).startswith(below) and item.path not in THREADED
        if virtual and iscoroutinefunction(getattr(item, "obj", None)):
            item.add_marker(pytest.mark.trio(run=run_with_virtual_time), append=False)
