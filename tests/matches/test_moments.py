"""A match decision by decision."""

from __future__ import annotations

from dataclasses import replace

import pytest

from matches.fold import SPECTATORS, fold
from matches.moments import count_decisions, moments
from protocol.entries import PresenceChanged
from protocol.messages import Message
from tests.helpers.toy import TOY
from tests.matches.played import played


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
    assert count_decisions(record) == len(shown) - 1
    assert shown[-1].match.over == match.over


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
            now = moment.match.turn_message(seat)
            assert now is not None
            assert (moment.turn.turn, moment.turn.legal) == (now.turn, now.legal)
            assert moment.turn.view.hand == now.view.hand
            untold += moment.turn.view != now.view
        assert moment.view() == moment.match.state.view(seat)
    assert untold > 0, "a turn is as it was told, whatever others have done since"
