"""Builds the tree of a small two-player game: every deal, every random draw and every decision. It uses only the game
contract, and no code of a particular game.

`extensive_form` writes the tree in Gambit's EFG format, which OpenSpiel reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, TypeAlias, TypeVar

from bots.language import _
from bots.sdk.bot import Turn
from bots.sdk.lab.deals import UnsuitableSettings
from games.api import Action, AddressedEvent, Game, Options, Seat, State
from games.chance import SEED_BYTES, Chance, FastChance
from games.observation_history import ObservationHistory

T = TypeVar("T")

MOST_NODES = 200_000
MOST_MIXED = 7  # the most cards in one shuffle, because the tree has a branch for each of their orders


@dataclass(slots=True, eq=False)
class InformationSet:
    """An information set: all positions that a seat cannot tell apart when it has to decide."""

    seat: Seat
    number: int  # the number of this information set among those of the seat, from 1
    turn: Turn


@dataclass(slots=True)
class ChanceNode:
    """A random draw, with a child for each of its outcomes. All outcomes are equally likely."""

    children: list[Node]


@dataclass(slots=True)
class DecisionNode:
    """A decision of a seat, with a child for each legal action, in the order of `spot.turn.legal`."""

    spot: InformationSet
    children: list[Node]


Node: TypeAlias = ChanceNode | DecisionNode | float  # a float is the end of a match: the share of the win of seat 1


class TooLarge(UnsuitableSettings):
    """Raised if the tree of a game has too many nodes. The exception's text is a sentence for the user."""


class Tree:
    """The whole tree of a game. `spots` has the information sets by seat and text of the information state, and `nodes`
    is the number of nodes. The constructor raises TooLarge, and ValueError if the game does not take two players."""

    def __init__(self, game: Game, options: Options) -> None:
        self.game, self.options = game, options
        self.spots: dict[tuple[Seat, str], InformationSet] = {}
        self.nodes = 0
        self._numbers = Counter[Seat]()  # the number of information sets found so far, by seat
        self._tape = _Tape()
        self.root = self._grown(self._dealt, ())

    def _dealt(self) -> tuple[State, ObservationHistory]:
        state, told = self.game.start(2, self.options, self._tape)
        return state, _noted(ObservationHistory(self.game), told)

    def _grown(self, do: Callable[[], tuple[State, ObservationHistory]], drawn: tuple[Any, ...]) -> Node:
        """Returns the node that calling `do` leads to, a deal or an action, if its random draws have the outcomes
        `drawn`. If `do` needs one more draw, returns a chance node with a child for each outcome of that draw."""
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLarge(_("The tree has more than {most:,} nodes.", most=MOST_NODES))
        self._tape.rest = list(drawn)
        outcomes: Sequence[Any] = ()
        try:
            state, memory = do()
        except _MoreWanted as wanted:
            outcomes = wanted.args
        if outcomes:
            return ChanceNode([self._grown(do, (*drawn, given)) for given in outcomes])
        movers = state.to_move()
        if not movers:
            outcome = state.outcome()
            assert outcome is not None
            return outcome.shares[0]
        seat = min(movers)
        legal = list(state.legal_actions(seat))
        key = seat, memory.text(seat)
        spot = self.spots.get(key)
        if spot is None:
            view = state.view(seat)
            turn = Turn(self.game, seat, view, legal, 1, seats=2, options=self.options, knowledge=state.knowledge(seat))
            self._numbers[seat] += 1
            spot = self.spots[key] = InformationSet(seat, self._numbers[seat], turn)
        return DecisionNode(spot, [self._grown(_doing(state, memory, seat, action), ()) for action in legal])


def extensive_form(root: Node) -> str:
    """Returns the tree as text in the EFG format. The payoff of a seat is its share of the win minus one half."""
    lines, counted = ['EFG 2 R "" { "1" "2" } ""'], Counter[str]()

    def write(node: Node) -> None:
        if isinstance(node, float):
            counted["ends"] += 1
            lines.append(f't "" {counted["ends"]} "" {{ {node - 0.5!r} {0.5 - node!r} }}')
            return
        if isinstance(node, ChanceNode):
            counted["draws"] += 1
            likely = " ".join(f'"{place}" {1 / len(node.children)!r}' for place in range(len(node.children)))
            lines.append(f'c "" {counted["draws"]} "" {{ {likely} }} 0')
        else:
            actions = " ".join(f'"{place}"' for place in range(len(node.children)))
            lines.append(f'p "" {node.spot.seat} {node.spot.number} "" {{ {actions} }} 0')
        for child in node.children:
            write(child)

    write(root)
    return "\n".join(lines) + "\n"


def _doing(
    state: State, memory: ObservationHistory, seat: Seat, action: Action
) -> Callable[[], tuple[State, ObservationHistory]]:
    def do() -> tuple[State, ObservationHistory]:
        then = state.clone()
        return then, _noted(memory.clone(), then.apply(seat, action), seat, action)

    return do


def _noted(
    memory: ObservationHistory, told: Sequence[AddressedEvent], seat: Seat | None = None, action: Action | None = None
) -> ObservationHistory:
    memory.note(told, seat, action)
    return memory


class _MoreWanted(Exception):
    """Raised by `_Tape` when the game draws a random number for which the tape has no outcome left. The arguments of
    the exception are the possible outcomes of that draw, which are equally likely."""


class _Tape(Chance):
    """A source of random numbers that returns the outcomes in the list `rest`, one after another, instead of random
    ones. All copies of a state share this object."""

    def __init__(self) -> None:
        super().__init__(bytes(SEED_BYTES))
        self.rest: list[Any] = []

    def clone(self) -> Chance:
        return self

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        if len(items) > MOST_MIXED:
            raise TooLarge(
                _(
                    "{items} cards are shuffled at once; {most} are as many as can be tried. "
                    "With --cards FILE a game has fewer.",
                    items=len(items),
                    most=MOST_MIXED,
                )
            )
        return list(self._next(_orders(tuple(items))))

    def below(self, label: str, bound: int) -> int:
        return int(self._next(range(bound)))

    def fork(self, label: str) -> Chance:
        raise TooLarge(_("The game draws from a stream of its own, which cannot be tried in every way."))

    def quick(self, label: str) -> FastChance:
        raise TooLarge(_("The game draws from a stream of its own, which cannot be tried in every way."))

    def _next(self, outcomes: Sequence[Any]) -> Any:
        if len(outcomes) == 1:
            return outcomes[0]
        if not self.rest:
            raise _MoreWanted(*outcomes)
        return self.rest.pop(0)


@lru_cache
def _orders(items: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Returns every distinct order of the items. All of these orders are equally likely."""
    return sorted(set(permutations(items)))
