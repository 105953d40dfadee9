"""Finds faults in a bot: plays matches with it in this process, each match twice, and checks every decision.

`magehall bot check` runs this module in child processes that it can kill, and compares the choices of two new
processes: see `client/cli/check.py`.
"""

from __future__ import annotations

import gc
import io
import math
import os
import random
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType

import msgspec

from bots.language import N_, _
from bots.sdk.bot import Bot, Turn
from bots.sdk.local import play
from bots.sdk.seeds import bot_seed
from games.api import Action, Event, Game, Outcome, options_from, to_map
from games.chance import Chance, deal_key, numbered_seed

LIMIT_SECONDS = 1.0
PRINTED_CHARACTERS = 1_000  # the most characters kept of what a bot prints in one call
STUCK = 10  # a call of the bot is interrupted after this many times the limit for a decision
GROWTH_BYTES, GROWTH_A_MATCH = 4 << 20, 200_000  # bytes of memory, in all and per match; growth above both is a fault

ADVICE = {
    "missing_game": N_("List the ids of installed games, as `magehall games` writes them, or leave `games` out."),
    "ended": N_("Raise an exception where you cannot go on: os._exit and sys.exit end the bot at all its tables."),
    "unfinished": N_("Let it think less, or give the check more --seconds or fewer --matches."),
    "raised": N_("Catch it or mend it: at a table the bot leaves that match, and the house plays on."),
    "illegal": N_(
        "Return one of turn.legal: at a table it is refused, and after three tries the default is done for you."
    ),
    "wrong_type": N_("Return one of turn.legal, an action and nothing else."),
    "slow": N_("Think less, or watch turn.clock: at a table the default is done for you when the time is up."),
    "stuck": N_("The call was broken off. Look for a loop that does not end, or a wait for something."),
    "global_chance": N_("Take all chance from self.rng: the random module is shared by all its tables."),
    "not_repeatable": N_("Take all chance from self.rng: not from the time, the system, or the order of a set."),
    "ages": N_("Begin each match anew: what an earlier match left in a class or module changes what is played later."),
    "growing": N_("Let go of a match when it ends; bound what a class or module keeps."),
    "changed_legal": N_("Treat turn.legal as read-only; copy it with list(turn.legal) before sorting or popping."),
    "printed": N_("Print to stderr: stdout belongs to results."),
}


def fault_advice(code: str) -> str:
    """Returns a sentence on how to fix a fault with this code, in the current language."""
    return _(ADVICE[code])


class Finding(msgspec.Struct, frozen=True):
    """One kind of fault of the bot in one game. `text` describes the first occurrence, `count` is the number of
    occurrences, and `advice` says how to fix it."""

    code: str
    game: str
    text: str
    count: int
    advice: str


class CheckFigures(msgspec.Struct, frozen=True):
    """The numbers of matches and of the bot's decisions in one game, and quantiles of the time for a decision in
    milliseconds."""

    game: str
    matches: int
    decisions: int
    p50: float
    p99: float
    slowest: float


class CheckReport(msgspec.Struct, frozen=True):
    """The result of a check of one bot. A bot without findings is ready to play on a server."""

    bot: str
    findings: tuple[Finding, ...]
    facts: tuple[CheckFigures, ...]

    @property
    def ok(self) -> bool:
        """Whether the check found no fault."""
        return not self.findings


class _Stuck(BaseException):
    """Raised inside a call of the bot to interrupt it. It derives from BaseException, so that a bot's `except
    Exception` does not catch it."""


class _Anything(Bot):
    """The opponents of the checked bot: they play random legal actions."""

    def choose(self, turn: Turn) -> Action:
        return self.rng.choice(turn.legal)


def check(
    name: str,
    kind: type[Bot],
    games: Mapping[str, Game],
    *,
    matches: int,
    seed: int,
    limit: float = LIMIT_SECONDS,
    at: Callable[[str], object] = lambda _where: None,
) -> CheckReport:
    """Plays matches of each game with a bot and checks its calls. Each match is played twice: all of them in order,
    then all of them in reverse order.

    Args:
        name: The bot's name for the report.
        kind: The class of the bot.
        games: The games to play, by id.
        matches: The number of matches for each game.
        seed: The seed of the matches.
        limit: The seconds that the bot may take for a decision.
        at: A function that is called before each call of the bot, with a text that says which call it is.

    Returns:
        The report.
    """
    findings: list[Finding] = []
    facts = []
    for game in games.values():
        notes = _FaultNotes(game.id, limit, at)
        first = [_match(kind, game, notes, number, seed) for number in range(matches)]
        times = sorted(notes.times)
        before = _memory()
        again = [_match(kind, game, notes, number, seed) for number in reversed(range(matches))][::-1]
        if "stuck" not in notes:  # the bot is not called again after "stuck"
            _weigh(notes, _memory() - before, matches)
            for number, (one, other) in enumerate(zip(first, again, strict=True)):
                _compare(notes, number, one, other)
        findings += notes.findings()
        facts.append(CheckFigures(game.id, matches, len(times), _ms(times, 0.5), _ms(times, 0.99), _ms(times, 1.0)))
    return CheckReport(name, tuple(findings), tuple(facts))


def first_choices(kind: type[Bot], game: Game, seed: int, limit: float = LIMIT_SECONDS) -> list[object]:
    """Returns the bot's choices in the first match of a check, in order, so that the choices of two processes can be
    compared."""
    return _match(kind, game, _FaultNotes(game.id, limit), 0, seed)


def _match(kind: type[Bot], game: Game, notes: _FaultNotes, number: int, seed: int) -> list[object]:
    """Plays match `number` (from 0) of a check. Returns the bot's choices in order."""
    turn, size = divmod(number, game.max_seats - game.min_seats + 1)
    seats = game.min_seats + size
    seat = 1 + (turn + size) % seats
    bots: list[Bot] = [_Anything(bot_seed(seed, "opponent", number, at)) for at in range(1, seats + 1)]
    examined = bots[seat - 1] = _Examined(
        kind, bot_seed(seed, "bot", number), notes, _("match {number}", number=number + 1)
    )
    play(game, bots, options_from(game, {}), Chance(deal_key(numbered_seed(seed, number))))
    return examined.chosen


def _compare(notes: _FaultNotes, number: int, one: Sequence[object], other: Sequence[object]) -> None:
    told = first_difference(one, other)
    if told and "global_chance" not in notes:
        notes.add_fault("not_repeatable", _("match {number}, {told}", number=number + 1, told=told))


def first_difference(one: Sequence[object], other: Sequence[object]) -> str:
    """Returns a sentence on the first choice that differs between two runs of the same match; "" if all are equal."""
    for turn, (was, now) in enumerate(zip(one, other, strict=False), 1):
        if was != now:
            return _("turn {turn}: {was}, and with the same seed again: {now}", turn=turn, was=was, now=now)
    return ""


def _weigh(notes: _FaultNotes, growth: int, matches: int) -> None:
    if growth > max(GROWTH_BYTES, GROWTH_A_MATCH * matches):
        notes.add_fault(
            "growing",
            _("{matches} matches more took {growth:.0f} MiB more", matches=matches, growth=growth / (1 << 20)),
        )


def _memory() -> int:
    """Returns the memory that this process uses, in bytes; 0 if the system does not report it."""
    gc.collect()
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


class _FaultNotes:
    """Collects the faults of the bot in one game, and the seconds that each decision took."""

    def __init__(self, game: str, limit: float, at: Callable[[str], object] = lambda _where: None) -> None:
        self.limit, self.at = limit, at
        self.times: list[float] = []
        self._game = game
        self._found: dict[str, tuple[str, int]] = {}

    def __contains__(self, code: str) -> bool:
        return code in self._found

    def add_fault(self, code: str, text: str) -> None:
        """Notes a fault. Of faults with the same code only the first text is kept, and the number."""
        first, count = self._found.get(code, (text, 0))
        self._found[code] = (first, count + 1)

    def findings(self) -> list[Finding]:
        """Returns a finding for each kind of fault that was noted, the most serious kind first."""
        return [
            Finding(code, self._game, *self._found[code], fault_advice(code)) for code in ADVICE if code in self._found
        ]


class _Printed(io.StringIO):
    """A replacement for stdout that keeps only the first PRINTED_CHARACTERS characters."""

    def write(self, text: str) -> int:
        if self.tell() < PRINTED_CHARACTERS:
            super().write(text[:PRINTED_CHARACTERS])
        return len(text)


class _Examined(Bot):
    """Calls the examined bot and notes its faults. For a choice that fails it plays a random legal action, so that the
    match goes on and one fault does not hide the next."""

    def __init__(self, kind: type[Bot], seed: int, notes: _FaultNotes, where: str) -> None:
        super().__init__(seed)
        self.wants = kind.wants
        self.chosen: list[object] = []
        self._notes, self._where = notes, where
        self._bot: Bot | None = None
        if "stuck" not in notes:  # a bot that was stuck is not called again, because such a call takes a long time
            with self._watched(_("creating the bot")):
                self._bot = kind(seed)

    def hear(self, event: Event) -> None:
        if self._bot is not None:
            with self._watched("hear"):
                self._bot.hear(event)

    def end(self, outcome: Outcome) -> None:
        if self._bot is not None:
            with self._watched("end"):
                self._bot.end(outcome)

    def choose(self, turn: Turn) -> Action:
        action: object = None
        where = _("{where}, turn {number}", where=self._where, number=turn.number)
        legal = list(turn.legal)
        asked = replace(turn, legal=legal.copy())
        if self._bot is not None:
            with self._watched("choose", turn.number):
                begun = time.perf_counter()
                try:
                    action = self._bot.choose(asked)
                finally:
                    self._notes.times.append(took := time.perf_counter() - begun)
                if took > self._notes.limit:
                    text = _(
                        "{where}: {took:.0f} ms, the limit is {limit:.0f} ms",
                        where=where,
                        took=took * 1000,
                        limit=self._notes.limit * 1000,
                    )
                    self._notes.add_fault("slow", text)
                if asked.legal != legal:
                    self._notes.add_fault("changed_legal", where)
                if not isinstance(action, Action):
                    self._notes.add_fault("wrong_type", _("{where}: {what}", where=where, what=repr(action)[:80]))
                elif action not in legal:
                    self._notes.add_fault("illegal", _("{where}: {what}", where=where, what=to_map(action)))
        self.chosen.append(to_map(action) if isinstance(action, Action) else None)
        if isinstance(action, Action) and action in legal:
            return action
        return self.rng.choice(legal)

    @contextmanager
    def _watched(self, doing: str, turn: int = 0) -> Iterator[None]:
        """A context manager for a call of the bot. Notes a fault if the call raises, prints, uses the global random
        numbers, or does not return."""
        where = _("{where}, turn {turn}", where=self._where, turn=turn) if turn else self._where
        self._notes.at(_("{where}: {what}", where=where, what=doing))
        printed = _Printed()
        limit = self._notes.limit * STUCK
        chance = random.getstate()
        try:
            with redirect_stdout(printed), _breaking_off(limit):
                yield
        except _Stuck:
            self._notes.add_fault(
                "stuck", _("{where}: {doing} took more than {limit:.1f} s", where=where, doing=doing, limit=limit)
            )
            self._bot = None
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            self._notes.add_fault(
                "raised",
                _(
                    "{where}: {doing}: {kind}: {error} ({name}, line {line})",
                    where=where,
                    doing=doing,
                    kind=type(error).__name__,
                    error=error,
                    name=last.name,
                    line=last.lineno,
                ),
            )
        if random.getstate() != chance:
            self._notes.add_fault("global_chance", _("{where}: {what}", where=where, what=doing))
        if printed.getvalue():
            self._notes.add_fault(
                "printed", _("{where}: {what}", where=where, what=repr(printed.getvalue().strip()[:80]))
            )


@contextmanager
def _breaking_off(seconds: float) -> Iterator[None]:
    """A context manager that raises _Stuck in its block after `seconds`. Outside the main thread it does nothing,
    because signals arrive only in the main thread."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _Stuck

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ms(times: Sequence[float], share: float) -> float:
    """Returns the time in milliseconds that this share of the decisions did not exceed. `times` are sorted seconds."""
    if not times:
        return 0.0
    return round(times[max(0, math.ceil(share * len(times)) - 1)] * 1000, 3)
