"""What is not on disk yet is told to nobody; who has nothing to do with it waits for nothing."""

from __future__ import annotations

from functools import partial

import pytest
import trio

from protocol.entries import ServerStalled
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

SLOW = 0.2  # seconds that a commit takes


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def acting(peer: Peer, turn: int = 1) -> float:
    """Acts, and returns after how many seconds that was accepted."""
    before = trio.current_time()
    asked = await peer.next("turn")
    answer = await peer.ask("act", table="t1", turn=turn, action=asked["legal"][0])
    assert answer["type"] == "accepted"
    return trio.current_time() - before


async def test_an_action_is_acknowledged_and_told_once_it_is_on_disk(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await hall.player("eve")
    await bob.heard()
    disk.delay = SLOW
    kept = len(disk.rows["t1"])
    before = trio.current_time()
    await ann.send({"type": "act", "id": 9, "table": "t1", "turn": 1, "action": (await ann.next("turn"))["legal"][0]})
    told = await bob.next("event")
    assert trio.current_time() - before == pytest.approx(SLOW, abs=0.01)
    assert told["event"]["what"] == "chose"
    assert len(disk.rows["t1"]) == kept + 1
    assert (await ann.until(lambda message: message.get("re") == 9))["type"] == "accepted"


async def test_a_slow_disk_slows_its_tables_and_nobody_elses_pings(hall: Hall, disk: Disk) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    disk.delay = SLOW
    async with trio.open_nursery() as nursery:
        nursery.start_soon(acting, ann)
        await trio.sleep(0.05)
        before = trio.current_time()
        assert (await eve.ask("ping"))["type"] == "pong"
        assert (await eve.ask("games"))["type"] == "game_list"
        assert trio.current_time() - before < 0.01
        assert (await eve.ask("tables"))["type"] == "table_list"
        assert trio.current_time() - before > 0.1, "a list of tables shows only what is on disk"


async def test_a_table_does_not_wait_for_what_others_wrote_later(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    carl, dora = await hall.player("carl"), await hall.player("dora")
    await bob.heard()
    disk.delay = SLOW
    async with trio.open_nursery() as nursery:
        nursery.start_soon(acting, ann)
        await trio.sleep(0.1)
        nursery.start_soon(carl.ask, "open")  # bad: answered at once, nothing is written
        await dora.send({"type": "open", "id": 9, "game": "toy", "seats": 2})  # goes with the next commit
        before = trio.current_time()
        await bob.next("event")
        assert trio.current_time() - before == pytest.approx(SLOW - 0.1, abs=0.01)
        assert (await dora.message())["type"] == "table"
        assert trio.current_time() - before == pytest.approx(2 * SLOW - 0.1, abs=0.01)


async def test_many_tables_share_the_commits(hall: Hall, disk: Disk) -> None:
    players = [await hall.player(f"p{number}") for number in range(20)]
    for player in players:
        opened = await player.ask("open", game="toy", seats=2)
        await player.ask("add", table=opened["info"]["table"], bot="first")
        await player.ask("start", table=opened["info"]["table"])
    disk.delay, before = SLOW, disk.commits
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.play_on)
    assert disk.commits - before < 20
    assert trio.current_time() < 100


async def test_what_one_session_hears_keeps_its_order(hall: Hall, disk: Disk) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    asked = await ann.next("turn")
    disk.delay = SLOW
    await ann.send({"type": "act", "id": 90, "table": "t1", "turn": 1, "action": asked["legal"][0]})
    await ann.send({"type": "ping", "id": 91})
    assert [message.get("re") for message in (await ann.message(), await ann.message(), await ann.message())] == [
        90,
        None,
        91,
    ]


async def test_a_look_does_not_show_what_is_not_on_disk(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    disk.delay = SLOW
    async with trio.open_nursery() as nursery:
        nursery.start_soon(acting, ann)
        await trio.sleep(0.01)
        for asking in (eve, bob):
            before = trio.current_time()
            looked = await asking.ask("look", table="t1")
            assert (looked["view"]["chosen"], trio.current_time() - before > 0.1) == ([1], asking is eve)


async def test_a_replay_and_its_seed_wait_until_the_end_of_the_match_is_on_disk(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    for move in range(5):
        await acting((ann, bob)[move % 2], turn=move // 2 + 1)
    disk.delay = SLOW
    async with trio.open_nursery() as nursery:
        nursery.start_soon(acting, bob, 3)
        await trio.sleep(0.05)
        assert hall.lobby.tables["t1"].state == "over"
        assert await eve.heard() == []
        before = trio.current_time()
        assert (await eve.ask("replay", table="t1"))["type"] == "replay_lines"
        assert trio.current_time() - before > 0.1


async def test_a_person_who_types_waits_for_the_disk_too(hall: Hall, disk: Disk) -> None:
    disk.delay = SLOW
    typist = await hall.typist()
    await typist.send("hello ann")
    assert await typist.heard() == ""
    await trio.sleep(SLOW)
    assert "Welcome, ann" in await typist.heard()


async def test_f08_what_was_accepted_while_stopping_is_on_disk(hall: Hall, disk: Disk) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    asked = await ann.next("turn")
    disk.delay = SLOW
    kept = len(disk.rows["t1"])
    await ann.send({"type": "act", "id": 9, "table": "t1", "turn": 1, "action": asked["legal"][0]})
    await trio.sleep(0.01)
    await hall.app.end_all_sessions()
    assert (await ann.until(lambda message: message.get("re") == 9))["type"] == "accepted"
    assert (await ann.next("bye"))["reason"] == "shutdown"
    assert len(disk.rows["t1"]) == kept + 1


async def test_e08_the_time_for_which_a_turn_waited_for_the_disk_is_given_back(hall: Hall, disk: Disk) -> None:
    disk.delay = 3.0
    ann, _bob = await hall.table_of("ann", "bob", clock={"main": 10, "increment": 1})
    await ann.next("turn")
    await trio.sleep(0.001)
    assert [clock["left"] for clock in (await ann.ask("clock", table="t1"))["clocks"]] == pytest.approx(
        [11, 11], abs=0.1
    )
    await trio.sleep(30)
    entries = hall.lobby.tables["t1"].entries
    assert hall.lobby.tables["t1"].require_match().late[1:] > [0, 0], "who sleeps is late all the same"
    stalls = sum(isinstance(entry, ServerStalled) for entry in entries)
    assert 0 < stalls <= len(entries) - stalls + 1, "what is given back is not given back again for being written"


async def test_who_does_not_wait_for_the_disk_is_sent_nothing_after_the_end(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    asked = await ann.next("turn")
    (session,) = [one for one in hall.app.sessions if one.player is not None and one.player.name == "bob"]
    disk.delay = 60.0
    await ann.send({"type": "act", "id": 9, "table": "t1", "turn": 1, "action": asked["legal"][0]})
    await trio.sleep(0.01)
    await bob.send({"type": "quit", "id": 9})
    await trio.sleep(5)
    assert session not in hall.app.sessions
    position = hall.lobby.journal.last_position
    sent: list[bytes] = []
    session._wire.try_send = lambda data: sent.append(bytes(data)) or len(data)  # type: ignore[func-returns-value, method-assign]
    await trio.sleep(200)
    assert hall.lobby.journal.durable >= position
    assert sent == []


async def test_who_sits_at_a_table_that_is_closed_hears_it_once_it_is_on_disk(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    await bob.ask("join", table="t1")
    disk.delay = SLOW
    before = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(ann.ask, "close", table="t1"))
        assert (await bob.next("sent_away"))["why"] == "closed"
        assert trio.current_time() - before >= SLOW
