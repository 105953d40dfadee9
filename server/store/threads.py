"""Runs work in a thread, and resumes the waiting task in the next tick of trio's loop.

`trio.to_thread.run_sync` takes two more ticks: one to acquire the limiter, and one to wake the waiting task. Each tick
may take a millisecond when many peers are busy, and every move of a match waits for such work.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio


async def do_in_thread(
    do: Callable[[], object], done: Callable[[], object] | None, afterwards: Callable[[], object]
) -> None:
    """Calls `do` in a thread, and then `done` in trio's thread if `do` did not raise. Returns after both.

    It cannot be cancelled. An exception from either function is raised here. The thread then calls `afterwards`, for
    which the task does not wait and which must not raise.
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
