"""Every game found takes the exam; a game without golden matches fails."""

import os
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import msgspec
import pytest

from games.api import Action, AddressedEvent, Game, Knowledge, Options, Seat, State, View, options_from, to_map
from games.chance import Chance
from games.magecraft.mage import Mage
from games.registry import all_games, get_game
from games.testing import exam
from games.testing.draws import examine_draws
from games.testing.exam import (
    _check_memory,
    check_redeal,
    examine_match,
    examine_position,
    examine_redeals,
    examine_refused_positions,
    random_match,
)
from games.testing.failed import ExamFailed
from games.testing.transcript import match_transcript
from tests.games import golden
from tests.helpers.toy import ToyGame, ToyState, ToyView, toy_of
from tests.helpers.variants import OURS, combinations, each_once, variants

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
GAMES = list(all_games().values())
DESCRIBED = [game for game in GAMES if type(game).build_position is not Game.build_position]


TYPED_WITH_OPTIONS = ("delay", "format", "deals", "rounds", "clock")  # by `open` and `cup open`


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_option_is_examined_with_more_than_its_default(game: Game) -> None:
    options = options_from(game, {})
    assert set(game.exam_options) == set(options.__struct_fields__)
    for name, values in game.exam_options.items():
        assert set(values) - {getattr(options, name)}
    assert not {*TYPED_WITH_OPTIONS}.intersection(game.exam_options), "typed, these are the table's or the cup's own"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_random_match_keeps_the_contract(game: Game) -> None:
    """About one position in four, which are hundreds, and all in the long campaign."""
    for number, (seats, options) in enumerate(each_once(game)):
        assert examine_match(game, seats, options, number, each=4) > 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_draw_of_a_match_dealt_a_second_time_gives_another_match(game: Game) -> None:
    labels: dict[str, int] = {}
    for number, (seats, options) in enumerate(each_once(game)):
        labels |= examine_draws(game, seats, options, number)
    assert any(labels.values()) or game not in OURS, "no draw comes after the deal"


def test_a_bag_that_is_not_mixed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refill(self: Mage, chance: Chance, told: list[AddressedEvent]) -> bool:
        gems = [gem for gem, count in enumerate(self.discard) for _ in range(count)]
        chance.shuffle(f"bag {self.seat}", gems)
        self.discard, self.bag = [0] * len(self.discard), gems
        return bool(gems)

    monkeypatch.setattr(Mage, "refill_bag", refill)
    game = all_games()["magecraft"]
    with pytest.raises(ExamFailed, match="action 0: the draw 'bag 1' decides nothing"):
        examine_draws(game, 2, options_from(game, {}), 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_redealing_what_a_seat_cannot_know_changes_nothing_it_sees_or_hears(game: Game) -> None:
    dealt, compared = each_once(game), 0
    for number in range(200 * len(dealt)):  # a small game needs more matches
        if number >= len(dealt) and compared > 100:
            break
        seats, options = dealt[number % len(dealt)]
        compared += examine_redeals(game, seats, options, number, each=12)
    assert compared > 100


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_shown_and_allowed_is_the_same_whoever_looked_before(game: Game) -> None:
    """What a state keeps until something changes is never out of date."""
    options, looked, number = options_from(game, {}), 0, 0
    while looked < 1_000:
        number += 1
        seats = game.min_seats + number % (game.max_seats + 1 - game.min_seats)
        unseen, _ = game.start(seats, options, Chance.of_number(number))
        for moment in random_match(game, seats, options, number):
            if moment.seat is not None and moment.action is not None:
                unseen.apply(moment.seat, moment.action)
            fresh = unseen.clone()
            looked += 1
            for seat in (None, *range(1, seats + 1)):
                assert moment.state.view(seat) == fresh.view(seat)
            for seat in moment.state.to_move():
                assert moment.state.legal_actions(seat) == fresh.legal_actions(seat)


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.id)
def test_golden_matches_are_as_they_were(game: Game) -> None:
    texts = sorted(GOLDEN.glob(f"{game.id}-*.txt"))
    assert len(texts) >= 2, f"write golden matches: python -m tests.games.golden {game.id}"
    for path in texts:
        seats, number = (int(part) for part in path.stem.removeprefix(f"{game.id}-").split("-"))
        lines = "\n".join(match_transcript(game, seats, options_from(game, {}), number)) + "\n"
        assert lines == path.read_text(encoding="utf-8"), f"{path.name} differs: a change of rules needs a new version"


@pytest.mark.parametrize("kind", golden.KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("game", OURS, ids=lambda game: game.id)
def test_golden_texts_are_as_they_were(game: Game, kind: golden.Kind) -> None:
    """Changed `numbers` make nonsense of what was trained before; changed `variants` need a new version of the game."""
    kept = golden.kept(kind.__name__, game)
    assert "\n".join(kind(game)) + "\n" == kept, f"read the difference: python -m tests.games.golden {game.id}"


def test_a_new_option_changes_no_golden_text() -> None:
    game = get_game("mages-110m")
    options = type(options_from(game, {}))
    wider = msgspec.defstruct(
        "WiderOptions", [("wind", bool, False)], bases=(options,), frozen=True, forbid_unknown_fields=True
    )
    newer = type(type(game).__name__, (type(game),), {})()
    newer.options_type = wider
    newer.exam_options = {**game.exam_options, "wind": (True,)}
    assert "\n".join(golden.variants(newer)) + "\n" == golden.kept("variants", game)
    assert "\n".join(golden.numbers(newer)) + "\n" == golden.kept("numbers", game)


class Forgetful(ToyState):
    """Dealing it anew changes the deal that it came from."""

    def redeal(self, seat: Seat | None, chance: Chance) -> Self:
        other = super().redeal(seat, chance)
        self.chance.fork("more")
        return other


class Hurried(ToyState):
    """Seat 1 need not choose in a world that was imagined."""

    def to_move(self) -> frozenset[Seat]:
        return super().to_move() - ({1} if self.chance != Chance.of_number(1).fork("deal") else set())


class Boastful(ToyState):
    """Shows the first hand to all. It is over, so that no action comes after which it would show, too."""

    def view(self, seat: Seat | None) -> View:
        return ToyView(seat or 0, tuple(self.hands[0]), (), tuple(self.hands[seat - 1]) if seat else ())


class Telltale(ToyState):
    """Everybody knows the first hand."""

    def knowledge(self, seat: Seat | None) -> Knowledge:
        return msgspec.structs.replace(super().knowledge(seat), shown=(self.hands[0][0],))


class Faithful(ToyState):
    """Is dealt anew from the truth, not from what is known of it."""

    def redeal(self, seat: Seat | None, chance: Chance) -> Self:
        return cast(Self, self.clone())


class Wordy(ToyState):
    """What is known does not come back as it was sent."""

    def knowledge(self, seat: Seat | None) -> Knowledge:
        return msgspec.structs.replace(super().knowledge(seat), shown=[1])


@pytest.mark.parametrize(
    ("kind", "rounds", "says"),
    [
        (Forgetful, 3, "redeal changed the original"),
        (Hurried, 3, "redeal changed whose turn it is"),
        (Boastful, 0, "the view betrays a hidden card"),
        (Telltale, 3, "the knowledge betrays a hidden card"),
        (Faithful, 3, "the state imagined from bytes differs"),
        (Wordy, 3, "HighCardKnowledge.* does not survive"),
    ],
)
def test_the_exam_demands_a_redeal_that_changes_what_is_hidden_and_nothing_else(
    kind: type[ToyState], rounds: int, says: str
) -> None:
    chance = Chance.of_number(1)
    state = kind(3, rounds, [[1, 2, 3], [4, 5, 6], [7, 8, 9]], chance.fork("deal"), points=[0, 0, 0])
    with pytest.raises(ExamFailed, match=f"^here: {says}"):
        check_redeal(toy_of(kind), state, 2, chance, "here")


class Peeps(ToyState):
    """What is known of it is sound, but its game does not use it."""

    asked: ClassVar[list[State]] = []

    def knowledge(self, seat: Seat | None) -> Knowledge:
        self.asked[:] = [self.clone()]
        return super().knowledge(seat)

    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        return KeepsTheTruth()


class KeepsTheTruth(ToyGame):
    state_type = Peeps

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        return Peeps.asked[0].clone()


class SharesHands(ToyGame):
    """Imagines the same hands in all worlds, as lists that all of them have."""

    hands: ClassVar[dict[tuple[object, ...], list[list[int]]]] = {}

    def determinize(self, knowledge: Knowledge, seats: int, options: Options, chance: Chance) -> State:
        state = super().determinize(knowledge, seats, options, chance)
        assert isinstance(state, ToyState)
        state.hands = self.hands.setdefault((knowledge, repr(state.hands)), state.hands)
        return state


class Sharing(ToyState):
    @property
    def game(self) -> ToyGame:  # type: ignore[override]
        game = SharesHands()
        game.state_type = Sharing
        return game


def test_the_exam_demands_that_worlds_share_nothing_that_changes() -> None:
    game = Sharing(3, 3, [], Chance.of_number(1)).game
    with pytest.raises(ExamFailed, match=r"betrays a hidden card|from what is hidden, or from another world"):
        sum(examine_redeals(game, 3, options_from(game, {}), number) for number in range(5))


def test_the_exam_demands_that_what_is_imagined_is_not_always_the_truth() -> None:
    game = KeepsTheTruth()
    with pytest.raises(ExamFailed, match="what is imagined for a seat is always the truth"):
        examine_redeals(game, 3, options_from(game, {}), 1)


def test_the_exam_lets_the_truth_be_imagined_in_a_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exam, "OFTEN", 11)  # a toy with three seats has ten
    assert examine_redeals(KeepsTheTruth(), 3, options_from(KeepsTheTruth(), {}), 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_who_takes_described_positions_has_examples_and_the_other_way_round(game: Game) -> None:
    assert bool(golden.examples(game)) == (game in DESCRIBED)


@pytest.mark.parametrize(
    ("game", "path"),
    [pytest.param(game, path, id=f"{game.id}-{path.stem}") for game in GAMES for path in golden.examples(game)],
)
@pytest.mark.parametrize(("matches", "each"), [(1, 4), pytest.param(20, 1, marks=pytest.mark.soak)])
def test_a_described_position_and_what_is_played_from_it_keep_every_promise(
    game: Game, path: Path, matches: int, each: int
) -> None:
    text = path.read_text(encoding="utf-8")
    assert sum(examine_position(game, text, number, each=each) for number in range(matches)) > 3 * matches


@pytest.mark.parametrize("game", DESCRIBED, ids=lambda game: game.id)
def test_a_position_of_which_nothing_is_said_keeps_every_promise(game: Game) -> None:
    """The least and the most seats; all combinations with variants, at all positions, are for the long campaign."""
    for number, seats in enumerate((game.min_seats, game.max_seats), 1):
        assert examine_position(game, {"seats": seats}, number, each=4) > 0


@pytest.mark.parametrize("game", DESCRIBED, ids=lambda game: game.id)
def test_what_cannot_be_a_position_is_refused_by_its_key(game: Game) -> None:
    examine_refused_positions(game)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_two_thousand_matches_and_ten_thousand_redeals(game: Game) -> None:
    matches = compared = 0
    number = 1_000
    span = range(game.min_seats, game.max_seats + 1)
    options = variants(game)
    while matches < 2_000:
        seats = span[matches % len(span)]
        chosen = options[(matches // len(span)) % len(options)]
        examine_match(game, seats, chosen, number)
        compared += examine_redeals(game, seats, chosen, number)
        matches += 1
        number += 1
    print(f"\n{game.id}: {matches} random matches, {compared} redeal comparisons, no fault")
    assert compared >= 10_000


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_imagined_in_a_hundred_thousand_positions(game: Game) -> None:
    """From bytes, for every seat in turn, with refusals and one step beyond."""
    wanted, looked, number = int(os.environ.get("POSITIONS", "100000")), 0, 10_000
    everything = combinations(game)
    while looked < wanted:
        number += 1
        seats, options = everything[number % len(everything)]
        chance, asked = Chance.of_number(number).fork("imagined"), list[Action]()
        for moment in random_match(game, seats, options, number):
            asked += [moment.action] if moment.action is not None else []
            observer = looked % (seats + 1) or None
            check_redeal(game, moment.state, observer, chance, f"{game.id}, deal {number}", asked)
            looked += 1


@pytest.mark.soak
@pytest.mark.parametrize("game", DESCRIBED, ids=lambda game: game.id)
def test_hundreds_of_matches_from_described_positions(game: Game) -> None:
    for given in ["", *(path.read_text(encoding="utf-8") for path in golden.examples(game))]:
        for number in range(1_000, 1_100):
            examine_position(game, given, number)
    for seats, options in combinations(game):
        for number in range(10):
            examine_position(game, {"seats": seats, "options": to_map(options)}, number)


class Remembered:
    """Answers like one that was never asked before, but for that hearer's view or legal actions."""

    def __init__(self, view: Seat | None = 0, legal: Seat = 0) -> None:
        self._view, self._legal = view, legal

    def view(self, hearer: Seat | None) -> bool:
        return hearer == self._view

    def legal_actions(self, seat: Seat) -> list[bool]:
        return [seat == self._legal]


def test_what_is_out_of_date_for_one_hearer_alone_is_found() -> None:
    fresh: Any = Remembered()
    _check_memory(fresh, fresh, 3, "here")
    for hearer in (None, 1, 2, 3):
        state: Any = Remembered(view=hearer)
        with pytest.raises(ExamFailed, match=f"^here: the view of {hearer or 'a spectator'} is out of date"):
            _check_memory(state, fresh, 3, "here")
    for seat in (1, 2, 3):
        state = Remembered(legal=seat)
        with pytest.raises(ExamFailed, match=f"^here: the legal actions of seat {seat} are out of date"):
            _check_memory(state, fresh, 3, "here")


def test_of_four_things_all_are_tried_and_of_more_any_four() -> None:
    assert exam._some(Chance.of_number(1), "things", "abcd") == [*"abcd"]
    few = exam._some(Chance.of_number(1), "things", "abcde")
    assert len(few) == 4
    assert set(few) < set("abcde")
