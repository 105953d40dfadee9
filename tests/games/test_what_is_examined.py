"""How often the exam asks what, in whole examinations of a toy: an exam that asks less finds less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, ClassVar

import pytest

from games import exam
from games.api import Action, IllegalAction, Knowledge, Line, Options, Seat, State, Told, View, options_from
from games.chance import Chance
from games.exam import compare_redeal, examine_match, examine_position, examine_redeals
from games.exam_failed import ExamFailed
from tests.helpers.toy import TOY, ToyGame, ToyState, ToyWords, toy_of


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

    def refusal(self, seat: Seat, action: Action) -> IllegalAction | None:
        self.count[f"refusal {seat}"] += 1
        return super().refusal(seat, action)

    def apply(self, seat: Seat, action: Action) -> list[Told]:
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

    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        self.count["looks"] += 1
        return super().looks(seat, action, observer)

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

    def imagine(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        Asked.count["imagine"] += 1
        return super().imagine(knowledge, seats, options, chance)

    def position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        return self.start(3, options_from(self, {}), chance)[0]


def compared(game: ToyGame) -> int:
    state, _told = game.start(3, options_from(game, {}), Chance.of_number(4))
    return sum(compare_redeal(game, state, observer, Chance.of_number(5), "here") for observer in (None, 1, 3))


# What it returns, and how often it asked; a view of 0 is a spectator's.
MATCH = (
    "9: apply 84, clone 16, default 14, encode 4, legal 1 47, legal 2 39, legal 3 48, movers 355, refusal "
    "1 63, refusal 2 55, refusal 3 64, save 32, view 0 52, view 1 23, view 2 21, view 3 24"
)
PART_OF_A_MATCH = (
    "12: apply 124, clone 16, default 19, encode 5, legal 1 43, legal 2 47, legal 3 45, legal 4 45, "
    "movers 492, refusal 1 63, refusal 2 69, refusal 3 64, refusal 4 66, save 32, view 0 49, view 1 21, "
    "view 2 26, view 3 23, view 4 22"
)
REDEALS = (
    "13: apply 30, clone 22, default 10, imagine 13, knowledge 39, legal 1 9, legal 2 3, legal 3 24, "
    "looks 10, movers 122, refusal 1 13, refusal 2 3, refusal 3 24, view 0 22, view 1 1, view 2 2, view 3 "
    "38"
)
EVERY_REDEAL = (
    "20: apply 38, clone 33, default 4, imagine 22, knowledge 62, legal 1 22, legal 2 23, looks 40, "
    "movers 171, refusal 1 28, refusal 2 32, view 0 68, view 1 8, view 2 24"
)
POSITION = (
    "53: apply 190, clone 114, default 66, encode 4, imagine 24, knowledge 128, legal 1 87, legal 2 69, "
    "legal 3 99, looks 64, movers 730, refusal 1 104, refusal 2 82, refusal 3 112, save 32, view 0 117, "
    "view 1 66, view 2 64, view 3 105"
)
ONE_REDEAL = (
    "30: apply 57, clone 57, default 28, imagine 9, knowledge 69, legal 1 28, legal 2 6, legal 3 25, "
    "looks 42, movers 185, refusal 1 21, refusal 2 18, refusal 3 18, view 0 43, view 1 43, view 3 43"
)


@pytest.mark.parametrize(
    ("examine", "asked"),
    [
        (lambda game: examine_match(game, 3, options_from(game, {}), 1), MATCH),
        (lambda game: examine_match(game, 4, options_from(game, {}), 2, each=2), PART_OF_A_MATCH),
        (lambda game: examine_redeals(game, 3, options_from(game, {}), 1), REDEALS),
        (lambda game: examine_redeals(game, 2, options_from(game, {}), 3, each=1), EVERY_REDEAL),
        (lambda game: examine_position(game, {"seats": 3}, 1), POSITION),
        (compared, ONE_REDEAL),
    ],
)
def test_an_examination_asks_as_much_as_it_did(
    examine: Callable[[ToyGame], int], asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exam, "ALL_CHECKED", 5)
    monkeypatch.setattr(exam, "SOME_CHECKED", 3)
    Asked.count.clear()
    returned = examine(CountingGame())
    assert f"{returned}: {', '.join(f'{what} {count}' for what, count in sorted(Asked.count.items()))}" == asked


def test_boards_are_looked_at_in_forty_columns_and_in_eighty() -> None:
    widths = set()

    class Noted(ToyWords):
        def board(self, view: View, names: Sequence[str], width: int, height: int = 0) -> list[Line]:
            widths.add(width)
            return super().board(view, names, width, height)

    game = ToyGame()
    game.words = Noted()
    examine_match(game, 3, options_from(TOY, {}), 1)
    assert widths == {40, 80}


class ShowsWhatIsChosen(ToyState):
    def looks(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        return action


def test_the_exam_finds_that_looks_tells_more_than_one_sees() -> None:
    game = toy_of(ShowsWhatIsChosen)
    with pytest.raises(ExamFailed, match=r"`looks` tells .* of seat [123] from .*, and nothing else does"):
        sum(examine_redeals(game, 3, options_from(game, {}), number, each=1) for number in range(9))
