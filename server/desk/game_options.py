"""Describes a game and its options in a message for clients."""

from __future__ import annotations

from games.api import Game, options_from, to_map
from protocol.messages import GameInfo


def game_info(game: Game) -> GameInfo:
    """Returns the game's description for clients."""
    return GameInfo(
        game=game.id,
        title=game.title,
        about=game.description,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        rules_version=game.rules_version,
        options=to_map(options_from(game, {})),
        cards=game.cards_digest,
    )
