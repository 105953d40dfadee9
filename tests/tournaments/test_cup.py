"""A cup as the fold of its log: what an entry changes, and which entries cannot be."""

from __future__ import annotations

import pytest

from protocol.messages import ClockRule, SeatResult
from server.config import Config
from tests.tournaments.cups_played import settings
from tournaments.cup import (
    RUNNING,
    ClockSet,
    Cup,
    CupStateChanged,
    CupStateError,
    EntrantDropped,
    EntrantEntered,
    EntrantKicked,
    EntrantPardoned,
    Entry,
    MatchEnded,
    MatchPaired,
    PlayersReplaced,
    RoundDrawn,
    fold_entries,
)

OWN, LONGER = ClockRule(1.0, 0.5), ClockRule(9.0, 9.0)


def entered(*clocks: ClockRule | None) -> Cup:
    """A cup that the first of three entrants enters with one of these clocks after the other."""
    cup = Cup(settings(deals="fresh"))
    for clock in clocks:
        cup.apply(EntrantEntered(0.0, "e0", ("e0",), clock=clock))
    for number in (1, 2):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    return cup


def test_who_enters_again_has_the_clock_that_was_said_last() -> None:
    assert entered(None, OWN).entrants[0].clock == OWN
    assert entered(OWN, LONGER).entrants[0].clock == LONGER


def test_who_enters_again_without_a_clock_or_after_the_start_keeps_the_clock_it_had() -> None:
    cup = entered(OWN, None)
    assert cup.entrants[0].clock == OWN, "only the number of its tables changed"
    cup.apply(CupStateChanged(1.0, "running"))
    cup.apply(EntrantEntered(2.0, "e0", ("e0",), clock=LONGER))
    assert cup.entrants[0].clock == OWN, "matches were played with it"


@pytest.mark.parametrize(
    "entry",
    [
        MatchPaired(2.0, 0, "t2"),
        MatchPaired(2.0, 99, "t2"),
        MatchPaired(2.0, 1, "t2"),
        MatchPaired(2.0, 2, "t1"),
        MatchEnded(2.0, 2, "t1"),
        MatchEnded(2.0, -1, "t1"),
        MatchEnded(2.0, 1, "t2"),
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
    with pytest.raises(CupStateError):
        cup.apply(MatchPaired(1.0, 1, "t1"))
    cup.apply(CupStateChanged(1.0, "running"))
    cup.apply(MatchPaired(1.0, 1, "t1"))
    before = len(cup.entries)
    with pytest.raises(CupStateError):
        cup.apply(entry)
    assert (cup.tables, cup.results, len(cup.entries)) == ({1: "t1"}, {}, before)
    cup.apply(MatchEnded(3.0, 1, "t1"))
    with pytest.raises(CupStateError):
        cup.apply(MatchEnded(4.0, 1, "t1"))


def test_who_sits_down_with_a_deal_knows_it_and_nobody_else_does() -> None:
    cup = Cup(settings())
    for number in range(6):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    cup.apply(CupStateChanged(1.0, "running"))
    first, second, third = cup.pairings()[:3]
    assert first.deal == second.deal != third.deal, "one deal at two tables"
    cup.apply(MatchPaired(1.0, second.number, "t1"))
    deals = range(1, 1 + max(first.deal, third.deal))
    known = {(name, deal) for name in cup.entrant_names for deal in deals if cup.deals.has_played(name, deal)}
    assert known == {(cup.entrant_names[one], second.deal) for one in second.entrants}


RUNS, PAUSES, STOPS = (CupStateChanged(1.0, state) for state in ("running", "paused", "stopped"))
BEGINS = MatchPaired(1.0, 1, "t1")


@pytest.mark.parametrize(
    ("before", "entry", "why"),
    [
        ([STOPS], EntrantEntered(2.0, "e0", ("e0",)), "friday is stopped"),
        ([STOPS], EntrantDropped(2.0, "e0"), "friday is stopped"),
        ([STOPS], PlayersReplaced(2.0, "e0", ("zoe",)), "friday is stopped"),
        ([STOPS], RUNS, "friday is stopped"),
        ([RUNS], RUNS, "friday is running"),
        ([], PAUSES, "friday is not running"),
        ([RUNS, PAUSES], PAUSES, "friday is not running"),
        ([RUNS], CupStateChanged(2.0, "open"), "friday cannot be open any more"),
        ([RUNS], EntrantEntered(2.0, "zoe", ("zoe",)), "friday takes no more entrants"),
        ([RUNS], ClockSet(2.0, "e0", OWN), "clocks stay as they are"),
        ([RUNS, EntrantDropped(1.0, "e0")], EntrantDropped(2.0, "e0"), "e0 has given up already"),
        ([RUNS, EntrantKicked(1.0, "e0")], EntrantKicked(2.0, "e0"), "e0 has given up already"),
        ([EntrantKicked(1.0, "e0")], EntrantEntered(2.0, "e0", ("e0",)), "You were sent away from friday"),
        ([], EntrantDropped(2.0, "zoe"), "zoe is no entrant of friday"),
        ([], EntrantKicked(2.0, "zoe"), "zoe is no entrant of friday"),
        ([], PlayersReplaced(2.0, "zoe", ("ann",)), "zoe is no entrant of friday"),
        ([], ClockSet(2.0, "zoe", OWN), "zoe is no entrant of friday"),
        ([RUNS], MatchPaired(2.0, 1, "t1", (0,)), "Match 1 cannot begin at t1"),
        ([RUNS], MatchPaired(2.0, 1, "t1", (4,)), "Match 1 cannot begin at t1"),
        ([RUNS, BEGINS], MatchEnded(2.0, 1, "t1", (SeatResult(2, "e0", 0, 1),)), "seats"),
        ([EntrantDropped(1.0, "e0")], RUNS, "fewer entrants than the 3 seats"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(
    before: list[Entry], entry: Entry, why: str
) -> None:
    cup = entered(None)
    for one in before:
        cup.apply(one)
    facts = (
        cup.state,
        cup.entrant_names,
        list(cup.entries),
        [(one.players, one.dropped, one.clock) for one in cup.entrants],
    )
    with pytest.raises(CupStateError, match=why):
        cup.apply(entry)
    assert facts == (
        cup.state, cup.entrant_names, list(cup.entries), [(one.players, one.dropped, one.clock) for one in cup.entrants]
    )  # fmt: skip


def test_who_was_sent_away_and_pardoned_enters_again_and_who_gave_up_is_replaced() -> None:
    cup = entered(None)
    for entry in (
        EntrantKicked(1.0, "e0"),
        EntrantPardoned(1.0, "e0"),
        EntrantEntered(1.0, "e0", ("e0",)),
        RUNS,
        EntrantDropped(2.0, "e0"),
    ):
        cup.apply(entry)
    assert cup.entrant_of_player("e0") is None
    cup.apply(PlayersReplaced(2.0, "e0", ("zoe",)))
    assert getattr(cup.entrant_of_player("zoe"), "name", "") == "e0"


def test_who_plays_for_an_entrant_has_no_more_tables_than_either_said_and_the_entrant_its_own_again() -> None:
    cup, tables = entered(None), []
    for entry in (
        *(
            EntrantEntered(1.0, "e0", ("e0",), 5),
            PlayersReplaced(2.0, "e0", ("zoe",), 2),
            PlayersReplaced(3.0, "e0", ("max",), 9),
        ),
        *(
            PlayersReplaced(4.0, "e0", ("e0",)),
            EntrantEntered(5.0, "e0", ("e0",), 7),
            PlayersReplaced(6.0, "e0", ("max",), 9),
        ),
    ):
        cup.apply(entry)
        tables.append(cup.entrants[0].tables)
    assert tables == [5, 2, 5, 5, 7, 7]


def test_who_enters_again_has_the_nonce_that_was_said_last_and_after_the_start_the_one_it_had() -> None:
    cup = entered(None)
    given = []
    for nonce, entries in (("x7", ()), ("", ()), ("x8", ()), ("x9", (RUNS,))):
        for entry in (*entries, EntrantEntered(0.0, "e0", ("e0",), nonce=nonce)):
            cup.apply(entry)
        given.append(cup.entrants[0].nonce)
    assert given == ["x7", "x7", "x8", "x8"]


def test_who_entered_stays_until_it_gives_up_and_again_when_it_enters_again_but_not_by_being_replaced() -> None:
    cup, stays = entered(None), []
    entries = (
        *(RUNS, EntrantEntered(1.0, "e0", ("e0",)), EntrantDropped(1.0, "e0")),
        *(PlayersReplaced(1.0, "e0", ("zoe",)), EntrantEntered(2.0, "e0", ("e0",))),
    )
    for entry in entries:
        cup.apply(entry)
        stays.append((cup.entrants[0].stays, cup.entrants[0].dropped))
    assert stays == [(True, False), (True, False), (False, True), (False, False), (True, False)]


ENTERS = EntrantEntered(1.0, "e0", ("e0",))


@pytest.mark.parametrize(
    ("again", "who"),
    [
        ([ENTERS], "e0"),
        ([EntrantDropped(1.0, "e0"), ENTERS], "e0"),
        ([PlayersReplaced(1.0, "e0", ("zoe",))], "e0"),
        ([ClockSet(1.0, "e0", OWN)], "e0"),
        ([PlayersReplaced(1.0, "e0", ("zoe",)), ENTERS], "e0"),
        ([RUNS, PAUSES], "friday"),
    ],
)
def test_an_entrant_and_a_cup_are_changed_so_often_and_no_oftener(again: list[Entry], who: str) -> None:
    cup, changes = entered(None), list[Entry]()
    cup.allowed = Config(changes_an_entrant=5)  # to enter was the first change of each entrant

    def change() -> None:
        for entry in again * 6:
            cup.apply(entry)
            changes.append(entry)

    with pytest.raises(CupStateError, match=f"^{who} was changed 5 times; it stays as it is"):
        change()
    assert sum(not isinstance(entry, EntrantDropped) and entry is not RUNS for entry in changes) == (
        4 if who == "e0" else 5
    )
    cup.apply(EntrantEntered(9.0, "e1", ("e1",)))
    cup.apply(STOPS)


def test_a_cup_takes_so_many_entrants_and_who_leaves_makes_room() -> None:
    cup, zoe = entered(None), EntrantEntered(1.0, "zoe", ("zoe",))
    cup.allowed = Config(entrants_a_cup=3)
    with pytest.raises(CupStateError, match=r"A cup has at most 3 entrants\."):
        cup.apply(zoe)
    cup.apply(EntrantDropped(1.0, "e0"))
    cup.apply(zoe)
    assert cup.entrant_names == ["e1", "e2", "zoe"]


def test_a_cup_of_as_many_matches_as_may_be_starts_and_one_of_more_does_not() -> None:
    cup = entered(None)
    cup.allowed = Config(matches_a_cup=8)
    with pytest.raises(CupStateError, match="That would be 9 matches; a cup has at most 8"):
        cup.apply(RUNS)
    cup.allowed = Config(matches_a_cup=9)
    cup.apply(RUNS)
    assert (cup.planned_match_count, len(cup.pairings())) == (9, 6)


def test_a_match_that_waits_is_not_passed_over_when_a_later_one_begins() -> None:
    cup = entered(None)
    cup.apply(RUNS)
    assert [one.number for one in cup.waiting_pairings()][:3] == [1, 2, 3]
    for match, waiting in ((2, [1, 3, 4]), (1, [3, 4, 5]), (3, [4, 5, 6])):
        cup.apply(MatchPaired(1.0, match, f"t{match}"))
        assert [one.number for one in cup.waiting_pairings()][:3] == waiting
        assert cup.running_pairings()[-1].number == match


def test_a_match_is_awaited_at_its_own_table_while_it_is_played() -> None:
    cup = entered(None)
    cup.apply(RUNS)
    cup.apply(BEGINS)
    cup.apply(MatchPaired(1.0, 2, "t2"))
    assert [cup.awaits_result(table) for table in ("t1", "t2", "t3")] == [True, True, False]
    cup.apply(MatchEnded(2.0, 1, "t1"))
    assert [cup.awaits_result(table) for table in ("t1", "t2", "t3")] == [False, True, False]
    assert [cup.match_number_at(table) for table in ("t1", "t2", "t3")] == [1, 2, 0]


@pytest.mark.parametrize(("deals", "hidden"), [("duplicate", {"t1": True, "t2": True}), ("fresh", {"t1": False})])
def test_what_was_played_is_hidden_while_its_deal_is_still_played_or_will_be(
    deals: str, hidden: dict[str, bool]
) -> None:
    cup = Cup(settings(deals=deals))
    for number in range(6):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    cup.apply(RUNS)
    for match in (1, 2):
        cup.apply(MatchPaired(1.0, match, f"t{match}"))
    assert all(cup.is_hidden(table) for table in ("t1", "t2"))
    assert [cup.has_shared_deal(table) for table in ("t1", "t2", "t9")] == [*[deals == "duplicate"] * 2, False]
    cup.apply(MatchEnded(2.0, 1, "t1"))
    assert (cup.is_hidden("t1"), cup.is_hidden("t2"), cup.is_hidden("t9")) == (hidden["t1"], True, False)
    assert cup.publishable_tables() == ([] if hidden["t1"] else ["t1"])
    cup.apply(STOPS)
    assert not any(cup.is_hidden(table) or cup.has_shared_deal(table) for table in ("t1", "t2", "t9"))
    assert cup.publishable_tables() == ["t1"]


def test_how_far_each_came_is_told_of_a_knockout_and_of_nothing_else() -> None:
    assert entered(None).stages_reached() == {}
    cup = Cup(settings(format="knockout", deals="fresh", rounds=1, seats=2))
    for number in range(4):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    cup.apply(RUNS)
    assert cup.stages_reached() == dict.fromkeys(range(4), 1)
    won = []
    for pairing in list(cup.waiting_pairings()):
        won.append(pairing.entrants[1])
        rows = tuple(SeatResult(seat, f"e{one}", 0, 3 - seat) for seat, one in enumerate(pairing.entrants, 1))
        cup.apply(MatchPaired(1.0, pairing.number, f"t{pairing.number}"))
        cup.apply(MatchEnded(2.0, pairing.number, f"t{pairing.number}", rows))
    assert sorted(one for one, stage in cup.stages_reached().items() if stage == 2) == sorted(won)
    assert cup.planned_match_count == 3


def test_a_round_of_a_swiss_has_those_who_stay_when_it_is_drawn_and_the_log_tells_when() -> None:
    cup = Cup(settings(format="swiss", seats=2, rounds=3, deals="fresh"))
    for number in range(6):
        cup.apply(EntrantEntered(1.0, f"e{number}", (f"e{number}",)))
    cup.apply(CupStateChanged(2.0, RUNNING))
    assert (cup.awaits_draw, cup.pairings()) == (True, ())
    cup.apply(RoundDrawn(2.0))
    with pytest.raises(CupStateError, match="No round of friday can be paired now"):
        cup.apply(RoundDrawn(2.0))
    for pairing in cup.pairings():
        cup.apply(MatchPaired(3.0, pairing.number, f"t{pairing.number}"))
        told = tuple(SeatResult(seat, "", 0, seat) for seat in (1, 2))
        cup.apply(MatchEnded(4.0, pairing.number, f"t{pairing.number}", told))
    assert (cup.awaits_draw, len(cup.pairings())) == (True, 3)
    cup.apply(EntrantDropped(5.0, "e3"))
    cup.apply(RoundDrawn(5.0))
    assert 3 not in {one for pairing in cup.pairings()[3:] for one in pairing.entrants}
    assert fold_entries(cup.settings, cup.entries).pairings() == cup.pairings()
