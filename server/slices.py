"""How long one peer's work may go on before others get their turn. It decides what is done next, never what is done."""

from __future__ import annotations

from time import perf_counter

SLICE_SECONDS = 0.0005  # a move comes back from the disk three rounds after it was read


class Slice:
    """So many seconds, SLICE_SECONDS unless said, which begin when it is made."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float | None = None) -> None:
        self._end = perf_counter() + (SLICE_SECONDS if seconds is None else seconds)

    @property
    def is_over(self) -> bool:
        """Whether it is time for others."""
        return perf_counter() > self._end
