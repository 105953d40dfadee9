"""Writes a game's golden matches and golden words anew: `python -m tests.games.golden GAME`. Read the difference before
you commit."""

import sys
from collections.abc import Iterator
from pathlib import Path

from games.api import Game, State, options_from, plain
from games.exam import random_match
from games.registry import get_game
from games.transcript import transcript

MATCHES = 8
NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")


def words(game: Game) -> Iterator[str]:
    """What people read of some random matches: one sentence for each kind of event, then boards and questions."""
    told = set()
    for number in range(MATCHES):
        for moment in random_match(game, game.min_seats, options_from(game, {}), number):
            for one in moment.told:
                fields = tuple(map(bool, (getattr(one.event, name) for name in one.event.__struct_fields__)))
                if (type(one.event), fields) not in told:
                    told.add((type(one.event), fields))
                    yield game.words.tell(one.event, NAMES)
    states = [moment.state.clone() for moment in random_match(game, game.min_seats, options_from(game, {}), MATCHES)]
    for at in (0, len(states) // 3, len(states) // 2, len(states) - 1):
        yield from _boards(game, states[at])


def _boards(game: Game, state: State) -> Iterator[str]:
    for seat, width in ((1, 40), (2, 80), (None, 60)):
        yield f"-- {seat or 'spectator'}, {width} columns"
        yield from plain(game.words.board(state.view(seat), NAMES, width))
    for seat in sorted(state.to_move()):
        yield f"-- {seat}: {game.words.ask(state.view(seat), state.legal_actions(seat))}"


if __name__ == "__main__":
    game = get_game(sys.argv[1])
    folder = Path(__file__).parent / "golden"
    (folder / "words").mkdir(parents=True, exist_ok=True)
    for seats, number in ((game.min_seats, 1), (game.max_seats, 2)):
        lines = transcript(game, seats, options_from(game, {}), number)
        (folder / f"{game.id}-{seats}-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "words" / f"{game.id}.txt").write_text("\n".join(words(game)) + "\n", encoding="utf-8")
