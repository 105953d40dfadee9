"""All chance of a process from one seed: secrets, the order of tasks, and how long work seems to take."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import trio

import server.slices
from server.desk.cups import Cups
from server.desk.live_cup import LiveCup

SLICE_SECONDS = 0.0002  # of work between two looks at the watch, on average


def drawn(seed: int, what: str) -> random.Random:
    """A source of its own for each purpose, so that one more draw here changes nothing there."""
    return random.Random(f"{what} {seed}")


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
    with (
        patch.object(secrets, "token_bytes", lambda count=32: source.randbytes(count)),
        patch.object(secrets, "choice", source.choice),
        patch.object(secrets, "randbits", source.getrandbits),
        patch.object(server.slices, "perf_counter", watch),
        patch.object(LiveCup, "now", lambda _cup: trio.current_time()),
        patch.object(Cups, "now", lambda _cups: trio.current_time()),
        patch.object(trio._core._run, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
    ):
        try:
            yield
        finally:
            order.setstate(before)
