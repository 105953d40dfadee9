"""The figures of a card file: a smaller or a larger game, and what nobody could play."""

from __future__ import annotations

import pytest

from games.api import CardsRefused, Game, PositionRefused, options_from
from games.chance import Chance
from games.magecraft.cards import OWN_FILE, read_cards
from games.magecraft.events import TurnBegan
from games.magecraft.figures import MageFigures
from games.magecraft.game import Magecraft
from games.magecraft.gems import full_bag_hands
from games.magecraft.moves import END, Attack, Vanish
from games.magecraft.rules import MagecraftState
from games.testing.exam import examine_match, examine_position, examine_redeals, examine_refused_positions
from languages import speaking
from tests.games.magecraft.given import CARDS, gems
from tests.helpers.variants import each_once

PRINTED = OWN_FILE.read_text(encoding="utf-8")
DUEL = OWN_FILE.with_name("tiny-duel.toml").read_text(encoding="utf-8")
TINY = Magecraft(DUEL)
NAMES = ("Ann", "Bob", "Cid")
OTHER = """\
[mages]
life = { fire = 4, light = 1 }
bag = { water = 5, earth = 2 }
score = 6
hand = 3
drawn = [2, 5, 7]
kept = [2, 0, 7]
starters = 2
base = 1
offered = 2
"""


def other() -> Game:
    """Three mages at most, and other figures than the printed ones."""
    spells = CARDS.replace(
        CARDS[CARDS.index('[[spell]]\nname = "tricks"') : CARDS.index('[[spell]]\nname = "cure"')], ""
    )
    spells = spells.replace(
        spells[spells.index('[[spell]]\nname = "absorb"') : spells.index('[[spell]]\nname = "bolt"')], ""
    )
    return Magecraft(
        OTHER + spells.replace(spells[spells.index("[[table]]\nseats = 4") : spells.index("[[spell]]")], "")
    )


def test_figures_that_are_left_out_are_the_printed_ones() -> None:
    """Rule 9.2."""
    head, section = PRINTED.index("[mages]"), PRINTED.index("[house]")
    assert read_cards(PRINTED[:head] + PRINTED[section:]) == read_cards(PRINTED)
    assert read_cards(PRINTED).mages == MageFigures()
    assert read_cards(PRINTED).mages.full_life == 12


@pytest.mark.parametrize("game", [TINY, other()], ids=["tiny", "other"])
def test_a_game_with_other_figures_keeps_the_contract(game: Game) -> None:
    """Rule 9.2."""
    compared = 0
    for number, (seats, options) in enumerate(each_once(game)):
        assert examine_match(game, seats, options, number, each=2) > 0
        compared += examine_redeals(game, seats, options, number, each=4)
        compared += examine_position(game, {"seats": seats, "mage": [{"life": "1F"}]}, number, each=2)
    examine_refused_positions(game)
    assert compared > 40


def test_the_seats_are_those_of_the_tables() -> None:
    """Rule 9.2."""
    assert (TINY.min_seats, TINY.max_seats) == (2, 2)
    assert (other().min_seats, other().max_seats) == (2, 3)
    with pytest.raises(ValueError, match="takes 2 players, not 3"):
        TINY.start(3, options_from(TINY, {}), Chance.of_number(1))


def test_the_deal_follows_the_figures() -> None:
    """Rule 9.2; nobody is asked to discard nothing."""
    state, _ = other().start(3, options_from(TINY, {}), Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    order = [state.mages[(state.first - 1 + at) % 3] for at in range(3)]
    assert [sum(mage.hand) for mage in order] == [2, 5, 7]
    assert [len(mage.bag) for mage in order] == [5, 2, 0]
    assert all((mage.life, mage.books) == (gems("FFFFL"), [[0], [2], []]) for mage in order)
    assert [spell.kind for spell in state.academy.spells] == ["base", "academy", "academy"]
    for _ in range(5):
        (seat,) = state.to_move()
        assert (seat, state.turn.phase, state.round) == (order[1].seat, 0, 0)
        state.apply(seat, state.legal_actions(seat)[0])
    assert (min(state.to_move()), state.round, sum(order[1].hand)) == (state.first, 1, 0)
    state.apply(state.first, END)
    assert sum(order[0].hand) == 3


def test_a_match_in_which_nobody_discards_begins_at_once() -> None:
    """Rule 9.2."""
    state, told = TINY.start(2, options_from(TINY, {}), Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    assert state.view(None).progress.phase == "spells"
    assert told[-1].event == TurnBegan(state.first, 1)


def duel(text: str) -> MagecraftState:
    state = TINY.build_position(text, Chance.of_number(1))
    assert isinstance(state, MagecraftState)
    return state


def test_the_score_of_the_file_wins_and_its_life_is_the_most() -> None:
    """Rules 4.4, 7.1 and 9.2."""
    state = duel(
        'turn = 1\n[[mage]]\ncharacter = "sylph"\nhand = "1W"\nlife = "1F"\nscore = "1F 1W"\n[[mage]]\nlife = "2F"'
    )
    game = state.game
    for action in game.words.parse_actions("innate", state.view(1), state.legal_actions(1)):
        state.apply(1, action)
    vanish = Vanish("fire", "life")
    assert vanish not in state.legal_actions(1), "one gem of life is all that could vanish: it is done at once"
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.places) == ("score", (1, 2))
    for wrong, said in (('life = "3F"', "fire gems|at most 2 gems"), ('score = "1F 2W"', "3 gems have won")):
        with pytest.raises(PositionRefused, match=said):
            duel(f"[[mage]]\n{wrong}")


def test_words_tell_the_figures_of_the_file() -> None:
    """Rule 9.2."""
    state = duel('turn = 1\n[[mage]]\nhand = "1F"\n[[mage]]\nlife = "2F"')
    view = state.view(1)
    assert "draw 1 gem." in TINY.words.preview_action(view, END, NAMES)
    assert "of 3" in TINY.words.preview_action(view, Attack(2, "fire"), NAMES)
    assert "score 3" in TINY.description
    assert "You win at once with 3 gems in your score" in TINY.objective
    with speaking("fr"):
        assert "atteins 3 au score" in TINY.description
        assert "3 gemmes" in TINY.objective


def test_bots_reckon_with_the_bag_of_the_file() -> None:
    found = dict(full_bag_hands(TINY.card_set.mages))
    assert found == {(1, 0, 0, 0, 0): pytest.approx(1 / 3), (0, 1, 0, 0, 0): pytest.approx(2 / 3)}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("life = { fire = 2 }", "life = { fire = 0 }", "a life holds 1 to 20 gems"),
        ("life = { fire = 2 }", "life = { fire = 21 }", "a life holds 1 to 20 gems"),
        ("life = { fire = 2 }", "life = { fire = 3, light = -1 }", "of no colour fewer than none"),
        ("life = { fire = 2 }", "life = { darkness = 2 }", "unknown field `darkness`"),
        ("life = { fire = 2 }", "life = 2", r"Expected `object`, got `int` - at `\$.life`"),
        ("bag = { fire = 1, water = 2 }", "bag = {}", "a bag holds 1 to 20 gems"),
        ("bag = { fire = 1, water = 2 }", "bag = { fire = 9, water = 12 }", "a bag holds 1 to 20 gems"),
        ("score = 3", "score = 0", "score is 1 to 99"),
        ("score = 3", "score = 100", "score is 1 to 99"),
        ("score = 3", "score = true", "Expected `int`, got `bool`"),
        ("hand = 1", "hand = 0", "hand is 1 to 12"),
        ("hand = 1", "hand = 13", "hand is 1 to 12"),
        ("starters = 1", "starters = 0", "starters is 1 to 3"),
        ("starters = 1", "starters = 4", "starters is 1 to 3"),
        ("base = 0", "base = -1", "base is 0 to 12"),
        ("base = 0", "base = 13", "base is 0 to 12"),
        ("offered = 0", "offered = -1", "offered is 0 to 200"),
        ("offered = 0", "offered = 201", "offered is 0 to 200"),
        ("drawn = [1, 1]", "drawn = [1]", "lists of equal length, with a number for each of 2 mages"),
        ("drawn = [1, 1]\nkept = [1, 1]", "drawn = [1]\nkept = [1]", "with a number for each of 2 mages"),
        ("drawn = [1, 1]", "drawn = [1, 4]", "drawn is at most 3: a starting hand comes out of the bag"),
        ("kept = [1, 1]", "kept = [1, 2]", "kept is 0 to as many gems as are drawn"),
        ("kept = [1, 1]", "kept = [-1, 1]", "kept is 0 to as many gems as are drawn"),
        ("drawn = [1, 1]\n", "", "lists of equal length"),
        ("hand = 1", "hands = 1", "unknown field `hands`"),
    ],
)
def test_nonsense_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    """Rule 9.2."""
    assert DUEL.count(old) == 1
    line = DUEL.splitlines().index("[mages]") + 1
    with pytest.raises(CardsRefused, match=rf"^line {line}, \[mages\]: .*{said}"):
        TINY.with_cards(DUEL.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("starters = 1", "starters = 2", "2 starters and 0 base spells"),
        ("offered = 0", "offered = 1", "1 to 200 academy spells"),
        ("seats = 2", "seats = 3", r"one \[\[table\]\] for each of 2, 3 and 4 seats, or only for 2"),
        ("[mages]", "[[mages]]", r"written as \[mages\]"),
        ("[[table]]", "[[table]]\nseats = 2\ncopies = 1\ngems = 0\ndarkness = 0\n[[table]]", r"one \[\[table\]\]"),
        (DUEL[DUEL.index('[[character]]\nname = "sylph"') :], "", "at least 2 characters, one for each seat"),
        (DUEL[DUEL.index("[[table]]") : DUEL.index("[[spell]]")], "", r"one \[\[table\]\]"),
    ],
)
def test_a_file_that_does_not_hold_what_it_says_is_refused(old: str, new: str, said: str) -> None:
    """Rule 9.2."""
    assert DUEL.count(old) == 1
    with pytest.raises(CardsRefused, match=said):
        TINY.with_cards(DUEL.replace(old, new))
