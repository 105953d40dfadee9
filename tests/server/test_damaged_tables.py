"""Tables whose place in the data is damaged: they are kept as they are, and the others go on."""

from __future__ import annotations

import pytest
import trio

from server.store.journal import AGAIN_SECONDS
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall


@pytest.fixture
def disk() -> Disk:
    return Disk(delay=0.01)


async def test_f06_a_table_whose_place_on_the_disk_is_damaged_is_gone_and_the_others_go_on(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    cid = await hall.player("cid")
    await cid.ask("open", game="toy", seats=2)
    await cid.ask("add", table="t2", bot="first")
    await cid.ask("start", table="t2")
    turn = await ann.next("turn")
    kept = disk.read("t1")
    disk.damaged = {"t1"}
    refused = await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert refused["code"] == "storage"
    for peer in (ann, bob):
        assert (await peer.next("sent_away"))["table"] == "t1"
    assert "table t1 cannot be written" in caplog.text
    await trio.sleep(2 * AGAIN_SECONDS)
    attempts = disk.attempts - disk.commits
    assert (await ann.ask("look", table="t1"))["code"] == "no_such_table"
    assert (await cid.play_on())["results"], "t2 is played to its end"
    await trio.sleep(60)
    assert disk.attempts - disk.commits == attempts, "nothing is tried there again"
    assert disk.read("t1") == kept
    assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t3"
