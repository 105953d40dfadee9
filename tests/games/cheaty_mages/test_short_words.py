"""Few words on a short board are sentences of their own, in a language where none is a piece of another."""

from __future__ import annotations

import re

import pytest

from games.api import options_from, plain
from games.cheaty_mages import cards, short
from games.cheaty_mages.deck import deck
from games.exam import random_match
from games.registry import get_game

NAMES = ("Ann", "Bob", "Cy", "Dan", "Eve", "Flo")


def foreign(text: str, **fields: object) -> str:
    """The sentence in a language with other marks around each."""
    return f"<{text.format(**fields)}>"


@pytest.fixture(autouse=True)
def other_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (cards, short):
        monkeypatch.setattr(module, "_", foreign)


def test_few_words_say_what_each_judge_does() -> None:
    for judge in deck("ikasamage").judges:
        long, few = cards.judge_text(judge), cards.judge_text(judge, short=True)
        assert re.findall(r"\d+", few) == re.findall(r"\d+", long)
        assert not re.search(r"spells|above \d+ mana|at the judgement", few, re.IGNORECASE)


def test_a_fighter_s_limit_and_who_has_passed_are_said_in_a_sign_and_a_letter() -> None:
    game = get_game("ikasamage")
    rows = set[str]()
    for moment in random_match(game, 6, options_from(game, {}), 3):
        view = moment.state.view(None)
        rows |= set(plain(short.draw_short(deck("ikasamage"), view, NAMES, 59, 0)))  # type: ignore[arg-type]
        rows |= set(plain(short.draw_short(deck("ikasamage"), view, NAMES, 59, -1)))  # type: ignore[arg-type]
    fighters = [row for row in rows if re.match(r"[1-5] <", row)]
    assert any(re.search(r" m\d+\?*/1\d \$\d", row) for row in fighters)
    assert not any(" of " in row for row in fighters)
    assert any("<p>" in row for row in rows)
