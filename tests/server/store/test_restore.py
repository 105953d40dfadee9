"""A backup put in the place of the data, and what is kept of those."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from itertools import count
from pathlib import Path

import pytest

from server.store.file import CannotOpen
from server.store.housekeeping import backup_into_folder, backup_to_file, restore_backup
from server.store.reading import FILE, wal_path
from server.store.sqlite import open_store


def good(_file: sqlite3.Connection) -> None:
    """A check that finds nothing wrong."""


def keep(folder: Path, *rows: bytes) -> None:
    """A server keeps these, one after the other, in the same place."""
    store = open_store(folder)
    for row in rows:
        store.commit_now([("t1", 0, row)])
    store.close()


def kept(folder: Path) -> bytes:
    """What a server finds there."""
    store = open_store(folder)
    try:
        return store.read("t1").get(0, b"")
    finally:
        store.close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A backup of data that went on."""
    keep(tmp_path / "data", b"old")
    backup_to_file(tmp_path / "data", tmp_path / "copy")
    keep(tmp_path / "data", b"new")
    return tmp_path / "copy"


def test_a_backup_is_restored_and_what_was_there_is_kept_aside(tmp_path: Path, copy: Path) -> None:
    for _ in range(2):  # within a second, too
        aside = restore_backup(tmp_path / "data", copy, good)
        assert kept(tmp_path / "data") == b"old"
        assert aside is not None
        assert kept(aside) == b"new"
        assert stat.S_IMODE((tmp_path / "data" / FILE).stat().st_mode) == 0o600
        keep(tmp_path / "data", b"new")


def test_a_backup_is_restored_where_there_were_no_data(tmp_path: Path, copy: Path) -> None:
    assert restore_backup(tmp_path / "new" / "machine", copy, good) is None
    assert kept(tmp_path / "new" / "machine") == b"old"


def test_the_log_of_a_killed_server_is_kept_aside_and_not_taken_for_the_backups(tmp_path: Path, copy: Path) -> None:
    store = open_store(tmp_path / "data")
    store.commit_now([("t1", 0, b"newest")])
    store._lock.close()  # as a kill leaves it
    aside = restore_backup(tmp_path / "data", copy, good)
    assert not wal_path(tmp_path / "data" / FILE).exists()
    assert kept(tmp_path / "data") == b"old"
    assert aside is not None
    assert kept(aside) == b"newest"
    store.close()


def test_data_too_damaged_to_be_read_are_kept_aside_as_they_are(tmp_path: Path, copy: Path) -> None:
    (tmp_path / "data" / FILE).write_bytes(b"Dear diary, " * 1_000)
    aside = restore_backup(tmp_path / "data", copy, good)
    assert kept(tmp_path / "data") == b"old"
    assert aside is not None
    assert (aside / FILE).read_bytes() == b"Dear diary, " * 1_000


def test_nothing_is_restored_while_a_server_has_the_data(tmp_path: Path, copy: Path) -> None:
    store = open_store(tmp_path / "data")
    with pytest.raises(CannotOpen, match="Another server uses the data"):
        restore_backup(tmp_path / "data", copy, good)
    assert store.read("t1") == {0: b"new"}
    store.close()


def test_nothing_is_restored_that_the_check_refuses_or_that_is_no_backup(tmp_path: Path, copy: Path) -> None:
    def refuse(_file: sqlite3.Connection) -> None:
        raise CannotOpen("It is damaged.")

    with pytest.raises(CannotOpen, match=r"It is damaged\."):
        restore_backup(tmp_path / "data", copy, refuse)
    (tmp_path / "text").write_text("Dear diary, " * 1_000)
    for wrong in (tmp_path / "text", tmp_path / "nowhere", tmp_path, tmp_path / "data" / FILE):
        with pytest.raises(CannotOpen):
            restore_backup(tmp_path / "data", wrong, good)
    assert kept(tmp_path / "data") == b"new"
    assert not list((tmp_path / "data").glob("before-*"))


def test_a_restore_that_is_killed_at_any_moment_leaves_the_old_data_or_the_new(tmp_path: Path, copy: Path) -> None:
    found = set()
    for step in count(1):
        keep(tmp_path / "data", b"new")
        child = os.fork()
        if child == 0:
            left = step

            def die(event: str, _details: object) -> None:
                nonlocal left
                if event in ("open", "sqlite3.connect") or event.startswith("os."):
                    left -= 1
                    if left == 0:
                        os._exit(9)

            sys.addaudithook(die)
            try:
                restore_backup(tmp_path / "data", copy, good)
            finally:
                os._exit(0)
        _pid, ended = os.waitpid(child, 0)
        found.add(kept(tmp_path / "data"))
        if os.waitstatus_to_exitcode(ended) == 0:
            break
    assert step > 20
    assert found == {b"old", b"new"}


@pytest.mark.parametrize("mode", [0o700, 0o777])
def test_the_newest_backups_stay_and_other_files_with_them(tmp_path: Path, mode: int) -> None:
    keep(tmp_path / "data", b"x")
    folder = tmp_path / "copies"
    folder.mkdir(mode=mode)
    for name in ("magehall-2025-01-01T000000Z.db", "magehall-2024-01-01T000000Z.db", "magehall-of-anna.db", "notes"):
        (folder / name).touch()
    (folder / "magehall-2099-01-01T000000Z.db").touch()  # the clock was wrong then
    copy, size, gone = backup_into_folder(tmp_path / "data", folder, 2)
    assert size > 0
    assert [one.name for one in gone] == ["magehall-2024-01-01T000000Z.db", "magehall-2025-01-01T000000Z.db"]
    assert {one.name for one in folder.iterdir()} == {
        *("magehall-2099-01-01T000000Z.db", "magehall-of-anna.db", "notes", copy.name)
    }
    _copy, _size, gone = backup_into_folder(tmp_path / "data", folder, 1)
    assert len(gone) == 2, "the clock that was wrong keeps none for ever"


def test_no_backup_is_deleted_when_the_new_one_fails(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "magehall-2025-01-01T000000Z.db").touch()
    with pytest.raises(CannotOpen, match="There is no data"):
        backup_into_folder(tmp_path / "nowhere", folder, 1)
    assert [one.name for one in folder.iterdir()] == ["magehall-2025-01-01T000000Z.db"]
