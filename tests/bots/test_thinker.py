"""The bot that thinks ahead: its search on a made-up guide, and that it plays every game within its means."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from itertools import count

import pytest

from bots.sdk import Turn
from bots.thinker import GUIDES, Thinker
from bots.thinker.search import Guide, SearchBudget, best_action
from games.api import Action, State, options_from
from games.chance import Chance
from games.registry import get_game
from tests.helpers.toy import TOY, Play, ToyOptions, ToyState


class Scale(Guide):
    """A guide for the toy game: a card is worth what it says and some luck, which depends on the world alone."""

    def __init__(self, luck: float = 0.0) -> None:
        self.luck, self.looked = luck, list[int]()

    def candidate_actions(self, turn: Turn) -> Sequence[Action]:
        return turn.legal

    def refine_sampled_state(self, world: State, turn: Turn, rng: random.Random) -> None:
        pass

    def rollout_value(self, world: State, turn: Turn, rng: random.Random) -> float:
        assert isinstance(world, ToyState)
        self.looked.append(world.chosen[turn.seat])
        return world.chosen[turn.seat] / 100 + self.luck * rng.random()


def toy_turn(*hand: int) -> Turn:
    state, _ = TOY.start(2, ToyOptions(), Chance.of_number(1))
    assert isinstance(state, ToyState)
    state.hands[0] = list(hand)
    known = state.knowledge(1)
    return Turn(TOY, 1, state.view(1), state.legal_actions(1), seats=2, options=ToyOptions(), knowledge=known)


def test_the_search_finds_the_best_of_many_through_luck_that_all_have_in_common() -> None:
    for seed in range(20):
        chosen = best_action(toy_turn(1, 2, 3, 4, 5), Scale(luck=50.0), SearchBudget(worlds=1), random.Random(seed))
        assert chosen == Play(5)


def test_what_is_surely_worse_is_given_up_early() -> None:
    scale = Scale(luck=0.001)
    best_action(toy_turn(1, 2), scale, SearchBudget(worlds=1_000), random.Random(1))
    assert len(scale.looked) < 100


def test_the_search_ends_when_its_time_is_over_however_short_and_after_one_world_at_least() -> None:
    for seconds in (0.0, 10.0):
        scale, ticks = Scale(luck=100.0), map(float, count())
        best_action(toy_turn(1, 2), scale, SearchBudget(seconds), random.Random(1), now=partial(next, ticks))
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


HELPERS, HARMERS = ("might", "healing", "strengthen", "cure"), ("cripple", "fireball", "weaken", "magic_missile")
