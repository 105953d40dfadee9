"""Files that are damaged: what can be read is read, once, and what is lost is said."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from client.cli.app import app
from server.store.reading import FILE, read_rows, subjects
from server.store.rows import Damaged
from server.store.sqlite import open_store, open_to_read

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
    with open_to_read(tmp_path / FILE) as file:
        for subject in islice(subjects(file), 1000):
            found.append(subject)
            with suppress(Damaged):
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
    assert f"{FILE}-wal is damaged: what was kept last is lost." in check().stdout
    assert caplog.records == []
    open_store(folder).close()
    assert f"{FILE}-wal is damaged" in caplog.text
    aside = folder / f"{FILE}-wal.damaged-1"
    assert (aside.read_bytes(), aside.stat().st_mode & 0o777) == (bytes(data), 0o600)
    open_store(folder).close()
    assert len(caplog.records) == 1, "it was told"


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
    assert (store.subjects(), caplog.records) == (["t1"], [])
    store.close()


def test_f06_data_that_lost_too_much_for_a_server_are_told_in_a_sentence(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([(f"t{number}", part, b"x" * 1000) for number in range(1, 29) for part in range(1, 20)])
    store.close()
    data = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(data[: 10 * PAGE].ljust(len(data), b"\0"))
    result = cli.invoke(app, ["serve", "--port", "0", "--data", str(tmp_path)])
    assert (result.exit_code, "database disk image is malformed." in result.stderr) == (1, True), result


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
    for _ in range(2):
        store = open_store(tmp_path)
        store.commit_now([(subject, 150, b"new") for subject in ("t1", "t2", "t9")])
        store.settle()
        assert {subject: store.read(subject)[150] for subject in store.subjects()} == {
            "t1": b"new",
            "t2": b"new",
            "t3": b"t3" * 50,
            "t9": b"new",
        }
        assert len(store.read("t2")) == 300
        assert store._file.execute("SELECT subject, part, data FROM latest").fetchall() == [("t2", 150, b"new")]
        store.close()
    assert "the place of 't2' in the data is damaged" in caplog.text
