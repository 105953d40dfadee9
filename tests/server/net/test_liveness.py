"""A program that has stopped is asked for a sign of life, and does not stay listed for ever; people may be silent."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from protocol.connection import ServerConnection
from tests.helpers.hall import Hall
from tests.helpers.wire import Face

DO_MARK = b"\xff\xfd\x06"


@pytest.mark.parametrize("face", ["json", "msgpack"])
async def test_b09_a_program_that_stopped_is_asked_for_a_sign_and_let_go(hall: Hall, face: Face) -> None:
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    ann = await hall.wire(face)
    await ann.send({"type": "hello", "id": 1, "name": "ann", "bot": True})
    await ann.receive()
    await trio.sleep(230)
    assert [player.name for player in hall.lobby.people.connected_players()] == ["ann"]
    assert await ann.receive() == {"type": "are_you_there", "seconds": 60.0}
    goodbye = await ann.receive()
    assert (goodbye["type"], goodbye["reason"]) == ("bye", "silent")
    await trio.testing.wait_all_tasks_blocked()
    assert hall.lobby.people.connected_players() == []
    assert 295 < trio.current_time() < 315


async def test_b09_any_word_is_a_sign_of_life(hall: Hall) -> None:
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    ann = await hall.player("ann")
    for _ in range(3):
        await ann.next("are_you_there")
        assert (await ann.ask("ping"))["type"] == "pong"
    assert trio.current_time() >= 3 * 240


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\0"])
@pytest.mark.parametrize("answer", [b"", b"\xff\xfb\x06", b"\xff\xfd\x01"])
async def test_b09_people_may_be_silent_for_hours_and_no_terminal_is_asked(
    hall: Hall, end: bytes, answer: bytes
) -> None:
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    ann = hall.dial()
    await ann.send_all(answer + b"hello ann" + end)
    await trio.sleep(10_000)
    await ann.send_all(b"ping" + end)
    told = b""
    while b"pong" not in told:
        told += await ann.receive_some()
    assert DO_MARK not in told
    assert [player.name for player in hall.lobby.people.connected_players()] == ["ann"]


async def test_b09_a_stranger_is_not_asked(hall: Hall) -> None:
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    ann = hall.dial()
    await ann.send_all(b"games\r\n")
    await trio.sleep(50)
    assert DO_MARK not in await ann.receive_some()


async def test_a_session_that_cannot_be_asked_ends_and_the_others_are_asked(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    ann, bob = await hall.player("ann"), await hall.player("bob")
    ask = ServerConnection.encode_are_you_there
    failures = iter([True])

    def fails_once(connection: ServerConnection, seconds: float) -> bytes:
        if next(failures, False):
            raise RuntimeError("planted")
        return ask(connection, seconds)

    monkeypatch.setattr(ServerConnection, "encode_are_you_there", fails_once)
    await trio.sleep(270)
    told = [message["type"] for peer in (ann, bob) for message in await peer.heard()]
    assert sorted(told) == ["are_you_there", "bye"]  # whoever is asked first
