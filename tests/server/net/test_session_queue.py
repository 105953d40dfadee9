"""Work that can wait stands in one line: one piece a round of the scheduler, and nothing is done for who has gone."""

import pytest
import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from protocol import limits
from server.net.session import REQUESTS_A_SLICE
from server.net.wire import StreamWire
from server.table import message_log
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer


def code_for(hall: Hall, name: str) -> str:
    """A one-time code with which somebody who types has that name."""
    player = hall.lobby.people.find_player(name)
    assert player is not None
    return player.codes.issue_code()


async def test_who_sends_many_requests_at_once_waits_in_line_for_all_but_the_first(hall: Hall) -> None:
    ann = await hall.player("ann")
    async with hall.lobby.queue:
        await ann.send_bytes(b"".join(b'{"type":"ping","id":%d}\n' % number for number in range(10, 60)))
        await wait_all_tasks_blocked()
        assert 0 < len(await ann.heard()) <= REQUESTS_A_SLICE
    assert (await ann.heard())[-1] == {"type": "pong", "re": 59}


async def test_b19_who_plays_stands_before_all_who_only_ask_at_the_same_address(hall: Hall) -> None:
    crowd = [await hall.player(f"p{number}", "one") for number in range(5)]
    ann = await hall.player("ann", "one")
    await ann.ask("open", game="toy")
    order: list[str] = []

    async def last_answer(name: str, peer: Peer) -> None:
        await peer.until(lambda told: told.get("re") == 59)
        order.append(name)

    async with trio.open_nursery() as nursery:
        async with hall.lobby.queue:
            for peer in (*crowd, ann):
                await peer.send_bytes(b"".join(b'{"type":"ping","id":%d}\n' % number for number in range(30, 60)))
                await wait_all_tasks_blocked()
        for name, peer in (*((f"p{number}", peer) for number, peer in enumerate(crowd)), ("ann", ann)):
            nursery.start_soon(last_answer, name, peer)
    assert "ann" in order[:2]  # answers that go out in one round of the scheduler are sent in any order


async def against_a_house_bot(hall: Hall) -> Peer:
    """Ann, who has just decided; the bot is next."""
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    return ann


async def test_a_house_bot_waits_in_line(hall: Hall) -> None:
    async with hall.lobby.queue:
        await against_a_house_bot(hall)
        await trio.sleep(5)
        assert not hall.done(seat=2)
    await trio.sleep(5)
    assert hall.done(seat=2)


async def test_a_match_that_ends_while_its_house_bot_waits_in_line_is_over_for_good(hall: Hall) -> None:
    async with hall.lobby.queue:
        ann = await against_a_house_bot(hall)
        await wait_all_tasks_blocked()
        await ann.ask("close", table="t1")
    with trio.fail_after(1):
        await hall.lobby.tables["t1"].done.wait()


async def test_who_left_while_waiting_in_line_is_not_taken_for_somebody_who_is_back(hall: Hall) -> None:
    (ann, _bob), table = await hall.table_of("ann", "bob"), hall.lobby.tables["t1"]
    code = code_for(hall, "ann")
    await ann.cut()
    typist = await hall.typist()
    async with hall.lobby.queue:
        await typist.send_bytes(f"hello ann {code}\n".encode())
        await wait_all_tasks_blocked()
        await typist.close()
        await wait_all_tasks_blocked()
    await wait_all_tasks_blocked()
    assert table.seating.seat_state(1).listener is None
    assert table.seating.seat_state(1).away is not None


@pytest.mark.parametrize("moves", [1, 2, 3, 4])
async def test_who_types_while_a_long_match_is_told_again_loses_nothing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    monkeypatch.setattr(message_log, "ENTRIES_A_SLICE", 1)
    ann, bob = await hall.table_of("ann", "bob")
    code = code_for(hall, "ann")
    for peer in [ann, bob, ann, bob][:moves]:
        turn = await peer.next("turn")
        await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    await ann.cut()
    typist = await hall.typist()
    await typist.send_bytes(f"hello ann {code}\n".encode())
    for _ in range(12):
        async with hall.lobby.queue:
            await typist.send_bytes(b"ping\n")
            await wait_all_tasks_blocked()
    told = await typist.heard()
    assert "You are back at t1" in told
    assert told.count("pong") == 12


async def test_every_connection_is_charged_to_its_address(hall: Hall) -> None:
    allowed = limits.REQUESTS_AT_ONCE * limits.AT_ONCE_AN_ADDRESS // limits.REQUESTS_A_CONNECTION
    begun = trio.current_time()
    for _ in range(allowed + 1):
        await (await hall.connect("192.0.2.1")).close()
    assert trio.current_time() == begun
    rate = limits.REQUESTS_A_SECOND * limits.REQUESTS_AN_ADDRESS
    for _ in range(10):
        await (await hall.connect("192.0.2.1")).close()
    assert trio.current_time() - begun == pytest.approx(10 * limits.REQUESTS_A_CONNECTION / rate, abs=0.02)
    await hall.connect("192.0.2.2")


async def test_a_connection_that_waits_is_closed_when_the_server_stops(hall: Hall) -> None:
    for meter in hall.lobby.limits.stranger_buckets("192.0.2.1"):
        meter.charge(1_000_000)
    ours, theirs = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hall.app.serve_connection, StreamWire(theirs), "192.0.2.1")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert await ours.receive_some() == b""


async def test_who_is_replaced_while_its_work_stands_in_line_does_not_sit_down_any_more(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for number in range(2 * message_log.ENTRIES_A_SLICE):
        await ann.ask("say", table="t1", text=f"{number}")
    await bob.cut()
    bob = await hall.again("bob", bob.token)
    player = hall.lobby.people.find_player("bob")
    assert player is not None
    assert player.listener is not None
    await hall.lobby.queue.acquire()
    await bob.send({"type": "resume", "id": 90, "table": "t1", "after": 0})
    await wait_all_tasks_blocked()
    hall.lobby.queue.release()
    hall.lobby.presence.connect_player(player, player.listener)  # in the same round of the scheduler
    assert (await bob.next("bye"))["reason"] == "replaced"
    assert [message["how"] for message in await ann.heard() if message["type"] == "presence"] == ["away"]
    assert hall.lobby.tables["t1"].seating.seat_state(2).listener is None
