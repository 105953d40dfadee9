"""A limit on the time that work for one peer takes before other peers are served. It changes the order of work, but not
its results."""

from __future__ import annotations

from time import perf_counter

# a time slice; it is short because a move takes three ticks of trio's scheduler from its read to its answer
SLICE_SECONDS = 0.0005


class TimeBudget:
    """A number of seconds, by default SLICE_SECONDS, that begin when the object is created."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None = None) -> None:
        self._end = perf_counter() + (SLICE_SECONDS if seconds is None else seconds)

    @property
    def is_over(self) -> bool:
        """Whether these seconds have passed."""
        return perf_counter() > self._end
