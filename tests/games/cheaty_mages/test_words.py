"""What people type and read."""

import re
from typing import Any

import pytest

from games.api import Action, Event, Unreadable, plain
from games.cheaty_mages import events, moves
from games.cheaty_mages.deck import deck
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import Match
from games.cheaty_mages.words import ArenaWords
from languages import speaking
from tests.games.cheaty_mages.given import do, everybody_passes, given

WORDS = ArenaWords(deck("cheaty-mages"))


def read(line: str, hand: str = "cure fireball might recall") -> object:
    match = given(edition="cheaty-mages", hands={1: hand})
    found = WORDS.read(line, match.view(1), match.legal_actions(1))
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
        ("cast fireball three", "'three' is no number"),
        ("cast fireball \u0663", "is no number"),
        ("cast dispel_magic 3", "3.2 is the second one"),
        ("cast alteration 3.2", "a spell and a fighter"),
        ("cast recall 3", "no target"),
        ("discard", "Name the card"),
        ("pass 3", "nothing after pass"),
        ("bet two", "'two' is no number"),
        ("cast re 3", "refresh or reflection or regeneration or recall|regeneration or refresh"),
    ],
)
def test_an_unreadable_line_is_answered_with_what_was_expected(line: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        read(line, hand="cure fireball")


def test_a_prefix_means_a_card_in_hand_first() -> None:
    assert read("cast re 3", hand="cure refresh") == moves.Cast("refresh", 3)


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (events.FightersDrawn(("goblin", "orc", "skeleton")), "The fighters: 1 Goblin, 2 Orc, 3 Skeleton."),
        (events.Starts(2, by_lot=False), "Bob begins, the richest."),
        (events.Starts(1, by_lot=True), "Ann begins, by lot."),
        (events.BetPlaced(1, 1), "Ann places 1 betting card."),
        (events.BetPlaced(2, 2), "Bob places 2 betting cards."),
        (events.YouBet((2, 5)), "Your bet is on 2 5."),
        (events.Dispelled(3, 2, "might"), "3.2, Might, is discarded."),
        (events.Reshuffled(1), "The 1 discarded card is shuffled into a new spell pile."),
        (events.Reshuffled(2), "The 2 discarded cards are shuffled into a new spell pile."),
        (events.SpellMoved(3, 2, 5), "3.2 moves to fighter 5."),
        (events.Passed(2, empty_handed=True), "Bob passes, without cards."),
        (events.Judged(4, 21, "eject"), "With 21 mana fighter 4 is ejected."),
        (events.Judged(4, 16, "dispel"), "With 16 mana fighter 4 has its spells dispelled."),
        (events.BetShown(1, (2, 5), 7), "Ann had bet on 2 5 and gets 7 gold."),
        (events.EnduringEnded("confusion"), "Confusion leaves play."),
        (events.NobodyWon(), "Every fighter is ejected: nobody wins, and the round is played again."),
    ],
)
def test_events_are_told_in_sentences(event: Event, says: str) -> None:
    assert ArenaWords(deck("ikasamage")).tell(event, ["Ann", "Bob"]) == says


def test_in_french_what_was_not_lawful_is_not_called_forbidden_which_is_a_mark_of_cards() -> None:
    """Rules 4.7, 10.2."""
    with speaking("fr"):
        said = ArenaWords(deck("ikasamage")).tell(events.Struck(3, "cure"), ["Ann", "Bob"])
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
    text = "\n".join(plain(ArenaWords(match.deck).board(match.view(1), ["Ann", "Bob", "Cy"], 80)))
    for part in (
        "Judge: Zapp, the cheerful",
        "Above 15 mana: dispel. Refuses Forbidden spells.",
        "2 Skeleton: power 3 -> -4?, mana 4?, prize 7, undead",
        "2.1 Might [mana 4, +5] (face down, Ann)",
        "2.2 face down (Bob)",
        "2.3 Cure [mana 0, +2] (Cy)",
        "1 Ann (you): 7 gold, 2 cards, 2 bets, passed, began",
        ">2 Bob: 0 gold, 1 card, 1 bet",
        "Your bet: 2 5",
        "might: Enchant, mana 4. Power +5.",
    ):
        assert part in text, part
    spectator = "\n".join(plain(ArenaWords(match.deck).board(match.view(None), ["Ann", "Bob", "Cy"], 80)))
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
        (40, ("1 Goblin 1->3 m0/15 $10", "2 Skeleton 3->-4? m4?/15 $7 undead", "3 Lizardman 4->10 m16/15 $6 3sp")),
    ):
        text = "\n".join(plain(words.board(match.view(1), ["Ann", "Bob", "Cy"], width, 12)))
        for part in (*parts, "Your bet: 2 5", ">1 Ann 0g 2c 2b", "Hand: cure", "might", "m4"):
            assert part in text, text


def boards(match: Match, seat: int = 2, width: int = 80) -> list[str]:
    """The long board first, then the short ones, the shortest last."""
    drawn = ArenaWords(match.deck).boards(match.view(seat), ["Ann", "Bob", "Cy"], width)
    return ["\n".join(plain(lines)) for lines in drawn]


@pytest.mark.parametrize("edition", ["ikasamage", "cheaty-mages"])
def test_every_board_says_who_may_cast_what_is_refused_or_hide_direct_spells(edition: str) -> None:
    match = given(edition=edition, hands={1: "invisibility cure", 2: "prismatic_ray cure"})
    assert not any(re.search("Invis|Prism|Inv|Ray", text.split("Hand: ")[0].split("Your")[0]) for text in boards(match))
    do(match, 1, "cast invisibility")
    do(match, 2, "cast prismatic_ray")
    *longer, shortest = boards(match, 3, 39)
    assert len(longer) == 5
    for text in longer:
        assert re.search(r"1 Ann\W.*\n?.*Invisibility", text), text
        assert re.search(r"2 Bob\W.*\n?.*Prismatic [Rr]ay", text), text
    assert re.search(r"1 Ann .* Inv\b", shortest)
    assert re.search(r"2 Bob .* Ray\b", shortest)
    with speaking("fr"):
        *longer, shortest = boards(match, 3)
    for text in longer:
        assert "Invisibilité" in text
        assert "Rayon prismatique" in text
    assert not any(re.search("Invisibility|Prismatic", text) for text in (*longer, shortest))


def test_every_board_marks_what_was_paid_for_and_says_that_foul_play_is_open() -> None:
    match = given(
        edition="cheaty-mages",
        hands={1: "prismatic_ray cure slow", 2: "invisibility cure"},
        judge="adoth",
        round=3,
        money={1: 6, 2: 6},
        options=ArenaOptions(foul_play=True),
    )
    do(match, 1, "cast prismatic_ray pay")
    do(match, 2, "cast invisibility pay")
    match.judge = match.deck.judge_at["orlair"]
    do(match, 1, "cast cure 3 down pay")
    do(match, 2, "cast cure 3")
    long, _told, named, listed, counted, least = boards(match, 3)
    assert "3.1 face down (Ann, paid for)" in long
    assert "3.1 face down (Ann, paid)  3.2 Cure (Bob)" in named.replace(", 3.2", "  3.2")
    assert "3.1 face down (paid)" in listed
    assert "3.2 Cure (" not in listed
    assert ", 2 spells, 1 paid" in counted
    for text in (named, listed, counted):
        assert re.search(r"1 Ann .*Prismatic ray pd", text)
        assert re.search(r"2 Bob .*Invisibility pd", text)
    assert re.search(r"1 Ann .* Ray pd", least)
    assert " 2sp 1pd" in boards(match, 3, 39)[-1]
    for text in (named, listed, counted, least):
        assert "Foul play: 2g." in text
    everybody_passes(match)
    assert not any("Foul play" in text for text in boards(match, 3))


@pytest.mark.parametrize(("edition", "lies"), [("ikasamage", False), ("cheaty-mages", True)])
def test_in_2013_the_boards_say_that_confusion_lies_on_the_judge_since_it_may_leave(edition: str, lies: bool) -> None:
    """Rules 5.7, C3.4."""
    match = given(edition=edition, hands={1: "confusion cure", 2: "cure"})
    do(match, 1, "cast confusion")
    long, *short = boards(match)
    assert ("No judgement while it lies there" in long) == ("Confusion lies on the judge (Ann)" in long) == lies
    assert ("No judgement this round" in long) == (not lies)
    for text in short:
        assert ("No judgement while Confusion (Ann) lies on the judge." in " ".join(text.split())) == lies
        assert ("No judgement this round." in text) == (not lies)


def test_a_card_that_was_slipped_in_counts_in_the_sums_of_who_knows_it_until_it_is_struck() -> None:
    """Rule 10.2."""
    match = given(hands={1: "shrink", 2: "cure"}, judge="zapp", options=ArenaOptions(illegal_plays="discard"))
    do(match, 1, "cast shrink 2")
    assert "2 Orc: power 2 -> -10, mana 10" in boards(match, 1)[1]
    assert "2 Orc: power 2?, mana 0?" in boards(match, 2)[1]
    everybody_passes(match)
    assert "2 Orc: power 2, mana 0" in boards(match, 1)[1]


def test_the_board_fits_forty_columns_and_is_ascii() -> None:
    match = given(hands={1: "cure might dispel_magic reflection"}, judge="ferine", on={2: "might@1 slow@2 cure@3"})
    for width in (40, 80):
        for line in plain(ArenaWords(match.deck).board(match.view(1), ["A" * 40, "Bob", "Cy"], width)):
            assert len(line) <= width
            assert line.isascii()


def test_every_action_word_of_the_help_can_be_read() -> None:
    for line in WORDS.help.splitlines():
        example = re.split(r"  +", line)[0]
        assert read(example) is not None


def test_the_question_says_what_to_type() -> None:
    match = given(hands={1: "cure"})
    words = ArenaWords(match.deck)
    assert words.ask(match.view(1), match.legal_actions(1)).endswith("for example: cast cure 1.")
    empty = given(hands={1: "recall"}, judge="morla")
    assert "nothing to cast" in words.ask(empty.view(1), empty.legal_actions(1))


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
    assert WORDS.write(action) == line


def test_an_action_of_another_game_is_not_written() -> None:
    with pytest.raises(TypeError, match="is no action of this game"):
        WORDS.write(Action())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("bet 100", "'100' is no number for a fighter."),
        ("cast m 3", "'m' could be magic_missile or meteor_strike or might or mana_boost."),
        ("x" * 25, f"There is no action '{'x' * 24}'; there are: bet, cast, discard, done, draw, look, pass."),
        ("look might", "It takes a card and a fighter, for example: look might 3."),
        ("look might 3 3", "It takes a card and a fighter, for example: look might 3."),
        ("done 3", "It takes nothing after done."),
        ("cast fireball", "It takes a fighter, for example: cast fireball 3."),
        ("cast fireball 3 4", "It takes a fighter, for example: cast fireball 3."),
        ("cast metamorphosis", "It takes a fighter, for example: cast metamorphosis 3."),
        ("cast recall 1", "It takes no target: cast recall."),
        ("cast recall down", "It takes a fighter, for example: cast recall 3."),
        ("cast amnesia", "It takes a seat, for example: cast amnesia 2."),
        ("cast imitation 2", "It takes a placed card and one set aside, for example: cast imitation 2 4."),
        ("cast alteration 3.2", "It takes a spell and a fighter, for example: cast alteration 3.2 5."),
        ("cast dispel_magic", "It takes a spell in play, for example: cast dispel_magic 3.2."),
        ("cast dispel_magic 3.2 4", "It takes a spell in play, for example: cast dispel_magic 3.2."),
        ("cast dispel_magic x.1", "'x' is no number for a fighter."),
        ("cast dispel_magic 3.x", "'x' is no number for a place."),
        ("cast amnesia x", "'x' is no number for a seat."),
        ("cast imitation 2 x", "'x' is no number for a bet."),
    ],
)
def test_what_is_missing_or_too_much_is_said_word_for_word(line: str, says: str) -> None:
    with pytest.raises(Unreadable) as unreadable:
        read(line, hand="cure fireball")
    assert str(unreadable.value) == says


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
    assert match.game.words.ask(match.view(1), match.legal_actions(1)) == says


def test_who_has_to_discard_or_may_draw_is_told_how() -> None:
    match = given(hands={1: "amnesia cure", 2: "might"})
    words = match.game.words
    do(match, 1, "cast amnesia 2")
    assert words.ask(match.view(2), match.legal_actions(2)) == "You must discard a card, for example: discard might"
    do(match, 2, "discard might")
    everybody_passes(match)
    assert words.ask(match.view(1), match.legal_actions(1)) == (
        "Discard what you do not want (discard cure), then draw: done"
    )
    do(match, 1, "done")
    assert words.ask(match.view(2), match.legal_actions(2)) == "Say done to draw."


@pytest.mark.parametrize(
    ("reason", "winners", "says"),
    [
        ("money", ["Bob"], "Bob wins with 9 gold."),
        ("cards", ["ada"], "ada wins: 9 gold like others, but more cards in hand."),
        ("shared", ["ada", "Bob"], "The win is shared by ada and Bob, with 9 gold."),
    ],
)
def test_an_ending_says_who_won_and_by_what(reason: str, winners: list[str], says: str) -> None:
    assert WORDS.ending(reason, winners, 9) == says
