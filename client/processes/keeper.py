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
from client.processes.limits import ProcessLimits, child_pids, descendant_pids
from client.processes.sandbox import OWN, Sandbox, limited_command, open_syscall_filter, sandbox_command

LOOK_SECONDS = 0.5  # interval between two checks of a process's resources
ORDER_BYTES = 65_536
# number of files passed to a keeper: stdin, stdout and stderr of the process, and the keeper's connection to its owner
FILES_PASSED = 4
TERMINATE = b"t"  # the message by which the owner asks a keeper to terminate its process
SIGNALLED = 128  # bubblewrap's exit code is this plus the number of the signal that ended the process

# options of prctl: kill the keeper with its parent, and make it the parent of orphans
_PARENT_DEATH_SIGNAL, _ADOPT_ORPHANS = 1, 36

Run = Callable[[list[str]], object]


class ProcessOrder(msgspec.Struct, frozen=True):
    """The owner's order to a keeper: the command line to run, and the settings of its process."""

    arguments: list[str]
    folder: str  # the working directory and home of the process, if it has no sandbox
    environment: dict[str, str] = {}  # all environment variables of the process
    limits: ProcessLimits = ProcessLimits()
    sandbox: Sandbox | None = None
    lang: str = ""  # the language of the messages of the process


class ProcessEnded(msgspec.Struct, frozen=True):
    """The last message of a keeper. `status` is the exit code of the process, or minus the number of the signal that
    ended it. `limit` says in words which limit it exceeded; "" if none."""

    status: int
    limit: str = ""

    @property
    def ending_text(self) -> str:
        """How the process ended, as text that follows "the process ended"."""
        signals = {-number: _("by {name}", name=number.name) for number in signal.Signals}
        return signals.get(self.status, _("with exit code {code}", code=self.status))


def fork_keepers(run: Run, folder: Path) -> None:
    """Forks a keeper for each set of four files that arrives on stdin, which is a socket. After the end of stdin it
    waits for the keepers and deletes the folder, because the owner may have been killed. `run` executes a command line
    in a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # so that ended keepers leave no zombies
    gc.collect()
    gc.freeze()  # the garbage collector leaves existing objects alone, so forks share their memory pages
    channel = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    while True:
        data, files, _flags, _address = socket.recv_fds(channel, 1, FILES_PASSED)
        if not data:
            break
        # there is no room for another process, which the owner notices because its connection closes
        with suppress(BlockingIOError, MemoryError):
            if os.fork() == 0:
                channel.close()
                _keep(run, files)
        for number in files:
            os.close(number)
    with suppress(ChildProcessError):
        os.wait()  # SIGCHLD is ignored, so this raises ChildProcessError once all keepers have ended
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
        limit = _watch(pid, order, line, ring, group) or (group.exceeded_limit() if group else "")
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
    """Returns once the process has ended, or must end because of its owner or a limit. Returns in words the limit that
    it exceeded; "" if none."""
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
    """Returns in words which limit the processes of the bot exceed; "" if none."""
    if group is not None and (limit := group.exceeded_limit()):
        return limit
    limits = order.limits
    # the group counts shared memory once, so its figure replaces the sum over the processes
    if group is not None and group.has_processes():
        limits = msgspec.structs.replace(limits, memory=sys.maxsize)
    if order.sandbox is None:
        return limits.limit_exceeded_by(descendant_pids(), Path(order.folder))
    inner = child_pids(pid)  # bubblewrap's own child, which is the first process within the sandbox
    folders = [Path(f"/proc/{one}/root{OWN}") for one in inner]
    return limits.limit_exceeded_in_sandbox(descendant_pids() - {pid, *inner}, folders)


def _terminate(pid: int, sandbox: Sandbox | None) -> None:
    if sandbox is None:
        _signal(pid, signal.SIGTERM)
        return
    for one in descendant_pids() - {pid}:  # bubblewrap's own end would kill all others before they can react
        with suppress(ProcessLookupError, PermissionError):
            os.kill(one, signal.SIGTERM)


def _bury(pid: int) -> None:
    """Reaps orphaned children of the process, which the kernel has assigned to the keeper."""
    for child in child_pids() - {pid}:
        with suppress(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


def _end_all(pid: int) -> int:
    """Kills the process, its process group and all its children. Returns the exit status of the process."""
    status = 0
    while True:
        _signal(pid, signal.SIGKILL)
        for child in child_pids():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            child, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        if child == pid:
            status = os.waitstatus_to_exitcode(how)
            _signal(pid, signal.SIGKILL)  # the remaining processes of the process group
            pid = 0


def _signal(pid: int, number: signal.Signals) -> None:
    """Sends a signal to the process and its group. Does nothing for pid 0, which means that the process is gone."""
    if pid:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)


def _become(run: Run, order: ProcessOrder, files: list[int], group: ControlGroup | None) -> NoReturn:
    """Turns this fork into the process of the order: sets its files, its limits and its environment, and runs the
    command."""
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
            with suppress(OSError):  # the group may exist, but this user may not enter it
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
    """Replaces this process by bubblewrap, which starts a fresh interpreter in the sandbox."""
    filter_fd = open_syscall_filter()
    os.set_inheritable(filter_fd, True)
    ours = limited_command(order.limits.max_tasks, ["--lang", order.lang, *order.arguments])
    words = sandbox_command(sandbox, order.limits, filter_fd, ours)
    order.limits.apply(sandboxed=True)
    os.execve(words[0], words, order.environment | {"PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")})


def _take_environment(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
