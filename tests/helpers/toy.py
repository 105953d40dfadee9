"""A small game for tests of everything but rules: secret cards, choices made at once, a refusal, a result.

Everybody holds three cards and secretly plays one each round; then all are shown, and the highest takes a point.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from games.api import (
    Action,
    Card,
    Event,
    Game,
    IllegalAction,
    Line,
    Options,
    Outcome,
    Seat,
    State,
    Told,
    Unreadable,
    View,
    Words,
    tell,
    tell_all,
)
from games.chance import Chance


class Play(Action, tag="play", frozen=True):
    card: int


class Dealt(Event, tag="dealt", frozen=True):
    reveals: ClassVar[frozenset[str]] = frozenset({"cards"})
    cards: tuple[int, ...]


class Chose(Event, tag="chose", frozen=True):
    seat: int


class Shown(Event, tag="shown", frozen=True):
    reveals: ClassVar[frozenset[str]] = frozenset({"cards"})
    cards: tuple[int, ...]


class ToyView(View, frozen=True):
    seat: int
    points: tuple[int, ...]
    chosen: tuple[int, ...]
    hand: tuple[int, ...] = ()


class ToyOptions(Options, frozen=True):
    rounds: int = 3


@dataclass
class ToyState(State):
    seats: int
    rounds: int
    hands: list[list[int]]
    chance: Chance
    chosen: dict[int, int] = field(default_factory=dict)
    points: list[int] = field(default_factory=list)

    def to_move(self) -> frozenset[Seat]:
        if not self.rounds:
            return frozenset()
        return frozenset(range(1, self.seats + 1)) - frozenset(self.chosen)

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [Play(card) for card in self.hands[seat - 1]] if seat in self.to_move() else []

    def refusal(self, seat: Seat, action: Action) -> IllegalAction | None:
        if seat not in self.to_move():
            return IllegalAction("not_now", "You have nothing to choose now.")
        if not isinstance(action, Play) or action.card not in self.hands[seat - 1]:
            return IllegalAction("no_such_card", "You hold no such card.")
        return None

    def apply(self, seat: Seat, action: Action) -> list[Told]:
        why = self.refusal(seat, action)
        if why:
            raise why
        assert isinstance(action, Play)
        if action.card == 13:
            raise RuntimeError("the planted fault of the toy game")
        self.chosen[seat] = action.card
        told = [tell_all(Chose(seat))]
        if len(self.chosen) == self.seats:
            cards = tuple(self.chosen[one] for one in range(1, self.seats + 1))
            for one, card in enumerate(cards, 1):
                self.hands[one - 1].remove(card)
                self.points[one - 1] += card == max(cards)
            self.chosen = {}
            self.rounds -= 1
            told.append(tell_all(Shown(cards)))
        return told

    def view(self, seat: Seat | None) -> View:
        hand = tuple(self.hands[seat - 1]) if seat else ()
        return ToyView(seat or 0, tuple(self.points), tuple(sorted(self.chosen)), hand)

    def outcome(self) -> Outcome | None:
        if self.rounds:
            return None
        places = tuple(1 + sum(other > mine for other in self.points) for mine in self.points)
        return Outcome(tuple(self.points), places, "points", "Most points win.")

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        return Play(min(self.hands[seat - 1]))

    def redeal(self, seat: Seat | None, chance: Chance) -> State:
        other = self.clone()
        assert isinstance(other, ToyState)
        hidden = [one for one in range(self.seats) if one + 1 != seat]
        cards = chance.shuffle("redeal", [card for one in hidden for card in self.hands[one]])
        for one in hidden:
            old = self.hands[one]
            other.hands[one] = [cards.pop() for _ in old]
            if one + 1 in self.chosen:
                other.chosen[one + 1] = other.hands[one][0]
        return other

    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action if seat == observer or len(self.chosen) == self.seats - 1 else "chose"

    def clone(self) -> State:
        return type(self)(
            self.seats,
            self.rounds,
            [hand.copy() for hand in self.hands],
            self.chance.clone(),
            dict(self.chosen),
            self.points.copy(),
        )


class ToyWords(Words):
    help = "play N    play the card N"

    def write(self, action: Action) -> str:
        assert isinstance(action, Play)
        return f"play {action.card}"

    def read(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        words = line.split(" ")
        if words[0] != "play" or len(words) < 2 or not all(word.isascii() and word.isdigit() for word in words[1:]):
            raise Unreadable("Type play and a card, such as: play 3")
        return [Play(int(word)) for word in words[1:]]

    def ask(self, view: View, legal: Sequence[Action]) -> str:
        return "Play a card, such as: " + self.write(legal[0])

    def tell(self, event: Event, names: Sequence[str]) -> str:
        match event:
            case Chose(seat):
                return f"{names[seat - 1]} has chosen."
            case Shown(cards):
                return f"Shown: {' '.join(map(str, cards))}."
            case Dealt(cards):
                return f"You hold {' '.join(map(str, cards))}."
        return ""

    def board(self, view: View, names: Sequence[str], width: int, height: int = 0) -> list[Line]:
        assert isinstance(view, ToyView)
        rows: list[Line] = [[("", f"{name}: {points}")] for name, points in zip(names, view.points, strict=True)]
        return [*rows, [("you", f"Hand: {' '.join(map(str, view.hand))}")]]


class ToyGame(Game):
    id = "toy"
    title = "Toy"
    about = "A small game for tests."
    rules_version = "1"
    min_seats = 2
    max_seats = 4
    action_type = Play
    event_type = Dealt | Chose | Shown
    view_type = ToyView
    options_type = ToyOptions
    words = ToyWords()
    rules = Path(__file__)
    house_bot = "first"

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[Told]]:
        assert isinstance(options, ToyOptions)
        deck = chance.shuffle("deck", range(1, 13))
        hands = [sorted(deck[3 * one : 3 * one + 3]) for one in range(seats)]
        state = ToyState(seats, options.rounds, hands, chance, points=[0] * seats)
        return state, [tell(one, Dealt(tuple(hands[one - 1]))) for one in range(1, seats + 1)]

    def cards(self, lang: str = "en") -> list[Card]:
        return [Card(str(number), f"Card {number}", "card", 1, "A number.") for number in range(1, 13)]


TOY = ToyGame()
