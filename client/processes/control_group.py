"""A control group for the processes of one bot, if the system allows it.

With it the kernel counts the resources of all of them together: memory (including kernel memory for sockets and pipes),
processes, threads, and processor time. If processor time is divided by groups, many processes get no more of it than
one. The group is created beside or below this process's own group. This needs root, or a group that systemd has
delegated to the user with the controllers in it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from client.language import _
from client.processes.limits import MEBIBYTE, ProcessLimits

ROOT = Path("/sys/fs/cgroup")
NAME = "magehall-"  # followed by the number of the process that created it
_REMOVING_SECONDS = 1.0


class ControlGroup:
    """A control group with a folder in each hierarchy. Created by `make_group`."""

    def __init__(self, folders: list[Path], limits: ProcessLimits) -> None:
        self._folders, self._limits = folders, limits

    def enter(self) -> None:
        """Moves this process, and its future children, into the group. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text("0")

    def holds_any(self) -> bool:
        """Returns whether a process is in the group. Some groups can be created, but not entered by this user."""
        with suppress(OSError):
            return bool((self._folders[0] / "cgroup.procs").read_text().strip())
        return False

    def broken(self) -> str:
        """Returns the limit that the group has exceeded, in words, or ""."""
        if self._number("memory.events", "oom_kill ") or self._number("memory.oom_control", "oom_kill "):
            return _("more than {size} MiB of memory", size=self._limits.memory // MEBIBYTE)
        seconds = self._number("cpu.stat", "usage_usec ") / 1e6 + self._number("cpuacct.usage") / 1e9
        if seconds > self._limits.seconds:
            return _("more than {seconds} seconds of processor time", seconds=self._limits.seconds)
        return ""

    def remove(self) -> None:
        """Removes the group after its processes have ended."""
        until = time.monotonic() + _REMOVING_SECONDS
        for folder in self._folders:
            while folder.exists() and time.monotonic() < until:
                with suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.01)

    def _number(self, file: str, key: str = "") -> int:
        """Returns the number after the key in that file of one of the folders; 0 if it is missing."""
        for folder in self._folders:
            with suppress(OSError, ValueError):
                for line in (folder / file).read_text().splitlines():
                    if line.startswith(key):
                        return int(line.removeprefix(key))
        return 0


def make_group(limits: ProcessLimits, root: Path = ROOT, groups: str | None = None) -> ControlGroup | None:
    """Returns a group with these limits, or None if it cannot be created. `groups` is the content of
    /proc/self/cgroup."""
    with suppress(OSError, ValueError):
        said = Path("/proc/self/cgroup").read_text() if groups is None else groups
        lines = [line.split(":", 2) for line in said.splitlines()]
        paths = {controller: path for _number, names, path in lines for controller in names.split(",")}
        for parents, settings in _places(root, paths, limits):
            if folders := _made(parents, settings):
                return ControlGroup(folders, limits)
    return None


def _places(root: Path, paths: Mapping[str, str], limits: ProcessLimits) -> Iterator[tuple[list[Path], dict[str, int]]]:
    """Yields the possible parent folders with the settings to write there: first those of the unified hierarchy
    (version 2)."""
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
    """Returns a new folder in each parent, or none if one of them fails."""
    folders: list[Path] = []
    try:
        for parent in parents:
            _remove_old(parent)
            folder = parent / f"{NAME}{os.getpid()}"
            folder.mkdir()
            folders.append(folder)
        for name, value in settings.items():
            for folder in folders:
                with suppress(FileNotFoundError):  # it belongs to another hierarchy, or swap is not counted
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
    """Removes the groups of processes that were killed."""
    for folder in parent.glob(f"{NAME}*"):
        if not Path("/proc", folder.name.removeprefix(NAME)).exists():
            with suppress(OSError):
                folder.rmdir()
