"""Starts processes through a fork server, and reads their output and ends them. This is the side of their owner."""

from __future__ import annotations

import array
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import trio

from client.language import _
from client.processes.keeper import TERMINATE, ProcessEnded, ProcessOrder
from client.processes.limits import ProcessLimits
from client.processes.sandbox import OWN, Sandbox
from languages import current_language

PATIENCE_SECONDS = 1.0  # how long to wait for a process to end after each signal
# the environment variables of this process that a bot may see
KEPT = ("PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
KEPT_BEGINNINGS = ("LC_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_")
# the status of a process whose keeper was killed, so that its own status is unknown
LOST = ProcessEnded(-signal.SIGKILL)


class ForkServerGone(Exception):
    """The fork server has ended unexpectedly. The text says so."""


class ForkServer:
    """A running fork server. Created by `open_fork_server`."""

    def __init__(self, channel: trio.socket.SocketType, folder: Path) -> None:
        self._channel, self._folder = channel, folder

    async def start_process(
        self,
        arguments: Sequence[str],
        *,
        limits: ProcessLimits | None = None,
        sandbox: Sandbox | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> ForkedProcess:
        """Starts a process that runs `magehall` with these arguments.

        With a `sandbox` the process is a fresh interpreter in a sandbox; this fails if `sandbox.obstacle` returns a
        reason. Otherwise it is a fork with all rights of this user, in a new folder that is also its home.
        `environment` has variables for the process besides the few that every bot may see. Raises ForkServerGone.
        """
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        home = f"{OWN if sandbox else folder}"
        order = ProcessOrder(
            list(arguments),
            str(folder),
            _environment() | {"HOME": home, "TMPDIR": home} | dict(environment or {}),
            limits or ProcessLimits(),
            sandbox,
            current_language(),
        )
        to_stdin, stdin = socket.socketpair()
        from_stdout, stdout = os.pipe()
        from_stderr, stderr = os.pipe()
        ours, theirs = socket.socketpair()
        forked = ForkedProcess(
            folder,
            trio.SocketStream(trio.socket.from_stdlib_socket(to_stdin)),
            trio.lowlevel.FdStream(from_stdout),
            trio.lowlevel.FdStream(from_stderr),
            trio.SocketStream(trio.socket.from_stdlib_socket(ours)),
        )
        passed = [stdin.detach(), stdout, stderr, theirs.detach()]
        try:
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", passed))
            await self._channel.sendmsg([b"x"], [rights])
            await forked.send_to_keeper(msgspec.json.encode(order) + b"\n")
        except OSError as error:
            await forked.close_streams()
            raise ForkServerGone(_("The process that starts bots has ended ({error}).", error=error)) from None
        except trio.Cancelled:
            with trio.CancelScope(shield=True):
                await forked.close_streams()
            raise
        finally:
            for number in passed:
                os.close(number)
        return forked


@dataclass
class ForkedProcess:
    """A started process and its three streams. The caller that started it must read stdout and stderr to their ends,
    and call `close`. Its stdin is a socket, on which the process can also send answers."""

    folder: Path
    stdin: trio.SocketStream
    stdout: trio.abc.ReceiveStream
    stderr: trio.abc.ReceiveStream
    _line: trio.SocketStream

    async def wait(self) -> ProcessEnded:
        """Returns when the process and all its children have ended."""
        said = b""
        with suppress(trio.BrokenResourceError):
            async for data in self._line:
                said += data
        return msgspec.json.decode(said, type=ProcessEnded) if said.endswith(b"\n") else LOST

    async def send_to_keeper(self, said: bytes) -> None:
        """Sends a message to the keeper of the process, if the keeper is still running."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._line.send_all(said)

    async def terminate(self) -> None:
        """Sends SIGTERM to the process and its group."""
        await self.send_to_keeper(TERMINATE)

    async def kill(self) -> None:
        """Kills the process and all its children at once, even while another task is in `tell`."""
        with suppress(OSError):
            self._line.socket.shutdown(socket.SHUT_WR)
        await trio.lowlevel.checkpoint()

    async def close(self) -> None:
        """Kills the process if it is still running, and deletes its working directory."""
        await self.kill()
        await self.wait()
        await self.close_streams()

    async def close_streams(self) -> None:
        """Closes the streams of the process and deletes its working directory."""
        for stream in (self.stdin, self.stdout, self.stderr, self._line):
            await trio.aclose_forcefully(stream)
        await trio.to_thread.run_sync(partial(shutil.rmtree, self.folder, ignore_errors=True))


@asynccontextmanager
async def open_fork_server() -> AsyncIterator[ForkServer]:
    """Starts a fork server, which takes as long as starting the command `magehall`. At the end of the block all
    processes that it started are killed."""
    ours, theirs = socket.socketpair()
    with tempfile.TemporaryDirectory(prefix="magehall-", ignore_cleanup_errors=True) as folder, theirs:
        process = await trio.lowlevel.open_process(
            [sys.executable, "-P", "-m", "magehall", "bot", "fork-server", "--lang", current_language(), folder],
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            env=_environment() | {"PYTHONHASHSEED": "0"},  # so that a bot's sets have the same order in each process
            start_new_session=True,
        )
        theirs.close()
        channel = trio.socket.from_stdlib_socket(ours)
        try:
            yield ForkServer(channel, Path(folder))
        finally:
            channel.close()
            process.kill()
            with trio.CancelScope(shield=True):
                await process.wait()


def _environment() -> dict[str, str]:
    """Returns the environment variables of this process that a bot may see."""
    return {key: value for key, value in os.environ.items() if key in KEPT or key.startswith(KEPT_BEGINNINGS)}
