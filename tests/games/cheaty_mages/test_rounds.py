"""Ikasamage: setup, the beginning of a round, bets, drawing, the end."""

from collections import Counter

import pytest

from games.api import options_from
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.deck import get_deck
from games.cheaty_mages.game import IKASAMAGE
from games.cheaty_mages.moves import all_bets
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState, start_match
from games.registry import get_game
from tests.games.cheaty_mages.given import (
    discards,
    do,
    everybody_passes,
    given,
    hand,
    heard,
    nobody_discards,
    row,
    why,
    you,
)
from tests.games.cheaty_mages.owned import TINY

BETS = all_bets(5, 3)  # of the printed game


def fresh(seats: int = 4, number: int = 5) -> ArenaState:
    return start_match(get_game("ikasamage"), get_deck("ikasamage"), seats, ArenaOptions(), Chance.of_number(number))[0]


@pytest.mark.parametrize("edition", ["ikasamage", "cheaty-mages"])
def test_a_player_can_check_the_deal_by_the_rules_page(edition: str) -> None:
    chance = Chance.of_number(11)
    spells = chance.shuffle("spells", range(72))
    judges = chance.shuffle("judges", range(8))
    starter = chance.choice("starter", [1, 2, 3, 4])
    fighters = chance.shuffle("fighters", range(10))
    cards = get_deck(edition)
    copies = [spell.name for spell in cards.spells for _ in range(spell.count)]
    if edition == "cheaty-mages":
        assert copies[70:] == ["duplicate", "duplicate"]
    _match, told = start_match(get_game(edition), cards, 4, ArenaOptions(), Chance.of_number(11))
    for seat in (1, 2, 3, 4):
        drawn = sorted(spells.pop() for _ in range(8))
        assert events.YouDrew(tuple(copies[card] for card in drawn)) in heard(told, seat)
    public = heard(told)
    assert events.Starts(starter, True) in public
    assert events.JudgeDrawn(cards.judges[judges[-1]].name) in public
    assert events.FightersDrawn(tuple(cards.fighters[place].name for place in fighters[:-6:-1])) in public


def test_three_to_six_play_and_nobody_has_money() -> None:
    """Rule 1.1."""
    game = get_game("ikasamage")
    assert (game.min_seats, game.max_seats) == (3, 6)
    assert fresh(6).money[1:] == [0] * 6
    for seats in (2, 7):
        with pytest.raises(ValueError, match="3 to 6 players"):
            game.start(seats, options_from(game, {}), Chance.of_number(1))


def test_the_cards_are_those_of_the_list() -> None:
    """Rule 1.2."""
    match = fresh()
    spells = [*match.pile, *(card for held in match.hands for card in held)]
    assert sorted(spells) == list(range(72))
    assert len({*match.fighters, *match.fighter_pile}) == 10
    assert len({match.judge, *match.judge_pile}) == 8
    kinds = Counter(spell.kind for spell in match.deck.spell_of)
    assert kinds == {"direct": 24, "enchant": 31, "support": 17}
    assert len(match.deck.spells) == 36
    assert fresh(number=5).pile != fresh(number=6).pile


def test_hands_depend_on_the_number_of_players() -> None:
    """Rule 1.3."""
    for seats, size in ((3, 8), (4, 8), (5, 6), (6, 5)):
        assert [len(held) for held in fresh(seats).hands[1:]] == [size] * seats


def test_five_betting_cards_give_twenty_five_bets() -> None:
    """Rule 1.4."""
    assert list(fresh().legal_actions(fresh().turn)) == list(BETS)
    assert len(BETS) == 25


def test_a_match_is_three_rounds() -> None:
    """Rule 1.5."""
    for number, phase in ((1, "redraw"), (2, "redraw"), (3, "over")):
        match = given(round=number, hands={1: "cure"})
        everybody_passes(match)
        assert match.phase == phase


def test_chance_says_who_begins_first_and_all_hear_it() -> None:
    """Rule 2.1."""
    starters = set()
    for number in range(30):
        match, told = start_match(
            get_game("ikasamage"), get_deck("ikasamage"), 4, ArenaOptions(), Chance.of_number(number)
        )
        assert events.Starts(match.starter, True) in heard(told)
        starters.add(match.starter)
    assert starters == {1, 2, 3, 4}


def test_the_richest_begins_the_next_round() -> None:
    """Rule 2.2."""
    match = given(hands={1: "cure"}, money={1: 3, 2: 90, 3: 4}, round=1)
    everybody_passes(match)
    told = nobody_discards(match)
    assert match.starter == match.turn == 2
    assert events.Starts(2, False) in heard(told)


def test_chance_chooses_among_the_richest() -> None:
    """Rule 2.2."""
    starters = set()
    for number in range(20):
        match = given(hands={1: "cure"}, money={2: 90, 3: 90})
        match.chance = Chance.of_number(number)
        everybody_passes(match)
        told = nobody_discards(match)
        assert events.Starts(match.starter, True) in heard(told)
        starters.add(match.starter)
    assert starters == {2, 3}


def test_five_fighters_stand_and_five_are_left() -> None:
    """Rule 2.3."""
    match = fresh()
    assert (len(match.fighters), len(match.fighter_pile)) == (5, 5)
    assert not set(match.fighters) & set(match.fighter_pile)


def test_the_top_judge_comes_and_an_empty_pile_is_made_anew() -> None:
    """Rule 2.4."""
    match = given(hands={1: "cure"})
    top = match.judge_pile[-1]
    everybody_passes(match)
    nobody_discards(match)
    assert match.judge == top
    match = given(hands={1: "cure"})
    match.judges_gone, match.judge_pile = match.judge_pile, []
    gone = list(match.judges_gone)
    everybody_passes(match)
    nobody_discards(match)
    assert match.judge in gone
    assert sorted([match.judge, *match.judge_pile]) == sorted(gone)
    assert match.judges_gone == [match.deck.judges.index(next(one for one in match.deck.judges if one.name == "lawty"))]


def test_bets_go_round_once_from_the_starter() -> None:
    """Rule 3.1."""
    match = fresh(4, number=5)
    order = []
    while match.phase == "bet":
        order.append(match.turn)
        do(match, match.turn, "bet 2 5")
    first = match.starter
    assert order == [(first - 1 + step) % 4 + 1 for step in range(4)]
    assert match.turn == first


def test_no_bet_but_one_to_three_fighters() -> None:
    """Rule 3.1."""
    match = fresh()
    for line in ("bet", "bet 1 2 3 4", "bet 0", "bet 6", "bet 2 2"):
        assert why(match, match.turn, line) == "no_such_bet", line


def test_others_hear_how_many_cards_were_placed_and_not_which() -> None:
    """Rule 3.2."""
    match = fresh()
    seat = match.turn
    told = do(match, seat, "bet 2 5")
    other = seat % 4 + 1
    assert heard(told, seat) == [events.YouBet((2, 5))]
    assert heard(told, other) == heard(told, None) == [events.BetPlaced(seat, 2)]
    assert match.view(other).table.players[seat - 1].bets == 2
    assert you(match, seat).bet == (2, 5)


def test_bets_cost_nothing_and_come_back() -> None:
    """Rule 3.3."""
    match = given(
        hands={1: "cure"}, bets={1: (5,), 2: (2,), 3: (3,)}, fighters=("dragon", "orc", "goblin", "ghost", "demon")
    )
    everybody_passes(match)
    assert match.money[1:] == [0, 0, 0]
    nobody_discards(match)
    assert match.bets[1:] == [(), (), ()]


def test_discards_before_drawing_are_in_turn_and_public() -> None:
    """Rule 8.1."""
    match = given(hands={1: "cure might slow", 2: "fireball", 3: "haste"}, turn=2)
    everybody_passes(match)
    assert (match.phase, match.turn) == ("redraw", 2)
    do(match, 2, "done")
    do(match, 3, "done")
    told = do(match, 1, "discard might slow")
    assert heard(told, 3) == [events.Discarded(1, "might"), events.Discarded(1, "slow")]
    assert discards(match)[-2:] == ["might", "slow"]
    do(match, 1, "done")
    assert len(hand(match, 1)) == 5
    assert match.phase == "bet"


def test_what_is_drawn_depends_on_players_and_hand() -> None:
    """Rule 8.2."""
    for seats, held, after in ((4, 2, 6), (3, 5, 8), (4, 8, 8), (5, 2, 5), (6, 4, 6), (6, 6, 6)):
        match = get_game("ikasamage").build_position(
            {"seats": seats, "hands": {1: held}, "phase": "judged"}, Chance.of_number(1)
        )
        assert isinstance(match, ArenaState)
        nobody_discards(match)
        assert len(match.hands[1]) == after, (seats, held)


def test_nobody_draws_after_the_last_round() -> None:
    """Rule 8.3."""
    match = given(hands={1: "cure", 2: "might"}, round=3)
    told = everybody_passes(match)
    assert hand(match, 1) == ["cure"]
    assert not [one for one in told if isinstance(one.event, events.Drew)]
    assert match.to_move() == frozenset()


def test_an_empty_spell_pile_is_made_of_the_discards() -> None:
    """Rule 8.4."""
    match = given(hands={1: "recall cure"})
    match.discard, match.pile = match.pile, []
    count = len(match.discard)
    told = do(match, 1, "cast recall")
    assert events.Reshuffled(count) in heard(told)
    assert len(match.hands[1]) == 2
    assert len(match.pile) == count - 1


def test_with_both_piles_empty_nothing_is_drawn() -> None:
    """Rule 8.4."""
    match = given(hands={1: "cure", 2: "might", 3: "slow"})
    everybody_passes(match)
    match.pile = []
    nobody_discards(match)
    assert [hand(match, seat) for seat in (1, 2, 3)] == [["cure"], ["might"], ["slow"]]


def test_a_round_leaves_nothing_behind() -> None:
    """Rule 9.1."""
    match = given(hands={1: "cure"}, on={1: "healing might@2", 3: "reflection"})
    judge = match.judge
    everybody_passes(match)
    nobody_discards(match)
    assert all(not row(match, fighter) for fighter in range(1, 6))
    assert sorted(discards(match)) == ["healing", "might", "reflection"]
    assert match.view(None).table.result == ()
    assert len({*match.fighters, *match.fighter_pile}) == 10
    assert judge in match.judges_gone
    assert judge not in match.judge_pile
    assert match.open_fighters == 0b111110


def test_most_money_wins() -> None:
    """Rule 9.2."""
    match = given(hands={1: "cure"}, round=3, money={1: 5, 2: 9, 3: 9}, bets={2: (5,)})
    everybody_passes(match)
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.places, outcome.reason) == ((5, 17, 9), (3, 1, 2), "money")


def test_equal_money_goes_by_cards_in_hand() -> None:
    """Rule 9.3."""
    match = given(hands={1: "cure", 2: "might slow"}, round=3, money={1: 5, 2: 5, 3: 4})
    everybody_passes(match)
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.places, outcome.reason) == ((2, 1, 3), "cards")


def test_equal_money_and_cards_share_the_win() -> None:
    """Rule 9.3."""
    match = given(hands={1: "cure", 2: "might"}, round=3, money={1: 5, 2: 5, 3: 4})
    everybody_passes(match)
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.places, outcome.reason) == ((1, 1, 3), "shared")


def test_what_is_done_for_a_player_whose_time_is_up() -> None:
    """Rule 11.5."""

    def done(match: ArenaState, seat: int) -> set[str]:
        return {
            match.game.words.format_action(match.default_action(seat, Chance.of_number(number)))
            for number in range(300)
        }

    betting = given(hands={1: "might", 2: "cure slow", 3: "cure"}, phase="bet", bets={})
    assert done(betting, 1) == {betting.game.words.format_action(bet) for bet in BETS}
    match = given(hands={1: "amnesia might", 2: "cure slow", 3: "cure"})
    assert done(match, 1) == {"pass"}
    do(match, 1, "cast amnesia 2")
    assert done(match, 2) == {"discard cure", "discard slow"}
    do(match, 2, "discard cure")
    everybody_passes(match)
    assert done(match, match.turn) == {"done"}


def test_before_the_first_bet_nothing_has_happened() -> None:
    match = fresh(3)
    assert (match.round, match.phase, match.starter, match.forgetting, match.result) == (1, "bet", match.turn, 0, None)
    assert (match.bets, match.passed) == ([()] * 4, [False] * 4)
    assert (match.discard, match.judges_gone, match.rows, match.enduring) == ([], [], [[], [], [], [], []], [])
    assert (match.unrefusable, match.hides_directs, match.no_judgement, match.renewals) == (0, 0, False, 0)
    assert (match.open_fighters, match.drawn) == (0b111110, [0] * 72)


def test_each_new_pile_has_the_next_number() -> None:
    """Rule 8.4."""
    match = fresh(3)
    for number in (1, 2):
        match.pile, match.discard = [], match.pile
        match.draw_top_spell([])
        assert match.renewals == number
        assert {match.drawn[card] for card in match.pile} == {number}


def test_what_is_only_remembered_is_no_part_of_a_match() -> None:
    match = given(hands={1: "cure might", 2: "slow"}, on={1: "might@1 cure@2"})
    looked_at = match.clone()
    for seat in (None, 1, 2, 3):
        looked_at.view(seat)
    looked_at.discard_view = ("cure",)
    assert looked_at == match
    assert repr(looked_at) == repr(match)
    assert "game=" not in repr(match)


def test_matches_of_two_games_with_the_same_cards_are_the_same() -> None:
    one, other = (IKASAMAGE.with_cards(TINY) for _ in range(2))
    assert one.build_position({}, Chance.of_number(1)) == other.build_position({}, Chance.of_number(1))
