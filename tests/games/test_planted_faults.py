"""The exam finds what is wrong with a game that hides nothing badly: a toy that breaks one promise at a time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from games.api import (
    Action,
    AddressedEvent,
    Event,
    IllegalAction,
    Knowledge,
    Options,
    Outcome,
    Seat,
    State,
    StyledLine,
    View,
    options_from,
    to_all,
)
from games.chance import Chance
from games.testing import exam
from games.testing.exam import check_redeal, examine_match, examine_redeals
from games.testing.failed import ExamFailed
from tests.helpers.toy import TOY, Chose, Play, ToyGame, ToyState, ToyWords, toy_of

COUNT = itertools.count()


class Said(Event, tag="said", frozen=True):
    words: Any


class NeverTheSame(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        told = super().apply(seat, action)
        self.points[0] += next(COUNT)
        return told


class TellsOtherwise(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [*super().apply(seat, action), to_all(Said(next(COUNT)))]


class ClonedWrongly(ToyState):
    def clone(self) -> State:
        copy = super().clone()
        assert isinstance(copy, ToyState)
        return replace(copy, rounds=copy.rounds + 1)


class WonTooEarly(ToyState):
    def outcome(self) -> Outcome | None:
        return Outcome((0,) * self.seats, (1,) * self.seats, "points", "All have won.")


class AsksAStranger(ToyState):
    def to_move(self) -> frozenset[Seat]:
        return super().to_move() | {self.seats + 1}


class OffersToAll(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [Play(card) for card in self.hands[seat - 1]]


class OffersTwice(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [*super().legal_actions(seat), *super().legal_actions(seat)[:1]]


class OffersTooMuch(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [*super().legal_actions(seat), *map(Play, range(100, 1098))]  # 3 and 998


class OffersAThousand(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [*super().legal_actions(seat), *map(Play, range(100, 1097))]  # 3 and 997


class ChoosesWhatIsNotOffered(ToyState):
    def default_action(self, seat: Seat, chance: Chance) -> Action:
        return Play(99)


class RefusesWhatItOffers(ToyState):
    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        return IllegalAction("never", "Nothing is allowed.")


class RefusesWithoutAWord(ToyState):
    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        why = super().refusal_reason(seat, action)
        return why and IllegalAction(why.code, "")


class SaysNothingIsWrong(ToyState):
    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        return None

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        why = super().refusal_reason(seat, action)
        if why:
            raise why
        return super().apply(seat, action)


class DoesWhatItRefuses(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [] if self.refusal_reason(seat, action) else super().apply(seat, action)


class PunishesARefusal(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        self.points[0] -= self.refusal_reason(seat, action) is not None
        return super().apply(seat, action)


class AnswersInAnotherOrderWhenAskedAgain(ToyState):
    asked = False

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        legal = super().legal_actions(seat)[:: -1 if self.asked else 1]
        self.asked = True
        return legal


class TooFewPlaces(ToyState):
    def outcome(self) -> Outcome | None:
        over = super().outcome()
        return over and msgspec.structs.replace(over, places=(1,))


class TooFewScores(ToyState):
    def outcome(self) -> Outcome | None:
        over = super().outcome()
        return over and msgspec.structs.replace(over, scores=(1,))


class NobodyIsFirst(ToyState):
    def outcome(self) -> Outcome | None:
        over = super().outcome()
        return over and msgspec.structs.replace(over, places=(2,) * self.seats)


class Endless(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        kept = [hand.copy() for hand in self.hands]
        told = super().apply(seat, action)
        self.hands, self.rounds = kept, 3
        return told


class SavedInPart(ToyState):
    def save(self) -> bytes:
        return ToyState.save(replace(self, rounds=3))


class SavedAtLength(ToyState):
    def save(self) -> bytes:
        return super().save() + bytes(4_100)


class SaysATuple(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [*super().apply(seat, action), to_all(Said((1, 2)))]


class SaysBytes(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [*super().apply(seat, action), to_all(Said(b"1"))]


class TwoLines(ToyWords):
    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        return "One.\nTwo."


class WideBoard(ToyWords):
    def render_boards(self, view: View, names: Sequence[str], width: int) -> list[list[StyledLine]]:
        return [[[("", "x" * width), ("", "x")]]]


class NoQuestion(ToyWords):
    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        return ""


class NotOnMyKeyboard(ToyWords):
    def format_action(self, action: Action) -> str:
        return f"{super().format_action(action)} \u00e9"


class ReadsAnother(ToyWords):
    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        return [Play(99)]


class OffersNothing(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return super().legal_actions(seat) if len(self.chosen) < 2 else []


class Unheard(Event, tag="unheard", frozen=True):
    """Not among the events that the game names."""


class Foul(Action, tag="foul", frozen=True):
    """Not among the actions that the game names."""

    card: int = 99


class OffersAnAlien(ToyState):
    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        legal = super().legal_actions(seat)
        return [*legal, Foul()] if legal else []


class SaysTheUnheard(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [*super().apply(seat, action), to_all(Unheard())]


class Stumbles(ToyState):
    def outcome(self) -> Outcome | None:
        raise KeyError("points")


class FaultyGame(ToyGame):
    event_type = TOY.event_type | Said

    def __init__(self, fault: type[ToyState] | type[ToyWords]) -> None:
        self.state_type = fault if issubclass(fault, ToyState) else ToyState
        self.words = fault() if issubclass(fault, ToyWords) else TOY.words

    def max_game_length(self, seats: int, options: Options) -> int:
        return 1_000  # of a match without an end, that is what is said


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (NeverTheSame, "after action 1: the same deal and actions gave another match"),
        (TellsOtherwise, "after action 1: the same deal and actions gave another match"),
        (ClonedWrongly, "a clone differs from its original"),
        (WonTooEarly, "a state has an outcome exactly if no seat is to move"),
        (AsksAStranger, "are not all seats"),
        (OffersNothing, "seat [123] is to move, and nothing is legal|seat [123] has 0 actions, to move"),
        (OffersAnAlien, r"Foul\(card=99\) is none of .*Play"),
        (SaysTheUnheard, r"Unheard\(\) is none of .*Dealt"),
        (OffersToAll, "seat [123] has 3 actions, to move"),
        (OffersTwice, "has the same action twice"),
        (OffersTooMuch, "1001 actions at once are too many to list"),
        (OffersAThousand, "legal .* would be refused"),
        (ChoosesWhatIsNotOffered, "the default action .* is not legal"),
        (RefusesWhatItOffers, "legal .* would be refused"),
        (RefusesWithoutAWord, "is not refused"),
        (SaysNothingIsWrong, "is not refused"),
        (DoesWhatItRefuses, "is not legal and was done"),
        (PunishesARefusal, "a question or a refusal changed the state"),
        (AnswersInAnotherOrderWhenAskedAgain, "the legal actions of seat 1 are out of date"),
        (TooFewPlaces, "3 seats, but"),
        (TooFewScores, "3 seats, but"),
        (NobodyIsFirst, r"places \(2, 2, 2\) are not 1, shared where equal, and on"),
        (Endless, "did not end within 90 actions"),
        (SavedInPart, "after action 3: what was saved and loaded differs"),
        (SavedAtLength, "bytes are saved, more than 4096"),
        (SaysATuple, "does not survive msgpack"),
        (SaysBytes, "does not survive JSON"),
        (TwoLines, "has more than one line"),
        (WideBoard, "a board line is wider than"),
        (NoQuestion, "nothing to ask seat"),
        (NotOnMyKeyboard, "cannot be typed"),
        (ReadsAnother, "reads as"),
    ],
)
def test_the_exam_says_which_promise_is_broken(
    fault: type[ToyState] | type[ToyWords], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exam, "MAX_ACTIONS", 90)
    with pytest.raises(ExamFailed, match=rf"^toy, 3 seats, deal 1\b.*{sentence}"):
        examine_match(FaultyGame(fault), 3, options_from(TOY, {}), 1)


def test_a_match_in_which_nothing_is_legal_is_given_up_wherever_it_is_played() -> None:
    with pytest.raises(ExamFailed, match=r"seat [123] is to move, and nothing is legal"):
        examine_redeals(FaultyGame(OffersNothing), 3, options_from(TOY, {}), 1, each=1_000)


def test_what_a_game_raises_says_in_which_deal() -> None:
    with pytest.raises(KeyError) as raised:
        examine_match(FaultyGame(Stumbles), 3, options_from(TOY, {}), 1)
    assert raised.value.__notes__ == ["raised in the exam of toy, 3 seats, deal 1"]


class KeepsTheChance(ToyGame):
    """The worlds that are imagined by one chance have one future."""

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        world = super().determinize(knowledge, seats, options, chance)
        assert isinstance(world, ToyState)
        world.chance = chance
        return world


class Kept(ToyState):
    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        game = KeepsTheChance()
        game.state_type = Kept
        return game


def test_the_exam_demands_that_a_world_has_a_chance_of_its_own() -> None:
    game = Kept(3, 3, [], Chance.of_number(1)).game
    with pytest.raises(ExamFailed, match="keeps the chance that it was handed"):
        examine_redeals(game, 3, options_from(game, {}), 1, each=1)


class Unlisted(ToyGame):
    def all_actions(self, seats: int, options: Options) -> list[Play]:
        return [Play(card) for card in range(1, 9)]


class ListedTwice(ToyGame):
    def all_actions(self, seats: int, options: Options) -> list[Play]:
        return [Play(card) for card in (*range(1, 13), 3)]


class ListedOtherwise(ToyGame):
    def all_actions(self, seats: int, options: Options) -> list[Play]:
        first = next(COUNT) % 12
        return [Play(1 + (card + first) % 12) for card in range(12)]


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Unlisted(), "legal, but not among the game's actions"),
        (ListedTwice(), "the same action is listed twice"),
        (ListedOtherwise(), "the actions change their places"),
    ],
)
def test_the_exam_says_what_is_wrong_with_the_list_of_all_actions(game: ToyGame, sentence: str) -> None:
    with pytest.raises(ExamFailed, match=rf"^toy, 3 seats, deal 1\b.*{sentence}"):
        examine_match(game, 3, options_from(game, {}), 1)


def test_a_toy_without_a_fault_passes() -> None:
    game = FaultyGame(ToyState)
    assert examine_match(game, 3, options_from(game, {}), 1) == 9


class TellsByKind(ToyState):
    """What kind of event follows a choice depends on the first hand."""

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [to_all(Chose(seat) if sum(self.hands[0]) % 2 else Said(seat))]


class TellsByNumber(ToyState):
    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        return [to_all(Chose(seat))] * (1 + sum(self.hands[0]) % 2)


class AsksByHand(ToyState):
    def to_move(self) -> frozenset[Seat]:
        return super().to_move() - ({3} if self.chosen and sum(self.hands[0]) % 2 else set())


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (TellsByKind, "heard .*said.* or .*chose|heard .*chose.* or .*said"),
        (TellsByNumber, "heard [12] or [12] events"),
        (AsksByHand, "whose turn it is betrays a hidden card"),
    ],
)
def test_the_exam_says_what_betrays_a_hidden_hand(kind: type[ToyState], sentence: str) -> None:
    state = kind(3, 3, [[1, 2, 3], [4, 5, 6], [7, 8, 10]], Chance.of_number(1), points=[0, 0, 0])
    with pytest.raises(ExamFailed, match=f"^here, when .*: ({sentence})"):
        sum(check_redeal(toy_of(kind), state, 2, Chance.of_number(number), "here") for number in range(20))
