"""The rules pages say what is so: every rule has a test, every card stands in the tables."""

from pathlib import Path

import pytest

from games.cheaty_mages.cards import judge_text
from games.cheaty_mages.deck import get_deck
from games.registry import get_game
from tests.games.numbered import named_in, rules_of, untested

HERE = Path(__file__).parent
PAGES = {game: get_game(game).rules for game in ("ikasamage", "cheaty-mages")}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_numbered_rule_is_named_by_a_test(page: Path) -> None:
    assert len(rules_of(page)) > 15
    assert untested(page, HERE) == []


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    known = {rule for page in PAGES.values() for rule in rules_of(page)}
    assert named_in(HERE) - known == set()


def test_an_untested_rule_would_be_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("- **1.1** One.\n- **1.2** Two.\n- **C3.4** Three.\n", encoding="utf-8")
    (tmp_path / "test_x.py").write_text('def test_a():\n    """Rules 1.1, C3.4."""\n', encoding="utf-8")
    assert untested(page, tmp_path) == ["1.2"]


def test_the_tables_of_the_page_are_those_of_the_cards() -> None:
    text = PAGES["ikasamage"].read_text(encoding="utf-8")
    cards = get_deck("ikasamage")
    for spell in cards.spells:
        kind = spell.kind.capitalize() + " Forbidden" * spell.forbidden
        mana = spell.mana if spell.kind != "support" else "-"
        power = f"{spell.power:+d}" if spell.power else "-"
        effect = "-" if spell.power else spell.text
        assert f"| {spell.title} | {spell.count} | {kind} | {mana} | {power} | {effect} |\n" in text
    for fighter in cards.fighters:
        ability = "undead" if fighter.undead else "-"
        assert f"| {fighter.title} | {fighter.power} | {fighter.prize} | {ability} |\n" in text
    for judge in cards.judges:
        assert f"| {judge.title} | {judge_text(judge)} |\n" in text


def test_the_page_of_2013_lists_every_card_that_differs() -> None:
    text = PAGES["cheaty-mages"].read_text(encoding="utf-8")
    before = {spell.name: spell for spell in get_deck("ikasamage").spells}
    rows = []
    for spell in get_deck("cheaty-mages").spells:
        if before.get(spell.name) != spell:
            kind = spell.kind.capitalize() + " Forbidden" * spell.forbidden
            kind += f", Enduring / {spell.enduring}" if spell.enduring else ""
            rows.append(f"| {spell.title} | {spell.count} | {kind} | {spell.text} |")
    assert len(rows) == 5
    assert text.endswith("\n".join(rows) + "\n")
