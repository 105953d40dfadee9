"""`magehall data`: copies, checks and prunes; and what a server says of data that it cannot use."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from typer.testing import CliRunner, Result

from client.cli.app import app
from client.cli.serving import CannotServe, open_data_store
from client.house import BotHouse
from games.registry import all_games
from server.app import serve
from server.common import BANS, LOBBY
from server.config import Config
from server.desk.bans import BanRecord
from server.desk.operator import OperatorCommand, OperatorCommands
from server.store.reading import FILE
from server.store.sqlite import open_store
from tests.helpers.hall import tcp_player

cli = CliRunner()
CONFIG = Config(port=0, house_seconds=0.0, keep_seconds=0.0, goodbye_seconds=0.2)


async def played(folder: Path, *, stop_early: bool = False) -> str:
    """A match in that folder, finished unless it is stopped early; returns its seed in hex."""
    store = open_store(folder)
    async with trio.open_nursery() as nursery:
        server = await nursery.start(partial(serve, CONFIG, all_games(), BotHouse(), store=store))
        ann = await tcp_player(server.port, "ann")
        await ann.ask("open", game="ikasamage", seats=3)
        for _ in range(2):
            await ann.ask("add", table="t1", bot="random")
        await ann.ask("start", table="t1")
        seed: str = server.lobby.tables["t1"].seed.hex()
        if stop_early:
            turn = await ann.next("turn")
            await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
        else:
            await ann.play_on()
            await trio.sleep(1.1)
            server.lobby.tables.remove_stale_tables()
        server.stopping.set()
        await ann.close()
    store.close()
    return seed


async def test_g13_a_backup_is_whole_and_its_owners_alone(tmp_path: Path) -> None:
    await played(tmp_path / "data", stop_early=True)
    running = open_store(tmp_path / "data")
    result = cli.invoke(app, ["data", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")])
    assert result.exit_code == 0, result.stderr
    running.close()
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    looked = [
        cli.invoke(app, ["data", "check", *which]).stdout
        for which in ([str(tmp_path / "copy")], [str(tmp_path / "data")])
    ]
    assert looked == ["1 names, 0 open tables, 1 matches; damaged: 0.\n"] * 2
    again = cli.invoke(app, ["data", "backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")])
    assert (again.exit_code, "already exists" in again.stderr) == (1, True)
    (tmp_path / "other").mkdir()
    (tmp_path / "copy").rename(tmp_path / "other" / FILE)
    before, after = open_store(tmp_path / "data"), open_store(tmp_path / "other")
    assert sorted(before.current_subjects()) == sorted(after.current_subjects()) == ["name:ann", "t1"]
    assert before.read("t1") == after.read("t1")
    before.close()
    after.close()


def data(*words: object) -> Result:
    """`magehall data` with these words."""
    return cli.invoke(app, ["data", *map(str, words)])


async def test_a_backup_into_a_folder_is_named_by_its_time_and_the_newest_stay(tmp_path: Path) -> None:
    await played(tmp_path / "data", stop_early=True)
    copies = tmp_path / "copies"
    wrong = data("backup", copies, "--keep", 2, "--data", tmp_path / "data")
    assert (wrong.exit_code, "--keep needs a folder" in wrong.stderr) == (2, True)
    for number in range(3):
        done = data("backup", f"{copies}/", "--keep", 2, "--data", tmp_path / "data")
        assert (done.exit_code, "was deleted" in done.stdout) == (0, number == 2), done.output
    assert len([*copies.iterdir()]) == 2
    assert all(re.fullmatch(r"magehall-[0-9-]{10}T[0-9]{6}Z(-[0-9])?\.db", one.name) for one in copies.iterdir())
    assert stat.S_IMODE(copies.stat().st_mode) == 0o700


def test_a_backup_goes_through_a_pipe_and_is_restored_elsewhere(tmp_path: Path) -> None:
    trio.run(partial(played, tmp_path / "data", stop_early=True))
    command = [sys.executable, "-m", "magehall", "data", "backup", "-", "--data", str(tmp_path / "data")]
    piped = subprocess.run(command, capture_output=True, timeout=60, check=True)
    assert piped.stderr == b""
    (tmp_path / "copy").write_bytes(piped.stdout)
    done = data("restore", tmp_path / "copy", "--data", tmp_path / "new")
    assert (done.exit_code, done.stdout) == (
        0,
        f"1 names, 0 open tables, 1 matches; damaged: 0.\n{tmp_path / 'new'} now has the data of {tmp_path / 'copy'}.\n",  # noqa: E501
    )
    with Path("/dev/full").open("wb") as full:
        failed = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (failed.returncode, failed.stderr.count("No space left on device")) == (1, 1)


@pytest.mark.parametrize("word", ["drain", "stop-accepting"])
async def test_a_backup_of_a_server_that_lets_nobody_in_is_restored_as_one_that_does(tmp_path: Path, word: str) -> None:
    store = open_store(tmp_path / "data")
    async with trio.open_nursery() as nursery:
        server = await nursery.start(partial(serve, CONFIG, all_games(), BotHouse(), store=store))
        await OperatorCommands(server.lobby, nursery, lambda: None).execute(OperatorCommand(word))
        await server.lobby.journal.wait_until_written()
        nursery.cancel_scope.cancel()
    store.close()
    where = ("--data", tmp_path / "data")
    for times, accepting in ((1, False), (2, True)):
        if times == 2:
            assert data("backup", tmp_path / "copy", *where).exit_code == 0
            assert data("restore", tmp_path / "copy", *where).exit_code == 0
        store = open_store(tmp_path / "data")
        async with trio.open_nursery() as nursery:
            server = await nursery.start(partial(serve, CONFIG, all_games(), BotHouse(), store=store))
            assert (server.lobby.service.accepting, server.lobby.service.draining) == (
                accepting,
                word == "drain" and not accepting,
            )
            nursery.cancel_scope.cancel()
        store.close()


async def test_a_restore_waits_for_the_server_to_end_and_takes_no_damaged_backup_unasked(tmp_path: Path) -> None:
    await played(tmp_path / "data", stop_early=True)
    where = ("--data", tmp_path / "data")
    assert data("backup", tmp_path / "copy", *where).exit_code == 0
    running = open_store(tmp_path / "data")
    rows = running.read("t1")
    busy = data("restore", tmp_path / "copy", *where)
    assert (busy.exit_code, "Another server uses the data" in busy.stderr) == (1, True)
    done = next(data for part, data in rows.items() if part > 1 and b"did" in data)
    running.commit_now([("t1", max(rows) + 1, done)])  # a bet that was made already
    running.close()
    assert data("backup", tmp_path / "bad", *where).exit_code == 0
    for _ in range(2):
        refused = data("restore", tmp_path / "bad", *where)
        assert (refused.exit_code, "is damaged, so nothing was changed" in refused.stderr) == (1, True)
        assert data("restore", tmp_path / "copy", *where).exit_code == 0
        assert data("check", *where).exit_code == 0
    forced = data("restore", tmp_path / "bad", "--force", *where)
    assert (forced.exit_code, data("check", *where).exit_code) == (0, 1)
    assert len([*(tmp_path / "data").glob("before-restore-*")]) == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
async def test_the_data_of_another_user_are_refused_with_the_user_to_be(tmp_path: Path) -> None:
    await played(tmp_path / "data", stop_early=True)
    assert data("backup", tmp_path / "copy", "--data", tmp_path / "data").exit_code == 0
    os.chown(tmp_path / "data", 65_534, 65_534)
    refused = data("restore", tmp_path / "copy", "--data", tmp_path / "data")
    assert (refused.exit_code, refused.stderr.endswith("Run this as that user, with sudo -u nobody.\n")) == (1, True)


async def test_a_check_computes_every_match_again_and_tells_no_secret(tmp_path: Path) -> None:
    seed = await played(tmp_path, stop_early=True)
    result = cli.invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (0, "1 names, 0 open tables, 1 matches; damaged: 0.\n")
    store = open_store(tmp_path)
    rows = store.read("t1")
    done = next(data for part, data in rows.items() if part > 1 and b"did" in data)
    store.commit_now([("t1", max(rows) + 1, done)])  # a bet that was made already
    store.close()
    result = cli.invoke(app, ["data", "check", "--data", str(tmp_path)])
    assert (result.exit_code, result.stdout.splitlines()[0]) == (1, "t1: cannot be read (IllegalAction)")
    assert seed not in result.output


def test_a_check_reads_who_is_banned(tmp_path: Path) -> None:
    for row, damaged in ((msgspec.msgpack.encode({"ann": BanRecord("ann")}), 0), (b"\xc1", 1)):
        store = open_store(tmp_path)
        store.commit_now([(LOBBY, BANS, row)])
        store.close()
        result = cli.invoke(app, ["data", "check", "--data", str(tmp_path)])
        assert result.stdout.endswith(f"damaged: {damaged}.\n")


async def test_old_finished_matches_are_taken_away_and_no_others(tmp_path: Path) -> None:
    await played(tmp_path)
    assert "0 finished" in cli.invoke(app, ["data", "prune", "--older-than", "1", "--data", str(tmp_path)]).stdout
    store = open_store(tmp_path)
    assert len(store.read("t1")) > 10
    busy = cli.invoke(app, ["data", "prune", "--older-than", "0", "--data", str(tmp_path)])
    assert (busy.exit_code, "Another server uses" in busy.stderr) == (1, True)
    store._file.execute("UPDATE rows SET written = written - 100")
    store.commit_now([("t2", 0, b"open")])
    store.close()
    assert "1 finished" in cli.invoke(app, ["data", "prune", "--older-than", "0", "--data", str(tmp_path)]).stdout
    store = open_store(tmp_path)
    assert (store.read("t1"), store.current_subjects()) == ({}, ["name:ann", "t2"])
    store.close()


def test_where_there_is_no_data_none_is_made(tmp_path: Path) -> None:
    done = cli.invoke(app, ["data", "prune", "--older-than", "3", "--data", str(tmp_path / "typo")])
    assert (done.exit_code, "There is no data in" in done.stderr) == (1, True), done.output
    assert not (tmp_path / "typo").exists()


def test_f06_data_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("Dear diary, " * 100)
    for words in (["serve", "--port", "0"], ["data", "check"], ["data", "prune", "--older-than", "1"]):
        result = cli.invoke(app, [*words, "--data", str(tmp_path)])
        assert result.exit_code == 1, words
        assert "not a database" in result.stderr
        assert "Traceback" not in result.stderr
    result = cli.invoke(app, ["data", "check", "--data", str(tmp_path / "nowhere")])
    assert (result.exit_code, "cannot be read" in result.stderr) == (1, True)


def test_f06_a_log_of_the_writes_that_was_thrown_away_is_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def check() -> str:
        return cli.invoke(app, ["data", "check", "--data", str(tmp_path / "killed")]).stdout

    running = open_store(tmp_path / "running")
    running.commit_now([("t1", 0, b"x")])
    shutil.copytree(tmp_path / "running", tmp_path / "killed")  # as a kill leaves it
    running.close()
    assert "-wal is missing" not in check()
    (tmp_path / "killed" / f"{FILE}-wal").unlink()
    (tmp_path / "killed" / FILE).write_bytes((tmp_path / "running" / FILE).read_bytes())
    assert "magehall.db-wal is missing although the last server was killed" in check()
    (tmp_path / "killed" / f"{FILE}-wal").unlink(missing_ok=True)  # made to look
    open_store(tmp_path / "killed").close()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "magehall.db-wal is missing" in caplog.text
    open_store(tmp_path / "killed").close()
    assert len(caplog.records) == 1, "that one ended well"
    assert "-wal is missing" not in check()


@pytest.mark.parametrize(("subject", "read"), [("CAST(x'74FF' AS TEXT)", "t\ufffd"), ("x'7431'", "b't1'")])
def test_f06_a_row_whose_subject_is_no_text_is_named_and_stops_no_server(
    tmp_path: Path, subject: str, read: str
) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b""), ("t1", 1, b"")])
    store.move_all_rows()
    store._file.execute(f"UPDATE rows SET subject = {subject}, written = written - 100")
    assert (store.current_subjects(), store.all_subjects()) == ([read], [read])
    store.close()
    check, *others = (
        cli.invoke(app, [*words.split(), "--data", str(tmp_path)])
        for words in ("data check", "data prune --older-than 0", "matches", "stats")
    )
    assert (check.exit_code, "damaged: 1" in check.stdout) == (1, True)
    assert [result for result in others if not isinstance(result.exception, SystemExit | None)] == []


def test_f06_a_flipped_bit_anywhere_is_noticed_or_harms_nothing(tmp_path: Path) -> None:
    trio.run(partial(played, tmp_path, stop_early=True))
    store = open_store(tmp_path)
    whole = {subject: store.read(subject) for subject in ("t1", "name:ann", "lobby")}
    store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    data = (tmp_path / FILE).read_bytes()
    found = 0
    for place in range(0, len(data), 211):
        (tmp_path / FILE).write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        for beside in tmp_path.glob(f"{FILE}-*"):
            beside.unlink()
        result = cli.invoke(app, ["data", "check", "--data", str(tmp_path)])
        assert result.exception is None or isinstance(result.exception, SystemExit), place
        found += result.exit_code != 0
        try:
            open_data_store(tmp_path).close()  # type: ignore[union-attr]
        except CannotServe:
            continue
        if result.exit_code == 0:
            store = open_store(tmp_path)
            assert {subject: store.read(subject) for subject in whole} == whole, place
            store.close()
    assert found > 5, "most of the file is empty"


def test_f06_a_damaged_schema_whose_error_is_no_text_either_is_told_in_a_sentence(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data.replace(b"CREATE INDEX present", b"CREATE IN\xffEX present"))
    for words in (["serve", "--port", "0"], ["data", "check"], ["matches"], ["verify", "t1"]):
        result = cli.invoke(app, [*words, "--data", str(tmp_path)])
        assert (result.exit_code, "cannot be" in result.output) == (1, True), (words, result)


def test_f06_nothing_is_taken_away_from_a_damaged_table_and_a_sentence_says_why(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[4_096] = 0xFF  # the kind of the first page of rows
    (tmp_path / FILE).write_bytes(data)
    result = cli.invoke(app, ["data", "prune", "--older-than", "0", "--data", str(tmp_path)])
    assert (result.exit_code, "cannot be read: database disk image is malformed." in result.stderr) == (1, True)


def test_f06_a_match_of_a_damaged_time_is_listed_as_well_as_it_can_be(tmp_path: Path) -> None:
    trio.run(partial(played, tmp_path))
    for written in (2**62, -(2**62), "'now'", "x'ff'", 1e308):
        store = open_store(tmp_path)
        store._file.execute(f"UPDATE rows SET written = {written}")
        store.close()
        for words in ([], ["--since", "2020-01-01"], ["--until", "2020-01-01"], ["--json"]):
            result = cli.invoke(app, ["matches", *words, "--data", str(tmp_path)])
            assert result.exit_code == 0, (written, words, result)


async def test_who_won_how_often_is_read_from_the_data(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "data")]
    await played(tmp_path / "data")
    everybody, one, nobody = (cli.invoke(app, ["stats", *words, *data]) for words in ([], ["ann"], ["bob"]))
    assert re.fullmatch(r"ann: 1 match, [01] won\n", everybody.stdout)
    assert "  against random  2 times, " in one.stdout
    assert (nobody.exit_code, nobody.stderr) == (1, "magehall: bob has finished no match there.\n")
    missing = cli.invoke(app, ["stats", "--data", str(tmp_path / "elsewhere")])
    assert (missing.exit_code, missing.stdout) == (1, "")


def test_what_is_kept_in_memory_cannot_be_looked_at() -> None:
    for words in (["data", "check"], ["matches"], ["stats"], ["verify", "t1"], ["tournament", "standings", "friday"]):
        result = cli.invoke(app, [*words, "--data", ":memory:"])
        assert (result.exit_code, "Data in memory" in result.stderr) == (2, True), words


@pytest.mark.parametrize("words", [["prune"], ["backup"]])
def test_what_is_missing_is_a_mistake_of_use(words: list[str]) -> None:
    assert cli.invoke(app, ["data", *words]).exit_code == 2


def test_a_folder_that_no_system_can_have_is_told_in_a_sentence() -> None:
    far = "x" * 300
    for words in (["data", "check", "--data", far], ["matches", "--data", far], ["verify", "t1", "--data", far]):
        done = cli.invoke(app, words)
        assert (done.exit_code, done.output.count("File name too long.")) == (1, 1), done.output
