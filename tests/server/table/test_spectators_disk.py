"""What spectators hear where the disk is slow or full: all that is kept, in order, before what follows from it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio

from server.config import Config
from server.store.journal import AGAIN_SECONDS
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


async def test_a_program_that_is_given_a_seat_hears_first_what_was_told_while_it_watched(
    hall: Hall, disk: Disk
) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    rob = await hall.player("rob", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=3)
    await rob.ask("watch", table="t1")
    disk.delay = SLOW
    await bob.send({"type": "join", "id": 90, "table": "t1"})
    await ann.send({"type": "say", "id": 90, "table": "t1", "text": "welcome"})
    await ann.send({"type": "add", "id": 91, "table": "t1", "bot": "rob"})
    await trio.sleep(1)
    assert [message["type"] for message in await rob.heard()] == ["table_changed", "chat", "seated"]


async def test_a_person_who_watches_reads_who_came_before_the_answer_to_something_else(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    eve = await hall.typist()
    await eve.types("hello eve", "watch t1")
    disk.delay = SLOW
    await bob.send({"type": "join", "id": 90, "table": "t1"})
    await trio.sleep(0.01)
    await eve.send("say hi")
    await trio.sleep(1)
    assert (await eve.heard()).splitlines()[:2] == ["t1   toy, open, 1 watching: 1 ann, 2 bob, 3 (empty)", "eve: hi"]


async def test_of_a_table_that_makes_room_for_another_a_person_reads_the_end_in_the_words_of_its_game(
    nursery: trio.Nursery, config: Config, disk: Disk
) -> None:
    hall = Hall(nursery, replace(config, tables=1), store=disk)
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    cleo, eve = await hall.player("cleo"), await hall.typist()
    await eve.types("hello eve", "watch t1")
    for peer in (ann, bob):
        await eve.heard()
        disk.delay = SLOW if peer is bob else 0.0
        legal = (await peer.next("turn"))["legal"]
        await peer.send({"type": "act", "id": 90, "table": "t1", "turn": 1, "action": legal[0]})
        await trio.sleep(0.01)
    await cleo.send({"type": "open", "id": 90, "game": "toy"})
    await trio.sleep(1)
    assert (await cleo.until(lambda message: message.get("re") == 90))["info"]["table"] == "t2"
    assert (await eve.heard()).startswith("* bob has chosen.\n* Shown: ")
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("asked", ["join", "kick", "close"])
async def test_f04_who_could_not_be_seated_or_sent_away_still_watches(hall: Hall, disk: Disk, asked: str) -> None:
    ann, eve = await hall.player("ann"), await hall.player("eve")
    await ann.ask("open", game="toy", seats=3)
    await eve.ask("watch", table="t1")
    gone = await hall.player("gone")
    await gone.ask("watch", table="t1")
    disk.delay, disk.full = 0.01, True
    who = eve if asked == "join" else ann
    who.last_id += 1
    more = {"player": "eve"} if asked == "kick" else {}
    await who.send({"type": asked, "id": who.last_id, "table": "t1", **more})
    await gone.cut()  # and does not come back with the others
    assert (await who.until(lambda message: message.get("re") == who.last_id))["code"] == "storage"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await eve.heard()
    assert (await ann.ask("say", table="t1", text="still here?"))["heard"] == 1
    assert [message["type"] for message in await eve.heard()] == ["chat"]
    assert (await eve.ask("look", table="t1"))["code"] == "not_started"


async def test_who_was_sent_away_hears_no_more_though_the_disk_fails_later(hall: Hall, disk: Disk) -> None:
    ann, eve, fay = [await hall.player(name) for name in ("ann", "eve", "fay")]
    await ann.ask("open", game="toy", seats=3)
    for spectator in (eve, fay):
        await spectator.ask("watch", table="t1")
    await ann.ask("kick", table="t1", player="eve")
    disk.full = True
    assert (await ann.ask("add", table="t1", bot="first"))["code"] == "storage"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await eve.heard()
    assert (await ann.ask("say", table="t1", text="only fay hears it"))["heard"] == 1
    assert await eve.heard() == []


@pytest.mark.parametrize(
    ("before", "asked", "told"),
    [
        ((), {"kind": "add", "bot": "first"}, "table_changed"),
        ((), {"kind": "close"}, "sent_away"),
        (("first",), {"kind": "start"}, "started"),
        (("first", "start"), {"kind": "close"}, "over"),
    ],
)
async def test_f04_what_changes_a_table_is_told_to_its_spectators_once_it_is_kept(
    hall: Hall, disk: Disk, before: tuple[str, ...], asked: dict[str, str], told: str
) -> None:
    ann, eve = await hall.player("ann"), await hall.player("eve")
    await ann.ask("open", game="toy", seats=2)
    await eve.ask("watch", table="t1")
    if "first" in before:
        await ann.ask("add", table="t1", bot="first")
    if "start" in before:
        await ann.ask("start", table="t1")
    await trio.sleep(1)
    await eve.heard()
    disk.full = True
    assert (await ann.ask(table="t1", **asked))["code"] == "storage"
    assert await eve.heard() == []
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await ann.ask(table="t1", **asked)
    assert (await eve.heard())[0]["type"] == told


@pytest.mark.parametrize("asked", ["watch", "leave"])
async def test_f04_who_could_not_begin_or_end_to_watch_does_as_before(hall: Hall, disk: Disk, asked: str) -> None:
    ann, bob, eve = [await hall.player(name) for name in ("ann", "bob", "eve")]
    await ann.ask("open", game="toy", seats=3)
    await bob.ask("open", game="toy", seats=3)
    if asked == "leave":
        await eve.ask("watch", table="t1")
    disk.full = True
    await bob.send({"type": "add", "id": 90, "table": "t2", "bot": "first"})
    await eve.send({"type": "tables", "id": 90})  # waits for that, as all that is answered after it
    await eve.send({"type": asked, "id": 91, "table": "t1"})
    refused = await eve.until(lambda message: message.get("re") == 91)
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert refused["code"] == "storage"
    await eve.heard()
    assert (await ann.ask("say", table="t1", text="who is here?"))["heard"] == (asked == "leave")
    assert [message["type"] for message in await eve.heard()] == ["chat"] * (asked == "leave")


async def test_f13_what_is_on_disk_is_heard_though_the_answer_that_it_stood_behind_is_lost(
    hall: Hall, disk: Disk
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    await ann.ask("say", table="t1", text="before")
    await eve.heard()
    disk.delay = SLOW
    await ann.send({"type": "say", "id": 90, "table": "t1", "text": "kept"})
    await trio.sleep(SLOW / 2)
    await eve.send({"type": "open", "id": 90, "game": "toy"})
    await ann.send({"type": "say", "id": 91, "table": "t1", "text": "lost"})
    await trio.sleep(SLOW)
    disk.full = True
    assert (await eve.until(lambda message: message.get("re") == 90))["code"] == "storage"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + SLOW + 0.1)
    await ann.send({"type": "say", "id": 92, "table": "t1", "text": "after"})
    await trio.sleep(1)
    told = [message for message in await eve.heard() if message["type"] == "chat"]
    assert [message["text"] for message in told] == ["kept", "after"]
    assert told[1]["n"] == told[0]["n"] + 1
