"""A small game for tests of everything but rules: secret cards, choices made at once, a refusal, a result.

Everybody holds three cards, or one for each of more rounds, and secretly plays one each round; then all are shown, and
the highest takes a point.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from games.api import (
    Action,
    Card,
    Event,
    Game,
    IllegalAction,
    Knowledge,
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
from games.layout import Field, Layout, part, write


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


class ToyKnowledge(Knowledge, frozen=True):
    """The view does not say how long the match still is, who holds how many cards, what was shown, what one chose."""

    view: ToyView
    rounds: int
    held: tuple[int, ...]
    shown: tuple[int, ...]
    mine: int


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
    shown: list[int] = field(default_factory=list)

    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        """A toy of this kind of state."""
        return toy_of(type(self))

    @property
    def options(self) -> ToyOptions:
        return ToyOptions()

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
            self.shown += cards
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

    def knowledge(self, seat: Seat | None) -> Knowledge:
        view = self.view(seat)
        assert isinstance(view, ToyView)
        held = tuple(len(hand) for hand in self.hands)
        return ToyKnowledge(view, self.rounds, held, tuple(sorted(self.shown)), self.chosen.get(seat or 0, 0))

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
            self.shown.copy(),
        )

    def save(self) -> bytes:
        facts = (self.seats, self.rounds, self.hands, self.chance.save(), self.chosen, self.points, self.shown)
        return msgspec.msgpack.encode(facts)


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

    def boards(self, view: View, names: Sequence[str], width: int) -> list[list[Line]]:
        assert isinstance(view, ToyView)
        rows: list[Line] = [[("", f"{name}: {points}")] for name, points in zip(names, view.points, strict=True)]
        return [[*rows, [("you", f"Hand: {' '.join(map(str, view.hand))}")]]]


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
    knowledge_type = ToyKnowledge
    options_type = ToyOptions
    state_type: type[ToyState] = ToyState
    words = ToyWords()
    rules = Path(__file__)
    house_bot = "first"
    reasons = {"points": "somebody had the most points"}

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[Told]]:
        assert isinstance(options, ToyOptions)
        deck = chance.shuffle("deck", range(1, 13))
        each = max(3, options.rounds)
        hands = [sorted(deck[each * one : each * (one + 1)]) for one in range(seats)]
        state = self.state_type(seats, options.rounds, hands, chance, points=[0] * seats)
        return state, [tell(one, Dealt(tuple(hands[one - 1]))) for one in range(1, seats + 1)]

    def actions(self, seats: int, options: Options) -> Sequence[Action]:
        return [Play(card) for card in range(1, 13)]

    def layout(self, seats: int, options: Options) -> Layout:
        return Layout(
            (
                Field("seat", (1,), 0, 4),
                Field("points", (seats,), 0, 100),
                Field("chosen", (seats,)),
                Field("hand", (12,)),
            )
        )

    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, ToyView)
        chosen = part(*[seat in view.chosen for seat in range(1, len(view.points) + 1)])
        hand = part(*[card in view.hand for card in range(1, 13)])
        write((part(view.seat), part(*view.points), chosen, hand), out)

    def longest(self, seats: int, options: Options) -> int:
        assert isinstance(options, ToyOptions)
        return options.rounds * seats

    def imagine(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, ToyKnowledge)
        view = knowledge.view
        unseen = sorted({*range(1, 13)} - {*view.hand, *knowledge.shown})
        cards = chance.shuffle("imagined", unseen)
        hands = [
            list(view.hand) if seat == view.seat else sorted(cards.pop() for _ in range(held))
            for seat, held in enumerate(knowledge.held, 1)
        ]
        chosen = {seat: chance.choice("chosen", hands[seat - 1]) for seat in view.chosen}
        if knowledge.mine:
            chosen[view.seat] = knowledge.mine
        to_come = chance.fork("to come")
        points, shown = list(view.points), list(knowledge.shown)
        return self.state_type(seats, knowledge.rounds, hands, to_come, chosen, points, shown)

    def load(self, saved: bytes, options: Options) -> State:
        seats, rounds, hands, chance, chosen, points, shown = msgspec.msgpack.decode(saved, strict=False)
        return self.state_type(seats, rounds, hands, Chance.load(*chance), chosen, points, shown)

    def cards(self, lang: str = "en") -> list[Card]:
        return [Card(str(number), f"Card {number}", "card", 1, "A number.") for number in range(1, 13)]


TOY = ToyGame()


def toy_of(kind: type[ToyState]) -> ToyGame:
    """The same game with states of that kind."""
    game = ToyGame()
    game.state_type = kind
    return game
