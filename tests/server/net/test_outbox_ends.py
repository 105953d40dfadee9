"""How much may wait to be sent, and what becomes of it where the disk, the peer or the connection fails."""

import pytest
import trio
import trio.testing

from server.config import Config
from server.net.outbox import Outbox
from tests.server.net.test_outbox import Owner, Throttle


class Lenient(Owner):
    """Takes it that something was not kept."""

    def not_kept(self, requests: list[int]) -> None:
        self._told.append("not kept")


async def test_what_only_stood_behind_something_that_was_lost_is_sent_once(nursery: trio.Nursery) -> None:
    wire, told = Throttle(), list[str]()
    wire.open()
    outbox = Outbox(wire, Config(), nursery, Lenient(told))
    outbox.wait_for(1)
    for data, kept in ((b"a", True), (b"b", False), (b"c", True)):
        outbox.put(data, kept=kept)
    outbox.lost(0, surely=True)
    assert (wire.taken, len(outbox), told) == (b"ac", 0, ["not kept"])
    outbox.kept(1)
    outbox.put(b"d")
    assert wire.taken == b"acd"


@pytest.mark.parametrize("happens", ["kept", "lost", "sent", "given up"])
async def test_the_end_waits_no_longer_than_until_all_is_sent_or_never_will_be(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, happens: str
) -> None:
    wire, told = Throttle(), list[str]()
    outbox = Outbox(wire, Config(outbox_bytes=100), nursery, Lenient(told))
    if happens in ("kept", "lost"):
        wire.open()
        outbox.wait_for(1)
    outbox.put(b"x" * 90)
    ended = list[float]()

    async def finish() -> None:
        await outbox.finish()
        ended.append(trio.current_time())

    began = trio.current_time()
    nursery.start_soon(finish)
    await trio.sleep(1.0)
    assert ended == []
    if happens == "kept":
        outbox.kept(1)
    elif happens == "lost":
        outbox.lost(0, surely=True)
    elif happens == "sent":
        wire.open()
    else:
        outbox.put(b"x" * 20)
    await trio.sleep(0.5)
    assert [when - began for when in ended] == [pytest.approx(1.0)]
    assert wire.sent == (90 if happens in ("kept", "sent") else 0)
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("ends", ["dropped", "too slow"])
async def test_of_a_connection_that_is_over_nothing_is_sent_any_more(
    nursery: trio.Nursery, waits: bool, ends: str
) -> None:
    wire, told = Throttle(), list[str]()
    outbox = Outbox(wire, Config(outbox_bytes=100), nursery, Lenient(told))
    outbox.put(b"first")
    if waits:
        outbox.wait_for(1)
        outbox.put(b"waits")
    if ends == "dropped":
        outbox.drop()
    else:
        outbox.put(b"x" * 101)
    assert (len(outbox), told) == (0, ["too slow"] * (ends == "too slow"))
    wire.open()
    outbox.kept(1)
    await trio.testing.wait_all_tasks_blocked()
    assert wire.taken == b""


@pytest.mark.parametrize(("length", "slow"), [(100, False), (101, True)])
async def test_so_much_may_be_unsent_or_wait_and_no_more(nursery: trio.Nursery, length: int, slow: bool) -> None:
    for waits in (False, True):
        told = list[str]()
        outbox = Outbox(Throttle(), Config(outbox_bytes=100), nursery, Owner(told))
        outbox.owe("t1", -5)  # a table of which nothing was missed
        outbox.hold()
        if waits:
            outbox.wait_for(1)
        outbox.put(b"x" * length)
        assert told == []
        outbox.release()
        assert told == ["too slow"] * slow


async def test_what_is_owed_counts_until_all_of_it_is_sent(nursery: trio.Nursery) -> None:
    wire, told = Throttle(), list[str]()
    outbox = Outbox(wire, Config(outbox_bytes=100, behind_bytes=50), nursery, Owner(told))
    assert not outbox.owes_others("t2")
    outbox.hold()
    outbox.owe("t1", 500)
    outbox.owe("t1", 500)  # a second time it does count
    outbox.put(b"x" * 590)
    outbox.release()
    assert (outbox.owes_others("t1"), outbox.owes_others("t2")) == (False, True)
    outbox.hold()
    outbox.put(b"x" * 10)
    outbox.release()
    assert told == []
    outbox.put(b"x")
    assert told == ["too slow"]


@pytest.mark.parametrize(("unsent", "waits"), [(50, False), (51, True)])
async def test_another_table_s_catch_up_waits_while_much_of_one_is_unsent(
    nursery: trio.Nursery, unsent: int, waits: bool
) -> None:
    outbox = Outbox(Throttle(), Config(behind_bytes=50), nursery, Owner([]))
    outbox.owe("t1", unsent)
    outbox.put(b"x" * unsent)
    assert outbox.owes_others("t2") == waits
