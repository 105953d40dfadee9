"""The rules page of a game in the language of whoever reads it."""

from __future__ import annotations

from pathlib import Path

from games.api import Game
from languages import language


def rules_file(game: Game) -> Path:
    """`README.fr.md` beside `README.md` has the rules in French; where there is none, they are the game's own."""
    said = game.rules.with_suffix(f".{language()}.md")
    return said if said.is_file() else game.rules
