"""A described position to the last card: piles in the order that is said, chance only where nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import PositionRefused
from games.chance import Chance
from games.cheaty_mages.game import IKASAMAGE
from games.cheaty_mages.rules import Match
from games.registry import get_game
from tests.games.cheaty_mages.given import row
from tests.games.cheaty_mages.owned import FEW, changed

FOUL: dict[str, Any] = {"round": 3, "options": {"foul_play": True}}
CHEATING: dict[str, Any] = {"options": {"illegal_plays": "discard"}}


def position(edition: str = "cheaty-mages", number: int = 1, **said: Any) -> Match:
    match = get_game(edition).position(said, Chance.of_number(number))
    assert isinstance(match, Match)
    return match


def test_piles_lie_as_they_are_said_the_top_card_first() -> None:
    match = position(
        judge="lawty",
        judges_gone=["morla"],
        judge_pile=["tad", "zapp"],
        fighters=["dragon", "goblin", "orc", "ghost", "demon"],
        fighter_pile=["minotaur", "skeleton"],
        spell_pile=["recall", "might", "cure"],
    )
    deck = match.deck
    assert [deck.judges[judge].name for judge in match.judge_pile[:-3:-1]] == ["tad", "zapp"]
    assert sorted([*match.judge_pile, *match.judges_gone, match.judge]) == list(range(8))
    assert [deck.fighters[fighter].name for fighter in match.fighters] == ["dragon", "goblin", "orc", "ghost", "demon"]
    assert [deck.fighters[fighter].name for fighter in match.fighter_pile[:-3:-1]] == ["minotaur", "skeleton"]
    assert sorted(match.fighters + match.fighter_pile) == list(range(10))
    assert [deck.name_of[card] for card in match.pile[:-4:-1]] == ["recall", "might", "cure"]


@pytest.mark.parametrize("richest", [1, 2, 3])
def test_the_richest_began_where_nothing_else_is_said(richest: int) -> None:
    """Rule 2.2."""
    assert position(money={seat: 9 if seat == richest else 3 for seat in (1, 2, 3)}).starter == richest


def test_what_was_earned_in_rounds_before_is_what_a_bet_may_have_paid() -> None:
    money = [position("ikasamage", number, round=2, judge="tad").money[1:] for number in range(60)]
    assert {gold for each in money for gold in each} == {0, 2, 3, 4, 5, 6, 8}
    assert position("ikasamage").money[1:] == [0, 0, 0]
    assert position("cheaty-mages").money[1:] == [2, 2, 2]


def test_who_laid_more_than_a_hand_holds_nothing() -> None:
    laid = [{"card": name, "by": 1} for name in ("cure", "cure", "cure", "healing", "healing", "healing", "healing")]
    assert [len(hand) for hand in position(spells={1: laid}).hands] == [0, 1, 8, 8]
    more = [{"card": "magic_missile", "by": 1} for _ in range(3)]
    assert [len(hand) for hand in position(spells={1: laid, 2: more}).hands] == [0, 0, 8, 8]


def test_a_duplicate_stays_itself_on_the_card_that_it_doubles() -> None:
    match = position(spells={2: ["cure", "healing", {"card": "duplicate", "by": 3, "on": 2}]})
    assert row(match, 2) == ["cure", "healing", "duplicate"]
    assert [lying.doubles for lying in match.rows[1]] == [-1, -1, match.rows[1][1].card]
    assert match.rows[1][2].seat == 3


def test_without_a_word_on_who_did_it_anybody_may_have() -> None:
    matches = [
        position(number=number, spells={1: ["cure"]}, lasting=["invisibility"], phase="forget") for number in range(30)
    ]
    assert {match.rows[0][0].seat for match in matches} == {1, 2, 3}
    assert {match.enduring[0].seat for match in matches} == {1, 2, 3}
    assert {match.forgetting for match in matches} == {1, 2, 3}
    assert not any(match.rows[0][0].marked or match.enduring[0].marked for match in matches)


@pytest.mark.parametrize(("by", "lawful"), [(1, True), (2, False), (3, False)])
def test_invisibility_makes_lawful_what_its_owner_alone_laid_against_the_judge_s_word(by: int, lawful: bool) -> None:
    """Rules 5.8, 10.2."""
    match = position(
        judge="zapp",
        spells={1: [{"card": "giant_growth", "by": 1}]},
        lasting=[{"card": "invisibility", "by": by}],
        **CHEATING,
    )
    growth = match.rows[0][0]
    assert bool(growth.lawful >> match.deck.number["giant_growth"] & 1) is lawful


def test_what_an_unknown_judge_let_lie_may_be_any_spell_that_lies_face_down() -> None:
    """Rule 4.9."""
    match = position(judge="zapp", spells={1: [{"card": "giant_growth", "by": 1}]})
    assert match.rows[0][0].possible == match.rows[0][0].lawful == match.deck.hiding


def test_with_fewer_judges_gone_than_rounds_each_of_them_may_have_been_of_this_round() -> None:
    """Rules 2.4, 10.3."""
    paid = {1: [{"card": "giant_growth", "by": 1, "paid": True}]}
    assert position(judge="lawty", judges_gone=["zapp"], spells=paid, **FOUL).rows[0][0].marked
    with pytest.raises(PositionRefused, match="no judge of this round"):
        position(judge="lawty", judges_gone=["zapp", "tad"], spells=paid, **FOUL)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        (
            {"spells": {1: [{"card": "meteor_strike", "face_down": True}]}},
            "spells.1.1: meteor_strike cannot have been laid face down.",
        ),
        (
            {"judge": "morla", "lasting": [{"card": "confusion", "by": 1, "paid": True}], **FOUL},
            "lasting.1: confusion does not stay in play, so it is not marked as paid for.",
        ),
    ],
)
def test_what_cannot_have_been_is_refused(said: dict[str, Any], says: str) -> None:
    with pytest.raises(PositionRefused) as refused:
        position("ikasamage", **said)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("most", "said", "sizes"),
    [(1, [1, 2], "one fighter"), (2, [1, 2, 3], "one or two different fighters")],
)
def test_a_bet_too_large_for_a_file_s_house_is_refused(most: int, said: list[int], sizes: str) -> None:
    own = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", f"bets = {most}")))
    own.position({"bets": {1: said[:-1]}}, Chance.of_number(1))
    with pytest.raises(PositionRefused) as refused:
        own.position({"bets": {1: said}}, Chance.of_number(1))
    assert str(refused.value) == f"bets.1: a bet is on {sizes} of 1 to 3."
