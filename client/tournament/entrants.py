"""The entrants of a tournament that we run: a process plays under a name, is listened to, and ended for certain."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import trio

from bots.sdk.leash import TOKEN, Entering
from client.language import _
from client.processes.connections import hand_out_connections
from client.processes.forks import PATIENCE_SECONDS, Forked, ForkServer
from client.processes.sandbox import Sandbox
from client.tournament.specs import Spec
from protocol.printable import escape

STDERR_BYTES = 16_384  # the last words that are kept in memory of each player
LOG_BYTES = 1_048_576  # and of its stderr in a file
LINE_CHARACTERS = 400
FLOOD_BYTES = 33_554_432  # of output: after that it is read slowly
SLOW_SECONDS = 0.004  # for each of our reads


@dataclass
class Entrant:
    """A bot that plays under one name: each `run` is one process, and the next is a fresh one under the same name.

    `died` tells that the latest process ended before it was asked to; `limit` which limit ended it, in words.
    """

    spec: Spec
    name: str
    seed: int
    game: str
    confined: bool = False  # in a sandbox, if it runs foreign code
    log: Path | None = None  # where its stderr is kept
    private: tuple[Path, ...] = ()  # files and folders that it may not read; the log's folder is one anyhow
    died: bool = False
    limit: str = ""
    noted: bool = False  # whether a line of ours says what was wrong with it
    last_words: bytearray = field(default_factory=bytearray)
    host: str = "127.0.0.1"  # of the server
    fingerprint: str = ""  # of its certificate; "" for plain text
    token: str = field(default_factory=lambda: secrets.token_hex(16))  # proves the name to the server
    _process: Forked | None = None
    _asked_to_end: bool = False
    _ended: trio.Event = field(default_factory=trio.Event)

    async def run(self, forks: ForkServer, port: int, on_death: Callable[[str], None] = lambda _name: None) -> None:
        """Starts a process and listens to it until it and all that it started has ended.

        `on_death` is called with the name if it ends without having been asked to. Raises ForkServerGone.
        """
        self._asked_to_end, self._ended = False, trio.Event()
        self.died, self.limit = False, ""
        process = self._process = await forks.start(
            ["entrant", msgspec.json.encode(self._entering(port)).decode()],
            limits=self.spec.limits,
            sandbox=self._sandbox() if self.confined and self.spec.runs_foreign_code else None,
            environment={TOKEN: self.token},
        )
        try:
            if self._asked_to_end:
                await process.kill()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_listen, process.stdout, _ignore)
                nursery.start_soon(_listen, process.stderr, self._take_words)
                connecting = trio.CancelScope()
                nursery.start_soon(_hand_out, connecting, process.stdin, self.host, port)
                ended = await process.wait()
                connecting.cancel()
            self.limit = ended.limit
            self.noted |= bool(ended.limit)
            if not self._asked_to_end:
                self.died = True
                if not self.limit:  # that has been told
                    self.note(_("its process ended {how}", how=ended.how))
                on_death(self.name)
        finally:
            with trio.CancelScope(shield=True):
                await process.close()
            self._process = None
            self._ended.set()

    def _sandbox(self) -> Sandbox:
        private = [*self.private, *([self.log.parent] if self.log else [])]
        readable = self.spec.readable(private)
        return Sandbox([str(path) for path in readable], [str(path) for path in private])

    def _entering(self, port: int) -> Entering:
        server = f"{self.host}:{port}"
        return Entering(self.spec.bot, self.game, self.name, self.seed, server, self.spec.options, self.fingerprint)

    async def end(self, patience: float = PATIENCE_SECONDS) -> None:
        """Closes its stdin, which asks it to end; after these seconds it sends SIGTERM, after as many more SIGKILL."""
        self._asked_to_end = True
        process = self._process
        if process is None:
            return
        await trio.aclose_forcefully(process.stdin)
        for insist in (process.terminate, process.kill):
            with trio.move_on_after(patience):
                await self._ended.wait()
                return
            await insist()
        await self._ended.wait()

    def note(self, text: str) -> None:
        """Adds a line of ours to what it wrote."""
        self.noted = True
        new_line = "\n" if self.last_words and not self.last_words.endswith(b"\n") else ""
        self._take_words(f"{new_line}magehall: {text}.\n".encode())

    def _take_words(self, data: bytes) -> None:
        self.last_words += data
        del self.last_words[:-STDERR_BYTES]
        if self.log is not None:
            with suppress(OSError), self.log.open("ab") as file:  # a full disk; the store tells of that
                room = LOG_BYTES - file.tell()
                file.write(data[: max(room, 0)])
                if 0 <= room < len(data):
                    file.write(b"\n[Nothing more was kept.]\n")

    def complaint(self, lines: int = 12) -> str:
        """The end of what it said on stderr, fit for a terminal."""
        words = self.last_words.decode("utf-8", "replace").strip().split("\n")
        return "\n".join(escape(line)[:LINE_CHARACTERS] for line in words[-lines:])


def _ignore(_data: bytes) -> None:
    """Of what a bot prints."""


async def _hand_out(scope: trio.CancelScope, leash: trio.SocketStream, host: str, port: int) -> None:
    with scope:
        await hand_out_connections(leash, host, port)


async def _listen(stream: trio.abc.ReceiveStream, take: Callable[[bytes], None]) -> None:
    """Takes all that comes, so that no pipe is full; a flood of it slowly."""
    total = 0
    async for data in stream:
        take(bytes(data))
        total += len(data)
        if total > FLOOD_BYTES:
            await trio.sleep(SLOW_SECONDS)
