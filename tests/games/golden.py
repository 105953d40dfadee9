"""Writes a game's golden matches and golden words anew: `python -m tests.games.golden GAME`. Read the difference before
you commit."""

import sys
from collections.abc import Iterator
from pathlib import Path

from games.api import Game, Seat, State, options_from, plain
from games.exam import random_match
from games.registry import get_game
from games.transcript import transcript

MATCHES = 8
NAMES = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo")


def words(game: Game) -> Iterator[str]:
    """What people read of some random matches: a sentence for each kind of event, boards for each kind of question and
    for the end."""
    told, asked = set(), set()
    for number in range(MATCHES):
        for moment in random_match(game, game.min_seats, options_from(game, {}), number):
            for one in moment.told:
                fields = tuple(map(bool, (getattr(one.event, name) for name in one.event.__struct_fields__)))
                if (type(one.event), fields) not in told:
                    told.add((type(one.event), fields))
                    yield game.words.tell(one.event, NAMES)
            for seat in sorted(moment.state.to_move()):
                legal = moment.state.legal_actions(seat)
                if type(legal[0]) not in asked:
                    asked.add(type(legal[0]))
                    yield f"-- {seat}: {game.words.ask(moment.state.view(seat), legal)}"
                    yield from _boards(game, moment.state, seat)
        if number == 0:
            yield from _boards(game, moment.state, 1)


def _boards(game: Game, state: State, seat: Seat) -> Iterator[str]:
    for observer, width in ((seat, 40), (seat, 80), (None, 60)):
        yield f"-- {observer or 'spectator'}, {width} columns"
        yield from plain(game.words.board(state.view(observer), NAMES, width))


if __name__ == "__main__":
    game = get_game(sys.argv[1])
    folder = Path(__file__).parent / "golden"
    (folder / "words").mkdir(parents=True, exist_ok=True)
    for seats, number in ((game.min_seats, 1), (game.max_seats, 2)):
        lines = transcript(game, seats, options_from(game, {}), number)
        (folder / f"{game.id}-{seats}-{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "words" / f"{game.id}.txt").write_text("\n".join(words(game)) + "\n", encoding="utf-8")
