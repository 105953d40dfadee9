"""Who keeps the time at a table, and what it does when: told the time, without a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from games.api import Action, Game
from games.chance import Chance
from matches.fold import Entry, Match
from protocol.entries import ActionTaken, PresenceChanged
from server.common import Common
from server.config import Config
from server.house import Answer, HouseBot, Question
from server.player import Player
from server.table.referee import NOW, ROUNDING, Referee
from server.table.seating import Seating
from tests.helpers.toy import TOY, Play, ToyState
from tests.matches.test_fold import HEADER


class Brooder:
    """A house bot that answers when the test says so."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked: list[tuple[Question, Answer]] = []
        self.closed = 0

    def ask(self, question: Question, answer: Answer) -> None:
        self.asked.append((question, answer))

    def close(self) -> None:
        self.closed += 1


class Brooders:
    """A house of them."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self.made: list[tuple[str, Brooder]] = []

    def names(self, game: Game) -> Sequence[str]:
        return self._names

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        self.made.append((name, Brooder(0.5)))
        return self.made[-1][1]


@dataclass
class Court:
    """A referee and all that it looks at. Three seats have 60 + 5 seconds for each of two rounds; players sit there."""

    config: Config = field(default_factory=lambda: Config(house_seconds=1.0, late_house_seconds=10.0))
    house: Brooders = field(default_factory=lambda: Brooders("other", "first"))
    woken: int = 0

    def __post_init__(self) -> None:
        self.seating = Seating(3, grace=30.0)
        for chair in self.seating.chairs:
            chair.player, chair.name = Player(f"p{chair.number}"), f"p{chair.number}"
        self.match = Match(TOY, msgspec.structs.replace(HEADER, options={"rounds": 2}))
        self.match.begin({})
        self.entries: list[Entry] = []
        common = Common(self.config, {TOY.id: TOY}, self.house)
        self.referee = Referee(self.seating, self.match, common, Chance.of_number(1), self.record, self.wake)

    def record(self, entry: Entry) -> None:
        self.match.apply(entry, {})
        self.entries.append(entry)

    def wake(self) -> None:
        self.woken += 1

    def play(self, seat: int, at: float, place: int = 0) -> None:
        """The seat's player decides."""
        self.record(ActionTaken(at, seat, self.match.state.legal_actions(seat)[place]))

    def brooder(self, seat: int) -> Brooder:
        """The house has that seat."""
        self.referee.give_to_house(self.seating.chair(seat), "first")
        return self.house.made[-1][1]

    def lowest(self, seat: int) -> Play:
        """What is done for a seat by default."""
        assert isinstance(self.match.state, ToyState)
        return Play(min(self.match.state.hands[seat - 1]))


def test_what_is_due_is_done_at_its_moment_and_not_before() -> None:
    court = Court()
    court.play(1, 1.0)
    court.referee.settle(65.0 - 3 * ROUNDING)
    assert court.entries[1:] == []
    defaults = {seat: court.lowest(seat) for seat in (2, 3)}
    court.referee.settle(65.0 - ROUNDING / 2)
    assert [(one.seat, one.action, one.why) for one in court.entries[1:] if isinstance(one, ActionTaken)] == [
        (seat, defaults[seat], "time") for seat in (2, 3)
    ]


@pytest.mark.parametrize("bot", [True, False])
def test_illegal_actions_cost_the_decision_and_many_of_them_the_seat(bot: bool) -> None:
    """A person's limits are others than a program's."""
    mine, others = {"decision": 3, "match": 5}, {"decision": 90, "match": 90}
    program, person = (mine, others) if bot else (others, mine)
    config = Config(
        illegal_a_decision=program["decision"],
        illegal_a_match=program["match"],
        illegal_a_decision_person=person["decision"],
        illegal_a_match_person=person["match"],
    )
    court = Court(config)
    chair = court.seating.chair(1)
    assert chair.player is not None
    chair.player.bot = bot
    forgiven = []
    for _ in range(5):
        forgiven.append(court.referee.forgives(chair))
        court.referee.erred(chair, 7.0)
        if not court.match.asked:
            break
    assert forgiven == [True, True, False, True, False]
    assert chair.illegal_all == 5
    done, gone = court.entries
    assert isinstance(done, ActionTaken)
    assert (done.seat, done.why, gone) == (1, "illegal", PresenceChanged(7.0, 1, "illegal", "first"))


def test_what_was_chosen_and_is_not_legal_any_more_is_asked_for_again() -> None:
    court = Court()
    brooder = court.brooder(2)
    court.referee.play_house(10.0)
    assert isinstance(court.match.state, ToyState)
    hand = court.match.state.hands[1]
    brooder.asked[0][1](Play(hand[0]))
    del hand[0]
    assert court.referee.play_house(11.5)
    assert court.entries == []
    assert court.referee.next_moment() == NOW
    court.referee.play_house(11.5)
    assert len(brooder.asked) == 2
    brooder.asked[0][1](Play(hand[0]))  # to the question from before
    assert not court.referee.play_house(20.0)
    brooder.asked[1][1](Play(hand[0]))
    assert court.referee.play_house(20.0)
    assert court.entries == [ActionTaken(20.0, 2, Play(hand[0]), "house")]


def test_the_chance_of_a_default_depends_on_seat_and_turn_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def default(state: ToyState, seat: int, chance: Chance) -> Action:
        drawn.append(chance.below("default", 10**9))
        return Play(min(state.hands[seat - 1]))

    monkeypatch.setattr(ToyState, "default_action", default)
    first, second = Court(), Court()
    second.play(2, 0.5)
    for court, at in ((first, 65.0), (second, 70.0)):
        court.referee.settle(at)
    assert drawn[0] == drawn[3]
    assert drawn[2] == drawn[4]
    assert len(set(drawn)) == 3
