"""Many spectators hear a few at a time, so that nobody else waits for them; each hears all, once and in order."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from protocol import messages as m
from protocol.connection import SharedMessages
from protocol.messages import Message
from server import broadcast
from server.broadcast import AT_ONCE, Broadcaster
from server.store.journal import Journal
from server.table.spectators import Spectators
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall


@dataclass(eq=False)
class Ear:
    """A listener that only remembers."""

    heard: list[str] = field(default_factory=list)
    waits_for: int = 0
    address: Hashable = None

    def push(self, messages: Sequence[Message], *, live: bool = True, kept: bool = False) -> None:
        assert live
        self.heard += [str(getattr(message, "text", "")) for message in messages]

    def hold_until_committed(self, position: int) -> None:
        self.waits_for = position

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        self.heard.append(reason)


COMMIT = 1.0  # seconds


def on_disk(nursery: trio.Nursery) -> Spectators:
    """Those of a table whose server has a slow disk."""
    journal = Journal(Disk(delay=COMMIT))
    nursery.start_soon(journal.run)
    return Spectators(Broadcaster(nursery), journal)


def said(text: str) -> SharedMessages:
    return SharedMessages((m.Chat(sender="ann", text=text),))


def crowd(spectators: Spectators, count: int) -> list[Ear]:
    ears = [Ear() for _ in range(count)]
    for ear in ears:
        spectators.add(ear)
    return ears


async def test_others_get_their_turn_between_a_few_spectators_and_the_next(nursery: trio.Nursery) -> None:
    spectators = Spectators(Broadcaster(nursery))
    ears = crowd(spectators, 3 * AT_ONCE)
    spectators.send_to_all(said("one"))
    spectators.send_to_all(said("two"))
    assert [ear.heard for ear in ears] == [["one"]] * AT_ONCE + [[]] * 2 * AT_ONCE
    await wait_all_tasks_blocked()
    assert [ear.heard for ear in ears] == [["one", "two"]] * 3 * AT_ONCE


@dataclass(eq=False)
class Witness(Ear):
    """A listener that remembers what kinds of messages it heard."""

    def push(self, messages: Sequence[Message], *, live: bool = True, kept: bool = False) -> None:
        self.heard += [type(message).__name__ for message in messages]


async def test_of_changes_in_a_row_the_last_is_told_and_of_what_stands_between_everything(
    nursery: trio.Nursery,
) -> None:
    spectators = Spectators(Broadcaster(nursery))
    crowd(spectators, AT_ONCE)
    late = Witness()
    spectators.add(late)
    change = SharedMessages(
        (m.TableChanged(info=m.TableInfo("t1", "toy", "open", "ann", (), m.ClockRule(1, 1), {}, "")),)
    )
    for bulletin in (change, change, said("one"), change, said("two"), said("three"), change, change):
        spectators.send_to_all(bulletin)
    await wait_all_tasks_blocked()
    assert late.heard == ["TableChanged", "Chat", "TableChanged", "Chat", "Chat", "TableChanged"]


async def test_who_leaves_hears_no_more_even_of_what_was_told_before(nursery: trio.Nursery) -> None:
    spectators = Spectators(Broadcaster(nursery))
    *_, last = crowd(spectators, 2 * AT_ONCE)
    spectators.send_to_all(said("one"))
    spectators.discard(last)
    spectators.add(last)  # again: what was told before is in the answer that it gets now
    spectators.send_to_all(said("two"))
    await wait_all_tasks_blocked()
    assert last.heard == ["two"]


async def test_nobody_hears_what_is_not_on_disk_and_newcomers_nothing_from_before_they_came(
    nursery: trio.Nursery,
) -> None:
    spectators = on_disk(nursery)
    (early,) = crowd(spectators, 1)
    spectators.send_to_all(said("one"), spectators.journal.put_row("t1", 1, b""))
    spectators.send_to_all(said("two"))  # which needs no disk, and does not overtake
    (late,) = crowd(spectators, 1)
    await wait_all_tasks_blocked()
    assert early.heard == []
    await trio.sleep(1.5 * COMMIT)
    assert (early.heard, late.heard) == (["one", "two"], [])


async def test_each_batch_is_told_when_it_is_on_disk_itself(nursery: trio.Nursery) -> None:
    spectators = on_disk(nursery)
    (ear,) = crowd(spectators, 1)
    spectators.send_to_all(said("one"), spectators.journal.put_row("t1", 1, b""))
    await wait_all_tasks_blocked()  # the first is on its way
    spectators.send_to_all(said("two"), spectators.journal.put_row("t1", 2, b""))
    await trio.sleep(1.5 * COMMIT)
    assert ear.heard == ["one"]
    await trio.sleep(COMMIT)
    assert ear.heard == ["one", "two"]


async def test_b13_a_match_goes_on_while_its_spectators_are_told_a_few_at_a_time(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "AT_ONCE", 2)
    peers = list(await hall.table_of("ann", "bob"))
    guests = [await hall.player(f"guest{number}") for number in range(9)]
    watching = [await guest.ask("watch", table="t1") for guest in guests]
    for _round in range(3):
        for peer in peers:
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert (await guests[-1].ask("log", table="t1"))["messages"][-1]["type"] == "over"
    for guest, before in zip(guests, watching, strict=True):
        heard = await guest.heard()
        assert [message["n"] for message in heard] == list(range(before["n"] + 1, before["n"] + 1 + len(heard)))
        assert heard[-1]["type"] == "over"
