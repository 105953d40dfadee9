"""A program that has stopped is asked for a sign of life, and does not stay listed for ever; people may be silent."""

from __future__ import annotations

import pytest
import trio

from tests.helpers.hall import Hall
from tests.helpers.wire import Face


@pytest.mark.parametrize("face", ["json", "msgpack"])
async def test_b09_a_program_that_stopped_is_asked_for_a_sign_and_let_go(hall: Hall, face: Face) -> None:
    hall.nursery.start_soon(hall.app.watch_for_silence)
    ann = await hall.wire(face)
    await ann.send({"type": "hello", "id": 1, "name": "ann", "bot": True})
    await ann.receive()
    await trio.sleep(230)
    assert [player.name for player in hall.lobby.people.here()] == ["ann"]
    assert await ann.receive() == {"type": "are_you_there", "seconds": 60.0}
    goodbye = await ann.receive()
    assert (goodbye["type"], goodbye["reason"]) == ("bye", "silent")
    assert hall.lobby.people.here() == []
    assert 295 < trio.current_time() < 315


async def test_b09_any_word_is_a_sign_of_life(hall: Hall) -> None:
    hall.nursery.start_soon(hall.app.watch_for_silence)
    ann = await hall.player("ann")
    for _ in range(3):
        await ann.next("are_you_there")
        assert (await ann.ask("ping"))["type"] == "pong"
    assert trio.current_time() >= 3 * 240


async def test_b09_people_who_type_may_think_for_hours(hall: Hall) -> None:
    hall.nursery.start_soon(hall.app.watch_for_silence)
    ann = await hall.typist()
    await ann.types("hello ann")
    await trio.sleep(10_000)
    assert await ann.types("ping") == "pong\n"
