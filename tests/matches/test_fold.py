"""What each hearer of a match is told, under which numbers, and how the match comes out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from games.api import IllegalAction
from matches.fold import SPECTATORS, Entry, Match, MatchHeader, Outgoing, fold
from protocol import messages as m
from protocol.entries import ActionTaken, ChatSent, MatchAborted, PresenceChanged
from tests.helpers.toy import TOY, Play, ToyState

HEADER = MatchHeader(
    table="t1",
    game="toy",
    options={"rounds": 1},
    seats=tuple(m.SeatInfo(seat, name, "person") for seat, name in enumerate(("Ada", "Bob", "Cleo"), 1)),
    clock=m.ClockRule(main=60, increment=5),
    seed=bytes(32),
    salt=bytes(16),
    nonces=(),
    grace=30.0,
)


def everybody() -> Outgoing:
    """Nothing told yet to any of three seats and the spectators."""
    return {hearer: [] for hearer in range(4)}


def highest(match: Match, seat: int) -> Play:
    """The best card of that seat."""
    assert isinstance(match.state, ToyState)
    return Play(max(match.state.hands[seat - 1]))


def whole(order: Iterable[int] = (1, 2, 3), before: Iterable[Entry] = (), header: MatchHeader = HEADER) -> list[Entry]:
    """A log in which each plays the best card, in that order, a second each, after what happened before."""
    match = Match(TOY, header)
    match.begin({})
    return [*before, *(ActionTaken(float(at), seat, highest(match, seat)) for at, seat in enumerate(order, 1))]


def kinds(messages: Iterable[m.Message]) -> list[str]:
    return [type(message).__name__ for message in messages]


def test_each_hearer_is_told_its_own_messages_numbered_without_a_gap() -> None:
    told = everybody()
    match = fold(TOY, HEADER, whole(before=[ChatSent(0.5, "Ada", "hi"), PresenceChanged(0.6, 3, "away")]), told)
    public = ["Chat", "Presence", "Happened", "Happened", "Happened", "Happened", "Over"]
    assert kinds(told[SPECTATORS]) == ["MatchStarted", *public]
    for seat in (1, 2, 3):
        assert kinds(told[seat]) == ["MatchStarted", "Happened", "TurnUpdate", *public]
    for hearer, messages in told.items():
        assert [message.n for message in messages] == [*range(1, len(messages) + 1)]  # type: ignore[attr-defined]
        assert match.counts[hearer] == len(messages)
        assert messages[0].you == hearer  # type: ignore[attr-defined]
    presence = told[1][4]
    assert presence == m.Presence(table="t1", n=5, seat=3, name="Cleo", how="away", by="")


def test_an_action_that_is_refused_changes_nothing() -> None:
    told = everybody()
    match = Match(TOY, HEADER)
    match.begin(told)
    before = match.turn_message(1), [len(messages) for messages in told.values()], match.clocks.seat_clocks(9.0)
    with pytest.raises(IllegalAction):
        match.apply(ActionTaken(9.0, 1, Play(99), "time"), told)
    assert (
        match.turn_message(1),
        [len(messages) for messages in told.values()],
        match.clocks.seat_clocks(9.0),
    ) == before
    assert match.late == [0, 0, 0, 0]


def winner() -> int:
    """The seat that wins where all play to the end."""
    over = fold(TOY, HEADER, whole(), {}).over
    assert over is not None
    return next(result.seat for result in over.results if result.place == 1)


def test_those_who_played_to_the_end_come_before_a_seat_that_was_taken_over() -> None:
    first = winner()
    others = [seat for seat in (1, 2, 3) if seat != first]
    for gone, how in ((first, "resigned"), (others[0], "left")):
        told = everybody()
        match = fold(TOY, HEADER, whole(before=[PresenceChanged(0.5, gone, how, "first")]), told)
        over = match.over
        assert over is not None
        places = {result.seat: (result.place, result.how) for result in over.results}
        assert places.pop(gone) == (3, how)
        assert all(kept == "played" for _place, kept in places.values())
        assert {place for place, _how in places.values()} == ({1} if gone == first else {1, 2})
        stayed = " and ".join(HEADER.seats[seat - 1].name for seat in others)
        text = f"{stayed} share the win, as {HEADER.seats[gone - 1].name} did not play to the end."
        assert over.text == (text if gone == first else "Most points win.")
        assert [type(one) for one in told[gone]].count(m.TurnUpdate) == 1, "it is asked nothing any more"
        assert [one.score for one in over.results] == [1 if seat == first else 0 for seat in (1, 2, 3)]


def test_a_seat_that_was_taken_over_is_told_no_turns() -> None:
    told = everybody()
    header = msgspec.structs.replace(HEADER, options={"rounds": 2})
    match = fold(TOY, header, [PresenceChanged(0.0, 2, "resigned", "first"), *whole(header=header)], told)
    assert [kinds(told[seat]).count("TurnUpdate") for seat in (1, 2, 3)] == [2, 1, 2]
    assert match.turns[1:] == [2, 2, 2]
    turn = match.turn_message(2)
    assert turn is not None
    assert turn.turn == 2


def test_a_match_that_is_aborted_has_no_result_and_asks_nothing_more() -> None:
    told = everybody()
    match = fold(TOY, HEADER, [MatchAborted(5.0, "Ada closed the table.")], told)
    assert match.over is not None
    assert told[2][-1] == m.Over(
        table="t1",
        n=4,
        results=(),
        reason="aborted",
        text="Ada closed the table.",
        seed=HEADER.seed.hex(),
        salt=HEADER.salt.hex(),
        aborted=True,
    )
    assert (match.asked, match.turn_message(1), match.clocks.deadline(1)) == (set(), None, float("inf"))


@pytest.mark.parametrize("word", ["", "moth"])
def test_a_match_with_a_word_tells_its_secrets_to_nobody_at_the_table(word: str) -> None:
    told = everybody()
    header = msgspec.structs.replace(HEADER, word=word, delay=60)
    match = fold(TOY, header, whole(), told)
    assert match.over is not None
    assert (match.over.seed, match.over.salt, match.over.aborted) == (HEADER.seed.hex(), HEADER.salt.hex(), False)
    for messages in told.values():
        over, started = messages[-1], messages[0]
        assert isinstance(over, m.Over)
        assert isinstance(started, m.MatchStarted)
        assert (over.seed, over.salt) == (("", "") if word else (HEADER.seed.hex(), HEADER.salt.hex()))
        assert (started.word, started.delay, started.grace, started.options) == (word, 60, 30.0, {"rounds": 1})
