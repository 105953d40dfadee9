"""Processes that play matches without sockets. If one ends, the next repeats its unfinished match."""

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
from client.processes.forks import PATIENCE_SECONDS, Forked, ForkServer, ForkServerGone
from client.processes.limits import ProcessLimits
from client.tournament.local_match import LENGTH_BYTES, Job, Loaded, PlayedMatch, Playing

AHEAD = 2  # matches in flight for each process
ATTEMPTS = 3  # for a match that ends its process
LOAD_SECONDS = 30.0  # to load a bot's file and create a bot
LAST_WORDS = 16_384  # bytes of stderr

_encode = msgspec.msgpack.Encoder().encode
_done = msgspec.msgpack.Decoder(PlayedMatch).decode
_loaded = msgspec.msgpack.Decoder(Loaded).decode


class CannotGoOn(Exception):
    """The tournament cannot continue. The text says why in a sentence."""


class Work(Protocol):
    """The source of matches, and the receiver of their results."""

    def next(self) -> Job | None:
        """Returns the next match to play, or None if there is none now."""
        ...

    async def more(self) -> bool:
        """Waits until there may be another match. Returns False if there will be none."""
        ...

    def done(self, played: PlayedMatch) -> None:
        """Receives a finished match."""
        ...


class Workers(Protocol):
    """Something that plays matches."""

    async def load(self, bots: Sequence[Playing]) -> dict[int, str]:
        """Loads each bot once, and creates one. Returns what is wrong, by index."""
        ...

    async def run(self, work: Work) -> None:
        """Plays all matches, several at a time. Raises CannotGoOn."""
        ...


async def at_once(count: int, play: Callable[[], Awaitable[None]]) -> None:
    """Runs that many calls of `play` at once. The first that raises CannotGoOn cancels the others. Raises
    CannotGoOn."""
    failures: list[CannotGoOn] = []

    async def one(scope: trio.CancelScope) -> None:
        try:
            await play()
        except CannotGoOn as error:
            failures.append(error)
            scope.cancel()

    async with trio.open_nursery() as nursery:
        for _one in range(count):
            nursery.start_soon(one, nursery.cancel_scope)
    if failures:
        raise failures[0]


class _Ended(Exception):
    """The process has ended, or its output makes no sense."""


@dataclass
class LocalWorkers:
    """That many local `processes`, with limits. Each plays all entrants of a match, so none of them is confined."""

    forks: ForkServer
    processes: int
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    words: bytearray = field(default_factory=bytearray)  # the latest stderr output of all
    _ends: Counter[int] = field(default_factory=Counter)  # number of ended processes, by their match

    async def load(self, bots: Sequence[Playing]) -> dict[int, str]:
        """See Workers."""
        wrong = {}
        for number, bot in enumerate(bots):
            said = _("It did not load in time.")
            with trio.move_on_after(LOAD_SECONDS):
                said = await self._load(bot)
            if said:
                wrong[number] = said
        return wrong

    async def run(self, work: Work) -> None:
        """See Workers."""
        await at_once(self.processes, partial(self._keep_one, work))

    async def _load(self, bot: Playing) -> str:
        """Loads the bot in a process of its own."""
        answer = ""
        self.words.clear()  # forgets the previous bot's output

        async def play(process: _Process) -> None:
            nonlocal answer
            await process.send(bot)
            answer = _loaded(await process.receive()).wrong

        try:
            await self._with_process(play)
        except _Ended:
            answer = _("Its file ends the process that loads it.\n") + self.words.decode("utf-8", "replace")
        return answer

    async def _keep_one(self, work: Work) -> None:
        """Runs one process after the other, for as long as they end early."""
        jobs: deque[Job] = deque()

        async def play(process: _Process) -> None:
            for job in jobs:
                await process.send(job)
            while True:
                while len(jobs) < AHEAD and (another := work.next()) is not None:
                    jobs.append(another)
                    await process.send(another)
                if jobs:
                    done = _done(await process.receive())
                    jobs.popleft()
                    work.done(done)
                elif not await work.more():
                    return

        while True:
            try:
                await self._with_process(play)
                return
            except _Ended:
                self._note_end(jobs)

    def _note_end(self, jobs: Sequence[Job]) -> None:
        if not jobs:
            return
        match = jobs[0].match
        self._ends[match] += 1
        if self._ends[match] == ATTEMPTS:
            bots = ", ".join(dict.fromkeys(seat.bot for seat in jobs[0].seats))
            raise CannotGoOn(
                _(
                    "Match {match} ended its process {attempts} times, because of one of {bots}. Play without "
                    "--local, where each bot has a process of its own.",
                    match=match,
                    attempts=ATTEMPTS,
                    bots=bots,
                )
            )

    async def _with_process(self, play: Callable[[_Process], Awaitable[None]]) -> None:
        """Calls `play` with a new process. Raises _Ended, CannotGoOn."""
        try:
            forked = await self.forks.start(["bot", "jobs"], limits=self.limits)
        except ForkServerGone as error:
            raise CannotGoOn(str(error)) from None
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
    """One process, and its answers."""

    def __init__(self, forked: Forked) -> None:
        self._forked, self._rest = forked, bytearray()

    async def send(self, message: Job | Playing) -> None:
        """Sends a message. Raises trio.BrokenResourceError."""
        data = _encode(message)
        await self._forked.stdin.send_all(len(data).to_bytes(LENGTH_BYTES, "big") + data)

    async def receive(self) -> bytes:
        """Receives an answer. Raises _Ended."""
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
