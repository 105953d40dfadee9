"""What waits to be sent has a bound, but what a player missed is owed whole."""

import random

import pytest
import trio
import trio.testing

from server.config import Config
from server.net.outbox import LINGER_BYTES, Outbox
from server.net.wire import Wire
from server.net.write_coalescing import LINGER_SECONDS, WriteCoalescer
from server.store.journal import Journal
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall

BOUND = 2_100  # bytes: more than a welcome takes


@pytest.mark.parametrize("config", [{"outbox_bytes": BOUND}], indirect=True)
async def test_a_player_who_comes_back_is_told_everything_however_much_it_is(hall: Hall) -> None:
    players = [ann, *_] = await hall.table_of("ann", "bob", "cid", "dot", options={"rounds": 3})
    for _round in range(2):
        for peer in players:
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    await ann.stream.aclose()
    again = await hall.again("ann", ann.token)
    resumed = await again.ask("resume", table="t1")
    assert resumed["type"] == "resumed"
    missed = [await again.message() for _ in range(resumed["n"])]
    assert [message["n"] for message in missed] == list(range(1, resumed["n"] + 1))
    assert len(str(missed)) > BOUND
    assert (await again.ask("ping"))["type"] == "pong"


class Throttle(Wire):
    """Takes so many bytes, and then none until it is opened."""

    def __init__(self) -> None:
        self.room, self.sent = 0, 0
        self.taken = b""
        self._open = trio.Event()

    def open(self) -> None:
        self.room = 10**9
        self._open.set()

    async def receive(self) -> bytes:
        return b""

    def try_send(self, data: bytes | bytearray) -> int:
        taken = min(len(data), self.room)
        self.room -= taken
        self.sent += taken
        self.taken += data[:taken]
        return taken

    async def send_some(self, data: bytes) -> int:
        await self._open.wait()
        return self.try_send(data)

    async def close_gracefully(self) -> None:
        return

    async def abort(self) -> None:
        return


class Owner:
    """Notes what it is told."""

    def __init__(self, told: list[str]) -> None:
        self._told = told

    def end_slow_connection(self) -> None:
        self._told.append("too slow")

    def refuse_lost_requests(self, requests: list[int]) -> None:
        raise AssertionError(requests)


@pytest.mark.parametrize("at_once", [True, False], ids=["sent at once", "sent later"])
async def test_what_was_owed_raises_the_bound_until_it_is_sent_and_then_no_more(
    nursery: trio.Nursery, at_once: bool
) -> None:
    wire, slow = Throttle(), list[str]()
    outbox = Outbox(wire, Config(outbox_bytes=100), nursery, Owner(slow))
    if at_once:
        wire.open()
    outbox.start_batching()
    outbox.raise_limit("t1", 500)
    outbox.send_bytes(b"x" * 550)
    outbox.release()
    await trio.testing.wait_all_tasks_blocked()
    assert not slow
    wire.open()
    await trio.testing.wait_all_tasks_blocked()
    assert (wire.sent, len(outbox)) == (550, 0)
    wire.room, wire._open = 0, trio.Event()
    outbox.send_bytes(b"x" * 101)
    assert slow == ["too slow"]


class Faulty(Throttle):
    """Fails as no wire should."""

    async def send_some(self, data: bytes) -> int:
        raise LookupError("planted")


async def test_a_writer_that_fails_is_logged_and_its_wire_is_given_up(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    wire = Faulty()
    Outbox(wire, Config(), nursery, Owner([])).send_bytes(b"x")
    await trio.testing.wait_all_tasks_blocked()
    assert wire.broken
    assert [record.getMessage() for record in caplog.records] == ["a writer failed"]


class Trickle(Throttle):
    """Takes a byte a second."""

    async def send_some(self, data: bytes) -> int:
        await trio.sleep(1)
        self.room = 1
        return self.try_send(data)


@pytest.mark.parametrize(("unsent", "owed", "cut"), [(900, 0, False), (1_200, 0, True), (1_200, 300, False)])
async def test_b04_a_reader_of_a_byte_a_second_is_cut_once_it_was_far_behind_for_ten_seconds(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, unsent: int, owed: int, cut: bool
) -> None:
    wire, slow = Trickle(), list[str]()
    outbox = Outbox(wire, Config(behind_bytes=1_000), nursery, Owner(slow))
    outbox.raise_limit("t1", owed)
    outbox.send_bytes(b"x" * unsent)
    await trio.sleep(9.5)
    assert (wire.sent, slow) == (9, [])
    await trio.sleep(1)
    assert slow == ["too slow"] * cut
    await trio.sleep(100)
    assert slow == ["too slow"] * cut
    nursery.cancel_scope.cancel()


async def test_whatever_lingers_is_gathered_waits_for_the_disk_or_is_held_arrives_once_and_in_order(
    autojump_clock: trio.testing.MockClock,
) -> None:
    for seed in range(100):
        rng, wire, slow, journal = random.Random(seed), Throttle(), list[str](), Journal(Disk(delay=0.3))
        async with trio.open_nursery() as nursery:
            lingering = WriteCoalescer()
            nursery.start_soon(lingering.run)
            nursery.start_soon(journal.run)
            outbox = Outbox(wire, Config(outbox_seconds=1e6), nursery, Owner(slow), journal, lingering)
            told = b""
            wire.room = rng.choice((0, 200, 10**9))
            for number in range(60):
                what = rng.choice(
                    ("tell", "tell", "linger", "linger", "hold", "release", "write", "gather", "end", "rest")
                )
                if what in ("tell", "linger"):
                    outbox.send_bytes(b"%d." % number, lingers=what == "linger")
                    told += b"%d." % number
                elif what == "hold":
                    outbox.start_batching()
                elif what == "release":
                    outbox.release()
                elif what == "write":
                    outbox.hold_until_committed(journal.put_row("t1", number, b"row"))
                elif what == "gather":
                    lingering.gathers = True
                elif what == "end":
                    lingering.release_gathered()
                else:
                    outbox.release()
                    lingering.release_gathered()
                    await trio.sleep(rng.choice((0, 0.2, 1.5)))
                assert told.startswith(wire.taken), f"seed {seed}"
                assert len(outbox) + len(wire.taken) == len(told), f"seed {seed}"
            outbox.release()
            lingering.release_gathered()
            wire.open()
            await trio.sleep(2 * 0.3 + LINGER_SECONDS + 0.1)
            assert wire.taken == told, f"seed {seed}"
            nursery.cancel_scope.cancel()


async def test_what_waits_for_the_disk_has_the_same_bound(nursery: trio.Nursery) -> None:
    wire, slow = Throttle(), list[str]()
    outbox = Outbox(wire, Config(outbox_bytes=100), nursery, Owner(slow))
    outbox.hold_until_committed(1)
    outbox.send_bytes(b"x" * 100)
    assert not slow
    outbox.send_bytes(b"x")
    assert (slow, len(outbox)) == (["too slow"], 0)


async def test_of_what_the_disk_lost_only_answers_to_requests_are_told(nursery: trio.Nursery) -> None:
    asked: list[list[int]] = []

    class Asker(Owner):
        def refuse_lost_requests(self, requests: list[int]) -> None:
            asked.append(requests)

    outbox = Outbox(Throttle(), Config(), nursery, Asker([]))
    for surely in (True, False):
        outbox.hold_until_committed(1)
        outbox.send_bytes(b"told")
        outbox.send_bytes(b"answer", 7)
        outbox.on_batch_lost(0, surely=surely)
    assert asked == [[7], []]


async def test_what_lingers_is_bounded_and_sent_at_once_beyond_that(nursery: trio.Nursery) -> None:
    wire, slow = Throttle(), list[str]()
    wire.open()
    outbox = Outbox(wire, Config(), nursery, Owner(slow), lingering=WriteCoalescer())
    outbox.send_bytes(b"x" * LINGER_BYTES, lingers=True)
    assert wire.sent == 0
    outbox.send_bytes(b"x", lingers=True)
    assert (wire.sent, slow) == (LINGER_BYTES + 1, [])
