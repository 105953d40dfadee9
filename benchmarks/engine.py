"""How fast the rules are: random matches, the same with the mover's view, and redeals, for each game.

Every round does the same work, so rounds differ by the machine alone; seconds are of this process's processor time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.figure import Figure
from benchmarks.reference import ROUNDS, SLICES, beside_loop
from games.api import Game, Options, State, options_from
from games.chance import Chance
from games.registry import all_games

ACTIONS = 4_000
REDEALS = 1_000


def figures() -> Iterator[Figure]:
    """Three figures for each game, all measured in every round, so that the machine is the same for each."""
    for game in all_games().values():
        options = options_from(game, {})
        seats = min(4, game.max_seats)
        kinds: dict[str, tuple[Callable[[], float], float]] = {
            "actions": (partial(action_rate, game, seats, options, with_view=False), 100_000),
            "actions with the mover's view": (partial(action_rate, game, seats, options, with_view=True), 50_000),
            "redeal and clone": (partial(_redeal_rate, _positions(game, seats, options)), 10_000),
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
    return (positions * (REDEALS // len(positions) + 1))[:REDEALS]


def _redeal_rate(positions: list[State]) -> float:
    """Redeals a second, each with a clone of what it gave."""
    chance = Chance.of_number(8)
    begun = time.process_time()
    for position in positions:
        position.redeal(1, chance).clone()
    return len(positions) / (time.process_time() - begun)
