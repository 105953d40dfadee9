"""How the round ended can be looked at while cards are drawn, and when the match is over."""

import pytest

from games.api import plain_lines
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.views import BetResult, FighterResult, LimitKnown, NoLimit, OpenSpell, RoundResult
from games.cheaty_mages.words import ArenaWords
from tests.games.cheaty_mages.given import (
    discards,
    do,
    everybody_passes,
    given,
    hand,
    heard,
    nobody_discards,
    row,
    you,
)

HEAVY = {
    1: "giant_growth haste",
    2: "shrink haste",
    3: "paralyze slow",
    4: "power_awakening slow",
    5: "mana_boost mana_boost might",
}
SAMPLE = {
    1: "healing fireball@2 cripple@3 magic_missile",
    2: "power_awakening@2",
    3: "paralyze blizzard@3",
    5: "cure weaken weaken",
}
FIGHTERS = ("demon", "goblin", "skeleton", "succubus", "dragon")
BETS = {1: (2, 3, 5), 2: (2,), 3: (4, 5)}


@pytest.mark.parametrize(("round", "phase"), [(1, "redraw"), (3, "over")])
def test_everybody_sees_how_the_round_ended(round: int, phase: str) -> None:
    """Rule 11.4."""
    match = given(hands={1: "cure"}, fighters=FIGHTERS, on=SAMPLE, bets=BETS, round=round)
    everybody_passes(match)
    assert match.phase == phase
    for seat in (None, 1, 2, 3):
        table = match.view(seat).table
        assert table.result == (
            RoundResult(
                LimitKnown(10, "dispel"),
                (
                    FighterResult(6, "none", 2),
                    FighterResult(8, "none", 9),
                    FighterResult(12, "dispel", 3),
                    FighterResult(0, "none", 6),
                    FighterResult(4, "none", 6),
                ),
                2,
                10,
                (BetResult((2, 3, 5), 5), BetResult((2,), 20), BetResult((4, 5), 0)),
            ),
        )
        assert table.fighters[0].spells[2] == OpenSpell("cripple", 3, False)
        assert table.fighters[1].spells == (OpenSpell("power_awakening", 2, False),)
        assert table.fighters[2].spells == ()
        assert [player.money for player in table.players] == [5, 20, 0]
    assert you(match, 2).knows == ()
    assert you(match, 2).bet == (2,)


def test_before_the_judgement_and_in_the_next_round_there_is_no_result() -> None:
    """Rule 11.4."""
    match = given(hands={1: "cure"}, on={1: "might"})
    assert match.view(None).table.result == ()
    everybody_passes(match)
    assert match.view(None).table.result
    nobody_discards(match)
    assert match.phase == "bet"
    assert match.view(None).table.result == ()
    assert [player.bets for player in match.view(None).table.players] == [0, 0, 0]


def test_the_arena_stays_until_the_last_player_has_drawn() -> None:
    """Rules 8.5, 9.1."""
    match = given(hands={1: "cure slow"}, on={2: "might@2 healing"}, bets={1: (2, 4)}, turn=2)
    everybody_passes(match)
    before = match.view(None).table
    for seat in (2, 3):
        do(match, seat, "done")
        table = match.view(None).table
        assert (table.fighters, table.result, table.judge) == (before.fighters, before.result, before.judge)
    do(match, 1, "discard cure")
    assert row(match, 2) == ["might", "healing"]
    assert discards(match) == ["cure"]
    do(match, 1, "done")
    assert discards(match) == ["cure", "might", "healing"]
    assert row(match, 2) == []


def test_a_pile_that_runs_out_while_drawing_is_not_made_of_what_lies_on_the_fighters() -> None:
    """Rule 8.5."""
    match = given(hands={1: "cure", 2: "slow"}, on={2: "might@2", 5: "giant_growth haste"})
    everybody_passes(match)
    assert discards(match) == ["giant_growth", "haste"]  # the judge dispelled them
    match.pile = []
    told = do(match, 1, "done")
    assert events.Reshuffled(2) in heard(told)
    assert sorted(hand(match, 1)) == ["cure", "giant_growth", "haste"]
    do(match, 2, "done")
    assert hand(match, 2) == ["slow"]
    do(match, 3, "done")
    assert discards(match) == ["might"]


def test_what_was_struck_does_not_lie_there_any_more() -> None:
    """Rules 6.1, 10.2, 11.4."""
    cheating = ArenaOptions(illegal_plays="discard")
    match = given(hands={1: "shrink", 2: "cure"}, judge="zapp", options=cheating, on={2: "haste@2"})
    do(match, 1, "cast shrink 2")
    everybody_passes(match)
    assert discards(match) == ["shrink"]
    assert match.view(3).table.fighters[1].spells == (OpenSpell("haste", 2, False),)
    assert match.view(3).table.result[0].fighters[1] == FighterResult(6, "none", 6)


def test_the_limit_that_a_revealed_spell_gave_is_seen() -> None:
    """Rules 6.6, 11.4."""
    match = given(hands={1: "cure"}, judge="ferine", top="fireball", on={5: "giant_growth haste"})
    everybody_passes(match)
    (result,) = match.view(None).table.result
    assert result.limit == LimitKnown(10, "eject")
    assert result.fighters[4] == FighterResult(16, "eject", 23)
    assert row(match, 5) == ["giant_growth", "haste"]


def test_under_confusion_the_judge_went_by_no_limit() -> None:
    """Rules 6.8, 11.4."""
    match = given(hands={1: "confusion"}, on={5: "giant_growth haste"})
    do(match, 1, "cast confusion")
    (result,) = match.view(None).table.result
    assert (result.limit, result.winner, match.view(None).table.no_judgement) == (NoLimit(), 5, True)


def test_with_all_fighters_ejected_the_next_round_has_begun_when_it_is_told() -> None:
    """Rule 7.6."""
    match = given(hands={1: "cure"}, judge="orlair", on=HEAVY, bets=BETS)
    told = heard(everybody_passes(match))
    assert told.index(events.NobodyWon()) < told.index(events.RoundBegan(1))
    assert match.view(None).table.result == ()
    assert sorted(discards(match)) == sorted(" ".join(HEAVY.values()).split())


def test_in_2013_the_ejected_fighters_are_seen_while_cards_are_drawn_and_bets_stay_secret() -> None:
    """Rules C1.2, 11.4."""
    match = given(edition="cheaty-mages", hands={1: "cure"}, judge="orlair", on=HEAVY, bets=BETS)
    everybody_passes(match)
    (result,) = match.view(2).table.result
    assert (result.winner, result.bets) == (0, ())
    assert {one.verdict for one in result.fighters} == {"eject"}
    assert you(match, 2).bet == (2,)
    others = [match.redeal(2, Chance.of_number(number)) for number in range(40)]
    assert len({other.bets[1] for other in others}) > 5
    assert {other.bets[2] for other in others} == {(2,)}
    nobody_discards(match)
    assert row(match, 1) == []


def test_what_was_shown_is_the_same_in_every_redeal() -> None:
    """Rules 7.5, 11.4."""
    match = given(hands={1: "cure", 2: "slow might"}, on=SAMPLE, fighters=FIGHTERS, bets=BETS)
    everybody_passes(match)
    for number in range(20):
        other = match.redeal(None, Chance.of_number(number))
        assert (other.bets, other.rows, other.result) == (match.bets, match.rows, match.result)


def test_reflection_lies_face_up_in_2013_too() -> None:
    """Rule C5.2."""
    match = given(edition="cheaty-mages", hands={1: "reflection", 2: "cure"})
    do(match, 1, "cast reflection 3")
    assert match.view(2).table.fighters[2].spells == (OpenSpell("reflection", 1, False),)


def board(edition: str = "ikasamage", *, width: int = 80, **position: object) -> str:
    match = given(edition=edition, hands={1: "cure", 2: "healing"}, bets=BETS, **position)  # type: ignore[arg-type]
    everybody_passes(match)
    lines = plain_lines(ArenaWords(match.deck).render_board(match.view(1), ["Ann", "Bob", "Cy"], width))
    assert max(map(len, lines)) <= width
    return "\n".join(lines)


def test_the_board_shows_the_judged_arena() -> None:
    text = board(fighters=FIGHTERS, on=SAMPLE)
    for part in (
        "Round 1 of 3, discarding and drawing",
        "1 Demon: power 9 -> 2, mana 6\n",
        "2 Goblin wins: power 1 -> 9, mana 8, prize 10\n  2.1 Power Awakening [mana 8, +8] (Bob)\n",
        "3 Skeleton, dispelled: power 3, mana 12, undead\n",
        ">1 Ann (you): 5 gold (+5), 1 card, bet 2 3 5, began\n",
        " 2 Bob: 20 gold (+20), 1 card, bet 2\n",
        " 3 Cy: 0 gold, 0 cards, bet 4 5\n",
    ):
        assert part in text, part
    for part in ("Your bet", "passed", "face down"):
        assert part not in text
    assert "Round 3 of 3, the end" in board(round=3, fighters=FIGHTERS, on=SAMPLE)
