"""The entrants of a tournament as processes of their own: started, listened to, and ended for certain."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
import trio

from bots.sdk.runner import Finished
from protocol.names import fold, name_like
from protocol.printable import escape

STDERR_BYTES = 16_384  # the last words that are kept of each process; the rest is read and dropped
LINE_CHARACTERS = 400
LINE_BYTES = 65_536  # a longer line on stdout is no result
PATIENCE_SECONDS = 1.0  # after each way of asking a process to end

_decode = msgspec.json.Decoder(Finished).decode


@dataclass
class Entrant:
    """One process: a bot that plays under one name. `died` tells that it ended before it was asked to."""

    spec: str
    name: str
    seed: int
    crashed: set[tuple[str, int]] = field(default_factory=set)  # table and seat where the bot raised
    died: bool = False
    last_words: bytearray = field(default_factory=bytearray)
    _process: trio.Process | None = None
    _asked_to_end: bool = False
    _ended: trio.Event = field(default_factory=trio.Event)

    async def run(self, port: int, on_death: Callable[[str], None]) -> None:
        """Starts the process and listens to it until it and all that it started has ended.

        `on_death` is called with the name if it ends without having been asked to.
        """
        command = [sys.executable, "-P", "-m", "magehall", "bot", "run", self.spec, "--port", str(port)]
        command += ["--name", self.name, "--seed", str(self.seed)]
        command += ["--tables", "0", "--json", "--leash"]
        process = self._process = await trio.lowlevel.open_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # the order of a bot's sets is the same in each tournament
        )
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read_results, process.stdout)
                nursery.start_soon(self._read_last_words, process.stderr)
                await process.wait()
                self.died = not self._asked_to_end
                if self.died:
                    on_death(self.name)
                self._signal(signal.SIGKILL)  # what it left behind would hold the pipes open
        finally:
            if process.returncode is None:
                self._signal(signal.SIGKILL)
                with trio.CancelScope(shield=True):
                    await process.wait()
            self._ended.set()

    async def end(self) -> None:
        """Closes its stdin, which asks it to end; then sends SIGTERM and SIGKILL."""
        process = self._process
        if process is None or process.stdin is None:
            return
        self._asked_to_end = True
        await process.stdin.aclose()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with trio.move_on_after(PATIENCE_SECONDS):
                await self._ended.wait()
                return
            self._signal(number)
        await self._ended.wait()

    def _signal(self, number: signal.Signals) -> None:
        """To the process and all of its session."""
        assert self._process is not None
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _read_results(self, stream: trio.abc.ReceiveStream | None) -> None:
        assert stream is not None
        rest = bytearray()
        async for data in stream:
            rest += data
            *lines, last = rest.split(b"\n")
            rest = last if len(last) <= LINE_BYTES else bytearray()
            for line in lines:
                with suppress(msgspec.DecodeError):
                    done = _decode(line)
                    if done.how == "crashed":
                        self.crashed.add((done.table, done.seat))

    async def _read_last_words(self, stream: trio.abc.ReceiveStream | None) -> None:
        assert stream is not None
        async for data in stream:
            self.last_words += data
            del self.last_words[:-STDERR_BYTES]

    def complaint(self, lines: int = 12) -> str:
        """The end of what it said on stderr, fit for a terminal."""
        words = self.last_words.decode("utf-8", "replace").strip().split("\n")
        return "\n".join(escape(line)[:LINE_CHARACTERS] for line in words[-lines:])


def names_for(labels: list[str], each: int) -> list[list[str]]:
    """`each` names on the server for every entrant; no two of all these look alike, and none like a house bot's."""
    taken: set[str] = set()
    names: list[list[str]] = []
    for label in labels:
        base = name_like(label)[:10].rstrip("-_") or "bot"
        own: list[str] = []
        number = 0
        while len(own) < each:
            number += 1
            name = f"p{number}-{base}"
            if fold(name) not in taken:
                taken.add(fold(name))
                own.append(name)
        names.append(own)
    return names


def labels_for(specs: list[str]) -> list[str]:
    """What the entrants are called in the standings: the bot or its class, numbered where two are the same."""
    short = [spec.rpartition(":")[2] for spec in specs]
    return [
        name if short.count(name) == 1 else f"{name}#{short[: place + 1].count(name)}"
        for place, name in enumerate(short)
    ]
