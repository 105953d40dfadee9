"""The finished matches in a server's data, read from outside."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
import trio
from typer.testing import CliRunner

from client.cli.app import app
from games.registry import all_games
from server.store.file import open_read_only
from server.store.reading import FILE
from server.store.rows import StoreFailed
from server.store.sqlite import open_store
from server.table.archive import MatchNotFound, finished_matches, load_replay_file
from tests.client.test_data import played

cli = CliRunner()


@pytest.fixture
async def hall(tmp_path: Path) -> Path:
    """A folder with a match that was played to its end, and one that was not."""
    await played(tmp_path / "hall")
    await played(tmp_path / "other", stop_early=True)
    return tmp_path / "hall"


async def test_a_finished_match_is_found_read_and_holds_whether_the_server_runs_or_not(hall: Path) -> None:
    for running in (False, True):
        store = open_store(hall) if running else None
        (found,) = finished_matches(hall, all_games())
        assert (found.name, found.game, found.players) == ("t1", "ikasamage", ("ann", "random", "random-2"))
        assert len(found.results) == 3
        assert found.decisions > 10
        shown = cli.invoke(app, ["verify", "t1", "--data", str(hall)])
        assert (shown.exit_code, "t1: holds." in shown.stdout) == (0, True), shown.stderr
        if store is not None:
            store.close()


async def test_matches_replay_and_bot_ask_take_the_id_of_a_table(hall: Path) -> None:
    listed = cli.invoke(app, ["matches", "--data", str(hall), "--player", "ann", "--json"])
    assert [one["name"] for one in json.loads(listed.stdout)] == ["t1"]
    assert json.loads(cli.invoke(app, ["matches", "--data", str(hall), "--player", "eve", "--json"]).stdout) == []
    shown = cli.invoke(app, ["replay", "t1", "--data", str(hall), "--turn", "2"])
    assert shown.stdout.startswith("Before decision 2\n")
    command = [sys.executable, "-m", "magehall", "bot", "ask", "t1", "greedy", "--turn", "1", "--data", str(hall)]
    asked = await trio.run_process(command, capture_stdout=True)
    assert asked.stdout.startswith(b"   1  ")


async def test_a_match_that_is_not_over_or_not_there_or_damaged_is_told_in_a_sentence(hall: Path) -> None:
    other = hall.parent / "other"
    assert list(finished_matches(other, all_games())) == []
    with pytest.raises(MatchNotFound, match=r"t1 in .*: the match is not over\."):
        load_replay_file(other, "t1", all_games())
    with pytest.raises(MatchNotFound, match="no match of that table is stored"):
        load_replay_file(other, "t77", all_games())
    shown = cli.invoke(app, ["replay", "t1", "--data", str(other)])
    assert (shown.exit_code, "not over" in shown.stderr, shown.stdout) == (1, True, "")
    shown = cli.invoke(app, ["verify", "t1", "--data", str(other)])
    assert (shown.exit_code, shown.stdout) == (1, f"t1 in {other}: the match is not over.\n")
    empty = cli.invoke(app, ["matches", "--data", str(hall.parent / "nowhere")])
    assert (empty.exit_code, empty.stderr) == (1, f"magehall: There is no data in {hall.parent / 'nowhere'}.\n")
    with closing(sqlite3.connect(hall / FILE, isolation_level=None)) as file:
        file.execute("UPDATE rows SET data = x'00' WHERE part = 9")
    assert list(finished_matches(hall, all_games())) == []
    shown = cli.invoke(app, ["replay", "t1", "--data", str(hall)])
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "differs from what was written" in shown.stderr


async def test_data_that_cannot_be_gone_through_are_told_in_a_sentence(hall: Path) -> None:
    with closing(sqlite3.connect(hall / FILE, isolation_level=None)) as file:
        file.execute("ALTER TABLE rows RENAME TO others")
    with pytest.raises(StoreFailed, match="no such table: rows"):
        list(finished_matches(hall, all_games()))
    shown = cli.invoke(app, ["matches", "--data", str(hall)])
    assert (shown.exit_code, shown.stdout, shown.stderr) == (1, "", "magehall: no such table: rows.\n")


async def test_rules_that_are_not_installed_are_named(hall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["ikasamage"]
    monkeypatch.setattr(game, "rules_version", "0")
    with pytest.raises(MatchNotFound, match="other rules or cards"):
        load_replay_file(hall, "t1", {"ikasamage": game})


async def test_data_on_a_disk_that_is_read_only_can_be_looked_at(hall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != hall)  # root may write everywhere
    with open_read_only(hall / FILE) as file:
        assert file.execute("SELECT COUNT(*) FROM rows").fetchone()[0] > 10
        assert not (hall / f"{FILE}-shm").exists(), "nothing was made there"
