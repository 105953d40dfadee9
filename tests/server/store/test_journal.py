"""What is written waits for the disk, and what depends on it waits with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import pytest
import trio
import trio.testing

from server.store.journal import LAZY_SECONDS, LOG_SECONDS, SLOW_SECONDS, Journal
from server.store.rows import EVERYTHING, StoreFailed, Write
from tests.helpers.disk import Disk


class Waiting:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    def on_batch_committed(self, durable: int) -> None:
        self.heard.append(("kept", durable))

    def on_batch_lost(self, durable: int, *, surely: bool) -> None:
        self.heard.append(("lost" if surely else "unknown", durable))


async def test_without_a_store_nobody_waits() -> None:
    journal = Journal()
    assert not journal.keeps
    assert journal.last_position == journal.durable == 0


async def test_what_is_written_while_the_disk_works_shares_the_next_commit(nursery: trio.Nursery) -> None:
    disk = Disk(delay=0.2)
    journal = Journal(disk)
    nursery.start_soon(journal.run)
    assert journal.put_row("a", 0, b"1") == journal.put_row("b", 0, b"2") == 1
    await trio.sleep(0.1)
    assert [journal.put_row("a", part, b"x") for part in range(1, 50)] == [2] * 49
    assert journal.durable == 0
    await trio.sleep(0.15)
    assert journal.durable == 1
    await journal.wait_until_written()
    assert (journal.durable, disk.commits) == (2, 2)
    assert len(disk.rows["a"]) == 50
    nursery.cancel_scope.cancel()


async def test_whoever_waits_hears_of_its_batch(nursery: trio.Nursery) -> None:
    journal = Journal(Disk(delay=0.2))
    nursery.start_soon(journal.run)
    waiting, later, late = Waiting(), Waiting(), Waiting()
    journal.add_waiter(waiting, journal.put_row("a", 0, b"1"))
    await trio.sleep(0.1)
    journal.add_waiter(later, journal.put_row("a", 1, b"2"))
    journal.add_waiter(late, 1)  # which is on its way
    assert (waiting.heard, later.heard, late.heard) == ([], [], [])
    await trio.sleep(0.15)
    assert (waiting.heard, later.heard, late.heard) == ([("kept", 1)], [], [("kept", 1)])
    await trio.sleep(0.2)
    assert (waiting.heard, later.heard, late.heard) == ([("kept", 1)], [("kept", 2)], [("kept", 1)])
    nursery.cancel_scope.cancel()


async def test_a_row_taken_away_and_written_again_is_there(nursery: trio.Nursery) -> None:
    disk = Disk()
    journal = Journal(disk)
    nursery.start_soon(journal.run)
    journal.put_row("a", 1, b"old")
    journal.put_row("a", EVERYTHING, None)
    journal.put_row("a", 0, b"new")
    await journal.wait_until_written()
    assert disk.rows["a"] == {0: b"new"}
    nursery.cancel_scope.cancel()


async def test_what_could_not_be_written_never_happened_and_is_told_once(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    disk = Disk(delay=0.1)
    journal = Journal(disk)
    lost: list[set[str]] = []
    recovered: list[float] = []
    journal.on_failure = lost.append
    journal.on_recovery = lambda: recovered.append(trio.current_time())
    nursery.start_soon(journal.run)
    journal.put_row("a", 0, b"1")
    await journal.wait_until_written()
    disk.full = True
    journal.put_row("a", 1, b"2")
    await trio.sleep(0.05)
    tried, waiting = Waiting(), Waiting()
    journal.add_waiter(tried, journal.last_position)
    journal.add_waiter(waiting, journal.put_row("b", 0, b"3"))
    await journal.wait_until_written()
    assert journal.failing
    assert lost == [{"a", "b"}]
    assert tried.heard == waiting.heard == [("lost", 1)]
    await trio.sleep(60)
    assert 50 < disk.attempts < 62, "it tries about every second"
    disk.full = False
    await trio.sleep(1.5)
    assert not journal.failing
    assert len(recovered) == 1
    assert disk.rows["a"] == {0: b"1"}
    assert "b" not in disk.rows
    assert [record.levelname for record in caplog.records if record.name == "magehall.store"] == ["ERROR", "INFO"]
    journal.put_row("b", 0, b"4")
    await journal.wait_until_written()
    assert disk.rows["b"] == {0: b"4"}
    nursery.cancel_scope.cancel()


async def test_f05_an_fsync_that_fails_while_there_is_no_room_ends_all_attempts(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    disk, broken = Disk(), list[float]()
    journal = Journal(disk)
    journal.on_broken = lambda: broken.append(trio.current_time())
    nursery.start_soon(journal.run)
    disk.full = True
    journal.put_row("a", 0, b"1")
    await trio.sleep(2.5)
    assert (disk.attempts, broken) == (3, [])
    disk.full, disk.unsure = False, True
    await trio.sleep(60)
    assert (disk.attempts, len(broken), journal.failing) == (4, 1, True)
    assert "for a restart" in caplog.text
    nursery.cancel_scope.cancel()


async def test_a_slow_commit_is_told_with_its_subjects_and_the_time_since_the_first_of_them_was_written(
    nursery: trio.Nursery,
) -> None:
    disk = Disk(delay=SLOW_SECONDS)
    journal = Journal(disk)
    slow: list[tuple[set[str], float]] = []
    journal.on_slow = lambda subjects, seconds: slow.append((subjects, seconds))
    nursery.start_soon(journal.run)
    journal.put_row("a", 0, b"1")
    await trio.sleep(SLOW_SECONDS / 2)
    journal.put_row("b", 0, b"2")
    await trio.sleep(SLOW_SECONDS / 4)
    journal.put_row("c", 0, b"3")
    await journal.wait_until_written()
    ((subjects, seconds),) = slow
    assert subjects == {"b", "c"}
    assert seconds == pytest.approx(1.5 * SLOW_SECONDS)
    nursery.cancel_scope.cancel()


async def test_where_nobody_waits_what_comes_soon_is_one_batch_and_a_failure_is_the_end(nursery: trio.Nursery) -> None:
    disk, broken = Disk(), trio.Event()
    journal = Journal(disk, waits=False)
    journal.on_broken = broken.set
    nursery.start_soon(journal.run)
    for part in range(4):
        assert journal.put_row("a", part, b"x") == journal.last_position == journal.durable == 0
        await trio.sleep(LAZY_SECONDS / 5)
    await journal.wait_until_written()
    assert (disk.commits, len(disk.rows["a"])) == (1, 4)
    disk.full = True
    journal.put_row("a", 4, b"x")
    await broken.wait()
    assert journal.failing
    nursery.cancel_scope.cancel()


class Holed(Disk):
    """Takes everything but what is to stand at one place."""

    async def commit(self, writes: Sequence[Write], done: Callable[[], object] | None = None) -> None:
        if any(subject == "hole" for subject, _part, _data in writes):
            raise StoreFailed("database disk image is malformed")
        await super().commit(writes, done)


async def test_f06_a_place_that_fails_again_and_again_is_said_in_the_log_once_a_minute(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "magehall.store")
    journal = Journal(Holed())
    nursery.start_soon(journal.run)
    for _ in range(31):
        journal.put_row("hole", 0, b"x")
        await trio.sleep(2)
        assert not journal.failing
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"] * 2
    assert "30 times" in caplog.text
    for _ in range(2):
        await trio.sleep(LOG_SECONDS)
        journal.put_row("hole", 0, b"x")
        await trio.sleep(2)
        journal.put_row("hole", 0, b"x")
    said = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    cannot = "the data cannot be written (database disk image is malformed); all matches wait until it works"
    assert said[0] == cannot
    assert said[-1] == f"{cannot}; this happened 2 times since the last line"
    nursery.cancel_scope.cancel()
