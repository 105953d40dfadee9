"""How many seats a table gets that is opened from the command line."""

from __future__ import annotations

from games.api import Game

USUAL_SEATS = 4


def usual_seats(game: Game) -> int:
    """The number of seats where none was asked for."""
    return max(game.min_seats, min(USUAL_SEATS, game.max_seats))


def seats_for(game: Game, wanted: int) -> int:
    """The wanted number of seats, or the usual one for 0. Raises ValueError with a sentence."""
    if wanted:
        game.check_seats(wanted)
    return wanted or usual_seats(game)
