"""Writes a game's golden matches anew: `python -m tests.games.golden GAME`. Read the difference before you commit."""

import sys
from pathlib import Path

from games.api import options_from
from games.registry import get_game
from games.transcript import transcript

if __name__ == "__main__":
    game = get_game(sys.argv[1])
    folder = Path(__file__).parent / "golden"
    folder.mkdir(exist_ok=True)
    for seats, number in ((game.min_seats, 1), (game.max_seats, 2)):
        lines = transcript(game, seats, options_from(game, {}), number)
        (folder / f"{game.id}-{seats}-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
