"""The chairs of a table and who sits on them, without a match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pytest

from matches.fold import SPECTATORS, Match
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import WANTS
from server.house import AtOnce
from server.player import Player
from server.table.seating import LEAST_ABSENCE, Chair, Seating, check_place
from tests.helpers.toy import TOY
from tests.matches.test_fold import HEADER


@dataclass(eq=False)
class Ear:
    """A listener that only remembers."""

    address: Hashable = None
    heard: list[m.Message] = field(default_factory=list)
    waits_for: int = 0

    def push(self, messages: Sequence[m.Message], *, live: bool = True, kept: bool = False) -> None:
        self.heard += messages

    def wait_for(self, position: int) -> None:
        self.waits_for = position

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        raise AssertionError(reason)


def seating(*names: str, empty: int = 0) -> Seating:
    """With players of these names, who are connected, and so many empty chairs."""
    made = Seating(len(names) + empty, grace=30.0)
    for chair, name in zip(made.chairs, names, strict=False):
        chair.name, chair.player, chair.listener = name, Player(name), Ear()
    return made


def refusal(call: object, *args: object) -> str:
    assert callable(call)
    with pytest.raises(Refusal) as refused:
        call(*args)
    return refused.value.code.name


@pytest.mark.parametrize(
    ("there", "others", "code"),
    [
        (0, 0, ""),
        (127, 0, ""),
        (128, 0, "too_many_spectators"),  # as many places are free for others
        (100, 55, ""),
        (100, 56, "too_many_spectators"),
        (0, 255, ""),
        (0, 256, "too_many_spectators"),
    ],
)
def test_from_one_address_as_many_may_watch_as_places_stay_free_for_others(there: int, others: int, code: str) -> None:
    assert limits.SPECTATORS_A_TABLE == 256
    audience = [Ear("here")] * there + [Ear(None)] * others
    if code:
        assert refusal(check_place, audience, "here", 256) == code
    else:
        check_place(audience, "here", 256)


def test_where_nobody_knows_the_address_only_the_number_counts_and_a_full_table_says_what_it_is_told_to() -> None:
    check_place([Ear(None)] * 255, None, 256)
    with pytest.raises(Refusal, match="The cup is full"):
        check_place([Ear(None)] * 256, None, 256, "The cup is full.")
    with pytest.raises(Refusal, match="128 watch there from your address; the 128 places that are left"):
        check_place([Ear("here")] * 128, "here", 256, "The cup is full.")


def test_a_seat_is_the_one_that_is_asked_for_or_the_first_that_is_free() -> None:
    at = seating("ann", empty=2)
    assert [at.free_chair(seat).number for seat in (0, 2, 3)] == [2, 2, 3]
    assert refusal(at.free_chair, 1) == "seat_taken"
    with pytest.raises(Refusal, match="seats 1 to 3") as refused:
        at.free_chair(4)
    assert refused.value.code.name == "bad_field"
    assert refusal(seating("ann", "bob").free_chair, 0) == "table_full"


def test_house_bots_of_one_kind_are_numbered_from_the_second_on() -> None:
    at = seating(empty=4)
    names = []
    for chair in at.chairs:
        chair.name = at.name_for("greedy")
        names.append(chair.name)
    assert names == ["greedy", "greedy-2", "greedy-3", "greedy-4"]
    at.clear(at.chair(2))
    assert at.chair(2) == Chair(2, grace=30.0)
    assert at.name_for("greedy") == "greedy-2"


def test_an_empty_chair_a_player_and_a_house_bot_are_shown_as_such() -> None:
    at = seating("ann", empty=2)
    at.chair(2).name = "greedy"
    clock = at.chair(3).clock = m.ClockRule(main=1, increment=2)
    assert [chair.info() for chair in at.chairs] == [
        m.SeatInfo(1, "ann", "person", here=True),
        m.SeatInfo(2, "greedy", "house"),
        m.SeatInfo(3, "", "empty", clock=clock),
    ]
    ann = at.chair(1).player
    assert ann is not None
    ann.bot = True
    at.unplug(ann)
    assert at.chair(1).info() == m.SeatInfo(1, "ann", "bot", here=False)
    at.unplug(Player("bob"))  # who has no seat


def test_a_table_is_played_while_somebody_is_connected_whose_seat_no_house_bot_has() -> None:
    at = seating("ann", "bob")
    assert at.is_played
    at.chair(1).listener = None
    assert at.is_played
    assert at.absent() == [at.chair(1).player]
    at.chair(2).house = AtOnce(lambda asked: asked.legal[0])
    assert not at.is_played


def test_each_absence_is_taken_from_the_grace_of_its_seat_and_at_least_a_tenth_of_a_second() -> None:
    at = seating("ann", "bob")
    for seat, how, now in ((1, "away", 5.0), (1, "back", 9.0), (2, "left", 5.0), (2, "back", 5.0), (2, "back", 20.0)):
        at.went(seat, now, how)
    assert [(chair.grace, chair.away) for chair in at.chairs] == [(26.0, None), (30.0 - LEAST_ABSENCE, None)]
    at.went(1, 10.0, "away")
    at.stalled(3.0)
    assert [chair.away for chair in at.chairs] == [13.0, None]


def test_illegal_actions_are_counted_in_the_decision_and_in_the_match() -> None:
    at = seating("ann", "bob")
    at.erred(2)
    at.chair(2).illegal_now = 0
    at.erred(2)
    assert [(chair.illegal_now, chair.illegal_all) for chair in at.chairs] == [(0, 0), (1, 2)]


def test_each_seat_and_all_spectators_together_may_say_so_much_in_a_match() -> None:
    at = seating("ann", "bob")
    for _ in range(limits.CHATS_A_MATCH):
        for hearer in (SPECTATORS, 2):
            at.check_may_talk(hearer)
            at.talks(hearer)
    assert [refusal(at.check_may_talk, hearer) for hearer in (SPECTATORS, 2)] == ["too_much_chat"] * 2
    at.check_may_talk(1)
    at.begin_to_talk()
    at.check_may_talk(2)
    assert [at.hearer(name) for name in ("ann", "bob", "cleo")] == [1, 2, SPECTATORS]


def test_the_same_people_are_connected_to_a_table_that_is_made_again() -> None:
    before, after = seating("ann", "bob", empty=1), seating(empty=3)
    before.spectators.add(Ear())
    for chair, other in zip(after.chairs, reversed(before.chairs), strict=True):
        chair.player = other.player
    after.connect_as(before)
    assert [chair.listener for chair in after.chairs] == [None, before.chair(2).listener, before.chair(1).listener]
    assert after.spectators is before.spectators
    assert after.listeners() == [before.chair(2).listener, before.chair(1).listener, *before.spectators]


def test_who_is_here_hears_for_the_seat_again_unless_it_is_away_or_taken_over() -> None:
    at = seating("ann", "bob", "cleo", empty=1)
    ears = []
    for chair in at.chairs[:3]:
        assert chair.player is not None
        chair.player.listener = Ear()
        ears.append(chair.player.listener)
        chair.listener = None
    at.chair(2).away = 5.0
    at.chair(3).house = AtOnce(lambda asked: asked.legal[0])
    at.reconnect()
    assert [chair.listener for chair in at.chairs] == [ears[0], None, None, None]


def test_messages_are_made_for_those_who_are_here_and_what_they_want_is_as_of_now() -> None:
    at, match = seating("ann", "bob", "cleo"), Match(TOY, HEADER)
    assert at.outgoing(match) == {1: [], 2: [], 3: []}
    assert (match.wants, [*match.deaf]) == ([WANTS] * 4, [])
    bob = at.chair(2).player
    assert bob is not None
    bob.says_what_it_hears("turns", ("view",))
    at.chair(1).listener = None
    at.spectators.add(Ear())
    assert at.outgoing(match) == {2: [], 3: [], SPECTATORS: []}
    assert (match.wants, [*match.deaf]) == ([WANTS, WANTS, ("view",), WANTS], [2])
    assert [at.wants(hearer) for hearer in range(4)] == [WANTS, WANTS, ("view",), WANTS]


def test_who_has_to_decide_hears_first_and_nobody_hears_twice() -> None:
    at = seating("ann", "bob", "cleo")
    order: list[str] = []

    class Named(Ear):
        """Notes when it was told."""

        def push(self, messages: Sequence[m.Message], *, live: bool = True, kept: bool = False) -> None:
            order.append(f"{self.address} {len(messages)}{' at once' if live else ''}")

    for chair in at.chairs:
        chair.listener = Named(chair.name)
    at.spectators.add(Named("eve"))
    chat = m.Chat(sender="ann", text="hi")
    at.deliver({1: [chat], 2: [chat, chat], 3: [], SPECTATORS: [chat]}, first=[2, 3], position=0)
    assert order == ["bob 2", "ann 1", "eve 1 at once"]


def test_one_message_is_told_to_all_but_one_and_waits_for_the_disk() -> None:
    at = seating("ann", "bob", empty=1)
    eve = Ear()
    at.spectators.add(eve)
    at.tell(m.Chat(sender="ann", text="hi"), 0, at.chair(1).player)
    ears = [chair.listener for chair in at.chairs[:2]]
    assert [len(ear.heard) for ear in (*ears, eve)] == [0, 1, 1]  # type: ignore[union-attr]
    at.tell(m.Chat(sender="ann", text="hm"), 7)
    assert [ear.waits_for for ear in (*ears, eve)] == [7, 7, 0]  # type: ignore[union-attr]


def test_a_finished_match_counts_for_each_player_with_the_places_of_the_others() -> None:
    at = seating("ann", "bob", empty=2)
    at.chair(3).name, at.chair(3).house_name = "greedy-2", "greedy"
    at.chair(4).name = "dan"
    results = tuple(
        m.SeatResult(seat, name, 0, place, how)
        for seat, name, place, how in (
            (1, "ann", 2, "played"),
            (2, "bob", 1, "played"),
            (3, "greedy-2", 3, "played"),
            (4, "dan", 4, "left"),
        )
    )
    over = m.Over(table="t1", n=1, results=results, reason="points", text="", seed="", salt="", aborted=False)
    at.note_places("toy", over)
    ann, bob = at.chair(1).player, at.chair(2).player
    assert ann is not None
    assert bob is not None
    assert ann.renown.games == {"toy": [0, 1]}
    assert ann.renown.met == {"bob": [1, 0, 1], "greedy": [1, 1, 0], "dan": [1, 1, 0]}
    assert bob.renown.met == {"ann": [1, 1, 0], "greedy": [1, 1, 0], "dan": [1, 1, 0]}


def test_a_table_that_goes_is_no_table_of_its_players_any_more() -> None:
    at = seating("ann", "bob", empty=1)
    ann = at.chair(1).player
    assert ann is not None
    ann.tables = {"t1": None, "t2": None}
    at.unlist("t1")
    assert ann.tables == {"t2": None}
