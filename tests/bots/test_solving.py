"""Small games as trees: solved, and how far bots are from that."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.random import RandomBot
from bots.sdk import Bot, Turn
from bots.sdk.lab.bot_errors import BotFailed
from bots.sdk.lab.deals import UnsuitableSettings
from bots.sdk.lab.solving import GameSolution, Solver, render_solution, solve_game
from bots.sdk.lab.tree import TooLarge, Tree, _Tape
from bots.sdk.registry import NoSuchBot
from games.api import Action, Game, options_from
from games.mages_110m.moves import Aim
from games.registry import get_game
from tests.bots.coin import COIN, Heads, Tails

GAMES = Path(__file__).parents[2] / "games"
FILE = GAMES / "mages_110m" / "tiny-race.toml"
DUEL = GAMES / "magecraft" / "tiny-duel.toml"
ARENA = GAMES / "cheaty_mages" / "tiny-arena.toml"


@pytest.fixture(scope="module")
def race() -> Game:
    return get_game("mages-110m").with_cards(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tree(race: Game) -> Tree:
    return Tree(race, options_from(race, {}))


def test_the_tiny_race_is_solved(tree: Tree) -> None:
    assert (tree.nodes, len(tree.spots)) == (2_424, 542)
    turns = [spot.turn for spot in tree.spots.values()]
    assert {(turn.number, turn.seats, turn.options) for turn in turns} == {(1, 2, tree.options)}
    solver = Solver(tree)
    for _iteration in range(20):
        solver.run_iteration()
    assert 0 <= solver.nash_conv(solver.average_strategy()) < 0.01
    assert solver.mean_share(solver.average_strategy(), solver.average_strategy()) == pytest.approx(0.5)


@pytest.fixture
def seldom_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are asked less often what they do, which is enough for those of one mind."""
    monkeypatch.setattr("bots.sdk.lab.solving.ASKED", 15)


@pytest.mark.usefixtures("seldom_asked")
def test_the_tiny_duel_is_solved_and_its_bots_can_be_beaten() -> None:
    duel = get_game("magecraft").with_cards(DUEL.read_text(encoding="utf-8"))
    found = solve_game(duel, options_from(duel, {}), ["evoker"], iterations=15)
    assert (found.nodes, found.spots) == (1_951, 942)
    assert 0 <= found.nash_conv < 0.01
    assert found.value == pytest.approx(0.5, abs=0.01)
    assert found.bots["evoker"] == pytest.approx(0.194, abs=0.001)


@pytest.mark.usefixtures("seldom_asked")
def test_bots_can_be_beaten_there_and_it_is_said_by_how_much(tree: Tree, race: Game) -> None:
    found = solve_game(race, options_from(race, {}), ["hurdler", "random"], iterations=1)
    solver = Solver(tree)
    random_bot = solver.nash_conv(solver.bot_strategy(RandomBot))
    assert 0.2 < found.bots["hurdler"] < found.bots["random"] < 1
    assert found.bots["random"] == pytest.approx(random_bot, abs=0.001)


@pytest.mark.usefixtures("seldom_asked")
def test_the_tiny_arena_is_solved_and_greedy_bots_are_far_from_that() -> None:
    """What a seat does where the other one would not lead it now counts too, or this would end at 0.111."""
    arena = get_game("ikasamage").with_cards(ARENA.read_text(encoding="utf-8"))
    found = solve_game(arena, options_from(arena, {}), ["greedy", "greedy:hard"], iterations=20)
    assert (found.nodes, found.spots) == (2_923, 420)
    assert 0 <= found.nash_conv < 0.01
    assert 0.5 < found.bots["greedy"] < found.bots["greedy:hard"] <= 1
    assert 0 < found.shares["greedy:hard"] < found.shares["greedy"] < 0.3


def test_the_page_has_the_bot_that_loses_least_first_in_percent_of_the_win() -> None:
    bots, shares = {"alf": 0.9, "bee": 0.25, "cay": 0.5}, {"alf": 0.05, "bee": 0.456, "cay": 0.25}
    page = render_solution(COIN, GameSolution("coin", "1", 12_345, 67, 20, 0.505, 0.0012, bots, shares))
    assert "12,345 nodes" in page
    assert "seat 1 wins 50.5 %" in page.replace("\n", " ")
    rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in page.splitlines() if row.count("|") == 4]
    assert rows[2:] == [["bee", "0.250", "45.6"], ["cay", "0.500", "25.0"], ["alf", "0.900", "5.0"]]


def test_as_many_iterations_are_made_as_were_asked_for_and_each_is_told() -> None:
    told: list[tuple[int, int]] = []
    found = solve_game(COIN, COIN.options_type(), ["random"], 3, lambda done, planned: told.append((done, planned)))
    assert (told, found.iterations) == ([(1, 3), (2, 3), (3, 3)], 3)


def test_what_is_too_large_is_said_so() -> None:
    with pytest.raises(TooLarge, match="114 cards are shuffled at once"):
        Tree(get_game("mages-110m"), options_from(get_game("mages-110m"), {}))
    with pytest.raises(ValueError, match="3 to 6 players"):
        Tree(get_game("ikasamage"), options_from(get_game("ikasamage"), {}))


def test_of_heads_or_tails_everything_is_known_beforehand() -> None:
    found = solve_game(COIN, COIN.options_type(), ["random"], 30)
    assert (found.game, found.rules_version, found.nodes, found.spots) == ("coin", "1", 5, 2)
    assert found.value == pytest.approx(1, abs=0.01), "who begins says heads"
    assert found.nash_conv == pytest.approx(0, abs=0.02)
    assert found.bots["random"] == pytest.approx(0.5, abs=0.1), "of which the second one could win half"
    assert found.shares["random"] == pytest.approx(0.32, abs=0.01), "nothing as the second, more than half as the first"


class Wrong(Bot):
    def choose(self, turn: Turn) -> Action:
        return Aim(9)


class Raises(Bot):
    def choose(self, turn: Turn) -> Action:
        raise KeyError("planted")


class RaisesAtOnce(RandomBot):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        raise KeyError("planted at the start")


@pytest.mark.parametrize(
    ("kind", "says"), [(Wrong, "Wrong did what is illegal"), (Raises, "Raises raised"), (RaisesAtOnce, "at the start")]
)
def test_a_wrong_bot_is_named_and_wins_nothing(tree: Tree, kind: type[Bot], says: str) -> None:
    with pytest.raises(BotFailed, match=says):
        Solver(tree).bot_strategy(kind)


@pytest.mark.parametrize(("name", "error"), [("nobody", NoSuchBot), ("greedy", UnsuitableSettings)])
def test_bots_are_looked_for_before_a_tree_is_grown(
    monkeypatch: pytest.MonkeyPatch, race: Game, name: str, error: type[Exception]
) -> None:
    monkeypatch.delattr("bots.sdk.lab.solving.Tree")
    with pytest.raises(error, match=name):
        solve_game(race, options_from(race, {}), [name])


def test_a_tree_grows_to_its_bound_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.sdk.lab.tree.MOST_NODES", 5)
    assert Tree(COIN, COIN.options_type()).nodes == 5
    monkeypatch.setattr("bots.sdk.lab.tree.MOST_NODES", 4)
    with pytest.raises(TooLarge, match="more than 4 nodes"):
        Tree(COIN, COIN.options_type())


@pytest.mark.usefixtures("seldom_asked")
def test_unless_bots_are_named_all_that_play_the_game_at_once_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that wants what its seat knows imagines worlds, which takes too long to be asked everywhere."""
    thinks = type("Thinks", (RandomBot,), {"wants": frozenset({"knowledge"})})
    elsewhere = type("Elsewhere", (RandomBot,), {"games": ("magecraft",)})
    kinds = {"heads": Heads, "thinks": thinks, "elsewhere": elsewhere, "tails": Tails}
    monkeypatch.setattr("bots.sdk.lab.solving.all_bots", lambda: kinds)
    monkeypatch.setattr("bots.sdk.lab.deals.get_bot", kinds.__getitem__)
    assert list(solve_game(COIN, COIN.options_type(), iterations=1).bots) == ["heads", "tails"]


def test_what_is_drawn_from_a_stream_of_its_own_cannot_be_solved() -> None:
    assert repr(_Tape()) == "Chance(uses={})", "a state with it can be printed"
    for draw in (_Tape().fork, _Tape().quick):
        with pytest.raises(TooLarge, match="a stream of its own"):
            draw("stars")


def test_seven_cards_are_shuffled_in_every_way_and_eight_are_too_many() -> None:
    assert _Tape().shuffle("deck", "aaaaaaa") == [*"aaaaaaa"], "of which there is one way"
    with pytest.raises(TooLarge, match="8 cards are shuffled at once; 7 are as many as can be tried"):
        _Tape().shuffle("deck", "aaaaaaaa")
