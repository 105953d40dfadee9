"""Files that are damaged: what can be read is read, once, and what is lost is said."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from client.cli.app import app
from server.store.file import CannotOpen, open_read_only
from server.store.reading import FILE, read_rows, readable_subjects
from server.store.rows import DamagedData
from server.store.sqlite import open_store

PAGE = 4096
cli = CliRunner()


def test_f06_a_damaged_file_is_gone_through_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([(f"t{number}", part, b"x" * 100) for number in range(1, 29) for part in range(20)])
    store.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[16 * PAGE + 3974] ^= 128
    data[16 * PAGE + 1323] ^= 2
    (tmp_path / FILE).write_bytes(data)
    found = []
    with open_read_only(tmp_path / FILE) as file:
        for subject in islice(readable_subjects(file), 1000):
            found.append(subject)
            with suppress(DamagedData):
                read_rows(file, subject)
    assert len(found) < 100
    assert {f"t{number}" for number in range(1, 29)} <= {*found}


@pytest.mark.parametrize("place", [16, 32 + 24 + PAGE + 8, 32 + 2 * (24 + PAGE) + 2000], ids=["head", "salt", "page"])
def test_f06_what_is_lost_behind_a_damaged_place_in_the_log_of_the_writes_is_told_and_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, place: int
) -> None:
    running = open_store(tmp_path / "running")
    running._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what makes it a database is in the file
    for number in range(1, 10):
        running.commit_now([(f"t{number}", 1, b"acknowledged")])
    folder = tmp_path / "killed"
    shutil.copytree(tmp_path / "running", folder)  # as a kill leaves it
    running.close()
    wal = folder / f"{FILE}-wal"
    data = bytearray(wal.read_bytes())
    data[place] ^= 1
    wal.write_bytes(data)
    check = partial(cli.invoke, app, ["data", "check", "--data", str(folder)])
    assert f"{FILE}-wal is damaged: the latest data is lost." in check().stdout
    assert caplog.records == []
    store = open_store(folder)
    assert store.lost
    store.close()
    assert f"{FILE}-wal is damaged" in caplog.text
    aside = folder / f"{FILE}-wal.damaged-1"
    assert (aside.read_bytes(), aside.stat().st_mode & 0o777) == (bytes(data), 0o600)
    open_store(folder).close()
    assert len(caplog.records) == 1, "it was told"


@pytest.mark.parametrize("is_there", [True, False])
def test_f06_data_of_which_the_log_of_the_writes_is_gone_are_known_to_have_lost_something(
    tmp_path: Path, is_there: bool
) -> None:
    running = open_store(tmp_path / "running")
    running._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    running.commit_now([("t1", 1, b"acknowledged")])
    shutil.copytree(tmp_path / "running", tmp_path / "killed")
    running.close()
    if not is_there:
        (tmp_path / "killed" / f"{FILE}-wal").unlink()
    with closing(open_store(tmp_path / "killed")) as store:
        assert (store.lost, "t1" in store.all_subjects()) == (not is_there, is_there)


def test_f02_a_commit_that_a_power_cut_tore_is_no_damage(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    running = open_store(tmp_path / "running")
    running._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    running.commit_now([("t1", 1, b"acknowledged")])
    before = (tmp_path / "running" / f"{FILE}-wal").stat().st_size
    running.commit_now([(f"t{number}", 1, bytes(1000)) for number in range(2, 100)])
    shutil.copytree(tmp_path / "running", tmp_path / "cut")
    running.close()
    wal = tmp_path / "cut" / f"{FILE}-wal"
    data = bytearray(wal.read_bytes())
    data[before : before + 512] = bytes(512)  # what followed it is on the disk
    wal.write_bytes(data)
    store = open_store(tmp_path / "cut")
    assert (store.all_subjects(), caplog.records) == (["t1"], [])
    store.close()


def test_f06_data_that_lost_too_much_for_a_server_are_told_in_a_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([(f"t{number}", part, b"x" * 1000) for number in range(1, 29) for part in range(1, 20)])
    store.close()
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data[:PAGE].ljust(len(data), b"\0"))
    result = cli.invoke(app, ["serve", "--port", "0", "--data", str(tmp_path)])
    assert (result.exit_code, "too much of it is damaged." in result.stderr) == (1, True), result.stderr


def test_f06_what_cannot_be_written_in_its_damaged_place_is_kept_beside_that_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(tmp_path)
    for subject in ("t1", "t2", "t3"):
        store.commit_now([(subject, part, subject.encode() * 50) for part in range(300)])
    store.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    for page in range(PAGE, len(data), PAGE):
        if b"t2" * 50 in data[page : page + PAGE] and b"t1" * 50 not in data[page : page + PAGE]:
            data[page + 1 : page + 3] = b"\xff\xff"  # where the free room of the page begins, which only writing asks
    (tmp_path / FILE).write_bytes(data)
    for waiting in ([("t2", 150, b"new")], []):
        store = open_store(tmp_path)
        store.commit_now([(subject, 150, b"new") for subject in ("t1", "t2", "t9")])
        store.move_all_rows()
        assert {subject: store.read(subject)[150] for subject in store.all_subjects()} == {
            "t1": b"new",
            "t2": b"new",
            "t3": b"t3" * 50,
            "t9": b"new",
        }
        assert len(store.read("t2")) == 300
        assert store._file.execute("SELECT subject, part, data FROM latest").fetchall() == waiting
        store.close()
    assert "the page of 't2' in the data is damaged" in caplog.text
    assert "were copied to a new file, 0 are unreadable" in caplog.text


def killed(folder: Path) -> tuple[bytes, dict[str, dict[int, bytes]]]:
    """The file of a server that was killed, with as much in `latest` as in its place; and what is kept."""
    store = open_store(folder)
    for number in range(1, 8):
        store.commit_now([(f"t{number}", part, bytes(150)) for part in range(30)])
    store.move_all_rows()
    for part in range(30, 60):
        store.commit_now([(f"t{number}", part, bytes(150)) for number in (1, 2, 11, 12, 13)])
    store.commit_now([(f"t{number}", 0, b"table") for number in (11, 12, 13)])
    store._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = (folder / FILE).read_bytes()
    kept = {subject: dict(store.read(subject)) for subject in store.all_subjects()}
    store.close()
    return data, kept


def test_f06_whichever_page_is_lost_the_others_are_read_and_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data, kept = killed(tmp_path)
    unread = 0
    pages = [page for page in range(PAGE, len(data), PAGE) if page != PAGE * (root_of(tmp_path, "rows") - 1)]
    for page in pages:  # without the first, there is no database, without the root, nothing is left
        (tmp_path / FILE).write_bytes(data[:page] + bytes(PAGE) + data[page + PAGE :])
        with open_read_only(tmp_path / FILE) as file:
            outside = readable(kept, partial(read_rows, file))
        caplog.clear()
        store = open_store(tmp_path)
        assert set(readable_subjects(store._file)) <= {*kept}
        inside = readable(kept, store.read)
        assert inside == outside, "a reader finds what the server finds"
        assert all(kept[subject].items() >= rows.items() for subject, rows in inside.items())
        assert inside == kept or inside.keys() < kept.keys() or "damaged" in caplog.text, "what is missing is told"
        assert set(store.current_subjects()) >= {subject for subject, rows in inside.items() if 0 in rows}
        store.commit_now([("t99", 0, b"new"), *((subject, 0, b"more") for subject in inside)])
        store.close()
        store = open_store(tmp_path)
        assert store.read("t99") == {0: b"new"}
        assert [store.read(subject)[0] for subject in inside] == [b"more"] * len(inside)
        store.close()
        unread += len(kept) - len(inside)
    assert unread < 2 * len(pages), "of ten matches a page concerns one or two, but for a few that lead to the others"


def root_of(folder: Path, table: str) -> int:
    """The page by which its other pages are found."""
    with closing(sqlite3.connect(folder / FILE)) as file:
        (root,) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()
    return int(root)


def readable(subjects: Iterable[str], read: Callable[[str], Mapping[int, bytes]]) -> dict[str, dict[int, bytes]]:
    """What is kept of those that can be read."""
    found = {}
    for subject in subjects:
        with suppress(DamagedData):
            found[subject] = dict(read(subject))
    return found


def test_f06_the_damaged_file_is_set_aside_and_that_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data, kept = killed(tmp_path)
    rows, in_place = root_of(tmp_path, "rows"), {f"t{number}" for number in range(1, 8)}
    aside = tmp_path / f"{FILE}.damaged-1"
    mended = 0
    for page in range(PAGE, len(data), PAGE):
        if page == PAGE * (rows - 1):
            continue
        (tmp_path / FILE).write_bytes(data[:page] + bytes(PAGE) + data[page + PAGE :])
        caplog.clear()
        store = open_store(tmp_path)
        assert store.lost == ("were copied to a new file" in caplog.text)
        store.close()
        if "were copied to a new file" not in caplog.text:
            assert not aside.exists()
            continue
        mended += 1
        assert (aside.stat().st_size >= len(data), aside.stat().st_mode & 0o777) == (True, 0o600)
        caplog.clear()
        store = open_store(tmp_path)
        assert not store.lost
        found = readable(kept, store.read)
        assert {*store.all_subjects()} >= in_place, "what cannot be read stays known"
        store.commit_now([(subject, part, data) for subject, rows in found.items() for part, data in rows.items()])
        store.release_space()
        assert readable(kept, store.read) == found
        store.close()
        assert caplog.text == ""
        aside.unlink()
    assert mended > 5


def test_f06_data_that_cannot_be_written_anew_are_left_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, kept = killed(tmp_path)
    root = root_of(tmp_path, "latest")
    damaged = data[: (root - 1) * PAGE] + bytes(PAGE) + data[root * PAGE :]
    for step in ("shutil.copyfile", "os.replace", "os.fsync"):
        (tmp_path / FILE).write_bytes(damaged)
        with monkeypatch.context() as patch:
            patch.setattr(step, no_room)
            with pytest.raises(CannotOpen, match=r"is damaged and cannot be repaired: .* No space left on device"):
                open_store(tmp_path)
        open_store(tmp_path).close()
        with open_read_only(tmp_path / FILE) as file:
            assert len(readable(kept, partial(read_rows, file))) == len(kept)
        assert [*tmp_path.glob(".*")] == [], "no half is left"


def test_f06_of_a_file_that_was_cut_off_what_is_left_goes_on(tmp_path: Path) -> None:
    data, kept = killed(tmp_path)
    read = []
    for length in (len(data) * 9 // 10, len(data) * 7 // 10):
        (tmp_path / FILE).write_bytes(data[:length])
        for is_mended in (False, True):
            store = open_store(tmp_path)
            assert store.lost != is_mended
            read.append(len(readable(kept, store.read)))
            store.close()
    assert read[0] == read[1] > read[2] == read[3] > 0
    (tmp_path / FILE).write_bytes(data[: 2 * PAGE])
    for _start in range(3):
        with pytest.raises(CannotOpen, match="is damaged and cannot be repaired: too much of it is damaged"):
            open_store(tmp_path)
    assert len([*tmp_path.glob(f"{FILE}.damaged-*")]) <= 4, "it is not set aside at every start"


def no_room(*_whatever: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
