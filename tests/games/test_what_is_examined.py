"""How often the exam asks what, in whole examinations of a toy: an exam that asks less finds less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from games.api import Action, AddressedEvent, IllegalAction, Knowledge, Options, Seat, State, View, options_from
from games.chance import Chance
from games.testing.exam import examine_redeals
from games.testing.failed import ExamFailed
from tests.helpers.toy import ToyGame, ToyState, toy_of


class Asked(ToyState):
    """Counts what it and its copies are asked."""

    count: ClassVar[Counter[str]] = Counter()

    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        return CountingGame()

    def to_move(self) -> frozenset[Seat]:
        self.count["movers"] += 1
        return super().to_move()

    def legal_actions(self, seat: Seat) -> Sequence[Action]:
        self.count[f"legal {seat}"] += 1
        return super().legal_actions(seat)

    def refusal_reason(self, seat: Seat, action: Action) -> IllegalAction | None:
        self.count[f"refusal {seat}"] += 1
        return super().refusal_reason(seat, action)

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        self.count["apply"] += 1
        return super().apply(seat, action)

    def view(self, seat: Seat | None) -> View:
        self.count[f"view {seat or 0}"] += 1
        return super().view(seat)

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        self.count["default"] += 1
        return super().default_action(seat, chance)

    def knowledge(self, seat: Seat | None) -> Knowledge:
        self.count["knowledge"] += 1
        return super().knowledge(seat)

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        self.count["looks"] += 1
        return super().observed_action(seat, action, observer)

    def clone(self) -> State:
        self.count["clone"] += 1
        return super().clone()

    def save(self) -> bytes:
        self.count["save"] += 1
        return super().save()


class CountingGame(ToyGame):
    state_type = Asked

    def encode(self, view: View, out: Any) -> None:
        Asked.count["encode"] += 1
        super().encode(view, out)

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        Asked.count["determinize"] += 1
        return super().determinize(knowledge, seats, options, chance)

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        return self.start(3, options_from(self, {}), chance)[0]


class ShowsWhatIsChosen(ToyState):
    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action


def test_the_exam_finds_that_looks_tells_more_than_one_sees() -> None:
    game = toy_of(ShowsWhatIsChosen)
    with pytest.raises(ExamFailed, match=r"`observed_action` tells .* of seat [123] from .*, and nothing else does"):
        sum(examine_redeals(game, 3, options_from(game, {}), number, each=1) for number in range(9))
