"""Time budget for one peer's work, after which other peers are served. It affects the order of work, never its
results."""

from __future__ import annotations

from time import perf_counter

SLICE_SECONDS = 0.0005  # short, because a move takes three scheduler ticks from its read to its answer


class TimeBudget:
    """A time budget in seconds, by default SLICE_SECONDS, which starts when the object is created."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None = None) -> None:
        self._end = perf_counter() + (SLICE_SECONDS if seconds is None else seconds)

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up."""
        return perf_counter() > self._end
