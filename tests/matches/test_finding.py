"""Finished matches are found by player, game, date and result."""

from __future__ import annotations

import msgspec
import pytest

from matches.finding import Found, select
from protocol.replay import opened
from tests.helpers.toy import TOY
from tests.matches.played import file_of, played

PLAYED = opened(file_of(played(TOY)))


def found(name: str, day: str, *, places: tuple[int, ...] = (1, 2)) -> Found:
    """The match of that name, kept on that day, with the seats' places."""
    begun, _between, over = PLAYED
    results = tuple(
        msgspec.structs.replace(result, place=place) for result, place in zip(over.results, places, strict=True)
    )
    return Found(name, f"{day} 20:15", f"{name}.jsonl", begun, msgspec.structs.replace(over, results=results), 9)


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
        ({"player": "Bob", "won": "Ada", "until": "2026-01-02"}, "first"),
        ({"game": TOY.id}, "first second third"),
        ({"game": "magecraft"}, ""),
    ],
)
def test_what_fits_everything_that_is_asked_is_found_and_days_are_both_included(
    asked: dict[str, str], names: str
) -> None:
    assert " ".join(one.name for one in select(MATCHES, **asked)) == names
