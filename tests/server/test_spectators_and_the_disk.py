"""What spectators hear where the disk is slow or full: everything that is kept, in order, before what follows from it."""

from __future__ import annotations

import pytest
import trio

from tests.helpers.disk import Disk
from tests.helpers.hall import Hall

SLOW = 0.2  # seconds that a commit takes


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def test_a_long_log_tells_a_spectator_nothing_that_is_not_on_disk(hall: Hall, disk: Disk) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    for number in range(45):  # more than one slice of work
        await ann.ask("say", table="t1", text=f"{number}")
    await eve.heard()
    disk.delay = SLOW
    asked = trio.current_time()
    await eve.send({"type": "log", "id": 90, "table": "t1"})
    await ann.send({"type": "say", "id": 90, "table": "t1", "text": "last"})
    told = await eve.until(lambda message: message.get("re") == 90)
    assert told["messages"][-1]["text"] == "last"
    assert trio.current_time() - asked == pytest.approx(SLOW, abs=0.01)
    assert [message["text"] for message in eve.told] == ["last"], "it heard before what the answer knows of"


async def test_who_comes_back_is_told_nothing_that_is_not_on_disk(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for number in range(45):
        await ann.ask("say", table="t1", text=f"{number}")
    await bob.cut()
    bob = await hall.again("bob", bob.token)
    await trio.sleep(1)
    disk.delay = SLOW
    asked = trio.current_time()
    await bob.send({"type": "resume", "id": 90, "table": "t1", "after": 0})
    await ann.send({"type": "say", "id": 90, "table": "t1", "text": "last"})
    await bob.until(lambda message: message.get("text") == "last")
    assert trio.current_time() - asked == pytest.approx(SLOW, abs=0.01)
