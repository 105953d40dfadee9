"""Replays of matches whose tables are gone: they are read from the disk, as long as they are kept."""

from __future__ import annotations

import pytest
import trio

from server.config import Config
from server.table.archive import MatchNotFound, finished_record
from server.table.records import TABLE
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.server.table.test_replays import GAMES, fetched, finished


@pytest.fixture
def disk() -> Disk:
    return Disk(delay=0.01)


async def past(hall: Hall) -> bytes:
    """The replay of t1, asked for while the table was there; now it is gone."""
    ann, bob = await finished(hall)
    data = await fetched(ann)
    hall.lobby.replays._kept.clear()
    for peer in (ann, bob):
        await peer.close()
    await trio.sleep(hall.lobby.config.keep_seconds + 1)
    hall.lobby.tables.remove_stale_tables()
    assert "t1" not in hall.lobby.tables
    return data


async def test_anybody_is_given_a_finished_match_whose_table_is_gone(hall: Hall) -> None:
    data = await past(hall)
    eve = await hall.player("eve")
    assert await fetched(eve) == data
    assert (await eve.ask("replay", table="t1", after=999))["code"] == "bad_cursor"
    assert (await eve.ask("replay", table="t2"))["code"] == "no_such_table"


async def test_h01_of_what_else_is_kept_nothing_is_read_for_who_asks_for_the_replay_of_a_table_of_that_name(
    hall: Hall, disk: Disk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    eve = await hall.player("eve")
    await eve.ask("open", game="toy")
    await eve.ask("cup_open", cup="friday", game="toy")
    await trio.sleep(1)
    others = [subject for subject in disk.rows if subject != "t1"]
    assert {"lobby", "name:eve", "cup:frlday"} <= set(others)
    read: list[str] = []
    monkeypatch.setattr(disk, "read_in_thread", lambda subject: read.append(subject))
    for subject in (*others, "t01", "t1\n"):
        assert (await eve.ask("replay", table=subject))["code"] == "no_such_table"
    assert read == []
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_and_so_after_a_restart(hall: Hall, disk: Disk, config: Config) -> None:
    data = await past(hall)
    async with trio.open_nursery() as nursery:
        again = Hall(nursery, config, store=disk)
        assert await fetched(await again.player("eve")) == data
        nursery.cancel_scope.cancel()


async def test_others_are_served_while_the_disk_is_slow_and_the_work_is_charged(
    hall: Hall, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await past(hall)
    eve, zoe = await hall.player("eve"), await hall.player("zoe")
    charged: list[float] = []
    session = next(one for one in hall.app.sessions if one.player and one.player.name == "eve")
    monkeypatch.setattr(type(session), "charge", lambda one, work: charged.append(work) if one is session else None)
    hall.limit(lines_a_request=1)
    disk.delay = 5.0
    begun = trio.current_time()
    await eve.send({"type": "replay", "id": 50, "table": "t1"})
    await zoe.ask("ping")
    assert trio.current_time() - begun < 1
    lines = (await eve.next("replay_lines"))["lines"]
    assert trio.current_time() - begun >= 5
    assert charged == [5, len(disk.rows["t1"]), len(lines)], "for the request, for reading, for writing"


async def test_g11_a_match_that_is_not_over_is_given_to_nobody_even_if_its_table_cannot_be_read(
    hall: Hall, disk: Disk, config: Config
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    rows = dict(disk.rows["t1"])
    disk.rows["t1"][TABLE] = b"?"
    async with trio.open_nursery() as nursery:
        again = Hall(nursery, config, store=disk)
        assert again.lobby.tables == {}
        assert (await (await again.player("eve")).ask("replay", table="t1"))["code"] == "no_such_table"
        nursery.cancel_scope.cancel()
    with pytest.raises(MatchNotFound, match="not over"):
        finished_record(rows, GAMES)


async def test_a_match_that_is_damaged_is_no_longer_there_and_the_log_says_so_without_its_cards(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    await past(hall)
    disk.rows["t1"][4] = b"?"
    assert (await (await hall.player("eve")).ask("replay", table="t1"))["code"] == "no_such_table"
    assert "the match of table t1 cannot be computed" in caplog.text


async def test_g11_where_the_table_goes_before_the_end_is_on_disk_nobody_is_given_the_replay_yet(
    hall: Hall, disk: Disk
) -> None:
    ann, _bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    eve = await hall.player("eve")
    await hall.lobby.journal.wait_until_written()
    disk.delay = 5.0
    for peer in (ann, _bob):
        turn = await peer.next("turn")
        await peer.send({"type": "act", "id": 50, "table": "t1", "turn": 1, "action": turn["legal"][0]})
        await trio.sleep(0.1)
    await ann.send({"type": "replay", "id": 51, "table": "t1"})
    await trio.sleep(0.1)
    assert hall.lobby.tables["t1"].done.is_set()
    hall.lobby.tables.remove_and_announce(hall.lobby.tables["t1"])
    assert (await eve.ask("replay", table="t1"))["code"] == "no_such_table"
