"""A control group for the processes of one bot, where one can be made.

With it the kernel counts what all of them take together: memory, also its own for their sockets and pipes; processes
and threads; and processor time, of those that have ended too. Where the processor is shared out by groups, a bot with
many processes gets no more of it than one with a single process. It is made beside or beneath the group that this
process is in, which takes root's rights, or a group that systemd has delegated to the user, with the controllers in it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from client.language import _
from client.processes.limits import MEBIBYTE, Limits

ROOT = Path("/sys/fs/cgroup")
NAME = "magehall-"  # and the number of the process that made it
_REMOVING_SECONDS = 1.0


class ControlGroup:
    """Made by `make_group`; a folder for each hierarchy of groups."""

    def __init__(self, folders: list[Path], limits: Limits) -> None:
        self._folders, self._limits = folders, limits

    def enter(self) -> None:
        """Puts this process into the group, with all that it starts from now on. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text("0")

    def holds_any(self) -> bool:
        """Whether a process is in it: one may be made that this user's processes cannot enter."""
        with suppress(OSError):
            return bool((self._folders[0] / "cgroup.procs").read_text().strip())
        return False

    def broken(self) -> str:
        """Which limit they have broken together, in words; "" if none."""
        if self._number("memory.events", "oom_kill ") or self._number("memory.oom_control", "oom_kill "):
            return _("more than {size} MiB of memory", size=self._limits.memory // MEBIBYTE)
        seconds = self._number("cpu.stat", "usage_usec ") / 1e6 + self._number("cpuacct.usage") / 1e9
        if seconds > self._limits.seconds:
            return _("more than {seconds} seconds of processor time", seconds=self._limits.seconds)
        return ""

    def remove(self) -> None:
        """When its processes have ended."""
        until = time.monotonic() + _REMOVING_SECONDS
        for folder in self._folders:
            while folder.exists() and time.monotonic() < until:
                with suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.01)

    def _number(self, file: str, key: str = "") -> int:
        """What stands behind the key in that file of one of the folders; 0 where it is not there."""
        for folder in self._folders:
            with suppress(OSError, ValueError):
                for line in (folder / file).read_text().splitlines():
                    if line.startswith(key):
                        return int(line.removeprefix(key))
        return 0


def make_group(limits: Limits, root: Path = ROOT, groups: str | None = None) -> ControlGroup | None:
    """A group with these limits; None where none can be made. `groups` is what the kernel says of this process's."""
    with suppress(OSError, ValueError):
        said = Path("/proc/self/cgroup").read_text() if groups is None else groups
        lines = [line.split(":", 2) for line in said.splitlines()]
        paths = {controller: path for _number, names, path in lines for controller in names.split(",")}
        for parents, settings in _places(root, paths, limits):
            if folders := _made(parents, settings):
                return ControlGroup(folders, limits)
    return None


def _places(root: Path, paths: Mapping[str, str], limits: Limits) -> Iterator[tuple[list[Path], dict[str, int]]]:
    """Where it may be made, with what has to be written there: first in the one hierarchy of version 2."""
    memory = limits.memory + limits.folder_bytes
    own = root / paths.get("", "/").lstrip("/")
    for parent in (own, own.parent):
        with suppress(OSError):
            if {"memory", "pids"} <= set((parent / "cgroup.subtree_control").read_text().split()):
                yield [parent], {"memory.max": memory, "memory.swap.max": 0, "pids.max": limits.tasks}
    if {"memory", "pids", "cpuacct"} <= set(paths):
        names = [name for name in ("memory", "pids", "cpuacct", "cpu") if name in paths]
        parents = [root / name / paths[name].lstrip("/") for name in names]
        yield parents, {"memory.limit_in_bytes": memory, "pids.max": limits.tasks}


def _made(parents: list[Path], settings: Mapping[str, int]) -> list[Path]:
    """A new folder in each of these; none where one of them is refused."""
    folders: list[Path] = []
    try:
        for parent in parents:
            _remove_old(parent)
            folder = parent / f"{NAME}{os.getpid()}"
            folder.mkdir()
            folders.append(folder)
        for name, value in settings.items():
            for folder in folders:
                with suppress(FileNotFoundError):  # of another hierarchy, or no swap is counted
                    file = os.open(folder / name, os.O_WRONLY)
                    try:
                        os.write(file, b"%d" % value)
                    finally:
                        os.close(file)
    except OSError:
        for folder in folders:
            with suppress(OSError):
                folder.rmdir()
        return []
    return folders


def _remove_old(parent: Path) -> None:
    """Those of processes that were killed."""
    for folder in parent.glob(f"{NAME}*"):
        if not Path("/proc", folder.name.removeprefix(NAME)).exists():
            with suppress(OSError):
                folder.rmdir()
