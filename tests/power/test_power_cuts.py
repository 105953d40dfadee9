"""F02, F03: after a power cut at any moment every acknowledged commit is there, whole and in order; and the rig notices
a store that does not wait for the disk, and one that acknowledges first."""

from __future__ import annotations

import logging
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from matches.fold import Entry
from protocol.entries import ActionTaken
from server.config import Config
from server.store.file import CannotOpen, open_read_only
from server.store.reading import FILE, read_rows, readable_subjects
from server.store.rows import StoreFailed
from server.store.sqlite import open_store
from tests.helpers.disk import write
from tests.helpers.hall import Hall
from tests.helpers.toy import Play
from tests.power.disk import ACKS, Asked, Disk
from tests.power.load import batch
from tests.power.recording import record


class Rows:
    """What the commits make, one after the other."""

    def __init__(self) -> None:
        self.count = 0
        self.rows: dict[str, dict[int, bytes]] = {}

    def up_to(self, count: int) -> dict[str, dict[int, bytes]]:
        """All rows after that many commits, which grow from call to call."""
        if count < self.count:
            self.__init__()  # type: ignore[misc]
        for number in range(self.count + 1, count + 1):
            for one in batch(number):
                write(self.rows, *one)
        self.count = count
        return {subject: parts for subject, parts in self.rows.items() if parts}


def after_cuts(asked: list[Asked], cuts: int, folder: Path) -> Iterator[Disk]:
    """So many moments, in order; the folder holds what is left after a power cut there."""
    rng, disk = random.Random(cuts), Disk()
    begun = next(at for at, one in enumerate(asked) if one.name == ACKS)
    at = 0
    for moment in sorted(rng.randrange(begun, len(asked)) for _ in range(cuts)):
        for one in asked[at:moment]:
            disk.take(one)
        at = moment
        disk.cut(folder, rng)
        yield disk
        shutil.rmtree(folder)


def losses(asked: list[Asked], cuts: int, folder: Path) -> list[str]:
    """What is wrong after so many power cuts, one line each."""
    rows = Rows()
    return [wrong for disk in after_cuts(asked, cuts, folder) if (wrong := _wrong(folder, len(disk.acks), rows))]


def _wrong(folder: Path, acknowledged: int, rows: Rows) -> str:
    """What is wrong with the data; "" for nothing."""
    try:
        with open_read_only(folder / FILE) as file:  # before anything is brought to its place
            found = {subject: read_rows(file, subject) for subject in readable_subjects(file)}
        store = open_store(folder)
    except (CannotOpen, StoreFailed, sqlite3.Error) as error:
        return str(error)
    try:
        count = int(store.read("count").get(0, b"0"))
        if count < acknowledged:
            return f"{acknowledged} commits were acknowledged, {count} are there"
        there = {subject: dict(store.read(subject)) for subject in store.all_subjects()}
        if not there == found == rows.up_to(count):
            return f"the rows are not those of commit {count}"
        (fine,) = store._file.execute("PRAGMA integrity_check").fetchone()
        return "" if fine == "ok" else str(fine)
    except StoreFailed as error:
        return str(error)
    finally:
        store.close()


@pytest.mark.parametrize(
    ("commits", "cuts"), [(420, 20), pytest.param(1_500, 1_000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])]
)
def test_f02_after_a_power_cut_every_acknowledged_commit_is_there_whole_and_in_order(
    tmp_path: Path, commits: int, cuts: int
) -> None:
    asked = record(tmp_path / "data", "tests.power.load", str(commits), "honest")
    assert sum(one.what == "W" and one.name == "magehall.db" for one in asked) > 20, "no checkpoint was recorded"
    found = losses(asked, cuts, tmp_path / "cut")
    print(f"\npower cuts of a store: {cuts}, calls recorded: {len(asked)}, commits: {commits}, losses: {len(found)}")
    assert found == []


@pytest.mark.parametrize("how", ["normal", "acknowledge-first"])
def test_f03_the_rig_notices_a_store_that_does_not_wait_for_the_disk(tmp_path: Path, how: str) -> None:
    asked = record(tmp_path / "data", "tests.power.load", "60", how)
    found = losses(asked, 20, tmp_path / "cut")
    print(f"\nnegative control, {how}: losses after 20 power cuts: {len(found)}")
    assert found
    assert all("commits were acknowledged" in line for line in found)


@pytest.mark.parametrize(("tables", "cuts"), [(6, 6), pytest.param(40, 300, marks=pytest.mark.soak)])
def test_f02_a_server_goes_on_after_a_power_cut_with_every_decision_that_it_acknowledged(
    tmp_path: Path, tables: int, cuts: int, caplog: pytest.LogCaptureFixture
) -> None:
    asked = record(tmp_path / "data", "tests.power.serve", str(tables))
    acknowledged = 0
    for disk in after_cuts(asked, cuts, tmp_path / "cut"):
        entries = trio.run(_log_of_all, tmp_path / "cut", clock=MockClock(autojump_threshold=0))
        for ack in disk.acks:
            table, seat, turn, card = (word.decode() for word in ack.split())
            done = [entry for entry in entries[table] if isinstance(entry, ActionTaken) and entry.seat == int(seat)]
            assert done[int(turn) - 1].action == Play(int(card)), ack
            acknowledged += 1
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert acknowledged
    print(f"\npower cuts of a server: {cuts}, acknowledged decisions looked for and found: {acknowledged}")


async def _log_of_all(folder: Path) -> dict[str, list[Entry]]:
    """The log of every table of a server on that folder."""
    store = open_store(folder)
    try:
        async with trio.open_nursery() as nursery:
            hall = Hall(nursery, Config(port=0), store=store)
            logs = {table.id: list(table.entries) for table in hall.lobby.tables.values()}
            nursery.cancel_scope.cancel()
        return logs
    finally:
        store.close()
