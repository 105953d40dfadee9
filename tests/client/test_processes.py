"""Processes for bots: what they may do, how much they may take, and that they end with all that they started."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing

from bots.sdk.leash import EntrantAssignment
from client.processes.forks import ForkedProcess, ForkServer, ForkServerGone, open_fork_server
from client.processes.keeper import ProcessEnded
from client.processes.limits import MEBIBYTE, ProcessLimits, descendant_pids
from client.processes.sandbox import HOME, Sandbox, paths_needed_by, sandbox_command, sandbox_error
from tests.helpers.processes import all_end_but
from tests.zoo import escapes

TAKING = Path(__file__).with_name("taking.py")
# What this kernel, or this machine, may refuse to everybody.
NOT_EVERYWHERE = {
    *("merge_memory", "merge_all_memory"),
    *("vsock", "kernel_crypto", "fanotify", "lease", "secret_memory_file", "message_queue", "devices", "system_files"),
    *("kernel_program", "performance_counter", "page_faults", "terminal", "type_for_others", "calls_of_32_bits"),
    *("calls_of_x32", "shadow", "change_the_root_folder", "mount", "file_attribute", "file_mode", "file_time"),
    *("io_ring", "memory_of_others"),
    *("user_namespace", "cloned_namespace", "cloned_namespace_the_new_way", "higher_limits"),
    *("write_into_python", "open_files_of_the_starter", "environment_of_the_user"),
}


def taking_of(what: str) -> list[str]:
    """The command of an entrant that takes that, while its file is loaded."""
    return ["entrant", msgspec.json.encode(EntrantAssignment(f"{TAKING}:{what}", "ikasamage", "p1", 1, "")).decode()]


async def heard(process: ForkedProcess) -> tuple[ProcessEnded, str]:
    """How it ended, and what it said on stderr."""
    said = bytearray()

    async def listen(stream: trio.abc.ReceiveStream, into: bytearray) -> None:
        async for data in stream:
            into += data

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen, process.stdout, bytearray())
        nursery.start_soon(listen, process.stderr, said)
        ended = await process.wait()
    await process.close()
    return ended, said.decode()


@pytest.fixture
def sockets() -> Iterator[dict[str, object]]:
    """A server's port, another one, and an abstract socket."""
    name = f"magehall-test-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(("127.0.0.1", 0)) as other,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0{name}")
        abstract.listen()
        yield {"server": server.getsockname()[1], "port": other.getsockname()[1], "abstract": name}


@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
async def test_d18_d21_in_a_sandbox_a_bot_can_do_nothing_but_play(
    tmp_path: Path, sockets: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    (tmp_path / "bot").mkdir()
    (tmp_path / "data").mkdir()
    for name in ("secret", "data/magehall.db", "bot/rival.py"):
        (tmp_path / name).write_text("the deal")
    file = Path(shutil.copy(escapes.__file__, tmp_path / "bot"))
    others = {"home": str(tmp_path), "pid": os.getpid(), **sockets}
    (tmp_path / "bot" / "others.json").write_text(json.dumps(others))
    box = Sandbox([str(path) for path in paths_needed_by(file)], [str(tmp_path / "bot" / "rival.py")])
    could: dict[bool, list[str]] = {}
    async with open_fork_server() as forks:
        for sandbox in (None, box):
            _ended, said = await heard(await forks.start_process(["bot", "run", f"{file}:None"], sandbox=sandbox))
            print(said)
            could[sandbox is box] = json.loads(said.partition("could: ")[2].partition("\n")[0])
    allowed = {attempt.__name__ for attempt in escapes.ALLOWED}
    everything = {attempt.__name__ for attempt in escapes.ESCAPES} | allowed
    assert everything - set(could[False]) <= NOT_EVERYWHERE
    assert set(could[True]) == allowed


@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
async def test_d21_what_a_bot_wrote_in_its_sandbox_is_gone_and_was_never_outside(tmp_path: Path) -> None:
    file = tmp_path / "writing.py"
    file.write_text(
        "import os, pathlib, sys\n"
        "print('before:', os.listdir('/tmp'), os.listdir('/dev/shm'), file=sys.stderr)\n"
        f"pathlib.Path('/tmp/left-by-{tmp_path.name}').write_text('cards')\n"
        f"pathlib.Path('/dev/shm/also-left-by-{tmp_path.name}').write_text('cards')\n"
        "print('after:', sorted(os.listdir('/tmp')), file=sys.stderr)\n"
    )
    box = Sandbox([str(file)])
    said = []
    async with open_fork_server() as forks:
        for _ in range(2):
            said.append(
                (await heard(await forks.start_process(["bot", "run", f"{file}:None"], sandbox=box)))[1].splitlines()[
                    :2
                ]
            )
    assert said[0] == said[1]
    assert "left-by" not in said[0][0]
    assert "also-left-by" in said[0][1]
    assert not {f"left-by-{tmp_path.name}", f"also-left-by-{tmp_path.name}"} & {
        *os.listdir("/tmp"),
        *os.listdir("/dev/shm"),
    }


async def test_a_process_is_killed_while_its_keeper_is_still_being_told_to_end_it(tmp_path: Path) -> None:
    ours, keeper = socket.socketpair()
    out, err = (trio.lowlevel.FdStream(os.open(os.devnull, os.O_RDWR)) for _ in range(2))
    leash, stdin_end = socket.socketpair()
    stdin, line = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in (leash, ours))
    process = ForkedProcess(tmp_path / "gone", stdin, out, err, line)
    with keeper, stdin_end:
        with trio.move_on_after(0.01):
            await process.send_to_keeper(bytes(10_000_000))  # more than a keeper that is busy reads
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.terminate)
            await trio.testing.wait_all_tasks_blocked()
            await process.kill()
            while keeper.recv(1_000_000):
                pass  # the line's end comes
        await process.kill()
    await process.close_streams()
    await process.kill()


def test_d22_where_bubblewrap_is_missing_or_fails_it_is_said_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sandbox_error.__wrapped__() == "bubblewrap (bwrap) is not installed."
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace.' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    said = sandbox_error.__wrapped__()
    assert said == "bubblewrap does not work here: bwrap: No permissions to create new namespace."


def test_d22_a_bubblewrap_that_confines_nothing_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert sandbox_error.__wrapped__() == "bubblewrap does not work here: exit code 3."


def test_a_bot_may_read_its_folder_unless_that_holds_what_is_none_of_its_business(tmp_path: Path) -> None:
    bot, helper, cards = (tmp_path / name for name in ("bot.py", "helper.py", "cards.db"))
    for file in (bot, helper, cards):
        file.write_text("")
    assert paths_needed_by(bot) == [tmp_path]
    assert set(paths_needed_by(bot, [tmp_path])) == {bot, helper}
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "mine.py"
    link.symlink_to(bot)
    assert paths_needed_by(link) == [tmp_path, link]
    assert set(paths_needed_by(Path.home() / "bot.py")) & {Path.home(), HOME} == set()


def test_d21_what_is_private_is_hidden_in_every_folder_that_a_sandbox_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, kept = tmp_path / "course", tmp_path / "course" / "kept"
    kept.mkdir(parents=True)
    (course / "rival.py").write_text("")
    monkeypatch.syspath_prepend(str(course))  # as PYTHONPATH does
    words = sandbox_command(
        Sandbox([], [str(kept), str(course / "rival.py"), "/usr/bin/perl"]), ProcessLimits(), 3, ["true"]
    )
    line = " ".join(words)
    assert f"--ro-bind-try {course} {course} " in line
    assert f"--tmpfs {kept} " in line
    assert f"--ro-bind /dev/null {course}/rival.py " in line
    assert "/usr/bin/perl" not in line
    assert line.index(f"--ro-bind-try {course} ") < line.index(f"--tmpfs {kept} ") < line.index(f"--remount-ro {kept} ")


TAKINGS = {
    "memory": (ProcessLimits(memory=200 * MEBIBYTE), ProcessEnded(2), "MemoryError"),
    "files": (ProcessLimits(files=20), ProcessEnded(2), "Too many open files"),
    "file": (ProcessLimits(file_bytes=MEBIBYTE), ProcessEnded(2), "File too large"),
    "seconds": (ProcessLimits(seconds=1), ProcessEnded(-signal.SIGKILL), ""),
    "folder": (
        ProcessLimits(folder_bytes=MEBIBYTE),
        ProcessEnded(-signal.SIGKILL, "more than 1 MiB, or 10000 files, in its folder"),
        "magehall: ended, for it took more than 1 MiB",
    ),
    "entries": (
        ProcessLimits(),
        ProcessEnded(-signal.SIGKILL, "more than 64 MiB, or 10000 files, in its folder"),
        "magehall: ended, for it took more than 64 MiB",
    ),
    "processes": (
        ProcessLimits(processes=8),
        ProcessEnded(-signal.SIGKILL, "more than 8 processes"),
        "magehall: ended, for it took more than 8 processes",
    ),
    "memory_by_processes": (
        ProcessLimits(memory=300 * MEBIBYTE),
        ProcessEnded(-signal.SIGKILL, "more than 300 MiB of memory"),
        "magehall: ended, for it took more than 300 MiB",
    ),
}


NO_SPACE = {
    "folder": (ProcessLimits(), ProcessEnded(2), "No space left on device")
}  # a sandbox has no more room than that


@pytest.mark.parametrize("sandbox", [None, Sandbox([str(TAKING)])], ids=["unconfined", "in a sandbox"])
async def test_d18_who_takes_more_than_its_share_is_ended(sandbox: Sandbox | None) -> None:
    if sandbox and sandbox_error():
        pytest.skip(sandbox_error())
    found: dict[str, tuple[ProcessEnded, str]] = {}

    async def take(forks: ForkServer, taking: str, limits: ProcessLimits) -> None:
        process = await forks.start_process(taking_of(taking), limits=limits, sandbox=sandbox)
        found[taking] = await heard(process)

    with trio.fail_after(60):
        async with open_fork_server() as forks, trio.open_nursery() as nursery:
            for taking, (limits, _ended, _says) in TAKINGS.items():
                nursery.start_soon(take, forks, taking, limits)
    wanted = TAKINGS | (NO_SPACE if sandbox else {})
    found["seconds"] = (ProcessEnded(found["seconds"][0].status), "")  # the kernel's limit or the group's: who is first
    assert {taking: ended for taking, (ended, _said) in found.items()} == {
        taking: ended for taking, (_limits, ended, _says) in wanted.items()
    }
    for taking, (_limits, _ended, says) in wanted.items():
        assert says in found[taking][1], taking


async def test_d18_what_a_bot_left_in_other_sessions_ends_with_it_and_its_folder_goes() -> None:
    async with open_fork_server() as forks:
        before = descendant_pids()
        process = await forks.start_process(taking_of("daemon"))
        with trio.fail_after(10):
            said = b""
            async for data in process.stderr:
                said += data
                if b"started" in said:
                    break
            assert len(descendant_pids() - before) >= 3
            await process.terminate()  # which it ignores
            await process.close()
        all_end_but(before)
        assert not process.folder.exists()


def test_d18_a_process_that_has_not_entered_its_sandbox_yet_is_not_charged_for_this_machines_files() -> None:
    assert ProcessLimits().limit_exceeded_in_sandbox(set(), [Path("/proc/self/root/tmp")]) == ""


def test_d18_nothing_outlives_an_owner_that_is_killed(tmp_path: Path) -> None:
    script = f"""
import os, signal, trio
from client.processes.forks import open_fork_server
async def main():
    async with open_fork_server() as forks:
        process = await forks.start_process({taking_of("daemon")!r})
        await process.stderr.receive_some()
        print(process.folder, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
trio.run(main)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == -signal.SIGKILL
    folder = Path(done.stdout.strip())
    for _ in range(200):
        left = [pid for pid in Path("/proc").glob("[0-9]*") if works_in(pid, folder)]
        if not left:
            break
        trio.run(trio.sleep, 0.02)
    assert left == []
    for _ in range(200):
        if not folder.parent.exists():
            break
        trio.run(trio.sleep, 0.02)
    assert not folder.parent.exists()  # a bot's 64 MiB and its token


def works_in(process: Path, folder: Path) -> bool:
    with suppress(OSError):
        return (process / "cwd").readlink() == folder
    return False


async def test_a_fork_server_that_is_gone_is_told(warm: Callable[[], None]) -> None:
    warm()
    before = descendant_pids()
    async with open_fork_server() as forks:
        for pid in descendant_pids() - before:
            os.kill(pid, signal.SIGKILL)
        with trio.fail_after(5), pytest.raises(ForkServerGone):
            await start_many(forks)


async def start_many(forks: ForkServer) -> None:
    for _ in range(100):
        process = await forks.start_process(["bot", "run", "nobody"])
        await process.close()


async def test_each_process_has_an_empty_folder_and_a_small_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    async with open_fork_server() as forks:
        seen = [await heard(await forks.start_process(taking_of("look"))) for _ in range(2)]
    folders = [json.loads(said.splitlines()[0]) for _ended, said in seen]
    assert [one["files"] for one in folders] == [[], []]
    assert folders[0]["HOME"] != folders[1]["HOME"]
    assert "API_KEY" not in folders[0]["environment"]
    assert {"HOME", "TMPDIR", "PATH"} <= set(folders[0]["environment"])
