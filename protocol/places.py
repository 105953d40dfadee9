"""Who came where in a match, as it is said and counted."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.messages import SeatResult


def places(results: Sequence[SeatResult]) -> list[int]:
    """The place of each of these. Seats that a house bot took over share the last one; where that is all of them,
    nobody was first, though their `place` is."""
    nobody = all(one.how != "played" for one in results)
    return [len(results) if nobody else one.place for one in results]


def placed(results: Sequence[SeatResult]) -> list[tuple[int, SeatResult]]:
    """The places with their seats, the best first."""
    return sorted(zip(places(results), results, strict=True), key=lambda one: one[0])
