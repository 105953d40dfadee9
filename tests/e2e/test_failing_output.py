"""Standard output and standard error that are closed or full while matches run: D25 of the abuse list."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from typer.testing import CliRunner

from client import safe_output
from client.cli.app import app as command
from client.exit_codes import disk_error_text
from client.house import BotHouse
from client.safe_output import has_reader, open_safely
from games.registry import all_games
from server.app import App, serve
from server.config import Config

NOISY = Path(__file__).with_name("noisy.py")
BOTS = {"python": f"{NOISY}:Noisy", "program": f"cmd:{shlex.quote(sys.executable)} {NOISY}"}
FULL = "/dev/full"

pytestmark = pytest.mark.skipif(not Path(FULL).exists(), reason="there is no /dev/full here")


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with trio.open_nursery() as nursery:
        yield await nursery.start(serve, Config(port=0, grace=1.0), all_games(), BotHouse())
        nursery.cancel_scope.cancel()


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> list[OSError]:
    noted: list[OSError] = []
    monkeypatch.setattr(safe_output, "failures", noted)
    return noted


def closed() -> int:
    """A descriptor whose reader is gone."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def full() -> int:
    return os.open(FULL, os.O_WRONLY)


def test_a_safe_file_drops_what_cannot_be_written_and_notes_a_full_disk(failures: list[OSError]) -> None:
    for make, noted in ((closed, []), (full, ["The output cannot be written: No space left on device."])):
        number = make()
        out = open_safely(number)
        assert has_reader(out)
        for _ in range(3):
            print("x" * 100_000, file=out, flush=True)
        assert not has_reader(out)
        assert os.write(number, b"by other code") == 13
        assert list(map(disk_error_text, failures)) == noted
        os.close(number)


def test_a_slow_reader_of_a_descriptor_that_does_not_block_gets_everything(failures: list[OSError]) -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    wc = subprocess.Popen(["sh", "-c", "sleep 0.2; wc -c"], stdin=reader, stdout=subprocess.PIPE)
    os.close(reader)
    print("x" * 300_000, file=open_safely(writer), flush=True)
    os.close(writer)
    assert int(wc.communicate()[0]) == 300_001
    assert failures == []


@pytest.mark.parametrize(
    ("bot", "which", "fails"),
    [
        ("python", "stdout", full),
        ("python", "stderr", closed),
        ("program", "stdout", closed),
        ("program", "stderr", full),
    ],
)
async def test_d25_matches_of_a_bot_are_played_whatever_happens_to_its_output(
    app: App, bot: str, which: str, fails: Callable[[], int], tmp_path: Path
) -> None:
    failing, is_full = fails(), fails is full
    words = ["--open", "ikasamage", "--add", "random", "--add", "greedy", "--matches", "2", "--json"]
    run = [sys.executable, "-m", "magehall", "bot", "run", BOTS[bot], *words, "--port", str(app.port)]
    other = "stderr" if which == "stdout" else "stdout"
    files: dict[str, Any] = {which: failing, f"capture_{other}": True}
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with trio.fail_after(60):
        done = await trio.run_process(run, check=False, env=env, **files)
    os.close(failing)
    over = [table.require_match().over for table in app.lobby.tables.values()]
    assert [one.results[0].how for one in over if one is not None] == ["played", "played"]
    assert done.returncode == (which == "stdout" and is_full)
    if which == "stderr":
        assert done.stdout.count(b'"how":"played"') == 2
    else:
        last = done.stderr.splitlines()[-1]
        assert (last == b"magehall: The output cannot be written: No space left on device.") == is_full
        assert b"Traceback" not in done.stderr


async def test_d25_a_spectator_without_a_reader_ends_and_a_player_plays_on(app: App, tmp_path: Path) -> None:
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    where = ["--host", "127.0.0.1", "--port", str(app.port), "--plain"]
    lines = b"open ikasamage 3\nadd random\nadd random\nstart\n"
    async with trio.open_nursery() as nursery:
        play = [sys.executable, "-m", "magehall", "play", *where, "--name", "ann", "--seats", "3"]
        player = await nursery.start(
            partial(trio.run_process, play, stdin=subprocess.PIPE, stdout=closed(), env=env, check=False)
        )
        await player.stdin.send_all(lines)
        with trio.fail_after(90):
            while not any(table.state == "playing" for table in app.lobby.tables.values()):  # noqa: ASYNC110
                await trio.sleep(0.02)
        watch = [sys.executable, "-m", "magehall", "watch", *where]
        with trio.fail_after(90):
            done = await trio.run_process(watch, stdout=closed(), env=env, check=False, capture_stderr=True)
        assert (done.returncode, done.stderr) == (0, b"")
        assert [one.name for one in app.lobby.people.connected_players()] == ["ann"]
        player.send_signal(signal.SIGTERM)


def test_d25_a_table_that_cannot_be_written_is_exit_code_1_and_the_tournament_is_played(tmp_path: Path) -> None:
    words = ["tournament", "run", "ikasamage", "--bot", "greedy", "--bot", "random", "--seats", "3", "--rounds", "1"]
    done = CliRunner().invoke(command, [*words, "--local", "--csv", FULL, "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert done.stdout.startswith("ikasamage: 2 of 2 matches")
