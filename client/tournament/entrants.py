"""The processes of the entrants that run on this machine: starts each under a player's name, reads its output, and ends
it reliably."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import trio

from bots.sdk.leash import TOKEN, EntrantAssignment
from client.language import _
from client.processes.connections import hand_out_connections
from client.processes.forks import PATIENCE_SECONDS, ForkedProcess, ForkServer
from client.processes.sandbox import Sandbox
from client.tournament.specs import EntrantSpec
from protocol.printable import escape_text

STDERR_BYTES = 16_384  # most bytes of each player's latest stderr output that are kept in memory
LOG_BYTES = 1_048_576  # most bytes of each player's stderr output that are written to its file
LINE_CHARACTERS = 400
FLOOD_BYTES = 33_554_432  # bytes of output after which a process is read slowly
SLOW_SECONDS = 0.004  # pause after each read of a process that is read slowly


@dataclass
class EntrantProcess:
    """A bot that plays under one player's name. Each call of `run` starts a new process under the same name.

    `died` is true if the latest process ended without being asked to. `limit` says in words which limit it exceeded; ""
    if none.
    """

    spec: EntrantSpec
    name: str
    seed: int
    game: str
    confined: bool = False  # whether foreign code runs in a sandbox
    log: Path | None = None  # the file to which its stderr output is appended
    private: tuple[Path, ...] = ()  # files and folders that the process may not read, besides the folder of `log`
    died: bool = False
    limit: str = ""
    noted: bool = False  # whether a line of ours in its output says what went wrong
    last_words: bytearray = field(default_factory=bytearray)
    host: str = "127.0.0.1"  # host name or address of the server
    fingerprint: str = ""  # SHA-256 of the server's certificate; "" if the server speaks plain text
    # the secret that proves the player's name to the server
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    _process: ForkedProcess | None = None
    _asked_to_end: bool = False
    _ended: trio.Event = field(default_factory=trio.Event)

    async def run(self, forks: ForkServer, port: int, on_death: Callable[[str], None] = lambda _name: None) -> None:
        """Starts a process and reads its output until the process and all its children have ended.

        Calls `on_death` with the player's name if the process ends without being asked to. Raises ForkServerGone.
        """
        self._asked_to_end, self._ended = False, trio.Event()
        self.died, self.limit = False, ""
        process = self._process = await forks.start_process(
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
                if not self.limit:  # otherwise a line about the limit is there already
                    self.append_note(_("its process ended {how}", how=ended.ending_text))
                on_death(self.name)
        finally:
            with trio.CancelScope(shield=True):
                await process.close()
            self._process = None
            self._ended.set()

    def _sandbox(self) -> Sandbox:
        private = [*self.private, *([self.log.parent] if self.log else [])]
        readable = self.spec.readable_paths(private)
        return Sandbox([str(path) for path in readable], [str(path) for path in private])

    def _entering(self, port: int) -> EntrantAssignment:
        server = f"{self.host}:{port}"
        return EntrantAssignment(
            self.spec.bot, self.game, self.name, self.seed, server, self.spec.options, self.fingerprint
        )

    async def stop_process(self, patience: float = PATIENCE_SECONDS) -> None:
        """Closes the stdin of the process, which asks it to end. Sends SIGTERM if it still runs after `patience`
        seconds, and SIGKILL after the same time again."""
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

    def append_note(self, text: str) -> None:
        """Appends a line of ours to the output of the bot."""
        self.noted = True
        new_line = "\n" if self.last_words and not self.last_words.endswith(b"\n") else ""
        self._take_words(f"{new_line}magehall: {text}.\n".encode())

    def _take_words(self, data: bytes) -> None:
        self.last_words += data
        del self.last_words[:-STDERR_BYTES]
        if self.log is not None:
            with suppress(OSError), self.log.open("ab") as file:  # the disk may be full, which the store reports
                room = LOG_BYTES - file.tell()
                file.write(data[: max(room, 0)])
                if 0 <= room < len(data):
                    file.write(b"\n[Nothing more was kept.]\n")

    def stderr_tail(self, lines: int = 12) -> str:
        """Returns the last lines of the bot's stderr output, with control characters escaped."""
        words = self.last_words.decode("utf-8", "replace").strip().split("\n")
        return "\n".join(escape_text(line)[:LINE_CHARACTERS] for line in words[-lines:])


def _ignore(_data: bytes) -> None:
    """Discards the output of a bot."""


async def _hand_out(scope: trio.CancelScope, leash: trio.SocketStream, host: str, port: int) -> None:
    with scope:
        await hand_out_connections(leash, host, port)


async def _listen(stream: trio.abc.ReceiveStream, take: Callable[[bytes], None]) -> None:
    """Reads all output of one stream, so that the pipe never fills up. After FLOOD_BYTES it reads slowly."""
    total = 0
    async for data in stream:
        take(bytes(data))
        total += len(data)
        if total > FLOOD_BYTES:
            await trio.sleep(SLOW_SECONDS)
