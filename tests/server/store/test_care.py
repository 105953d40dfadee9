"""What is done beside the commits: copies, what is old taken away, room given back, and when the log is brought in."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from server.store import latest, reading, sqlite
from server.store.care import DAY, backup, prune
from server.store.checkpoints import CHECKPOINT_PAGES
from server.store.file import CannotOpen, open_to_read
from server.store.reading import FILE, current, last_written, read_rows, subjects
from server.store.rows import EVERYTHING, Damaged, Write
from server.store.sqlite import ROWS_A_PAGE, STEP_PAGES, open_store

MANY: list[Write] = [("t1", part, bytes(1_000)) for part in range(1, 400)]


def test_what_was_taken_away_gives_its_room_back_to_the_disk(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([*MANY, ("t2", 1, b"stays")])
    store.settle()
    store.commit_now([("t1", EVERYTHING, None)])
    store.shrink()
    store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert (tmp_path / FILE).stat().st_size < 100_000
    assert store._file.execute("SELECT COUNT(*) FROM latest").fetchone() == (0,), "all of it is in its place"
    assert store.read("t2") == {1: b"stays"}
    store.close()


@pytest.mark.parametrize(("rows", "pages"), [(1, 2), (ROWS_A_PAGE - 1, 2), (ROWS_A_PAGE, 3), (5 * ROWS_A_PAGE, 7)])
def test_how_many_pages_a_commit_and_a_step_of_a_round_write_is_told_to_the_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, pages: int
) -> None:
    store, told = open_store(tmp_path), list[int]()
    monkeypatch.setattr(store._checkpoints, "written", told.append)
    store.commit_now(MANY[:rows])
    assert told == [pages]
    store.settle()
    assert sum(told) == pages + 2 * STEP_PAGES, "one that puts them in their place, one that takes them out of latest"
    store.close()


def test_nothing_is_tidied_while_that_is_being_done_or_when_the_store_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(latest, "ENOUGH", 1)
    caplog.set_level(logging.INFO)
    store = open_store(tmp_path)
    store.commit_now(MANY[:3])
    with store._tidying:
        store.tidy()
    assert store._file.execute("SELECT COUNT(*) FROM rows").fetchone() == (0,)
    store.tidy()
    store.tidy()
    assert store._file.execute("SELECT COUNT(*) FROM rows").fetchone() == (3,)
    store.commit_now(MANY[3:6])
    store.close()
    for _ in range(3):
        store.tidy()
    assert caplog.messages == []


def test_the_log_is_brought_into_the_file_when_so_many_pages_were_written_and_not_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, brought = open_store(tmp_path), list[str]()
    monkeypatch.setattr("server.store.checkpoints.checkpoint", lambda _file, how: brought.append(how))
    for pages, times in ((CHECKPOINT_PAGES - 1, 0), (1, 2), (CHECKPOINT_PAGES - 1, 2), (1, 4)):
        store._checkpoints.written(pages)
        store._checkpoints.bring()
        assert brought == ["PASSIVE"] * times
    store.close()


def aged(folder: Path, days: dict[str, float]) -> None:
    """The last entry of each of these subjects is so many days old."""
    store = open_store(folder)
    store.settle()
    for subject, age in days.items():
        store._file.execute(
            "UPDATE rows SET written = CAST(strftime('%s', 'now') AS INTEGER) - ? WHERE subject = ?",
            (age * DAY, subject),
        )
    store.close()


def test_matches_that_are_over_and_older_are_taken_away_and_nothing_else(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for subject in ("t1", "t2", "t3", "t4", "name:ann", "cup:old", "lobby", "tom"):
        store.commit_now([(subject, 1, b"x")])
    store.commit_now([("t3", 0, b"goes on")])
    store.close()
    aged(tmp_path, {"t1": 8, "t2": 6, "t3": 99, "t4": 7.5, "name:ann": 99, "cup:old": 99, "lobby": 99, "tom": 99})
    assert prune(tmp_path, 7) == 2
    assert prune(tmp_path, 7) == 0
    with open_to_read(tmp_path / FILE) as file:
        assert subjects(file) == ["cup:old", "lobby", "name:ann", "t2", "t3", "tom"]
        assert current(file) == ["t3"]
    open_store(tmp_path).close()  # it was given up


def test_when_something_was_written_last_is_known_wherever_it_stands(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 1, b"x"), ("t2", 0, b"x"), ("t3", 1, b"x"), ("t3", 2, b"x"), ("t4", 1, b"x")])
    for _ in range(2):  # behind all others, and in its place
        assert sorted(last_written(store._file)) == ["t1", "t3", "t4"]
        store.settle()
    store.commit_now([("t4", 1, None), ("t3", 2, None)])
    assert sorted(last_written(store._file)) == ["t1", "t3"]
    store.close()


def test_what_cannot_be_read_is_told_as_damage_and_what_holds_nothing_in_a_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    store._file.execute("DROP TABLE latest")
    with pytest.raises(Damaged, match="no such table"):
        store.read("t1")
    store._file.execute(latest.TABLE.format("TABLE"))
    store.close()
    (tmp_path / FILE).touch()
    with pytest.raises(CannotOpen, match="holds no data"):
        open_to_read(tmp_path / FILE)


def test_the_head_of_the_log_is_whole_as_sqlite_wrote_it_and_with_no_bit_changed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now(MANY[:1])
    head = (tmp_path / f"{FILE}-wal").read_bytes()[:32]
    store.close()
    assert reading._is_whole(head)
    assert not any(reading._is_whole(head[:at]) for at in (0, 4, 31))
    for at in range(32):
        assert not reading._is_whole(bytes((*head[:at], head[at] ^ 4, *head[at + 1 :]))), at


def test_a_torn_log_that_cannot_be_set_aside_keeps_the_server_from_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_what: object, **_how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "whole", full)
    with pytest.raises(CannotOpen, match="is damaged and cannot be set aside: No space left on device"):
        sqlite._set_aside(tmp_path / f"{FILE}-wal")


def test_where_there_are_no_data_nothing_is_pruned_and_none_are_made(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="There is no data in"):
        prune(tmp_path / "none", 7)
    assert not (tmp_path / "none").exists()


def test_a_copy_is_whole_in_one_file_that_only_its_owner_reads_and_is_never_written_over(tmp_path: Path) -> None:
    store, copy = open_store(tmp_path / "data"), tmp_path / "copies" / FILE
    copy.parent.mkdir()
    store.commit_now(MANY)
    assert backup(tmp_path / "data", copy) == copy.stat().st_size > 400_000
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [file.name for file in copy.parent.iterdir()] == [FILE]
    with open_to_read(copy) as file:
        assert len(read_rows(file, "t1")) == len(MANY)
        assert file.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with pytest.raises(CannotOpen, match="is there already; nothing was written"):
        backup(tmp_path / "data", copy)
    with pytest.raises(CannotOpen, match="cannot be written: No such file"):
        backup(tmp_path / "data", tmp_path / "nowhere" / FILE)
    store.close()
