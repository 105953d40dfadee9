"""Ikasamage: each Support spell, and Reflection."""

from games.api import to_map
from games.cheaty_mages import events
from games.cheaty_mages.views import Known
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


def test_detect_magic_shows_its_caster_what_lies_face_down() -> None:
    """Rule 5.1."""
    match = given(hands={1: "detect_magic cure", 2: "cure"}, on={3: "might@2 cure@3 slow@3", 4: "haste@2"})
    told = do(match, 1, "cast detect_magic 3")
    saw = events.YouSaw(3, (events.SeenSpell(1, "might"), events.SeenSpell(3, "slow")))
    assert heard(told, 1) == [events.SupportCast(1, "detect_magic", False), saw]
    assert heard(told, 2)[1:] == heard(told, None)[1:] == [events.Looked(1, 3)]
    assert you(match, 1).knows == (Known(3, 1, "might"), Known(3, 3, "slow"))
    assert you(match, 2).knows == (Known(3, 1, "might"), Known(4, 1, "haste"))


def test_detect_magic_tells_its_caster_alone_that_nothing_lies_face_down() -> None:
    """Rule 5.1."""
    match = given(hands={1: "detect_magic cure", 2: "cure"}, on={3: "cure@2"})
    told = do(match, 1, "cast detect_magic 3")
    assert heard(told, 1)[1:] == [events.YouSaw(3, ())]
    assert heard(told, 2)[1:] == [events.Looked(1, 3)]


def test_dispel_magic_discards_one_spell_for_all_to_see() -> None:
    """Rule 5.2."""
    match = given(hands={1: "dispel_magic", 2: "cure"}, on={3: "cure@2 might@2 slow@3"})
    told = do(match, 1, "cast dispel_magic 3.2")
    assert events.Dispelled(3, 2, "might") in heard(told, None)
    assert row(match, 3) == ["cure", "slow"]
    assert discards(match) == ["might", "dispel_magic"]


def test_dispel_magic_needs_a_spell_in_play() -> None:
    """Rule 5.2."""
    match = given(hands={1: "dispel_magic", 2: "cure"})
    assert why(match, 1, "cast dispel_magic 3.1") == "no_such_spell"
    assert len(match.legal_actions(1)) == 1


def test_recall_draws_even_above_the_limit() -> None:
    """Rule 5.3."""
    match = given(hands={1: "recall might might might might slow slow haste haste", 2: "cure"}, top="blizzard")
    told = do(match, 1, "cast recall")
    assert len(match.hands[1]) == 9
    assert heard(told, 1)[-1] == events.YouDrew(("blizzard",))
    assert heard(told, 2)[-1] == events.Drew(1, 1)


def test_recall_is_discarded_after_its_effect_and_cannot_draw_itself() -> None:
    """Rules 4.6, 4.11, 5.3."""
    match = given(hands={1: "recall", 2: "cure"})
    match.pile, match.discard = [], []
    told = do(match, 1, "cast recall")
    assert heard(told, 1) == [events.SupportCast(1, "recall", False)]
    assert match.hands[1] == []
    assert discards(match) == ["recall"]


def test_amnesia_makes_a_player_discard_out_of_turn() -> None:
    """Rule 5.4."""
    match = given(hands={1: "amnesia", 2: "cure", 3: "might slow"})
    told = do(match, 1, "cast amnesia 3")
    assert heard(told)[-1] == events.MustForget(3)
    assert match.to_move() == {3}
    assert [to_map(action)["card"] for action in match.legal_actions(3)] == ["might", "slow"]
    assert why(match, 2, "cast cure 1") == "not_your_turn"
    told = do(match, 3, "discard slow")
    assert heard(told, 1)[0] == events.Discarded(3, "slow")
    assert hand(match, 3) == ["might"]
    assert match.to_move() == {2}


def test_amnesia_takes_a_player_who_holds_a_card_oneself_included() -> None:
    """Rule 5.4."""
    match = given(hands={1: "amnesia cure", 2: "cure"})
    assert may(match, 1, "cast amnesia 1")
    assert why(match, 1, "cast amnesia 3") == "no_such_player"
    do(match, 1, "cast amnesia 1")
    assert match.to_move() == {1}
    assert why(given(hands={1: "amnesia", 2: "cure"}), 1, "cast amnesia 1") == "no_such_player"


def test_imitation_swaps_a_bet_in_secret() -> None:
    """Rule 5.5."""
    match = given(hands={1: "imitation", 2: "cure"}, bets={1: (1, 4)})
    assert len(match.legal_actions(1)) == 1 + 2 * 3
    told = do(match, 1, "cast imitation 1 5")
    assert match.bets[1] == (4, 5)
    assert heard(told, 1)[-1] == events.YouBet((4, 5))
    assert heard(told, 2) == [events.SupportCast(1, "imitation", False), events.BetChanged(1)]


def test_imitation_is_not_for_a_single_bet() -> None:
    """Rule 5.5."""
    match = given(hands={1: "imitation", 2: "cure"}, bets={1: (1,)})
    assert why(match, 1, "cast imitation 1 5") == "single_bet"
    match = given(hands={1: "imitation", 2: "cure"}, bets={1: (1, 2, 3)})
    assert why(match, 1, "cast imitation 4 5") == "no_such_swap"
    assert why(match, 1, "cast imitation 1 2") == "no_such_swap"


def test_dimension_door_changes_the_judge_for_good() -> None:
    """Rule 5.6."""
    match = given(hands={1: "dimension_door", 2: "cure"})
    old, new = match.judge, match.judge_pile[-1]
    told = do(match, 1, "cast dimension_door")
    assert match.judge == new
    assert match.judges_gone == [old]
    assert events.JudgeDrawn(match.deck.judges[new].name) in heard(told)


def test_dimension_door_finds_the_judges_that_left_where_none_is_left_in_the_pile() -> None:
    """Rules 2.4, 5.6."""
    match = given(hands={1: "dimension_door", 2: "cure"})
    old, gone = match.judge, match.judge_pile[:3]
    match.judge_pile, match.judges_gone = [], gone[:]
    do(match, 1, "cast dimension_door")
    assert sorted([match.judge, *match.judge_pile]) == sorted(gone)
    assert match.judges_gone == [old]


def test_dimension_door_brings_the_only_judge_back_at_once() -> None:
    """Rules 2.4, 5.6."""
    for only in (0, 1):
        match = given(hands={1: "dimension_door", 2: "cure"})
        match.judge, match.judge_pile, match.judges_gone = only, [], []
        match.unrefusable = 1 << 1
        do(match, 1, "cast dimension_door")
        assert (match.judge, match.judge_pile, match.judges_gone) == (only, [], [])


def test_dimension_door_is_refused_like_a_support_spell() -> None:
    """Rule 5.6."""
    assert why(given(hands={1: "dimension_door"}, judge="morla"), 1, "cast dimension_door") == "refused_by_judge"


def test_confusion_stops_the_judgement_of_this_round_and_of_a_later_judge() -> None:
    """Rule 5.7."""
    match = given(hands={1: "confusion", 2: "dimension_door", 3: "cure"}, on={1: "giant_growth haste"})
    do(match, 1, "cast confusion")
    assert match.view(None).table.no_judgement
    do(match, 2, "cast dimension_door")
    assert match.no_judgement
    told = everybody_passes(match)
    assert events.Won(1, "goblin", 17, 10) in heard(told)
    nobody_discards(match)
    assert not match.no_judgement


def test_invisibility_lets_its_caster_play_what_is_refused() -> None:
    """Rule 5.8."""
    match = given(hands={1: "invisibility shrink cure", 2: "refresh cure", 3: "cure"}, judge="zapp")
    do(match, 1, "cast invisibility")
    assert why(match, 2, "cast refresh 1") == "refused_by_judge"
    do(match, 2, "pass")
    do(match, 3, "pass")
    do(match, 1, "cast shrink 4")
    assert row(match, 4) == ["shrink"]
    everybody_passes(match)
    nobody_discards(match)
    assert not match.unrefusable  # it was for this round


def test_invisibility_can_be_refused_itself() -> None:
    """Rule 5.8."""
    assert why(given(hands={1: "invisibility"}, judge="adoth"), 1, "cast invisibility") == "refused_by_judge"


def test_prismatic_ray_lets_its_caster_hide_direct_spells() -> None:
    """Rule 5.9."""
    match = given(hands={1: "prismatic_ray fireball cure", 2: "cure cure"})
    do(match, 1, "cast prismatic_ray")
    assert why(match, 2, "cast cure 1 down") == "not_face_down"
    do(match, 2, "cast cure 1")
    assert may(match, 1, "cast cure 2")
    told = do(match, 1, "cast fireball 5 down")
    assert heard(told, 2) == [events.SpellHidden(1, 5, False)]
    told = everybody_passes(match)
    assert events.TurnedUp(5, ("fireball",)) in heard(told)
    assert not [one for one in told if isinstance(one.event, events.Struck)]


def test_a_hidden_direct_spell_is_still_refused_as_direct() -> None:
    """Rule 5.9."""
    match = given(hands={1: "cure"}, judge="orlair")
    match.hides_directs = 1 << 1
    assert why(match, 1, "cast cure 1 down") == "refused_by_judge"


def test_metamorphosis_puts_another_fighter_under_the_same_spells_and_bets() -> None:
    """Rule 5.10."""
    match = given(hands={1: "metamorphosis", 2: "cure"}, on={2: "might@3"}, bets={3: (2,)})
    names = [fighter.name for fighter in match.deck.fighters]
    match.fighter_pile.remove(names.index("skeleton"))
    match.fighter_pile.append(names.index("skeleton"))
    told = do(match, 1, "cast metamorphosis 2")
    assert events.Replaced(2, "skeleton") in heard(told)
    shown = match.view(None).table.fighters[1]
    assert (shown.name, shown.power, shown.prize, shown.undead) == ("skeleton", 3, 7, True)
    assert row(match, 2) == ["might"]
    assert match.bets[3] == (2,)


def test_metamorphosis_needs_a_fighter_in_the_pile() -> None:
    """Rule 5.10."""
    match = given(hands={1: "metamorphosis"})
    match.fighter_pile = []
    assert why(match, 1, "cast metamorphosis 2") == "no_fighter_left"


def test_alteration_moves_a_spell_face_down_and_known_as_it_was() -> None:
    """Rule 5.11."""
    match = given(hands={1: "alteration", 2: "cure"}, on={3: "cure@2 might@2", 5: "slow@3"})
    told = do(match, 1, "cast alteration 3.2 5")
    assert events.SpellMoved(3, 2, 5) in heard(told)
    assert (row(match, 3), row(match, 5)) == (["cure"], ["slow", "might"])
    assert you(match, 2).knows == (Known(5, 2, "might"),)
    assert you(match, 1).knows == ()
    assert you(match, 3).knows == (Known(5, 1, "slow"),)


def test_who_looked_knows_the_card_after_it_moved() -> None:
    """Rules 4.10, 5.11."""
    match = given(hands={1: "detect_magic", 2: "alteration", 3: "cure"}, on={3: "might@3"})
    do(match, 1, "cast detect_magic 3")
    do(match, 2, "cast alteration 3.1 4")
    assert you(match, 1).knows == (Known(4, 1, "might"),)
    assert you(match, 2).knows == ()


def test_alteration_goes_to_another_fighter() -> None:
    """Rule 5.11."""
    match = given(hands={1: "alteration"}, on={3: "cure"})
    assert why(match, 1, "cast alteration 3.1 3") == "same_fighter"
    assert why(match, 1, "cast alteration 3.2 4") == "no_such_spell"


def test_anti_magic_field_discards_everything_even_reflection() -> None:
    """Rule 5.12."""
    match = given(hands={1: "anti_magic_field", 2: "cure"}, on={3: "might@2 cure reflection@3"})
    told = do(match, 1, "cast anti_magic_field 3")
    assert events.Cleared(3, ("might", "cure", "reflection")) in heard(told)
    assert row(match, 3) == []
    assert discards(match) == ["might", "cure", "reflection", "anti_magic_field"]
    assert may(match, 2, "cast cure 3")


def test_reflection_shuts_its_fighter_to_every_spell() -> None:
    """Rule 5.13."""
    cards = "cure might detect_magic metamorphosis alteration dispel_magic"
    match = given(hands={1: cards}, on={3: "might@2 reflection@2", 4: "slow@2"})
    for line in ("cast cure 3", "cast might 3", "cast detect_magic 3", "cast metamorphosis 3"):
        assert why(match, 1, line) == "protected", line
    assert why(match, 1, "cast alteration 4.1 3") == "protected"
    assert why(match, 1, "cast alteration 3.1 1") == "protected"
    assert why(match, 1, "cast dispel_magic 3.1") == "protected"


def test_reflection_itself_can_be_dispelled_or_moved() -> None:
    """Rule 5.13."""
    match = given(hands={1: "alteration", 2: "dispel_magic", 3: "cure"}, on={3: "might@2 reflection@2"})
    do(match, 1, "cast alteration 3.2 4")
    assert may(match, 2, "cast dispel_magic 3.1")
    do(match, 2, "cast dispel_magic 4.1")
    for fighter in (3, 4):
        assert may(match, 3, f"cast cure {fighter}")
