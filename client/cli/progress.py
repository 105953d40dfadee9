"""How far a long command is: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LINE_SECONDS = 10.0


@contextmanager
def progress(of: str, now: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int, int], None]]:
    """Shows it on stderr; what it yields is told how many are done, and of how many. `now` gives seconds."""
    if not sys.stderr.isatty():
        yield _lines(of, now)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn(), TextColumn("left"))
    begun = now()
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bar = shown.add_task(of, total=None, rate="")
        yield lambda done, total: shown.update(
            bar, completed=done, total=total, rate=f"{_rate(done, now() - begun):.1f} {of} a second"
        )


def _lines(of: str, now: Callable[[], float]) -> Callable[[int, int], None]:
    begun = last = now()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if now() - last < LINE_SECONDS:
            return
        last = now()
        rate = _rate(done, last - begun)
        left = f", {(total - done) / rate:.0f} s left" if rate and total else ""
        planned = f" of {total}" if total else ""
        print(f"{done}{planned} {of}, {rate:.1f} a second{left}", file=sys.stderr, flush=True)

    return tell


def _rate(done: int, seconds: float) -> float:
    return done / seconds if seconds > 0 else 0.0
