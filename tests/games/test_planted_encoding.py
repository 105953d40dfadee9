"""Mistakes in a game's numbers, planted one by one: the exam has to find each."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

import pytest

from games.api import Options, View, options_from
from games.encoding import NumericEncoding
from games.layout import Layout, LayoutField, one_hot, pack_numbers, pack_padded, write_parts
from games.testing.exam import examine_match
from games.testing.failed import ExamFailed
from tests.helpers.toy import TOY, ToyGame, ToyView


class OutOfBounds(ToyGame):
    def layout(self, seats: int, options: Options) -> Layout:
        first, *others = super().layout(seats, options).fields
        return Layout((LayoutField(first.name, (1,), 0, 1), *others))


class BoundsTheWrongWayRound(ToyGame):
    def layout(self, seats: int, options: Options) -> Layout:
        return Layout((*super().layout(seats, options).fields, LayoutField("more", (2,), 1, 0)))


class TooLong(ToyGame):
    def encode(self, view: View, out: Any) -> None:
        super().encode(view, out)
        out[len(out) - 1] = 0


class TooShort(ToyGame):
    def layout(self, seats: int, options: Options) -> Layout:
        return Layout((*super().layout(seats, options).fields, LayoutField("more", (2,))))


class NeverTheSame(ToyGame):
    times = 0

    def encode(self, view: View, out: Any) -> None:
        super().encode(view, out)
        self.times += 1
        out[0] = self.times % 2


class KnowsTheObject(ToyGame):
    """Writes something else for a view that came from the wire."""

    views: tuple[View, ...] = ()

    def encode(self, view: View, out: Any) -> None:
        super().encode(view, out)
        self.views = (*self.views, view)
        out[0] = min(3, sum(view == one and view is not one for one in self.views[-3:]))


class KeepsTooMuch(ToyGame):
    """Its encoder takes every view for the one before."""

    def make_encoder(self, seats: int, options: Options) -> Callable[[View], bytearray]:
        floats, kept = super().make_encoder(seats, options), list[bytearray]()

        def first(view: View) -> bytearray:
            kept.append(floats(view))
            return kept[max(0, len(kept) - 2)]

        return first


class ForgetsPoints(ToyGame):
    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, ToyView)
        super().encode(ToyView(view.seat, (0,) * len(view.points), view.chosen, view.hand), out)


class ForgetsTheHand(ToyGame):
    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, ToyView)
        super().encode(ToyView(view.seat, view.points, view.chosen), out)


class ForgetsWhatIsAllowed(ToyGame):
    """It says itself that the numbers leave out the hand and the points, though the hand is what may be played."""

    unsaid = frozenset({"hand", "points"})

    def encode(self, view: View, out: Any) -> None:
        assert isinstance(view, ToyView)
        super().encode(ToyView(view.seat, (0,) * len(view.points), view.chosen), out)


class BelowNothing(ToyGame):
    def encode(self, view: View, out: Any) -> None:
        write_parts((one_hot(0, 3), pack_padded([-1], 8)), out)


class Half(ToyGame):
    def encode(self, view: View, out: Any) -> None:
        write_parts((pack_numbers(0.5), pack_padded([1], 18)), out)


class NamedTwice(ToyGame):
    def layout(self, seats: int, options: Options) -> Layout:
        return Layout((*super().layout(seats, options).fields, LayoutField("seat", (0,))))


class LongerThanItSays(ToyGame):
    def max_game_length(self, seats: int, options: Options) -> int:
        return super().max_game_length(seats, options) - 1


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (OutOfBounds(), r"numbers out of bounds: \[\('seat', \[[23]\]\)\]"),
        (BoundsTheWrongWayRound(), "a field of the layout has its bounds the wrong way round"),
        (TooLong(), "more numbers than the layout has"),
        (TooShort(), r"numbers out of bounds: \[\('more', \[-1, -1\]\)\]"),
        (NeverTheSame(), "the same view gave other numbers"),
        (KeepsTooMuch(), "the same view gave other numbers"),
        (KnowsTheObject(), "a view from the wire gave other numbers"),
        (ForgetsPoints(), r"the numbers do not tell points\.[012]"),
        (ForgetsTheHand(), "the numbers do not tell hand|may do something else, but the numbers are the same"),
        (ForgetsWhatIsAllowed(), "seat [123] may do something else, but the numbers are the same"),
        (BelowNothing(), "numbers out of bounds: .*'points'"),
        (Half(), "numbers that are not whole"),
        (NamedTwice(), "two fields of the layout have one name"),
        (LongerThanItSays(), "longer than 8 decisions"),
    ],
)
def test_the_exam_says_what_is_wrong_with_the_numbers(game: ToyGame, sentence: str) -> None:
    with pytest.raises(ExamFailed, match=rf"^toy, 3 seats, deal \d+\b.*{sentence}"):
        sum(examine_match(game, 3, options_from(game, {}), number) for number in range(1, 60))


def test_what_is_left_out_on_purpose_is_no_fault() -> None:
    game = ForgetsPoints()
    game.unsaid = frozenset({"points"})
    assert all(examine_match(game, 3, options_from(game, {}), number) == 9 for number in range(9))


class Noted(dict[int, float]):
    """Takes item assignment, one number at a time."""

    def __setitem__(self, at: int, number: float) -> None:
        super().__setitem__(int(at), number)


def test_numbers_are_written_into_whatever_takes_item_assignment() -> None:
    parts, numbers = (one_hot(1, 3), pack_padded([7, 8], 4), one_hot(-1, 2)), [0, 1, 0, 7, 8, 0, 0, 0, 0]
    floats, integers, some, noted = array("f", bytes(36)), array("i", bytes(36)), [5.0] * 9, Noted()
    for out in (floats, integers, some, noted):
        write_parts(parts, out)
    assert list(floats) == list(integers) == some == list(noted.values()) == numbers
    shared, small = memoryview(array("f", bytes(36))), bytearray(9)
    for buffer in (shared, small):
        write_parts(parts, buffer)
        assert list(buffer) == numbers


def test_a_mask_has_a_one_for_each_legal_action_and_ids_are_places() -> None:
    numbers = NumericEncoding(TOY, 3, options_from(TOY, {}))
    some = [numbers.actions[4], numbers.actions[2]]
    mask = [0] * len(numbers.actions)
    numbers.mask(some, mask)
    assert mask == [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert numbers.legal(some) == [4, 2]
    assert [len(bound) for bound in numbers.layout.bounds()] == [numbers.layout.size] * 2
