"""The number of seats of a table, for commands that open one."""

from __future__ import annotations

from games.api import Game

USUAL_SEATS = 4


def default_seat_count(game: Game) -> int:
    """Returns the number of seats that the game's table gets if none is given."""
    return max(game.min_seats, min(USUAL_SEATS, game.max_seats))


def resolve_seat_count(game: Game, wanted: int) -> int:
    """Returns the wanted number of seats, or the usual number for 0. Raises ValueError with a sentence if the game does
    not allow it."""
    if wanted:
        game.check_seats(wanted)
    return wanted or default_seat_count(game)
