"""Finished matches are found by player, game, date and result."""

from __future__ import annotations

import pytest

from matches.match_filter import MatchSummary, filter_matches
from protocol.messages import SeatResult

NAMES = ("Ada", "Bob")


def found(name: str, day: str, *, places: tuple[int, ...] = (1, 2), how: str = "played") -> MatchSummary:
    """The match of that name, kept on that day, with the seats' places, and how they came to their end."""
    results = tuple(SeatResult(seat, NAMES[seat - 1], 0, place, how) for seat, place in enumerate(places, 1))
    return MatchSummary(
        name, f"{day} 20:15", f"{name}.jsonl", "toy", NAMES, 9, results, aborted=False, text="It is over."
    )


MATCHES = [
    found("first", "2026-01-01"),
    found("second", "2026-01-02", places=(2, 1)),
    found("third", "2026-01-03", places=(1, 1)),
]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, "first second third"),
        ({"since": "2026-01-02"}, "second third"),
        ({"until": "2026-01-02"}, "first second"),
        ({"since": "2026-01-02", "until": "2026-01-02"}, "second"),
        ({"won": "Ada"}, "first third"),
        ({"won": "Bob"}, "second third"),
        ({"player": "Ada"}, "first second third"),
        ({"player": "Cleo"}, ""),
        ({"player": "ADA", "won": "b0b"}, "second third"),
        ({"player": "Bob", "won": "Ada", "until": "2026-01-02"}, "first"),
        ({"game": "toy"}, "first second third"),
        ({"game": "magecraft"}, ""),
    ],
)
def test_what_fits_everything_that_is_asked_is_found_and_days_are_both_included(
    asked: dict[str, str], names: str
) -> None:
    assert " ".join(one.name for one in filter_matches(MATCHES, **asked)) == names


def test_a_match_whose_seats_were_all_taken_over_is_won_by_nobody() -> None:
    both = found("fourth", "2026-01-04", places=(1, 1), how="resigned")
    assert both.winners() == []
    assert list(filter_matches([both], won="Ada")) == []
