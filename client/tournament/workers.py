"""Processes that play matches without sockets. If one ends, the next one plays its unfinished match again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import msgspec
import trio

from bots.sdk.nursery import nursery_for_block
from client.language import _
from client.processes.forks import PATIENCE_SECONDS, ForkedProcess, ForkServer, ForkServerGone
from client.processes.limits import ProcessLimits
from client.tournament.local_match import LENGTH_BYTES, BotSetup, LoadResult, MatchJob, PlayedMatch

AHEAD = 2  # matches that are sent to a process at a time
ATTEMPTS = 3  # how often a match is tried that ends its process
LOAD_SECONDS = 30.0  # time limit for loading a bot's file and creating a bot
LAST_WORDS = 16_384  # most bytes of the stderr output that are kept

_encode = msgspec.msgpack.Encoder().encode
_done = msgspec.msgpack.Decoder(PlayedMatch).decode
_loaded = msgspec.msgpack.Decoder(LoadResult).decode


class CannotContinue(Exception):
    """The tournament cannot continue. The text is a sentence that says why."""


class JobQueue(Protocol):
    """Gives out the matches of a tournament, and receives their results."""

    def next_job(self) -> MatchJob | None:
        """Returns the next match to play; None if no match can begin now."""
        ...

    async def wait_for_job(self) -> bool:
        """Waits until another match may be able to begin. Returns False if there will be none."""
        ...

    def record_match(self, played: PlayedMatch) -> None:
        """Receives a finished match."""
        ...


class Workers(Protocol):
    """A group of workers that load bots and play matches."""

    async def load(self, bots: Sequence[BotSetup]) -> dict[int, str]:
        """Loads each bot once, and creates an instance of it. Returns what is wrong with bots, by their index in
        `bots`."""
        ...

    async def run(self, work: JobQueue) -> None:
        """Plays all matches that `work` gives out, several at a time. Raises CannotGoOn."""
        ...


async def run_concurrently(count: int, play: Callable[[], Awaitable[None]]) -> None:
    """Runs `count` calls of `play` at the same time. If one raises CannotGoOn, cancels the others and raises it."""
    failures: list[CannotContinue] = []

    async def one(scope: trio.CancelScope) -> None:
        try:
            await play()
        except CannotContinue as error:
            failures.append(error)
            scope.cancel()

    async with trio.open_nursery() as nursery:
        for _one in range(count):
            nursery.start_soon(one, nursery.cancel_scope)
    if failures:
        raise failures[0]


class _Ended(Exception):
    """The process has ended, or has sent output that is no valid answer."""


@dataclass
class LocalWorkers:
    """A number of `processes` on this machine, with resource limits. Each plays all entrants of a match, so entrants
    are not confined from each other."""

    forks: ForkServer
    processes: int
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    words: bytearray = field(default_factory=bytearray)  # the latest stderr output of all processes together
    _ends: Counter[int] = field(default_factory=Counter)  # by match: how many processes have ended while they played it

    async def load(self, bots: Sequence[BotSetup]) -> dict[int, str]:
        """See Workers."""
        wrong = {}
        for number, bot in enumerate(bots):
            said = _("It did not load in time.")
            with trio.move_on_after(LOAD_SECONDS):
                said = await self._load(bot)
            if said:
                wrong[number] = said
        return wrong

    async def run(self, work: JobQueue) -> None:
        """See Workers."""
        await run_concurrently(self.processes, partial(self._keep_one, work))

    async def _load(self, bot: BotSetup) -> str:
        """Loads the bot in a new process. Returns what is wrong with it, or ""."""
        answer = ""
        self.words.clear()  # drops the output of the previous bot's process

        async def play(process: _Process) -> None:
            nonlocal answer
            await process.send(bot)
            answer = _loaded(await process.receive()).wrong

        try:
            await self._with_process(play)
        except _Ended:
            answer = _("Its file ends the process that loads it.\n") + self.words.decode("utf-8", "replace")
        return answer

    async def _keep_one(self, work: JobQueue) -> None:
        """Runs a process that plays matches. If it ends early, runs the next one."""
        jobs: deque[MatchJob] = deque()

        async def play(process: _Process) -> None:
            for job in jobs:
                await process.send(job)
            while True:
                while len(jobs) < AHEAD and (another := work.next_job()) is not None:
                    jobs.append(another)
                    await process.send(another)
                if jobs:
                    done = _done(await process.receive())
                    jobs.popleft()
                    work.record_match(done)
                elif not await work.wait_for_job():
                    return

        while True:
            try:
                await self._with_process(play)
                return
            except _Ended:
                self._note_end(jobs)

    def _note_end(self, jobs: Sequence[MatchJob]) -> None:
        if not jobs:
            return
        match = jobs[0].match
        self._ends[match] += 1
        if self._ends[match] == ATTEMPTS:
            bots = ", ".join(dict.fromkeys(seat.bot for seat in jobs[0].seats))
            raise CannotContinue(
                _(
                    "Match {match} ended its process {attempts} times, because of one of {bots}. Play without "
                    "--local, where each bot has a process of its own.",
                    match=match,
                    attempts=ATTEMPTS,
                    bots=bots,
                )
            )

    async def _with_process(self, play: Callable[[_Process], Awaitable[None]]) -> None:
        """Calls `play` with a new process, which ends with the call. Raises _Ended, CannotGoOn."""
        try:
            forked = await self.forks.start_process(["bot", "jobs"], limits=self.limits)
        except ForkServerGone as error:
            raise CannotContinue(str(error)) from None
        try:
            async with nursery_for_block() as nursery:
                nursery.start_soon(self._listen, forked.stderr)
                await play(_Process(forked))
        except (_Ended, trio.BrokenResourceError, msgspec.DecodeError):
            with trio.move_on_after(PATIENCE_SECONDS):
                await self._listen(forked.stderr)
            raise _Ended from None
        finally:
            with trio.CancelScope(shield=True):
                await forked.close()

    async def _listen(self, stderr: trio.abc.ReceiveStream) -> None:
        async for data in stderr:
            self.words += data
            del self.words[:-LAST_WORDS]


class _Process:
    """A process that plays matches, with its streams."""

    def __init__(self, forked: ForkedProcess) -> None:
        self._forked, self._rest = forked, bytearray()

    async def send(self, message: MatchJob | BotSetup) -> None:
        """Sends a match to play or a bot to load. Raises trio.BrokenResourceError."""
        data = _encode(message)
        await self._forked.stdin.send_all(len(data).to_bytes(LENGTH_BYTES, "big") + data)

    async def receive(self) -> bytes:
        """Receives the encoded answer to the oldest message without one. Raises _Ended."""
        size = int.from_bytes(await self._exactly(LENGTH_BYTES), "big")
        return await self._exactly(size)

    async def _exactly(self, size: int) -> bytes:
        while len(self._rest) < size:
            data = await self._forked.stdout.receive_some()
            if not data:
                raise _Ended
            self._rest += data
        taken = bytes(self._rest[:size])
        del self._rest[:size]
        return taken
