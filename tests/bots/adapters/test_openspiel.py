"""The games as OpenSpiel games: its own tests, and what they do not look at."""

from __future__ import annotations

import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from bots.sdk.adapters.openspiel import openspiel_name, to_parameter
from games.api import Game, options_from, to_map
from games.magecraft.cards import OWN_FILE
from games.registry import all_games
from tests.helpers.variants import combinations, each_once

ROOT = Path(__file__).parents[3]
GAMES = list(all_games().values())


@pytest.fixture(scope="module")
def short_magecraft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random mages take over a thousand decisions; these have five rounds."""
    file = tmp_path_factory.mktemp("cards") / "short.toml"
    file.write_text(re.sub("rounds = 200", "rounds = 5", OWN_FILE.read_text(encoding="utf-8")), encoding="utf-8")
    return file


def loaded(game: Game, seats: int, options: dict[str, Any], cards: Path) -> Any:
    given: dict[str, Any] = {"players": seats, "deals": 5}
    given |= {name: to_parameter(game, name, value) for name, value in options.items()}
    if game.id == "magecraft":
        given["cards"] = str(cards)
    return pyspiel.load_game(openspiel_name(game), given)


def resampling(game: Any, sims: int) -> None:
    """OpenSpiel's ResampleInfostateTest, which has no face in Python, and all else that a player sees."""
    rng = random.Random(4)
    for deal in range(sims):
        state = game.new_initial_state()
        state.apply_action(deal)
        while not state.is_terminal():
            player = rng.randrange(game.num_players())
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions(player) == state.legal_actions(player)
            assert other.current_player() == state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))


def test_openspiel_s_own_tests_pass_at_every_number_of_players_and_with_each_option(short_magecraft: Path) -> None:
    for game in GAMES:
        for number, (seats, options) in enumerate(each_once(game)):
            spiel = loaded(game, seats, to_map(options), short_magecraft)
            pyspiel.random_sim_test(spiel, 1, serialize=number == 1, verbose=False)
        resampling(spiel, 1)


@pytest.mark.soak  # it brings SciPy, which takes longer than the one in C++, above, which asks for the same
def test_openspiel_s_own_tests_in_python_pass_too(short_magecraft: Path) -> None:
    from open_spiel.python.tests import games_sim_test

    for game in GAMES:
        for seats, options in each_once(game):
            games_sim_test.GamesSimTest().sim_game(loaded(game, seats, to_map(options), short_magecraft))


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_openspiel_s_own_tests_pass_many_times_with_all_combinations(game: Game, short_magecraft: Path) -> None:
    for seats, options in combinations(game):
        spiel = loaded(game, seats, to_map(options), short_magecraft)
        pyspiel.random_sim_test(spiel, 20, serialize=True, verbose=False)
        resampling(spiel, 5)


@pytest.mark.soak
def test_a_whole_random_match_of_magecraft_passes_too() -> None:
    pyspiel.random_sim_test(pyspiel.load_game("magehall_magecraft(players=2)"), 2, serialize=True, verbose=False)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_printed_takes_the_printed_options_as_at_a_table(game: Game) -> None:
    printed = pyspiel.load_game(f"{openspiel_name(game)}(printed=True)")
    assert printed.options == options_from(game, {"printed": True})


EVERY_CALL = """
import random
import pyspiel
from bots.sdk.adapters.openspiel import openspiel_name
from games.registry import all_games

METHODS = ("legal_actions", "legal_actions_mask", "information_state_string", "information_state_tensor",
           "observation_string", "observation_tensor", "player_reward", "player_return")
rng = random.Random(1)
for ours in all_games().values():
    game = pyspiel.load_game(openspiel_name(ours))
    state, kinds = game.new_initial_state(), set()
    while True:
        for player in range(-4, game.num_players() + 1):
            for name in METHODS:
                for _again in range(20 if state.is_chance_node() else 1):
                    try:
                        told = getattr(state, name)(player)
                    except pyspiel.SpielError:
                        continue
                    if name == "legal_actions" and player >= 0:
                        assert not told or player == state.current_player(), (ours.id, player)
                    if name == "legal_actions_mask" and player >= 0:
                        assert len(told) == game.num_distinct_actions(), (ours.id, player)
                        assert [at for at, one in enumerate(told) if one] == state.legal_actions(player)
        kinds.add((state.is_chance_node(), state.is_terminal()))
        if state.is_terminal() or len(state.history()) > 30:
            break
        state.apply_action(rng.choice(state.legal_actions()))
    assert (True, False) in kinds and (False, False) in kinds
print("all calls returned")
"""


def test_no_call_at_any_kind_of_node_ends_the_process() -> None:
    made = subprocess.run([sys.executable, "-c", EVERY_CALL], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (made.returncode, made.stdout) == (0, "all calls returned\n"), made.stderr[-500:]


def test_a_deal_is_one_outcome_of_the_root_and_a_seed_gives_other_deals() -> None:
    boards = []
    for seed in (0, 1):
        game = pyspiel.load_game(f"magehall_magecraft(players=2,deals=3,seed={seed})")
        assert game.new_initial_state().chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]
        for deal in range(3):
            state = game.new_initial_state()
            assert (state.is_chance_node(), str(state)) == (True, "no deal yet")
            assert state.action_to_string(pyspiel.PlayerId.CHANCE, deal) == f"deal {deal}"
            state.apply_action(deal)
            boards.append(state.observation_string(0))
    assert len(set(boards)) == 6


def test_options_cards_and_players_are_parameters(short_magecraft: Path) -> None:
    game = pyspiel.load_game(f"magehall_magecraft(players=3,boards=chosen,darkness=false,cards={short_magecraft})")
    assert (game.seats, game.options.boards, game.options.darkness) == (3, "chosen", False)
    assert game.max_game_length() < pyspiel.load_game("magehall_magecraft(players=3)").max_game_length()
    again = pickle.loads(pickle.dumps(game))  # noqa: S301 (our own bytes)
    assert (str(again), again.seats, again.options) == (str(game), game.seats, game.options)
    with pytest.raises(ValueError, match=r"Magecraft takes 2 to 4 players"):
        pyspiel.load_game("magehall_magecraft(players=7)")


@pytest.mark.parametrize("file", sorted(ROOT.glob("games/*/tiny-*.toml")), ids=lambda file: file.stem)
def test_the_yardsticks_are_card_files_like_others_whatever_their_numbers_of_players(file: Path) -> None:
    for game in (one for one in GAMES if one.rules.parent == file.parent):
        spiel = pyspiel.load_game(openspiel_name(game), {"cards": str(file), "deals": 3})
        assert spiel.num_players() == 2
        pyspiel.random_sim_test(spiel, 2, serialize=True, verbose=False)


def test_a_world_that_was_imagined_survives_bytes_and_does_not_become_the_truth() -> None:
    state = pyspiel.load_game("magehall_ikasamage(players=3)").new_initial_state()
    state.apply_action(7)
    other = state.resample_from_infostate(0, random.Random(1).random)
    assert str(other) != str(state)
    assert str(pickle.loads(pickle.dumps(other))) == str(other) == str(other.clone())  # noqa: S301 (our own bytes)
    assert other.information_state_string(1) != state.information_state_string(1)


def test_what_is_no_deal_and_no_action_is_refused() -> None:
    for deals in (0, -1):
        with pytest.raises(ValueError, match=f"There has to be a deal, not {deals}"):
            pyspiel.load_game(f"magehall_mages_110m(deals={deals})")
    state = pyspiel.load_game("magehall_mages_110m(deals=3)").new_initial_state()
    for deal in (3, -2):
        with pytest.raises(ValueError, match=f"There is no deal {deal}; they are 0 to 2"):
            state.clone().apply_action(deal)
    state.apply_action(2)
    with pytest.raises(ValueError, match="There is no action -2"):
        state.apply_action(-2)


def test_what_one_sees_and_what_all_see_are_two_observations() -> None:
    game = pyspiel.load_game("magehall_ikasamage(players=3)")
    state = game.new_initial_state()
    state.apply_action(1)
    public = game.make_py_observer(
        pyspiel.IIGObservationType(perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE)
    )
    seen = game.make_py_observer()
    assert [seen.string_from(state, player) for player in range(3)] == [*map(state.observation_string, range(3))]
    assert public.string_from(state, 0) == public.string_from(state, 1) != state.observation_string(0)
    with pytest.raises(ValueError, match="An observer takes no parameters, not colour"):
        game.make_py_observer(None, {"colour": 1})


def test_what_one_sees_is_the_vector_of_that_seat_and_nothing_before_the_deal() -> None:
    game = pyspiel.load_game("magehall_ikasamage(players=3)")
    observer, state = game.make_py_observer(), game.new_initial_state()
    observer.set_from(state, 0)
    assert not observer.tensor.any()
    state.apply_action(1)
    seen = []
    for player in range(3):
        observer.set_from(state, player)
        assert observer.tensor.tolist() == list(game.numbers.vector(state.match.truth.view(player + 1)))
        seen.append(observer.tensor.tolist())
    assert seen[0] != seen[1] != seen[2]
    observer.set_from(game.new_initial_state(), 0)
    assert not observer.tensor.any()


def test_the_one_chance_is_the_deal_of_which_everybody_remembers_what_was_told() -> None:
    game = pyspiel.load_game("magehall_mages_110m(players=2,deals=1)")
    assert game.max_chance_nodes_in_history() == 1
    state = game.new_initial_state()
    state.apply_action(0)
    assert state.information_state_string(0).startswith('> {"what":"started"')
    while not state.is_terminal():
        assert state.clone().current_player() == state.current_player()
        state.apply_action(state.legal_actions()[0])
    assert state.clone().is_terminal()
    assert sum(state.returns()) == 1.0


def test_a_searcher_of_openspiel_plays_in_imagined_worlds() -> None:
    game = pyspiel.load_game("magehall_mages_110m(players=2)")
    state = game.new_initial_state()
    state.apply_action(1)
    bot = ismcts.ISMCTSBot(game, RandomRolloutEvaluator(1), uct_c=1.0, max_simulations=2)
    assert bot.step(state) in state.legal_actions()
