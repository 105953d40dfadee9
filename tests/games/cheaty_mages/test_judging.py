"""Ikasamage: judgement, winner and prizes, with the examples of the rulebook."""

import pytest

from games.api import Event
from games.cheaty_mages import events
from games.cheaty_mages.cards import Verdict
from games.cheaty_mages.judging import bet_payment, fighter_mana, fighter_power, fighter_prize
from games.cheaty_mages.truth import SpellOnFighter
from games.cheaty_mages.views import LimitKnown
from tests.games.cheaty_mages.given import discards, do, everybody_passes, given, heard, row

SOMEBODY = {1: "cure"}  # somebody has to hold a card, or the round would be over before it began


def verdicts(happened: list[Event]) -> list[tuple[int, int, str]]:
    return [(one.fighter, one.mana, one.verdict) for one in happened if isinstance(one, events.Judged)]


def winner(happened: list[Event]) -> tuple[str, int]:
    return next((one.name, one.power) for one in happened if isinstance(one, events.Won))


def test_the_sample_match_of_the_rulebook() -> None:
    """Rules 6.2, 6.3, 7.1, 7.3, 7.5."""
    match = given(
        judge="lawty",
        hands=SOMEBODY,
        fighters=("demon", "goblin", "skeleton", "succubus", "dragon"),
        on={
            1: "healing fireball cripple magic_missile",
            2: "power_awakening",
            3: "paralyze blizzard",
            5: "cure weaken weaken",
        },
        bets={1: (2, 3, 5), 2: (1,), 3: (4, 5)},
    )
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == [(3, 12, "dispel")]
    assert winner(happened) == ("goblin", 9)
    assert match.money[1:] == [5, 0, 0]


def test_the_skeleton_of_the_rulebook_reaches_nine() -> None:
    """Rule 7.3."""
    match = given(hands=SOMEBODY, fighters=("skeleton", "orc", "goblin", "demon", "dragon"))
    lying = given(
        hands=SOMEBODY,
        fighters=("skeleton", "orc", "goblin", "demon", "dragon"),
        on={1: "healing magic_missile paralyze"},
    )
    assert (fighter_power(match, 1), fighter_power(lying, 1)) == (3, 9)


def test_an_undead_fighter_keeps_mana_and_prize() -> None:
    """Rule 7.3."""
    match = given(
        hands=SOMEBODY,
        fighters=("ghost", "orc", "goblin", "demon", "dragon"),
        on={1: "mana_boost cause_unpopularity slow"},
    )
    assert (fighter_mana(match, 1), fighter_prize(match, 1), fighter_power(match, 1)) == (14, 10, 9)


def test_the_dark_elf_of_the_rulebook_pays_eight_on_a_single_bet() -> None:
    """Rule 7.5."""
    match = given(hands=SOMEBODY, bets={1: (5,), 2: (4, 5), 3: (1, 2, 5)})
    told = everybody_passes(match)
    assert winner(heard(told)) == ("dark_elf", 7)
    assert match.money[1:] == [8, 4, 2]
    assert events.BetShown(1, (5,), 8) in heard(told)


def test_what_lies_face_up_keeps_nothing_of_what_was_secret() -> None:
    hidden = given(hands={1: "might cure"})
    do(hidden, 1, "cast might 1")
    assert hidden.rows[0][0].knowers
    everybody_passes(hidden)
    shown = given(hands={1: "reflection cure"})
    do(shown, 1, "cast reflection 1")
    for match in (hidden, shown):
        (lying,) = match.rows[0]
        assert lying == SpellOnFighter(lying.card, 1, True, False)


def test_face_down_spells_are_turned_up_when_all_have_passed() -> None:
    """Rule 6.1."""
    match = given(hands=SOMEBODY, on={2: "might@2 cure slow@3", 4: "weaken"})
    happened = heard(everybody_passes(match))
    turned = [one for one in happened if isinstance(one, events.TurnedUp)]
    assert turned == [events.TurnedUp(2, ("might", "slow")), events.TurnedUp(4, ("weaken",))]


@pytest.mark.parametrize(
    ("on", "total", "judged"),
    [
        ("might might mana_boost mana_seal", 8, False),
        ("power_awakening weaken", 10, False),
        ("haste might healing", 11, True),
    ],
)
def test_the_judge_acts_above_the_limit_only(on: str, total: int, judged: bool) -> None:
    """Rule 6.2."""
    match = given(hands=SOMEBODY, on={1: on})
    assert fighter_mana(match, 1) == total
    assert bool(verdicts(heard(everybody_passes(match)))) == judged


def test_mana_can_be_below_zero() -> None:
    """Rule 6.2."""
    match = given(hands=SOMEBODY, on={1: "mana_seal mana_seal cure"})
    assert fighter_mana(match, 1) == -10


def test_dispel_discards_what_lies_there_even_reflection() -> None:
    """Rule 6.3."""
    match = given(hands=SOMEBODY, on={1: "giant_growth reflection", 2: "cure"})
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == [(1, 13, "dispel")]
    assert winner(happened) == ("dark_elf", 7)
    assert discards(match)[:2] == ["giant_growth", "reflection"]


def test_an_ejected_fighter_cannot_win() -> None:
    """Rule 6.4."""
    match = given(hands=SOMEBODY, judge="orlair", on={5: "giant_growth might"}, bets={1: (5,)})
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == [(5, 14, "eject")]
    assert winner(happened) == ("succubus", 6)
    assert match.money[1] == 0


def test_tad_minds_nothing() -> None:
    """Rule 6.5."""
    match = given(hands=SOMEBODY, judge="tad", on={1: "giant_growth power_awakening haste haste"})
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == []
    assert winner(happened) == ("goblin", 29)


@pytest.mark.parametrize(
    ("card", "limit", "verdict"),
    [("meteor_strike", 10, "eject"), ("weaken", 15, "dispel"), ("recall", 5, "dispel")],
)
def test_ferine_reveals_a_card_that_decides(card: str, limit: int, verdict: Verdict) -> None:
    """Rule 6.6."""
    match = given(
        hands=SOMEBODY, judge="ferine", top=card, on={1: "giant_growth haste", 2: "haste", 3: "paralyze mana_seal"}
    )
    happened = heard(everybody_passes(match))
    assert events.LimitRevealed(card, limit, verdict) in happened
    over = [(fighter, total, verdict) for fighter, total in ((1, 16), (2, 6), (3, 3)) if total > limit]
    assert verdicts(happened) == over
    assert discards(match)[0] == card


def test_ferine_without_any_card_left_judges_nobody() -> None:
    """Rule 6.6."""
    match = given(hands=SOMEBODY, judge="ferine", on={1: "giant_growth haste"})
    match.pile = []
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == []
    assert winner(happened) == ("goblin", 17)


def test_lester_ejects_above_fifteen_and_dispels_up_to_four() -> None:
    """Rule 6.7."""
    match = given(
        hands=SOMEBODY,
        judge="lester",
        on={1: "giant_growth haste", 2: "might", 3: "cripple healing", 4: "mana_seal haste", 5: ""},
    )
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == [(1, 16, "eject"), (2, 4, "dispel"), (4, 1, "dispel")]


def test_lester_dispels_below_zero_too() -> None:
    """Rule 6.7."""
    match = given(hands=SOMEBODY, judge="lester", on={2: "mana_seal strengthen cure"})
    assert verdicts(heard(everybody_passes(match))) == [(2, -3, "dispel")]


@pytest.mark.parametrize("judge", ["lester", "ferine", "adoth"])
def test_under_confusion_no_judge_does_anything(judge: str) -> None:
    """Rule 6.8."""
    match = given(hands=SOMEBODY, judge=judge, on={1: "giant_growth haste", 2: "cure"})
    match.no_judgement = True
    happened = heard(everybody_passes(match))
    assert verdicts(happened) == []
    assert not [one for one in happened if isinstance(one, events.LimitRevealed)]
    assert winner(happened) == ("goblin", 17)


def test_power_is_the_sum_and_may_be_below_zero() -> None:
    """Rule 7.1."""
    match = given(hands=SOMEBODY, on={1: "fireball cure", 5: "meteor_strike"})
    assert (fighter_power(match, 1), fighter_power(match, 5)) == (-1, -3)
    assert winner(heard(everybody_passes(match))) == ("succubus", 6)


def test_equal_powers_go_by_the_card() -> None:
    """Rule 7.2."""
    match = given(hands=SOMEBODY, on={4: "regeneration", 5: "cure"})
    assert fighter_power(match, 4) == fighter_power(match, 5) == 9
    assert winner(heard(everybody_passes(match))) == ("dark_elf", 9)


def test_unpopularity_doubles_the_prize_each_time() -> None:
    """Rule 7.4."""
    match = given(
        hands=SOMEBODY, judge="tad", on={5: "cause_unpopularity cause_unpopularity"}, bets={1: (5,), 2: (4, 5)}
    )
    assert fighter_prize(match, 5) == 16
    everybody_passes(match)
    assert match.money[1:] == [32, 16, 0]


@pytest.mark.parametrize(
    ("amount", "bet", "paid"), [(7, (1,), 14), (7, (1, 2), 7), (7, (1, 2, 3), 4), (8, (1, 2, 3), 4), (7, (2, 3), 0)]
)
def test_what_a_bet_gets(amount: int, bet: tuple[int, ...], paid: int) -> None:
    """Rule 7.5."""
    assert bet_payment(amount, bet, 1) == paid


def test_a_triple_bet_is_halved_after_the_prize_was_doubled() -> None:
    """Rule 7.5."""
    match = given(
        hands=SOMEBODY,
        fighters=("demon", "orc", "goblin", "succubus", "lizardman"),
        on={1: "cause_unpopularity"},
        bets={1: (1, 2, 3)},
    )
    everybody_passes(match)
    assert match.money[1] == 3  # twice 3, halved; not twice the half of 3


def test_when_all_are_ejected_the_round_is_played_again_at_once() -> None:
    """Rule 7.6."""
    match = given(
        hands=SOMEBODY,
        judge="orlair",
        round=2,
        money={1: 1, 2: 4},
        on={
            1: "giant_growth haste",
            2: "shrink haste",
            3: "paralyze slow",
            4: "power_awakening slow",
            5: "mana_boost mana_boost might",
        },
    )
    match.turn = match.starter = 1
    told = everybody_passes(match)
    happened = heard(told)
    assert events.NobodyWon() in happened
    assert events.RoundBegan(2) in happened
    assert not [one for one in happened if isinstance(one, events.BetShown | events.Drew)]
    assert (match.phase, match.round, match.turn) == ("bet", 2, 2)
    assert match.money[1:] == [1, 4, 0]
    assert row(match, 1) == []


def test_a_round_that_does_not_count_in_the_end_is_played_again_too() -> None:
    """Rule 7.6."""
    heavy = {
        1: "giant_growth haste",
        2: "shrink haste",
        3: "paralyze slow",
        4: "power_awakening slow",
        5: "mana_boost mana_boost might",
    }
    match = given(hands=SOMEBODY, judge="orlair", round=3, on=heavy)
    do(match, 1, "pass")
    assert match.outcome() is None
    assert match.round == 3


def test_where_everybody_is_ejected_there_is_no_winner_no_prize_and_no_bet_is_shown() -> None:
    """Rule 7.6."""
    on = {1: "giant_growth haste", 2: "shrink haste", 3: "paralyze slow", 4: "power_awakening slow"}
    match = given(edition="cheaty-mages", judge="orlair", hands=SOMEBODY, on=on | {5: "mana_boost mana_boost might"})
    everybody_passes(match)
    (result,) = match.view(None).table.result
    assert (result.limit, result.winner, result.prize, result.bets) == (LimitKnown(12, "eject"), 0, 0, ())
    assert [one.verdict for one in result.fighters] == ["eject"] * 5
