"""Work in a thread, of which somebody is told as soon as it is done: in the next round of trio's loop.

`trio.to_thread.run_sync` takes two rounds more, one to have the limiter and one to wake the task that waits. Each may
be a millisecond where many peers are busy, and every move of a match waits for one such piece of work.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import trio


async def do_in_thread(
    do: Callable[[], object], done: Callable[[], object] | None, afterwards: Callable[[], object]
) -> None:
    """Calls `do` in a thread and then, if it has not failed, `done` in trio's. Returns after both, and is not cancelled
    before; what either raises is raised here. Nobody waits for what the thread does `afterwards`, which raises
    nothing."""
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
