"""What each hearer of a match is told, under which numbers, and how the match comes out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from games.api import Action, IllegalAction, Seat, Told, tell, tell_others
from matches.fold import SPECTATORS, Entry, Header, Match, Outgoing, fold
from protocol import messages as m
from protocol.entries import ActionTaken, ChatSent, MatchAborted, PresenceChanged, ServerStalled
from tests.helpers.toy import TOY, Chose, Dealt, Play, ToyState, toy_of

HEADER = Header(
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


def whole(order: Iterable[int] = (1, 2, 3), before: Iterable[Entry] = (), header: Header = HEADER) -> list[Entry]:
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
    assert kinds(told[SPECTATORS]) == ["Started", *public]
    for seat in (1, 2, 3):
        assert kinds(told[seat]) == ["Started", "Happened", "Turn", *public]
    for hearer, messages in told.items():
        assert [message.n for message in messages] == [*range(1, len(messages) + 1)]  # type: ignore[attr-defined]
        assert match.counts[hearer] == len(messages)
        assert messages[0].you == hearer  # type: ignore[attr-defined]
    presence = told[1][4]
    assert presence == m.Presence(table="t1", n=5, seat=3, name="Cleo", how="away", by="")


def test_who_is_not_connected_or_deaf_is_told_less_and_everything_is_counted() -> None:
    told: Outgoing = {1: [], 2: []}
    match = Match(TOY, HEADER)
    match.deaf = (2,)
    match.begin(told)
    for entry in whole():
        match.apply(entry, told)
    assert match.counts == [6, 8, 8, 8]
    assert [(kind, message.n) for kind, message in zip(kinds(told[2]), told[2], strict=True)] == [  # type: ignore[attr-defined]
        ("Started", 1),
        ("Turn", 3),
        ("Over", 8),
    ]
    assert len(told[1]) == 8


def test_a_turn_has_its_message_s_number_and_its_time_and_what_its_player_wants() -> None:
    match = Match(TOY, HEADER)
    match.begin({})
    turn = match.turn(2)
    assert turn is not None
    assert (turn.table, turn.n, turn.turn, turn.left, turn.main, turn.knowledge) == ("t1", 3, 1, 65.0, 60.0, None)
    assert (turn.view, turn.legal) == (match.state.view(2), match.state.legal_actions(2))
    match.wants[2] = ("knowledge",)
    turn = match.turn(2)
    assert turn is not None
    assert (turn.view, turn.legal, turn.knowledge) == (None, (), match.state.knowledge(2))
    match.apply(ActionTaken(1.0, 2, highest(match, 2)), {})
    assert match.turn(2) is None
    assert match.asked == {1, 3}


def test_who_is_still_asked_is_not_asked_again_and_the_next_round_asks_all() -> None:
    told = everybody()
    match = Match(TOY, msgspec.structs.replace(HEADER, options={"rounds": 2}))
    match.begin(told)
    for at, seat in ((3.0, 1), (10.0, 2), (15.0, 3)):
        assert match.clocks.deadline(3) == 65.0
        match.apply(ActionTaken(at, seat, highest(match, seat)), told)
    assert kinds(told[3]).count("Turn") == 2
    assert match.turns[1:] == [2, 2, 2]
    assert [match.clocks.deadline(seat) for seat in (1, 2, 3)] == [80.0, 75.0, 70.0]
    match.apply(ServerStalled(16.0, {1: 2.0, 2: 0.0}), told)
    assert [match.clocks.deadline(seat) for seat in (1, 2, 3)] == [82.0, 75.0, 70.0]


def test_what_is_done_for_a_seat_is_told_as_late_and_counted() -> None:
    told = everybody()
    match = Match(TOY, HEADER)
    match.begin(told)
    for seat, why in ((1, "time"), (2, "illegal"), (3, "house")):
        match.apply(ActionTaken(65.0, seat, highest(match, seat), why), told)
    late = [message for message in told[SPECTATORS] if isinstance(message, m.Late)]
    assert late == [
        m.Late(table="t1", n=2, seat=1, count=1, why="time"),
        m.Late(table="t1", n=4, seat=2, count=1, why="illegal"),
    ]
    assert match.over is not None
    assert [result.late for result in match.over.results] == [1, 1, 0]


def test_an_action_that_is_refused_changes_nothing() -> None:
    told = everybody()
    match = Match(TOY, HEADER)
    match.begin(told)
    before = match.turn(1), [len(messages) for messages in told.values()], match.clocks.report(9.0)
    with pytest.raises(IllegalAction):
        match.apply(ActionTaken(9.0, 1, Play(99), "time"), told)
    assert (match.turn(1), [len(messages) for messages in told.values()], match.clocks.report(9.0)) == before
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
        assert [type(one) for one in told[gone]].count(m.Turn) == 1, "it is asked nothing any more"
        assert [one.score for one in over.results] == [1 if seat == first else 0 for seat in (1, 2, 3)]


def test_who_only_leaves_and_comes_back_has_played() -> None:
    match = fold(TOY, HEADER, whole(before=[PresenceChanged(0.5, 1, "left"), PresenceChanged(0.6, 1, "back")]), {})
    assert match.how == ["played"] * 4


def test_a_seat_that_was_taken_over_is_told_no_turns() -> None:
    told = everybody()
    header = msgspec.structs.replace(HEADER, options={"rounds": 2})
    match = fold(TOY, header, [PresenceChanged(0.0, 2, "resigned", "first"), *whole(header=header)], told)
    assert [kinds(told[seat]).count("Turn") for seat in (1, 2, 3)] == [2, 1, 2]
    assert match.turns[1:] == [2, 2, 2]
    turn = match.turn(2)
    assert turn is not None
    assert turn.turn == 2


def test_the_result_in_a_line_names_the_first_place_first() -> None:
    match = Match(TOY, HEADER)
    match.begin({})
    assert match.result == ""
    for entry in whole():
        match.apply(entry, {})
    first = HEADER.seats[winner() - 1].name
    assert match.result.startswith(f"1. {first} 1, 2. ")
    assert match.result.count(" 0") == 2


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
    assert (match.asked, match.turn(1), match.clocks.deadline(1)) == (set(), None, float("inf"))


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
        assert isinstance(started, m.Started)
        assert (over.seed, over.salt) == (("", "") if word else (HEADER.seed.hex(), HEADER.salt.hex()))
        assert (started.word, started.delay, started.grace, started.options) == (word, 60, 30.0, {"rounds": 1})


class Whispering(ToyState):
    """Who chooses hears of it in another way than the others."""

    def apply(self, seat: Seat, action: Action) -> list[Told]:
        _chose, *rest = super().apply(seat, action)
        return [tell(seat, Dealt((7,))), tell_others(seat, Chose(seat)), *rest]


def test_what_one_seat_alone_and_all_others_hear_is_counted_for_each_of_them_once() -> None:
    told = everybody()
    del told[3]
    match = Match(toy_of(Whispering), HEADER)
    match.begin(told)
    before = list(match.counts)
    match.apply(ActionTaken(1.0, 2, highest(match, 2)), told)
    assert match.counts == [count + 1 for count in before]
    for hearer, messages in told.items():
        event = Dealt((7,)) if hearer == 2 else Chose(2)
        assert messages[-1] == m.Happened(table="t1", n=match.counts[hearer], event=event)


class Hasty(ToyState):
    """Where one choice is enough, seat 3 has none any more."""

    def to_move(self) -> frozenset[Seat]:
        return super().to_move() - ({3} if self.chosen else set())


def test_what_another_one_s_action_has_settled_is_asked_no_more() -> None:
    match = Match(toy_of(Hasty), HEADER)
    match.begin({})
    assert match.asked == {1, 2, 3}
    match.apply(ActionTaken(1.0, 1, highest(match, 1)), {})
    assert (match.asked, match.turn(3)) == ({2}, None)
