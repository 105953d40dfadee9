"""Described positions: what is said holds, the rest is dealt so that it could have come about, and what cannot be is
refused."""

from pathlib import Path

import pytest

from games.api import PositionRefused
from games.chance import Chance
from games.magecraft import GAMES
from games.magecraft.rules import MagecraftState
from tests.games.magecraft.given import act, described, gems, legal, spells

POSITIONS = sorted((Path(__file__).parent / "positions").glob("*.toml"))


def counted(state: MagecraftState, gem: int) -> int:
    """How many gems of a kind there are in the whole match."""
    zones = [zone for mage in state.mages for zone in (mage.hand, mage.life, mage.shield, mage.score, mage.discard)]
    return (
        state.academy.gems[gem]
        + sum(zone[gem] for zone in zones)
        + sum(mage.bag.count(gem) for mage in state.mages)
        + (state.turn.gold == gem)
    )


def test_what_is_said_holds() -> None:
    state = described(
        """
        seats = 3
        round = 2
        first = 3
        turn = 2
        [[mage]]
        character = "dot"
        [[mage]]
        hand = "2F 1D"
        next = "W L"
        life = "FW"
        shield = "2E"
        score = "9L"
        discard = "D"
        books = ["storm bolt", "well* missile"]
        """
    )
    mage = state.mages[1]
    assert (state.round, state.first, state.turn.seat) == (2, 3, 2)
    assert state.cards.characters[state.mages[0].character].name == "dot"
    assert (mage.hand, mage.life, mage.shield) == (gems("FFD"), gems("FW"), gems("EE"))
    assert (mage.score, mage.discard) == (gems("LLLLLLLLL"), gems("D"))
    assert [spells(mage, state, book) for book in (1, 2, 3)] == [
        ["storm", "bolt", "meditation"],
        ["well*", "missile"],
        ["tricks"],
    ]
    assert mage.bag[-2:] == [3, 1]


def test_an_open_book_and_its_golden_gem_can_be_said() -> None:
    state = described(
        {"turn": 1, "book": 1, "cast": 1, "gold": "fire", "mage": [{"books": ["bolt* bolt"], "hand": ""}]}
    )
    assert legal(state) == ["cast 1", "end"]
    act(state, "cast 1", "attack 2 fire", "end")
    assert sum(state.mages[0].score) == 1


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_every_gem_and_every_copy_lies_somewhere(path: Path, number: int) -> None:
    """Rules 1.3, 1.5, 1.6, 1.7."""
    state = GAMES[0].build_position(path.read_text(encoding="utf-8"), Chance.of_number(number))
    assert isinstance(state, MagecraftState)
    table = state.cards.tables[state.seats]
    assert [counted(state, gem) for gem in range(4)] == [6 * state.seats + table.gems] * 4
    assert counted(state, 4) == table.darkness
    assert max(state.academy.gems[:4]) <= table.gems
    held = [copy >> 1 for mage in state.mages for book in mage.books for copy in book]
    assert len(state.academy.spells) == 12
    for spell, left in zip(state.academy.spells, state.academy.left, strict=True):
        assert held.count(spell.index) + left == table.copies
    assert [held.count(spell) for spell in range(3)] == [state.seats] * 3


def test_the_rest_is_dealt_by_chance_and_the_same_chance_deals_the_same() -> None:
    text = POSITIONS[0].read_text(encoding="utf-8")
    same, again, other = (GAMES[0].build_position(text, Chance.of_number(number)) for number in (1, 1, 2))
    assert same == again
    assert same != other


def test_a_mage_without_life_is_out() -> None:
    """Rule 7.8."""
    mages = [{"life": ""}, {}, {"life": ""}, {}]
    state = described({"mage": mages, "fallen": [3, 1]})
    assert state.fallen == [3, 1]
    assert state.eliminated_seats() == frozenset({1, 3})
    assert state.turn.seat in (2, 4)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("seats = [", "not TOML"),
        ("sets = 3", "`sets`"),
        ("seats = 5", "^seats: "),
        ("seats = 2\n[[mage]]\n[[mage]]\n[[mage]]", "^mage: there are 3"),
        ("round = 4", "^round: it is 1 to 3"),
        ("first = 3", "^first: seat 3"),
        (
            'turn = 1\n[[mage]]\nlife = ""\n[[mage]]\n[[mage]]',
            "^turn: seat 1 is none of 2, 3",
        ),
        ('[options]\nboards = "bought"', r"options\.boards"),
        ('[[mage]]\ncharacter = "eve"', "^mage 1, character: 'eve'"),
        ('[[mage]]\ncharacter = "ann"\n[[mage]]\ncharacter = "ann"', "two mages"),
        ('[[mage]]\nhand = "FXF"', "^mage 1, hand: 'FXF' is no list"),
        ('[[mage]]\nhand = "99F"', "^mage 1, hand: there are not that many fire"),
        ('[[mage]]\nhand = "999F"', "^mage 1, hand: these are more than"),
        ('[[mage]]\nhand = "9999F"', "^mage 1, hand: these are more than"),
        ('[[mage]]\nhand = "10000F"', "^mage 1, hand: '10000F' is no list"),
        ('[[mage]]\nhand = "101F 100W"', "^mage 1, hand: these are more than"),
        ("[[mage]]\nhand = 4", r"mage\[0\]\.hand"),
        ('[[mage]]\nlife = "4F 3W 3E 3L"', "^mage 1, life: it holds at most 12"),
        ('[[mage]]\nlife = "1D"', "^mage 1, life: a life never has darkness"),
        ('[[mage]]\nscore = "5F 5W 5E 5L"', "^mage 1, score: 20 gems have won"),
        ('[[mage]]\nhand = "F"\nknown = "W"', "^mage 1, known: "),
        ('[[mage]]\nbag = "F"\nnext = "W"', "^mage 1, next: "),
        ('[options]\ndarkness = false\n[[mage]]\nhand = "D"', "not that many darkness"),
        ('[[mage]]\nlife = ""', "^mage, life: the match would be over"),
        ('[options]\nfirst_fall = true\n[[mage]]\nlife = ""\n[[mage]]\n[[mage]]', "would be over"),
        ("fallen = [1]", "^fallen: "),
        ('[[mage]]\nbag = ""\ndiscard = ""\n[[mage]]\nbag = ""\ndiscard = ""', "^mage, discard: .* gems lie nowhere"),
        ('[[mage]]\nbooks = ["a", "b", "c", "d"]', "^mage 1, books: there are three"),
        ('[[mage]]\nbooks = ["abracadabra"]', "^mage 1, books: there is no spell 'abracadabra'"),
        ('[[mage]]\nbooks = ["missile missile"]', "^mage 1, books: every mage has one missile"),
        ('[[mage]]\nbooks = ["bolt bolt bolt"]', "^mage 1, books: there are 2 copies of bolt"),
        ('[options]\nmastery = false\n[[mage]]\nbooks = ["bolt*"]', "^mage 1, books: the option mastery"),
        ('academy = ["absorb"]', "^academy: 'absorb'"),
        ('academy = ["bolt", "bolt"]', "^academy: 'bolt'"),
        ("book = 1", "^cast: a book is open"),
        ("book = 4\ncast = 1", "^book: it is 1 to 3"),
        ("book = 1\ncast = 2", "^cast: book 1 holds 1 spells"),
        ('gold = "mud"', "^gold: 'mud'"),
        ('gold = "fire"', "^gold: the spell that was cast last leaves no golden fire gem"),
        ('book = 1\ncast = 1\ngold = "fire"', "^gold: the spell that was cast last leaves no"),
        ('turn = 1\nbook = 1\ncast = 1\ngold = "fire"\n[[mage]]\nbooks = ["well* bolt"]', "leaves no golden fire"),
    ],
)
def test_what_cannot_be_is_refused_with_the_key(given: str, said: str) -> None:
    with pytest.raises(PositionRefused, match=said):
        described(given)


def test_more_spells_in_books_than_can_be_on_offer_are_refused() -> None:
    names = [spell.name for spell in GAMES[0].card_set.spells_of_kind("academy")]
    with pytest.raises(PositionRefused, match=r"^academy: 9 spells"):
        GAMES[0].build_position({"academy": names[:10]}, Chance.of_number(1))
    with pytest.raises(PositionRefused, match=r"^books: with .* more than 9"):
        GAMES[0].build_position({"academy": names[:9], "mage": [{"books": [names[9]]}]}, Chance.of_number(1))


def test_all_gems_of_a_kind_can_be_said_and_not_one_more() -> None:
    there = counted(described("seats = 2"), 0)
    given = '[[mage]]\nhand = "{}F"\nlife = "W"\nbag = "E"\n[[mage]]\nlife = "W"\nbag = "E"'
    state = described(given.format(there))
    assert state.mages[0].hand[0] == counted(state, 0) == there
    with pytest.raises(PositionRefused, match=r"^mage 1, hand: there are not that many fire"):
        described(given.format(there + 1))
    with pytest.raises(PositionRefused, match=r"^mage 1, hand: there are not that many fire"):
        described(given.format(200))
    with pytest.raises(PositionRefused, match=r"^mage 1, hand: these are more than 200"):
        described(given.format(201))


@pytest.mark.parametrize(("innate_used", "lines"), [(False, ["cast 3", "innate", "end"]), (True, ["cast 3", "end"])])
def test_an_open_book_of_any_mage_goes_on_where_it_was_said(innate_used: bool, lines: list[str]) -> None:
    mages = [{}, {"character": "ann", "hand": "F", "books": ["both", "storm", "missile bolt fireball bolt"]}]
    state = described({"turn": 2, "book": 3, "cast": 3, "innate_used": innate_used, "mage": mages})
    assert (state.turn.seat, state.turn.book, state.turn.place) == (2, 3, 3)
    assert [line for line in legal(state, 2) if not line.startswith("learn")] == lines
    assert described({"turn": 2, "innate_used": innate_used, "mage": mages}).turn.has_cast == innate_used
