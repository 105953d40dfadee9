"""Who came where in a match, as it is said and counted."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from protocol.messages import SeatResult


def places(results: Sequence[SeatResult]) -> list[int]:
    """The place of each seat. Seats that a house bot took over share the last place, one for each seat: four of four.
    Results kept by earlier versions say another place for them."""
    return [one.place if one.how == "played" else len(results) for one in results]


def settled(results: Sequence[SeatResult]) -> tuple[SeatResult, ...]:
    """The results with the places of `places`."""
    return tuple(replace(one, place=place) for one, place in zip(results, places(results), strict=True))


def placed(results: Sequence[SeatResult]) -> list[tuple[int, SeatResult]]:
    """The places with their seats, the best first."""
    return sorted(zip(places(results), results, strict=True), key=lambda one: one[0])
