"""A cup as the fold of its log: what an entry changes, and which entries cannot be."""

from __future__ import annotations

import pytest

from protocol.messages import ClockRule, SeatResult
from server.tournament.cup import (
    CannotBe,
    Cup,
    Dropped,
    Ended,
    Entered,
    Entry,
    Kicked,
    Paired,
    Pardoned,
    Replaced,
    Timed,
    Turned,
)
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


RUNS, PAUSES, STOPS = (Turned(1.0, state) for state in ("running", "paused", "stopped"))
BEGINS = Paired(1.0, 1, "t1")


@pytest.mark.parametrize(
    ("before", "entry", "why"),
    [
        ([STOPS], Entered(2.0, "e0", ("e0",)), "friday is stopped"),
        ([STOPS], Dropped(2.0, "e0"), "friday is stopped"),
        ([STOPS], Replaced(2.0, "e0", ("zoe",)), "friday is stopped"),
        ([STOPS], RUNS, "friday is stopped"),
        ([RUNS], RUNS, "friday is running"),
        ([], PAUSES, "friday is not running"),
        ([RUNS, PAUSES], PAUSES, "friday is not running"),
        ([RUNS], Turned(2.0, "open"), "friday cannot be open any more"),
        ([RUNS], Entered(2.0, "zoe", ("zoe",)), "friday takes no more entrants"),
        ([RUNS], Timed(2.0, "e0", OWN), "clocks stay as they are"),
        ([RUNS, Dropped(1.0, "e0")], Dropped(2.0, "e0"), "e0 has given up already"),
        ([RUNS, Kicked(1.0, "e0")], Kicked(2.0, "e0"), "e0 has given up already"),
        ([Kicked(1.0, "e0")], Entered(2.0, "e0", ("e0",)), "You were sent away from friday"),
        ([], Dropped(2.0, "zoe"), "zoe is no entrant of friday"),
        ([], Kicked(2.0, "zoe"), "zoe is no entrant of friday"),
        ([], Replaced(2.0, "zoe", ("ann",)), "zoe is no entrant of friday"),
        ([], Timed(2.0, "zoe", OWN), "zoe is no entrant of friday"),
        ([RUNS], Paired(2.0, 1, "t1", (0,)), "Match 1 cannot begin at t1"),
        ([RUNS], Paired(2.0, 1, "t1", (4,)), "Match 1 cannot begin at t1"),
        ([RUNS, BEGINS], Ended(2.0, 1, "t1", (SeatResult(2, "e0", 0, 1),)), "seats"),
        ([Dropped(1.0, "e0")], RUNS, "fewer entrants than the 3 seats"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(
    before: list[Entry], entry: Entry, why: str
) -> None:
    cup = entered(None)
    for one in before:
        cup.apply(one)
    facts = cup.state, cup.names, list(cup.entries), [(one.players, one.dropped, one.clock) for one in cup.entrants]
    with pytest.raises(CannotBe, match=why):
        cup.apply(entry)
    assert facts == (
        cup.state, cup.names, list(cup.entries), [(one.players, one.dropped, one.clock) for one in cup.entrants]
    )  # fmt: skip


def test_who_was_sent_away_and_pardoned_enters_again_and_who_gave_up_is_replaced() -> None:
    cup = entered(None)
    for entry in (Kicked(1.0, "e0"), Pardoned(1.0, "e0"), Entered(1.0, "e0", ("e0",)), RUNS, Dropped(2.0, "e0")):
        cup.apply(entry)
    assert cup.player_of("e0") is None
    cup.apply(Replaced(2.0, "e0", ("zoe",)))
    assert getattr(cup.player_of("zoe"), "name", "") == "e0"
