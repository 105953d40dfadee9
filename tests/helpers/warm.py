"""Starts `python -m magehall ...`, and programs like it, as forks of a process that has imported it, so that a test
does not pay for an interpreter and its imports each time, which would be a quarter of all that the tests take. The
fork server of a tournament is one of them.

While `warm_commands` lasts, `subprocess.Popen` does so by itself for these commands, as long as nothing is asked for
that has to be there when an interpreter starts. What comes is a process like any other, and a child of the test's.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "magehall"]
PROGRAMS = (
    "magehall",
    "benchmarks.server_process",
    "tests.e2e.known_chance",
    "tests.e2e.acknowledges_first",
    "tests.client.servers_nearby",
)  # which magehall's imports are most of
AT_START = ("PYTHON", "LC_", "LANG", "LD_")  # looked at when an interpreter starts
NETWORK = ["nsenter", "--target"]  # and a process, before a command that runs in its network
HASHES = "PYTHONHASHSEED"  # the one of fork servers, which is as good as any where none is asked for
CHILD_SUBREAPER = 36  # of prctl(2): whoever loses its parent becomes a child of ours


class Warm:
    """The process that has imported everything, and the way to it."""

    def __init__(self) -> None:
        environment = {HASHES: "0", **os.environ}
        self._here = _of_start(environment)
        self._pipe, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", "-m", "tests.helpers.forks", str(theirs.fileno())]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=quiet, stdout=quiet, pass_fds=[theirs.fileno()]
        )
        theirs.close()
        self._lock = threading.Lock()

    def takes(self, environment: Mapping[str, str], files: Sequence[int]) -> bool:
        """Whether a fork is the same as a process that is started so."""
        return _of_start({HASHES: "0", **environment}) == self._here and not any(map(os.isatty, files))

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], session: bool, network: int, files: Sequence[int]
    ) -> int:
        """The number of the new process, whose standard files are these. The first words are those of the interpreter;
        `network` is a process whose network it shares, or 0. Raises ConnectionError if nobody forks."""
        plain = {"words": words, "environment": dict(environment), "session": session, "network": network}
        order = json.dumps(plain).encode()
        with self._lock:
            ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1)
            try:
                socket.send_fds(self._pipe, [order], files)
                number = self._pipe.recv(32)
            finally:
                ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 0)
        if not number:
            raise ConnectionResetError
        return int(number)

    def close(self) -> None:
        self._pipe.close()
        self._process.wait()


def _of_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


@contextmanager
def warm_commands() -> Iterator[Callable[[], None]]:
    """While this lasts; the process is started when it is first wanted, or when what is given is called."""
    honest = subprocess.Popen._execute_child  # type: ignore[attr-defined]
    warm: list[Warm] = []

    def begin() -> None:
        if not warm:
            warm.append(Warm())

    def execute(self: Any, args: Any, executable: Any, preexec: Any, close: Any, passed: Any, cwd: Any, env: Any,
                startup: Any, flags: Any, shell: Any, p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int,
                errread: int, errwrite: int, restore: Any, gid: Any, gids: Any, uid: Any, umask: Any,
                session: bool, group: Any) -> None:  # fmt: skip
        files = [given if given != -1 else ours for ours, given in enumerate((p2cread, c2pwrite, errwrite))]
        environment = os.environ if env is None else env
        given, network = args, 0
        if isinstance(args, list) and args[:2] == NETWORK and args[3:4] == ["--net"] and os.geteuid() == 0:
            args, network = args[4:], int(args[2])
        usual = (
            isinstance(args, list)
            and args[:1] == COMMAND[:1]
            and (args[1:2] == ["-m"] or args[1:3] == ["-P", "-m"])
            and args[args.index("-m") + 1] in PROGRAMS
            and cwd in (None, ROOT, str(ROOT))
        )
        usual = usual and not (executable or preexec or passed or shell) and (gid, gids, uid) == (None, None, None)
        if usual and umask == group == -1:
            begin()
            if warm[0].takes(environment, files):
                words = [str(word) for word in args[1:]]
                try:
                    self.pid = warm[0].start(words, environment, session, network, files)
                except ConnectionError:  # a test has ended all processes that it found
                    warm[0].close()
                    warm[0] = Warm()
                    self.pid = warm[0].start(words, environment, session, network, files)
                self._child_created = True
                self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)
                return
        honest(self, given, executable, preexec, close, passed, cwd, env, startup, flags, shell, p2cread, p2cwrite,
               c2pread, c2pwrite, errread, errwrite, restore, gid, gids, uid, umask, session, group)  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "_execute_child", execute)
        yield begin
    for one in warm:
        one.close()
