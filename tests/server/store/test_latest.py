"""What was committed stands in `latest` first, and is brought to its place while commits go on: whoever reads, and
whenever all of it is cut off, finds what was committed."""

from __future__ import annotations

import logging
import random
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from server.store import latest
from server.store.file import open_read_only
from server.store.reading import FILE, current_subjects, read_rows, readable_subjects
from server.store.rows import EVERYTHING, DamagedData, DurabilityUnknown, Write
from server.store.sqlite import SqliteStore, open_store
from tests.helpers.disk import write
from tests.server.store.test_sqlite import Failing

Rows = dict[str, dict[int, bytes]]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, rows in (("ENOUGH", 60), ("PIECE", 7), ("FORGOTTEN_AT_ONCE", 25), ("MOST", 30)):
        monkeypatch.setattr(latest, name, rows)


class Pair:
    """A store, and what it should hold."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.folder, self.chance, self.store = folder, random.Random(seed), open_store(folder)
        self.rows: Rows = {}

    def commit(self, *writes: Write) -> None:
        """These, or some drawn at random."""
        batch = [*writes] or [self._drawn() for _ in range(self.chance.choice((1, 5, 40)))]
        self.store.commit_now(batch)
        for one in batch:
            write(self.rows, *one)

    def _drawn(self) -> Write:
        subject, part = f"t{self.chance.randrange(8)}", self.chance.choice((0, 1, 2, 3, 4, EVERYTHING))
        gone = part == EVERYTHING or self.chance.random() < 0.3
        return subject, part, None if gone else self.chance.randbytes(self.chance.choice((0, 3, 40)))

    def check(self) -> None:
        """The store, and who reads beside it, find the same as if all was done one by one."""
        there = {subject: parts for subject, parts in self.rows.items() if parts}
        assert {subject: self.store.read(subject) for subject in self.store.all_subjects()} == there
        assert self.store.current_subjects() == sorted(subject for subject, parts in there.items() if 0 in parts)
        assert found_in(self.folder) == there


def found_in(folder: Path) -> Rows:
    """By a reader beside the server."""
    with open_read_only(folder / FILE) as file:
        found = {subject: read_rows(file, subject) for subject in readable_subjects(file)}
        assert current_subjects(file) == [subject for subject, parts in found.items() if 0 in parts]
    return found


def waiting(store: SqliteStore) -> int:
    """Rows in `latest`."""
    (rows,) = store._file.execute("SELECT COUNT(*) FROM latest").fetchone()
    assert isinstance(rows, int)
    return rows


def in_place(store: SqliteStore) -> Rows:
    """As they stand in `rows`."""
    found: Rows = {}
    for subject, part, data in store._file.execute("SELECT subject, part, data FROM rows"):
        found.setdefault(subject, {})[part] = data
    return found


@pytest.mark.parametrize("seed", range(2))
def test_puts_and_takings_end_as_if_done_one_by_one_whenever_they_are_brought_to_their_places(
    tmp_path: Path, seed: int
) -> None:
    pair = Pair(tmp_path, seed)
    rounds = 0
    for _ in range(150):
        pair.commit()
        match pair.chance.random():
            case low if low < 0.5:
                pair.store.do_maintenance()
            case low if low < 0.53:
                pair.store.move_all_rows()
                rounds += waiting(pair.store) == 0
            case low if low < 0.55:
                pair.store.close()
                pair.store = open_store(tmp_path)
        pair.check()
    assert rounds
    pair.store.close()


def steps(store: SqliteStore) -> Iterator[None]:
    """One round, and a stop before each of its steps."""
    yield
    for _step in store._latest.move_rows():
        yield
    yield


@pytest.mark.parametrize("busy", [False, True], ids=["nothing", "more"])
def test_f01_a_crash_before_any_step_of_a_round_loses_nothing_and_doubles_nothing(tmp_path: Path, busy: bool) -> None:
    pair = Pair(tmp_path / "running")
    pair.commit(*(("t1", part, b"long ago") for part in range(40)), *(("t2", part, b"x") for part in range(9)))
    pair.commit(("t2", EVERYTHING, None), ("t2", 3, b"again"))
    pair.store.move_all_rows()
    for _ in range(12):
        pair.commit()
    stops = 0
    for stops, _stop in enumerate(steps(pair.store), 1):
        if busy:
            pair.commit()
        pair.check()
        crashed = tmp_path / str(stops)
        crashed.mkdir()
        for name in (FILE, f"{FILE}-wal"):
            shutil.copy(pair.folder / name, crashed)
        there = found_in(pair.folder)
        assert found_in(crashed) == there
        again = open_store(crashed)
        assert (in_place(again), waiting(again)) == (there, 0)
        again.close()
    assert stops > 12
    assert busy or waiting(pair.store) == 0
    pair.store.close()


def test_what_was_written_last_is_in_its_place_when_the_store_was_closed(tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    pair.commit()
    pair.store.close()
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as file:
        assert file.execute("SELECT COUNT(*) FROM latest").fetchone() == (0,)


@pytest.mark.parametrize("commits", [1, 2, 3])
def test_the_few_rows_that_a_kill_left_waiting_are_in_their_place_once_the_store_is_open(
    tmp_path: Path, commits: int
) -> None:
    pair = Pair(tmp_path / "killed")
    for part in range(commits):
        pair.commit(("t1", part, b"x"))
    shutil.copytree(tmp_path / "killed", tmp_path / "data")
    pair.store.close()
    store = open_store(tmp_path / "data")
    assert (waiting(store), len(store.read("t1"))) == (0, commits)
    store.close()


async def test_commits_go_on_while_what_they_wrote_is_brought_to_its_place(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    seen: list[int] = []
    for number in range(300):
        await store.commit([(f"t{number % 7}", number, b"row"), ("count", 0, b"%d" % number)])
        seen.append(waiting(store))
    assert max(seen) < 300, "it is taken out again and again"
    assert store.read("t0") == dict.fromkeys(range(0, 300, 7), b"row")
    assert store.read("count") == {0: b"299"}
    store.close()


def failing(store: SqliteStore, statement: str, name: str) -> None:
    store._file = store._latest._file = Failing(store._file, statement, name)  # type: ignore[assignment]


@pytest.mark.parametrize("statement", ["INSERT INTO rows", "DELETE FROM rows", "DELETE FROM latest"])
def test_f04_a_disk_that_is_full_while_rows_are_brought_to_their_places_loses_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, statement: str
) -> None:
    pair = Pair(tmp_path)
    while not pair.store._latest.is_round_due:
        pair.commit()
    honest = pair.store._file
    failing(pair.store, statement, "SQLITE_FULL")
    for _ in range(30):
        pair.store.do_maintenance()
    assert "cannot be moved to their places" in caplog.text
    pair.store._file = pair.store._latest._file = honest
    pair.check()
    for _ in range(40):
        pair.commit()
        pair.store.do_maintenance()
    assert len(caplog.records) == 1, "and it is tried again"
    pair.check()
    assert in_place(pair.store)
    pair.store.move_all_rows()
    assert waiting(pair.store) == 0
    pair.check()
    pair.store.close()


def test_f05_an_fsync_that_fails_while_rows_are_brought_to_their_places_is_found_by_the_next_commit(
    tmp_path: Path,
) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", part, b"row") for part in range(60)])
    honest = store._file
    failing(store, "INSERT INTO rows", "SQLITE_IOERR_FSYNC")
    for _ in range(2):
        store.do_maintenance()
    store._file = store._latest._file = honest
    with pytest.raises(DurabilityUnknown):
        store.commit_now([("t1", 60, b"row")])
    with pytest.raises(DurabilityUnknown):
        store.move_all_rows()
    assert len(store.read("t1")) == 60
    store.close()
    store = open_store(tmp_path)
    assert len(in_place(store)["t1"]) == 60, "a restart knows what is on the disk"
    store.close()


def changed(folder: Path, statement: str) -> SqliteStore:
    """Opened again after `latest`, which a kill left full, was changed behind our back."""
    for name in (FILE, f"{FILE}-wal"):
        (folder / "killed").mkdir(exist_ok=True)
        shutil.copy(folder / name, folder / "killed")
    with closing(sqlite3.connect(folder / "killed" / FILE, isolation_level=None)) as file:
        assert file.execute(statement).rowcount == 1
    return open_store(folder / "killed")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE latest SET data = x'00' WHERE subject = 't1' AND part = 1",
        "UPDATE latest SET data = 'first' WHERE subject = 't1' AND part = 1",
        "UPDATE latest SET part = 3 WHERE subject = 't1' AND part = 1",
        "UPDATE latest SET part = -1 WHERE subject = 't1' AND data IS NULL",
        "UPDATE latest SET data = NULL WHERE subject = 't1' AND part = 1",
        "UPDATE latest SET subject = 't1' WHERE subject = 't3' AND part = -1",
    ],
)
def test_f06_a_row_that_was_changed_before_it_came_to_its_place_damages_what_it_names_and_nothing_else(
    tmp_path: Path, statement: str
) -> None:
    store = open_store(tmp_path)
    store.commit_now([("t1", 0, b"table"), ("t2", 0, b"table")])
    store.move_all_rows()
    store.commit_now([("t1", 1, b"first"), ("t1", 7, None), ("t2", 1, b"first"), ("t3", EVERYTHING, None)])
    damaged = changed(tmp_path, statement)
    store.close()
    for _ in range(2):
        assert damaged.all_subjects() == ["t1", "t2"]
        with pytest.raises(DamagedData, match="of t1 differs from what was written"):
            damaged.read("t1")
        assert damaged.read("t2") == {0: b"table", 1: b"first"}
        assert in_place(damaged)["t1"][0] == b"table"
        assert waiting(damaged) == 1, "it is kept for who can do more with it"
        damaged.close()
        damaged = open_store(tmp_path / "killed")
    damaged.commit_now([("t1", 9, b"more"), ("t2", 9, b"more")])
    damaged.move_all_rows()
    assert in_place(damaged)["t2"][9] == b"more"
    assert waiting(damaged) == 1
    damaged.close()


def places_damaged(monkeypatch: pytest.MonkeyPatch, *whose: str) -> list[str]:
    """Where rows of these subjects cannot be written. Returns the attempts."""
    attempts: list[str] = []

    class Damaging(Failing):
        def execute(self, statement: str, *values: Sequence[object]) -> sqlite3.Cursor:
            self._statement = "nothing"
            if values and statement.startswith("INSERT INTO rows") and {*whose} & {*values[0]}:
                self._statement = statement
                attempts.append(statement)
            return super().execute(statement, *values)

    honest = latest.LatestRows.__init__

    def damaging(self: latest.LatestRows, file: sqlite3.Connection) -> None:
        honest(self, file)
        self._file = Damaging(file, "", "SQLITE_CORRUPT_INDEX")  # type: ignore[assignment]

    monkeypatch.setattr(latest.LatestRows, "__init__", damaging)
    return attempts


def test_f06_what_cannot_be_brought_to_its_place_is_read_beside_it_and_the_rest_is_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts = places_damaged(monkeypatch, "t2", "t5")
    pair = Pair(tmp_path)
    for _ in range(80):
        pair.commit()
        pair.store.do_maintenance()
        pair.check()
    pair.store.move_all_rows()
    pair.check()
    assert in_place(pair.store).keys() & {"t2", "t5"} == set()
    assert in_place(pair.store).keys() > {"t1", "t3"}
    assert len(attempts) < 20, "nothing is tried there again"
    assert waiting(pair.store) < 50, "of what stays only the last is kept"
    assert sorted(record.message[:25] for record in caplog.records) == [
        "the page of 't2' in the d",
        "the page of 't5' in the d",
    ]
    assert {record.levelno for record in caplog.records} == {logging.ERROR}
    pair.store.close()
    monkeypatch.undo()
    pair.store = open_store(tmp_path)
    pair.check()
    assert (in_place(pair.store), waiting(pair.store)) == ({one: rows for one, rows in pair.rows.items() if rows}, 0)
    pair.store.close()
