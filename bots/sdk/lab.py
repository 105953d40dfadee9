"""The balance lab: plays many matches of given bots without a server and prints what they say about a game.

A game may add its own figures: a module `lab` beside its rules (`games/<game>/lab.py`) with a class `Lab` of the shape
of `Statistics`. It is found by name, so the lab knows no game and no game knows the lab.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Protocol

from bots.sdk.bot import Bot
from bots.sdk.local import play
from bots.sdk.registry import all_bots, bot_for, get_bot
from bots.sdk.seeds import lab_seed
from games.api import Action, Game, Outcome, Seat, State, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.registry import get_game


class Statistics(Protocol):
    """What a game's `Lab` class looks like; one object watches all matches of a run, one match after the other."""

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        """Called before each action is done; the state is the live one and may only be read."""

    def end(self, state: State, outcome: Outcome) -> int:
        """The match is over; returns how many turns each seat had in it, as the game counts them."""

    def table(self) -> list[str]:
        """Lines of Markdown with what was gathered."""


class Decisions:
    """For a game without a `Lab`: a turn is a decision, counted for the seat that had most of them."""

    def __init__(self) -> None:
        self._made: Counter[Seat] = Counter()

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        self._made[seat] += 1

    def end(self, state: State, outcome: Outcome) -> int:
        most = max(self._made.values(), default=0)
        self._made.clear()
        return most

    def table(self) -> list[str]:
        return []


def run(game_id: str, bots: Sequence[str] = (), matches: int = 2_000, seed: int = 1, seats: int = 0) -> str:
    """Plays the matches and returns a page of Markdown.

    Without bots, those that were written for the game play, or the house bot against itself. `seats` is by default as
    many as there are bots, or the least that the game takes; bots are repeated to fill them. Each deal is played once
    for each way of rotating the bots over the seats. Raises KeyError, NoSuchBot or ValueError with a sentence.
    """
    game = get_game(game_id)
    names = list(bots) or _bots_of(game)
    seats = seats or max(game.min_seats, len(names))
    if not game.min_seats <= seats <= game.max_seats:
        raise ValueError(f"{game.id} takes {game.min_seats} to {game.max_seats} seats, not {seats}.")
    if matches < 1:
        raise ValueError("The lab needs at least one match.")
    seated = [names[place % len(names)] for place in range(seats)]
    kinds = {name: get_bot(name) for name in seated}
    statistics = statistics_of(game)
    tally = _Tally(seats)
    options = options_from(game, {})
    for number in range(matches):
        deal, rotation = divmod(number, seats)
        order = seated[rotation:] + seated[:rotation]
        players: list[Bot] = [kinds[name](lab_seed(seed, number, seats, at)) for at, name in enumerate(order)]
        chance = Chance(deal_key(numbered_seed(seed, "lab", deal)))
        last: list[State] = []

        def watch(state: State, seat: Seat, action: Action, last: list[State] = last) -> None:
            last[:] = [state]
            statistics.watch(state, seat, action)

        outcome = play(game, players, options, chance, watch)
        tally.add(order, outcome, statistics.end(last[0], outcome))
    head = f"{matches} matches of {game.title} with {seats} seats, {' against '.join(seated)}, seed {seed}"
    return "\n".join([head, "", *tally.table(), *statistics.table()]) + "\n"


def statistics_of(game: Game) -> Statistics:
    """A new `Lab` of the game's own, or one that counts decisions."""
    package = sys.modules[type(game).__module__].__package__
    name = f"{package}.lab"
    if not package or importlib.util.find_spec(name) is None:
        return Decisions()
    made: Statistics = importlib.import_module(name).Lab()
    return made


def _bots_of(game: Game) -> list[str]:
    """At most as many as there are seats, the house bot first."""
    own = [name for name, kind in all_bots().items() if game.id in kind.games]
    own.sort(key=lambda name: name != game.house_bot)
    if own:
        return own[: max(2, game.min_seats)]
    house = bot_for(game.id, game.house_bot)
    return [name for name, kind in all_bots().items() if kind is house][:1]


class _Tally:
    """The figures that every game has."""

    def __init__(self, seats: int) -> None:
        self._seat_wins = [0.0] * seats
        self._bot_wins: dict[str, float] = {}
        self._bot_seats: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._turns: list[int] = []
        self._shared = 0

    def add(self, order: Sequence[str], outcome: Outcome, turns: int) -> None:
        winners = [at for at, place in enumerate(outcome.places) if place == 1]
        self._shared += len(winners) > 1
        for at, name in enumerate(order):
            self._bot_seats[name] += 1
            if at in winners:
                self._seat_wins[at] += 1 / len(winners)
                self._bot_wins[name] = self._bot_wins.get(name, 0.0) + 1 / len(winners)
        self._reasons[outcome.reason] += 1
        self._turns.append(turns)

    def table(self) -> list[str]:
        count = len(self._turns)
        turns = sorted(self._turns)
        tenth = count // 10
        spread = f"{turns[0]} / {turns[tenth]} / {median(turns):g} / {turns[-1 - tenth]} / {turns[-1]}"
        rows = [("turns each: least / a tenth below / median / a tenth above / most", spread)]
        rows += [(f"wins of seat {at}", share(wins, count)) for at, wins in enumerate(self._seat_wins, 1)]
        if len(self._bot_seats) > 1:
            for name, had in sorted(self._bot_seats.items()):
                rows.append((f"wins of {name}, of the seats it had", share(self._bot_wins.get(name, 0.0), had)))
        rows += [(f"ended by {reason}", share(times, count)) for reason, times in self._reasons.most_common()]
        if self._shared:
            rows.append(("shared wins", share(self._shared, count)))
        return ["| figure | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows), ""]


def share(part: float, whole: float) -> str:
    """A share as people read it: `51.3 %`, or a dash where there is nothing to share."""
    return f"{100 * part / whole:.1f} %" if whole else "-"
