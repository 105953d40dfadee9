"""How far a long command is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(of: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr if that is a terminal; what it yields is told how many are done, and of how many."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bar = shown.add_task(of, total=None)
        yield lambda done, total: shown.update(bar, completed=done, total=total)
