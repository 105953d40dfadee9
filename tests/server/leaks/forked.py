"""A game whose matches part from their twins: after a number of actions they are dealt anew for one observer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from games.api import Action, AddressedEvent, Card, Game, Knowledge, Options, Outcome, Seat, State, View
from games.chance import Chance
from games.layout import Layout

Redeal: TypeAlias = Callable[[State, Seat | None, Chance], State]
COPIED = (
    *("id", "title", "rules_version", "min_seats", "max_seats", "action_type", "event_type", "view_type"),
    *("knowledge_type", "options_type", "words", "rules", "house_bot", "cards_digest"),
)


class ForkedState(State):
    """A state that is dealt anew for the observer after `at` actions; None: never."""

    def __init__(self, inner: State, observer: Seat | None, at: int | None, number: int, redeal: Redeal) -> None:
        self.inner, self.observer, self.at, self.number, self._redeal = inner, observer, at, number, redeal
        self.done = 0
        self.seats, self.game, self.options = inner.seats, inner.game, inner.options
        self._fork()

    def _fork(self) -> None:
        if self.done == self.at:
            self.inner = self._redeal(self.inner, self.observer, Chance.of_number(self.number).fork("other world"))

    def to_move(self) -> frozenset[Seat]:
        return self.inner.to_move()

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        return self.inner.legal_actions(seat)

    def refusal_reason(self, seat: Seat, action: Action) -> Any:
        return self.inner.refusal_reason(seat, action)

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        told = self.inner.apply(seat, action)
        self.done += 1
        self._fork()
        return told

    def view(self, seat: Seat | None) -> View:
        return self.inner.view(seat)

    def knowledge(self, seat: Seat | None) -> Knowledge:
        return self.inner.knowledge(seat)

    def outcome(self) -> Outcome | None:
        return self.inner.outcome()

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        return self.inner.default_action(seat, chance)

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Any:
        return self.inner.observed_action(seat, action, observer)

    def clone(self) -> State:
        copy = ForkedState(self.inner.clone(), self.observer, None, self.number, self._redeal)
        copy.at, copy.done = self.at, self.done
        return copy

    def save(self) -> bytes:
        return self.inner.save()


class ForkedGame(Game):
    """A game whose matches are forked; `retell` says anew what the deal told, where the deal itself is forked."""

    def __init__(
        self,
        game: Game,
        observer: Seat | None,
        at: int | None,
        number: int,
        retell: Callable[[State], list[AddressedEvent]] | None,
        redeal: Redeal,
    ) -> None:
        for name in COPIED:
            setattr(self, name, getattr(game, name))
        self._game, self._fork, self._retell = game, (observer, at, number, redeal), retell

    @property
    def description(self) -> str:
        return self._game.description

    @property
    def no_resigning_reason(self) -> str | None:
        return self._game.no_resigning_reason

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        state, told = self._game.start(seats, options, chance)
        forked = ForkedState(state, *self._fork)
        if self._fork[1] == 0 and self._retell is not None:
            told = self._retell(forked.inner)
        return forked, told

    def all_actions(self, *args: Any) -> Sequence[Action]:
        return self._game.all_actions(*args)

    def layout(self, *args: Any) -> Layout:
        return self._game.layout(*args)

    def encode(self, *args: Any) -> None:
        self._game.encode(*args)

    def max_game_length(self, *args: Any) -> int:
        return self._game.max_game_length(*args)

    def determinize(self, *args: Any) -> State:
        return self._game.determinize(*args)

    def load(self, *args: Any) -> State:
        return self._game.load(*args)

    def cards(self, *args: Any, **kwargs: Any) -> list[Card]:
        return self._game.cards(*args, **kwargs)
