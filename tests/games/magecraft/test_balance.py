"""The balance that the rules page states, on the page and, in long campaigns, measured again."""

import re

import pytest

from bots.sdk.lab import make_plan, measure
from games.magecraft import GAMES

GAME = GAMES[0]
LEAST, MOST = 0.7, 1.4  # of the fair share: characters, and the learners of each spell
NEAR = 3.0  # points: seats
CHARACTERS = [person.name for person in GAME.card_set.characters]
SPELLS = [spell.name for spell in GAME.card_set.spells if spell.kind != "starter"]


def faults(page: str) -> list[str]:
    """What is out of balance in the tables of a rules page."""
    found = []
    for label in (*CHARACTERS, *SPELLS):
        shares = _row(page, label)
        if len(shares) != 3:
            found.append(f"{label} is not measured with 2, 3 and 4 mages")
        found += [f"{label} wins {share} of fair" for _, share in shares if not LEAST <= share <= MOST]
    seats = page.partition("| seat ")[2].partition("\n\n")[0]
    for seat in (1, 2, 3, 4):
        shares = _row(seats, str(seat))
        for mages, (won, _) in zip((2, 3, 4)[3 - len(shares) :], shares, strict=True):
            if abs(won - 100 / mages) > NEAR:
                found.append(f"seat {seat} of {mages} wins {won} %")
    return found


def _row(page: str, label: str) -> list[tuple[float, float]]:
    """The shares of a row, in percent and as multiples of the fair share."""
    row = re.search(rf"^\| {label} +\|(.* % .*)$", page, re.MULTILINE)
    cells = re.findall(r"([\d.]+) % \(([\d.]+)\)", row[1] if row else "")
    return [(float(share), float(fair)) for share, fair in cells]


def test_the_tables_of_the_rules_page_are_balanced() -> None:
    assert faults(GAME.rules.read_text(encoding="utf-8")) == []


def test_an_unbalanced_table_is_found() -> None:
    page = GAME.rules.read_text(encoding="utf-8")
    spoilt = re.sub(r"^(\| golem .*)\([\d.]+\) \|$", r"\1(1.41) |", page, flags=re.MULTILINE)
    assert faults(spoilt) == ["golem wins 1.41 of fair"]
    spoilt = re.sub(r"^(\| sylph .*\|) .* \|$", r"\1 - |", page, flags=re.MULTILINE)
    assert faults(spoilt) == ["sylph is not measured with 2, 3 and 4 mages"]
    head, seat, rest = page.partition("| seat ")
    rest = re.sub(
        r"^(\| 1 +\|).* % \(", r"\1 1.0 % (1.00) | 33.0 % (1.00) | 99.9 % (", rest, count=1, flags=re.MULTILINE
    )
    assert faults(head + seat + rest) == ["seat 1 of 2 wins 1.0 %", "seat 1 of 4 wins 99.9 %"]


def test_the_lab_adds_the_figures_of_the_game() -> None:
    report = measure(make_plan(GAME, deals=1))
    assert report.bots == ("evoker", "scholar")
    assert report.shares["learnt by anybody"]["fireball"].of == 2
    assert report.wins["cast"]["meditation"].of > 0
    assert set(report.wins["turn order"]) == {"1", "2"}
    assert {label for label in report.lengths if "spells" in label} == {"spells learnt", "spells cast"}
    assert report.lengths["spells cast"].mean > report.lengths["spells learnt"].mean > 0


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_deals_of_the_house_bot_are_balanced(seats: int) -> None:
    """Out of balance is what is so beyond chance."""
    report = measure(make_plan(GAME, ["evoker"], seats, deals=1_000, seed=2, once=True), jobs=2)
    for heading in ("character", "learnt"):
        for label, share in report.wins[heading].items():
            assert share.low is not None
            assert share.high is not None
            assert share.high * seats >= LEAST, label
            assert share.low * seats <= MOST, label
