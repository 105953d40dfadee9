"""What is said where bots of others are confined, and where they cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from client.cli import bot, tournament
from client.processes.sandbox import sandbox_error
from client.tournament import confinement
from client.tournament.confinement import choose_confinement
from client.tournament.plan import TournamentPlan
from client.tournament.roster import build_roster
from client.tournament.specs import parse_entrant
from client.tournament.tournament_folder import load_plan

MINE = "from magehall import Bot\nclass Mine(Bot):\n    def choose(self, turn):\n        return turn.legal[0]\n"
WHY = "bubblewrap (bwrap) is not installed."

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Runs a command of `magehall tournament`, or another, in a folder with a bot's file and no sandbox."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(confinement, "sandbox_error", lambda: WHY)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    return lambda *words, app=tournament.app: CliRunner().invoke(app, words)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "ikasamage", "--bot", "mine.py:Mine", "--bot", "greedy", "--data", "kept"),
        ("run", "ikasamage", "--bot", "greedy", "--bot", "cmd:cat", "--data", "kept"),
        ("compare", "mine.py:Mine", "greedy", "--game", "ikasamage"),
        ("check", "mine.py:Mine"),
    ],
)
def test_d22_where_no_sandbox_can_be_made_bots_of_others_run_only_unconfined(
    invoke: Invoke, words: tuple[str, ...]
) -> None:
    done = invoke(*words, app=bot.app if words[0] == "check" else tournament.app)
    assert done.exit_code == 2
    assert f"Bots cannot be confined here: {WHY} Add --unconfined" in done.stderr
    assert not Path("kept").exists()


def test_d22_a_resumed_tournament_asks_again_where_no_sandbox_can_be_made(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[TournamentPlan] = []
    monkeypatch.setattr(tournament, "_hold", lambda plan, *_more, **_named: held.append(plan))
    words = ("run", "ikasamage", "--bot", "mine.py:Mine", "--bot", "greedy", "--data", "kept")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(confinement, "sandbox_error", lambda: "")
        assert invoke(*words).exit_code == 0
    assert invoke("resume", "kept").exit_code == 2
    assert invoke("resume", "kept", "--unconfined").exit_code == 0
    assert [plan.confined_by for plan in held] == [("bubblewrap",), ("bubblewrap", "not confined")]
    assert load_plan(Path("kept")).confined_by == held[1].confined_by


def test_d22_bots_of_the_house_need_no_sandbox_and_the_result_says_what_confined_them(invoke: Invoke) -> None:
    done = invoke("run", "ikasamage", "--bot", "random", "--bot", "greedy", "--rounds", "1", "--data", "kept", "--json")
    assert done.exit_code == 0
    assert "Confinement: not confined. All bots that run here are house bots." in done.stderr
    assert json.loads(done.stdout)["confined_by"] == "not confined"
    assert invoke("report", "cup", "page.html", "--data", "kept", "--json", "figures.json").exit_code == 0
    assert "Confinement of the bots: not confined." in Path("page.html").read_text()
    assert json.loads(Path("figures.json").read_text())["confined_by"] == "not confined"


@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
def test_d22_a_tournament_says_that_bubblewrap_confines_its_bots(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "sandbox_error", sandbox_error)
    words = ("--bot", "mine.py:Mine", "--bot", "greedy", "--rounds", "1", "--data", "kept", "--json")
    done = invoke("run", "ikasamage", *words)
    assert done.exit_code == 0, done.output
    assert "Confinement: bubblewrap" in done.stderr
    told = json.loads(done.stdout)
    assert told["confined_by"] == "bubblewrap"
    assert {tuple(row["ended"]) for row in told["standings"]} == {("played",)}


def test_d22_bots_that_play_without_sockets_are_said_not_to_be_confined(invoke: Invoke) -> None:
    words = ("--bot", "mine.py:Mine", "--bot", "greedy", "--rounds", "1", "--data", "kept", "--local")
    done = invoke("run", "ikasamage", *words)
    assert done.exit_code == 0, done.output
    assert "Confinement: not confined. Bots that play without sockets can do everything that you can do" in done.stderr


def test_d21_an_entrants_sandbox_hides_the_tournament_and_the_files_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "cid").mkdir()
    for name in ("ann.py", "bob.py", "helper.py", "cid/cid.py"):
        (tmp_path / name).write_text(MINE)
    bots = (
        f"{tmp_path}/ann.py:Mine",
        f"{tmp_path}/bob.py:Mine",
        f"cmd:sh {tmp_path}/helper.py",
        f"Cid={tmp_path}/cid/cid.py:Mine",
    )
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=1, secret=bytes(32), folder=tmp_path / "kept")
    hidden = {one.spec.label: set(map(str, one.private)) for one in build_roster(plan).ours.values()}
    kept, ann, bob, helper = (str(tmp_path / name) for name in ("kept", "ann.py", "bob.py", "helper.py"))
    cid = str(tmp_path / "cid")
    assert hidden["Mine"] >= {kept, helper, cid}
    assert not hidden["Mine"] & {str(tmp_path)}
    assert hidden["Cid"] >= {ann, bob, helper}
    assert cid not in hidden["Cid"]
    assert {ann, bob} & hidden["helper"] == {ann, bob}
    assert helper not in hidden["helper"]


def test_d21_it_is_said_where_entrants_of_one_folder_can_read_each_others_helpers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confinement, "sandbox_error", lambda: "")
    (tmp_path / "cid").mkdir()
    for name in ("ann.py", "bob.py", "cid/cid.py"):
        (tmp_path / name).write_text(MINE)
    ann, bob, cid = (parse_entrant(f"{tmp_path}/{name}:Mine") for name in ("ann.py", "bob.py", "cid/cid.py"))
    text = choose_confinement([ann, bob, cid]).description
    assert f"Several entrants have their files in {tmp_path} and can read each other's" in text
    for apart in ([ann, cid], [ann, ann], [ann]):
        assert "Several entrants" not in choose_confinement(apart).description
