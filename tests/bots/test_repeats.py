"""What a server could not write to its disk is asked again."""

from __future__ import annotations

from collections.abc import Callable

import trio
import trio.lowlevel
from trio.testing import MockClock, wait_all_tasks_blocked

from bots.sdk.repeats import STORAGE_SECONDS, Repeats
from protocol import messages as m


async def test_what_was_refused_is_asked_again_once_and_then_nothing_wakes(autojump_clock: MockClock) -> None:
    asked: list[tuple[float, m.Request]] = []

    def post(request: m.Request, take: Callable[[m.Reply], None]) -> None:
        asked.append((trio.current_time() - begun, request))

    repeats, requests = Repeats(post), [m.Ping(id=1), m.Quit(id=2)]
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(repeats.run)
        for request in requests:
            repeats.put(request, lambda _reply: None)
        await trio.sleep(10 * STORAGE_SECONDS)
        assert asked == [(STORAGE_SECONDS, request) for request in requests]
        autojump_clock.autojump_threshold = float("inf")
        await wait_all_tasks_blocked()
        assert trio.lowlevel.current_statistics().seconds_to_next_deadline == float("inf")
        nursery.cancel_scope.cancel()
