"""Plays the deals of a plan in one or several processes. Each deal is played once for each rotation of the bots over
the seats."""

from __future__ import annotations

import importlib
import importlib.util
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from os import _exit  # the real function, because `catch_os_exit` replaces os._exit
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bots.language import _
from bots.sdk.bot import Bot
from bots.sdk.lab.bot_errors import attribute_failure, bot_failed_error, catch_os_exit
from bots.sdk.lab.recording import MatchRecorder, save_replay, save_rows
from bots.sdk.local import play
from bots.sdk.registry import check_plays, get_bot
from bots.sdk.seeds import lab_seed
from games.api import Action, Game, Outcome, Seat, State, options_from
from games.chance import Chance, deal_key, numbered_seed
from games.encoding import NumericEncoding
from games.lab import GameLab, MatchFigures
from games.registry import get_game

AHEAD = 4  # how many deals are queued for each worker process
END_SECONDS = 0.5  # when the work ends early, worker processes are killed after this time

Played = TypeVar("Played")


class LabPlan(msgspec.Struct, frozen=True):
    """The settings of a measurement. `bots` has the name of a bot for each seat in the first rotation."""

    game: str
    bots: tuple[str, ...]
    deals: int
    seed: int = 1
    options: dict[str, Any] = {}
    once: bool = False  # True to play each deal only once, in the first rotation
    record: str = ""  # the folder to which the replays of all matches are written; "" to write none
    rows: bool = False  # True to also write a Parquet file for each deal to that folder


class UnsuitableSettings(ValueError):
    """Raised if a measurement is not possible with the given settings. The exception's text is a sentence for the
    user."""


class DealTally(msgspec.Struct):
    """The counts of one deal, over the matches of all its rotations. The pairs that are keys are a heading and a
    label of the report."""

    matches: int = 0
    wins: dict[tuple[str, str], list[float]] = {}  # [the sum of the seats' shares of the win, the number of seats]
    shares: dict[tuple[str, str], list[float]] = {}  # [the number of occurrences, the number of opportunities]
    endings: dict[str, int] = {}  # the number of matches that ended for each reason
    means: dict[str, list[float]] = {}  # by label: one number for each match


def play_deals(plan: LabPlan, jobs: int, play_one: Callable[[LabPlan, int], Played]) -> Iterator[Played]:
    """Yields the result of `play_one` for each deal of the plan, in order. With one job everything runs in this
    process; otherwise worker processes import `play_one`, so it must be a module-level function. In a worker process,
    what bots print goes to stderr."""
    load_bot_classes.cache_clear()
    if jobs == 1:
        yield from (play_one(plan, deal) for deal in range(plan.deals))
        return
    workers = min(jobs, plan.deals)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_only_play) as pool:
        try:
            rest = iter(range(plan.deals))
            with _deaf_to_interrupts():  # worker processes inherit it: after Ctrl-C only this process ends the work
                ahead = deque(pool.submit(play_one, plan, deal) for deal in islice(rest, AHEAD * workers))
            while ahead:
                yield ahead.popleft().result()
                ahead.extend(pool.submit(play_one, plan, deal) for deal in islice(rest, 1))
        except BaseException:
            _end(pool)
            raise


def _end(pool: ProcessPoolExecutor) -> None:
    """Ends the worker processes of the pool within END_SECONDS, even while they play."""
    processes = list((pool._processes or {}).values())  # the executor has no public way to end busy processes
    pool.shutdown(wait=False, cancel_futures=True)
    until = time.monotonic() + END_SECONDS
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        process.kill()


def play_deal(plan: LabPlan, deal: int) -> DealTally:
    """Plays one deal in all its rotations and returns what was counted. Writes the replays, and the decisions as rows,
    if the plan says so. Raises BotFailed."""
    counted = DealTally()
    game = get_game(plan.game)
    numbers = NumericEncoding(game, len(plan.bots), options_from(game, plan.options)) if plan.rows else None
    rows = []
    for rotation, (order, play_match) in enumerate(rotation_matches(plan, deal), 1):
        recorder = MatchRecorder(numbers) if plan.record else None
        watcher = ProgressReport(create_game_lab(game), recorder)
        outcome = play_match(watcher)
        _count(counted, order, outcome, watcher)
        if recorder is not None:
            name = f"deal-{deal + 1:06}-{rotation}"
            replay = recorder.replay(game, plan.options, order, deal_seed(plan, deal))
            save_replay(Path(plan.record, f"{name}.jsonl"), replay)
            rows += recorder.rows(name, outcome)
    if numbers is not None:
        save_rows(Path(plan.record, f"deal-{deal + 1:06}.parquet"), rows, numbers)
    return counted


def rotation_matches(plan: LabPlan, deal: int) -> Iterator[tuple[Sequence[str], Callable[[ProgressReport], Outcome]]]:
    """Yields for each match of a deal the names of the bots in seat order, and a function that plays the match and may
    raise BotFailed. The random numbers of a match do not depend on whether the matches before it were played."""
    for rotation in range(1 if plan.once else len(plan.bots)):
        order = plan.bots[rotation:] + plan.bots[:rotation]
        yield order, partial(_play, plan, deal, rotation, order)


def deal_seed(plan: LabPlan, deal: int) -> bytes:
    """Returns the seed of a deal. All rotations of the deal have the same seed."""
    return numbered_seed(plan.seed, "lab", deal)


def _play(plan: LabPlan, deal: int, rotation: int, order: Sequence[str], watcher: ProgressReport) -> Outcome:
    return play_seated(plan, deal, deal * len(plan.bots) + rotation, order, load_bot_classes(plan.bots), watcher)


@catch_os_exit()
def play_seated(
    plan: LabPlan, deal: int, number: int, order: Sequence[str], kinds: Mapping[str, type[Bot]], watcher: ProgressReport
) -> Outcome:
    """Plays one match of a deal. `order` has the names of the bots in seat order, and the seeds of the bots derive from
    `number`. Raises BotFailed."""
    game, seats = get_game(plan.game), len(order)
    players = [_made(name, kinds[name], lab_seed(plan.seed, number, seats, at), deal) for at, name in enumerate(order)]
    try:
        chance = Chance(deal_key(deal_seed(plan, deal)))
        return play(game, players, options_from(game, plan.options), chance, watcher.watch)
    except (Exception, SystemExit) as error:
        last = watcher.last and (order[watcher.last[0] - 1], watcher.last[1])
        raise attribute_failure(error, deal, kinds, last) from None


@catch_os_exit()
def _made(name: str, kind: type[Bot], seed: int, deal: int) -> Bot:
    try:
        return kind(seed)
    except (Exception, SystemExit) as error:
        trace = error.__traceback__
        raise bot_failed_error(name, deal, error, trace and trace.tb_next) from None


@lru_cache(maxsize=1)
def load_bot_classes(names: tuple[str, ...]) -> dict[str, type[Bot]]:
    """Returns the classes of these bots by name. The cache makes each process load the file of a bot only once."""
    return {name: get_bot(name) for name in set(names)}


def check_bot_classes(game: Game, names: Sequence[str]) -> dict[str, type[Bot]]:
    """Returns the classes of these bots by name. Raises NoSuchBot, and Unfit for a bot that does not play the game."""
    with catch_os_exit():
        kinds = {name: get_bot(name) for name in names}
    try:
        for name, kind in kinds.items():
            check_plays(name, kind, game.id)
    except ValueError as error:
        raise UnsuitableSettings(str(error)) from None
    return kinds


def create_game_lab(game: Game) -> GameLab | None:
    """Returns a new `GameLab`, which computes the figures of one match that only this game has; None if the game has no
    lab."""
    package = sys.modules[type(game).__module__].__package__
    name = f"{package}.lab"
    if not package or importlib.util.find_spec(name) is None:
        return None
    made: GameLab = importlib.import_module(name).Lab()
    return made


def label_translator(game: Game) -> Callable[[str], str]:
    """Returns a function that translates a heading or label of the lab, or of the game's own figures, to the current
    language."""
    package = sys.modules[type(game).__module__].__package__
    name = f"{package}.language"
    known = package and importlib.util.find_spec(name) is not None
    own = importlib.import_module(name)._ if known else _
    return lambda word: said if (said := _(word)) != word else own(word)


class ProgressReport:
    """Watches one match: counts its decisions, and those with only one legal action, and passes each decision on to the
    game's lab and to the recorder."""

    def __init__(self, lab: GameLab | None = None, recorder: MatchRecorder | None = None) -> None:
        self.lab, self.recorder = lab, recorder
        self.decisions = self.forced = 0
        self.state: State | None = None
        self.last: tuple[Seat, Action] | None = None

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        self.last = seat, action
        self.decisions += 1
        self.forced += len(state.legal_actions(seat)) == 1
        self.state = state
        if self.lab is not None:
            self.lab.record_action(state, seat, action)
        if self.recorder is not None:
            self.recorder.watch(state, seat, action)

    def match_figures(self, outcome: Outcome) -> MatchFigures | None:
        return self.lab.match_figures(self.state, outcome) if self.lab is not None and self.state is not None else None


def _count(counted: DealTally, order: Sequence[str], outcome: Outcome, watcher: ProgressReport) -> None:
    win = outcome.shares
    counted.matches += 1
    counted.endings[outcome.reason] = counted.endings.get(outcome.reason, 0) + 1
    counted.means.setdefault("decisions", []).append(watcher.decisions)
    _add(counted.shares, "wins", "shared", max(win) < 1, 1)
    _add(counted.shares, "turns", "without a choice", watcher.forced, watcher.decisions)
    for at, name in enumerate(order):
        _add(counted.wins, "seat", str(at + 1), win[at], 1)
        _add(counted.wins, "bot", name, win[at], 1)
    found = watcher.match_figures(outcome)
    if found is None:
        return
    for label, value in {"rounds": found.rounds, **found.means}.items():
        counted.means.setdefault(label, []).append(value)
    for heading, groups in found.groups.items():
        for label, seats in groups.items():
            _add(counted.wins, heading, label, sum(win[seat - 1] for seat in seats), len(seats))
    for heading, shares in found.shares.items():
        for label, (part, whole) in shares.items():
            _add(counted.shares, heading, label, part, whole)


def _add(pairs: dict[tuple[str, str], list[float]], heading: str, label: str, part: float, whole: float) -> None:
    pair = pairs.setdefault((heading, label), [0.0, 0.0])
    pair[0] += part
    pair[1] += whole


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only the main thread can set signal handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _only_play() -> None:
    """Prepares a worker process: what it prints goes to stderr, and it ignores Ctrl-C. A thread ends it when its parent
    process ends, because the worker holds both ends of its queue, and would otherwise wait forever."""
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        _exit(os.EX_OK)
