"""Resource limits of a process: kernel limits for each process, and regular checks of all processes together."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from client.language import _

with suppress(ImportError):  # missing on Windows, which cannot fork either
    import resource

MEBIBYTE = 1 << 20
MOST_ENTRIES = 10_000  # in a folder
TASKS_A_PROCESS = 16  # because threads count as well
SIGNALS = 1_024  # pending signals of timers and between processes


class ProcessLimits(msgspec.Struct, frozen=True):
    """Limits of a bot's process, or of all its processes together. In bytes, seconds, counts."""

    memory: int = 1_024 * MEBIBYTE  # address space of each process, and resident memory of all
    seconds: int = 3_600  # processor time of each process
    files: int = 256  # open at once, in each process
    file_bytes: int = 16 * MEBIBYTE  # of each file
    folder_bytes: int = 64 * MEBIBYTE  # of all its files together
    processes: int = 64

    @property
    def tasks(self) -> int:
        """The limit on processes and threads together."""
        return self.processes * TASKS_A_PROCESS

    def apply(self, *, sandboxed: bool = False) -> None:
        """Applies the limits to this process and its children, permanently. In a sandbox `limit_tasks` limits the
        processes."""
        _lower(resource.RLIMIT_AS, self.memory)
        _lower(resource.RLIMIT_CPU, self.seconds)
        _lower(resource.RLIMIT_NOFILE, self.files)
        _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        _lower(resource.RLIMIT_CORE, 0)
        if sandboxed:
            return
        with suppress(OSError, IndexError, ValueError):  # counts all processes of the user, and none of root
            there = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
            _lower(resource.RLIMIT_NPROC, there + self.processes)

    def broken_by(self, processes: set[int], folder: Path) -> str:
        """Returns the limit that these processes and their folder exceed, in words, or ""."""
        return self._broken_by(processes) or (self._too_full() if _size(folder) > self.folder_bytes else "")

    def broken_in_sandbox(self, processes: set[int], folders: Iterable[Path]) -> str:
        """Like `broken_by`, for folders that are file systems of their own, whose bytes the kernel limits."""
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
    """Returns the children of this process, or of `pid`; none without /proc."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, path.read_text().split()))
    return found


def descendants(pid: int | str = "self") -> set[int]:
    """Returns the children and their descendants."""
    found: set[int] = set()
    for child in children(pid):
        found |= {child, *descendants(child)}
    return found


def limit_tasks(tasks: int) -> None:
    """Limits the processes and threads of this user namespace, and its pending signals.

    Before Linux 5.14 these limits also count the user's processes outside. There only the control group and the keeper
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
    """Returns the resident memory in bytes; 0 for a process that has ended."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _size(folder: Path) -> float:
    """Returns the bytes on disk, or infinity above MOST_ENTRIES entries."""
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
    """Returns whether a sandbox's file system has too many entries, including deleted ones that are still open. Returns
    False until the process has entered the sandbox, because its folder is then still that of this machine."""
    with suppress(OSError):
        if folder.samefile(Path("/", *folder.parts[4:])):  # without the prefix /proc/PID/root
            return False
        found = os.statvfs(folder)
        return found.f_files - found.f_ffree > MOST_ENTRIES
    return False
