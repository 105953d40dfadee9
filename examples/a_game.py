"""A whole game in one file: high card. Everybody holds three cards (or one for each of more rounds) and plays one in
secret each round. Then all are shown, and the highest takes a point.

It has all that a first version of a game needs, and no more; `games/README.md` lists these members and what else a game
may have. `python examples/a_game.py` gives it the exam that every game takes, and prints a match. To have a server play
it, a package lists it under the entry point `magehall.games`:

    [project.entry-points."magehall.games"]
    high-card = "my_package.a_game"
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from games.api import (
    Action,
    AddressedEvent,
    Card,
    Event,
    Game,
    IllegalAction,
    Knowledge,
    Options,
    Outcome,
    Seat,
    State,
    StyledLine,
    Unreadable,
    View,
    Words,
    to_all,
    to_seat,
)
from games.chance import Chance
from games.layout import Layout, LayoutField, pack_numbers, write_parts
from games.testing.exam import examine_match, examine_redeals
from games.testing.transcript import match_transcript

# 1. Actions and events. A seat decides on actions; the rules answer with events. An event holds only what all of its
# receivers may know. `reveals` names the fields that make something public for the first time.


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


# 2. Views and knowledge. A view holds what one seat needs for its decision. The knowledge adds what follows from the
# events so far; `Game.determinize` deals a whole match from it, so that bots can search.


class HighCardView(View, frozen=True):
    seat: int
    points: tuple[int, ...]
    chosen: tuple[int, ...]
    hand: tuple[int, ...] = ()


class HighCardKnowledge(Knowledge, frozen=True):
    """The view does not say how long the match still is, who holds how many cards, what was shown, what one chose."""

    view: HighCardView
    rounds: int
    held: tuple[int, ...]
    shown: tuple[int, ...]
    mine: int


# 3. The options of a table. Each has a default.


class HighCardOptions(Options, frozen=True):
    rounds: int = 3


# 4. The match itself: the rules. It is pure, and all chance comes from `chance`, where each draw has a label.


@dataclass
class HighCardState(State):
    seats: int
    rounds: int
    hands: list[list[int]]
    chance: Chance
    chosen: dict[int, int] = field(default_factory=dict)
    points: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)

    @property
    def game(self) -> HighCard:  # type: ignore[override]
        return HIGH_CARD

    @property
    def options(self) -> HighCardOptions:
        return HighCardOptions()

    def to_move(self) -> frozenset[Seat]:
        if not self.rounds:
            return frozenset()
        return frozenset(range(1, self.seats + 1)) - frozenset(self.chosen)

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return [Play(card) for card in self.hands[seat - 1]] if seat in self.to_move() else []

    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        if seat not in self.to_move():
            return IllegalAction("not_now", "You have nothing to choose now.")
        if not isinstance(action, Play) or action.card not in self.hands[seat - 1]:
            return IllegalAction("no_such_card", "You do not have that card.")
        return None

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        why = self.refusal_reason(seat, action)
        if why:
            raise why
        assert isinstance(action, Play)
        self.chosen[seat] = action.card
        told = [to_all(Chose(seat))]
        if len(self.chosen) == self.seats:
            cards = tuple(self.chosen[one] for one in range(1, self.seats + 1))
            for one, card in enumerate(cards, 1):
                self.hands[one - 1].remove(card)
                self.points[one - 1] += card == max(cards)
            self.chosen = {}
            self.shown += cards
            self.rounds -= 1
            told.append(to_all(Shown(cards)))
        return told

    def view(self, seat: Seat | None) -> View:
        hand = tuple(self.hands[seat - 1]) if seat else ()
        return HighCardView(seat or 0, tuple(self.points), tuple(sorted(self.chosen)), hand)

    def outcome(self) -> Outcome | None:
        if self.rounds:
            return None
        places = tuple(1 + sum(other > mine for other in self.points) for mine in self.points)
        return Outcome(tuple(self.points), places, "points", "Most points win.")

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        return Play(min(self.hands[seat - 1]))

    def knowledge(self, seat: Seat | None) -> Knowledge:
        view = self.view(seat)
        assert isinstance(view, HighCardView)
        held = tuple(len(hand) for hand in self.hands)
        return HighCardKnowledge(view, self.rounds, held, tuple(sorted(self.shown)), self.chosen.get(seat or 0, 0))

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
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


# 5. Text for people: typed actions, boards and sentences.


class HighCardWords(Words):
    help_text = "play N    play the card N"

    def format_action(self, action: Action) -> str:
        assert isinstance(action, Play)
        return f"play {action.card}"

    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        words = line.split(" ")
        if words[0] != "play" or len(words) < 2 or not all(word.isascii() and word.isdigit() for word in words[1:]):
            raise Unreadable("Type play and a card, such as: play 3")
        return [Play(int(word)) for word in words[1:]]

    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        return "Play a card, such as: " + self.format_action(legal[0])

    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        match event:
            case Chose(seat):
                return f"{names[seat - 1]} has chosen."
            case Shown(cards):
                return f"Shown: {' '.join(map(str, cards))}."
            case Dealt(cards):
                return f"You hold {' '.join(map(str, cards))}."
        return ""

    def render_boards(self, view: View, names: Sequence[str], width: int) -> list[list[StyledLine]]:
        assert isinstance(view, HighCardView)
        rows: list[StyledLine] = [[("", f"{name}: {points}")] for name, points in zip(names, view.points, strict=True)]
        return [[*rows, [("you", f"Hand: {' '.join(map(str, view.hand))}")]]]


# 6. The game, as a server finds it.


class HighCard(Game):
    id = "high-card"
    title = "High card"
    description = "All play a card in secret; the highest takes the point."
    rules_version = "1"
    min_seats = 2
    max_seats = 4
    action_type = Play
    event_type = Dealt | Chose | Shown
    view_type = HighCardView
    knowledge_type = HighCardKnowledge
    options_type = HighCardOptions
    state_type: type[HighCardState] = HighCardState
    words = HighCardWords()
    rules = Path(__file__)

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        assert isinstance(options, HighCardOptions)
        deck = chance.shuffle("deck", range(1, 13))
        each = max(3, options.rounds)
        hands = [sorted(deck[each * one : each * (one + 1)]) for one in range(seats)]
        state = self.state_type(seats, options.rounds, hands, chance, points=[0] * seats)
        return state, [to_seat(one, Dealt(tuple(hands[one - 1]))) for one in range(1, seats + 1)]

    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        return [Play(card) for card in range(1, 13)]

    def layout(self, seats: int, options: Options) -> Layout:
        return Layout(
            (
                LayoutField("seat", (1,), 0, 4),
                LayoutField("points", (seats,), 0, 100),
                LayoutField("chosen", (seats,)),
                LayoutField("hand", (12,)),
            )
        )

    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, HighCardView)
        chosen = pack_numbers(*[seat in view.chosen for seat in range(1, len(view.points) + 1)])
        hand = pack_numbers(*[card in view.hand for card in range(1, 13)])
        write_parts((pack_numbers(view.seat), pack_numbers(*view.points), chosen, hand), out)

    def max_game_length(self, seats: int, options: Options) -> int:
        assert isinstance(options, HighCardOptions)
        return options.rounds * seats

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, HighCardKnowledge)
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


HIGH_CARD = HighCard()
GAMES = [HIGH_CARD]


def main(_arguments: Sequence[str] = ()) -> None:
    """Runs the exam of the game, then prints a match: each action, and each event with its receivers."""
    options = HighCardOptions()
    decisions = sum(examine_match(HIGH_CARD, 3, options, number) for number in range(20))
    deals = sum(examine_redeals(HIGH_CARD, 3, options, number) for number in range(20))
    print(f"The exam looked at {decisions} decisions and compared {deals} other deals: no secret leaks.")
    print("\n".join(match_transcript(HIGH_CARD, 3, options, 1)))


if __name__ == "__main__":
    main()
