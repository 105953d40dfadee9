"""A bot asked the decisions of a match again: what it hears, and which decisions there are."""

from __future__ import annotations

import pytest

from bots.sdk import Bot, Turn
from bots.sdk.replays import ask_again, turn_at
from games.api import Action, IllegalAction
from protocol.entries import ActionTaken
from tests.bots.notes import Notes, keeping
from tests.helpers.toy import TOY, Dealt, Play
from tests.matches.played import played

RECORD = played(TOY, 3)
DONE = [entry for entry in RECORD.entries if isinstance(entry, ActionTaken)]


class Hears(Notes):
    """Notes what it hears, and not what it is asked."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


def last_heard(made: list[Bot]) -> list[object]:
    assert isinstance(made[-1], Notes)
    return made[-1].heard


class Errs(Hears):
    def choose(self, turn: Turn) -> Action:
        return Play(99)


def test_the_first_decision_is_number_one_and_the_last_one_is_the_last() -> None:
    for number in (1, len(DONE)):
        turn = turn_at(RECORD, number)
        assert (turn.seat, turn.seats) == (DONE[number - 1].seat, 3)
        assert DONE[number - 1].action in turn.legal


def test_a_seat_that_had_decided_already_has_no_turn_there() -> None:
    others = [seat for seat in (1, 2, 3) if seat != DONE[0].seat]
    assert [turn_at(RECORD, 1, seat).seat for seat in others] == others, "all choose at once"
    with pytest.raises(ValueError, match=rf"^Seat {DONE[0].seat} had nothing to decide before decision 2\.$"):
        turn_at(RECORD, 2, DONE[0].seat)


def test_a_bot_hears_what_its_seat_heard_until_then_and_its_answers_are_told() -> None:
    made: list[Bot] = []
    kept = keeping(Hears, made)
    found = list(ask_again(kept, RECORD, number=1, seat=DONE[0].seat))
    assert [(one.number, one.seat, one.done, one.refusal) for one in found] == [(1, DONE[0].seat, DONE[0].action, "")]
    assert [type(event) for event in last_heard(made)] == [Dealt]
    whole = [one.number for one in ask_again(kept, RECORD, seat=DONE[0].seat)]
    assert whole == [number for number, did in enumerate(DONE, 1) if did.seat == DONE[0].seat]
    assert len(last_heard(made)) > len(DONE), "of the others it hears too"
    assert sorted(one.number for one in ask_again(Hears, RECORD)) == [*range(1, len(DONE) + 1)]


def test_what_the_rules_refuse_is_told_with_their_reason() -> None:
    assert {one.refusal for one in ask_again(Errs, RECORD, seat=2)} == {"You do not have that card."}


class Talks(Hears):
    def choose(self, turn: Turn) -> Action:
        return "x" * 90  # type: ignore[return-value]


def test_what_is_no_action_at_all_is_quoted_in_part() -> None:
    with pytest.raises(IllegalAction) as refused:
        list(ask_again(Talks, RECORD))
    assert refused.value.text == f"choose returned '{'x' * 79}, which is not an action of toy."
