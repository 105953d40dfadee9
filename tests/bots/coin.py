"""A game of one word each, for tests of what surrounds a game: whoever says heads first wins; two tails win nobody."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

from bots.sdk import Bot, Turn
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
    View,
    Words,
    to_all,
)
from games.chance import Chance
from games.layout import Layout, LayoutField


class Say(Action, frozen=True, tag="say"):
    heads: bool


class Said(Event, frozen=True, tag="said"):
    seat: Seat
    heads: bool


class Table(View, frozen=True):
    said: tuple[bool, ...]


class CoinState(State):
    options = Options()

    def __init__(self, said: tuple[bool, ...] = ()) -> None:
        self.game, self.seats, self.said = COIN, 2, said

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CoinState) and self.said == other.said

    def to_move(self) -> frozenset[Seat]:
        return frozenset() if True in self.said or len(self.said) == 2 else frozenset({len(self.said) + 1})

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return (Say(True), Say(False)) if seat in self.to_move() else ()

    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        return None if action in self.legal_actions(seat) else IllegalAction("not_now", "Not now.")

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        if why := self.refusal_reason(seat, action):
            raise why
        assert isinstance(action, Say)
        self.said += (action.heads,)
        return [to_all(Said(seat, action.heads))]

    def view(self, seat: Seat | None) -> View:
        return Table(self.said)

    def outcome(self) -> Outcome | None:
        if self.to_move():
            return None
        if True not in self.said:
            return Outcome((0, 0), (1, 1), "nobody", "Nobody said heads.")
        first = len(self.said) == 1
        return Outcome((int(first), int(not first)), (1, 2) if first else (2, 1), "heads", "Heads wins.")

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        return Say(False)

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action

    def clone(self) -> State:
        return CoinState(self.said)

    def save(self) -> bytes:
        return bytes(self.said)


class CoinWords(Words):
    help_text = "say heads | say tails"

    def format_action(self, action: Action) -> str:
        return "say heads" if action == Say(True) else "say tails"

    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        return [Say(line == "say heads")]

    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        return "Heads or tails?"

    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        return ""

    def render_boards(self, view: View, names: Sequence[str], width: int) -> list[list[StyledLine]]:
        return [[]]


class CoinGame(Game):
    id, title, description, rules_version = "coin", "Coin", "Heads or tails.", "1"
    min_seats = max_seats = 2
    action_type, event_type, view_type, knowledge_type, options_type = Say, Said, Table, Table, Options
    words, rules, house_bot = CoinWords(), Path(__file__), "tails"

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        return CoinState(), []

    def all_actions(self, seats: int, options: Options) -> Sequence[Action]:
        return Say(True), Say(False)

    def layout(self, seats: int, options: Options) -> Layout:
        return Layout([LayoutField("said", (2,), 0, 2)])

    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, Table)
        out[0], out[1] = (*(1 + heads for heads in view.said), 0, 0)[:2]

    def max_game_length(self, seats: int, options: Options) -> int:
        return 2

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        assert isinstance(knowledge, Table)
        return CoinState(knowledge.said)

    def load(self, saved: bytes, options: Options) -> State:
        return CoinState(tuple(map(bool, saved)))

    def cards(self, lang: str = "en") -> list[Card]:
        return []


class Heads(Bot):
    def choose(self, turn: Turn) -> Action:
        return Say(True)


class Tails(Bot):
    def choose(self, turn: Turn) -> Action:
        return Say(False)


class Either(Bot):
    def choose(self, turn: Turn) -> Action:
        return Say(self.rng.random() < 0.5)


COIN = CoinGame()
