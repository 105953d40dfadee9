"""Hands of gems as bots reckon with them."""

from __future__ import annotations

import pytest

from games.magecraft.cards import read_cards
from games.magecraft.gems import least_wanted_gem, pay_spell, wanted_gems
from games.magecraft.moves import GEMS
from tests.games.magecraft.given import CARDS, gems

SET = read_cards(CARDS)


def copies(text: str) -> list[int]:
    """A book of spells by name, `*` for mastered."""
    return [SET.by_name[word.rstrip("*")].index * 2 + word.endswith("*") for word in text.split()]


@pytest.mark.parametrize(
    ("hand", "needed", "spare"),
    [
        ("F", "", "fire"),
        ("FW", "", "water"),
        ("FWL", "L", "water"),
        ("FFW", "", "fire"),
        ("FFW", "F", "water"),
        ("FFWW", "W", "fire"),
        ("F", "FFFF", "fire"),
        ("FWWWWD", "F", "darkness"),
        ("FEL", "FEEL", "light"),
    ],
)
def test_the_gem_to_spare_is_darkness_or_what_is_least_wanted(hand: str, needed: str, spare: str) -> None:
    assert GEMS[least_wanted_gem(gems(hand), gems(needed))] == spare


@pytest.mark.parametrize(
    ("spell", "hand", "needed", "left"),
    [
        ("bolt", "FW", "", "W"),  # fire
        ("bolt", "WWD", "", None),
        ("storm", "FWW", "", "W"),  # fire water
        ("fireball", "FW", "", None),  # fire fire
        ("missile", "FFF", "", "F"),  # fire wild
        ("missile", "FWE", "W", "W"),
        ("missile", "F", "", None),
        ("both", "FW", "", ""),  # wild wild
        ("both", "FFF", "", "F"),
        ("both", "FWD", "F", "F"),
        ("both", "D", "", None),
    ],
)
def test_a_spell_is_paid_and_wild_symbols_take_what_can_be_spared(
    spell: str, hand: str, needed: str, left: str | None
) -> None:
    held = gems(hand)
    assert pay_spell(SET.by_name[spell], held, gems(needed)) == (left is not None)
    assert left is None or held == gems(left)


@pytest.mark.parametrize(("place", "needed"), [(0, "FFFW"), (1, "FWL"), (2, "FL"), (3, "F"), (4, "")])
def test_what_the_next_two_spells_of_a_book_ask_for_is_wanted(place: int, needed: str) -> None:
    assert wanted_gems(SET, copies("fireball storm* third pair"), place) == gems(needed)
