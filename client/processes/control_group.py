"""A Linux control group for the processes of one bot, if the system allows one.

With a control group the kernel counts the resources of all processes together: memory (including kernel memory for
sockets and pipes), processes, threads, and processor time. If the kernel divides processor time among groups, a bot
with many processes gets no more of it than a bot with one. The group is created beside or below this process's own
group. This needs root, or a group that systemd has delegated to the user with the controllers in it.
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
NAME = "magehall-"  # begins the names of groups; the number of the process that created the group follows
_REMOVING_SECONDS = 1.0


class ControlGroup:
    """A control group, which has a folder in each of the kernel's hierarchies. Created by `make_group`."""

    def __init__(self, folders: list[Path], limits: ProcessLimits) -> None:
        self._folders, self._limits = folders, limits

    def enter(self) -> None:
        """Moves this process, and its future children, into the group. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text("0")

    def has_processes(self) -> bool:
        """Returns whether a process is in the group. Some groups can be created by this user, but not entered."""
        with suppress(OSError):
            return bool((self._folders[0] / "cgroup.procs").read_text().strip())
        return False

    def exceeded_limit(self) -> str:
        """Returns in words which limit the processes of the group have exceeded; "" if none."""
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
        """Returns the number that follows the key in that file of the first folder that has it; 0 if no folder does."""
        for folder in self._folders:
            with suppress(OSError, ValueError):
                for line in (folder / file).read_text().splitlines():
                    if line.startswith(key):
                        return int(line.removeprefix(key))
        return 0


def make_group(limits: ProcessLimits, root: Path = ROOT, groups: str | None = None) -> ControlGroup | None:
    """Returns a new group with these limits, or None if it cannot be created. `groups` replaces the content of
    /proc/self/cgroup in tests."""
    with suppress(OSError, ValueError):
        said = Path("/proc/self/cgroup").read_text() if groups is None else groups
        lines = [line.split(":", 2) for line in said.splitlines()]
        paths = {controller: path for _number, names, path in lines for controller in names.split(",")}
        for parents, settings in _places(root, paths, limits):
            if folders := _made(parents, settings):
                return ControlGroup(folders, limits)
    return None


def _places(root: Path, paths: Mapping[str, str], limits: ProcessLimits) -> Iterator[tuple[list[Path], dict[str, int]]]:
    """Yields the parent folders to try, with the settings to write there. Those of the unified hierarchy (cgroup
    version 2) come first."""
    memory = limits.memory + limits.folder_bytes
    own = root / paths.get("", "/").lstrip("/")
    for parent in (own, own.parent):
        with suppress(OSError):
            if {"memory", "pids"} <= set((parent / "cgroup.subtree_control").read_text().split()):
                yield [parent], {"memory.max": memory, "memory.swap.max": 0, "pids.max": limits.max_tasks}
    if {"memory", "pids", "cpuacct"} <= set(paths):
        names = [name for name in ("memory", "pids", "cpuacct", "cpu") if name in paths]
        parents = [root / name / paths[name].lstrip("/") for name in names]
        yield parents, {"memory.limit_in_bytes": memory, "pids.max": limits.max_tasks}


def _made(parents: list[Path], settings: Mapping[str, int]) -> list[Path]:
    """Creates a folder in each parent, with these settings. Returns the new folders, or none if one cannot be
    created."""
    folders: list[Path] = []
    try:
        for parent in parents:
            _remove_old(parent)
            folder = parent / f"{NAME}{os.getpid()}"
            folder.mkdir()
            folders.append(folder)
        for name, value in settings.items():
            for folder in folders:
                # the setting belongs to another hierarchy, or the kernel does not count swap
                with suppress(FileNotFoundError):
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
    """Removes the groups of magehall processes that were killed."""
    for folder in parent.glob(f"{NAME}*"):
        if not Path("/proc", folder.name.removeprefix(NAME)).exists():
            with suppress(OSError):
                folder.rmdir()
