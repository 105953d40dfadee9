"""Card files: an owner's own cards, and what is refused."""

import pytest

from games.api import CardsRefused, options_from
from games.card_files import MOST_BYTES
from games.chance import Chance
from games.magecraft import GAMES
from games.magecraft.cards import OWN_FILE
from games.testing.exam import examine_match, examine_redeals
from tests.games.magecraft.given import CARDS, GAME

OWN = GAMES[0]
LINES = CARDS.splitlines()
COST_OF_CURE = LINES.index('cost = "water"') + 1
SPELLS = CARDS[CARDS.index("[[spell]]") : CARDS.index("[[character]]")]
TABLES = CARDS[CARDS.index("[[table]]") : CARDS.index("[[spell]]")]


def test_an_owner_plays_with_cards_of_their_own() -> None:
    """Rule 9.1."""
    assert GAME.card_file_text() == CARDS
    assert len(GAME.cards_digest) == 64
    assert (OWN.card_file_text(), OWN.cards_digest) == ("", "")
    assert "bolt" in {card.name for card in GAME.cards()}
    assert "bolt" not in {card.name for card in OWN.cards()}
    options = options_from(GAME, {})
    assert examine_match(GAME, 2, options, 3) > 0
    assert examine_redeals(GAME, 3, options, 3) > 0


def test_a_copy_of_the_own_file_gives_the_same_match() -> None:
    """Rule 9.1."""
    copy = OWN.with_cards(OWN_FILE.read_text(encoding="utf-8"))
    options = options_from(OWN, {})
    mine, theirs = (game.start(2, options, Chance.of_number(5))[1] for game in (OWN, copy))
    assert mine == theirs


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('cost = "water"', 'cost = "watre"', r"line \d+, spell 'cure': cost: 'watre' is none of fire, water"),
        ('effect = "heal"', 'effect = "cure"', r"line \d+, spell 'cure': effect: 'cure' is none of draw"),
        ('name = "cure"', 'name = "Cure!"', r"spell 'Cure!': the name 'Cure!' is not lower-case"),
        ('name = "cure"', 'name = "bolt"', r"the name 'bolt' is there twice"),
        ('name = "cure"', "name = 7", r"line \d+, spell 4: Expected `str`, got `int`"),
        ('set = "base"', 'set = "bass"', r"spell 'cure': Invalid enum value 'bass'"),
        ('set = "base"', 'set = "academy"', r"3 starters and 3 base spells"),
        ('set = "base"', 'set = "innate"', r"spell 'cure': set is"),
        ('title = "Cure"', 'title = "Cu\\nre"', r"spell 'cure': a title is one line"),
        ('title = "Dot"', 'title = " "', r"character 'dot': a title is one line"),
        ('title = "Cure"', 'colour = "blue"', r"spell 'cure': Object "),
        ('cost = "water"', 'cost = ""', r"spell 'cure': a cost and an effect have 1 to 8 words"),
        (
            'name = "spark", title = "Spark", cost = "fire"',
            'name = "spark", title = "Spark", cost = "fire wild"',
            "one gem",
        ),
        ("rounds = 3", "rounds = 0", r"line 1, \[house\]: rounds are 1 to 200"),
        ("rounds = 3", "rounds = 201", r"rounds are 1 to 200"),
        ("rounds = 3", "rounds = true", r"rounds are 1 to 200"),
        ("rounds = 3", "turns = 3", r"holds rounds and nothing else"),
        ("copies = 2", "copies = 0", r"line 3, table 1: copies are 1 to 12"),
        ("copies = 2", "copies = 13", r"table 1: copies are 1 to 12"),
        ("gems = 8", "gems = -1", r"gems 0 to 20"),
        ("gems = 8", "gems = 21", r"gems 0 to 20"),
        ("darkness = 8", "darkness = -1", r"darkness 0 to 40"),
        ("darkness = 8", "darkness = 41", r"darkness 0 to 40"),
        ('title = "Spark", cost', 'title = "Spark", set = "base", cost', "an innate spell has no set"),
        ("seats = 2", "seats = 5", r"table 1: Expected `int` <= 4"),
        ("seats = 2", "seats = 3", r"one \[\[table\]\] for each of 2, 3 and 4"),
        ("[house]", "[house", r"line 1, the whole file: it is not TOML"),
        ("[[spell]]", "[spell]", "it is not TOML|write it as"),
        ("[house]", "[hose]", r"line 1, \[hose\]: this section does not exist"),
        ("[house]", "\n[hose]", r"line 2, \[hose\]: this section does not exist"),
        ("[house]", "hose = 3\n[house]", r"line 1, \[hose\]: this section does not exist"),
        ("[house]\nrounds = 3\n", "", r"^line 1, \[house\]: the section \[house\]"),
        ('cost = "water"', "cost = water", rf"^line {COST_OF_CURE}, the whole file: it is not TOML"),
    ],
)
def test_a_broken_file_is_refused_with_line_card_and_reason(old: str, new: str, said: str) -> None:
    """Rule 9.1."""
    assert old in CARDS
    with pytest.raises(CardsRefused, match=said):
        OWN.with_cards(CARDS.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CARDS + "x = [", f"line {len(LINES) + 1}, the whole file: it is not TOML"),
        (CARDS.replace(TABLES, "[table]\nseats = 2\n"), r"line 3, \[table\]: write it as \[\[table\]\], once for each"),
        (CARDS.replace(SPELLS, ""), "line 1, the whole file: there are 3 starters"),
        ("\n" * MOST_BYTES + "x", "line 1, the whole file: it is longer than"),
    ],
    ids=["no end", "one table", "no spells", "too long"],
)
def test_what_is_wrong_with_the_file_as_a_whole_is_said_with_a_line_too(text: str, said: str) -> None:
    """Rule 9.1."""
    with pytest.raises(CardsRefused, match=f"^{said}"):
        OWN.with_cards(text)


def test_the_line_is_the_one_where_the_card_begins() -> None:
    """Rule 9.1."""
    broken = CARDS.replace('cost = "water"', 'cost = "mud"', 1)
    line = next(at for at, text in enumerate(broken.splitlines(), 1) if text == 'name = "cure"') - 1
    with pytest.raises(CardsRefused, match=rf"^line {line}, spell 'cure'"):
        OWN.with_cards(broken)


def test_a_file_without_enough_spells_or_characters_is_refused() -> None:
    """Rule 9.1."""
    with pytest.raises(CardsRefused, match="9 to 200 academy spells"):
        OWN.with_cards(
            CARDS.replace(CARDS[CARDS.index('[[spell]]\nname = "third"') : CARDS.index("[[character]]")], "")
        )
    with pytest.raises(CardsRefused, match="at least 4 characters, one for each seat"):
        OWN.with_cards(CARDS[: CARDS.index('[[character]]\nname = "dot"')])
    with pytest.raises(CardsRefused, match="longer than"):
        OWN.with_cards(CARDS + "#" * 200_000)
