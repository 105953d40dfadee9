"""The card file is checked when it is read."""

from pathlib import Path

import pytest

from games import cheaty_mages
from games.cheaty_mages.cards import read_edition
from games.registry import get_game

TEXT = (Path(cheaty_mages.__file__).parent / "cards.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("count = 4", "count = 5", "72 spell cards"),
        ('name = "orc"', 'name = "goblin"', "two cards have one name"),
        ("power = 9\nprize = 3", "power = 10\nprize = 3", "two fighters of one power"),
        ('refuses = ["direct"]', 'refuses = ["dreict"]', "refuses what does not exist"),
        ('kind = "direct"', 'kind = "drect"', "drect"),
        ("mana = 0\n", "manna = 0\n", "manna"),
        ("support = { limit = 5", "dirt = { limit = 5", "dirt"),
        ("[edition.cheaty-mages.spells.duplicate]", "[edition.cheaty-mages.spells.dupe]", "dupe"),
    ],
)
def test_a_wrong_card_file_is_refused(before: str, after: str, reason: str) -> None:
    assert before in TEXT
    with pytest.raises(ValueError, match=reason):
        read_edition(TEXT.replace(before, after, 1), "cheaty-mages")


def test_the_card_file_as_it_is_can_be_read() -> None:
    for edition in ("ikasamage", "cheaty-mages"):
        assert read_edition(TEXT, edition).id == edition


def test_a_judge_may_refuse_everything() -> None:
    text = TEXT.replace('refuses = ["direct"]', 'refuses = ["direct", "enchant", "support", "forbidden"]', 1)
    assert any(len(judge.refuses) == 4 for judge in read_edition(text, "cheaty-mages").judges)


def test_cards_are_looked_up_with_their_facts() -> None:
    cards = {card.name: card for card in get_game("ikasamage").cards()}
    assert len(cards) == 36 + 10 + 8
    assert cards["giant_growth"].facts == {"mana": 10, "power": 12, "forbidden": "yes"}
    assert cards["skeleton"].facts == {"power": 3, "prize": 7}
    assert cards["lester"].facts == {"limit": 15, "judgement": "eject"}
    assert "4 mana or less" in cards["lester"].text
    later = {card.name: card for card in get_game("cheaty-mages").cards()}
    assert later["confusion"].facts == {"enduring": "judge"}


def test_one_spell_alone_goes_through_reflection() -> None:
    assert [spell.name for spell in read_edition(TEXT, "ikasamage").spells if spell.through_reflection] == [
        "anti_magic_field"
    ]
    assert not any(spell.through_reflection for spell in read_edition(TEXT, "cheaty-mages").spells)
