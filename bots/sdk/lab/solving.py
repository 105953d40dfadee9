"""Solves a small two-player game, and computes how exploitable bots are in it.

OpenSpiel's CFR+ (O. Tammelin, 2014) finds the solution. The NashConv of a strategy is the sum over both seats of what a
best response to the strategy gains; it is 0 for a solution. The strategy of a bot, which may choose at random, is
estimated by asking it repeatedly in each information set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from traceback import format_exception
from typing import Any

import msgspec

from bots.language import _
from bots.sdk.adapters import requires_extra
from bots.sdk.bot import Bot
from bots.sdk.lab.bot_errors import BotFailed, catch_os_exit
from bots.sdk.lab.deals import check_bot_classes
from bots.sdk.lab.report import render_section
from bots.sdk.lab.tree import ChanceNode, InformationSet, Node, Tree, extensive_form
from bots.sdk.registry import all_bots, bot_plays
from games.api import Action, Game, Options

with requires_extra("openspiel"):
    import pyspiel

ASKED = 50  # how often a bot is asked in each information set, each time with another seed
ITERATIONS = 60


class GameSolution(msgspec.Struct, frozen=True):
    """The solution of a game, and the figures of bots in it. `value` is the share of the win of seat 1 when both seats
    play the solution."""

    game: str
    rules_version: str
    nodes: int
    spots: int  # the number of information sets
    iterations: int
    value: float
    nash_conv: float  # the NashConv of the solution
    bots: dict[str, float]  # the NashConv of each bot, by name
    shares: dict[str, float]  # by name: the bot's share of the win against the solution, the mean of both seats


def solve_game(
    game: Game,
    options: Options,
    bots: Sequence[str] = (),
    iterations: int = ITERATIONS,
    on_iteration: Callable[[int, int], object] = lambda _done, _all: None,
) -> GameSolution:
    """Solves a game, and measures how exploitable bots are in it.

    Args:
        game: The game, for two players.
        options: The options of the game.
        bots: The names of the bots; by default all bots that play the game and do not need `knowledge`.
        iterations: The number of iterations of CFR+.
        on_iteration: A function that is called after each iteration with the number of finished iterations and the
            number of all iterations.

    Returns:
        The solution, and the figures of each bot.

    Raises:
        Unfit: The tree of the game is too large, or a bot does not play the game.
        NoSuchBot: A bot does not exist.
        BotFailed: A bot raised an exception or chose an illegal action.
        ValueError: The game does not take two players.
    """
    names = bots or [
        name for name, kind in all_bots().items() if bot_plays(kind, game.id) and "knowledge" not in kind.wants
    ]
    kinds = check_bot_classes(game, names)
    tree = Tree(game, options)
    solver = Solver(tree)
    for done in range(1, iterations + 1):
        solver.run_iteration()
        on_iteration(done, iterations)
    solution = solver.average_strategy()
    strategies = {name: solver.bot_strategy(kind) for name, kind in kinds.items()}
    return GameSolution(
        game=game.id,
        rules_version=game.rules_version,
        nodes=tree.nodes,
        spots=len(tree.spots),
        iterations=iterations,
        value=solver.first_seat_share(solution, solution),
        nash_conv=solver.nash_conv(solution),
        bots={name: solver.nash_conv(strategy) for name, strategy in strategies.items()},
        shares={name: solver.mean_share(strategy, solution) for name, strategy in strategies.items()},
    )


class Solver:
    """Runs CFR+ on the tree of a game, which it loads into OpenSpiel. All strategies are OpenSpiel policies."""

    def __init__(self, tree: Tree) -> None:
        self._game = pyspiel.load_efg_game(extensive_form(tree.root))
        self._cfr = pyspiel.CFRPlusSolver(self._game)
        self._spots: dict[str, InformationSet] = {}  # the information sets, by OpenSpiel's information state string
        self._name(tree.root, self._game.new_initial_state())

    def _name(self, node: Node, state: Any) -> None:
        """Stores OpenSpiel's information state string for each information set at or below the node."""
        if isinstance(node, float):
            return
        if not isinstance(node, ChanceNode):
            self._spots[state.information_state_string()] = node.spot
        for place, child in enumerate(node.children):
            self._name(child, state.child(place))

    def run_iteration(self) -> None:
        """Runs one iteration of CFR+."""
        self._cfr.evaluate_and_update_policy()

    def average_strategy(self) -> Any:
        """Returns the average strategy of all iterations so far, which approaches a solution."""
        return self._cfr.average_policy()

    def bot_strategy(self, kind: type[Bot]) -> Any:
        """Returns a bot's strategy, estimated from ASKED choices of the bot in each information set. Raises
        BotFailed."""
        policy = {}
        for name, spot in self._spots.items():
            done = Counter(_choice(kind, seed, spot) for seed in range(ASKED))
            policy[name] = [(place, done[action] / ASKED) for place, action in enumerate(spot.turn.legal)]
        return pyspiel.TabularPolicy(policy)

    def nash_conv(self, strategy: Any) -> float:
        """Returns the NashConv of a strategy: the sum over both seats of what a best response to it gains, in shares of
        the win."""
        return float(pyspiel.nash_conv(self._game, strategy, True))

    def first_seat_share(self, first: Any, second: Any) -> float:
        """Returns the share of the win of seat 1 if seat 1 plays the strategy `first`, and seat 2 plays `second`."""
        returns = pyspiel.expected_returns(self._game.new_initial_state(), [first, second], -1, True)
        return 0.5 + float(returns[0])

    def mean_share(self, one: Any, other: Any) -> float:
        """Returns the share of the win of the strategy `one` against `other`, the mean of both seats."""
        return (self.first_seat_share(one, other) + 1 - self.first_seat_share(other, one)) / 2


@catch_os_exit()
def _choice(kind: type[Bot], seed: int, spot: InformationSet) -> Action:
    try:
        action = kind(seed).choose(spot.turn)
    except (Exception, SystemExit) as error:
        text = "".join(format_exception(error)).rstrip()
        raise BotFailed(_("{bot} raised.\n{text}", bot=kind.__name__, text=text)) from None
    if action not in spot.turn.legal:
        raise BotFailed(_("{bot} did what is illegal: {action!r}", bot=kind.__name__, action=action))
    return action


def render_solution(game: Game, found: GameSolution) -> str:
    """Returns the figures on the bots as a table in Markdown, the least exploitable bot first."""
    head = _(
        "{title}, two seats: {nodes:,} nodes, {spots:,} places to decide. CFR+ came to a NashConv of"
        " {nash_conv:.4f} in {iterations} iterations; seat 1 wins {value:.1f} % of what both solve. NashConv: what two"
        " who answer a bot best win together, more than the one win that there is.",
        title=game.title,
        nodes=found.nodes,
        spots=found.spots,
        nash_conv=found.nash_conv,
        iterations=found.iterations,
        value=100 * found.value,
    )
    order = sorted(found.bots.items(), key=lambda one: one[1])
    rows = [(name, f"{value:.3f}", f"{100 * found.shares[name]:.1f}") for name, value in order]
    return render_section(head, (_("bot in both seats"), "NashConv", _("% against the solution")), rows)
