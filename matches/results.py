"""Computes places, score leads, and a sentence about forfeits from the results of a match. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from games.api import Seat
from matches.language import _, ngettext
from protocol.messages import SeatResult


def compute_places(results: Sequence[SeatResult]) -> list[int]:
    """Returns the place of each seat. Seats that a house bot took over all get the last place, such as 4 of 4.

    Results stored by earlier versions of the program have other places for these seats.
    """
    return [one.place if one.how == "played" else len(results) for one in results]


def with_computed_places(results: Sequence[SeatResult]) -> tuple[SeatResult, ...]:
    """Returns the results with the places that `places` computes."""
    return tuple(replace(one, place=place) for one, place in zip(results, compute_places(results), strict=True))


def sorted_by_place(results: Sequence[SeatResult]) -> list[tuple[int, SeatResult]]:
    """Returns the results with the places that `places` computes, best first."""
    return sorted(zip(compute_places(results), results, strict=True), key=lambda one: one[0])


def compute_lead(scores: Sequence[int], seat: Seat) -> float:
    """Returns the seat's points minus the mean points of the others. `scores` has all seats, at least two."""
    own = scores[seat - 1]
    return own - (sum(scores) - own) / (len(scores) - 1)


def forfeits_text(results: Sequence[SeatResult]) -> str:
    """Returns a sentence about how a match ended in which a house bot had taken over the seat in first place."""
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
