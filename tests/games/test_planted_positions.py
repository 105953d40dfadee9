"""The exam of described positions finds what is wrong with them: a toy that takes positions, and broken ones."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from games.api import Game, PositionRefused, Seat, State
from games.chance import Chance
from games.testing import exam
from games.testing.exam import examine_position, examine_refused_positions
from games.testing.failed import ExamFailed
from tests.helpers.toy import ToyGame, ToyOptions, ToyState

COUNT = itertools.count()
EXAMPLE = """
seats = 3
rounds = 2
chosen = [2]

[hands]
1 = [4, 7]
2 = [9, 12]
"""


class Said(msgspec.Struct, forbid_unknown_fields=True):
    seats: int = 3
    options: ToyOptions = ToyOptions()
    rounds: int = 3
    chosen: tuple[int, ...] = ()
    hands: dict[int, tuple[int, ...]] = {}


class DescribedToy(ToyGame):
    """Plays from positions; a correct game, which the faults below break in one place each."""

    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        try:
            return self.build(self.read(given), chance)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise PositionRefused(f"{error}") from None

    def read(self, given: str | Mapping[str, Any]) -> Said:
        said = msgspec.convert(tomllib.loads(given) if isinstance(given, str) else given, Said, str_keys=True)
        if not self.min_seats <= said.seats <= self.max_seats:
            raise PositionRefused(f"seats: {said.seats} are not possible")
        return said

    def build(self, said: Said, chance: Chance) -> ToyState:
        taken = {card for hand in said.hands.values() for card in hand}
        deck = chance.shuffle("position", [card for card in range(1, 13) if card not in taken])
        seats = range(1, said.seats + 1)
        hands = [sorted(said.hands.get(seat) or [deck.pop() for _ in range(said.rounds)]) for seat in seats]
        chosen = {seat: hands[seat - 1][0] for seat in said.chosen}
        return ToyState(said.seats, said.rounds, hands, chance, chosen, points=[0] * said.seats)


class NotRepeatable(DescribedToy):
    def build(self, said: Said, chance: Chance) -> ToyState:
        return super().build(said, Chance.of_number(next(COUNT)))


class ChangesWhatItIsGiven(DescribedToy):
    def read(self, given: str | Mapping[str, Any]) -> Said:
        said = super().read(given)
        if isinstance(given, dict):
            given.clear()
        return said


class ReadsTomlOtherwise(DescribedToy):
    def read(self, given: str | Mapping[str, Any]) -> Said:
        said = super().read(given)
        return said if isinstance(given, str) else msgspec.structs.replace(said, chosen=())


class ForgetsHowManySeats(DescribedToy):
    def build(self, said: Said, chance: Chance) -> ToyState:
        return super().build(msgspec.structs.replace(said, seats=2), chance)


class WaitsForNobody(DescribedToy):
    def build(self, said: Said, chance: Chance) -> ToyState:
        return super().build(msgspec.structs.replace(said, chosen=tuple(range(1, said.seats + 1))), chance)


class DealsACardTwice(DescribedToy):
    def build(self, said: Said, chance: Chance) -> ToyState:
        state = super().build(said, chance)
        state.hands[0][1] = state.hands[0][0]
        return state


class HoldsNothing(DescribedToy):
    def build(self, said: Said, chance: Chance) -> ToyState:
        state = super().build(said, chance)
        state.hands[2].clear()
        return state


class Leaky(ToyState):
    def view(self, seat: int | None) -> Any:
        return msgspec.structs.replace(super().view(seat), points=(sum(self.hands[0]), *self.points[1:]))

    def clone(self) -> State:
        return Leaky(**vars(super().clone()))


class ShowsASecret(DescribedToy):
    """The spectators' points tell a card of seat 1."""

    state_type = Leaky

    def build(self, said: Said, chance: Chance) -> ToyState:
        return Leaky(**vars(super().build(said, chance)))


class IgnoresUnknownKeys(DescribedToy):
    def read(self, given: str | Mapping[str, Any]) -> Said:
        return super().read({"seats": given["seats"]} if isinstance(given, Mapping) and "seats" in given else {})


class RefusesWithoutNamingTheKey(DescribedToy):
    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        raise PositionRefused("No.")


class LetsTheParsersErrorOut(DescribedToy):
    def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
        return self.build(self.read(given), chance)


def test_a_sound_game_passes() -> None:
    game = DescribedToy()
    assert all(examine_position(game, EXAMPLE, number) > 0 for number in range(5))
    assert all(examine_position(game, {"seats": seats}, seats) > 0 for seats in (2, 3, 4))
    examine_refused_positions(game)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (NotRepeatable(), "gave another position"),
        (ChangesWhatItIsGiven(), "the description was changed"),
        (ReadsTomlOtherwise(), "as a map or as TOML"),
        (ForgetsHowManySeats(), "it has 2 seats"),
        (WaitsForNobody(), "a state has an outcome exactly if no seat is to move"),
        (DealsACardTwice(), "has the same action twice"),
        (HoldsNothing(), "has 0 actions"),
        (ShowsASecret(), "the view betrays a hidden card"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ToyGame) else "",
)
def test_a_broken_position_is_found(game: DescribedToy, text: str) -> None:
    with pytest.raises(ExamFailed, match=text):
        sum(examine_position(game, EXAMPLE, number) for number in range(5))


def test_a_position_is_compared_as_everybody_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    observers: list[Seat | None] = []
    compare = exam.check_redeal

    def note(game: Game, state: State, observer: Seat | None, *more: Any) -> int:
        observers.append(observer)
        return compare(game, state, observer, *more)

    monkeypatch.setattr(exam, "check_redeal", note)
    examine_position(DescribedToy(), EXAMPLE, 0)
    assert observers[:4] == [None, 1, 2, 3]


def test_what_is_no_position_in_any_game_is_tried() -> None:
    tried: list[object] = []

    class Noted(DescribedToy):
        def build_position(self, given: str | Mapping[str, Any], chance: Chance) -> State:
            tried.append(given)
            return super().build_position(given, chance)

    examine_refused_positions(Noted())
    assert tried == [
        "seats = ",
        {"no_such_key": 1},
        {"seats": 5},
        {"seats": -1},
        {"seats": "many"},
        {"options": {"no_such_option": 1}},
    ]


def test_a_description_that_is_not_refused_is_found() -> None:
    with pytest.raises(ExamFailed, match="is taken for a position"):
        examine_refused_positions(IgnoresUnknownKeys())
    with pytest.raises(ExamFailed, match=r"is refused with 'No\.'"):
        examine_refused_positions(RefusesWithoutNamingTheKey())
    with pytest.raises(tomllib.TOMLDecodeError):
        examine_refused_positions(LetsTheParsersErrorOut())
