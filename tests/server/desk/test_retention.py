"""What is kept is bounded: finished matches make room, those that began first."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import trio

from server.config import Config
from server.desk.retention import LOOK_SECONDS
from server.desk.tables import SWEEP_SECONDS
from server.store.reading import OLDEST
from server.store.rows import EVERYTHING, StoreFailed
from server.store.sqlite import open_store
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.helpers.toy import TOY, ToyGame

MOST = 12_000


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def config() -> Config:
    return Config(port=0, house_seconds=0.0, data_bytes=MOST, keep_seconds=0.0)


def matches(disk: Disk) -> list[str]:
    return [subject for subject in disk.rows if subject[1:].isdigit()]


async def test_old_finished_matches_make_room_and_nothing_else_does(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "magehall.store")
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    for number in range(2, 30):
        await ann.ask("open", game="toy", seats=2, options={"rounds": 3})
        await ann.ask("add", table=f"t{number}", bot="first")
        await ann.ask("start", table=f"t{number}")
        await ann.play_on()
        await trio.sleep(1.1)
        hall.lobby.tables.remove_stale_tables()
    await trio.sleep(LOOK_SECONDS + 1)
    left = matches(disk)
    assert "t1" in left, "an open table stays"
    assert await disk.used_bytes() <= MOST
    assert 1 < len(left) < 29
    assert left[1:] == [f"t{number}" for number in range(31 - len(left), 30)], "the newest stay"
    assert "old finished matches were deleted" in caplog.text
    assert "name:ann" in disk.rows
    assert int(disk.rows["lobby"][1]) == 29


async def test_what_a_full_disk_does_not_let_go_is_as_it_was_and_no_damage_is_reported(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(1, 9):
        disk.rows[f"t{number}"] = {1: bytes(MOST // 4)}
    before = matches(disk)
    disk.full = True
    await trio.sleep(LOOK_SECONDS + 5)
    assert matches(disk) == before
    assert "cannot be written" in caplog.text
    assert "cannot be read" not in caplog.text
    disk.full = False
    await trio.sleep(LOOK_SECONDS + 5)
    assert matches(disk) == []


async def test_a_disk_that_cannot_tell_how_much_is_kept_loses_no_match_and_is_asked_again(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.rows["t9"] = {1: bytes(2 * MOST)}

    async def full() -> int:
        raise StoreFailed("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "used_bytes", full)
        await trio.sleep(LOOK_SECONDS + 5)
    assert "the size of the data is unknown (database or disk is full)" in caplog.text
    assert matches(disk) == ["t9"]
    await trio.sleep(LOOK_SECONDS + 5)
    assert matches(disk) == []


async def test_the_store_on_disk_tells_its_size_and_its_oldest_finished_matches(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    before = await store.used_bytes()
    blob = bytes(10_000)
    for number in (9, 10, 11):
        store.commit_now([(f"t{number}", 0, b"table"), (f"t{number}", 1, blob), (f"t{number}", 2, blob)])
    store.commit_now([("lobby", 1, b"11"), ("name:t1", 0, b"name"), ("name:t1", 1, blob)])
    assert await store.used_bytes() > before + 60_000
    assert await store.oldest_matches(9) == []
    store.commit_now([("t9", 0, None), ("t11", 0, None)])
    assert await store.oldest_matches(9) == [], "something was written of them just now"
    store.move_all_rows()
    store._file.execute("UPDATE rows SET written = 7 WHERE subject = 't11'")
    assert await store.oldest_matches(9) == ["t11", "t9"]
    assert await store.oldest_matches(1) == ["t11"]
    plan = " ".join(row[3] for row in store._file.execute("EXPLAIN QUERY PLAN " + OLDEST, (1,)))
    assert "COVERING INDEX old" in plan
    store.commit_now([("t9", EVERYTHING, None), ("t11", EVERYTHING, None)])
    assert await store.oldest_matches(9) == []
    assert await store.used_bytes() < before + 60_000, "what was taken away is free"
    store.close()


class OtherToy(ToyGame):
    rules_version = "2"


async def test_a_match_that_had_ended_under_other_rules_makes_room_on_the_server_and_is_kept(disk: Disk) -> None:
    async with running(disk) as hall:
        ann, _bob = await hall.table_of("ann", "bob")
        hall.lobby.tables.close_table(hall.lobby.tables["t1"], "the operator")
        await trio.sleep(1)
    kept = {part: data for part, data in disk.rows["t1"].items() if part}
    async with running(disk, games={TOY.id: OtherToy()}) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("tables"))["tables"][0]["state"] == "over"
        codes = {word: (await ann.ask(word, table="t1"))["code"] for word in ("resume", "replay", "close")}
        assert codes == {"resume": "other_rules", "replay": "other_rules", "close": "game_over"}
        await trio.sleep(hall.lobby.config.keep_seconds + SWEEP_SECONDS)
        assert (await ann.ask("tables"))["tables"] == []
    assert disk.rows["t1"] == kept, "what has its rules can still show it"
