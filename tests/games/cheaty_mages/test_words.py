"""What people type and read."""

import re
from typing import Any

import pytest

from games.api import Action, Unreadable, plain_lines
from games.cheaty_mages import events, moves
from games.cheaty_mages.deck import get_deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.words import ArenaWords
from languages import speaking
from tests.games.cheaty_mages.given import do, everybody_passes, given

WORDS = ArenaWords(get_deck("cheaty-mages"))


def read(line: str, hand: str = "cure fireball might recall") -> object:
    match = given(edition="cheaty-mages", hands={1: hand})
    found = WORDS.parse_actions(line, match.view(1), match.legal_actions(1))
    return found[0] if len(found) == 1 else found


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("bet 5 2", moves.Bet((2, 5))),
        ("bet 2,5", moves.Bet((2, 5))),
        ("b 3", moves.Bet((3,))),
        ("cast fireball 3", moves.Cast("fireball", 3)),
        ("c fir 3", moves.Cast("fireball", 3)),
        ("Fireball 3", moves.Cast("fireball", 3)),
        ("cast magic-missile 1", moves.Cast("magic_missile", 1)),
        ("cast fireball 3 down", moves.Cast("fireball", 3, face_down=True)),
        ("cast fireball 3 pay", moves.Cast("fireball", 3, paying=True)),
        ("cast might 3 down", moves.Cast("might", 3)),
        ("cast recall", moves.CastAlone("recall")),
        ("cast recall 2 down", moves.Cast("recall", 2, face_down=True)),
        ("cast dispel_magic 3.2", moves.CastAtSpell("dispel_magic", 3, 2)),
        ("cast dispel conf", moves.CastAtEnduring("dispel_magic", "confusion")),
        ("cast amnesia 2", moves.CastAtPlayer("amnesia", 2)),
        ("cast amnesia p2", moves.CastAtPlayer("amnesia", 2)),
        ("cast alteration 3.2 5", moves.CastMoving("alteration", 3, 2, 5)),
        ("cast imitation 2 4", moves.CastSwapping("imitation", 2, 4)),
        ("look might 3", moves.Look("might", 3)),
        ("pass", moves.Pass()),
        ("p", moves.Pass()),
        ("done", moves.Done()),
        ("draw", moves.Done()),
        ("discard might", moves.Discard("might")),
        ("discard might cure", [moves.Discard("might"), moves.Discard("cure")]),
    ],
)
def test_a_typed_line_is_an_action(line: str, action: object) -> None:
    assert read(line) == action


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "pass"),
        ("d", "discard or done or draw"),
        ("xyzzy 3", "no action 'xyzzy'"),
        ("cast", "Name the spell"),
        ("cast pay", "Name the spell"),
        ("cast xyzzy", "no card 'xyzzy'"),
        ("cast fireball", "a fighter, for example: cast fireball 3"),
        ("cast fireball three", "'three' is not a number"),
        ("cast fireball \u0663", "is not a number"),
        ("cast dispel_magic 3", "3.2 is the second spell"),
        ("cast alteration 3.2", "a spell and a fighter"),
        ("cast recall 3", "no target"),
        ("discard", "Name the card"),
        ("pass 3", "nothing after pass"),
        ("bet two", "'two' is not a number"),
        ("cast re 3", "refresh or reflection or regeneration or recall|regeneration or refresh"),
    ],
)
def test_an_unreadable_line_is_answered_with_what_was_expected(line: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        read(line, hand="cure fireball")


def test_a_prefix_means_a_card_in_hand_first() -> None:
    assert read("cast re 3", hand="cure refresh") == moves.Cast("refresh", 3)


def test_in_french_what_was_not_lawful_is_not_called_forbidden_which_is_a_mark_of_cards() -> None:
    """Rules 4.7, 10.2."""
    with speaking("fr"):
        said = ArenaWords(get_deck("ikasamage")).event_sentence(events.Struck(3, "cure"), ["Ann", "Bob"])
    assert "interdit" not in said.lower()
    assert said.startswith("Soin sur le combattant 3")


def test_the_board_shows_what_there_is_to_see() -> None:
    match = given(
        hands={1: "cure might", 2: "slow"},
        fighters=("goblin", "skeleton", "lizardman", "succubus", "dark_elf"),
        judge="zapp",
        on={2: "might@1 slow@2 cure@3"},
        bets={1: (2, 5), 2: (1,), 3: (3,)},
        money={1: 7},
    )
    do(match, 1, "pass")
    text = "\n".join(plain_lines(ArenaWords(match.deck).render_board(match.view(1), ["Ann", "Bob", "Cy"], 80)))
    for part in (
        "Judge: Zapp, the cheerful",
        "Above 15 mana: dispel. Refuses Forbidden spells.",
        "2 Skeleton: power 3 -> -4?, mana 4?, prize 7, undead",
        "2.1 Might [mana 4, +5] (face down, Ann)",
        "2.2 face down (Bob)",
        "2.3 Cure [mana 0, +2] (Cy)",
        "1 Ann (you): 7 gold, 2 cards, 2 bets, passed, began",
        ">2 Bob: 0 gold, 1 card, 1 bet",
        "Bet: 2 5",
        "might: Enchant, mana 4. Power +5.",
    ):
        assert part in text, part
    spectator = "\n".join(plain_lines(ArenaWords(match.deck).render_board(match.view(None), ["Ann", "Bob", "Cy"], 80)))
    assert "2.1 face down (Ann)" in spectator
    assert "Your" not in spectator


def test_the_board_in_short_adds_up_what_is_known_of_each_fighter_against_the_limit() -> None:
    match = given(
        hands={1: "cure might", 2: "slow"},
        fighters=("goblin", "skeleton", "lizardman", "succubus", "dark_elf"),
        judge="zapp",
        on={1: "cure@1", 2: "might@1 slow@2 cure@3", 3: "refresh@1 energy_boost@1 meteor_strike@1"},
        bets={1: (2, 5), 2: (1,), 3: (3,)},
    )
    words = ArenaWords(match.deck)
    for width, parts in (
        (80, ("1 Goblin: power 1 -> 3, mana 0 of 15, prize 10", "2 Skeleton: power 3 -> -4?, mana 4? of 15, prize 7")),
        (40, ("1 Goblin 1->3 m0/15 $10", "2 Skeleton 3->-4? m4?/15 $7 undead", "3 Lizardman 4->10 m16/15 $6")),
    ):
        text = "\n".join(plain_lines(words.render_board(match.view(1), ["Ann", "Bob", "Cy"], width, 15)))
        for part in (*parts, "Bet: 2 5", "Hand: cure", "might [E m4 +5]", "2.2 face down"):
            assert part in text, text


def test_the_board_fits_forty_columns_and_is_ascii() -> None:
    match = given(hands={1: "cure might dispel_magic reflection"}, judge="ferine", on={2: "might@1 slow@2 cure@3"})
    for width in (40, 80):
        for line in plain_lines(ArenaWords(match.deck).render_board(match.view(1), ["A" * 40, "Bob", "Cy"], width)):
            assert len(line) <= width
            assert line.isascii()


def test_every_action_word_of_the_help_can_be_read() -> None:
    for line in WORDS.help_text.splitlines():
        example = re.split(r"  +", line)[0]
        assert read(example) is not None


def test_the_question_says_what_to_type() -> None:
    match = given(hands={1: "cure"})
    words = ArenaWords(match.deck)
    assert words.decision_prompt(match.view(1), match.legal_actions(1)).endswith("for example: cast cure 1.")
    empty = given(hands={1: "recall"}, judge="morla")
    assert "nothing to cast" in words.decision_prompt(empty.view(1), empty.legal_actions(1))


@pytest.mark.parametrize(
    "line",
    [
        "bet 2 5",
        "cast fireball 3",
        "cast fireball 3 down",
        "cast fireball 3 pay",
        "cast fireball 3 down pay",
        "cast recall",
        "cast recall pay",
        "cast dispel_magic 3.2",
        "cast dispel_magic 3.2 pay",
        "cast dispel_magic confusion",
        "cast dispel_magic confusion pay",
        "cast amnesia 2",
        "cast amnesia 2 pay",
        "cast alteration 3.2 5",
        "cast alteration 3.2 5 pay",
        "cast imitation 2 4",
        "cast imitation 2 4 pay",
        "look might 3",
        "pass",
        "done",
        "discard might",
    ],
)
def test_an_action_is_written_as_it_is_typed(line: str) -> None:
    action = read(line)
    assert isinstance(action, Action)
    assert WORDS.format_action(action) == line


def test_an_action_of_another_game_is_not_written() -> None:
    with pytest.raises(TypeError, match="is no action of this game"):
        WORDS.format_action(Action())


def test_two_digits_are_a_number() -> None:
    assert read("bet 99") == moves.Bet((99,))


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"phase": "bet"}, "Place your bet on one, two or three fighters, for example: bet 2 5"),
        ({}, "Cast a spell or pass, for example: cast cure 1."),
        (
            {"round": 3, "options": ArenaOptions(foul_play=True)},
            "Cast a spell or pass, for example: cast cure 1. Refused spells cost 2 gold (pay).",
        ),
        ({"hands": {1: "amnesia", 2: "might"}, "judge": "morla"}, "You have nothing to cast now: pass"),
    ],
)
def test_each_question_says_what_may_be_typed(said: dict[str, Any], says: str) -> None:
    match = given(**{"hands": {1: "cure", 2: "might"}} | said)
    assert match.game.words.decision_prompt(match.view(1), match.legal_actions(1)) == says


def test_who_has_to_discard_or_may_draw_is_told_how() -> None:
    match = given(hands={1: "amnesia cure", 2: "might"})
    words = match.game.words
    do(match, 1, "cast amnesia 2")
    assert (
        words.decision_prompt(match.view(2), match.legal_actions(2))
        == "You must discard a card, for example: discard might"
    )
    do(match, 2, "discard might")
    everybody_passes(match)
    assert words.decision_prompt(match.view(1), match.legal_actions(1)) == (
        "Discard what you do not want (discard cure), then draw: done"
    )
    do(match, 1, "done")
    assert words.decision_prompt(match.view(2), match.legal_actions(2)) == "Say done to draw."


@pytest.mark.parametrize(
    ("reason", "winners", "says"),
    [
        ("money", ["Bob"], "Bob wins with 9 gold."),
        ("cards", ["ada"], "ada wins: others have 9 gold, too, but fewer cards in hand."),
        ("shared", ["ada", "Bob"], "The win is shared by ada and Bob, with 9 gold."),
    ],
)
def test_an_ending_says_who_won_and_by_what(reason: str, winners: list[str], says: str) -> None:
    assert WORDS.ending_sentence(reason, winners, 9) == says
