"""Lines as people write them: shown names in any language, prefixes of them, names instead of numbers, typos."""

from __future__ import annotations

import pytest

from games.api import Action, Unreadable
from games.chance import Chance
from games.registry import get_game
from games.spelling import (
    MOST_LETTERS,
    MOST_TYPOS,
    correct_typos,
    normalize_spelling,
    read_typed_line,
    replace_shown_names,
)
from languages import speaking
from tests.games.cheaty_mages.given import FIVE, given
from tests.helpers.toy import TOY, ToyState

SHOWN = {
    "magic missile": "magic_missile",
    "boule de feu": "fireball",
    "orc": "2",
    "a tax collector behind you": "tax",
    "2nd wind": "wind",
}


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("cast Magic Missile 3", "cast magic_missile 3"),
        ("cast magic mis 3", "cast magic_missile 3"),
        ("cast Boule de Feu Orc", "cast fireball 2"),
        ("c boule orc", "c fireball 2"),
        ("A Tax Collector, Behind You!", "tax"),
        ("cast bo 3", "cast bo 3"),
        ("cast bou 3", "cast fireball 3"),
        ("cast 2nd wind", "cast wind"),
        ("cast 2nd 3", "cast 2nd 3"),
        ("cast", "cast"),
        ("", ""),
        ("cast nothing 3", "cast nothing 3"),
        ("cast\u00a0fireball 3", "cast\u00a0fireball 3"),
        ("cast boule \uff13", "cast fireball \uff13"),
    ],
)
def test_names_are_taken_as_they_are_shown_and_by_their_beginning(line: str, meant: str) -> None:
    assert replace_shown_names(line, SHOWN, ["cast", "pass"]) == meant


def test_accents_case_and_signs_do_not_count() -> None:
    assert normalize_spelling("Œuf d'Été-Là !") == normalize_spelling("oeuf d ete la") == "oeuf d ete la"


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("cst healng 4", "cast healing 4"),
        ("cast healing 4", ""),
        ("CAST healing 4", ""),
        ("xyzzy 4", ""),
        ("pss", "pass"),
        ("pxxs", ""),
        ("cast hling 4", "cast healing 4"),
        ("cast tx colctr", ""),
        ("cast a tax colector", "cast a tax collector"),
        ("cast tax colector", "cast tax collector"),
        ("cast ax ollect", ""),
        ("cast the lady of lake", ""),
    ],
)
def test_the_closest_known_words_are_offered(line: str, offer: str) -> None:
    known = {"cast", "healing", "pass", "tax collector", "a tax collector", "the lady of lakes"}
    assert correct_typos(line, known) == offer


def test_b18_a_line_of_typos_is_given_up_after_a_few_words() -> None:
    offered = " ".join(["pss"] * MOST_TYPOS)
    assert correct_typos(offered, {"pass"}) == offered.replace("pss", "pass")
    assert correct_typos(f"{offered} pss", {"pass"}) == ""


def read(line: str) -> list[Action]:
    match = given(hands={1: "healing dispel_magic amnesia magic_missile"}, fighters=FIVE, on={2: "might@1 cure@3"})
    people = ["Ann", "Bob-2", "Cy"]
    return read_typed_line(get_game("ikasamage"), line, match.view(1), match.legal_actions(1), people)


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("cast Magic Missile 3", "cast magic_missile 3"),
        ("cast healing Lizardman", "cast healing 3"),
        ("cast Healing dark elf", "cast healing 5"),
        ("cast amnesia bob-2", "cast amnesia 2"),
        ("cast Dispel Magic 2.1", "cast dispel_magic 2.1"),
        ("Magic Missile orc", "cast magic_missile 2"),
        ("cast healing suc", "cast healing 4"),  # Succubus, and Succube in French
        ("cast healing Succube", "cast healing 4"),
    ],
)
def test_cards_fighters_and_players_are_named_as_the_board_names_them(line: str, same: str) -> None:
    assert read(line) == read(same)


def test_a_typo_is_answered_with_the_line_that_is_meant() -> None:
    with pytest.raises(Unreadable, match="Did you mean: cast healing 4"):
        read("cst healng 4")
    with pytest.raises(Unreadable, match="Did you mean: cast healing 3"):
        read("cast healing Lizzardman")
    with pytest.raises(Unreadable, match="Did you mean: cast magic_missile 5"):
        read("cast magic misile drak elf")
    with pytest.raises(Unreadable) as refused:
        read("qqq www")
    assert "Do you mean" not in str(refused.value)


@pytest.mark.parametrize("line", ["cst healng 9", "cst cst", "pss pss"])
def test_a_line_that_cannot_be_done_is_not_offered(line: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(line)
    assert "Do you mean" not in str(refused.value)


def test_cards_may_be_named_in_every_language_of_the_game() -> None:
    game = get_game("mages-110m")
    with speaking("fr"):
        card = next(card for card in game.cards() if "é" in card.title and card.kind)
    assert (
        replace_shown_names(f"cast {card.title}", {normalize_spelling(card.title): card.name}, ["cast"])
        == f"cast {card.name}"
    )


def test_a_line_is_looked_at_closely_up_to_so_many_letters() -> None:
    line = "Magic Missile " + "x" * (MOST_LETTERS - 14)
    with pytest.raises(Unreadable, match="is not a number for a fighter"):
        read(line)
    with pytest.raises(Unreadable, match="Type a fighter"):
        read(f"{line}x")


def test_a_long_line_is_not_looked_at_closely() -> None:
    with pytest.raises(Unreadable) as refused:
        read("zzz " * 900)
    assert len(str(refused.value)) < 200


def toy(line: str) -> list[Action]:
    """Read by somebody who holds the cards 3 and 4."""
    state = ToyState(2, 3, [[3, 4], [5, 6]], Chance.of_number(1), points=[0, 0])
    return read_typed_line(TOY, line, state.view(1), state.legal_actions(1), ["Ann", "Bob"])
