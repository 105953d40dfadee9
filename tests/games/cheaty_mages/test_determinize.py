"""Dealing anew what a seat cannot know: everything that was possible stays possible, and nothing known changes."""

from collections import Counter

import pytest

from games.api import Options, options_from
from games.chance import Chance
from games.cheaty_mages.determinize import _chosen
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState
from games.registry import get_game
from games.testing.exam import random_match
from tests.games.cheaty_mages.given import do, given, hand, row

VARIANTS: list[dict[str, object]] = [{}, {"foul_play": True}, {"illegal_plays": "discard", "foul_play": True}]


def cards_of(match: ArenaState) -> Counter[int]:
    rows = [lying.card for spells in match.rows for lying in spells]
    held = [card for cards in match.hands for card in cards]
    return Counter([*match.pile, *match.discard, *held, *rows, *(one.card for one in match.enduring)])


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_redeal_keeps_every_card_once_and_what_was_possible(game_id: str, variant: dict[str, object]) -> None:
    game = get_game(game_id)
    options: Options = options_from(game, variant)
    chance = Chance.of_number(9)
    for number in range(3):
        for moment in random_match(game, 3 + number, options, number):
            match = moment.state
            assert isinstance(match, ArenaState)
            observer = chance.choice("observer", [None, *range(1, match.seats + 1)])
            other = match.redeal(observer, chance)
            assert set(cards_of(other)) == set(range(72))
            assert max(cards_of(other).values()) == 1
            assert [len(held) for held in other.hands] == [len(held) for held in match.hands]
            for mine, theirs in zip(match.rows, other.rows, strict=True):
                cards = {lying.card for lying in theirs}
                for was, lying in zip(mine, theirs, strict=True):
                    known = was.face_up or (observer and was.knowers >> observer & 1)
                    kind_of = match.deck.kind_of
                    assert kind_of[lying.card] == kind_of[was.card] or not known
                    assert lying.face_up or lying.possible >> match.deck.kind_of[lying.card] & 1
                    assert lying.doubles < 0 or lying.doubles in cards
            for seat in range(1, match.seats + 1):
                assert len(other.bets[seat]) == len(match.bets[seat])


def test_others_bets_hands_and_piles_differ_after_a_redeal() -> None:
    match = given(hands={1: "cure", 2: "might slow haste", 3: "shrink"}, bets={2: (1, 2)}, on={4: "might@2"})
    chance = Chance.of_number(1)
    others = [match.redeal(1, chance) for _ in range(60)]
    assert len({tuple(hand(other, 2)) for other in others}) > 20
    assert len({other.bets[2] for other in others}) == 10
    assert len({tuple(row(other, 4)) for other in others}) > 5
    assert len({other.judge_pile[-1] for other in others}) == 7
    assert len({other.fighter_pile[-1] for other in others}) == 5
    assert len({other.pile[-1] for other in others}) > 20
    assert {tuple(hand(other, 1)) for other in others} == {("cure",)}
    assert len({other.chance.clone().below("starter", 1000) for other in others}) > 50


def test_a_card_laid_under_a_judge_who_refuses_forbidden_spells_is_none() -> None:
    match = given(hands={1: "might", 2: "cure"}, judge="zapp")
    do(match, 1, "cast might 3")
    chance = Chance.of_number(2)
    seen = {name for _ in range(300) for name in row(match.redeal(2, chance), 3)}
    forbidden = {spell.name for spell in match.deck.spells if spell.forbidden}
    assert not seen & forbidden
    assert seen == {spell.name for spell in match.deck.spells if spell.is_face_down} - forbidden


def test_a_hidden_card_is_a_direct_one_only_where_its_owner_had_prismatic_ray() -> None:
    match = given(hands={1: "prismatic_ray might cure", 2: "slow slow"})
    do(match, 1, "cast prismatic_ray")
    do(match, 2, "cast slow 2")
    do(match, 1, "cast might 1")
    chance = Chance.of_number(2)
    others = [match.redeal(3, chance) for _ in range(200)]
    kinds = {name: match.deck.spells[match.deck.number[name]].kind for name in match.deck.number}
    assert {kinds[name] for other in others for name in row(other, 1)} == {"direct", "enchant"}
    assert {kinds[name] for other in others for name in row(other, 2)} == {"enchant"}


def test_a_paid_hidden_card_is_a_refused_one() -> None:
    foul = ArenaOptions(foul_play=True)
    match = given(hands={1: "shrink", 2: "cure"}, judge="zapp", round=3, money={1: 2}, options=foul)
    do(match, 1, "cast shrink 3 pay")
    chance = Chance.of_number(2)
    assert {name for _ in range(60) for name in row(match.redeal(2, chance), 3)} == {"giant_growth", "shrink"}


def test_who_looked_keeps_seeing_the_card_in_every_redeal() -> None:
    match = given(hands={1: "detect_magic", 2: "cure"}, on={4: "might@2"})
    do(match, 1, "cast detect_magic 4")
    chance = Chance.of_number(2)
    assert {tuple(row(match.redeal(1, chance), 4)) for _ in range(30)} == {("might",)}
    assert len({tuple(row(match.redeal(3, chance), 4)) for _ in range(30)}) > 3


def test_cards_change_places_only_with_cards_of_the_same_pile() -> None:
    """Who counts cards knows that a renewed pile holds the discards, and the hands what was drawn before."""
    match = given(hands={1: "cure recall", 2: "shrink giant_growth", 3: "refresh"})
    match.discard = [card for card in match.pile if match.deck.name_of[card] in ("might", "slow")]
    match.pile = []
    do(match, 1, "cast recall")
    chance = Chance.of_number(2)
    before = {"cure", "shrink", "giant_growth", "refresh"}
    for _ in range(40):
        other = match.redeal(None, chance)
        held = {name for seat in (2, 3) for name in hand(other, seat)}
        assert held < before
        assert {match.deck.name_of[card] for card in other.pile} <= {"might", "slow", "recall"}


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_refusal_and_the_list_of_legal_actions_agree(game_id: str, variant: dict[str, object]) -> None:
    game = get_game(game_id)
    options = options_from(game, variant)
    known = {
        action
        for number in range(4)
        for moment in random_match(game, 4, options, number)
        for seat in moment.state.to_move()
        for action in moment.state.legal_actions(seat)
    }
    every = sorted(known, key=repr)
    assert len(every) > 200
    chance = Chance.of_number(3)
    for moment in random_match(game, 4, options, 77):
        for seat in moment.state.to_move():
            legal = set(moment.state.legal_actions(seat))
            for _ in range(60):
                action = chance.choice("probe", every)
                assert (moment.state.refusal_reason(seat, action) is None) == (action in legal), action


def test_of_cards_that_may_lie_in_several_places_every_way_is_as_likely() -> None:
    draws = Chance.of_number(8).quick("ways")
    ways = Counter(tuple(_chosen([([1, 2], 2), ([1, 3, 4], 3)], draws)) for _ in range(4_000))
    assert set(ways) == {(1, 3), (1, 4), (2, 1), (2, 3), (2, 4)}
    assert all(700 < count < 900 for count in ways.values()), ways
    assert _chosen([([1], 1), ([1, 2], 2)], draws) == [1, 2]


def test_a_hand_keeps_after_a_redeal_from_which_pile_each_of_its_cards_was_drawn() -> None:
    match = given(hands={1: "cure", 2: "might slow haste", 3: "shrink"})
    match.renewals = 1  # the discard has become the pile once, and seat 2 drew two cards since
    for card in (*match.pile, *match.hands[2][:2]):
        match.drawn[card] = 1
    before = [sorted(match.drawn[card] for card in held) for held in match.hands]
    for number in range(10):
        other = match.redeal(1, Chance.of_number(number))
        assert [sorted(other.drawn[card] for card in held) for held in other.hands] == before


@pytest.mark.parametrize(("lying", "tells"), [("might@3", False), ("slow@3", True)])
def test_a_card_that_leaves_a_hand_may_be_of_the_pile_of_its_like_that_lies_face_down(lying: str, tells: bool) -> None:
    match = given(hands={1: "amnesia cure", 2: "might haste", 3: "cure"}, on={4: lying})
    might, haste = (card for name in ("might", "haste") for card in match.hands[2] if match.deck.name_of[card] == name)
    match.renewals = 1  # the discard has become the pile once, and seat 2 drew the Might since
    for card in (*match.pile, might):
        match.drawn[card] = 1
    do(match, 1, "cast amnesia 2")
    do(match, 2, "discard might")
    assert (match.drawn[haste] == 0) == tells


@pytest.mark.parametrize("choices", [[([1, 2], 2)], [([1, 2], None)], [([], None), ([1, 2], None)]])
def test_a_card_that_fits_as_often_as_it_may_takes_a_single_draw(choices: list[tuple[list[int], int | None]]) -> None:
    draws, twin = (Chance.of_number(8).quick("ways") for _ in range(2))
    fits = [choice for choice in choices if choice[0]]
    assert _chosen(fits, draws) == [twin.choice(cards) for cards, _most in fits]
    assert draws.shuffled(list(range(20))) == twin.shuffled(list(range(20)))
