"""How fast the rules are: random matches, the same with the mover's view, and how fast worlds are
imagined, cloned, saved and loaded, for each game.

Every round does the same work, so rounds differ by the machine alone; seconds are of this process's processor time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from benchmarks.figure import Figure
from benchmarks.reference import ROUNDS, SLICES, beside_loop
from games.api import Game, Options, State, options_from
from games.chance import Chance
from games.registry import all_games

T = TypeVar("T")

ACTIONS = 4_000
POSITIONS = 1_000


def figures() -> Iterator[Figure]:
    """Three figures for each game, all measured in every round, so that the machine is the same for each."""
    for game in all_games().values():
        options = options_from(game, {})
        seats = min(4, game.max_seats)
        positions = _positions(game, seats, options)
        kinds: dict[str, tuple[Callable[[], float], float]] = {
            "actions": (partial(action_rate, game, seats, options, with_view=False), 100_000),
            "actions with the mover's view": (partial(action_rate, game, seats, options, with_view=True), 50_000),
            "worlds imagined, one a turn": (partial(_imagine_rate, game, positions, 1), 10_000),
            "worlds imagined, a hundred a turn": (partial(_imagine_rate, game, positions, 100), 15_000),
            "clones": (partial(_rate, positions, lambda one: one.clone()), 100_000),
            "saved and loaded": (partial(_rate, positions, lambda one: one.game.load(one.save(), one.options)), 10_000),
        }
        rounds = [{kind: beside_loop(rate, SLICES) for kind, (rate, _) in kinds.items()} for _ in range(ROUNDS)]
        for kind, (_, target) in kinds.items():
            rates, loops = zip(*(one[kind] for one in rounds), strict=True)
            yield Figure(f"{game.id}: {kind}", "/s", list(rates), reference="loop", beside=list(loops), target=target)


def action_rate(game: Game, seats: int, options: Options, *, with_view: bool) -> float:
    """Actions a second in the same few random matches each time."""
    pick = random.Random(7).random
    matches = actions = 0
    begun = time.process_time()
    while actions < ACTIONS:
        state, _ = game.start(seats, options, Chance.of_number(matches))
        while movers := state.to_move():
            seat = next(iter(movers))
            if with_view:
                state.view(seat)
            legal = state.legal_actions(seat)
            state.apply(seat, legal[int(pick() * len(legal))])
            state.outcome()
            actions += 1
        matches += 1
    return actions / (time.process_time() - begun)


def _positions(game: Game, seats: int, options: Options) -> list[State]:
    """The positions of one random match, over again until they are enough for a round."""
    rng = random.Random(7)
    state, _ = game.start(seats, options, Chance.of_number(7))
    positions: list[State] = []
    while movers := state.to_move():
        positions.append(state.clone())
        seat = min(movers)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    return (positions * (POSITIONS // len(positions) + 1))[:POSITIONS]


def _imagine_rate(game: Game, positions: Sequence[State], each: int) -> float:
    """Worlds a second, so many from what seat 1 knows in each of some positions."""
    chance = Chance.of_number(8)
    turns = [position.knowledge(1) for position in positions[::each]]
    known = [turn for turn in turns for _ in range(each)]
    state = positions[0]
    return _rate(known, lambda one: game.determinize(one, state.seats, state.options, chance))


def _rate(things: Sequence[T], do: Callable[[T], object]) -> float:
    """How often a second it can be done."""
    begun = time.process_time()
    for thing in things:
        do(thing)
    return len(things) / (time.process_time() - begun)
