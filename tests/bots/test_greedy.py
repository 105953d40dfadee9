"""The greedy bot of the arena: legal, repeatable, and clearly better than chance."""

from itertools import combinations
from typing import Any

import pytest

from bots.arena.odds import Odds
from bots.greedy import GreedyBot, Schemer
from bots.random import RandomBot
from bots.sdk import Bot, Turn
from bots.sdk.local import play
from bots.sdk.registry import bot_or_random
from bots.sdk.seeds import bot_seed
from bots.thinker import Thinker
from games.api import Action, Outcome, options_from
from games.chance import Chance
from games.cheaty_mages import moves
from games.cheaty_mages.views import SeatView
from games.registry import get_game
from tests.games.cheaty_mages.given import given
from tests.games.cheaty_mages.owned import FEW, TINY


def match(game_id: str, bots: list[Bot], number: int, **options: object) -> Outcome:
    game = get_game(game_id)
    return play(game, bots, options_from(game, options), Chance.of_number(number))


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
@pytest.mark.parametrize("matches", [16, pytest.param(400, marks=pytest.mark.soak)])
def test_greedy_wins_more_than_half_against_three_random_bots(game_id: str, matches: int) -> None:
    won = 0.0
    for number in range(matches):
        seat = number % 4
        bots: list[Bot] = [RandomBot(bot_seed(number, place)) for place in range(4)]
        bots[seat] = GreedyBot(number)
        places = match(game_id, bots, number).places
        won += (places[seat] == 1) / places.count(1)
    assert won > matches / 2


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
@pytest.mark.parametrize("options", [{}, {"foul_play": True, "illegal_plays": "discard"}])
def test_greedy_plays_every_table_to_its_end_and_legally(game_id: str, options: dict[str, object]) -> None:
    for seats in (3, 6):
        outcome = match(game_id, [GreedyBot(seat) for seat in range(seats)], seats, **options)
        assert min(outcome.places) == 1


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
@pytest.mark.parametrize("cards", [TINY, FEW], ids=["tiny", "few"])
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_every_bot_of_the_arena_plays_with_a_card_file_to_the_end(game_id: str, cards: str, every: int) -> None:
    """Each of them against each other; or the first against the second and the third against the fourth."""
    game = get_game(game_id).with_cards(cards)
    kinds = [bot_or_random(game_id, name) for name in ("greedy", "greedy:easy", "greedy:hard", "thinker:easy")]
    for number, (one, other) in enumerate([*combinations(kinds, 2)][::every]):
        options = options_from(game, {"foul_play": True, "illegal_plays": "discard"})
        outcome = play(game, [one(number), other(number)], options, Chance.of_number(number))
        assert min(outcome.places) == 1


def test_the_same_seed_plays_the_same_match() -> None:
    one, two = (match("ikasamage", [GreedyBot(seat) for seat in range(4)], 3) for _ in range(2))
    assert one == two


def test_greedy_is_found_for_both_editions() -> None:
    assert bot_or_random("ikasamage", "greedy") is bot_or_random("cheaty-mages", "greedy") is GreedyBot


def chosen(**position: Any) -> Action:
    arena = given(**position)
    game = get_game(arena.deck.edition.id)
    return GreedyBot(1).choose(Turn(game, 1, arena.view(1), arena.legal_actions(1)))


def test_it_suspects_help_under_a_face_down_card_on_a_weak_fighter_and_harm_on_a_strong_one() -> None:
    def chances(**on: str) -> list[float]:
        arena = given(hands={1: "cure"}, on={int(fighter[1:]): what for fighter, what in on.items()})
        view = arena.view(1)
        assert isinstance(view, SeatView)
        return Odds(arena.deck, view.table, view.you).chances

    bare, weak, strong = chances(), chances(f1="might@2"), chances(f5="might@2")
    assert weak[0] > bare[0]
    assert strong[4] < bare[4]


def test_it_helps_the_fighter_it_bet_on() -> None:
    assert chosen(hands={1: "energy_boost", 2: "cure"}, bets={1: (4,)}, round=3) == moves.Cast("energy_boost", 4)


def test_it_minds_the_limit() -> None:
    action = chosen(hands={1: "giant_growth", 2: "cure"}, bets={1: (4,)}, on={4: "might"}, judge="orlair", round=3)
    assert action != moves.Cast("giant_growth", 4)


def test_it_pays_for_a_refused_spell_that_decides() -> None:
    action = chosen(
        edition="cheaty-mages",
        hands={1: "refresh"},
        bets={1: (3,)},
        judge="zapp",
        round=3,
        money={1: 5},
        options=options_from(get_game("cheaty-mages"), {}),
    )
    assert action == moves.Cast("refresh", 3, paying=True)


def test_it_passes_when_nothing_would_help() -> None:
    assert chosen(hands={1: "strengthen", 2: "cure"}, bets={1: (4,)}, on={4: "refresh"}, round=1) == moves.PASS


def redrawing(hand: str, **position: Any) -> Action:
    arena = given(hands={1: hand}, **position)
    arena.phase = "redraw"
    return GreedyBot(1).choose(Turn(get_game("ikasamage"), 1, arena.view(1), arena.legal_actions(1)))


def test_it_discards_its_weakest_card_when_the_hand_leaves_no_room() -> None:
    full = "cure refresh giant_growth meteor_strike shrink"
    assert redrawing(full) == moves.Discard("cure")
    assert redrawing("cure refresh giant_growth shrink") == moves.DONE  # all four draws fit
    assert redrawing("refresh giant_growth meteor_strike shrink blizzard") == moves.DONE


def test_it_forgets_its_weakest_card() -> None:
    arena = given(hands={1: "refresh magic_missile might", 2: "amnesia"}, turn=2)
    arena.apply(2, moves.CastAtPlayer("amnesia", 1))
    turn = Turn(get_game("ikasamage"), 1, arena.view(1), arena.legal_actions(1))
    assert GreedyBot(1).choose(turn) == moves.Discard("magic_missile")


EVENING = {1: "cure healing might strengthen cripple", 2: "cure cure might weaken fireball"}


def bet_in_the_last_round(kind: type[Bot], money: dict[int, int], number: int, **settings: Any) -> tuple[int, ...]:
    """Returns the fighters that a bot in seat 1 of four bets on in the last round, with this gold by seat."""
    arena = given(seats=4, phase="bet", round=3, judge="tad", money=money, hands=EVENING)
    game = get_game("ikasamage")
    options = options_from(game, {})
    turn = Turn(
        game, 1, arena.view(1), arena.legal_actions(1), 1, seats=4, options=options, knowledge=arena.knowledge(1)
    )
    action = kind(number, **settings).choose(turn)
    assert isinstance(action, moves.Bet)
    return action.on


@pytest.mark.parametrize(("kind", "settings"), [(Schemer, {}), (Thinker, {"worlds": 60})])
def test_a_lead_in_the_last_round_is_kept_by_betting_on_several_fighters(
    kind: type[Bot], settings: dict[str, int]
) -> None:
    leading, level = {1: 14, 2: 2, 3: 2, 4: 2}, {1: 4, 2: 4, 3: 4, 4: 4}
    bets = [bet_in_the_last_round(kind, leading, number, **settings) for number in range(4)]
    assert all(len(bet) > 1 for bet in bets)
    assert all(len(bet_in_the_last_round(kind, level, number, **settings)) == 1 for number in range(4))
