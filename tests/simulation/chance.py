"""All chance of a process from one seed: secrets, the order of tasks, and how long work seems to take."""

from __future__ import annotations

import random
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar
from unittest.mock import patch

import trio

from server.cups.cups import CupRegistry
from server.cups.live_cup import LiveCup

Value = TypeVar("Value")

SLICE_SECONDS = 0.0002  # of work between two looks at the watch, on average


def drawn(seed: int, what: str) -> random.Random:
    """A source of its own for each purpose, so that one more draw here changes nothing there."""
    return random.Random(f"{what} {seed}")


async def _at_once(do: Callable[..., Value], *given: object, **_named: object) -> Value:
    """Stands for `trio.to_thread.run_sync`: a thread ends when it likes, and a virtual clock would not wait for it."""
    await trio.lowlevel.checkpoint()
    return do(*given)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Within, server and SDK draw from the seed: both take all their chance from the module `secrets`."""
    source, work = drawn(seed, "secrets"), drawn(seed, "work")
    worked = 0.0

    def watch() -> float:
        nonlocal worked
        worked += work.expovariate(1 / SLICE_SECONDS)
        return worked

    order = trio._core._run._r
    before = order.getstate()
    order.seed(seed)
    watched = [module for name, module in sys.modules.items() if name.startswith("server.")]
    with (
        ExitStack() as watches,
        patch.object(trio.to_thread, "run_sync", _at_once),
        patch("server.desk.passwords.in_thread", _at_once),
        patch("server.app._cpu_seconds", lambda: 0.0),
        patch.object(secrets, "token_bytes", lambda count=32: source.randbytes(count)),
        patch.object(secrets, "choice", source.choice),
        patch.object(secrets, "randbits", source.getrandbits),
        patch.object(LiveCup, "wall_clock_time", lambda _cup: trio.current_time()),
        patch.object(CupRegistry, "wall_clock_time", lambda _cups: trio.current_time()),
        patch.object(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
    ):
        for module in watched:
            if hasattr(module, "perf_counter"):
                watches.enter_context(patch.object(module, "perf_counter", watch))
        try:
            yield
        finally:
            order.setstate(before)
