"""Both arena editions: what happens where two rules meet."""

import pytest

from games.api import AddressedEvent, Event
from games.cheaty_mages import events
from games.cheaty_mages.moves import Look
from games.cheaty_mages.options import ArenaOptions, FoulPlayOptions
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.views import LimitKnown, RoundResult
from tests.games.cheaty_mages.given import (
    discards,
    do,
    everybody_passes,
    given,
    hand,
    heard,
    may,
    nobody_discards,
    row,
    why,
    you,
)

CHEATING = ArenaOptions(illegal_plays="discard")


def result(match: ArenaState) -> RoundResult:
    assert match.result is not None
    return match.result


def powers(match: ArenaState) -> list[int]:
    return [one.power for one in result(match).fighters]


def verdicts(match: ArenaState) -> list[str]:
    return [one.verdict for one in result(match).fighters]


def of_kind(told: list[AddressedEvent], kind: type[Event]) -> list[Event]:
    return [event for event in heard(told) if isinstance(event, kind)]


def test_what_was_slipped_in_is_struck_though_a_later_judge_would_allow_it() -> None:
    """Rules 4.9, 10.2."""
    match = given(judge="zapp", options=CHEATING, hands={1: "giant_growth", 2: "dimension_door", 3: "cure"})
    match.judge_pile.append(match.deck.judge_at["tad"])
    do(match, 1, "cast giant_growth 1")
    do(match, 2, "cast dimension_door")
    told = everybody_passes(match)
    assert match.deck.judges[match.judge].name == "tad"
    assert events.Struck(1, "giant_growth") in heard(told)
    assert powers(match)[0] == 1


def test_what_was_lawful_stays_though_its_prismatic_ray_is_dispelled() -> None:
    """Rules 4.9, C3.6."""
    match = given(
        edition="cheaty-mages",
        options=FoulPlayOptions(illegal_plays="discard"),
        judge="tad",
        hands={1: "prismatic_ray refresh", 2: "might dispel_magic", 3: "slow"},
    )
    do(match, 1, "cast prismatic_ray")
    do(match, 2, "cast might 2")
    do(match, 3, "pass")
    do(match, 1, "cast refresh 1 down")
    told = do(match, 2, "cast dispel_magic prismatic_ray")
    assert not of_kind(told, events.Struck)
    assert powers(match)[0] == 11


def test_the_same_card_is_struck_if_it_lay_there_before_the_ray() -> None:
    """Rule 10.2."""
    match = given(judge="tad", options=CHEATING, hands={1: "cure prismatic_ray cure", 2: "slow", 3: "slow"})
    do(match, 1, "cast cure 1 down")
    do(match, 2, "pass")
    do(match, 3, "pass")
    do(match, 1, "cast prismatic_ray")
    told = do(match, 1, "cast cure 1 down")
    assert of_kind(told, events.Struck) == [events.Struck(1, "cure")]
    assert powers(match)[0] == 3


def test_struck_cards_count_no_mana_and_a_duplicate_goes_with_them() -> None:
    """Rules 10.2, C3.2."""
    match = given(
        edition="cheaty-mages",
        options=FoulPlayOptions(illegal_plays="discard"),
        judge="zapp",
        hands={1: "giant_growth duplicate", 2: "haste", 3: "cure"},
    )
    do(match, 1, "cast giant_growth 1")
    do(match, 2, "cast haste 1")
    do(match, 3, "pass")
    told = do(match, 1, "cast duplicate 1.1")
    assert events.EnduringEnded("duplicate") in heard(told)
    assert result(match).fighters[0].mana == 6
    assert powers(match)[0] == 5


def test_confusion_that_is_dispelled_lets_the_judge_judge() -> None:
    """Rules C3.3, C3.4."""
    match = given(
        edition="cheaty-mages",
        judge="lawty",
        hands={1: "confusion", 2: "dispel_magic", 3: "cure"},
        on={1: "giant_growth haste"},
    )
    do(match, 1, "cast confusion")
    do(match, 2, "cast dispel_magic confusion")
    everybody_passes(match)
    assert verdicts(match)[0] == "dispel"


def test_a_confusion_of_the_first_edition_outlasts_the_judge_and_no_card_is_revealed() -> None:
    """Rules 5.7, 6.8."""
    match = given(
        judge="lawty", hands={1: "confusion", 2: "dimension_door", 3: "cure"}, on={1: "giant_growth haste"}, top="cure"
    )
    match.judge_pile.append(match.deck.judge_at["ferine"])
    do(match, 1, "cast confusion")
    do(match, 2, "cast dimension_door")
    size = len(match.pile)
    everybody_passes(match)
    assert len(match.pile) == size
    assert set(verdicts(match)) == {"none"}


def test_a_moved_reflection_opens_one_fighter_and_shuts_the_other() -> None:
    """Rules 5.11, 5.13."""
    match = given(hands={1: "alteration cure", 2: "fireball cure", 3: "slow"}, on={1: "reflection might", 2: "haste"})
    do(match, 1, "cast alteration 1.1 2")
    assert row(match, 2) == ["haste", "reflection"]
    assert may(match, 2, "cast fireball 1")
    assert why(match, 2, "cast fireball 2") == "protected"


def test_nothing_is_moved_from_or_to_a_fighter_with_reflection_but_reflection() -> None:
    """Rule 5.13."""
    match = given(hands={1: "alteration", 2: "cure"}, on={1: "reflection might", 2: "haste"})
    assert why(match, 1, "cast alteration 1.2 3") == "protected"
    assert why(match, 1, "cast alteration 2.1 1") == "protected"
    assert may(match, 1, "cast alteration 2.1 3")


def test_metamorphosis_does_not_reach_through_reflection() -> None:
    """Rules 5.10, 5.13."""
    match = given(hands={1: "metamorphosis", 2: "cure"}, on={1: "reflection"})
    assert why(match, 1, "cast metamorphosis 1") == "protected"
    assert may(match, 1, "cast metamorphosis 2")


def test_the_new_fighter_pays_its_own_prize_times_what_lies_there_and_turns_signs_if_undead() -> None:
    """Rules 5.10, 7.3, 7.4, 7.5."""
    match = given(
        judge="tad",
        hands={1: "metamorphosis", 2: "cure", 3: "cure"},
        bets={1: (1, 2, 3), 2: (1,), 3: (1, 4)},
        on={1: "cause_unpopularity cause_unpopularity cripple cripple cripple"},
    )
    match.fighter_pile.append(match.deck.fighter_at["skeleton"])
    do(match, 1, "cast metamorphosis 1")
    everybody_passes(match)
    assert (result(match).winner, powers(match)[0], result(match).prize) == (1, 18, 28)
    assert match.money[1:] == [14, 56, 28]


def test_amnesia_takes_the_last_card_of_who_has_passed_and_the_turn_goes_on() -> None:
    """Rules 4.3, 5.4."""
    match = given(hands={1: "amnesia", 2: "cure", 3: "slow cure"})
    match.passed[2] = True
    do(match, 1, "cast amnesia 2")
    assert match.to_move() == {2}
    told = do(match, 2, "discard cure")
    assert match.to_move() == {3}
    assert match.passed[2]
    assert events.Passed(2, True) not in heard(told)


def test_amnesia_that_empties_the_last_hand_brings_the_judgement_at_once() -> None:
    """Rules 4.3, 5.4, 6.1."""
    match = given(hands={1: "amnesia", 2: "cure"})
    do(match, 1, "cast amnesia 2")
    told = do(match, 2, "discard cure")
    assert match.phase == "redraw"
    assert of_kind(told, events.Passed) == [
        events.Passed(2, True),
        events.Passed(3, True),
        events.Passed(1, True),
    ]


def test_amnesia_as_the_last_card_is_for_others() -> None:
    """Rule 5.4."""
    match = given(hands={1: "amnesia", 2: "cure"})
    assert why(match, 1, "cast amnesia 1") == "no_such_player"
    assert why(match, 1, "cast amnesia 3") == "no_such_player"
    assert may(match, 1, "cast amnesia 2")


def test_recall_renews_the_pile_without_what_lies_on_fighters() -> None:
    """Rules 4.6, 5.3, 8.4."""
    match = given(hands={1: "recall", 2: "cure"}, on={1: "might"})
    match.discard, match.pile = [match.deck.name_of.index("blizzard")], []
    told = do(match, 1, "cast recall")
    assert hand(match, 1) == ["blizzard"]
    assert discards(match) == ["recall"]
    assert [type(event) for event in heard(told, 1)] == [events.SupportCast, events.Reshuffled, events.YouDrew]


def test_ferine_reveals_from_a_renewed_pile_that_holds_what_was_struck() -> None:
    """Rules 6.6, 8.4, 10.2."""
    match = given(judge="ferine", options=CHEATING, hands={1: "cure"}, on={2: "might might"})
    match.discard, match.pile = [], []
    do(match, 1, "cast cure 1 down")
    assert (result(match).limit, discards(match)) == (LimitKnown(10, "eject"), ["cure"])


@pytest.mark.parametrize(
    ("on", "verdict"),
    [
        ("might", "dispel"),
        ("might healing", "none"),
        ("power_awakening haste healing", "none"),
        ("power_awakening paralyze", "eject"),
        ("mana_seal cure", "dispel"),
        ("cure", "dispel"),
        ("", "none"),
    ],
)
def test_lester_minds_the_fourth_and_the_sixteenth_mana(on: str, verdict: str) -> None:
    """Rule 6.7."""
    match = given(judge="lester", hands={}, on={1: on} if on else {}, phase="judged")
    assert verdicts(match)[0] == verdict


def test_equal_powers_do_not_help_who_is_ejected() -> None:
    """Rules 6.4, 7.2."""
    match = given(judge="orlair", phase="judged", on={4: "strengthen", 5: "power_awakening paralyze cure"})
    assert verdicts(match)[4] == "eject"
    assert powers(match)[3:] == [9, 9]
    assert result(match).winner == 4


def test_when_all_are_ejected_in_the_third_round_there_is_another_third_round() -> None:
    """Rules 7.6, 8.3, 9.2."""
    on = {
        1: "giant_growth might",
        2: "shrink might",
        3: "paralyze might",
        4: "power_awakening might",
        5: "haste haste slow",
    }
    match = given(judge="adoth", round=3, hands={1: "cure"}, on=on, money={2: 5})
    told = do(match, 1, "pass")
    assert (match.round, match.phase, match.starter) == (3, "bet", 2)
    assert hand(match, 1) == ["cure"]
    assert match.outcome() is None
    assert not of_kind(told, events.BetShown)


def test_in_2013_the_other_third_round_has_foul_play_too_and_draws_before_it() -> None:
    """Rules C1.2, C6.1."""
    on = {
        1: "giant_growth might",
        2: "shrink might",
        3: "paralyze might",
        4: "power_awakening might",
        5: "haste haste slow",
    }
    match = given(
        edition="cheaty-mages",
        options=FoulPlayOptions(),
        judge="adoth",
        round=3,
        hands={1: "cure"},
        on=on,
        money={2: 5},
    )
    do(match, 1, "pass")
    assert (match.round, match.phase) == (3, "redraw")
    nobody_discards(match)
    assert (match.round, match.phase, match.has_foul_play()) == (3, "bet", True)
    assert [len(cards) for cards in match.hands[1:]] == [5, 4, 4]


@pytest.mark.parametrize(
    ("seats", "cards", "discarded", "after"),
    [
        (3, 8, 0, 8),
        (3, 8, 2, 8),
        (4, 3, 0, 7),
        (3, 8, 6, 6),
        (5, 6, 0, 6),
        (5, 6, 1, 6),
        (6, 5, 0, 6),
        (6, 5, 4, 4),
        (6, 2, 2, 3),
    ],
)
def test_what_is_drawn_after_discarding(seats: int, cards: int, discarded: int, after: int) -> None:
    """Rules 8.1, 8.2."""
    names = ["might", "might", "might", "might", "weaken", "weaken", "weaken", "weaken"][:cards]
    match = given(seats=seats, hands={1: " ".join(names)}, phase="judged")
    for name in names[:discarded]:
        do(match, 1, f"discard {name}")
    do(match, 1, "done")
    assert len(match.hands[1]) == after


def test_who_draws_later_may_draw_what_others_have_just_discarded() -> None:
    """Rules 8.1, 8.4."""
    match = given(hands={1: "might haste", 2: "", 3: ""}, phase="judged")
    match.pile, match.discard = [], []
    match.invalidate_all()
    do(match, 1, "discard haste")
    do(match, 1, "discard might")
    told = do(match, 1, "done")
    assert sorted(hand(match, 1)) == ["haste", "might"]
    assert events.Reshuffled(2) in heard(told)
    do(match, 2, "done")
    assert hand(match, 2) == []


def test_foul_play_takes_the_last_two_gold_and_no_less() -> None:
    """Rule 10.3."""
    rich = given(
        edition="cheaty-mages",
        options=FoulPlayOptions(),
        judge="morla",
        round=3,
        money={1: 2},
        hands={1: "imitation recall", 2: "cure"},
        bets={1: (1, 2)},
    )
    do(rich, 1, "cast imitation 1 3 pay")
    assert rich.money[1] == 0
    assert you(rich, 1).bet == (2, 3)
    poor = given(
        edition="cheaty-mages",
        options=FoulPlayOptions(),
        judge="morla",
        round=3,
        money={1: 1},
        hands={1: "recall", 2: "cure"},
    )
    assert why(poor, 1, "cast recall pay") == "no_money"


def test_prismatic_ray_leaves_no_choice_to_an_enchant_that_is_paid_for() -> None:
    """Rules 5.9, 10.3."""
    foul = ArenaOptions(foul_play=True)
    match = given(judge="zapp", round=3, options=foul, money={1: 2}, hands={1: "shrink refresh", 2: "cure"})
    match.hides_directs = 1 << 1
    offered = [match.game.words.format_action(action) for action in match.legal_actions(1)]
    assert "cast shrink 1 pay" in offered
    assert {line for line in offered if "down" in line} == {
        f"cast refresh {fighter} down pay" for fighter in range(1, 6)
    }


def test_a_look_with_the_last_card_ends_the_turns_of_who_looks() -> None:
    """Rules 4.3, C2.1."""
    match = given(edition="cheaty-mages", hands={1: "cure", 2: "slow slow"}, on={1: "might@2"})
    match.apply(1, Look("cure", 1))
    assert you(match, 1).knows[0].card == "might"
    assert match.to_move() == {2}
    told = do(match, 2, "cast slow 1")
    assert events.Passed(1, True) in heard(told)
    assert match.to_move() == {2}


def test_equal_money_and_cards_of_three_share_before_a_fourth() -> None:
    """Rules 9.2, 9.3."""
    match = given(
        seats=4,
        round=3,
        hands={1: "cure", 2: "cure", 3: "slow", 4: "weaken slow"},
        money={1: 3, 2: 3, 3: 3, 4: 2},
        phase="judged",
    )
    outcome = match.outcome()
    assert outcome is not None
    assert outcome.places == (1, 1, 1, 4)
    assert outcome.reason == "shared"
