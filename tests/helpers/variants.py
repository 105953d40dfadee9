"""What a game is tested with: numbers of seats and options."""

from __future__ import annotations

from games.api import Game, Options, options_from
from games.registry import all_games

# Of this repository: they have French, and files that are kept here; a game of another package takes the other tests.
OURS = [game for game in all_games().values() if type(game).__module__.startswith("games.")]


def variants(game: Game) -> list[Options]:
    """The default options, and each value of `exam_options`, one at a time."""
    found = [options_from(game, {})]
    for name, values in game.exam_options.items():
        found += [options_from(game, {name: value}) for value in values]
    return found


def combinations(game: Game) -> list[tuple[int, Options]]:
    """Every number of seats with each of the variants."""
    return [(seats, options) for options in variants(game) for seats in range(game.min_seats, game.max_seats + 1)]


def each_once(game: Game) -> list[tuple[int, Options]]:
    """Every number of seats and every one of the variants, in turn; all combinations are for the long campaigns."""
    seats, options = range(game.min_seats, game.max_seats + 1), variants(game)
    most = max(len(seats), len(options))
    return [(seats[at % len(seats)], options[at % len(options)]) for at in range(most)]
