"""The fork server: a process that has imported everything and plays nothing, and a keeper for each process it forks.

The fork server runs no bot's code and reads no orders, so a bot finds no traces of others in its memory. It forks a
keeper for each requested process. The keeper reads its order and starts the process with limits: as another fork, or in
a sandbox, where bubblewrap starts a fresh interpreter. It checks the resources of the process regularly. When the
process ends or must end, it kills the process and all its children. It does the same when its owner is gone, so that no
process outlives a tournament.
"""

from __future__ import annotations

import ctypes
import gc
import os
import select
import shutil
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec

from client.language import _
from client.processes.control_group import ControlGroup, make_group
from client.processes.limits import ProcessLimits, children, descendants
from client.processes.sandbox import OWN, Sandbox, command, open_filter, program

LOOK_SECONDS = 0.5  # between two checks of a process's resources
ORDER_BYTES = 65_536
FILES_PASSED = 4  # stdin, stdout, stderr, and the keeper's connection to its owner
TERMINATE = b"t"  # a message on that connection
SIGNALLED = 128  # bubblewrap's exit code is this plus the number of the signal that ended the process

_PARENT_DEATH_SIGNAL, _ADOPT_ORPHANS = 1, 36  # options of prctl

Run = Callable[[list[str]], object]


class ProcessOrder(msgspec.Struct, frozen=True):
    """The order for a keeper: a command line, and the settings of its process."""

    arguments: list[str]
    folder: str  # its working directory and home, if it has no sandbox
    environment: dict[str, str] = {}  # all its variables
    limits: ProcessLimits = ProcessLimits()
    sandbox: Sandbox | None = None
    lang: str = ""  # the language of its messages


class ProcessEnded(msgspec.Struct, frozen=True):
    """The last message of a keeper. `status` is an exit code, or minus the number of a signal; `limit` is the exceeded
    limit in words, or ""."""

    status: int
    limit: str = ""

    @property
    def how(self) -> str:
        """The text that follows "the process ended"."""
        signals = {-number: _("by {name}", name=number.name) for number in signal.Signals}
        return signals.get(self.status, _("with exit code {code}", code=self.status))


def serve(run: Run, folder: Path) -> None:
    """Forks a keeper whenever four files arrive on stdin, a socket. At its end it waits for the keepers and deletes the
    folder, because their owner may be gone. `run` executes a command line in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no code waits for keepers
    gc.collect()
    gc.freeze()  # keeps the pages of existing objects shared
    channel = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    while True:
        data, files, _flags, _address = socket.recv_fds(channel, 1, FILES_PASSED)
        if not data:
            break
        with suppress(BlockingIOError, MemoryError):  # no room for another; its owner sees that there is no keeper
            if os.fork() == 0:
                channel.close()
                _keep(run, files)
        for number in files:
            os.close(number)
    with suppress(ChildProcessError):
        os.wait()  # returns when there are none, because SIGCHLD is ignored
    shutil.rmtree(folder, ignore_errors=True)


def _keep(run: Run, files: list[int]) -> NoReturn:
    try:
        line = socket.socket(fileno=files.pop())
        order = msgspec.json.decode(_first_line(line), type=ProcessOrder)
        _prctl(_ADOPT_ORPHANS, 1)
        ring, bell = socket.socketpair()
        bell.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
        group = make_group(order.limits)
        pid = os.fork()
        if pid == 0:
            _become(run, order, files, group)
        for number in files[:2]:
            os.close(number)
        limit = _watch(pid, order, line, ring, group) or (group.broken() if group else "")
        if limit:
            with suppress(OSError):
                os.set_blocking(files[2], False)
                os.write(files[2], _("magehall: ended, for it took {limit}.\n", limit=limit).encode())
        status = _end_all(pid)
        if group:
            group.remove()
        if order.sandbox is not None and status > SIGNALLED:
            status = SIGNALLED - status
        os.close(files[2])
        with suppress(OSError):
            line.sendall(msgspec.json.encode(ProcessEnded(status, limit)) + b"\n")
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _first_line(line: socket.socket) -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        more = line.recv(ORDER_BYTES)
        if not more:
            os._exit(0)
        data += more
    return data


def _watch(pid: int, order: ProcessOrder, line: socket.socket, ring: socket.socket, group: ControlGroup | None) -> str:
    """Returns "" when the process has ended or must end, or the limit that it has exceeded, in words."""
    next_look = time.monotonic() + LOOK_SECONDS
    while True:
        ready, _writable, _broken = select.select([line, ring], [], [], max(0.0, next_look - time.monotonic()))
        if ring in ready:
            ring.recv(4_096)
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return ""
            _bury(pid)
        if line in ready:
            said = line.recv(64)
            if TERMINATE not in said:
                return ""
            _terminate(pid, order.sandbox)
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + LOOK_SECONDS
            if limit := _limit_broken(pid, order, group):
                return limit


def _limit_broken(pid: int, order: ProcessOrder, group: ControlGroup | None) -> str:
    """Returns the exceeded limit in words, or ""."""
    if group is not None and (limit := group.broken()):
        return limit
    limits = order.limits
    if group is not None and group.holds_any():  # it counts shared memory only once
        limits = msgspec.structs.replace(limits, memory=sys.maxsize)
    if order.sandbox is None:
        return limits.broken_by(descendants(), Path(order.folder))
    inner = children(pid)  # the first process in the sandbox, also one of bubblewrap's
    folders = [Path(f"/proc/{one}/root{OWN}") for one in inner]
    return limits.broken_in_sandbox(descendants() - {pid, *inner}, folders)


def _terminate(pid: int, sandbox: Sandbox | None) -> None:
    if sandbox is None:
        _signal(pid, signal.SIGTERM)
        return
    for one in descendants() - {pid}:  # its end would end all the others
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGTERM)


def _bury(pid: int) -> None:
    """Reaps orphans, which the kernel has assigned to the keeper."""
    for child in children() - {pid}:
        with suppress(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


def _end_all(pid: int) -> int:
    """Kills the process, its group and all its children. Returns its exit status."""
    status = 0
    while True:
        _signal(pid, signal.SIGKILL)
        for child in children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            child, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if child == pid:
            status = os.waitstatus_to_exitcode(how)
            _signal(pid, signal.SIGKILL)  # the remaining processes of its group
            pid = 0


def _signal(pid: int, number: signal.Signals) -> None:
    """Signals the process and its group; pid 0 means that it is gone."""
    if pid:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)


def _become(run: Run, order: ProcessOrder, files: list[int], group: ControlGroup | None) -> NoReturn:
    """Turns this fork into the ordered process."""
    code = 1
    try:
        os.setsid()
        _prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for target, number in enumerate(files):
            os.dup2(number, target)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        if group:
            with suppress(OSError):  # it may exist, but not be open to this process
                group.enter()
        if order.sandbox is not None:
            _enter(order, order.sandbox)
        _take_environment(order.environment)
        os.chdir(order.folder)
        order.limits.apply()
        sys.argv = ["magehall", *order.arguments]
        run(order.arguments)
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)


def _enter(order: ProcessOrder, sandbox: Sandbox) -> NoReturn:
    """Replaces this process by a fresh interpreter in the sandbox."""
    filter_fd = open_filter()
    os.set_inheritable(filter_fd, True)
    ours = program(order.limits.tasks, ["--lang", order.lang, *order.arguments])
    words = command(sandbox, order.limits, filter_fd, ours)
    order.limits.apply(sandboxed=True)
    os.execve(words[0], words, order.environment | {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")})


def _take_environment(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
