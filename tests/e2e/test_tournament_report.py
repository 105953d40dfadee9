"""The report of a tournament that is played is whole at its end, and what cannot be read or written is said."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import msgspec
import pytest
from typer.testing import CliRunner, Result

from client.cli import rewriting
from client.cli.app import app
from client.processes.limits import descendant_pids
from client.tournament import run
from client.tournament.workers import CannotContinue
from server.cups.cup_rows import cup_subject
from server.store.reading import FILE

CUP = ("run", "ikasamage", "--bot", "greedy", "--bot", "random", "--seats", "3", "--rounds", "2", "--local")


def held(folder: Path, *words: str) -> Result:
    """The command, with what it keeps in that folder."""
    return CliRunner().invoke(app, ["tournament", *CUP, "--data", str(folder), *words])


@pytest.mark.timeout(300)  # who writes the page lets everybody else go first
def test_page_and_table_have_all_of_a_tournament_when_its_command_ends_though_it_had_no_stdin(tmp_path: Path) -> None:
    files = ("--report", str(tmp_path / "page.html"), "--csv", str(tmp_path / "table.csv"))
    done = subprocess.run(
        [
            "sh",
            "-c",
            'exec "$@" <&-',
            "sh",
            sys.executable,
            "-m",
            "magehall",
            "tournament",
            *CUP[:-2],
            "1",
            *CUP[-1:],
            *files,
        ],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
    )
    said = done.stderr.removeprefix("magehall is starting.\n")  # on a busy machine
    assert (done.returncode, said.count("\n")) == (0, 3), done.stderr
    assert done.stdout.startswith("ikasamage: 2 of 2 matches")
    page = (tmp_path / "page.html").read_text()
    assert "2 of 2 matches, finished." in page
    assert page.count(">step through</a>") == 2
    with (tmp_path / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["entrant"]: row["ended played"] for row in rows} == {"greedy": "3", "random": "3"}
    assert all(int(row["decisions"]) > 0 for row in rows)


@pytest.fixture
def a_stdin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A stdin that says that the tournament has ended; and what is run here keeps its priority."""
    there, here = os.pipe()
    os.write(here, rewriting.ENDED)
    os.close(here)
    monkeypatch.setattr(os, "nice", lambda _nice: None)
    with os.fdopen(there) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield


def test_a_writer_that_is_killed_is_told_with_how_to_write_the_report_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = descendant_pids()
    with rewriting.rewriting_report(tmp_path, tmp_path / "page.html", None):
        (writer,) = descendant_pids() - before
        os.kill(writer, signal.SIGKILL)
    told = capsys.readouterr().err
    assert told.startswith(
        "The report is incomplete, because the process that writes it ended with signal 9. All results"
    )
    assert told.endswith(f"magehall tournament report cup FILE.html --data {tmp_path}\n")


@pytest.mark.usefixtures("a_stdin")
def test_a_process_that_draws_and_is_killed_ends_the_writer_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def draw(_rewriter: object) -> bool:
        raise BrokenProcessPool

    monkeypatch.setattr(rewriting, "ProcessPoolExecutor", lambda *_args, **_more: nullcontext(SimpleNamespace(map=map)))
    monkeypatch.setattr(rewriting.ReportRewriter, "render_new_matches", draw)
    with pytest.raises(SystemExit, match="1"):
        rewriting.main(tmp_path, None, None)
    assert capsys.readouterr().err == "magehall: A process that draws matches for the report was killed.\n"


def damage(folder: Path, subject: str) -> None:
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as file:
        file.execute("UPDATE rows SET data = x'00' WHERE subject = ? AND part = 2", (subject,))


def test_the_thinking_times_are_told_and_a_match_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    done = held(tmp_path, "--json")
    assert done.exit_code == 0, done.output
    thinking = msgspec.json.decode(done.stdout)["thinking"]
    assert [one["decisions"] > 0 and 0 <= one["share"] <= 1 for one in thinking] == [True, True]
    damage(tmp_path, "t2")
    again = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path), "--json"])
    assert again.exit_code == 1
    assert again.stderr.endswith("Some thinking times are missing: part 2 of t2 differs from what was written\n")
    told = msgspec.json.decode(again.stdout)
    assert told["played"] == 4
    assert [now["decisions"] < one["decisions"] for now, one in zip(told["thinking"], thinking, strict=True)] == [
        True,
        True,
    ]


@pytest.mark.parametrize("local", [True, False])
def test_what_is_kept_and_cannot_be_read_is_left_as_it_is(tmp_path: Path, local: bool) -> None:
    assert held(tmp_path, *(() if local else ("--rounds", "1"))).exit_code == 0
    if not local:
        plan = tmp_path / "plan.json"
        plan.write_bytes(plan.read_bytes().replace(b'"local":true', b'"local":false'))
    damage(tmp_path, cup_subject("cup"))
    before = (tmp_path / FILE).read_bytes()
    done = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.endswith(f"The tournament in {tmp_path} cannot be read (DamagedData). Nothing was changed.\n")
    assert (tmp_path / FILE).read_bytes() == before


def test_an_entrant_whose_file_is_gone_is_named(tmp_path: Path) -> None:
    assert held(tmp_path).exit_code == 0
    plan = tmp_path / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b'"greedy"', b'"gone.py:Bot"'))
    done = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path)])
    assert (done.exit_code, done.stderr) == (2, "magehall: There is no file 'gone.py' for the bot 'gone.py:Bot'.\n")


def test_a_plan_that_is_not_utf8_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(b'{"game":"\xff"}')
    done = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"magehall: The plan in {tmp_path} cannot be read: ")


def test_what_was_begun_on_a_cluster_that_is_gone_goes_on_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(address: str) -> NoReturn:
        raise CannotContinue(f"Nobody at {address}.")

    async def answers(_address: str) -> str:
        return ""

    monkeypatch.setattr(run, "DaskWorkers", nobody)
    monkeypatch.setattr(run, "scheduler_error", answers)
    done = held(tmp_path, "--workers", "dask://here:1")
    assert (done.exit_code, done.stdout) == (1, "")
    go_on = f"To go on: magehall tournament resume {tmp_path} [--local | --workers dask://HOST:PORT]\n"
    assert done.stderr.endswith(f"magehall: Nobody at here:1.\n{go_on}")
    resume = ["tournament", "resume", str(tmp_path)]
    done = CliRunner().invoke(app, [*resume, "--workers", "dask://there:2"])
    assert (done.exit_code, "Nobody at there:2." in done.stderr) == (1, True)
    done = CliRunner().invoke(app, [*resume, "--local"])
    assert (done.exit_code, "4 of 4 matches" in done.stdout) == (0, True)


def test_what_was_begun_over_sockets_goes_on_over_sockets(tmp_path: Path) -> None:
    assert held(tmp_path).exit_code == 0
    plan = tmp_path / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b'"local":true', b'"local":false'))
    done = CliRunner().invoke(app, ["tournament", "resume", str(tmp_path), "--local"])
    assert (done.exit_code, "This tournament began over sockets" in done.stderr) == (2, True)
