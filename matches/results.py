"""What follows from the results of a match: places, leads, and how it ended, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.api import Seat
from matches.language import _, ngettext
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


def lead(scores: Sequence[int], seat: Seat) -> float:
    """How many points the seat is ahead of the mean of the others; `scores` are those of all seats, at least two."""
    own = scores[seat - 1]
    return own - (sum(scores) - own) / (len(scores) - 1)


def forfeits_text(results: Sequence[SeatResult]) -> str:
    """How a match ended whose first place by the rules went to a seat that a house bot had taken over."""
    winners = [one.name for one in results if one.how == "played" and one.place == 1]
    gone = _(" and ").join(one.name for one in results if one.how != "played")
    if not winners:
        return _("There is no winner: a house bot had taken over every seat.")
    return ngettext(
        "{who} wins, as {gone} did not play to the end.",
        "{who} share the win, as {gone} did not play to the end.",
        len(winners),
        who=_(" and ").join(winners),
        gone=gone,
    )
