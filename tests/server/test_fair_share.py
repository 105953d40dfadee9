"""Whose turn it is when many wait: who has used least goes first, and seats go before all others."""

from __future__ import annotations

from itertools import count

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server import fair_share
from server.fair_share import OTHERS_TURN, FairLock, FairQueue, WorkShare

SEAT = ("t1",)


class Clock:
    """Seconds that go on only when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(fair_share, "perf_counter", made)
    return made


def turns(queue: FairQueue[str], clock: Clock, seconds: float, most: int = 1_000) -> str:
    """Who has a turn, one after the other; each takes so long."""
    taken = ""
    while queue and len(taken) < most:
        taken += queue.take_next()
        clock.now += seconds
        queue.finish_item()
    return taken


def test_keys_take_turns_however_many_items_each_has(clock: Clock) -> None:
    queue = FairQueue[str]()
    many, one = WorkShare("many", SEAT), WorkShare("one", SEAT)
    for _ in range(4):
        queue.put(many, "m")
    queue.put(one, "1")
    queue.put(one, "1")
    assert turns(queue, clock, 1.0) == "m1m1mm"


def test_b19_who_was_idle_goes_before_all_who_were_busy(clock: Clock) -> None:
    queue = FairQueue[str]()
    busy = [WorkShare(number, SEAT) for number in range(20)]
    for share in busy:
        for _ in range(3):
            queue.put(share, "b")
    assert turns(queue, clock, 1.0, most=45) == 45 * "b"
    queue.put(WorkShare("idle", SEAT), "i")
    assert turns(queue, clock, 1.0, most=2) in ("bi", "ib")


def test_turns_are_shared_by_the_time_that_they_take(clock: Clock) -> None:
    queue = FairQueue[str]()
    slow, quick = WorkShare("slow", SEAT), WorkShare("quick", SEAT)
    for _ in range(40):
        queue.put(slow, "s")
        queue.put(quick, "q")
    taken = ""
    for _ in range(44):
        taken += queue.take_next()
        clock.now += 10.0 if taken[-1] == "s" else 1.0
        queue.finish_item()
    assert taken.count("q") == pytest.approx(40, abs=1)


def test_b19_seats_go_first_and_others_have_one_turn_of_so_many(clock: Clock) -> None:
    queue = FairQueue[str]()
    for number in range(3 * OTHERS_TURN):
        queue.put(WorkShare(f"stranger {number}"), "s")
        queue.put(WorkShare("player", SEAT), "p")
    taken = turns(queue, clock, 1.0, most=3 * OTHERS_TURN)
    assert taken == 3 * ("p" * (OTHERS_TURN - 1) + "s")


async def test_the_lock_goes_to_who_used_least_and_one_piece_is_done_a_round() -> None:
    lock, order, rounds = FairLock(), list[str](), count()

    async def work(name: str, share: WorkShare) -> None:
        async with lock.held_for(share):
            order.append(name)
            next(rounds)
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery, lock:
        for name, share in (("s", WorkShare("s")), ("s", WorkShare("s")), ("p", WorkShare("p", SEAT))):
            nursery.start_soon(work, name, share)
            await wait_all_tasks_blocked()
    assert order == ["p", "s", "s"]
    async with lock:  # it is free again
        pass


async def test_who_is_cancelled_while_it_waits_for_the_lock_gets_it_no_more() -> None:
    lock, got = FairLock(), list[str]()

    async def work(name: str) -> None:
        async with lock.held_for(WorkShare(name)):
            got.append(name)

    async with trio.open_nursery() as nursery, lock:
        async with trio.open_nursery() as cancelled:
            cancelled.start_soon(work, "cancelled")
            await wait_all_tasks_blocked()
            cancelled.cancel_scope.cancel()
        nursery.start_soon(work, "other")
        await wait_all_tasks_blocked()
    assert got == ["other"]
