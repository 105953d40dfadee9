"""The balance that the rules page states, on the page and, in long campaigns, measured again."""

import re

import pytest

from bots.sdk.lab import measure, page, plan_of
from games.magecraft import GAMES

GAME = GAMES[0]


def faults(text: str) -> list[str]:
    """What is out of balance in a page of the lab."""
    found = []
    for heading in ("seat", "turn order"):
        table = text.partition(f"wins by {heading} ")[2]
        for place in (1, 2):
            won = _share(table, str(place))
            if not 46 <= won <= 54:
                found.append(f"{heading} {place} wins {won} %")
    for reason in ("life", "score"):
        if _share(text, f"ended by {reason}") < 15:
            found.append(f"too few endings by {reason}")
    rounds = re.search(r"\| rounds +\|[^|]*\|[^|]*\| +(\d+)", text)
    if not rounds or not 8 <= int(rounds[1]) <= 20:
        found.append("the median match is too short or too long")
    table = text.partition("| learnt by anybody")[2]
    for spell in GAME.card_set.spells:
        if spell.kind != "starter":
            learnt = _share(table, spell.name)
            if not 3 <= learnt <= 70:
                found.append(f"{spell.name} is learnt in {learnt} %")
    return found


def _share(text: str, label: str) -> float:
    found = re.search(rf"\| {label} +\| +\d+ \| +([\d.]+) %", text)
    return float(found[1]) if found else -1.0


def test_the_table_of_the_rules_page_is_balanced() -> None:
    assert faults(GAME.rules.read_text(encoding="utf-8")) == []


def test_an_unbalanced_table_is_found() -> None:
    text = GAME.rules.read_text(encoding="utf-8")
    before, head, table = text.partition("| learnt by anybody")
    spoilt = re.sub(r"(\| fireball +\| +\d+ \|) +[\d.]+", r"\1 70.1", table)
    assert faults(before + head + spoilt) == ["fireball is learnt in 70.1 %"]
    assert "too few endings by life" in faults(text.replace("ended by life", "ended by lice"))
    assert "seat 1 wins -1.0 %" in faults(text.replace("wins by seat", "wins by seal"))


def test_the_lab_adds_the_figures_of_the_game() -> None:
    report = measure(plan_of(GAME, deals=1))
    assert report.bots == ("evoker", "scholar")
    assert report.shares["learnt by anybody"]["fireball"].of == 2
    assert report.wins["cast"]["meditation"].of > 0


@pytest.mark.soak
def test_a_thousand_deals_of_the_house_bots_are_balanced() -> None:
    text = page(GAME, measure(plan_of(GAME, deals=1_000, seed=2), jobs=2))
    print(f"\n{text}")
    assert faults(text) == []
