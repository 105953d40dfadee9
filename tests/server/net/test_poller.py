"""Who is read when several have sent something: each in turn, and timers in between."""

import os
import select
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest
import trio
import trio.testing

from server import fair_share
from server.fair_share import Share
from server.net import poller as poller_module
from server.net.lingering import Lingering
from server.net.poller import READS_A_SLICE, READY_AT_ONCE, Poller
from server.slices import Slice

PEERS = 3


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Which peers were read, in order. Each read takes a second."""
    seconds = count()
    monkeypatch.setattr(fair_share, "perf_counter", lambda: next(seconds))
    return []


@pytest.fixture
def addresses() -> list[str | None]:
    """Of the peers; None: each has its own."""
    return [None] * PEERS


@pytest.fixture
def poller(read: list[int], addresses: list[str | None]) -> Iterator[Poller]:
    """With peers that always have more to read."""
    made = Poller.if_possible()
    if made is None:
        pytest.skip("this system has no epoll")
    with ExitStack() as pipes:
        for peer, address in enumerate(addresses):
            ours, theirs = os.pipe()
            pipes.callback(os.close, ours)
            pipes.callback(os.close, theirs)
            os.write(theirs, b"more")
            made.register(ours, lambda peer=peer: read.append(peer), Share(address) if address else None)  # type: ignore[misc]
        with made._set:
            yield made


def test_a_slice_that_is_over_ends_after_one_reader_and_the_next_one_stands_first_then(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "Slice", lambda *_seconds: Slice(-1.0))
    for _ in range(3 * PEERS):
        poller._read_a_slice()
    assert read == 3 * list(range(PEERS))


def test_a_slice_ends_after_so_many_reads_however_quick_they_are(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "Slice", lambda *_seconds: Slice(60.0))
    poller._read_a_slice()
    assert len(read) == READS_A_SLICE
    assert {read.count(peer) for peer in range(PEERS)} <= {READS_A_SLICE // PEERS, READS_A_SLICE // PEERS + 1}


@pytest.mark.parametrize("addresses", [["many", "one", "many"]])
def test_b12_addresses_are_read_in_turn_however_many_sockets_each_has(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "Slice", lambda *_seconds: Slice(-1.0))
    for _ in range(8):
        poller._read_a_slice()
    assert read == [0, 1, 2, 1, 0, 1, 2, 1]


def test_who_has_gone_since_it_was_seen_to_be_ready_is_not_read(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "Slice", lambda *_seconds: Slice(-1.0))
    poller._read_a_slice()
    poller.unregister(next(number for number in poller._readers if number in poller._known))
    for _ in range(4):
        poller._read_a_slice()
    assert read == [0, 2, 0, 2]


@pytest.mark.parametrize(("few", "order"), [(PEERS, [0, 1, 2, 0, PEERS]), (0, [0, 1, 2, 0, 1])])
def test_where_many_were_found_they_are_read_before_the_rest_is_looked_at_again(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch, few: int, order: list[int]
) -> None:
    monkeypatch.setattr(poller_module, "FEW", few)
    monkeypatch.setattr(poller_module, "Slice", lambda seconds=-1.0: Slice(60.0 if seconds > 0 else -1.0))
    poller._read_a_slice()
    with ExitStack() as pipes:
        late, theirs = os.pipe()
        pipes.callback(os.close, late)
        pipes.callback(os.close, theirs)
        os.write(theirs, b"more")
        _reader, share = list(poller._readers.values())[1]
        poller.register(late, lambda: read.append(PEERS), share)
        for _ in range(PEERS + 1):
            poller._read_a_slice()
    assert read == order


@pytest.mark.parametrize(("addresses", "told_at_once"), [([None], True), ([None, None], False)])
def test_what_is_told_while_others_wait_to_be_read_leaves_together_when_the_slice_ends(
    addresses: list[str | None], told_at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "READS_A_SLICE", 2)
    lingering, said = Lingering(), list[str]()
    poller = Poller.if_possible(lingering)
    if poller is None:
        pytest.skip("this system has no epoll")

    class Told:
        """An outbox, as it were."""

        def release(self) -> None:
            said.append("left")

    def hear() -> None:
        said.append("read")
        if lingering.gathers:
            lingering.take(outbox, lingers=False)

    outbox = Told()
    with ExitStack() as pipes:
        for address in addresses:
            ours, theirs = os.pipe()
            pipes.callback(os.close, ours)
            pipes.callback(os.close, theirs)
            os.write(theirs, b"more")
            poller.register(ours, hear, Share(address) if address else None)
        with poller._set:
            poller._read_a_slice()
    assert said == (["read", "read"] if told_at_once else ["read", "read", "left"])
    assert not lingering.gathers


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="this system has no epoll")
def test_where_there_is_epoll_it_is_used_and_a_look_waits_for_nobody() -> None:
    poller = Poller.if_possible()
    assert poller is not None
    asked: list[tuple[int, int]] = []

    class Nothing:
        """A set of which nothing can be read."""

        def poll(self, seconds: int, most: int) -> list[tuple[int, int]]:
            asked.append((seconds, most))
            return []

    with poller._set:
        poller._set = Nothing()  # type: ignore[assignment]
        poller._read_a_slice()
        assert asked == [(0, READY_AT_ONCE)] * 2


async def test_of_a_poller_that_ended_sessions_that_end_later_need_not_be_unregistered() -> None:
    poller = Poller()
    ours, theirs = os.pipe()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        poller.register(ours, lambda: None)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    poller.unregister(ours)
    assert poller._readers == {}
    for end in (ours, theirs):
        os.close(end)
