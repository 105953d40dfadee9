"""How fast the rules are: random matches, the same with the mover's view, and redeals, for each game."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from benchmarks.table import Row
from games.api import Game, Options, State, options_from
from games.chance import Chance
from games.registry import all_games

SECONDS = 2.0


def rows() -> Iterator[Row]:
    """One row a figure and game."""
    for game in all_games().values():
        options = options_from(game, {})
        seats = min(4, game.max_seats)
        playouts, actions, took = random_matches(game, seats, options, with_view=False)
        yield Row(f"{game.id}: random matches", playouts / took, "matches/s")
        yield Row(f"{game.id}: actions", actions / took, "/s", target="100,000", reached=actions / took >= 100_000)
        _, seen, took = random_matches(game, seats, options, with_view=True)
        yield Row(f"{game.id}: actions with the mover's view", seen / took, "/s", "50,000", seen / took >= 50_000)
        dealt, took = _redeals(game, seats, options)
        yield Row(f"{game.id}: redeal and clone", dealt / took, "/s", "10,000", dealt / took >= 10_000)


def random_matches(game: Game, seats: int, options: Options, *, with_view: bool) -> tuple[int, int, float]:
    """Matches, actions, seconds."""
    pick = random.Random(7).random
    matches = actions = 0
    begun = time.perf_counter()
    while (took := time.perf_counter() - begun) < SECONDS:
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
    return matches, actions, took


def _redeals(game: Game, seats: int, options: Options) -> tuple[int, float]:
    """Redeals of the positions of one random match."""
    rng = random.Random(7)
    state, _ = game.start(seats, options, Chance.of_number(7))
    positions: list[State] = []
    while movers := state.to_move():
        positions.append(state.clone())
        seat = min(movers)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    count = 0
    chance = Chance.of_number(8)
    begun = time.perf_counter()
    while (took := time.perf_counter() - begun) < SECONDS / 2:
        for position in positions:
            position.redeal(1, chance).clone()
        count += len(positions)
    return count, took
