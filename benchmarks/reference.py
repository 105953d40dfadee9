"""What every other figure is compared with: a plain Python loop, and the bare echo.

The loop is a toy card game that does the engine's kind of work (attributes, small objects, lists, dictionaries, calls)
with no library, and the same in each run. Never change what it does: ratios of older runs would mean something else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import harmonic_mean

from benchmarks.child import server
from benchmarks.echo import run_echo
from benchmarks.figure import Figure

ROUNDS = 11
SLICES = 3
ITERATIONS = 4_000
SECONDS = 0.4
KINDS = ("might", "guile", "ward", "hex")


@dataclass(slots=True)
class Card:
    """A card with a cost."""

    kind: str
    cost: int


@dataclass(slots=True)
class Move:
    """A card played at a seat's target."""

    seat: int
    card: Card
    target: int


@dataclass(slots=True)
class Player:
    """What a seat has."""

    hand: list[Card]
    gold: int
    points: dict[str, int]


class Toy:
    """A game of four seats that never ends: each plays what it can pay for and draws another card, or rests."""

    def __init__(self) -> None:
        self.turn = 0
        self.players = {
            seat: Player(
                [Card(KINDS[(seat + at) % 4], 1 + (seat * at) % 5) for at in range(6)], 3, dict.fromkeys(KINDS, 0)
            )
            for seat in range(1, 5)
        }

    def legal(self, seat: int) -> list[Move]:
        """Each card that the seat can pay for, at each of two targets."""
        player = self.players[seat]
        return [Move(seat, card, target) for card in player.hand if self.payable(player, card) for target in (1, 2)]

    def payable(self, player: Player, card: Card) -> bool:
        """Whether there is gold enough."""
        return card.cost <= player.gold + player.points[card.kind] % 2

    def play(self, move: Move) -> int:
        """Plays it; returns the points that it made."""
        player = self.players[move.seat]
        made = move.card.cost * move.target
        player.points[move.card.kind] = (player.points[move.card.kind] + made) % 1_000
        player.gold = 1 + (player.gold + made) % 5
        player.hand = [card for card in player.hand if card is not move.card]
        player.hand.append(Card(KINDS[(player.gold + move.target) % 4], 1 + made % 5))
        self.turn += 1
        return made

    def rest(self, seat: int) -> None:
        """Takes gold instead."""
        self.players[seat].gold = 5
        self.turn += 1

    def leader(self) -> int:
        """The seat with the most points; of several, the first."""
        return max(self.players, key=lambda seat: (sum(self.players[seat].points.values()), -seat))


def loop(iterations: int) -> int:
    """Plays that many moves; returns a number that depends on all of them."""
    toy, total = Toy(), 0
    for number in range(iterations):
        seat = 1 + number % 4
        moves = toy.legal(seat)
        if moves:
            total += toy.play(moves[number * 7 % len(moves)])
        else:
            toy.rest(seat)
        total += toy.leader()
    return total


def loop_rate() -> float:
    """Iterations of the loop in a second of processor time, over about a fiftieth of one."""
    begun = time.process_time()
    loop(ITERATIONS)
    return ITERATIONS / (time.process_time() - begun)


def beside_loop(measure: Callable[[], float], slices: int = 1) -> tuple[float, float]:
    """The mean of that many measurements of a rate, and of the loop's rates before, between and after them.

    A machine may halve its speed from one tenth of a second to the next, so slices should be as short as the loop's.
    """
    loops = [loop_rate()]
    rates = []
    for _ in range(slices):
        rates.append(measure())
        loops.append(loop_rate())
    return harmonic_mean(rates), harmonic_mean(loops)


def figures() -> Iterator[Figure]:
    """The loop, and the echo with as many connections as the wire's figures have tables."""
    loops = [harmonic_mean([loop_rate() for _ in range(SLICES)]) for _ in range(ROUNDS)]
    yield Figure("reference: the loop", "/s", loops, "neither")
    for connections in (1, 10, 100):
        with server("echo") as process:
            rates = [run_echo(process, connections, SECONDS).rate for _ in range(ROUNDS)]
        yield Figure(f"reference: bare trio echo, {connections} connections", "trips/s", rates, "neither")
