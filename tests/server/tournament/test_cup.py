"""A cup as the fold of its log: what an entry changes, and which entries cannot be."""

from __future__ import annotations

from protocol.messages import ClockRule
from server.tournament.cup import Cup, Entered, Turned
from tests.server.tournament.cups_played import settings

OWN, LONGER = ClockRule(1.0, 0.5), ClockRule(9.0, 9.0)


def entered(*clocks: ClockRule | None) -> Cup:
    """A cup that the first of three entrants enters with one of these clocks after the other."""
    cup = Cup(settings(deals="fresh"))
    for clock in clocks:
        cup.apply(Entered(0.0, "e0", ("e0",), clock=clock))
    for number in (1, 2):
        cup.apply(Entered(0.0, f"e{number}", (f"e{number}",)))
    return cup


def test_who_enters_again_has_the_clock_that_was_said_last() -> None:
    assert entered(None, OWN).entrants[0].clock == OWN
    assert entered(OWN, LONGER).entrants[0].clock == LONGER


def test_who_enters_again_without_a_clock_or_after_the_start_keeps_the_clock_it_had() -> None:
    cup = entered(OWN, None)
    assert cup.entrants[0].clock == OWN, "only the number of its tables changed"
    cup.apply(Turned(1.0, "running"))
    cup.apply(Entered(2.0, "e0", ("e0",), clock=LONGER))
    assert cup.entrants[0].clock == OWN, "matches were played with it"
