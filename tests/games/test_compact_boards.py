"""Boards in few lines: they fit a screen of any size, and what a decision needs is on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import islice

import pytest

from games.api import Game, StyledLine, View, options_from, plain_lines, to_map
from games.chance import Chance
from games.columns import text_columns
from games.registry import all_games, get_game
from games.testing.exam import random_match
from languages import speaking
from tests.helpers.toy import ToyView, ToyWords

NAMES = ("Anna-Magdalena", "Bob", "Cyrill", "Dieter", "Eve", "Flo")
EACH = 11  # of the positions of a match
ROOMS = ((79, 16), (39, 13), (70, 34))  # columns and lines of a board beside or above the log


@cache
def positions(game: Game, seats: int) -> list[View]:
    """Views of whoever has to decide, and of a spectator, all through a match."""
    views: list[View] = []
    for moment in islice(random_match(game, seats, options_from(game, {}), 3), 0, None, EACH):
        views += [moment.state.view(seat) for seat in (*sorted(moment.state.to_move())[:1], None)]
    return views


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize(("width", "height"), ROOMS)
def test_a_short_board_fits_its_room(game: Game, width: int, height: int) -> None:
    for view in positions(game, game.max_seats):
        rows = plain_lines(game.words.render_board(view, NAMES[: game.max_seats], width, height))
        assert len(rows) <= height
        assert max(map(text_columns, rows)) <= width


class Drawn(ToyWords):
    """Three drawings, of four lines, of three and of two."""

    def render_boards(self, view: View, names: Sequence[str], width: int) -> list[list[StyledLine]]:
        return [[[("", f"{lines} {row}")] for row in range(1, lines + 1)] for lines in (4, 3, 2)]


@pytest.mark.parametrize(
    ("height", "rows"),
    [
        (0, ["4 1", "4 2", "4 3", "4 4"]),
        (5, ["4 1", "4 2", "4 3", "4 4"]),
        (4, ["4 1", "4 2", "4 3", "4 4"]),
        (3, ["3 1", "3 2", "3 3"]),
        (2, ["2 1", "2 2"]),
        (1, ["2 1"]),
    ],
)
def test_a_board_is_the_first_drawing_that_fits_or_the_beginning_of_the_last(height: int, rows: list[str]) -> None:
    assert plain_lines(Drawn().render_board(ToyView(0, (), ()), NAMES, 39, height)) == rows


def on_board(game: Game, view: View, names: tuple[str, ...] = NAMES) -> str:
    return "\n".join(plain_lines(game.words.render_board(view, names, 39, 13)))


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages", "mages-110m"])
def test_the_whole_hand_and_all_players_are_on_the_smallest_board_of_four(game_id: str) -> None:
    game = get_game(game_id)
    for view in positions(game, 4):
        text = on_board(game, view)
        seen = to_map(view)
        hand = seen.get("hand", seen.get("you", {}).get("hand", ()))
        assert all(card in text for card in hand), text
        assert all(re.search(rf"[ >]{seat} {NAMES[seat - 1][:4]}", text) for seat in (1, 2, 3, 4))


def test_what_a_card_without_power_does_stands_below_the_hand_where_there_is_room() -> None:
    game = get_game("ikasamage")
    given = 'seats = 3\nphase = "cast"\nturn = 1\njudge = "lawty"\n[hands]\n1 = ["alteration", "reflection", "cure"]\n'
    view = game.build_position(given, Chance.of_number(1)).view(1)
    text = "\n".join(plain_lines(game.words.render_board(view, NAMES, 80, 13)))
    assert "\n  alteration: Move a spell from one fighter to another." in text
    assert "\n  reflection: " in text
    assert "cure: " not in text


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("width", [44, 79])
def test_no_effect_of_a_card_is_cut_on_a_board(game: Game, lang: str, width: int) -> None:
    for view in positions(game, game.max_seats):
        with speaking(lang):
            for board in game.words.render_boards(view, NAMES[: game.max_seats], width):
                assert not any(".." in row.replace("...", "") for row in plain_lines(board) if "@" not in row), board


@pytest.mark.parametrize("width", [44, 79])
def test_spells_on_fighters_have_their_numbers_on_every_board_of_a_hand_that_needs_a_target(width: int) -> None:
    game = get_game("ikasamage")
    given = (
        'seats = 4\nphase = "cast"\nturn = 1\n[hands]\n1 = ["dispel_magic", "cure"]\n'
        '[spells]\n1 = ["might", "slow", "haste", "weaken", "shrink"]\n2 = ["might", "slow", "haste", "weaken"]\n'
    )
    view = game.build_position(given, Chance.of_number(1)).view(1)
    spots = [f"{fighter}.{place} " for fighter, most in ((1, 5), (2, 4)) for place in range(1, most + 1)]
    for height in (0, 24, 22, 20, 18, 17):
        text = "\n".join(plain_lines(game.words.render_board(view, NAMES[:4], width, height)))
        assert [spot for spot in spots if spot not in text] == [], text


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
@pytest.mark.parametrize("width", [44, 79])
def test_names_that_begin_alike_are_told_apart(game: Game, width: int) -> None:
    names = ("greedy:hard", "greedy:hard-2", "greedy:easy", "greedy:very-hard", "greedy:hasty", "greedy:happy")
    for view in positions(game, game.max_seats)[:6]:
        for board in list(game.words.render_boards(view, names[: game.max_seats], width))[1 : game.words.whole]:
            text = "\n".join(plain_lines(board))
            shown = [re.search(rf"(?<![.0-9]){seat} (gr?\S*)", text) for seat in range(1, game.max_seats + 1)]
            found = [one[1] for one in shown if one is not None]
            assert len(set(found)) == len(found) == game.max_seats, (found, text)


def test_what_the_judge_refuses_is_dim_until_it_may_be_cast() -> None:
    game = get_game("ikasamage")
    given = 'seats = 3\nphase = "cast"\nturn = 1\njudge = "morla"\n[hands]\n1 = ["amnesia", "cure"]\n'

    def dim(more: str = "") -> list[str]:
        view = game.build_position(given + more, Chance.of_number(1)).view(1)
        board = list(game.words.render_boards(view, NAMES[:3], 79))[2]
        return [text for line in board for style, text in line if style == "dim"]

    assert [text.partition(" ")[0] for text in dim()] == ["amnesia", ""]
    lasting = game.build_position(
        given.replace("[hands]", 'lasting = [{card = "invisibility", by = 1}]\n[hands]'), Chance.of_number(1)
    )
    board = list(game.words.render_boards(lasting.view(1), NAMES[:3], 79))[2]
    assert [text for line in board for style, text in line if style == "dim"] == []


def test_what_the_hand_cannot_pay_is_dim_in_the_academy() -> None:
    game = get_game("magecraft")
    state = game.build_position('turn = 1\n[[mage]]\nhand = "1F 1E"\n[[mage]]\n', Chance.of_number(1))
    board = list(game.words.render_boards(state.view(1), NAMES[:2], 79))[3]
    styles = {text.partition(" (")[0]: style for line in board for style, text in line if ") x" in text}
    assert styles["Stone Skin"] == ""
    assert styles["Meteor"] == styles["Fireball"] == "dim"


@pytest.mark.parametrize("width", [62, 71, 79, 109])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_figure_of_every_mage_is_on_each_board_of_the_race(width: int, lang: str) -> None:
    game = get_game("mages-110m")
    for view in positions(game, 4):
        with speaking(lang):
            for board in map(plain_lines, game.words.render_boards(view, NAMES, width)):
                for mage in to_map(view)["mages"]:
                    cards, cvs = mage["hand_size"], len(mage["cvs"])
                    told = rf" {cards} +{cvs}$|(cards|cartes) {cards}, CVs? {cvs}\b"
                    at = next(number for number, row in enumerate(board) if re.match(rf"[ >]{mage['seat']} ", row))
                    there = board[at], " ".join(" ".join(board[at : at + 3]).split())
                    assert any(re.search(told, text) for text in there), (told, board)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_the_hand_alone_is_a_part_of_the_board_and_spectators_have_none(game: Game) -> None:
    for moment in islice(random_match(game, game.max_seats, options_from(game, {}), 1), 0, 60, 6):
        names = NAMES[: game.max_seats]
        for seat in sorted(moment.state.to_move()):
            view = moment.state.view(seat)
            hand = plain_lines(game.words.render_hand(view, names, 80))
            assert hand
            assert set(hand) <= set(plain_lines(game.words.render_board(view, names, 80)))
        assert game.words.render_hand(moment.state.view(None), names, 80) == []
