"""The number of seats of a table that is opened from the command line."""

from __future__ import annotations

from games.api import Game

USUAL_SEATS = 4


def usual_seats(game: Game) -> int:
    """Returns the default number of seats."""
    return max(game.min_seats, min(USUAL_SEATS, game.max_seats))


def seats_for(game: Game, wanted: int) -> int:
    """Returns the wanted number of seats, or the usual one for 0. Raises ValueError with a sentence."""
    if wanted:
        game.check_seats(wanted)
    return wanted or usual_seats(game)
