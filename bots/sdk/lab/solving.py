"""Solves a small game for two, and says how much a bot could lose there to who knows how it plays.

CFR+ (O. Tammelin, 2014) for the solution. NashConv is what both seats could gain together by answering best: 0 for a
solution. Where a bot takes chances, its strategy is what it does how often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from traceback import format_exception
from typing import TypeAlias

import msgspec

from bots.language import _
from bots.sdk.bot import Bot
from bots.sdk.lab.blame import BotFailed, exits_told
from bots.sdk.lab.deals import players
from bots.sdk.lab.report import sheet
from bots.sdk.lab.tree import Asked, Drawn, Node, Spot, Tree
from bots.sdk.registry import all_bots, plays
from games.api import Action, Game, Options, Seat

ASKED = 50  # how often a bot is asked what it does, each time with another seed
ITERATIONS = 60

Strategy: TypeAlias = Callable[[Spot], Sequence[float]]  # how likely each legal action is


class Solved(msgspec.Struct, frozen=True):
    """`value` is the share of the win of seat 1 between two who play the solution."""

    game: str
    rules_version: str
    nodes: int
    spots: int  # places where a seat decides, as far as it can tell them apart
    iterations: int
    value: float
    nash_conv: float  # of the solution
    bots: dict[str, float]  # NashConv of each
    shares: dict[str, float]  # that each has of the win against the solution, over both seats


def solve(
    game: Game,
    options: Options,
    bots: Sequence[str] = (),
    iterations: int = ITERATIONS,
    on_iteration: Callable[[int, int], object] = lambda _done, _all: None,
) -> Solved:
    """Without bots, all that play the game at once. Raises Unfit, NoSuchBot, BotFailed, ValueError."""
    names = bots or [
        name for name, kind in all_bots().items() if plays(kind, game.id) and "knowledge" not in kind.wants
    ]
    kinds = players(game, names)
    tree = Tree(game, options)
    for done in range(1, iterations + 1):
        improve(tree, done)
        on_iteration(done, iterations)
    solution = average(tree)
    strategies = {name: played_by(kind) for name, kind in kinds.items()}
    return Solved(
        game=game.id,
        rules_version=game.rules_version,
        nodes=tree.nodes,
        spots=len(tree.spots),
        iterations=iterations,
        value=_value(tree.root, solution),
        nash_conv=nash_conv(tree, solution),
        bots={name: nash_conv(tree, strategy) for name, strategy in strategies.items()},
        shares={name: share(tree, strategy, solution) for name, strategy in strategies.items()},
    )


def improve(tree: Tree, iteration: int) -> None:
    """One iteration of CFR+, from 1 on: first seat 1, then seat 2."""
    for seat in (1, 2):
        _walk(tree.root, seat, iteration, 1.0, 1.0)
        for spot in tree.spots.values():
            if spot.seat == seat:
                more = zip(spot.regrets, spot.gains, strict=True)
                spot.regrets = [max(0.0, regret + gain) for regret, gain in more]
                spot.gains = [0.0] * len(spot.gains)
                spot.chances = _matched(spot.regrets)


def _walk(node: Node, seat: Seat, iteration: int, own: float, others: float) -> float:
    """What `seat` gains from here; adds to its gains and to its average strategy. `own` and `others` are how likely
    its own choices, and those of the other seat and of chance, lead here. What the other seat would not do now
    is walked too: the average counts the seat's own choices, whoever leads to them."""
    if isinstance(node, float):
        return node if seat == 1 else -node
    children = node.children
    if isinstance(node, Drawn):
        part = others / len(children)
        return sum([_walk(child, seat, iteration, own, part) for child in children]) / len(children)
    spot = node.spot
    chances = spot.chances
    if spot.seat != seat:
        pairs = zip(chances, children, strict=True)
        return sum([chance * _walk(child, seat, iteration, own, others * chance) for chance, child in pairs])
    values = [_walk(child, seat, iteration, own * chances[at], others) for at, child in enumerate(children)]
    value = sum([chance * each for chance, each in zip(chances, values, strict=True)])
    for at, each in enumerate(values):
        spot.gains[at] += others * (each - value)
        spot.weights[at] += iteration * own * chances[at]
    return value


def _matched(regrets: Sequence[float]) -> list[float]:
    total = sum(regrets)
    return [regret / total for regret in regrets] if total > 0 else [1 / len(regrets)] * len(regrets)


def average(tree: Tree) -> Strategy:
    """What the iterations come to."""
    chances = {id(spot): _matched(spot.weights) for spot in tree.spots.values()}
    return lambda spot: chances[id(spot)]


def played_by(kind: type[Bot]) -> Strategy:
    """How often the bot does what, asked anew each time. The strategy raises BotFailed."""
    known: dict[int, list[float]] = {}

    def chances(spot: Spot) -> list[float]:
        if id(spot) not in known:
            done = Counter(_choice(kind, seed, spot) for seed in range(ASKED))
            known[id(spot)] = [done[action] / ASKED for action in spot.turn.legal]
        return known[id(spot)]

    return chances


@exits_told()
def _choice(kind: type[Bot], seed: int, spot: Spot) -> Action:
    try:
        action = kind(seed).choose(spot.turn)
    except (Exception, SystemExit) as error:
        text = "".join(format_exception(error)).rstrip()
        raise BotFailed(_("{bot} raised.\n{text}", bot=kind.__name__, text=text)) from None
    if action not in spot.turn.legal:
        raise BotFailed(_("{bot} did what is illegal: {action!r}", bot=kind.__name__, action=action))
    return action


def nash_conv(tree: Tree, strategy: Strategy) -> float:
    """What the seats could gain by answering best, added up, in shares of the win; never below 0."""
    return best_answer(tree, 1, strategy) + best_answer(tree, 2, strategy) - 1


def share(tree: Tree, one: Strategy, other: Strategy) -> float:
    """What the one strategy has of the win against the other, half of the time in each seat."""
    first = _value(tree.root, lambda spot: (one if spot.seat == 1 else other)(spot))
    return (first + 1 - _value(tree.root, lambda spot: (other if spot.seat == 1 else one)(spot))) / 2


def best_answer(tree: Tree, seat: Seat, strategy: Strategy) -> float:
    """The share that the seat has at most when the other one plays so."""
    # by spot of the seat: positions, and how likely the others lead there
    met: dict[int, list[tuple[Asked, float]]] = {}
    _meet(tree.root, seat, strategy, 1.0, met)
    chosen: dict[int, int] = {}

    def value(node: Node) -> float:
        if isinstance(node, float):
            return node if seat == 1 else 1 - node
        if isinstance(node, Drawn):
            return sum([value(child) for child in node.children]) / len(node.children)
        if node.spot.seat != seat:
            return sum([chance * value(child) for chance, child in _likely(node, strategy)])
        return value(node.children[choice(node.spot)])

    def choice(spot: Spot) -> int:
        if id(spot) not in chosen:
            places = range(len(spot.turn.legal))
            worth = [sum([reach * value(asked.children[place]) for asked, reach in met[id(spot)]]) for place in places]
            chosen[id(spot)] = worth.index(max(worth))
        return chosen[id(spot)]

    return value(tree.root)


def _meet(node: Node, seat: Seat, strategy: Strategy, reach: float, met: dict[int, list[tuple[Asked, float]]]) -> None:
    if isinstance(node, Drawn):
        for child in node.children:
            _meet(child, seat, strategy, reach / len(node.children), met)
    elif isinstance(node, Asked):
        if node.spot.seat == seat:
            met.setdefault(id(node.spot), []).append((node, reach))
            for child in node.children:
                _meet(child, seat, strategy, reach, met)
        else:
            for chance, child in _likely(node, strategy):
                _meet(child, seat, strategy, reach * chance, met)


def _value(node: Node, strategy: Strategy) -> float:
    if isinstance(node, float):
        return node
    if isinstance(node, Drawn):
        return sum([_value(child, strategy) for child in node.children]) / len(node.children)
    return sum([chance * _value(child, strategy) for chance, child in _likely(node, strategy)])


def _likely(node: Asked, strategy: Strategy) -> list[tuple[float, Node]]:
    pairs = zip(strategy(node.spot), node.children, strict=True)
    return [(chance, child) for chance, child in pairs if chance]


def solved_page(game: Game, found: Solved) -> str:
    """The table in Markdown, the bot that loses least first."""
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
    return sheet(head, (_("bot in both seats"), "NashConv", _("% against the solution")), rows)
