"""Among equal choices a house bot decides by its own chance, and a bot made anew decides as the one before it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from bots.evoker import Evoker
from bots.greedy import GreedyBot
from bots.sdk import Bot, Turn, best_of
from bots.sdk.local import play
from bots.thinker.search import SearchBudget, best_action
from client.house import BotHouse
from games.api import Action, Game, Seat, State, options_from
from games.chance import Chance
from games.cheaty_mages import moves as arena
from games.magecraft import moves as magic
from games.registry import all_games, get_game
from matches.house import HouseBot, HouseQuestion
from tests.bots.test_thinker import Scale, toy_turn
from tests.games.cheaty_mages.given import given


def test_best_of_draws_among_equals_only() -> None:
    rng = random.Random(1)
    before = rng.getstate()
    assert best_of("abc", {"a": 1, "b": 3, "c": 2}.__getitem__, rng) == "b"
    assert rng.getstate() == before
    drawn = Counter(best_of("abcd", {"a": 2, "b": 1, "c": 2, "d": 2}.__getitem__, rng) for _ in range(3_000))
    assert set(drawn) == {"a", "c", "d"}
    assert min(drawn.values()) > 850
    with pytest.raises(ValueError, match="empty"):
        best_of("", ord, rng)


def test_the_search_decides_by_chance_among_candidates_that_are_worth_the_same() -> None:
    turn = toy_turn(1, 2, 3, 4)
    every = Scale()
    every.rollout_value = lambda world, turn, rng: 0.5  # type: ignore[method-assign]
    drawn = Counter(best_action(turn, every, SearchBudget(worlds=1), random.Random(seed)) for seed in range(400))
    assert len(drawn) == 4
    assert min(drawn.values()) > 60


def test_greedy_throws_amnesia_at_any_of_the_others() -> None:
    position = given(seats=5, hands={3: "amnesia", 1: "cure", 2: "might", 4: "weaken", 5: "slow"}, turn=3, round=3)
    turn = Turn(get_game("ikasamage"), 3, position.view(3), position.legal_actions(3))
    thrown = Counter(GreedyBot(seed).choose(turn) for seed in range(400))
    assert set(thrown) == {arena.CastAtPlayer("amnesia", seat) for seat in (1, 2, 4, 5)}
    assert min(thrown.values()) > 60


def attacked(bots: list[Bot], matches: int) -> Counter[int]:
    """How far clockwise from the attacker those sat who were attacked first, while all have as much."""
    found: Counter[int] = Counter()
    for number in range(matches):
        game, first = get_game("magecraft"), list[int]()

        def watch(state: State, seat: Seat, action: Action, first: list[int] = first) -> None:
            if isinstance(action, magic.Attack) and not first:
                first.append((action.seat - seat) % state.seats)

        play(
            game,
            [Evoker(number * 4 + seat) for seat in range(4)],
            options_from(game, {}),
            Chance.of_number(number),
            watch,
        )
        found.update(first)
    return found


def test_evoker_attacks_no_place_clockwise_more_than_another_while_all_are_equal() -> None:
    found = attacked([], 60)
    assert set(found) == {1, 2, 3}
    assert max(found.values()) < 36


def decisions(game: Game, seats: int, bots: list[HouseBot], number: int, *, anew: str = "") -> Iterator[Action]:
    """Every action of a match between house bots; with `anew` each decision is made by a bot that was made for it."""
    options = options_from(game, {})
    state, _told = game.start(seats, options, Chance.of_number(number))
    asked = dict.fromkeys(range(1, seats + 1), 0)
    while movers := state.to_move():
        seat = min(movers)
        asked[seat] += 1
        said: list[Action | None] = []
        bot = BotHouse().make(game, seats, {}, anew, seat) if anew else bots[seat - 1]
        know = state.knowledge
        bot.ask(
            HouseQuestion(seat, state.view(seat), state.legal_actions(seat), asked[seat], lambda: know(seat)),  # noqa: B023
            said.append,
        )
        (action,) = said
        assert action is not None
        yield action
        state.apply(seat, action)


QUICK = [(game, name) for game in all_games().values() for name in BotHouse().names(game) if "thinker" not in name]


@pytest.mark.parametrize(("game", "name"), QUICK, ids=lambda one: getattr(one, "id", one))
def test_a_house_bot_made_anew_for_each_decision_plays_the_same_match(game: Game, name: str) -> None:
    """As after `kill -9` of the server between any two of them."""
    seats = game.min_seats
    kept = [BotHouse().make(game, seats, {}, name, seat) for seat in range(1, seats + 1)]
    for number in range(3):
        before = [*decisions(game, seats, kept, number)]
        assert before == [*decisions(game, seats, [], number, anew=name)]
        kept = [BotHouse().make(game, seats, {}, name, seat) for seat in range(1, seats + 1)]
