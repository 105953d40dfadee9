"""Card files: what is refused and why, and that everything follows the figures of a file."""

from collections.abc import Callable
from typing import Any

import pytest

from games.api import CardsRefused, Game, Options, options_from, plain_lines
from games.chance import Chance
from games.cheaty_mages.deck import get_deck
from games.cheaty_mages.editions import read_edition
from games.cheaty_mages.game import CHEATY_MAGES, IKASAMAGE, ArenaGame
from games.cheaty_mages.rules import ArenaState
from games.registry import get_game
from games.testing.exam import examine_match, examine_position, examine_redeals
from languages import speaking
from tests.games.cheaty_mages.given import do, everybody_passes, nobody_discards
from tests.games.cheaty_mages.owned import FEW, TEXT, TINY, changed
from tests.helpers.variants import combinations, each_once

GAMES = (IKASAMAGE, CHEATY_MAGES)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_printed_game_has_the_printed_cards_and_a_copy_of_its_file_is_the_same_game(game: ArenaGame) -> None:
    cards = game.deck
    assert (len(cards.kind_of), len(cards.fighters), len(cards.judges), cards.rounds) == (72, 10, 8, 3)
    copy = game.with_cards(TEXT)
    assert copy.deck.edition == cards.edition == read_edition(TEXT, game.id)
    assert (copy.min_seats, copy.max_seats) == (game.min_seats, game.max_seats) == (3, 6)
    assert (copy.card_file_text(), len(copy.cards_digest)) == (TEXT, 16)
    assert (game.card_file_text(), game.cards_digest) == ("", "")


LINE = TEXT.splitlines().index('name = "giant_growth"')  # the line before it, counted from 1, is the [[spell]]
GROWTH = ('name = "giant_growth"\ntitle = "Giant Growth"', 'kind = "enchant"\ncount = 1\nmana = 10\npower = 12')


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('"giant_growth"', '"Giant"', "lower-case"),
        ('"giant_growth"', '"pay"', "this word is an action"),
        ('"giant_growth"', '"recall"', "the name of a Support spell"),
        ('"giant_growth"', '"reflection"', "lies face up"),
        ('"Giant Growth"', '""', "a title is one line"),
        ('"Giant Growth"', f'"{"G" * 41}"', "1 to 40 characters"),
        ('"Giant Growth"', '"Giant\\nGrowth"', "a title is one line"),
        ("count = 1", "count = 21", "count is 0 to 20"),
        ("count = 1", "count = -1", "count is 0 to 20"),
        ("count = 1", "count = true", "int"),
        ("mana = 10", "mana = 21", "mana is -20 to 20"),
        ("mana = 10", "manna = 10", "manna"),
        ("power = 12", "power = -21", "power is -20 to 20"),
        ("power = 12", "power = 12\nprize_times = 5", "prize_times is 1 to 4"),
        ("power = 12", "power = 12\nface_up = true", "lies face up"),
        ("power = 12", "power = 12\nthrough_reflection = true", "for Support spells"),
        ("power = 12", 'power = 12\ntarget = "player"', "only a Support spell has such a target"),
        ("power = 12", 'power = 12\nenduring = "judge"', "only a Support spell endures"),
        ('"enchant"', '"enchanted"', "enchanted"),
        ('"enchant"', '"support"', "the rules know Support spells by their names"),
        ('"Power +12."', '""', "a text is one line"),
        ('"Power +12."', f'"{"P" * 201}"', "1 to 200 characters"),
    ],
)
def test_a_bad_spell_is_refused_with_line_card_and_reason(before: str, after: str, reason: str) -> None:
    at = TEXT.index(GROWTH[0])
    with pytest.raises(CardsRefused) as refused:
        IKASAMAGE.with_cards(TEXT[:at] + changed(TEXT[at:], (before, after)))
    assert str(refused.value).startswith(f"line {LINE}, spell ")
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('target = "player"', 'target = "bet"', "spell 'amnesia': its target is 'player'"),
        ('target = "move"', 'target = "move"\nenduring = "judge"', "enduring is ''"),
        ('target = "move"', 'target = "move"\nmana = 1', "a Support spell has no numbers"),
        ('target = "move"', 'target = "move"\nthrough_reflection = true', "is for spells at a fighter"),
        ('name = "confusion"\ntitle = "Confusion"\nkind = "support"\ncount = 1',
         'name = "confusion"\ntitle = "Confusion"\nkind = "support"\ncount = 2', "there can be one only"),
        ('name = "reflection"\ntitle = "Reflection"\nkind = "enchant"',
         'name = "reflection"\ntitle = "Reflection"\nkind = "direct"', "reflection is an Enchant spell"),
        ("[edition.cheaty-mages.spells.duplicate]", "[edition.cheaty-mages.spells.dupe]",
         "'dupe', which does not exist"),
        ("[edition.cheaty-mages.spells.duplicate]", "[edition.cheaty-mages.spells.duplicate]\nname = 'x'",
         "cannot change names"),
        ("[edition.ikasamage]", "[edition.ikasamage]\nspells = 2", "spells is a table"),
        ('name = "orc"', 'name = "goblin"', "two cards have one name"),
        ('title = "Orc"', 'title = "Goblin"', "two cards have one title"),
        ("power = 9\nprize = 3", "power = 10\nprize = 3", "two fighters of one power"),
        ("power = 9\nprize = 3", "power = 51\nprize = 3", "fighter 'demon': power is 0 to 50"),
        ("power = 9\nprize = 3", "power = 9\nprize = 51", "prize is 0 to 50"),
        ('refuses = ["direct"]', 'refuses = ["dreict"]', "judge 'orlair': refuses names"),
        ('refuses = ["direct"]', 'refuses = ["direct", "direct"]', "one kind twice"),
        ("support = { limit = 5", "dirt = { limit = 5", "dirt"),
        ("support = { limit = 5", "# { limit = 5", "three rows"),
        ("[judge.reveals]", 'judgement = { limit = 1, verdict = "eject" }\n[judge.reveals]', "either a judgement or"),
        ("limit = 12, ", "limit = 100, ", "a limit is 0 to 99"),
        ("limit = 12, ", "limit = -1, ", "a limit is 0 to 99"),
        ("dispels_up_to = 4", "dispels_up_to = -100", "dispels_up_to is -99 to 99"),
        ("rounds = 3", "rounds = 0", "[house]: rounds are 1 to 9"),
        ("rounds = 3", "rounds = 10", "rounds are 1 to 9"),
        ("rounds = 3", "rounds = 3.0", "rounds is a whole number"),
        ("rounds = 3", "round = 3", "there is no figure 'round'"),
        ("rounds = 3", "looks_by_discarding = 1", "looks_by_discarding is true or false"),
        ("rounds = 3", "starting_money = 100", "starting_money is 0 to 99"),
        ("rounds = 3", "starting_money = -1", "starting_money is 0 to 99"),
        ("fighters = 5", "fighters = 6", "fighters are 2 to 5"),
        ("fighters = 5", "fighters = 1", "fighters are 2 to 5"),
        ("fighters = 5\nbets = 3", "fighters = 2\nbets = 3", "bets are 1 to 2"),
        ("bets = 3", "bets = 0", "bets are 1 to 3"),
        ("bets = 3", "bets = 4", "bets are 1 to 3"),
        ("[house]", "[[house]]", "house is a table"),
        ("[house]", "[haus]", "[haus]: this section does not exist"),
        ("dealt = { 3 = 8,", "dealt = { 2 = 8, 3 = 8,", "for the same numbers of seats"),
        ("dealt = { 3 = 8,", "dealt = { 3 = 13,", "dealt is 1 to 12"),
        ("dealt = { 3 = 8,", "dealt = { 3 = 0,", "dealt is 1 to 12"),
        ("drawn = { 3 = 4,", "drawn = { 3 = -1,", "drawn and limit are 0 to 12"),
        ("dealt = { 3 = 8,", "dealt = { three = 8,", "dealt"),
        ("dealt = {", "given = {", "given"),
        ("6 = 5 }", "6 = 12 }", "several recall could be drawn for ever"),
        ("[edition.ikasamage]\nstarting_money = 0", "[edition.ikasamage]\nmoney = 0", "there is no figure 'money'"),
        ("[edition.ikasamage]", "[edition.other]", "the editions are ikasamage and cheaty-mages"),
        ("[[spell]]", "[[spell]", "it is not TOML"),
        ("[[fighter]]", "[fighter]", "TOML"),
        ("limit = 10, verdict", "limit = 9, verdict", "a match might never end"),
        ("prize = 10", "prize = 50", "a player could get more than 999 gold"),
    ],
)  # fmt: skip
def test_a_wrong_card_file_is_refused(before: str, after: str, reason: str) -> None:
    with pytest.raises(CardsRefused, match=r"^line \d+, ") as refused:
        CHEATY_MAGES.with_cards(changed(TEXT, (before, after)))
    assert reason in str(refused.value)


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


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("cards", [TINY, FEW], ids=["tiny", "few"])
@pytest.mark.parametrize("drawn", [each_once, pytest.param(combinations, marks=pytest.mark.soak)])
def test_a_game_with_a_card_file_takes_the_exam(
    game: ArenaGame, cards: str, drawn: Callable[[Game], list[tuple[int, Options]]]
) -> None:
    own = game.with_cards(cards)
    tables = list(enumerate(drawn(own)))
    assert all(examine_match(own, seats, options, number, each=4) > 0 for number, (seats, options) in tables)
    assert sum(examine_redeals(own, seats, options, number, each=4) for number, (seats, options) in tables) > 10
    assert sum(examine_position(own, {"phase": phase}, 1) for phase in ("bet", "cast", "judged")) > 0


def begun(cards: str, number: int = 1, game: ArenaGame = IKASAMAGE, **options: Any) -> ArenaState:
    """A match of two seats that has just been dealt."""
    own = game.with_cards(cards)
    match, _told = own.start(2, options_from(own, options), Chance.of_number(number))
    assert isinstance(match, ArenaState)
    return match


def test_rounds_seats_hands_money_and_fighters_are_those_of_the_file() -> None:
    match = begun(changed(FEW, ("bets = 2", "bets = 2\nstarting_money = 7")))
    assert (match.game.min_seats, match.game.max_seats, match.money) == (2, 3, [0, 7, 7])
    rounds = []
    while match.phase != "over":
        rounds.append(match.round)
        assert ([len(hand) for hand in match.hands], len(match.fighters), len(match.rows)) == ([0, 6, 6], 3, 3)
        for _ in range(2):
            do(match, match.turn, "bet 1 2")
        everybody_passes(match)
        nobody_discards(match)
    assert rounds == [1, 2, 3, 4]


def test_boards_and_questions_say_the_figures_of_the_file() -> None:
    match = begun(FEW)
    own, view, legal = match.game, match.view(match.turn), match.legal_actions(match.turn)
    names = ["Ann", "Bob"]
    assert plain_lines(own.words.render_board(view, names, 79))[0] == "Round 1 of 4, betting"
    assert plain_lines(own.words.render_board(view, names, 79, 6))[0].startswith("R1/4 betting. Ann:")
    assert "At the end" in own.objective
    assert "three rounds" in IKASAMAGE.objective
    assert own.words.decision_prompt(view, legal) == "Place your bet on one or two fighters, for example: bet 1 2"
    assert own.words.help_text.startswith("bet 1 2                    place one or two betting cards\ncast ")
    assert len(legal) == 3 + 3
    (three,) = own.words.parse_actions("bet 1 2 3", view, legal)
    refusal = match.refusal_reason(match.turn, three)
    assert refusal is not None
    assert refusal.text == "Bet on one or two different fighters of 1 to 3."
    alone = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", "bets = 1")))
    assert alone.words.decision_prompt(view, legal) == "Place your bet on a fighter, for example: bet 2"
    with pytest.raises(ValueError, match=r"^Ikasamage! takes 2 players, not 3\.$"):
        IKASAMAGE.with_cards(TINY).check_seats(3)
    assert "bet 1 3" in IKASAMAGE.with_cards(changed(FEW, ("bets = 2", "bets = 3"))).words.decision_prompt(view, legal)


def test_foul_play_is_for_the_last_round_of_the_file() -> None:
    for number, sold in ((3, False), (4, True)):
        own = IKASAMAGE.with_cards(FEW)
        match = own.build_position({"round": number, "options": {"foul_play": True}}, Chance.of_number(1))
        assert isinstance(match, ArenaState)
        assert match.has_foul_play() is sold


def test_the_only_judge_of_a_file_comes_back() -> None:
    own = IKASAMAGE.with_cards(FEW.replace('refuses = ["forbidden"]', "", 1))
    hands = {"hands": {1: ["dimension_door"], 2: 3}}
    match = own.build_position({"seats": 2, "turn": 1, **hands}, Chance.of_number(1))
    assert isinstance(match, ArenaState)
    do(match, 1, "cast dimension_door")
    assert (match.judge, match.judge_pile, match.judges_gone) == (0, [], [])


def test_one_file_has_one_deck() -> None:
    first = get_deck("ikasamage", TINY)
    assert first is get_deck("ikasamage", TINY) is not get_deck("cheaty-mages", TINY)
    for number in range(16):
        get_deck("ikasamage", f"{TINY}\n# {number}")
    assert get_deck("ikasamage", TINY) is first  # as long as a match has it


def test_in_another_language_a_heading_says_kind_facts_and_copies() -> None:
    with speaking("fr"):
        headings = {card.name: card.heading for card in get_game("cheaty-mages").cards()}
    assert headings["cure"] == "sort direct, mana 0, puissance 2, 4 exemplaires"
    assert headings["giant_growth"] == "sort d'enchantement, mana 10, puissance 12, interdit"
    assert headings["mana_seal"] == "sort d'enchantement, mana -5, 2 exemplaires"
    assert headings["recall"] == "sort de soutien, 2 exemplaires"
    assert headings["confusion"] == "sort de soutien, persistant juge"
    assert headings["ghost"] == "combattant, puissance 5, récompense 5"
    assert headings["zapp"] == "juge, limite 15, jugement dispersion"
    assert {card.heading for card in get_game("cheaty-mages").cards()} == {""}  # English makes it of the rest


def test_the_later_edition_has_a_page_of_its_own_beside_that_of_the_first() -> None:
    assert (IKASAMAGE.rules.name, IKASAMAGE.base_rules) == ("README.md", None)
    assert (CHEATY_MAGES.rules.name, CHEATY_MAGES.base_rules) == ("cheaty_mages.md", IKASAMAGE.rules)


def test_the_exam_tries_each_option_as_it_is_not_by_itself() -> None:
    assert IKASAMAGE.exam_options == {
        "foul_play": (True, "one"),
        "illegal_plays": ("discard", "vote"),
        "printed": (True,),
    }
    assert CHEATY_MAGES.exam_options == {
        "foul_play": (False, "one"),
        "illegal_plays": ("discard", "vote"),
        "printed": (True,),
    }
