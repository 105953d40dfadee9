"""What one address takes of the room that cups have, and what it leaves to others."""

from __future__ import annotations

import trio

from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

HERE, THERE = "192.0.2.1", "198.51.100.1"


async def cup_of(owner: Peer, name: str, *then: str) -> Peer:
    """The owner opens a cup, and asks more about it."""
    for kind in ("cup_open", *then):
        fields = {"game": "toy", "seats": 2} if kind == "cup_open" else {}
        answer = await owner.ask(kind, cup=name, **fields)
        assert answer["type"] == "cup_info", answer
    return owner


def known(hall: Hall) -> list[str]:
    return [live.cup.settings.cup for live in hall.lobby.cups.list_cups()]


async def test_d26_who_opens_and_stops_cups_takes_their_own_place_and_not_that_of_others(hall: Hall) -> None:
    hall.limit(cups=3)
    await cup_of(await hall.player("ann", HERE), "friday", "cup_stop")
    for number in range(4):
        await cup_of(await hall.player(f"eve{number}", THERE), f"junk{number}", "cup_stop")
    assert known(hall) == ["friday", "junk2", "junk3"]


async def test_d26_a_cup_that_was_paused_and_left_for_a_day_makes_room(hall: Hall) -> None:
    hall.limit(cups=1)
    await trio.sleep(hall.lobby.config.name_seconds)
    eve = await hall.player("eve", THERE)
    await cup_of(eve, "junk")
    for name in ("bob", "carl"):
        await (await hall.player(name, THERE)).ask("cup_enter", cup="junk")
    for kind in ("cup_start", "cup_pause"):
        assert (await eve.ask(kind, cup="junk"))["type"] == "cup_info"
    ann = await hall.player("ann", HERE)
    for seconds in (0.0, hall.lobby.config.name_seconds - 1):
        await eve.cut()
        await trio.sleep(seconds)
        assert (await ann.ask("cup_open", cup="friday", game="toy", seats=2))["code"] == "too_many_cups"
    await trio.sleep(2)
    await cup_of(ann, "friday")
    assert known(hall) == ["friday"]


async def test_d26_one_address_takes_no_more_places_of_anothers_cup_than_it_leaves_to_others(hall: Hall) -> None:
    hall.limit(entrants_a_cup=4)
    await cup_of(await hall.player("ann", HERE), "friday")
    answers = []
    for number in range(3):
        answers.append(await (await hall.player(f"eve{number}", THERE)).ask("cup_enter", cup="friday"))
    assert [answer.get("code", "") for answer in answers] == ["", "", "cup_state"]
    assert answers[2]["text"].startswith("2 entrants of friday are from your address. The 2 places that are left are ")
    for name in ("bob", "carl"):  # the owner's own machine may bring all
        assert (await (await hall.player(name, HERE)).ask("cup_enter", cup="friday"))["type"] == "cup_info"


async def test_d26_one_address_changes_a_cup_only_so_often_whatever_its_names(hall: Hall) -> None:
    hall.limit(entries_an_address=6)
    await cup_of(await hall.player("ann", HERE), "friday")
    answers = []
    for number in range(13):
        eve = await hall.player(f"eve{number}", THERE)
        answers.append(await eve.ask("cup_enter", cup="friday"))
        await eve.ask("cup_drop", cup="friday")
        if number == 7:
            refused = await eve.ask("cup_enter", cup="friday")
            assert refused["text"].startswith("From your address friday was entered 8 times, which is the limit.")
    assert [answer.get("code", "") for answer in answers] == [""] * 12 + ["cup_state"], "those who never did may longer"
    assert (await (await hall.player("bob", "203.0.113.1")).ask("cup_enter", cup="friday"))["type"] == "cup_info"
