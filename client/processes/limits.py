"""Resource limits of a bot's processes: kernel limits for each process, and regular checks of all processes
together."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from client.language import _

with suppress(ImportError):  # the module is missing on Windows, which cannot fork either
    import resource

MEBIBYTE = 1 << 20
MOST_ENTRIES = 10_000  # most files and folders within a process's own folder
TASKS_A_PROCESS = 16  # tasks that the kernel allows for each process in the limit, because it counts threads as well
SIGNALS = 1_024  # most pending signals of timers and between processes


class ProcessLimits(msgspec.Struct, frozen=True):
    """Limits of a bot's process, or of all its processes together. Units are bytes, seconds and counts."""

    # bytes: address space of each process, and resident memory of all processes together
    memory: int = 1_024 * MEBIBYTE
    seconds: int = 3_600  # processor time of each process, in seconds
    files: int = 256  # most open files of each process
    file_bytes: int = 16 * MEBIBYTE  # most bytes of each file
    folder_bytes: int = 64 * MEBIBYTE  # most bytes of all files of the bot together
    processes: int = 64

    @property
    def max_tasks(self) -> int:
        """The most processes and threads together."""
        return self.processes * TASKS_A_PROCESS

    def apply(self, *, sandboxed: bool = False) -> None:
        """Applies the limits to this process and its future children, for good. In a sandbox the number of processes is
        limited by `limit_tasks` instead."""
        _lower(resource.RLIMIT_AS, self.memory)
        _lower(resource.RLIMIT_CPU, self.seconds)
        _lower(resource.RLIMIT_NOFILE, self.files)
        _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        _lower(resource.RLIMIT_CORE, 0)
        if sandboxed:
            return
        # this limit counts all processes of the user, and is not applied to root
        with suppress(OSError, IndexError, ValueError):
            there = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
            _lower(resource.RLIMIT_NPROC, there + self.processes)

    def limit_exceeded_by(self, processes: set[int], folder: Path) -> str:
        """Returns in words which limit these processes and their folder exceed; "" if none."""
        return self._broken_by(processes) or (self._too_full() if _size(folder) > self.folder_bytes else "")

    def limit_exceeded_in_sandbox(self, processes: set[int], folders: Iterable[Path]) -> str:
        """Like `limit_exceeded_by`, for folders that are file systems of their own. The kernel limits the bytes in
        them."""
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


def child_pids(pid: int | str = "self") -> set[int]:
    """Returns the process ids of the children of process `pid`; none on systems without /proc."""
    found: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= set(map(int, path.read_text().split()))
    return found


def descendant_pids(pid: int | str = "self") -> set[int]:
    """Returns the process ids of the children of process `pid`, their children, and so on."""
    found: set[int] = set()
    for child in child_pids(pid):
        found |= {child, *descendant_pids(child)}
    return found


def limit_tasks(tasks: int) -> None:
    """Limits the number of processes and threads, and of pending signals, in this process's user namespace.

    Before Linux 5.14 these limits also count the user's processes outside. There only the control group and the keeper
    limit the processes.
    """
    if sys.platform == "linux" and _release() < (5, 14):
        return
    _lower(resource.RLIMIT_NPROC, tasks)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_SIGPENDING, SIGNALS)


def _release() -> tuple[int, ...]:
    """Returns the first two numbers of the kernel's version, such as (5, 14)."""
    return tuple(map(int, re.findall(r"[0-9]+", os.uname().release)[:2]))


def _lower(which: int, value: int) -> None:
    _soft, most = resource.getrlimit(which)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(which, (value, value))


def _resident(pid: int) -> int:
    """Returns the resident memory of a process in bytes; 0 if it has ended."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _size(folder: Path) -> float:
    """Returns the bytes that a folder takes on disk, or infinity if it has more than MOST_ENTRIES entries."""
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
    """Returns whether the file system of a sandbox has more than MOST_ENTRIES files, including deleted ones that are
    still open. Returns False until the process has entered the sandbox, because the path leads to this machine's own
    folder until then."""
    with suppress(OSError):
        # the same folder without the prefix /proc/PID/root, so the process is not in the sandbox yet
        if folder.samefile(Path("/", *folder.parts[4:])):
            return False
        found = os.statvfs(folder)
        return found.f_files - found.f_ffree > MOST_ENTRIES
    return False
