"""All hands open: what stands under a seat's head is what that seat alone sees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from games.api import Game, StyledLine, View, options_from, plain_lines
from games.open_hands import draw_open_hands, seat_only_lines
from games.registry import all_games
from games.testing.exam import random_match
from tests.helpers.toy import ToyView, ToyWords

NAMES = ("Anna-Magdalena", "Bob", "Cyrill", "Dieter", "Eve", "Flo")
HEADS = [f"Only {name} sees:" for name in NAMES]


EVERY_GAME = pytest.mark.parametrize("game", all_games().values(), ids=all_games())
OFTEN = pytest.mark.parametrize("looks", [8, pytest.param(200, marks=pytest.mark.soak)])


def seen(game: Game, looks: int) -> Iterator[tuple[View, list[View]]]:
    """What everybody and what each seat sees, so many times in a match."""
    seats = range(1, game.max_seats + 1)
    match = random_match(game, game.max_seats, options_from(game, {}), 3)
    found = [(moment.state.view(None), [moment.state.view(seat) for seat in seats]) for moment in match]
    yield from found[:: max(1, len(found) // looks)]


@EVERY_GAME
@OFTEN
def test_no_line_that_only_one_seat_sees_is_on_a_public_board(game: Game, looks: int) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    for public, views in seen(game, looks):
        for width in (79, 39):
            known = {row for board in game.words.render_boards(public, names, width - 2) for row in plain_lines(board)}
            for short in (False, True):
                hidden = plain_lines(
                    seat_only_lines(game.words, public, views, names, HEADS[:seats], width, short=short)
                )
                assert [row for row in hidden if row[2:] in known] == []


@EVERY_GAME
@OFTEN
def test_in_few_lines_all_seats_are_drawn_alike(game: Game, looks: int) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    for public, views in seen(game, looks):
        hidden = plain_lines(seat_only_lines(game.words, public, views, names, HEADS[:seats], 79, short=True))
        own = {row[2:] for row in hidden} - {head[2:] for head in HEADS}
        drawings = [[set(plain_lines(board)) for board in game.words.render_boards(view, names, 77)] for view in views]
        assert any(own <= set.union(*alike) for alike in zip(*drawings, strict=True))


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_however_little_room_there_is_no_row_of_what_all_see_is_lost(game: Game) -> None:
    seats, names = game.max_seats, NAMES[: game.max_seats]
    moment = list(random_match(game, seats, options_from(game, {}), 3))[20]
    public, views = moment.state.view(None), [moment.state.view(seat) for seat in range(1, seats + 1)]
    drawn = plain_lines(draw_open_hands(game.words, public, views, names, HEADS[:seats], 40, 12))
    assert any(drawn[: len(board)] == plain_lines(board) for board in game.words.render_boards(public, names, 40))


class Drawn(ToyWords):
    """A public board has four rows, or two; with a hand there are four more, or one."""

    def render_boards(self, view: View, names: Sequence[str], width: int) -> list[list[StyledLine]]:
        assert isinstance(view, ToyView)
        hand = " ".join(map(str, view.hand))
        own = [[f"{hand} {part}" for part in "abcd"], [f"{hand} all"]] if hand else [[], []]
        return [[[("", row)] for row in (*rows, *more)] for rows, more in zip(("1234", "12"), own, strict=True)]


PUBLIC, OWN = ToyView(0, (), ()), (ToyView(1, (), (), (5,)), ToyView(2, (), (), (6,)))
IN_FULL = ["Ann:", "  5 a", "  5 b", "  5 c", "  5 d", "Bob:", "  6 a", "  6 b", "  6 c", "  6 d"]
IN_SHORT = ["Ann:", "  5 all", "Bob:", "  6 all"]


@pytest.mark.parametrize(
    ("height", "rows"),
    [
        (0, [*"1234", *IN_FULL]),
        (20, [*"1234", *IN_SHORT]),
        (8, [*"1234", *IN_SHORT]),
        (7, [*"12", *IN_SHORT]),
        (6, [*"12", *IN_SHORT]),
        (1, [*"12", *IN_SHORT]),
    ],
)
def test_a_table_with_all_hands_is_drawn_in_full_or_in_about_so_many_lines(height: int, rows: list[str]) -> None:
    assert plain_lines(draw_open_hands(Drawn(), PUBLIC, OWN, ["Ann", "Bob"], ["Ann:", "Bob:"], 40, height)) == rows


def test_hands_are_in_full_unless_a_height_is_given() -> None:
    assert plain_lines(draw_open_hands(Drawn(), PUBLIC, OWN, ["Ann", "Bob"], ["Ann:", "Bob:"], 40)) == [
        *"1234",
        *IN_FULL,
    ]
