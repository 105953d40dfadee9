"""What is done beside the commits: copies, what is old taken away, room given back, and when the log is brought in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from server.store import latest, sqlite
from server.store.file import CannotOpen, open_to_read
from server.store.housekeeping import DAY, backup, prune
from server.store.reading import FILE, current, read_rows, subjects
from server.store.rows import Damaged, Write
from server.store.sqlite import open_store

MANY: list[Write] = [("t1", part, bytes(1_000)) for part in range(1, 400)]


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


def test_a_torn_log_that_cannot_be_set_aside_keeps_the_server_from_going_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_what: object, **_how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sqlite, "atomic_write", full)
    with pytest.raises(CannotOpen, match="is damaged and cannot be copied aside: No space left on device"):
        sqlite._set_aside(tmp_path / f"{FILE}-wal")


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
    with pytest.raises(CannotOpen, match="already exists, so nothing was written"):
        backup(tmp_path / "data", copy)
    with pytest.raises(CannotOpen, match="cannot be written: No such file"):
        backup(tmp_path / "data", tmp_path / "nowhere" / FILE)
    store.close()
