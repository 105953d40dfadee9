"""Every game in French: whole matches, the boards, and lines that are typed as they are shown."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest

from games.api import Game, State, plain_lines
from games.chance import Chance
from games.columns import text_columns
from games.pages import translated_page_path
from games.registry import all_games
from games.spelling import read_typed_line, typed_action_text
from languages import speaking
from tests.helpers.catalogues import english_words, folder_of, words
from tests.helpers.variants import OURS

NAMES = ("Ann", "Bob", "Éloïse", "Dan", "Eve", "Fay")
FRENCH = {name: game for name, game in all_games().items() if (folder_of(game) / "fr.po").exists()}
GAMES = pytest.mark.parametrize("game", FRENCH.values(), ids=FRENCH)
WIDTHS = (39, 80, 120)
STEPS = 150
FRENCH_TOO = {"pile", "to", "so"}  # words of English sentences that French has as well, if only in a title that is cut


def test_all_games_here_speak_french() -> None:
    """A game from elsewhere may speak English alone."""
    assert not {game.id for game in OURS} - {*FRENCH}


def moments(game: Game, seats: int) -> Iterator[State]:
    """A match of random decisions, before each of them; it is the same each time."""
    rng = random.Random(seats)
    state, _ = game.start(seats, game.options_type(), Chance.of_number(seats))
    for _ in range(STEPS):
        if not state.to_move():
            return
        yield state
        seat = min(state.to_move())
        state.apply(seat, rng.choice(state.legal_actions(seat)))


def lines_of(game: Game, name: str, most: int) -> list[str]:
    """All that is said in a match of random decisions, in that language, or about so many lines."""
    rng, said = random.Random(1), []
    names = NAMES[: game.max_seats]
    with speaking(name):
        state, told = game.start(len(names), game.options_type(), Chance.of_number(1))
        said += [game.words.event_sentence(one.event, names) for one in told]
        while state.to_move() and len(said) < most:
            seat = min(state.to_move())
            view, legal = state.view(seat), state.legal_actions(seat)
            action = rng.choice(legal)
            said += [
                game.words.decision_prompt(view, legal),
                typed_action_text(game.words, action),
                game.words.preview_action(view, action, names),
            ]
            said += [game.words.event_sentence(one.event, names) for one in state.apply(seat, action)]
            said += game.words.explain_scoring(state.view(None), names)
            if len(said) % 7 == 0:
                for board in (*game.words.render_boards(view, names, 80), game.words.render_board(view, names, 45, 20)):
                    said += plain_lines(board)
        said += [card.text for card in game.cards()] + [card.heading for card in game.cards()]
    return [line for line in said if any(letter.isalpha() for letter in line)]


@GAMES
def test_no_word_of_a_match_in_french_is_left_in_english(game: Game) -> None:
    english = english_words(folder_of(game)) - FRENCH_TOO
    assert english & words(" ".join(lines_of(game, "en", 300)))
    lines = lines_of(game, "fr", 3_000)
    assert len(lines) > 100
    assert not [line for line in lines if english & words(line)]
    assert not [line for line in lines if UNSPACED.search(line)]


@GAMES
def test_boards_in_french_fit_every_width(game: Game) -> None:
    for seats in (game.min_seats, game.max_seats):
        for state in list(moments(game, seats))[::20]:
            for seat in (None, *state.to_move()):
                for width in WIDTHS:
                    for height in (0, 20):
                        with speaking("fr"):
                            lines = plain_lines(game.words.render_board(state.view(seat), NAMES[:seats], width, height))
                        assert all(text_columns(line) <= width for line in lines)
                        assert not height or len(lines) <= height


@GAMES
def test_what_is_shown_in_french_can_be_typed(game: Game) -> None:
    tried = set()
    for state in islice(moments(game, game.max_seats), 0, None, 2):
        seat = min(state.to_move())
        view, legal = state.view(seat), state.legal_actions(seat)
        for action in legal:
            with speaking("fr"):
                line = typed_action_text(game.words, action)
                if line not in tried:
                    assert read_typed_line(game, line, view, legal, NAMES)[0] == action, line
            tried.add(line)
    assert len(tried) > min(50, len(game.all_actions(game.max_seats, game.options_type())) // 2)


UNSPACED = re.compile(r"[^\W_][:;] |[^\W\d_][!?]( |$)")  # a space that does not break belongs before these signs
RULE = re.compile(r"^- \*\*([A-Z]?[0-9.]+)\*\*", re.MULTILINE)
UNREAD = re.compile(r"^## (Describing|Chance|The card file|The cards|Balance|Cards)", re.MULTILINE)  # for authors


@GAMES
def test_the_rules_in_french_have_every_rule(game: Game) -> None:
    with speaking("fr"):
        french = translated_page_path(game.rules).read_text(encoding="utf-8")
    english = UNREAD.split(translated_page_path(game.rules).read_text(encoding="utf-8"))[0]
    assert translated_page_path(game.rules) == game.rules
    assert RULE.findall(french) == RULE.findall(english)
    assert RULE.findall(french)
