"""What a game is tested with: numbers of seats and options."""

from __future__ import annotations

from games.api import Game, Options, options_from


def variants(game: Game) -> list[Options]:
    """The default options, and each value of `exam_options`, one at a time."""
    found = [options_from(game, {})]
    for name, values in game.exam_options.items():
        found += [options_from(game, {name: value}) for value in values]
    return found


def combinations(game: Game) -> list[tuple[int, Options]]:
    """Every number of seats with each of the variants."""
    return [(seats, options) for options in variants(game) for seats in range(game.min_seats, game.max_seats + 1)]


def each_alone(game: Game) -> list[tuple[int, Options]]:
    """Every number of seats with the default options, and each of the variants with one number of seats."""
    first, *others = variants(game)
    seats = range(game.min_seats, game.max_seats + 1)
    return [*[(count, first) for count in seats], *[(seats[at % len(seats)], one) for at, one in enumerate(others)]]
