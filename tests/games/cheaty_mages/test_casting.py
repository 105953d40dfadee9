"""Ikasamage: whose turn it is to cast, how spells lie, what judges refuse, who sees what."""

import pytest

from games.api import Action
from games.cheaty_mages import events, moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.casting import _resolve
from games.cheaty_mages.moves import PASS
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.views import HiddenSpell, Known, OpenSpell
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
FOUL = ArenaOptions(foul_play=True)


def test_casting_goes_round_from_the_starter() -> None:
    """Rule 4.1."""
    match = given(hands={1: "cure cure", 2: "might might", 3: "slow slow"}, turn=2)
    order = []
    for line in ("cast might 1", "cast slow 1", "cast cure 1", "cast might 2", "cast slow 2"):
        order.append(match.turn)
        do(match, match.turn, line)
    assert order == [2, 3, 1, 2, 3]


def test_nobody_casts_out_of_turn() -> None:
    """Rule 4.1."""
    match = given(hands={1: "cure", 2: "might"})
    assert why(match, 2, "cast might 1") == "not_your_turn"
    assert why(match, 1, "bet 3") == "not_now"
    assert why(match, 1, "cast might 1") == "not_in_hand"
    assert why(match, 1, "cast cure 6") == "no_such_fighter"


def test_the_last_bet_begins_the_casting() -> None:
    """Rule 4.1."""
    match = given(hands={1: "cure", 2: "might", 3: "slow"}, turn=3)
    match.phase = "bet"
    for seat in (3, 1, 2):
        do(match, seat, "bet 1")
    assert (match.phase, match.turn) == ("cast", 3)


def test_who_has_passed_plays_no_more_and_the_others_go_on() -> None:
    """Rule 4.2."""
    match = given(hands={1: "cure", 2: "might might might", 3: "slow"})
    assert heard(do(match, 1, "pass")) == [events.Passed(1, False)]
    do(match, 2, "cast might 1")
    do(match, 3, "pass")
    assert match.turn == 2
    do(match, 2, "cast might 1")
    assert match.turn == 2
    do(match, 2, "pass")
    assert match.phase != "cast"
    assert hand(match, 1) == ["cure"]
    nobody_discards(match)
    assert not any(player.passed for player in match.view(None).table.players)


def test_a_player_without_cards_passes_unasked() -> None:
    """Rule 4.3."""
    match = given(hands={1: "cure", 3: "slow"})
    told = do(match, 1, "cast cure 1")
    assert heard(told)[-1] == events.Passed(2, True)
    assert match.turn == 3
    told = do(match, 3, "cast slow 1")
    assert events.Passed(3, True) in heard(told)
    assert events.Passed(1, True) in heard(told)
    assert match.phase == "redraw"


def test_a_player_with_nothing_to_cast_is_asked_and_has_to_pass() -> None:
    """Rule 4.3."""
    match = given(hands={1: "cure", 2: "recall amnesia"}, judge="morla")
    do(match, 1, "cast cure 1")
    assert match.turn == 2
    assert list(match.legal_actions(2)) == [PASS]


def test_enchants_lie_face_down_and_reflection_face_up() -> None:
    """Rule 4.4."""
    match = given(hands={1: "might reflection", 2: "cure cure"})
    told = do(match, 1, "cast might 2")
    assert heard(told, 2) == heard(told, None) == [events.SpellHidden(1, 2, False)]
    assert heard(told, 1) == [events.YouHid("might", 2, False)]
    do(match, 2, "cast cure 1")
    told = do(match, 1, "cast reflection 3")
    assert heard(told, 2) == [events.SpellPlaced(1, "reflection", 3, False)]
    assert match.view(2).table.fighters[1].spells == (HiddenSpell(1, False),)
    assert match.view(2).table.fighters[2].spells == (OpenSpell("reflection", 1, False),)


@pytest.mark.parametrize("shut", range(1, 6))
def test_reflection_shuts_its_fighter_to_all_spells_but_one(shut: int) -> None:
    match = given(hands={1: "cure anti_magic_field", 2: "cure"}, on={shut: "reflection"})
    aims: dict[str, set[int]] = {}
    for action in match.legal_actions(1):
        if isinstance(action, moves.Cast):
            aims.setdefault(action.card, set()).add(action.fighter)
    assert aims == {"cure": {*range(1, 6)} - {shut}, "anti_magic_field": {*range(1, 6)}}


def test_direct_spells_lie_face_up() -> None:
    """Rule 4.5."""
    match = given(hands={1: "fireball", 2: "cure"})
    assert why(match, 1, "cast fireball 3 down") == "not_face_down"
    told = do(match, 1, "cast fireball 3")
    assert heard(told, 2) == [events.SpellPlaced(1, "fireball", 3, False)]
    assert match.view(3).table.fighters[2].spells == (OpenSpell("fireball", 1, False),)


def test_support_spells_are_discarded_at_once() -> None:
    """Rule 4.6."""
    match = given(hands={1: "prismatic_ray", 2: "cure"})
    do(match, 1, "cast prismatic_ray")
    assert discards(match) == ["prismatic_ray"]
    assert hand(match, 1) == []


def test_forbidden_spells_are_played_like_others_where_no_judge_minds() -> None:
    """Rule 4.7."""
    match = given(hands={1: "refresh giant_growth", 2: "cure cure"})
    do(match, 1, "cast refresh 1")
    do(match, 2, "cast cure 1")
    do(match, 1, "cast giant_growth 1")
    assert row(match, 1) == ["refresh", "cure", "giant_growth"]


@pytest.mark.parametrize(
    ("judge", "refused"),
    [
        ("adoth", {"recall", "metamorphosis", "refresh", "shrink", "reflection"}),
        ("zapp", {"metamorphosis", "refresh", "shrink", "reflection"}),
        ("orlair", {"cure", "refresh"}),
        ("morla", {"recall", "metamorphosis"}),
        ("tad", set()),
        ("ferine", set()),
        ("lawty", set()),
        ("lester", set()),
    ],
)
def test_judges_refuse_what_their_cards_say(judge: str, refused: set[str]) -> None:
    """Rule 4.8."""
    cards = "recall metamorphosis refresh shrink reflection cure might"
    match = given(hands={1: cards}, judge=judge)
    for card in cards.split():
        line = f"cast {card}" if card == "recall" else f"cast {card} 1"
        if card in refused:
            assert why(match, 1, line) == "refused_by_judge"
        else:
            assert may(match, 1, line), line


def test_a_later_judge_does_not_strike_what_was_lawful() -> None:
    """Rule 4.9."""
    match = given(
        hands={1: "refresh", 2: "dimension_door"}, fighters=("goblin", "orc", "skeleton", "ghost", "succubus")
    )
    match.judge_pile.append([judge.name for judge in match.deck.judges].index("zapp"))
    do(match, 1, "cast refresh 1")
    told = do(match, 2, "cast dimension_door")
    assert events.Won(1, "goblin", 11, 10) in heard(told)


def test_everybody_sees_that_a_card_lies_there_and_its_owner_knows_it() -> None:
    """Rule 4.10."""
    match = given(hands={1: "cure"}, on={4: "cure@3 slow@2"})
    for seat in (None, 1, 2, 3):
        lain = match.view(seat).table.fighters[3].spells
        assert lain == (OpenSpell("cure", 3, False), HiddenSpell(2, False))
    assert you(match, 2).knows == (Known(4, 2, "slow"),)
    assert you(match, 1).knows == you(match, 3).knows == ()


def test_what_would_change_nothing_may_be_cast() -> None:
    """Rule 4.11."""
    match = given(hands={1: "detect_magic anti_magic_field recall confusion"})
    match.pile = []
    for line in ("cast detect_magic 1", "cast anti_magic_field 1", "cast recall"):
        assert may(match, 1, line)


def test_the_server_refuses_what_the_judge_refuses_by_default() -> None:
    """Rule 10.1."""
    match = given(hands={1: "shrink"}, judge="zapp")
    assert why(match, 1, "cast shrink 1") == "refused_by_judge"
    assert list(match.legal_actions(1)) == [PASS]


@pytest.mark.parametrize("card", ["shrink", "metamorphosis", "refresh", "reflection"])
def test_a_refused_card_can_be_slipped_in_and_is_struck(card: str) -> None:
    """Rule 10.2."""
    match = given(hands={1: card, 2: "cure"}, judge="zapp", options=CHEATING)
    openly = match.refusal_reason(1, moves.Cast(card, 2, face_down=card == "shrink"))  # which lies hidden as a rule
    assert openly is not None
    assert openly.code == "refused_by_judge"
    told = do(match, 1, f"cast {card} 2 down")
    assert heard(told, 2) == [events.SpellHidden(1, 2, False)]
    assert may(match, 2, "cast cure 2")  # a hidden Reflection protects nobody
    told = everybody_passes(match)
    happened = heard(told)
    assert happened.index(events.TurnedUp(2, (card,))) < happened.index(events.Struck(2, card))
    assert events.Won(5, "dark_elf", 7, 4) in happened
    assert discards(match)[0] == card


def test_a_hidden_reflection_protects_nobody_after_the_row_has_changed() -> None:
    """Rules 10.2, 11.3."""
    match = given(
        hands={1: "reflection", 2: "dispel_magic", 3: "cure"}, on={2: "might"}, judge="zapp", options=CHEATING
    )
    do(match, 1, "cast reflection 2 down")
    do(match, 2, "cast dispel_magic 2.1")
    assert may(match, 3, "cast cure 2")


def test_a_direct_spell_face_down_is_struck_before_mana_counts() -> None:
    """Rule 10.2."""
    match = given(hands={1: "meteor_strike", 2: "cure"}, on={5: "haste"}, options=CHEATING)
    do(match, 1, "cast meteor_strike 5 down")
    told = everybody_passes(match)
    assert events.Struck(5, "meteor_strike") in heard(told)
    assert events.Won(5, "dark_elf", 11, 4) in heard(told)


def test_what_is_lawful_cannot_be_laid_otherwise_even_then() -> None:
    """Rule 10.2."""
    match = given(hands={1: "recall reflection might"}, options=CHEATING)
    assert why(match, 1, "cast recall 1 down") == "not_face_down"
    assert why(match, 1, "cast reflection 1 down") == "not_face_down"


def test_foul_play_buys_a_refused_spell_in_round_three() -> None:
    """Rule 10.3."""
    match = given(hands={1: "refresh shrink", 2: "cure cure"}, judge="zapp", round=3, money={1: 4}, options=FOUL)
    assert why(match, 1, "cast refresh 1") == "refused_by_judge"
    told = do(match, 1, "cast refresh 1 pay")
    assert heard(told, 2) == [events.SpellPlaced(1, "refresh", 1, True)]
    assert match.view(2).table.fighters[0].spells == (OpenSpell("refresh", 1, True),)
    assert match.view(2).table.players[0].money == 2
    do(match, 2, "cast cure 2")
    told = do(match, 1, "cast shrink 3 pay")
    assert heard(told, 2)[0] == events.SpellHidden(1, 3, True)
    assert heard(told, 1)[0] == events.YouHid("shrink", 3, True)
    assert match.money[1] == 0
    told = everybody_passes(match)
    assert not [one for one in told if isinstance(one.event, events.Struck)]


def test_foul_play_needs_the_option_the_round_the_money_and_a_refused_spell() -> None:
    """Rule 10.3."""
    hands, rich = {1: "refresh cure"}, {1: 5}
    assert why(given(hands=hands, judge="zapp", round=3, money=rich), 1, "cast refresh 1 pay") == "no_foul_play"
    second = given(hands=hands, judge="zapp", round=2, money=rich, options=FOUL)
    assert why(second, 1, "cast refresh 1 pay") == "no_foul_play"
    poor = given(hands=hands, judge="zapp", round=3, money={1: 1}, options=FOUL)
    assert why(poor, 1, "cast refresh 1 pay") == "no_money"
    third = given(hands=hands, judge="zapp", round=3, money=rich, options=FOUL)
    assert why(third, 1, "cast cure 1 pay") == "nothing_to_pay"


def test_the_public_things_are_in_everybodys_view() -> None:
    """Rule 11.1."""
    match = given(hands={1: "cure might", 2: "slow"}, bets={1: (1, 2), 2: (3,), 3: (1, 4, 5)}, money={3: 7})
    do(match, 1, "pass")
    table = match.view(None).table
    assert [player.hand_size for player in table.players] == [2, 1, 0]
    assert [player.bets for player in table.players] == [2, 1, 3]
    assert [player.money for player in table.players] == [0, 0, 7]
    assert [player.passed for player in table.players] == [True, False, False]
    assert (table.spell_pile, table.judge_pile, table.fighter_pile) == (69, 7, 5)
    assert table == match.view(1).table == match.view(2).table


def test_a_view_is_the_table_and_what_is_ones_own() -> None:
    """Rule 11.2."""
    match = given(hands={1: "cure might", 2: "slow"}, bets={1: (1, 2)})
    assert (you(match, 1).hand, you(match, 1).bet) == (("cure", "might"), (1, 2))
    assert not hasattr(match.view(None), "you")
    assert you(match, 2).hand == ("slow",)


def test_a_refusal_is_the_same_whatever_others_hold() -> None:
    """Rule 11.3."""
    for theirs in ("slow", "might"):
        match = given(hands={1: "cure", 2: theirs}, on={1: "shrink@2"})
        assert why(match, 1, "cast might 1") == "not_in_hand"
        assert match.legal_actions(2) == ()


@pytest.mark.parametrize("number", [-(10**12), -1, 0, 6, 10**12])
def test_numbers_that_name_nothing_are_refused(number: int) -> None:
    hand = "might recall dispel_magic alteration amnesia imitation metamorphosis"
    for edition in ("ikasamage", "cheaty-mages"):
        match = given(edition=edition, hands={1: hand}, on={1: "cure"}, bets={1: (1, 2)})
        for action in (
            moves.Cast("might", number),
            moves.Cast("might", number, face_down=True),
            moves.Cast("metamorphosis", number),
            moves.CastAtSpell("dispel_magic", number, 1),
            moves.CastAtSpell("dispel_magic", 1, number),
            moves.CastMoving("alteration", 1, 1, number),
            moves.CastMoving("alteration", 1, number, 2),
            moves.CastAtPlayer("amnesia", number),
            moves.CastSwapping("imitation", 1, number),
            moves.CastSwapping("imitation", number, 3),
            moves.Look("recall", number),
            moves.Bet((number,)),
        ):
            refusal = match.refusal_reason(1, action)
            assert refusal is not None, action
            assert refusal.code
            assert str(number) not in refusal.text or number in (0, 6), refusal.text


@pytest.mark.parametrize("action", [moves.Cast("might", 1), moves.Look("cure", 1), moves.Discard("cure"), moves.DONE])
def test_nothing_is_done_after_the_end_or_in_the_wrong_phase(action: Action) -> None:
    match = given(hands={1: "cure"}, round=3)
    if not isinstance(action, moves.Cast | moves.Look):
        refusal = match.refusal_reason(1, action)
        assert refusal is not None
        assert refusal.code == "not_now"
    everybody_passes(match)
    refusal = match.refusal_reason(1, action)
    assert refusal is not None
    assert refusal.code == "game_over"


def test_a_spell_for_which_there_is_no_rule_is_not_cast_in_silence() -> None:
    match = given(hands={1: "cure"})
    unknown = Spell("abracadabra", "Abracadabra", "support", 1, "-", target="none")
    with pytest.raises(LookupError, match="no rule for abracadabra"):
        _resolve(match, 1, unknown, moves.CastAlone("abracadabra"), 0, [])


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (moves.CastAlone("metamorphosis"), "Metamorphosis is cast at a fighter."),
        (moves.CastAlone("fireball"), "Fireball is cast at a fighter."),
        (moves.CastAlone("dispel_magic"), "Dispel Magic is cast at a spell in play, like 3.2."),
        (moves.CastAlone("amnesia"), "Amnesia is cast at a player, by seat number."),
        (moves.CastAlone("imitation"), "Imitation is cast at a betting card placed and one set aside."),
        (moves.CastAlone("alteration"), "Alteration is cast at a spell in play and another fighter, like 3.2 5."),
        (moves.CastAtPlayer("recall", 2), "Recall is cast at nothing: it has no target."),
    ],
)
def test_a_spell_at_a_wrong_target_is_refused_with_the_right_one(action: Action, says: str) -> None:
    match = given(hands={1: "metamorphosis fireball dispel_magic amnesia imitation alteration recall"})
    refusal = match.refusal_reason(1, action)
    assert refusal is not None
    assert (refusal.code, refusal.text) == ("wrong_target", says)


def test_of_a_swap_the_others_see_whether_it_was_paid_for_and_not_what_was_swapped() -> None:
    """Rule 11.1."""
    match = given(hands={1: "imitation"}, bets={1: (1, 2)})
    seen = {
        match.observed_action(1, moves.CastSwapping("imitation", placed, aside, paying), 2)
        for placed in (1, 2)
        for aside in (3, 4, 5)
        for paying in (False, True)
    }
    assert seen == {("swap", "imitation", False), ("swap", "imitation", True)}
    own = moves.CastSwapping("imitation", 1, 3)
    assert match.observed_action(1, own, 1) == own
