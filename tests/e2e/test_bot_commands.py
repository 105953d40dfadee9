"""`magehall bot` as authors use it: against a server over real sockets, and on the command line."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import trio
from typer.testing import CliRunner

from bots.random import RandomBot
from bots.sdk.link import Identity, open_link, tcp
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from client.cli import bot as bot_commands
from client.cli import check
from client.house import BotHouse
from games.registry import all_games
from matches.record import verify_replay
from protocol import messages as m
from protocol.names import similar_allowed_name
from server.app import App, serve
from server.config import Config
from tests.helpers.confinement import UNCONFINED

NASTY = Path(__file__).with_name("nasty.py")
FAULTY = Path(__file__).with_name("faulty.py")


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with trio.open_nursery() as nursery:
        yield await nursery.start(serve, Config(port=0, grace=1.0), all_games(), BotHouse())
        nursery.cancel_scope.cancel()


async def bot_run(app: App, *arguments: str, state: str = "/dev/null") -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own; its tokens have no place to go if none is given."""
    command = [sys.executable, "-m", "magehall", "bot", "run", *arguments, "--port", str(app.port)]
    env = {**os.environ, "XDG_STATE_HOME": state}
    with trio.fail_after(30):
        return await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False, env=env)


async def test_a_bot_opens_a_table_and_plays_matches_one_after_the_other(app: App) -> None:
    done = await bot_run(
        app, f"{NASTY}:Steady", "--open", "ikasamage", "--add", "random", "--add", "greedy", "--matches", "2", "--json"
    )
    assert done.returncode == 0, done.stderr.decode()
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["table"], one["seat"], one["how"]) for one in results] == [("t1", 1, "played"), ("t2", 1, "played")]
    assert b"on stdout, where results belong" in done.stderr  # what the bot prints is no result


async def test_a_bot_keeps_the_replays_of_its_matches(app: App, tmp_path: Path) -> None:
    arguments = ("random", "--open", "mages-110m", "--add", "random", "--matches", "2", "--keep")
    done = await bot_run(app, *arguments, state=str(tmp_path))
    assert (done.returncode, done.stderr.count(b": kept; magehall replay ")) == (0, 2), done.stderr.decode()
    kept = [verify_replay(path.read_bytes(), all_games()) for path in tmp_path.rglob("*.jsonl")]  # noqa: ASYNC240
    assert [len(record.header.seats) for record in kept] == [2, 2]
    done = await bot_run(app, *arguments, "--name", "other")  # it has no place to keep them
    assert (done.returncode, done.stderr.count(b": not kept: ")) == (0, 2), done.stderr.decode()


async def test_a_bots_name_stays_its_own_from_run_to_run(app: App, tmp_path: Path) -> None:
    arguments = ("random", "--name", "mine", "--open", "mages-110m", "--add", "random")
    for _ in range(2):
        done = await bot_run(app, *arguments, state=str(tmp_path))
        assert done.returncode == 0, done.stderr.decode()
    stranger = await bot_run(app, *arguments)
    assert (stranger.returncode, stranger.stdout) == (1, b"")
    assert b"That name is taken" in stranger.stderr
    assert stranger.stderr.endswith(b" The bot connected as mine. Give it another name with --name.\n")


async def test_a_class_that_is_called_like_a_house_bot_comes_under_another_name(app: App, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from bots.random import RandomBot\n\n\nclass Thinker_2(RandomBot):\n    pass\n")
    done = await bot_run(app, f"{tmp_path}/mine.py:Thinker_2", "--open", "mages-110m", "--add", "random")
    assert (done.returncode, done.stdout[:3]) == (0, b"t1:"), done.stderr.decode()


async def test_a_bot_that_raises_ends_the_command_with_exit_code_1(app: App) -> None:
    bot = f"{NASTY}:CrashingMidMatch"
    done = await bot_run(app, bot, "--open", "ikasamage", "--add", "random", "--add", "random")
    assert done.returncode == 1
    assert done.stdout.decode() == "t1: ikasamage, seat 1: no result (crashed)\n"
    assert b"ZeroDivisionError: planted" in done.stderr


async def test_a_bot_that_is_sent_away_from_its_cup_or_table_ends_the_command_with_exit_code_1(app: App) -> None:
    done: dict[str, int] = {}

    async def run(where: str, *words: str) -> None:
        done[where] = (await bot_run(app, "random", "--name", f"{where}-bot", *words)).returncode

    async with open_link(tcp("127.0.0.1", app.port), Identity("eve", bot=True)) as eve, trio.open_nursery() as nursery:
        await eve.ask(m.CupOpen(id=1, cup="friday", game="ikasamage"), m.CupReply)
        await take_seat(eve, "mages-110m", seats=2)
        nursery.start_soon(run, "cup", "--cup", "friday")
        nursery.start_soon(run, "table", "--table", "t1")
        while not app.lobby.cups.get("friday").cup.entrants or "" in app.lobby.tables["t1"].seating.names():  # noqa: ASYNC110
            await trio.sleep(0.02)
        await eve.ask(m.CupKick(id=1, cup="friday", entrant="cup-bot"), m.CupReply)
        await eve.ask(m.Kick(id=1, table="t1", player="table-bot"), m.DoneReply)
    assert done == {"cup": 1, "table": 1}


@pytest.mark.parametrize(
    ("kind", "last"),
    [
        ("NeedsAFile", "FileNotFoundError: [Errno 2] No such file or directory: 'no such file'\n"),
        ("Leaving", "SystemExit: not today\n"),
    ],
)
async def test_a_bot_that_cannot_be_made_ends_the_command_before_it_enters(app: App, kind: str, last: str) -> None:
    done = await bot_run(app, f"{NASTY}:{kind}", "--cup", "friday")
    said = done.stderr.decode().removeprefix("magehall is starting.\n")  # on a busy machine
    assert (done.returncode, done.stdout) == (1, b"")
    assert said.startswith(f"magehall: {kind} cannot be created. Its __init__ raised:\nTraceback")
    assert said.endswith(last)


async def test_a_program_that_ends_at_once_ends_the_command_before_it_enters(app: App) -> None:
    done = await bot_run(app, "cmd:sh -c 'echo no magic >&2; exit 3'", "--cup", "friday")
    assert (done.returncode, done.stdout) == (1, b"")
    said = done.stderr.decode().removeprefix("magehall is starting.\n")  # on a busy machine
    assert said == "no magic\nmagehall: sh cannot start. The program ended with exit code 3.\n"


async def test_a_bot_that_thinks_for_ever_can_be_interrupted(app: App) -> None:
    command = [sys.executable, "-m", "magehall", "bot", "run", f"{NASTY}:Asleep", "--open", "mages-110m"]
    command += ["--add", "random", "--port", str(app.port)]
    env = {**os.environ, "XDG_STATE_HOME": "/dev/null"}
    process = await trio.lowlevel.open_process(command, env=env, stderr=subprocess.PIPE)
    try:
        with trio.fail_after(30):
            said = b""
            assert process.stderr is not None
            async for data in process.stderr:
                if b"good night" in data:
                    process.send_signal(signal.SIGINT)
                said += data
            assert await process.wait() == 130
    finally:
        process.kill()
    assert b"Traceback" not in said


async def is_here(app: App, name: str) -> None:
    with trio.fail_after(30):
        while not ((player := app.lobby.people.find_player(name)) and player.listener):  # noqa: ASYNC110
            await trio.sleep(0.02)


async def test_a_bot_waits_until_a_tables_owner_adds_it(app: App) -> None:
    runner = Runner(RandomBot, all_games(), 1)
    async with trio.open_nursery() as nursery:

        async def invited() -> None:
            done = await bot_run(app, "greedy", "--name", "guest", "--matches", "1", "--face", "json")
            assert re.fullmatch(r"t1: ikasamage, seat 2: place [123], score \d+ \(played\)\n", done.stdout.decode())
            assert b"A table's owner types: add guest" in done.stderr

        nursery.start_soon(invited)
        await is_here(app, "guest")
        async with open_link(tcp("127.0.0.1", app.port), Identity("owner", bot=True), hearer=runner) as link:
            await take_seat(link, "ikasamage", seats=3, bots=["guest", "random"])
            await runner.wait_until_finished(1)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        ("run nobody", 2, "no bot 'nobody'"),
        ("run no/such.py:Bot", 2, "no file 'no/such.py'"),
        ("run random --table t1 --open ikasamage", 2, "exclude each other"),
        ("run random --add greedy", 2, "need --open"),
        ("run random --face text", 2, "msgpack or json"),
        ("run hurdler --open ikasamage", 2, "does not play 'ikasamage'"),
        ("run random --option depth=3", 2, "unexpected keyword argument 'depth'"),
        ("run random --host 127.0.0.1:1", 1, "No server answers at 127.0.0.1:1"),
        ("check nobody,tables=x", 2, "tables= takes a number"),
        ("check remote:Bob", 2, "Bob is a remote player"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, arguments: str, code: int, text: str
) -> None:
    monkeypatch.setattr(bot_commands, "reserve_stdout", lambda: sys.stdout)  # it would take pytest's
    done = CliRunner().invoke(bot_commands.app, arguments.split())
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith("magehall: ")
    assert text in done.stderr


def test_check_of_what_cannot_be_played_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    done = CliRunner().invoke(bot_commands.app, ["check", "random", "--game", "chess"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "does not play 'chess'" in done.stderr


def test_check_tells_what_is_wrong_and_what_to_do() -> None:
    arguments = ["check", f"{NASTY}:CrashingMidMatch", "--game", "ikasamage", "--matches", "2", *UNCONFINED]
    done = CliRunner().invoke(bot_commands.app, arguments)
    assert done.exit_code == 1
    assert "ikasamage: raised (" in done.stdout
    assert "choose: ZeroDivisionError: planted (choose, line" in done.stdout
    assert "not ready" in done.stdout


@pytest.mark.parametrize(
    ("kind", "code", "text"),
    [
        ("Leaves", "ended", "match 1, turn 2: choose: the process ended with exit code 7"),
        ("Deaf", "stuck", "match 1, turn 1: choose did not end"),
        ("Hangs", "stuck", "match 1, turn 3: choose took more than 0.5 s"),
        ("Elsewhere", "missing_game", "'chess' is not installed; there are: "),
        ("NoTuple", "missing_game", "games is 'ikasamage', which is a string; a tuple of one is ('ikasamage',)"),
        ("Ages", "ages", "; in fresh processes it is the same"),
        ("BornByChance", "not_repeatable", ", in another process"),
        ("Gambles", "global_chance", "match 1, turn 1: choose"),
    ],
)
def test_check_finds_what_only_a_process_of_its_own_can_show(
    monkeypatch: pytest.MonkeyPatch, kind: str, code: str, text: str
) -> None:
    monkeypatch.setattr(check, "PATIENCE_SECONDS", 0.5 if kind == "Deaf" else 30.0)
    arguments = ["check", f"{FAULTY}:{kind}", "--matches", "2", "--json", *UNCONFINED]
    arguments += ["--limit", "50"] if kind in ("Deaf", "Hangs") else []
    arguments += [] if kind in ("Elsewhere", "NoTuple") else ["--game", "mages-110m"]
    done = CliRunner().invoke(bot_commands.app, arguments)
    assert done.exit_code == 1, done.stderr
    findings = msgspec.json.decode(done.stdout)["findings"]
    assert [finding["code"] for finding in findings] == [code]
    assert text in findings[0]["text"]
    assert findings[0]["advice"]


def test_check_of_a_bot_that_prints_for_ever_says_so_and_that_it_is_stuck() -> None:
    arguments = ["check", f"{FAULTY}:PrintsForEver", "--matches", "1", "--limit", "50", "--game", "mages-110m"]
    done = CliRunner().invoke(bot_commands.app, [*arguments, "--json"])
    assert [one["code"] for one in msgspec.json.decode(done.stdout)["findings"]] == ["stuck", "printed"]


def test_check_of_a_program_without_line_ends_names_the_limit_of_a_line() -> None:
    done = CliRunner().invoke(bot_commands.app, ["check", "cmd:cat /dev/zero", "--matches", "1", "--game", "ikasamage"])
    assert done.exit_code == 1
    assert "ProgramFailed: The program answered a line of more than 65,536 bytes." in done.stdout
    assert "stuck" not in done.stdout


def test_a_check_that_lasts_too_long_is_ended() -> None:
    arguments = ["check", "random", "--game", "mages-110m", "--matches", "5000", "--seconds", "1"]
    done = CliRunner().invoke(bot_commands.app, arguments)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        1,
        "unfinished (once): the check was not finished after 1 s",
    )


def test_a_bot_is_checked_with_its_options() -> None:
    arguments = f"check {FAULTY}:Deep --option depth=3 --game mages-110m --matches 1"
    done = CliRunner().invoke(bot_commands.app, [*arguments.split(), *UNCONFINED])
    assert (done.exit_code, "raised (" in done.stdout) == (1, True), done.stderr
    assert "ValueError: depth 3" in done.stdout


def test_check_finds_nothing_in_the_random_bot() -> None:
    done = CliRunner().invoke(bot_commands.app, ["check", "random", "--game", "ikasamage", "--matches", "2"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "random: nothing found"


@pytest.mark.parametrize(("text", "name"), [("MyBot", "MyBot"), ("_1st!", "st"), ("X", "bot-X"), ("ä", "bot-x")])
def test_a_bot_without_a_name_is_called_after_its_class(text: str, name: str) -> None:
    assert similar_allowed_name(text) == name
