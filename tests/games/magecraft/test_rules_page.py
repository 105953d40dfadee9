"""The rules page, its numbers and its tables."""

from pathlib import Path

from games.chance import Chance
from games.magecraft import GAMES
from games.magecraft.cards import ICONS
from games.magecraft.moves import Cast
from tests.games.numbered import rules_of, untested

GAME = GAMES[0]


def test_every_numbered_rule_has_a_test() -> None:
    assert len(rules_of(GAME.rules)) > 30
    assert untested(GAME.rules, Path(__file__).parent) == []


def test_the_card_table_of_the_page_is_that_of_the_card_file() -> None:
    """Rule 9.1."""
    page = GAME.rules.read_text(encoding="utf-8")
    cards = GAME.card_set
    for spell in cards.spells:
        assert f"| {spell.title} | `{spell.name}` | {spell.kind} | {spell.cost_text} | {spell.effect_text} |" in page
    for person in cards.characters:
        innate = person.innate
        assert f"| {person.title} | {innate.title} | {innate.cost_text} | {innate.effect_text} |" in page


def test_the_position_of_the_page_can_be_played() -> None:
    page = GAME.rules.read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    state = GAME.build_position(example, Chance.of_number(1))
    assert state.to_move() == {2}
    assert Cast(1) in state.legal_actions(2)


def test_there_are_twenty_five_spells_and_four_characters() -> None:
    """Rule 9.1."""
    kinds = [spell.kind for spell in GAME.card_set.spells]
    assert [kinds.count(kind) for kind in ("starter", "base", "academy")] == [3, 3, 19]
    assert len(GAME.card_set.characters) == 4
    named = {spell.title for spell in GAME.card_set.spells if spell.kind != "academy"}
    assert named == {"Meditation", "Magic Missile", "Magic Tricks", "Minor Cure", "Absorb", "Fireball"}
    used = [sum(spell.icons[icon] for spell in GAME.card_set.spells) for icon in range(len(ICONS))]
    assert all(used)
