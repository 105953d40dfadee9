"""Cheaty Mages!: what the 2013 edition plays differently."""

from array import array
from typing import Any

from games.api import options_from, plain_lines
from games.chance import Chance
from games.cheaty_mages import events
from games.cheaty_mages.deck import get_deck
from games.cheaty_mages.game import CHEATY_MAGES
from games.cheaty_mages.judging import fighter_mana, fighter_power, fighter_prize
from games.cheaty_mages.moves import Look
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.rules import ArenaState, start_match
from games.cheaty_mages.views import Doubling, Known, OpenSpell
from games.registry import get_game
from tests.games.cheaty_mages import given as builder
from tests.games.cheaty_mages.given import (
    discards,
    do,
    everybody_passes,
    hand,
    heard,
    may,
    nobody_discards,
    row,
    why,
    you,
)

FOUL = ArenaOptions(foul_play=True)
HEAVY = {
    1: "giant_growth haste",
    2: "shrink haste",
    3: "paralyze slow",
    4: "power_awakening slow",
    5: "mana_boost mana_boost might",
}


def given(**what: Any) -> ArenaState:
    return builder.given(edition="cheaty-mages", **what)


def test_everybody_starts_with_two_gold() -> None:
    """Rule C1.1."""
    match, _told = start_match(
        get_game("cheaty-mages"), get_deck("cheaty-mages"), 5, ArenaOptions(), Chance.of_number(1)
    )
    assert match.money[1:] == [2] * 5


def test_after_all_were_ejected_there_is_drawing_and_the_same_round() -> None:
    """Rule C1.2."""
    for number in (1, 3):
        match = given(hands={1: "cure"}, judge="orlair", round=number, on=HEAVY)
        told = everybody_passes(match)
        assert events.NobodyWon() in heard(told)
        assert match.phase == "redraw"
        told = nobody_discards(match)
        assert hand(match, 1) != ["cure"]
        assert events.RoundBegan(number) in heard(told)


def test_the_discard_pile_stays_between_rounds() -> None:
    """Rule C1.3."""
    match = given(hands={1: "cure"}, on={1: "might healing"})
    everybody_passes(match)
    nobody_discards(match)
    assert sorted(discards(match)) == ["healing", "might"]


def test_any_card_can_be_discarded_to_look() -> None:
    """Rule C2.1."""
    match = given(hands={1: "cure slow", 2: "might"}, on={3: "might@2 cure@2", 4: "haste@3"})
    told = do(match, 1, "look cure 3")
    assert heard(told, 1) == [events.Discarded(1, "cure"), events.YouSaw(3, (events.SeenSpell(1, "might"),))]
    assert heard(told, 2) == heard(told, None) == [events.Discarded(1, "cure"), events.Looked(1, 3)]
    assert you(match, 1).knows == (Known(3, 1, "might"),)
    assert discards(match) == ["cure"]
    assert match.turn == 2
    do(match, 2, "pass")
    assert match.turn == 1
    do(match, 1, "pass")
    assert match.phase == "redraw"  # who passed looks no more


def test_looking_is_not_for_the_first_edition() -> None:
    """Rule C2.1."""
    match = builder.given(hands={1: "cure"})
    assert why(match, 1, "look cure 3") == "no_looking"


def test_reflection_stops_a_look_and_the_judge_does_not() -> None:
    """Rule C2.2."""
    match = given(hands={1: "recall cure"}, judge="morla", on={3: "reflection might"})
    assert why(match, 1, "look recall 3") == "protected"
    assert why(match, 1, "cast recall") == "refused_by_judge"
    assert may(match, 1, "look recall 4")
    assert why(match, 1, "look might 4") == "not_in_hand"


def test_two_duplicates_take_the_place_of_detect_magic() -> None:
    """Rule C2.3."""
    count = {spell.name: spell.count for spell in get_deck("cheaty-mages").spells}
    assert "detect_magic" not in count
    assert count["duplicate"] == 2
    assert sum(count.values()) == 72


def test_an_enduring_spell_stays_face_up_where_it_was_cast() -> None:
    """Rule C3.1."""
    match = given(hands={1: "confusion invisibility duplicate cure"}, on={2: "cure@2"})
    for line in ("cast confusion", "cast invisibility", "cast duplicate 2.1"):
        do(match, 1, line)
    table = match.view(3).table
    assert table.judge_enduring == (OpenSpell("confusion", 1, False),)
    assert table.players[0].enduring == (OpenSpell("invisibility", 1, False),)
    assert table.fighters[1].spells[1] == Doubling("duplicate", 1, False, 1)
    assert discards(match) == []
    lines = plain_lines(CHEATY_MAGES.words.render_board(match.view(3), ["Ann", "Bob", "Cy"], 80))
    assert "  Confusion lies on the judge (Ann)" in lines
    layout = CHEATY_MAGES.layout(3, match.options)
    numbers = array("f", bytes(4 * layout.size))
    CHEATY_MAGES.encode(match.view(3), numbers)
    assert list(numbers[layout.slices["confusion lies"]]) == [1, 0, 0, 0]
    assert list(numbers[layout.slices["invisibility lies"]]) == [0, 1, 0, 0]
    assert [list(numbers[layout.slices[f"{name} by"]]) for name in ("confusion", "invisibility")] == [[1, 0, 0]] * 2


def test_an_enduring_spell_leaves_with_what_it_lies_on() -> None:
    """Rule C3.2."""
    match = given(hands={1: "duplicate", 2: "dispel_magic", 3: "cure"}, on={2: "cure@2"})
    do(match, 1, "cast duplicate 2.1")
    told = do(match, 2, "cast dispel_magic 2.1")
    assert heard(told)[1:] == [events.Dispelled(2, 1, "cure"), events.EnduringEnded("duplicate")]
    assert row(match, 2) == []
    assert discards(match) == ["cure", "duplicate", "dispel_magic"]
    assert fighter_power(match, 2) == 2


def test_an_enduring_spell_can_be_dispelled() -> None:
    """Rule C3.3."""
    match = given(hands={1: "invisibility refresh cure", 2: "dispel_magic", 3: "cure"}, judge="zapp")
    assert why(match, 1, "cast refresh 1") == "refused_by_judge"
    do(match, 1, "cast invisibility")
    told = do(match, 2, "cast dispel_magic invisibility")
    assert events.EnduringEnded("invisibility") in heard(told)
    do(match, 3, "cast cure 2")
    assert why(match, 1, "cast refresh 1") == "refused_by_judge"
    assert discards(match) == ["invisibility", "dispel_magic"]
    assert match.view(1).table.players[0].enduring == ()


def test_a_dispelled_duplicate_doubles_no_more() -> None:
    """Rule C3.3."""
    match = given(hands={1: "duplicate", 2: "dispel_magic", 3: "cure"}, on={2: "regeneration@2"})
    do(match, 1, "cast duplicate 2.1")
    assert fighter_power(match, 2) == 8
    do(match, 2, "cast dispel_magic 2.2")
    assert (row(match, 2), fighter_power(match, 2)) == (["regeneration"], 5)


def test_a_spell_that_is_not_in_play_cannot_be_dispelled_by_name() -> None:
    """Rule C3.3."""
    match = given(hands={1: "dispel_magic duplicate"})
    assert why(match, 1, "cast dispel_magic confusion") == "no_such_spell"
    assert why(match, 1, "cast duplicate confusion") == "wrong_target"


def test_confusion_lies_on_the_judge_and_leaves_with_it() -> None:
    """Rule C3.4."""
    match = given(hands={1: "confusion", 2: "dimension_door", 3: "cure"}, on={1: "giant_growth haste"})
    do(match, 1, "cast confusion")
    assert match.view(None).table.no_judgement
    told = do(match, 2, "cast dimension_door")
    assert events.EnduringEnded("confusion") in heard(told)
    assert not match.no_judgement
    assert match.view(None).table.judge_enduring == ()


def test_under_confusion_there_is_no_judgement() -> None:
    """Rule C3.4."""
    match = given(hands={1: "confusion"}, on={1: "giant_growth haste"})
    told = do(match, 1, "cast confusion")
    assert not [one for one in told if isinstance(one.event, events.Judged)]
    assert events.Won(1, "goblin", 17, 10) in heard(told)
    assert match.view(None).table.judge_enduring == (OpenSpell("confusion", 1, False),)
    nobody_discards(match)
    assert not match.no_judgement


def test_invisibility_lies_before_its_caster() -> None:
    """Rule C3.5."""
    match = given(hands={1: "invisibility refresh", 2: "shrink"}, judge="zapp")
    do(match, 1, "cast invisibility")
    assert why(match, 2, "cast shrink 1") == "refused_by_judge"
    do(match, 2, "pass")
    assert may(match, 1, "cast refresh 1")


def test_prismatic_ray_lies_before_its_caster() -> None:
    """Rule C3.6."""
    match = given(hands={1: "prismatic_ray cure fireball", 2: "dispel_magic slow"})
    do(match, 1, "cast prismatic_ray")
    assert may(match, 1, "cast cure 1 down") is False  # not the turn
    do(match, 2, "pass")
    do(match, 1, "cast cure 1 down")
    assert may(match, 1, "cast fireball 1 down")
    assert match.view(2).table.players[0].hides_directs


def test_without_its_prismatic_ray_a_player_hides_no_direct_spells() -> None:
    """Rules C3.3, C3.6."""
    match = given(hands={1: "prismatic_ray cure", 2: "dispel_magic"})
    do(match, 1, "cast prismatic_ray")
    do(match, 2, "cast dispel_magic prismatic_ray")
    assert why(match, 1, "cast cure 1 down") == "not_face_down"
    assert not match.view(2).table.players[0].hides_directs


def test_enduring_spells_are_discarded_at_the_end_of_the_round() -> None:
    """Rule C3.7."""
    match = given(hands={1: "invisibility cure", 2: "prismatic_ray"}, on={2: "might"})
    do(match, 1, "cast invisibility")
    do(match, 2, "cast prismatic_ray")
    everybody_passes(match)
    assert discards(match) == []
    assert match.view(None).table.players[0].enduring == (OpenSpell("invisibility", 1, False),)
    nobody_discards(match)
    assert sorted(discards(match)) == ["invisibility", "might", "prismatic_ray"]
    assert (match.enduring, match.unrefusable, match.hides_directs) == ([], 0, 0)


def test_duplicate_doubles_power_but_neither_mana_nor_prize() -> None:
    """Rule C4.1."""
    match = given(hands={1: "duplicate duplicate cure"}, on={2: "might", 4: "cause_unpopularity"})
    assert events.Doubled(2, 1) in heard(do(match, 1, "cast duplicate 2.1"))
    assert (fighter_power(match, 2), fighter_mana(match, 2)) == (2 + 10, 4)
    do(match, 1, "cast duplicate 4.1")
    assert (fighter_power(match, 4), fighter_mana(match, 4), fighter_prize(match, 4)) == (6, 3, 10)


def test_two_duplicates_make_it_fourfold_and_undead_turn_it() -> None:
    """Rule C4.1."""
    match = given(
        hands={1: "duplicate duplicate cure"},
        fighters=("goblin", "ghost", "orc", "demon", "dragon"),
        on={1: "cure", 2: "cure"},
    )
    do(match, 1, "cast duplicate 1.1")
    do(match, 1, "cast duplicate 1.1")
    assert fighter_power(match, 1) == 1 + 8
    match = given(hands={1: "duplicate cure"}, fighters=("ghost", "orc", "goblin", "demon", "dragon"), on={1: "cure"})
    do(match, 1, "cast duplicate 1.1")
    assert fighter_power(match, 1) == 5 - 4


def test_duplicate_needs_a_spell_that_is_open_or_known() -> None:
    """Rule C4.2."""
    match = given(hands={1: "duplicate duplicate cure slow"}, on={2: "might@2 cure@2 slow@1"})
    assert why(match, 1, "cast duplicate 2.1") == "not_known"
    assert may(match, 1, "cast duplicate 2.2")
    do(match, 1, "cast duplicate 2.3")
    assert why(match, 1, "cast duplicate 2.4") == "not_known"  # the first Duplicate
    do(match, 1, "look slow 2")
    assert may(match, 1, "cast duplicate 2.1")


def test_a_duplicate_that_was_slipped_in_cannot_be_doubled_even_by_who_knows_it() -> None:
    """Rules 10.2, C4.2."""
    match = given(
        hands={1: "duplicate duplicate cure", 2: "slow might"},
        judge="morla",
        options=ArenaOptions(illegal_plays="discard"),
    )
    do(match, 1, "cast duplicate 2 down")
    match.judge = match.deck.judge_at["lawty"]
    do(match, 2, "cast slow 2")
    assert why(match, 1, "cast duplicate 2.1") == "not_known"
    assert why(match, 1, "cast duplicate 2.2") == "not_known"
    do(match, 1, "look cure 2")
    do(match, 2, "pass")
    assert why(match, 1, "cast duplicate 2.1") == "not_known"
    assert may(match, 1, "cast duplicate 2.2")


def test_duplicate_moves_with_its_spell_and_not_alone() -> None:
    """Rule C4.3."""
    match = given(hands={1: "duplicate alteration cure"}, on={2: "cure might", 3: "slow"})
    do(match, 1, "cast duplicate 2.1")
    assert why(match, 1, "cast alteration 2.3 4") == "not_on_a_fighter"
    do(match, 1, "cast alteration 2.1 3")
    assert (row(match, 2), row(match, 3)) == (["might"], ["slow", "cure", "duplicate"])
    assert match.view(2).table.fighters[2].spells[2] == Doubling("duplicate", 1, False, 2)


def test_reflection_protects_a_duplicate() -> None:
    """Rule C4.4."""
    match = given(hands={1: "duplicate reflection dispel_magic cure"}, on={2: "cure"})
    do(match, 1, "cast duplicate 2.1")
    do(match, 1, "cast reflection 2")
    assert why(match, 1, "cast dispel_magic 2.2") == "protected"
    assert may(match, 1, "cast dispel_magic 2.3")


def test_reflection_stops_anti_magic_field() -> None:
    """Rule C5.1."""
    match = given(hands={1: "anti_magic_field"}, on={2: "cure reflection"})
    assert why(match, 1, "cast anti_magic_field 2") == "protected"
    assert may(match, 1, "cast anti_magic_field 3")


def test_foul_play_is_a_standard_rule_that_can_be_turned_off() -> None:
    """Rule C6.1."""
    game = get_game("cheaty-mages")
    for options, allowed in (({}, True), ({"foul_play": False}, False)):
        chosen = options_from(game, options)
        assert isinstance(chosen, ArenaOptions)
        for number in (2, 3):
            match = given(hands={1: "refresh"}, judge="zapp", round=number, money={1: 2}, options=chosen)
            assert may(match, 1, "cast refresh 1 pay") == (allowed and number == 3)


def test_a_direct_spell_that_is_paid_for_may_lie_face_down_under_prismatic_ray() -> None:
    """Rules C3.6, C6.1."""
    match = given(hands={1: "prismatic_ray cure"}, judge="orlair", round=3, money={1: 2}, options=FOUL)
    assert why(match, 1, "cast cure 1 down pay") == "not_face_down"
    do(match, 1, "cast prismatic_ray")
    assert may(match, 1, "cast cure 1 down pay")
    told = do(match, 1, "cast cure 1 down pay")
    assert heard(told, 2)[0] == events.SpellHidden(1, 1, True)
    assert not [one for one in told if isinstance(one.event, events.Struck)]


def test_an_enduring_spell_that_was_paid_for_is_marked() -> None:
    """Rule C6.2."""
    cards = "invisibility duplicate confusion cure"
    match = given(hands={1: cards}, judge="morla", round=3, money={1: 6}, on={2: "cure"}, options=FOUL)
    do(match, 1, "cast duplicate 2.1 pay")
    do(match, 1, "cast confusion pay")
    do(match, 1, "cast invisibility pay")
    table = match.view(2).table
    assert table.fighters[1].spells[1].marked
    assert table.judge_enduring == (OpenSpell("confusion", 1, True),)
    assert table.players[0].enduring == (OpenSpell("invisibility", 1, True),)
    assert table.players[0].money == 0


def test_what_a_look_costs_is_listed_for_every_card() -> None:
    """Rule C2.1."""
    match = given(hands={1: "cure cure slow"})
    looks = [action for action in match.legal_actions(1) if isinstance(action, Look)]
    assert len(looks) == 2 * 5
