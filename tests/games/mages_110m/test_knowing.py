"""Which cards of a hand are known to be older than the pile: what was drawn before the discard pile was mixed."""

from __future__ import annotations

import pytest

from tests.games.mages_110m.given import INDEX, given

DASH, KICK = INDEX["dash"], INDEX["kick"]


@pytest.mark.parametrize(
    ("hands", "kept", "pile", "left"),
    [
        (("dash kick", "dash"), ([DASH, KICK], []), [], ([KICK], [])),  # a hand that is old as a whole
        (("dash kick", "dash"), ([KICK], []), [], ([KICK], [])),  # a card of which no copy is known to be old
        (("dash kick", "dash"), ([DASH], [DASH]), [KICK], ([], [DASH])),  # all copies in hands are old
        (("dash kick", "dash"), ([DASH], [DASH]), [DASH], ([], [])),  # one may have been drawn
        (("dash kick", "dash"), ([DASH], []), [], ([], [])),  # one was drawn by another
        (("dash dash", "kick"), ([DASH], [KICK]), [], ([], [])),  # or by who plays it
        (("dash kick", "dash"), ([], [DASH]), [DASH], ([], [DASH])),  # a hand of which nothing is known
    ],
)
def test_what_is_known_to_be_old_after_a_dash_has_left_the_first_hand(
    hands: tuple[str, str], kept: tuple[list[int], list[int]], pile: list[int], left: tuple[list[int], list[int]]
) -> None:
    race = given(*hands).race
    race.pile = pile
    for mage, old in zip(race.mages, kept, strict=True):
        mage.kept = old.copy()
    race.take_from_hand(race.mages[0], DASH)
    assert tuple(mage.kept for mage in race.mages) == left
