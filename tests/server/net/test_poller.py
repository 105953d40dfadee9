"""Who is read when several have sent something: each in turn, and timers in between."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

import pytest

from server import fair_share
from server.fair_share import WorkShare
from server.net import poller as poller_module
from server.net.poller import Poller
from server.time_budget import TimeBudget

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
    made = Poller.create_if_supported()
    if made is None:
        pytest.skip("this system has no epoll")
    with ExitStack() as pipes:
        for peer, address in enumerate(addresses):
            ours, theirs = os.pipe()
            pipes.callback(os.close, ours)
            pipes.callback(os.close, theirs)
            os.write(theirs, b"more")
            made.register(ours, lambda peer=peer: read.append(peer), WorkShare(address) if address else None)  # type: ignore[misc]
        with made._set:
            yield made


def test_a_slice_that_is_over_ends_after_one_reader_and_the_next_one_stands_first_then(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "TimeBudget", lambda *_seconds: TimeBudget(-1.0))
    for _ in range(3 * PEERS):
        poller._read_a_slice()
    assert read == 3 * list(range(PEERS))


@pytest.mark.parametrize("addresses", [["many", "one", "many"]])
def test_b12_addresses_are_read_in_turn_however_many_sockets_each_has(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "TimeBudget", lambda *_seconds: TimeBudget(-1.0))
    for _ in range(8):
        poller._read_a_slice()
    assert read == [0, 1, 2, 1, 0, 1, 2, 1]


def test_who_has_gone_since_it_was_seen_to_be_ready_is_not_read(
    poller: Poller, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller_module, "TimeBudget", lambda *_seconds: TimeBudget(-1.0))
    poller._read_a_slice()
    poller.unregister(next(number for number in poller._readers if number in poller._known))
    for _ in range(4):
        poller._read_a_slice()
    assert read == [0, 2, 0, 2]
