"""Boards on the pages of browsers: they show what the text board shows, and nothing that players write is HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from games.api import Game, View, options_from, plain_lines
from games.chance import Chance
from games.registry import all_games, get_game
from games.testing.exam import random_match
from languages import speaking
from matches.turn import Turn
from people.choices import Choice, action_choices
from people.table import PersonTable
from server.web.boards import render_board
from tests.helpers.toy import TOY

NAMES = ("Anna-Magdalena", "Bob", "Cyrill", "Dieter", "Eve", "Flo")
EACH = 7  # of the positions of a match
EVERY_GAME = pytest.mark.parametrize("game", all_games().values(), ids=all_games())


def table_of(game: Game, view: View, names: Sequence[str], before: View | None = None) -> PersonTable:
    """A table with that view."""
    table = PersonTable("t1", game, 1, len(names), {}, list(names))
    table.view, table.before = view, before
    return table


def words_of(drawn: str) -> set[str]:
    """The words and numbers of a page that a person can read."""
    return set(re.findall(r"[\w+-]*\w", html.unescape(re.sub(r"<[^>]*>", " ", drawn))))


@cache
def positions(game: Game, seats: int) -> list[tuple[View, list[Choice]]]:
    """Views of whoever has to decide with their choices, and of a spectator, all through a match."""
    found: list[tuple[View, list[Choice]]] = []
    for moment in islice(random_match(game, seats, options_from(game, {}), 5), 0, None, EACH):
        state = moment.state
        for seat in sorted(state.to_move())[:1]:
            view = state.view(seat)
            found.append((view, action_choices(Turn(game, seat, view, state.legal_actions(seat)), NAMES[:seats])))
        found.append((state.view(None), []))
    return found


def left_out(game: Game) -> set[str]:
    """What the text board has and cards need not: the names of cards as they are typed, costs in one word, ..."""
    typed = {card.name for card in game.cards()}
    return typed | {"for", "yours", "à", "toi"}


@EVERY_GAME
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_word_of_the_text_board_stands_on_the_page(game: Game, lang: str) -> None:
    with speaking(lang):
        letters = re.compile(r"[A-Z]{2,8}\+?")
        for view, choices in positions(game, game.max_seats):
            names = NAMES[: game.max_seats]
            drawn = render_board(table_of(game, view, names), choices)
            assert drawn is not None
            wanted = set(re.findall(r"\w+", "\n".join(plain_lines(game.words.render_board(view, names, 120)))))
            missing = wanted - {part for word in words_of(drawn) for part in re.findall(r"\w+", word)}
            missing = {word for word in missing if not letters.fullmatch(word)} - left_out(game)
            assert not missing, drawn


@EVERY_GAME
def test_every_card_of_a_choice_can_be_tapped(game: Game) -> None:
    for view, choices in positions(game, game.max_seats):
        drawn = render_board(table_of(game, view, NAMES[: game.max_seats]), choices)
        assert drawn is not None
        cards = {f"card={one.action['card']}" for one in choices if one.action and "card" in one.action}
        assert cards <= set(re.findall(r'data-for="(card=\w+)"', drawn))
        assert choices or "data-for" not in drawn


@EVERY_GAME
def test_c31_names_of_players_are_text_on_a_board(game: Game) -> None:
    hostile = ['<img src=x onerror="alert(1)">', "'\"><script>", "{{ names }}", "&lt;b&gt;", "</section>", "%s"]
    for view, choices in positions(game, game.max_seats)[:6]:
        drawn = render_board(table_of(game, view, hostile[: game.max_seats], view), choices)
        assert drawn is not None
        assert "<img" not in drawn
        assert "<script" not in drawn
        assert drawn.count("<section") == drawn.count("</section")
        assert "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;" in drawn


@EVERY_GAME
def test_a_board_has_no_inline_style_script_or_foreign_resource(game: Game) -> None:
    for view, choices in positions(game, game.max_seats):
        drawn = render_board(table_of(game, view, NAMES[: game.max_seats]), choices) or ""
        assert not re.search(r"<(script|style|img|link|iframe)|\son\w+=|style=|https?:", drawn)


def test_a_game_without_a_template_has_no_board_of_cards() -> None:
    assert TOY.page_template is None
    assert TOY.page_style is None
    state, _told = TOY.start(2, options_from(TOY, {}), Chance.of_number(1))
    assert render_board(table_of(TOY, state.view(1), ("ann", "bob")), []) is None


def test_what_changed_since_the_last_decision_is_marked() -> None:
    game = get_game("ikasamage")
    views = [view for view, _choices in positions(game, 3)]
    before, now = views[0], views[-2]
    assert ' new"' in (render_board(table_of(game, now, NAMES[:3], before), []) or "")
    assert ' new"' not in (render_board(table_of(game, now, NAMES[:3], now), []) or "")
    assert ' new"' not in (render_board(table_of(game, now, NAMES[:3]), []) or "")


def test_a_board_is_drawn_again_for_other_choices_names_languages_and_views() -> None:
    game = get_game("ikasamage")
    (view, choices), (other, _none) = positions(game, 3)[:2]
    first = render_board(table_of(game, view, NAMES[:3]), choices)
    assert render_board(table_of(game, view, NAMES[:3]), choices) == first
    again = [
        render_board(table_of(game, view, NAMES[:3]), []),
        render_board(table_of(game, view, NAMES[3:6]), choices),
        render_board(table_of(game, other, NAMES[:3]), choices),
    ]
    with speaking("fr"):
        again.append(render_board(table_of(game, view, NAMES[:3]), choices))
    assert len({first, *again}) == 5
    assert render_board(table_of(game, view, NAMES[:3]), choices) == first


def test_a_hidden_spell_has_no_name_on_the_page_of_another_seat() -> None:
    game = get_game("ikasamage")
    given = 'seats = 3\nphase = "cast"\nturn = 1\n[spells]\n2 = [{card = "haste", by = 2, face_down = true}]\n'
    state = game.build_position(given, Chance.of_number(1))
    for seat, shows in ((1, False), (2, True), (None, False)):
        drawn = render_board(table_of(game, state.view(seat), NAMES[:3]), []) or ""
        on_fighter = re.findall(r"2\.1 ([^<]*)<", drawn)
        assert on_fighter == ["Haste" if shows else "face down"]


def folders() -> Iterator[Path]:
    for game in all_games().values():
        yield game.rules.parent


def test_each_style_sheet_only_styles_its_own_board() -> None:
    for folder in set(folders()):
        template, style = (folder / "page.html").read_text("utf-8"), (folder / "page.css").read_text("utf-8")
        found = re.search(r'^<div class="(\w+)">$', template, re.M)
        assert found
        selectors = [one.strip() for line in re.findall(r"([^{}]+)\{(?!\s*\n?\s*\.)", style) for one in line.split(",")]
        assert all(one.startswith((f".{found[1]} ", "@media")) for one in selectors if one), selectors
