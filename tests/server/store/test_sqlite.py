"""The store on a real disk: what it keeps, what it refuses to touch."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from threading import Event

import pytest
import trio

from server.store import checkpoints
from server.store import file as data_file
from server.store.checkpoints import LOG_BYTES
from server.store.file import VERSION, CannotOpen, open_read_only
from server.store.latest import MOST
from server.store.reading import FILE, read_rows
from server.store.rows import EVERYTHING, DamagedData, DurabilityUnknown, StoreFailed, Write
from server.store.sqlite import open_store


def test_what_was_written_is_there_after_opening_again(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    store.commit_now([("t1", 0, b"table"), ("t1", 2, b"second"), ("t1", 1, b"first"), ("ann", 0, b"name")])
    store.commit_now([("t1", 0, None), ("ann", 0, b"changed"), ("t2", 0, b""), ("t2", EVERYTHING, None)])
    store.close()
    store = open_store(tmp_path / "data")
    assert list(store.read("t1").items()) == [(1, b"first"), (2, b"second")]
    assert store.current_subjects() == ["ann"]
    assert store.read("ann") == {0: b"changed"}
    assert store.read("nobody") == {}
    store.close()


@pytest.mark.parametrize("rows", [1, 5, MOST - 1, MOST, MOST + 1, 3 * MOST])
@pytest.mark.parametrize("gone", [0, 1])
def test_a_batch_of_any_size_is_kept_in_its_order(tmp_path: Path, rows: int, gone: int) -> None:
    store = open_store(tmp_path)
    taken_away: list[Write] = [("t2", EVERYTHING, None)] * gone
    store.commit_now([("t1", 0, b"old"), *taken_away, *(("t1", part, str(part).encode()) for part in range(rows))])
    store.commit_now([])
    assert store.read("t1") == {part: str(part).encode() for part in range(rows)}
    store.close()


async def test_a_commit_in_the_writers_thread_is_there_when_it_is_said(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    found: list[Mapping[int, bytes]] = []
    await store.commit([("t1", 0, b"table")], lambda: found.append(store.read("t1")))
    assert found == [{0: b"table"}]
    assert await store.read_in_thread("t1") == found[0]
    store.close()


async def test_what_fails_in_the_writers_thread_is_raised_and_never_said_to_be_there(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store._file.execute("DROP TABLE latest")
    with pytest.raises(StoreFailed, match="no such table"):
        await store.commit([("t1", 0, b"table")], pytest.fail)
    store.close()


async def test_an_error_of_who_is_told_is_raised_where_the_commit_was_asked_for(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with pytest.raises(ZeroDivisionError):
        await store.commit([("t1", 0, b"table")], lambda: 1 / 0)
    assert store.read("t1") == {0: b"table"}
    store.close()


async def test_a_commit_that_is_under_way_is_not_cancelled(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    said: list[bool] = []
    with trio.CancelScope() as scope:
        scope.cancel()
        await store.commit([("t1", 0, b"table")], lambda: said.append(True))
    assert said == [True]
    store.close()


def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    assert store._file.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    store.close()


@pytest.mark.parametrize(("durable", "level"), [(True, 2), (False, 1)])
def test_every_commit_survives_a_power_cut_where_that_is_wanted_and_sqlite_brings_nothing_in_by_itself(
    tmp_path: Path, durable: bool, level: int
) -> None:
    store = open_store(tmp_path, durable=durable)
    for file in (store._file, store._checkpoints._file):
        told = [file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "wal_autocheckpoint")]
        assert [*told, file.execute("PRAGMA synchronous").fetchone()[0]] == ["wal", 0, level]
    store.close()


def test_g13_the_data_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = open_store(tmp_path / "made" / "data")
        store.commit_now([("t1", 0, b"secret")])
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "made" / "data").stat().st_mode) == 0o700
    for file in (tmp_path / "made" / "data").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    store.close()


def test_f07_a_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    first = open_store(tmp_path)
    with pytest.raises(CannotOpen, match="Another server uses"):
        open_store(tmp_path)
    first.close()
    open_store(tmp_path).close()


def test_f06_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE diary (day TEXT)")
    other.commit()
    other.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(CannotOpen, match="not a file of magehall"):
        open_store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_f06_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    newer = sqlite3.connect(tmp_path / FILE)
    newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(CannotOpen, match="newer magehall"):
        open_store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_f06_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"Dear diary, " * 100)
    with pytest.raises(CannotOpen, match="not a database"):
        open_store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == b"Dear diary, " * 100


def test_f06_a_folder_that_is_none_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotOpen, match=r"cannot be used for data: (File exists|Not a directory)"):
        open_store(tmp_path / "file")


def test_f06_a_row_that_was_changed_behind_our_back_is_noticed_and_others_are_read(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"0123456789"), ("t2", 0, b"abcdefghij")])
    store.close()
    data = (tmp_path / FILE).read_bytes()
    assert data.count(b"0123456789") == 1
    (tmp_path / FILE).write_bytes(data.replace(b"0123456789", b"0123456780"))
    store = open_store(tmp_path)
    with pytest.raises(DamagedData, match="part 0 of t1"):
        store.read("t1")
    assert store.read("t2") == {0: b"abcdefghij"}
    store.close()


def test_f04_a_full_disk_keeps_what_was_there_and_nothing_of_the_batch(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"before")])
    (pages,) = store._file.execute("PRAGMA page_count").fetchone()
    store._file.execute(f"PRAGMA max_page_count = {pages:d}")
    with pytest.raises(StoreFailed, match="full"):
        store.commit_now([("t1", 0, b"after"), ("t1", 1, bytes(100_000))])
    assert store.read("t1") == {0: b"before"}
    store._file.execute("PRAGMA max_page_count = 1000000")
    store.commit_now([("t1", 1, bytes(100_000))])
    assert len(store.read("t1")[1]) == 100_000
    store.close()


def test_f04_a_write_ahead_log_that_filled_the_disk_makes_room_again(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, limits[1]))  # as on a disk that has no more room than that
    try:
        failures = 0
        for number in range(200):
            try:
                store.commit_now([("t1", number, b"row")])
            except StoreFailed:
                failures += 1
                store.commit_now([("t1", number, b"row")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert failures > 0
    assert list(store.read("t1")) == list(range(200))
    store.close()


def test_f10_an_upgrade_that_is_cut_off_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"table")])
    store.close()
    broken = (*data_file.MIGRATIONS, ("ALTER TABLE rows ADD COLUMN more", "ALTER TABLE nothing ADD COLUMN at_all"))
    with monkeypatch.context() as patch:
        patch.setattr(data_file, "MIGRATIONS", broken)
        patch.setattr(data_file, "VERSION", VERSION + 1)
        with pytest.raises(CannotOpen, match="cannot be used"):
            open_store(tmp_path)
    store = open_store(tmp_path)
    assert store.read("t1") == {0: b"table"}
    store.close()


def test_f09_f12_a_reader_beside_the_server_sees_what_is_committed_and_stops_no_writing(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"one")])
    with open_read_only(tmp_path / FILE) as reader:
        reader.execute("BEGIN")
        assert read_rows(reader, "t1") == {0: b"one"}
        store.commit_now([("t1", 0, b"two")])
        assert read_rows(reader, "t1") == {0: b"one"}
        with pytest.raises(sqlite3.Error, match="readonly"):
            reader.execute("DELETE FROM rows")
    assert store.read("t1") == {0: b"two"}
    store.close()


def test_a_reader_who_may_not_write_there_sees_what_is_in_the_log_of_the_writes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)  # root always may
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"one")])
    with open_read_only(tmp_path / FILE) as reader:
        assert read_rows(reader, "t1") == {0: b"one"}
    store.close()


class Failing:
    """A database whose next statements that begin so fail in that way. Remembers what was asked of it."""

    def __init__(self, file: sqlite3.Connection, statement: str, name: str) -> None:
        self.asked: list[str] = []
        self._file, self._statement, self._name = file, statement, name

    def execute(self, statement: str, *values: Sequence[object]) -> sqlite3.Cursor:
        self.asked.append(statement)
        if statement.startswith(self._statement):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = self._name
            raise error
        return self._file.execute(statement, *values)


@pytest.mark.parametrize(
    ("statement", "name", "kind", "last"),
    [
        ("INSERT", "SQLITE_FULL", StoreFailed, "PRAGMA wal_checkpoint(TRUNCATE)"),
        ("INSERT", "SQLITE_IOERR_FSYNC", DurabilityUnknown, "ROLLBACK"),
        ("COMMIT", "SQLITE_FULL", StoreFailed, "PRAGMA wal_checkpoint(TRUNCATE)"),
        ("COMMIT", "SQLITE_IOERR_FSYNC", DurabilityUnknown, "ROLLBACK"),
    ],
)
def test_f05_after_an_fsync_that_failed_nothing_more_is_asked_of_the_disk_wherever_it_failed(
    tmp_path: Path, statement: str, name: str, kind: type[StoreFailed], last: str
) -> None:
    store = open_store(tmp_path)
    honest, failing = store._file, Failing(store._file, statement, name)
    store._file = store._latest._file = failing  # type: ignore[assignment]
    writes: list[Write] = [("t1", part, b"a") for part in range(MOST)]
    if statement == "COMMIT":  # so many are a statement, and a transaction of its own
        writes.append(("t1", MOST, b"a"))
    with pytest.raises(StoreFailed) as error:
        store.commit_now(writes)
    assert error.type is kind
    assert failing.asked[-1] == last
    store._file = store._latest._file = honest
    store.close()


@pytest.mark.parametrize(("name", "asked"), [("SQLITE_IOERR_FSYNC", 1), ("SQLITE_FULL", 8)])
def test_f05_a_checkpoint_that_failed_is_found_by_the_next_commit_if_the_disk_may_have_lost_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, asked: int
) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_PAGES", 1)
    store = open_store(tmp_path)
    beside = store._checkpoints
    failing = Failing(beside._file, "PRAGMA wal_checkpoint", name)
    honest, beside._file = beside._file, failing  # type: ignore[assignment]
    for part in range(4):
        unsure = name == "SQLITE_IOERR_FSYNC" and part > 0
        with pytest.raises(DurabilityUnknown) if unsure else nullcontext():
            store.commit_now([("t1", part, b"told")])
        store.do_maintenance()
    assert failing.asked == ["PRAGMA wal_checkpoint(PASSIVE)"] * asked
    assert len(store.read("t1")) == (1 if name == "SQLITE_IOERR_FSYNC" else 4)
    beside._file = honest
    store.close()


async def test_no_commit_waits_for_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_PAGES", 1)
    begun, go_on = Event(), Event()
    honest = checkpoints.run_checkpoint

    def slow(file: sqlite3.Connection, how: str) -> None:
        begun.set()
        assert go_on.wait(60)
        honest(file, how)

    store = open_store(tmp_path)
    monkeypatch.setattr(checkpoints, "run_checkpoint", slow)
    await store.commit([("t1", part, b"a") for part in range(2)])
    assert begun.wait(60)
    await store.commit([("t2", part, b"b") for part in range(9)])
    assert len(store.read("t2")) == 9
    go_on.set()
    store.close()


def test_the_log_of_the_writes_is_brought_into_the_file_again_and_again(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    assert store._file.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    for number in range(160):
        store.commit_now([(f"t{number}", part, bytes(200)) for part in range(1, 65)])
        store.do_maintenance()
    log, file = (tmp_path / f"{FILE}-wal").stat().st_size, (tmp_path / FILE).stat().st_size
    assert file > 2_000_000
    assert log < file
    store.close()


def test_a_reader_outside_leaves_no_long_log_of_the_writes_behind(tmp_path: Path) -> None:
    store, log = open_store(tmp_path), tmp_path / f"{FILE}-wal"

    def write(matches: int) -> None:
        for number in range(matches):
            store.commit_now([(f"t{number}", part, bytes(4_000)) for part in range(1, 33)])
            store.do_maintenance()

    with open_read_only(tmp_path / FILE) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchall()
        write(100)
        assert log.stat().st_size > 2 * LOG_BYTES
        store._shorten()
        assert log.stat().st_size > 2 * LOG_BYTES, "the reader goes on with what it reads"
        assert reader.execute("SELECT count(*) FROM rows").fetchone() == (0,)
    store.move_all_rows()
    write(8)  # until the next checkpoint, and one more
    assert log.stat().st_size <= LOG_BYTES
    with open_read_only(tmp_path / FILE) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchall()
        write(100)
    assert log.stat().st_size > 2 * LOG_BYTES
    store._used()
    assert log.stat().st_size == 0, "though nothing more is written"
    store.close()


@pytest.mark.parametrize("name", ["lock", FILE])
def test_a_pipe_in_the_place_of_a_file_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(CannotOpen, match="disk I/O error"):
        open_store(tmp_path)


def test_data_that_were_copied_into_the_folder_are_kept_from_other_users(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    file = tmp_path / FILE
    file.chmod(0o644)
    open_store(tmp_path).close()
    assert file.stat().st_mode & 0o777 == 0o640
