"""The entrants of a tournament: how they are written, and their processes under one name after the other."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
import trio

from bots.sdk.registry import parse_bot_options
from client.cli.own_bot import require_bot_class
from client.processes.forks import open_fork_server
from client.processes.limits import MEBIBYTE
from client.tournament import entrants as entrants_module
from client.tournament.entrants import EntrantProcess
from client.tournament.specs import BadEntrant, entrant_labels, parse_entrant
from protocol.messages import ClockRule
from server.app import App
from tests.helpers.hall import open_hall
from tests.helpers.processes import running

NOISY = """
import os, sys
from magehall import Bot

print("out of", os.getcwd(), "loading", file=sys.stderr)
{more}

class Noisy(Bot):
    def choose(self, turn):
        return turn.legal[0]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(NOISY.format(more=""))
    return path


def test_an_entrant_is_a_name_a_file_a_program_or_somebody_elsewhere(file: Path) -> None:
    assert (parse_entrant("greedy").bot, parse_entrant("greedy").label) == ("greedy", "greedy")
    assert parse_entrant("Mine=greedy").label == "Mine"
    spec = parse_entrant(f"{file}:Noisy")
    assert (spec.bot, spec.label, spec.files) == (f"{file}:Noisy", "Noisy", (file,))
    spec = parse_entrant("Ann=remote:Ann-Bot")
    assert (spec.bot, spec.label, spec.remote) == ("", "Ann", "Ann-Bot")
    assert parse_entrant("remote:Ann-Bot").label == "Ann-Bot"
    spec = parse_entrant("Shell=cmd:sh -c 'echo 1,2'")
    assert (shlex.split(spec.bot)[1:], spec.label) == (["-c", "echo 1,2"], "Shell")
    assert entrant_labels([parse_entrant(text) for text in ("random", "greedy", "random")]) == [
        "random#1", "greedy", "random#2",
    ]  # fmt: skip


def test_a_program_keeps_its_own_commas_and_equals_signs_and_its_files_are_found(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    spec = parse_entrant(f"cmd:{sys.executable} own.py --a=1,b=2,tables=3,memory=64")
    assert shlex.split(spec.bot.removeprefix("cmd:")) == [sys.executable, str(file), "--a=1,b=2"]
    assert (spec.tables, spec.limits.memory, spec.label) == (3, 64 * MEBIBYTE, "own")
    assert parse_entrant(f"cmd:{sys.executable} --tables=3").tables == 0


def test_settings_stand_behind_commas(file: Path) -> None:
    spec = parse_entrant(f"Slow={file}:Noisy,tables=2,memory=256,read={file.parent},option.depth=3")
    assert spec.options == ("depth=3",)
    assert (spec.label, spec.tables) == ("Slow", 2)
    assert spec.limits.memory == 256 * MEBIBYTE
    assert spec.readable_paths() == [file.parent, file.parent]
    assert parse_entrant("remote:Ann,tables=4").tables == 4
    assert parse_entrant("greedy,clock=5+0.5").clock == ClockRule(5.0, 0.5)
    assert parse_entrant("greedy").clock is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no.py:Bot", "There is no file 'no.py'"),
        ("cmd:no-such-program", "There is no program 'no-such-program'"),
        ("cmd:", "There is no program ''"),
        ("cmd:'open", "No closing quotation"),
        ("remote:two words", "'two words' is not a valid player name"),
        ("greedy,tabels=2", "'tabels=2' is not a setting of an entrant. The settings are: tables"),
        ("greedy,tables=0", "tables= takes a number from 1 to"),
        ("greedy,tables=two", "tables= takes a number"),
        ("greedy,clock=60", "seconds as MAIN+INC"),
        ("greedy,memory=-1", "memory= takes a number"),
        ("greedy,read=/no/such", "There is no file or folder '/no/such' to read"),
    ],
)
def test_what_is_no_entrant_is_told_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadEntrant) as told:
        parse_entrant(text)
    assert says in str(told.value)
    assert str(told.value).endswith(".")


def test_options_are_what_a_class_is_made_with(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        NOISY.format(more="") + "\n    def __init__(self, seed, depth=1):\n        self.made = seed, depth\n"
    )
    spec = parse_entrant(f"{file}:Noisy,option.depth=3")
    kind = require_bot_class(spec.bot, parse_bot_options(spec.options))
    assert (kind.__name__, vars(kind(7))) == ("Noisy", {"made": (7, 3)})
    with pytest.raises(SystemExit):
        require_bot_class(spec.bot, {"width": 3})
    assert "unexpected keyword argument 'width'. Its options are the keyword arguments" in capsys.readouterr().err


async def seen(app: App, name: str, *, here: bool) -> None:
    """The server has noticed it."""
    with trio.fail_after(20):
        while True:
            player = app.lobby.people.find_player(name)
            if (player is not None and player.listener is not None) == here:
                return
            await trio.sleep(0.01)


async def test_a_fresh_process_takes_the_same_name_again_in_a_moment(
    file: Path, tmp_path: Path, nursery: trio.Nursery
) -> None:
    log = tmp_path / "logs" / "own.txt"
    log.parent.mkdir()
    app = await open_hall(nursery)
    deaths: list[str] = []
    async with open_fork_server() as forks:
        entrant = EntrantProcess(parse_entrant(f"{file}:Noisy"), "p1-own", 1, "ikasamage", log=log)
        for _ in range(3):
            nursery.start_soon(entrant.run, forks, app.port, deaths.append)
            await seen(app, "p1-own", here=True)
            await entrant.stop_process()
            await seen(app, "p1-own", here=False)
    folders = [line.split()[2] for line in log.read_text().splitlines() if line.startswith("out of")]
    assert len(set(folders)) == 3
    assert (deaths, entrant.died) == ([], False)


def flooding(folder: Path) -> Path:
    path = folder / "flooding.py"
    path.write_text(NOISY.format(more="os.write(1, b'x' * 100_000); os.write(2, b'flood ' * 100_000); os._exit(3)"))
    return path


async def test_what_a_bot_says_is_kept_up_to_a_limit(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = flooding(tmp_path)
    monkeypatch.setattr(entrants_module, "LOG_BYTES", 10_000)
    monkeypatch.setattr(entrants_module, "FLOOD_BYTES", 50_000)
    log = tmp_path / "own.txt"
    app = await open_hall(nursery)
    deaths: list[str] = []
    async with open_fork_server() as forks:
        entrant = EntrantProcess(parse_entrant(f"{file}:Noisy"), "p1-own", 1, "ikasamage", log=log)
        with trio.fail_after(20):
            await entrant.run(forks, app.port, deaths.append)
    assert (deaths, entrant.died) == (["p1-own"], True)
    assert log.read_bytes().startswith(b"out of /")
    assert log.read_bytes().endswith(b"\n[Nothing more was kept.]\n")
    assert log.stat().st_size < 10_100
    first, last = entrant.stderr_tail().split("\n")
    assert (first.count("flood") > 60, last) == (True, "magehall: its process ended with exit code 3.")


async def test_an_entrant_that_is_given_up_while_it_runs_is_gone_with_its_task(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    async with open_fork_server() as forks:
        entrant = EntrantProcess(parse_entrant("random"), "p1-own", 1, "ikasamage")
        with trio.move_on_after(0.2):
            await entrant.run(forks, app.port)
        await entrant.stop_process()  # it is over already
    assert running("p1-own") == []
    assert json.dumps(entrant.stderr_tail())
