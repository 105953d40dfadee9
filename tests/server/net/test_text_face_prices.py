"""What a few words cause for many, or have the server look at, is charged as the work it is."""

import json

import pytest
import trio

from protocol import limits
from protocol import messages as m
from protocol.messages.exchanges import EXCHANGES
from server import broadcast
from server.desk.text_session import SPELLING_WORK
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer


async def onlookers(hall: Hall, count: int) -> list[Peer]:
    """So many players who watch t1."""
    guests = [await hall.player(f"guest{number:02}") for number in range(count)]
    for guest in guests:
        await guest.ask("watch", table="t1")
    return guests


async def test_b13_who_changes_a_watched_table_pays_for_all_who_are_told(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await onlookers(hall, 40)
    player = hall.lobby.people.find_player("bob")
    assert player is not None
    assert player.meter is not None
    told = 40 / limits.HEARERS_A_REQUEST
    for kind in ("join", "leave", "join"):
        before = player.meter.left
        await bob.ask(kind, table="t1")
        assert before - player.meter.left == pytest.approx(1 + told, abs=0.2)
    await bob.cut()
    before = player.meter.left
    await hall.again("bob", bob.token)  # that they went was told, too
    assert before - player.meter.left == pytest.approx(1 + 2 * told, abs=0.2)


async def test_b13_spectators_of_an_open_table_hear_the_latest_a_few_at_a_time(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    guests = await onlookers(hall, 9)
    monkeypatch.setattr(broadcast, "AT_ONCE", 2)
    requests = [{"type": "join", "id": 2, "table": "t1"}, {"type": "leave", "id": 3, "table": "t1"}]
    await bob.stream.send_all(b"".join(json.dumps(each).encode() + b"\n" for each in requests))
    heard = [await guest.heard() for guest in guests]
    assert all(messages[-1]["info"]["seats"][1] == {"seat": 2} for messages in heard)
    assert sum(len(messages) for messages in heard) < 2 * len(guests)  # most did not hear of what was over by then
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("close", table="t1")
    assert {(await guest.heard())[-1]["type"] for guest in guests} == {"sent_away"}


async def test_b18_a_bot_that_is_not_there_weighs_as_much_as_the_list_of_those_who_are(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    before = player.meter.left
    assert (await ann.ask("add", table="t1", bot="nosuch"))["text"] == "The bots for toy are: first."
    assert before - player.meter.left == pytest.approx(1 + EXCHANGES[m.Bots].weight, abs=0.2)


async def test_b18_a_decision_that_is_mistyped_weighs_what_it_takes_to_see_what_is_meant(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "start")
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    before = player.meter.left
    assert "Type play and a card" in await ann.types("pawer pawer")
    assert before - player.meter.left >= SPELLING_WORK


async def test_b13_who_pauses_a_cup_again_and_again_pays_for_all_who_are_told(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("cup_open", cup="friday", game="toy", seats=2)
    for name in (ann, bob):
        await name.ask("cup_enter", cup="friday")
    for number in range(28):
        guest = await hall.player(f"guest{number}")
        await guest.ask("follow", cup="friday")
    await ann.ask("cup_start", cup="friday")
    await trio.sleep(10.0)
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    for kind in ("cup_pause", "cup_start", "cup_pause"):
        before = player.meter.left
        assert (await ann.ask(kind, cup="friday"))["type"] == "cup_info"
        assert before - player.meter.left == pytest.approx(5 + 30 / limits.HEARERS_A_REQUEST, abs=0.2), kind
