"""The bot that thinks ahead: its search on a made-up guide, and that it plays every game within its means."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any

import pytest

from bots.sdk import Turn
from bots.thinker import GUIDES, Thinker
from bots.thinker.arena import ArenaGuide
from bots.thinker.search import Budget, Guide, best_action
from games.api import Action, State, options_from
from games.chance import Chance
from games.cheaty_mages import moves
from games.cheaty_mages.rules import Match
from games.registry import get_game
from tests.helpers.toy import TOY, Play, ToyOptions, ToyState


class Scale(Guide):
    """A guide for the toy game: a card is worth what it says and some luck, which depends on the world alone."""

    def __init__(self, luck: float = 0.0) -> None:
        self.luck, self.looked = luck, list[int]()

    def candidates(self, turn: Turn) -> Sequence[Action]:
        return turn.legal

    def believe(self, world: State, turn: Turn, rng: random.Random) -> None:
        pass

    def value(self, world: State, turn: Turn, rng: random.Random) -> float:
        assert isinstance(world, ToyState)
        self.looked.append(world.chosen[turn.seat])
        return world.chosen[turn.seat] / 100 + self.luck * rng.random()


class Biased(Scale):
    """Has a hunch that low cards are good."""

    def hunch(self, turn: Turn, actions: Sequence[Action]) -> Sequence[float]:
        return [0.5 if action == Play(2) else 0.0 for action in actions]


def toy_turn(*hand: int) -> Turn:
    state, _ = TOY.start(2, ToyOptions(), Chance.of_number(1))
    assert isinstance(state, ToyState)
    state.hands[0] = list(hand)
    known = state.knowledge(1)
    return Turn(TOY, 1, state.view(1), state.legal_actions(1), seats=2, options=ToyOptions(), knowledge=known)


def test_the_search_finds_the_best_of_many_through_luck_that_all_have_in_common() -> None:
    for seed in range(20):
        chosen = best_action(toy_turn(1, 2, 3, 4, 5), Scale(luck=50.0), Budget(worlds=1), random.Random(seed))
        assert chosen == Play(5)


@pytest.mark.parametrize("worlds", [1, 100])
def test_a_hunch_is_weighed_against_what_worlds_say(worlds: int) -> None:
    def chosen(*hand: int) -> Action:
        return best_action(toy_turn(*hand), Biased(luck=0.001), Budget(worlds=worlds), random.Random(1))

    assert chosen(1, 2, 40, 50) == Play(2)
    assert chosen(1, 2, 40, 60) == Play(60)


def test_what_is_surely_worse_is_given_up_early() -> None:
    scale = Scale(luck=0.001)
    best_action(toy_turn(1, 2), scale, Budget(worlds=1_000), random.Random(1))
    assert len(scale.looked) < 100


def test_the_search_ends_when_its_time_is_over_however_short_and_after_one_world_at_least() -> None:
    for seconds in (0.0, 10.0):
        scale, ticks = Scale(luck=100.0), map(float, count())
        best_action(toy_turn(1, 2), scale, Budget(seconds), random.Random(1), now=partial(next, ticks))
        assert 2 <= len(scale.looked) <= 2 * (seconds + 1)


@pytest.mark.parametrize(("seconds", "clock", "taken"), [(0.5, float("inf"), 0.5), (0.5, 60.0, 0.5), (0.5, 2.0, 0.1)])
def test_a_clock_that_runs_out_makes_it_think_less(seconds: float, clock: float, taken: float) -> None:
    assert Thinker(1, seconds=seconds)._within(clock).seconds == taken


@pytest.mark.parametrize("game_id", sorted(GUIDES))
@pytest.mark.parametrize("most", [False, True])
def test_what_it_chooses_is_legal_and_the_same_again_with_a_number_of_worlds(game_id: str, most: bool) -> None:
    game = get_game(game_id)
    options, seats = options_from(game, {}), game.max_seats if most else game.min_seats
    state, _ = game.start(seats, options, Chance.of_number(3))
    one, other, rng = Thinker(1, worlds=1), Thinker(1, worlds=1), random.Random(2)
    for number in range(1, 60):
        movers = state.to_move()
        if not movers:
            break
        seat = min(movers)
        legal = state.legal_actions(seat)
        if number % 8:
            state.apply(seat, rng.choice(legal))
            continue
        turn = Turn(
            game, seat, state.view(seat), legal, number, seats=seats, options=options, knowledge=state.knowledge(seat)
        )
        action = one.choose(turn)
        assert action in legal
        assert other.choose(turn) == action
        state.apply(seat, action)


FIGHTERS = ("lizardman", "ghost", "succubus", "minotaur", "demon")


def arena(number: int = 1, **said: Any) -> tuple[Match, Turn]:
    """A described position of four seats, and seat 1's turn there."""
    game = get_game("ikasamage")
    said = {"seats": 4, "turn": 1, "judge": "tad", "fighters": FIGHTERS} | said
    match = game.position(said, Chance.of_number(number))
    assert isinstance(match, Match)
    known = match.knowledge(1)
    return match, Turn(game, 1, match.view(1), match.legal_actions(1), seats=4, options=match.options, knowledge=known)


def suspected(match: Match, turn: Turn) -> Counter[tuple[int, ...]]:
    """What seat 2 is thought to have bet on, in 200 thoughts."""
    bets, rng = Counter[tuple[int, ...]](), random.Random(1)
    for _ in range(200):
        world = match.clone()
        ArenaGuide().believe(world, turn, rng)
        bets[world.bets[2]] += 1
    return bets


HELPERS, HARMERS = ("might", "healing", "strengthen", "cure"), ("cripple", "fireball", "weaken", "magic_missile")


def test_whom_its_cards_could_help_a_seat_is_thought_to_bet_on_also_before_it_bets() -> None:
    said: dict[str, Any]
    for said in ({"phase": "bet", "starter": 1}, {"bets": {2: (3,)}}):
        of_helpers = suspected(*arena(hands={2: HELPERS}, **said))
        of_harmers = suspected(*arena(hands={2: HARMERS}, **said))
        assert of_helpers[2,] < of_harmers[2,]  # they help the ghost, which is undead
        assert of_helpers[1,] > of_harmers[1,]
        assert all(len(bet) == 1 for bet in of_helpers | of_harmers)


def test_whom_its_spells_have_helped_a_seat_is_thought_to_have_bet_on() -> None:
    laid = suspected(*arena(spells={5: [{"card": "healing", "by": 2}]}, bets={2: (3,)}))
    assert laid[5,] > suspected(*arena(bets={2: (3,)}))[5,] + 50
    twice = arena(spells={5: [{"card": "healing", "by": 2}]}, bets={2: (1, 2)})
    assert all(len(bet) == 2 for bet in suspected(*twice))


def test_the_hunch_is_for_spells_that_help_the_own_bet_and_for_bets_that_the_hand_can_help() -> None:
    _, turn = arena(bets={1: (3,)}, hands={1: ("might", "cripple")})
    hunch = dict(zip(turn.legal, ArenaGuide().hunch(turn, turn.legal), strict=True))
    helps, harms = moves.Cast("might", 3, face_down=False), moves.Cast("cripple", 3, face_down=False)
    assert hunch[helps] > hunch[moves.PASS] == 0 > hunch[harms]
    turns = [arena(phase="bet", starter=1, hands={1: hand})[1] for hand in (HELPERS, HARMERS)]
    helped, harmed = (ArenaGuide().hunch(turn, [moves.Bet((1,)), moves.Bet((2,))]) for turn in turns)
    assert helped[0] > harmed[0]
    assert helped[1] < harmed[1]  # which is undead
