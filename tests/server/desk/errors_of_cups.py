"""How to get each error that is about cups."""

from __future__ import annotations

from protocol import limits
from tests.helpers.hall import Hall
from tests.helpers.peer import Message as Answer
from tests.helpers.peer import Peer


async def cup(hall: Hall, *names: str, **more: object) -> Peer:
    """The owner of a cup that they all have entered."""
    ann = await hall.player("ann")
    assert (await ann.ask("cup_open", cup="friday", game="toy", **more))["type"] == "cup_info"
    for name in names:
        peer = ann if name == "ann" else await hall.player(name)
        assert (await peer.ask("cup_enter", cup="friday"))["type"] == "cup_info"
    return ann


async def in_cup(hall: Hall) -> Answer:
    ann = await cup(hall, "ann", "bob")
    assert (await ann.ask("cup_start", cup="friday"))["type"] == "cup_info"
    return await ann.ask("open", game="toy")


async def no_such_cup(hall: Hall) -> Answer:
    return await (await hall.player("ann")).ask("cup", cup="friday")


async def cup_taken(hall: Hall) -> Answer:
    return await (await cup(hall)).ask("cup_open", cup="Friday", game="toy")


async def not_cup_owner(hall: Hall) -> Answer:
    await cup(hall)
    return await (await hall.player("bob")).ask("cup_stop", cup="friday")


async def cup_state(hall: Hall) -> Answer:
    return await (await cup(hall)).ask("cup_pause", cup="friday")


async def too_many_cups(hall: Hall) -> Answer:
    ann = await cup(hall)
    for number in range(limits.CUPS_A_PLAYER - 1):
        assert (await ann.ask("cup_open", cup=f"cup{number}", game="toy"))["type"] == "cup_info"
    return await ann.ask("cup_open", cup="more", game="toy")


PRODUCERS = {
    "in_cup": in_cup,
    "no_such_cup": no_such_cup,
    "cup_taken": cup_taken,
    "not_cup_owner": not_cup_owner,
    "cup_state": cup_state,
    "too_many_cups": too_many_cups,
}
