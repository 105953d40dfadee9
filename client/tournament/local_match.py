"""Plays a match of a cup in this process, without sockets. It has the same result as over sockets.

Bots get the same calls and the same random numbers as from the runner, and the same referee handles their errors. A
seat's clock runs only while its own bot thinks, and the bot is interrupted when the seat's time is up.
"""

from __future__ import annotations

import gc
import math
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter
from typing import BinaryIO

import msgspec

from bots.sdk.bot import Bot, Turn
from bots.sdk.registry import NoSuchBot, check_plays, get_bot, parse_bot_options
from bots.sdk.seeds import bot_seed
from client.house import BotHouse
from client.language import _
from games.api import Action, IllegalAction, Outcome, Seat, action_from, options_from, to_map
from games.chance import Chance, deal_key
from games.registry import get_game
from matches.fold import Entry, Match, MatchHeader, Outgoing
from matches.referee import NOW, Referee
from matches.seats import SeatState
from protocol.entries import ActionRefused, PresenceChanged
from protocol.messages import Happened, SeatResult
from server.config import Config
from server.table.records import match_rows

QUICK_SECONDS = 0.02  # simultaneous decisions whose times differ by less than this are applied in the order of seats
# thresholds that make the garbage collector run rarely, because reference counting frees nearly all objects of a match
CALM = 10_000, 20, 50
LENGTH_BYTES = 4  # bytes of the length before each message to and from a process
AGAIN_SECONDS = 0.5  # interval between further interrupts of a bot that ignores the first


class BotSetup(msgspec.Struct, frozen=True, tag=True):
    """The player of a seat: a bot as `bot run` takes it, its options, the seed of its random numbers, and the game."""

    bot: str
    options: tuple[str, ...]
    seed: int
    game: str


class MatchJob(msgspec.Struct, frozen=True, tag=True):
    """A match to play, with the versions of the rules and cards that it needs."""

    match: int
    header: MatchHeader
    seats: tuple[BotSetup, ...]
    rules: str
    cards: str


class LoadResult(msgspec.Struct, frozen=True):
    """The result of loading a bot: a sentence that says what is wrong, or ""."""

    wrong: str


class PlayedMatch(msgspec.Struct, frozen=True):
    """A finished match: its results, its rows for the store, and in `words`, by seat, the errors that bots raised."""

    match: int
    results: tuple[SeatResult, ...]
    rows: dict[int, bytes]
    words: dict[int, str] = {}


class _TooLate(BaseException):
    """Raised within a bot when its time is up."""


RAISED = (Exception, SystemExit, _TooLate)  # exceptions of a bot's code: the bot loses its seat, and the match goes on


@lru_cache(maxsize=256)
def load_bot_class(bot: str, options: tuple[str, ...]) -> type[Bot]:
    """Returns the bot's class. The bot's file is loaded only once. Raises NoSuchBot, TypeError, ValueError."""
    return get_bot(bot, parse_bot_options(options))


def serve_jobs(questions: BinaryIO, answers: BinaryIO) -> None:
    """Loads a bot or plays a match for each message in `questions`, until it ends. Writes the results to `answers`."""
    interrupts.enable()
    gc.set_threshold(*CALM)
    decode, encode = msgspec.msgpack.Decoder(BotSetup | MatchJob).decode, msgspec.msgpack.Encoder().encode
    while length := questions.read(LENGTH_BYTES):
        asked = decode(questions.read(int.from_bytes(length, "big")))
        data = encode(play_job(asked) if isinstance(asked, MatchJob) else load_bot(asked))
        answers.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)
        answers.flush()


def load_bot(bot: BotSetup) -> LoadResult:
    """Loads the bot's class for later matches, and creates one bot to test it."""
    try:
        kind = load_bot_class(bot.bot, bot.options)
        check_plays(kind.__name__, kind, bot.game)
    except (NoSuchBot, TypeError, ValueError) as error:
        return LoadResult(f"{error}")
    try:
        kind(bot.seed)
    except (Exception, SystemExit) as error:
        return LoadResult(_traced(_("creating the bot"), error).rstrip())
    return LoadResult("")


def play_job(job: MatchJob) -> PlayedMatch:
    """Plays the match to its end."""
    match = _LocalMatch(job)
    match.play()
    assert match.fold.over is not None
    rows = match_rows(match.fold.game, job.header, match.entries)
    return PlayedMatch(job.match, match.fold.over.results, rows, match.words)


class _Question:
    """An open decision of a seat. `took` is the time in seconds that the bot has thought about it so far."""

    def __init__(self, number: int, turn: Turn, at: float) -> None:
        self.number, self.turn, self.at = number, turn, at
        self.took, self.refused = 0.0, 0
        self.action: object = None


class _LocalMatch:
    def __init__(self, job: MatchJob) -> None:
        header = job.header
        game, seats = get_game(header.game), len(header.seats)
        self.fold = Match(game, header)
        self.entries: list[Entry] = []
        self.words: dict[Seat, str] = {}
        self._job, self._options = job, options_from(game, header.options)
        self._bots: dict[Seat, Bot] = {}
        self._listening: list[Seat] = []
        self._seeds: dict[Seat, int] = {}
        self._asked: dict[Seat, _Question] = {}
        self._now = 0.0
        self._seats = [SeatState(number, grace=0.0) for number in range(1, seats + 1)]
        chance = Chance(deal_key(header.seed)).fork("late")
        limits = Config(house_seconds=0.0)
        self._referee = Referee(self._seats, self.fold, limits, BotHouse(), chance, self._record)

    def play(self) -> None:
        match = self.fold
        kinds = [load_bot_class(one.bot, one.options) for one in self._job.seats]
        self._listening = [seat for seat, kind in enumerate(kinds, 1) if kind.listens()]
        heard: Outgoing = {seat: [] for seat in self._listening}
        for seat, kind in enumerate(kinds, 1):
            match.wants[seat] = kind.wants
        match.begin(heard)
        for seat, kind in enumerate(kinds, 1):
            self._sit_down(seat, kind)
        self._tell(heard)
        self._ask()
        for moment in self._referee.iter_rounds(lambda: self._now):
            if moment != NOW:  # otherwise a house bot decides at once
                self._decide()
        self._end()

    def _sit_down(self, seat: Seat, kind: type[Bot]) -> None:
        header = self._job.header
        self._seeds[seat] = bot_seed(self._job.seats[seat - 1].seed, header.word, seat)
        try:
            with self._time(seat):
                self._bots[seat] = kind(self._seeds[seat])
        except RAISED as error:
            self._crash(seat, _traced(_("creating the bot"), error))

    def _record(self, entry: Entry, answer: Callable[[], None] | None = None) -> None:
        """See Recorder. `answer` is not called, because no caller waits for it."""
        heard: Outgoing = {seat: [] for seat in self._listening}
        self.fold.apply(entry, heard)
        self.entries.append(entry)
        self._now = entry.at
        if isinstance(entry, PresenceChanged):  # the house bot that got the seat stays there
            self._bots.pop(entry.seat, None)
        if heard:
            self._tell(heard)
        self._ask()

    def _tell(self, heard: Outgoing) -> None:
        fallen = []
        for seat, messages in heard.items():
            bot = self._bots.get(seat)
            try:
                with self._time(seat):
                    for message in messages:
                        if bot is not None and isinstance(message, Happened):
                            bot.hear(message.event)
            except RAISED as error:
                fallen.append((seat, _traced("hear", error)))
        for seat, words in fallen:  # handled after the loop, when all bots have received these messages
            self._crash(seat, words)

    def _ask(self) -> None:
        """Stores each new question with the turn as it is now, because other seats may act before it is answered."""
        match = self.fold
        for seat in match.asked:
            known = self._asked.get(seat)
            if (known is None or known.number != match.turns[seat]) and seat in self._bots:
                self._asked[seat] = _Question(match.turns[seat], self._turn(seat), self._now)

    def _turn(self, seat: Seat) -> Turn:
        match, wants = self.fold, self.fold.wants[seat]
        state = match.state
        return Turn(
            match.game,
            seat,
            state.view(seat) if "view" in wants else None,
            list(state.legal_actions(seat)) if "legal" in wants else (),
            match.turns[seat],
            match.clocks.max_decision_time(seat),
            match.seats,
            self._options,
            state.knowledge(seat) if "knowledge" in wants else None,
        )

    # -- decisions -----------------------------------------------------------------------------------------------------

    def _decide(self) -> None:
        seats = list(self.fold.asked)
        for seat in seats:
            self._think(seat)
        if len(seats) > 1:
            seats.sort()
            seats.sort(key=lambda seat: self._asked[seat].took // QUICK_SECONDS)
        for seat in seats:
            question = self._asked[seat]
            if seat in self.fold.asked and question.number == self.fold.turns[seat] and seat in self._bots:
                self._answer(seat, question)

    def _think(self, seat: Seat) -> None:
        question, bot = self._asked[seat], self._bots[seat]
        try:
            if (rng := getattr(bot, "rng", None)) is not None:
                rng.seed(bot_seed(self._seeds[seat], question.number, question.refused))
            begun = perf_counter()
            try:
                self._set_alarm(question.turn.clock - question.took)
                question.action = bot.choose(question.turn)
            finally:
                self._set_alarm(0.0)
                question.took += perf_counter() - begun
        except _TooLate as error:
            question.took = math.inf
            self.words[seat] = _traced("choose", error)
        except (Exception, SystemExit) as error:
            question.action = error
            self.words[seat] = _traced("choose", error)

    def _answer(self, seat: Seat, question: _Question) -> None:
        now, deadline = max(self._now, question.at + question.took), self.fold.clocks.deadline(seat)
        if now >= deadline:
            self._now = max(self._now, deadline)
            self._referee.perform_due_actions(self._now)
        elif not isinstance(question.action, Action):
            self._now = now
            returned = _("choose returned {action!r}, which is not an action", action=question.action)
            self._crash(seat, self.words[seat] if isinstance(question.action, BaseException) else returned)
        else:
            self._do(seat, now, question)

    def _do(self, seat: Seat, now: float, question: _Question) -> None:
        action = question.action
        assert isinstance(action, Action)
        try:
            # an action that is not one of the legal objects is parsed, as the server does
            if not any(action is one for one in question.turn.legal):
                action = action_from(self.fold.game, to_map(action))
        except (ValueError, TypeError) as error:
            refused = ActionRefused[Action](now, seat, "", str(error)[:200])
        else:
            try:
                self._referee.record_decision(seat, action, now)
                return
            except IllegalAction as why:
                refused = ActionRefused[Action](now, seat, why.code, why.text, action)
        question.refused += 1
        self._referee.record_illegal_action(refused)

    # -- errors, and the end of the match ------------------------------------------------------------------------------

    def _crash(self, seat: Seat, words: str) -> None:
        """Gives the seat to a house bot after an error, whose text is `words`."""
        self.words[seat] = words
        self._bots.pop(seat, None)
        if self.fold.over is None:
            self._referee.take_over(self._seats[seat - 1], self._now, "crashed")

    def _end(self) -> None:
        over = self.fold.over
        assert over is not None
        scores, places = tuple(one.score for one in over.results), tuple(one.place for one in over.results)
        for seat, bot in self._bots.items():
            try:
                with self._time(seat):
                    bot.end(Outcome(scores, places, over.reason, over.text))
            except RAISED as error:
                self.words[seat] = _traced("end", error)

    @contextmanager
    def _time(self, seat: Seat) -> Iterator[None]:
        """Measures the block as thinking time of the seat. Raises _TooLate in it if it takes longer than the seat has
        for a decision."""
        self._set_alarm(self.fold.clocks.max_decision_time(seat))
        try:
            yield
        finally:
            self._set_alarm(0.0)

    def _set_alarm(self, seconds: float) -> None:
        if interrupts.allowed:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_SECONDS if seconds else 0.0)


def _traced(doing: str, error: BaseException) -> str:
    """Returns the exception as text for the bot's author. `doing` says what the bot was asked for."""
    if isinstance(error, _TooLate):
        return _("{doing} took longer than a decision may", doing=doing)
    traced = "".join(traceback.format_exception(error))
    return _("{doing} raised\n{traced}", doing=doing, traced=traced)


class BotInterrupter:
    """Interrupts a bot whose time is up, by a signal. Only a process that does nothing else may allow it."""

    allowed = False

    def enable(self) -> None:
        """Allows interrupts from now on."""
        signal.signal(signal.SIGALRM, self._ring)
        self.allowed = True

    def _ring(self, _number: int, _frame: object) -> None:
        raise _TooLate


interrupts = BotInterrupter()
