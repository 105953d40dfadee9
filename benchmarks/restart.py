"""Coming back: a killed server with a thousand matches that are not over, and a finished match up to its turn 100.

The reference is the loop, as for cold starts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.child import server
from benchmarks.disk import GAME, folder
from benchmarks.figure import Figure
from benchmarks.load import SEATS, Tables
from benchmarks.reference import loop_rate
from games.api import Game
from games.chance import Chance, numbered_seed
from games.registry import all_games
from matches.fold import Entry, Match, MatchHeader
from matches.moments import moments
from matches.record import Record
from protocol.entries import ActionTaken
from protocol.messages import ClockRule, SeatInfo

MATCHES = 1_000
DECISIONS_EACH = 30  # about half a match
ROUNDS = 5
REPLAYS = 11
TURN = 100
THOUSAND = 1_000


def figures() -> Iterator[Figure]:
    """Start-up with unfinished matches; replaying each game."""
    yield _start_up()
    for game in all_games().values():
        yield _replaying(game)


def _start_up() -> Figure:
    took, loops = [], []
    with ExitStack() as stack:
        data = folder(stack)
        with server("disk", data) as process:
            load = Tables(process, MATCHES, "msgpack", GAME)
            done = 0
            while done < MATCHES * DECISIONS_EACH:
                done += load.run(1.0, 0.0).done
        load.close()
        for _ in range(ROUNDS):  # each time it is killed again
            before, begun = loop_rate(), time.perf_counter()
            with server("disk", data):
                took.append(time.perf_counter() - begun)
            loops.append(2 * THOUSAND / (before + loop_rate()))
    return Figure(f"start-up with {MATCHES} unfinished matches", "s", took, "less", "loops", loops, 5.0, wall=True)


def _replaying(game: Game) -> Figure:
    record = _played(game)
    took, loops = [], []
    for _ in range(REPLAYS):
        before, begun = loop_rate(), time.process_time()
        next(moments(record, 1, min(TURN, len(record.entries)))).view()
        took.append((time.process_time() - begun) * 1e3)
        loops.append(2 * THOUSAND / (before + loop_rate()) * 1e3)
    return Figure(f"{game.id}: replaying to turn {TURN}", "ms", took, "less", "loops", loops, 50.0)


def _played(game: Game) -> Record:
    """A match by chance, four at the table where so many may sit; of some that is as long as wanted."""
    for number in range(100):
        record = _match(game, number)
        if len(record.entries) >= TURN:
            break
    return record


def _match(game: Game, number: int) -> Record:
    seats = tuple(SeatInfo(seat, f"b{seat}", "bot") for seat in range(1, min(SEATS, game.max_seats) + 1))
    header = MatchHeader(
        table="t1",
        game=game.id,
        options={},
        seats=seats,
        clock=ClockRule(),
        seed=numbered_seed(number),
        salt=bytes(16),
        nonces=("",) * len(seats),
        grace=120.0,
    )
    match, chance, entries = Match(game, header), Chance.of_number(number), list[Entry]()
    match.begin({})
    while match.over is None:
        seat = min(match.asked)
        entry = ActionTaken(0.0, seat, chance.choice("action", match.state.legal_actions(seat)))
        match.apply(entry, {})
        entries.append(entry)
    return Record(game, header, tuple(entries))
