"""Runs work in a thread. The task that waits for it continues in the very next tick of trio's loop.

`trio.to_thread.run_sync` takes two ticks more: one to acquire the limiter, and one to wake the task. A tick may take a
millisecond when many peers are busy, and every move of a match waits for such work.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio


async def do_in_thread(
    do: Callable[[], object], done: Callable[[], object] | None, afterwards: Callable[[], object]
) -> None:
    """Calls `do` in a thread and then, unless `do` raised, `done` in trio's thread. Returns when both have returned.

    The call cannot be cancelled. It raises the exception that either function raises. The thread then also calls
    `afterwards`, for which the caller does not wait, and which must not raise.
    """
    task, token = trio.lowlevel.current_task(), trio.lowlevel.current_trio_token()
    failed: list[Exception] = []

    def attempt(step: Callable[[], object]) -> None:
        try:
            step()
        except Exception as error:
            failed.append(error)

    def finish() -> None:
        if done is not None and not failed:
            attempt(done)
        trio.lowlevel.reschedule(task)

    def work() -> None:
        attempt(do)
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(finish)
        afterwards()

    trio.lowlevel.start_thread_soon(work, lambda _result: None)
    await trio.lowlevel.wait_task_rescheduled(lambda _raise_cancel: trio.lowlevel.Abort.FAILED)
    for error in failed:
        raise error
