"""A match decision by decision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.fold import SPECTATORS, Match, fold
from matches.moments import decisions, moments
from protocol.entries import ActionTaken, PresenceChanged
from protocol.messages import Message
from tests.helpers.toy import TOY
from tests.matches.played import played


def test_whatever_happened_passed_before_one_decision_or_the_end() -> None:
    record = played(TOY, 3)
    record = replace(
        record, entries=(PresenceChanged(0.0, 2, "away"), PresenceChanged(0.0, 2, "back"), *record.entries)
    )
    shown = list(moments(record))
    assert [moment.number for moment in shown] == list(range(1, len(shown) + 1))
    assert [entry for moment in shown for entry in moment.passed] == [*record.entries]
    assert all(isinstance(moment.decision, ActionTaken) for moment in shown[:-1])
    assert shown[-1].decision is None
    assert [moment.number for moment in moments(record, first=4)] == list(range(4, len(shown) + 1))


@pytest.mark.parametrize("hearer", [SPECTATORS, 1, 2])
def test_whatever_a_hearer_is_told_is_told_once_between_two_decisions(hearer: int) -> None:
    record = played(TOY, 3)
    told: list[Message] = []
    match = fold(record.game, record.header, record.entries, {hearer: told})
    shown = list(moments(record, hearer))
    assert [message for moment in shown for message in moment.told] == told
    assert {moment.hearer for moment in shown} == {hearer}
    assert shown[0].told[0] == told[0]
    assert shown[-1].told[-1] == told[-1]
    assert decisions(record) == len(shown) - 1
    assert shown[-1].match.over == match.over


def test_with_each_moment_come_the_events_of_the_decision_before_and_with_the_first_the_deal() -> None:
    record = played(TOY, 3)
    match = Match(TOY, record.header)
    match.begin({})
    expected = [list(match.told)]
    for entry in record.entries:
        match.apply(entry, {})
        if isinstance(entry, ActionTaken):
            expected.append(list(match.told))
    assert [moment.events for moment in moments(record)] == expected
    assert [moment.events for moment in moments(record, first=3)] == expected[2:]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_seat_has_its_turn_at_each_moment_at_which_it_is_asked_and_at_no_other(seat: int) -> None:
    """Seat 2 is the house's after the deal: its later turns are told to nobody, and are as they would be."""
    record = played(TOY, 3)
    record = replace(record, entries=(PresenceChanged(0.0, 2, "left", "first"), *record.entries))
    untold = 0
    for moment in moments(record, seat):
        asked = seat in moment.match.asked
        assert (moment.turn is not None) == asked
        if moment.turn is not None:
            now = moment.match.turn(seat)
            assert now is not None
            assert (moment.turn.turn, moment.turn.legal) == (now.turn, now.legal)
            assert moment.turn.view.hand == now.view.hand
            untold += moment.turn.view != now.view
        assert moment.view() == moment.match.state.view(seat)
    assert untold > 0, "a turn is as it was told, whatever others have done since"


def test_a_spectator_sees_what_everybody_sees_and_has_no_turn() -> None:
    for moment in moments(played(TOY, 3)):
        assert moment.view() == moment.match.state.view(None)
        assert moment.turn is None
