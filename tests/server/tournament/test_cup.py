"""A cup as the fold of its log: what an entry changes, and which entries cannot be."""

from __future__ import annotations

import pytest

from protocol.messages import ClockRule
from server.tournament.cup import CannotBe, Cup, Ended, Entered, Entry, Paired, Turned
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


@pytest.mark.parametrize(
    "entry",
    [
        Paired(2.0, 0, "t2"),
        Paired(2.0, 99, "t2"),
        Paired(2.0, 1, "t2"),
        Paired(2.0, 2, "t1"),
        Ended(2.0, 2, "t1"),
        Ended(2.0, -1, "t1"),
        Ended(2.0, 1, "t2"),
    ],
    ids=[
        "no match 0",
        "no match 99",
        "match 1 again",
        "table 1 again",
        "match 2 has not begun",
        "no match -1",
        "match 1 is elsewhere",
    ],
)
def test_a_match_begins_once_at_a_table_of_its_own_and_ends_after_that(entry: Entry) -> None:
    cup = entered(None)
    with pytest.raises(CannotBe):
        cup.apply(Paired(1.0, 1, "t1"))
    cup.apply(Turned(1.0, "running"))
    cup.apply(Paired(1.0, 1, "t1"))
    before = len(cup.entries)
    with pytest.raises(CannotBe):
        cup.apply(entry)
    assert (cup.tables, cup.results, len(cup.entries)) == ({1: "t1"}, {}, before)
    cup.apply(Ended(3.0, 1, "t1"))
    with pytest.raises(CannotBe):
        cup.apply(Ended(4.0, 1, "t1"))


def test_who_sits_down_with_a_deal_knows_it_and_nobody_else_does() -> None:
    cup = Cup(settings())
    for number in range(6):
        cup.apply(Entered(0.0, f"e{number}", (f"e{number}",)))
    cup.apply(Turned(1.0, "running"))
    first, second, third = cup.pairings()[:3]
    assert first.deal == second.deal != third.deal, "one deal at two tables"
    cup.apply(Paired(1.0, second.number, "t1"))
    deals = range(1, 1 + max(first.deal, third.deal))
    known = {(name, deal) for name in cup.names for deal in deals if cup.deals.knows(name, deal)}
    assert known == {(cup.names[one], second.deal) for one in second.entrants}
