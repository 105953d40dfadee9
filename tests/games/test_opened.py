"""All hands open: what stands under a seat's head is what that seat alone sees."""

from __future__ import annotations

import pytest

from games.api import Game, options_from, plain
from games.exam import random_match
from games.opened import hidden_lines, open_board
from games.registry import all_games

NAMES = ("Anna-Magdalena", "Bob", "Cyrill", "Dieter", "Eve", "Flo")
HEADS = [f"Only {name} sees:" for name in NAMES]


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize("width", [79, 39])
def test_no_line_that_only_one_seat_sees_is_on_a_public_board(game: Game, short: bool, width: int) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 3)):
        if number % 9:
            continue
        public, views = moment.state.view(None), [moment.state.view(seat) for seat in range(1, seats + 1)]
        known = {row for board in game.words.boards(public, names, width - 2) for row in plain(board)}
        hidden = plain(hidden_lines(game.words, public, views, names, HEADS[:seats], width, short=short))
        assert [row for row in hidden if row[2:] in known] == []


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_in_few_lines_all_seats_are_drawn_alike(game: Game) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    for number, moment in enumerate(random_match(game, seats, options_from(game, {}), 3)):
        if number % 9:
            continue
        public, views = moment.state.view(None), [moment.state.view(seat) for seat in range(1, seats + 1)]
        hidden = plain(hidden_lines(game.words, public, views, names, HEADS[:seats], 79, short=True))
        own = {row[2:] for row in hidden} - {head[2:] for head in HEADS}
        drawings = [[set(plain(board)) for board in game.words.boards(view, names, 77)] for view in views]
        assert any(own <= set.union(*alike) for alike in zip(*drawings, strict=True))


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_however_little_room_there_is_no_row_of_what_all_see_is_lost(game: Game) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    moment = list(random_match(game, seats, options_from(game, {}), 3))[20]
    public, views = moment.state.view(None), [moment.state.view(seat) for seat in range(1, seats + 1)]
    drawn = plain(open_board(game.words, public, views, names, HEADS[:seats], 40, 12))
    assert any(drawn[: len(board)] == plain(board) for board in game.words.boards(public, names, 40))
