"""The balance that the rules page states, on the page and, in long campaigns, measured again."""

import re

import pytest

from bots.sdk.lab import run
from games.magecraft import GAMES

GAME = GAMES[0]
SHARE = r"(\d+\.\d) %"


def faults(page: str) -> list[str]:
    """What is out of balance in a page of the lab."""
    found = []
    for who in ("seat 1", "seat 2", "the first player"):
        won = _share(page, rf"\| wins of {who} \| {SHARE}")
        if not 46 <= won <= 54:
            found.append(f"{who} wins {won} %")
    for reason in ("life", "score"):
        if _share(page, rf"\| ended by {reason} \| {SHARE}") < 15:
            found.append(f"too few endings by {reason}")
    turns = re.search(r"\| \d+ / \d+ / (\d+)[\d.]* / \d+ / \d+ \|", page)
    if not turns or not 8 <= int(turns[1]) <= 20:
        found.append("the median match is too short or too long")
    for spell in GAME.card_set.spells:
        if spell.kind != "starter":
            learnt = _share(page, rf"\| {spell.name} \| \d+ \| {SHARE}")
            if not 3 <= learnt <= 70:
                found.append(f"{spell.name} is learnt in {learnt} %")
    return found


def _share(page: str, pattern: str) -> float:
    found = re.search(pattern, page)
    return float(found[1]) if found else -1.0


def test_the_table_of_the_rules_page_is_balanced() -> None:
    assert faults(GAME.rules.read_text(encoding="utf-8")) == []


def test_an_unbalanced_table_is_found() -> None:
    page = GAME.rules.read_text(encoding="utf-8")
    assert faults(re.sub(r"(\| fireball \| \d+ \|) [\d.]+", r"\1 70.1", page)) == ["fireball is learnt in 70.1 %"]
    assert "too few endings by life" in faults(page.replace("ended by life", "ended by lice"))


def test_the_lab_adds_the_figures_of_the_game() -> None:
    page = run("magecraft", matches=2)
    assert "evoker against scholar" in page
    assert "| wins of the first player |" in page
    assert re.search(r"\| fireball \| 2 \| [\d.]+ % \|", page)
    assert re.search(r"\| meditation \| 0 \| - \| - \| \d", page)


@pytest.mark.soak
def test_two_thousand_matches_of_the_house_bots_are_balanced() -> None:
    page = run("magecraft", matches=2_000, seed=2)
    print(f"\n{page}")
    assert faults(page) == []
