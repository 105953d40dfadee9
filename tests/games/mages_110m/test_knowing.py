"""Which cards of a hand are known to be older than the pile: what was drawn before the discard pile was mixed."""

from __future__ import annotations

from tests.games.mages_110m.given import INDEX, given

DASH = INDEX["dash"]


def test_a_card_that_nobody_has_drawn_since_is_the_old_one_when_it_leaves_the_hand() -> None:
    race = given("dash kick", "dash").race
    first, second = race.mages
    first.kept, second.kept = [DASH], [DASH]
    race.leave_hand(first, DASH)
    assert (first.kept, second.kept) == ([], [DASH])


def test_where_another_copy_may_have_been_drawn_since_nobody_knows_any_more_which_are_old() -> None:
    race = given("dash kick", "dash").race
    first, second = race.mages
    first.kept = [DASH]
    race.leave_hand(first, DASH)
    assert (first.kept, second.kept) == ([], [])
