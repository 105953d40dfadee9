"""Control groups: where they are made, and what they count that nothing else does."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import trio

from client.processes.control_group import NAME, make_group
from client.processes.forks import open_fork_server
from client.processes.keeper import ProcessEnded
from client.processes.limits import MEBIBYTE, ProcessLimits
from tests.client.test_processes import heard, taking_of

LIMITS = ProcessLimits(memory=100 * MEBIBYTE, folder_bytes=20 * MEBIBYTE, processes=4, seconds=9)


@pytest.fixture
def unified(tmp_path: Path) -> Path:
    """Files as those of version 2, where the group above this process's hands memory and processes on."""
    own = tmp_path / "user.slice" / "own.scope"
    own.mkdir(parents=True)
    (own / "cgroup.subtree_control").write_text("\n")
    (own.parent / "cgroup.subtree_control").write_text("cpu memory pids\n")
    return tmp_path


def made_by_the_kernel(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("0\n")


def test_a_group_of_version_2_is_made_where_the_controllers_are_handed_on(
    unified: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mkdir = Path.mkdir

    def as_the_kernel(self: Path, *rest: object) -> None:
        mkdir(self)
        made_by_the_kernel(self, "memory.max", "pids.max", "cgroup.procs", "memory.events", "cpu.stat")

    monkeypatch.setattr(Path, "mkdir", as_the_kernel)
    group = make_group(LIMITS, unified, "0::/user.slice/own.scope\n")
    assert group is not None
    folder = unified / "user.slice" / f"{NAME}{os.getpid()}"
    assert (folder / "memory.max").read_text().strip() == str(120 * MEBIBYTE)
    assert (folder / "pids.max").read_text().strip() == "64"
    group.enter()
    assert (folder / "cgroup.procs").read_text() == "0"
    assert group.has_processes()
    (folder / "cgroup.procs").write_text("")
    assert not group.has_processes()
    assert group.exceeded_limit() == ""
    (folder / "cpu.stat").write_text("usage_usec 9500000\nuser_usec 1\n")
    assert group.exceeded_limit() == "more than 9 seconds of processor time"
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 1\n")
    assert group.exceeded_limit() == "more than 100 MiB of memory"


def test_no_group_is_made_where_none_is_handed_on_or_the_kernel_refuses(unified: Path) -> None:
    (unified / "user.slice" / "cgroup.subtree_control").write_text("cpu\n")
    assert make_group(LIMITS, unified, "0::/user.slice/own.scope\n") is None
    assert make_group(LIMITS, unified / "none", "") is None
    assert make_group(LIMITS, unified, "4:memory:/a\n3:pids:/b\n2:cpuacct:/c\n") is None  # folders that are not there
    assert not list(unified.rglob(f"{NAME}*"))


def can_be_made() -> bool:
    group = make_group(ProcessLimits())
    if group:
        group.remove()
    return group is not None


@pytest.mark.skipif(not can_be_made(), reason="no control group can be made here")
@pytest.mark.parametrize(
    ("taking", "limits", "limit"),
    [
        ("sockets", ProcessLimits(memory=200 * MEBIBYTE, folder_bytes=MEBIBYTE), "more than 200 MiB of memory"),
        ("hours", ProcessLimits(seconds=1), "more than 1 seconds of processor time"),
    ],
)
async def test_a_group_counts_memory_of_the_kernel_and_time_of_processes_that_ended(
    taking: str, limits: ProcessLimits, limit: str
) -> None:
    with trio.fail_after(60):
        async with open_fork_server() as forks:
            ended, _said = await heard(await forks.start_process(taking_of(taking), limits=limits))
    assert ended == ProcessEnded(-signal.SIGKILL, limit)
