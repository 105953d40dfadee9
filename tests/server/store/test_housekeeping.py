"""What is done beside the commits: copies, what is old taken away, room given back, and when the log is brought in."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from server.store import latest, sqlite
from server.store.file import CannotOpen, open_read_only
from server.store.housekeeping import DAY, backup_to_file, delete_old_matches
from server.store.reading import FILE, current_subjects, read_rows, readable_subjects
from server.store.rows import DamagedData, Write
from server.store.sqlite import open_store

MANY: list[Write] = [("t1", part, bytes(1_000)) for part in range(1, 400)]


def aged(folder: Path, days: dict[str, float]) -> None:
    """The last entry of each of these subjects is so many days old."""
    store = open_store(folder)
    store.move_all_rows()
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
    assert delete_old_matches(tmp_path, 7) == 2
    assert delete_old_matches(tmp_path, 7) == 0
    with open_read_only(tmp_path / FILE) as file:
        assert readable_subjects(file) == ["cup:old", "lobby", "name:ann", "t2", "t3", "tom"]
        assert current_subjects(file) == ["t3"]
    open_store(tmp_path).close()  # it was given up


def test_what_cannot_be_read_is_told_as_damage_and_what_holds_nothing_in_a_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path / "data")
    store._file.execute("DROP TABLE latest")
    with pytest.raises(DamagedData, match="no such table"):
        store.read("t1")
    store._file.execute(latest.TABLE.format("TABLE"))
    store.close()
    (tmp_path / FILE).touch()
    with pytest.raises(CannotOpen, match="holds no data"):
        open_read_only(tmp_path / FILE)


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
    assert backup_to_file(tmp_path / "data", copy) == copy.stat().st_size > 400_000
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [file.name for file in copy.parent.iterdir()] == [FILE]
    with open_read_only(copy) as file:
        assert len(read_rows(file, "t1")) == len(MANY)
        assert file.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    with pytest.raises(CannotOpen, match="already exists, so nothing was written"):
        backup_to_file(tmp_path / "data", copy)
    with pytest.raises(CannotOpen, match="cannot be written: No such file"):
        backup_to_file(tmp_path / "data", tmp_path / "nowhere" / FILE)
    store.close()
