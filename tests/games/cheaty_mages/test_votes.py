"""The players vote on refused spells (rule 10.4), and foul play is for one spell each (rule 10.3)."""

from __future__ import annotations

import pytest

from games.api import Event, IllegalAction, options_from
from games.cheaty_mages import events, moves
from games.cheaty_mages.options import ArenaOptions, FoulPlay
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.views import OpenSpell
from games.registry import get_game
from tests.games.cheaty_mages.given import given

KEEP, STRIKE = moves.VOTES
VOTES = ArenaOptions(illegal_plays="vote")


def disputed() -> tuple[ArenaState, list[Event]]:
    """Seat 1 has slipped a Direct spell in face down and everybody has passed; seat 2 began the round."""
    arena = given(hands={1: "refresh", 2: "cure", 3: "cure"}, judge="orlair", options=VOTES)
    arena.apply(1, moves.Cast("refresh", 3, face_down=True))
    told: list[Event] = []
    for seat in (2, 3):
        told = [one.event for one in arena.apply(seat, moves.PASS)]
    return arena, told


def test_when_cards_are_turned_up_the_players_are_asked_about_a_refused_one() -> None:
    """Rule 10.4."""
    arena, told = disputed()
    assert events.Disputed(3, "refresh") in told
    assert arena.phase == "vote"
    assert arena.to_move() == {arena.starter}
    assert list(arena.legal_actions(arena.starter)) == [KEEP, STRIKE]
    assert arena.view(2).table.fighters[2].spells[0] == OpenSpell("refresh", 1, False)
    assert not arena.view(2).table.result


def test_it_stays_if_all_keep_it_and_counts() -> None:
    arena, _ = disputed()
    power = arena.view(None).table.fighters[2].power
    told: list[Event] = []
    for _vote in range(3):
        (seat,) = arena.to_move()
        told = [one.event for one in arena.apply(seat, KEEP)]
    assert told[:2] == [events.Voted(3 if arena.starter == 1 else arena.starter - 1, True), events.Kept(3, "refresh")]
    assert arena.view(None).table.result[0].fighters[2].power == power + 10


def test_the_first_who_strikes_it_discards_it() -> None:
    arena, _ = disputed()
    (first,) = arena.to_move()
    arena.apply(first, KEEP)
    (second,) = arena.to_move()
    told = [one.event for one in arena.apply(second, STRIKE)]
    assert told[:2] == [events.Voted(second, False), events.Struck(3, "refresh")]
    assert arena.view(None).table.result
    assert "refresh" in arena.view(None).table.discard


def test_whoever_is_late_strikes() -> None:
    arena, _ = disputed()
    assert arena.default_action(arena.starter, arena.chance) == STRIKE


def test_nobody_votes_where_nothing_was_refused() -> None:
    arena = given(hands={1: "might", 2: "cure", 3: "cure"}, options=VOTES)
    arena.apply(1, moves.Cast("might", 3))
    for seat in (2, 3):
        arena.apply(seat, moves.PASS)
    assert arena.phase == "redraw"


def test_with_foul_play_for_one_a_player_buys_one_refused_spell_a_round() -> None:
    arena = given(
        edition="cheaty-mages",
        hands={1: "refresh meteor_strike", 2: "fireball", 3: "cure"},
        judge="orlair",
        round=3,
        money={1: 9, 2: 9},
        options=ArenaOptions(foul_play="one"),
    )
    arena.apply(1, moves.Cast("refresh", 1, paying=True))
    arena.apply(2, moves.Cast("fireball", 2, paying=True))
    arena.apply(3, moves.PASS)
    assert [player.fouled for player in arena.view(3).table.players] == [True, True, False]
    assert not any(getattr(action, "paying", False) for action in arena.legal_actions(1))
    with pytest.raises(IllegalAction, match="each player may buy only one"):
        arena.apply(1, moves.Cast("meteor_strike", 1, paying=True))


@pytest.mark.parametrize("value", [True, "each"])
def test_with_foul_play_for_each_a_player_buys_as_many_as_the_gold_lasts_for(value: FoulPlay) -> None:
    arena = given(
        edition="cheaty-mages",
        hands={1: "refresh meteor_strike", 2: "cure"},
        judge="orlair",
        round=3,
        money={1: 4},
        options=ArenaOptions(foul_play=value),
    )
    arena.apply(1, moves.Cast("refresh", 1, paying=True))
    arena.apply(2, moves.PASS)
    if 3 in arena.to_move():
        arena.apply(3, moves.PASS)
    assert moves.Cast("meteor_strike", 1, False, True) in arena.legal_actions(1)


def test_printed_slips_refused_spells_in_and_sells_one_in_2013() -> None:
    """Rules 10.5, C6.3."""
    for name, sells in (("ikasamage", False), ("cheaty-mages", "one")):
        options = options_from(get_game(name), {"printed": True})
        assert isinstance(options, ArenaOptions)
        assert (options.illegal_plays, options.foul_play) == ("discard", sells)
