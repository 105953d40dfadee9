"""The progress of a long command on stderr: a bar on a terminal, otherwise a line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from client.language import _

LINE_SECONDS = 10.0


@contextmanager
def show_progress(of: str, now: Callable[[], float] = time.monotonic) -> Iterator[Callable[[int, int], None]]:
    """Shows the progress of `of` on stderr. Yields a function that takes the number of finished items and the number of
    all. `now` is a clock in seconds."""
    if not sys.stderr.isatty():
        yield _lines(of, now)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    rate = TextColumn("{task.fields[rate]}")
    columns = (BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn(), TextColumn(_("left")))
    begun = now()
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bar = shown.add_task(of, total=None, rate="")
        yield lambda done, total: shown.update(
            bar,
            completed=done,
            total=total or None,
            rate=_("{rate:.1f} {of} a second", rate=_rate(done, now() - begun), of=of),
        )


def _lines(of: str, now: Callable[[], float]) -> Callable[[int, int], None]:
    begun = last = now()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if now() - last < LINE_SECONDS:
            return
        last = now()
        rate = _rate(done, last - begun)
        left = _(", {seconds:.0f} s left", seconds=(total - done) / rate) if rate and total else ""
        planned = _(" of {planned}", planned=total) if total else ""
        print(
            _(
                "{done}{planned} {of}, {rate:.1f} a second{left}",
                done=done,
                planned=planned,
                of=of,
                rate=rate,
                left=left,
            ),
            file=sys.stderr,
            flush=True,
        )

    return tell


def _rate(done: int, seconds: float) -> float:
    return done / seconds if seconds > 0 else 0.0
