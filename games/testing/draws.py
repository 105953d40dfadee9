"""Checks that every random draw of a match matters: a different result must lead to a different match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from games.api import Action, AddressedEvent, Game, Options, Seat, State
from games.chance import Chance, deal_key, numbered_seed
from games.testing.exam import random_match
from games.testing.failed import require

T = TypeVar("T")
TRIES = 12  # the number of other results that are tried for each draw


class RecordingChance(Chance):
    """A random stream that notes the labels of draws with more than one possible result."""

    def __init__(self, number: int) -> None:
        super().__init__(deal_key(numbered_seed(number)))
        self.labels: list[str] = []

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        if len({repr(item) for item in items}) > 1:
            self.labels.append(label)
        return super().shuffle(label, items)

    def below(self, label: str, bound: int) -> int:
        if bound > 1:
            self.labels.append(label)
        return super().below(label, bound)


class ReplacedChance(Chance):
    """A random stream that replaces the draws of one label by those of another seed number while `is_due` is set."""

    def __init__(self, number: int, label: str, other: int) -> None:
        super().__init__(deal_key(numbered_seed(number)))
        self._label, self._other, self.is_due = label, Chance.of_number(other), False

    def _block(self, label: str, use: int, block: int) -> bytes:
        if self.is_due and label == self._label:
            return self._other._block(label, use, block)
        return super()._block(label, use, block)


def examine_draws(game: Game, seats: int, options: Options, number: int) -> dict[str, int]:
    """Repeats draws of a random match with other results, and demands that the events or the state change.

    For each label it repeats the first draw during the deal and the first draw after the deal.

    Returns:
        For each label, the number of actions before its last repeated draw; 0 for a draw of the deal.

    Raises:
        ExamFailed: A draw changes nothing.
    """
    done = [
        (moment.seat, moment.action)
        for moment in random_match(game, seats, options, number)
        if moment.seat is not None and moment.action is not None
    ]
    chance = RecordingChance(number)
    state, told = game.start(seats, options, chance)
    found: dict[str, int] = {}
    for count in range(len(done) + 1):
        if count:
            told = state.apply(*done[count - 1])
        for label in chance.labels:
            if not found.get(label):  # None: not repeated yet; 0: repeated only for the deal
                if found.get(label) == count:
                    continue
                found[label] = count
                same = all(
                    _second(game, seats, options, ReplacedChance(number, label, number + 1 + other), done[:count])
                    == (told, state)
                    for other in range(TRIES)
                )
                require(
                    not same,
                    f"{game.id}, {seats} seats, deal {number}, action {count}: the draw {label!r} decides nothing",
                )
        chance.labels.clear()
    return found


def _second(
    game: Game, seats: int, options: Options, chance: ReplacedChance, done: Sequence[tuple[Seat, Action]]
) -> tuple[list[AddressedEvent], State]:
    """Returns the events and the state after these actions, with other results for the draws of the last action."""
    chance.is_due = not done
    state, told = game.start(seats, options, chance)
    for at, (seat, action) in enumerate(done, 1):
        chance.is_due = at == len(done)
        told = state.apply(seat, action)
    return told, state
