"""How much of the machine a process may take: limits of the kernel for each process, and a look now and then at all."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from client.language import _

with suppress(ImportError):  # on Windows; there nothing is forked either
    import resource

MEBIBYTE = 1 << 20
MOST_ENTRIES = 10_000  # in a folder
TASKS_A_PROCESS = 16  # as threads count as well
SIGNALS = 1_024  # of timers and between processes, which wait to be taken


class Limits(msgspec.Struct, frozen=True):
    """Of a bot's process, or of all its processes together. Bytes, seconds, counts."""

    memory: int = 1_024 * MEBIBYTE  # address space of each process, and resident memory of all
    seconds: int = 3_600  # processor time of each process
    files: int = 256  # open at once, in each process
    file_bytes: int = 16 * MEBIBYTE  # of each file
    folder_bytes: int = 64 * MEBIBYTE  # of all its files
    processes: int = 64

    @property
    def tasks(self) -> int:
        """Processes and threads."""
        return self.processes * TASKS_A_PROCESS

    def apply(self, *, sandboxed: bool = False) -> None:
        """To this process and all that it starts, for good. In a sandbox processes are limited by `limit_tasks`."""
        _lower(resource.RLIMIT_AS, self.memory)
        _lower(resource.RLIMIT_CPU, self.seconds)
        _lower(resource.RLIMIT_NOFILE, self.files)
        _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        _lower(resource.RLIMIT_CORE, 0)
        if sandboxed:
            return
        with suppress(OSError, IndexError, ValueError):  # counts all processes of a user, and none of root's
            there = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
            _lower(resource.RLIMIT_NPROC, there + self.processes)

    def broken_by(self, processes: set[int], folder: Path) -> str:
        """What these processes and their folder have too much of, in words; "" if they keep to the limits."""
        return self._broken_by(processes) or (self._too_full() if _size(folder) > self.folder_bytes else "")

    def broken_in_sandbox(self, processes: set[int], folders: Iterable[Path]) -> str:
        """The same where the folders are file systems of their own, whose bytes the kernel limits."""
        return self._broken_by(processes) or (self._too_full() if any(map(_has_too_many, folders)) else "")

    def _broken_by(self, processes: set[int]) -> str:
        if len(processes) > self.processes:
            return _("more than {processes} processes", processes=self.processes)
        if sum(map(_resident, processes)) > self.memory:
            return _("more than {size} MiB of memory", size=self.memory // MEBIBYTE)
        return ""

    def _too_full(self) -> str:
        size = self.folder_bytes // MEBIBYTE
        return _("more than {size} MiB, or {files} files, in its folder", size=size, files=MOST_ENTRIES)


def children(pid: int | str = "self") -> set[int]:
    """The processes that this one, or that one, has started; none where there is no /proc."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, path.read_text().split()))
    return found


def descendants(pid: int | str = "self") -> set[int]:
    """The same, and what these have started."""
    found: set[int] = set()
    for child in children(pid):
        found |= {child, *descendants(child)}
    return found


def limit_tasks(tasks: int) -> None:
    """Limits the processes and threads of this user namespace, and its pending signals.

    Before Linux 5.14 these limits count what the user runs outside too. There the control group and the keeper alone
    limit the processes.
    """
    if sys.platform == "linux" and _release() < (5, 14):
        return
    _lower(resource.RLIMIT_NPROC, tasks)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_SIGPENDING, SIGNALS)


def _release() -> tuple[int, ...]:
    """Returns the first two numbers of the kernel's version."""
    return tuple(map(int, re.findall(r"[0-9]+", os.uname().release)[:2]))


def _lower(which: int, value: int) -> None:
    _soft, most = resource.getrlimit(which)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(which, (value, value))


def _resident(pid: int) -> int:
    """Bytes of memory; 0 for a process that has ended."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _size(folder: Path) -> float:
    """Bytes on the disk, counted up to so many entries; infinite beyond."""
    total, seen, waiting = 0, 0, [folder]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                seen += 1
                if seen > MOST_ENTRIES:
                    return float("inf")
                with suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
    return total


def _has_too_many(folder: Path) -> bool:
    """Whether a sandbox's file system has too many entries, also such as no folder lists any more. Until the process
    has entered the sandbox, its folder is that of this machine, which is not counted."""
    with suppress(OSError):
        if folder.samefile(Path("/", *folder.parts[4:])):  # what follows /proc/PID/root
            return False
        found = os.statvfs(folder)
        return found.f_files - found.f_ffree > MOST_ENTRIES
    return False
