"""What a cup does while it goes on, step by step: whom it seats, what it waits for, and that its task ends."""

from __future__ import annotations

from functools import partial
from typing import Any

import trio
import trio.testing

from server.cups.live_cup import LiveCup
from tests.helpers import restarts
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.server.desk.test_cup_requests import finish, opened

LONG = {"main": 1000.0, "increment": 1.0}


async def settled(seconds: float = 0.1) -> None:
    """Everything that follows from what was said has happened."""
    await trio.sleep(seconds)
    await trio.testing.wait_all_tasks_blocked()


async def running(hall: Hall, *names: str, **more: Any) -> tuple[LiveCup, Peer, list[Peer]]:
    ann, peers = await opened(hall, *names, **{"seats": 2, "clock": LONG, **more})
    assert (await ann.ask("cup_start", cup="friday"))["type"] == "cup_info"
    await settled()
    return hall.lobby.cups.get("friday"), ann, peers


async def test_a_seat_that_the_house_took_over_is_none_of_its_player_s_tables(hall: Hall) -> None:
    live, _ann, _peers = await running(hall, "bob", "carl", rounds=1)
    assert live._load() == {"bob": 1, "carl": 1}
    live.give_seats_to_bots("bob", "left")
    assert live._load() == {"carl": 1}


async def test_a_match_that_waits_for_somebody_begins_when_they_come(hall: Hall) -> None:
    ann, (bob, _carl) = await opened(hall, "bob", "carl", seats=2, rounds=1, clock=LONG)
    await bob.cut()
    await ann.ask("cup_start", cup="friday")
    await settled(1.0)
    assert not hall.lobby.tables, "the entrant may still come"
    await hall.again("bob", bob.token, bot=True)
    await settled()
    assert list(hall.lobby.tables) == ["t1"]


async def test_f04_a_cup_whose_stop_could_not_be_kept_goes_on_to_its_end() -> None:
    disk = Disk()
    async with restarts.running(disk) as hall:
        ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
        await ann.ask("cup_start", cup="friday")
        await hall.lobby.journal.wait_until_written()
        disk.full = True
        assert (await ann.ask("cup_stop", cup="friday"))["code"] == "storage"
        disk.full = False
        await settled(2.0)
        live = hall.lobby.cups.get("friday")
        assert (live.cup.state, live._runs) == ("running", True)
        await finish(hall, peers)
        assert (live.cup.state, len(live.cup.results)) == ("finished", 2)


async def test_whoever_follows_a_cup_or_is_sent_away_from_it_hears_so_when_it_is_on_disk() -> None:
    disk = Disk()
    async with restarts.running(disk) as hall:
        ann, (bob, carl, dora) = await opened(hall, "bob", "carl", "dora", seats=2, rounds=1)
        await ann.ask("cup_start", cup="friday")
        await ann.ask("cup_open", cup="monday", game="toy")
        eve = await hall.player("eve")
        await eve.ask("cup_enter", cup="monday")
        await settled(1.0)
        for peer in (bob, carl, dora, eve):
            await peer.heard()
        disk.delay = 1.0
        for request, hearer, told in (
            ({"kind": "cup_pause", "cup": "friday"}, bob, "cup_changed"),
            ({"kind": "cup_kick", "cup": "friday", "entrant": "carl"}, carl, "sent_away"),
            ({"kind": "cup_kick", "cup": "monday", "entrant": "eve"}, eve, "sent_away"),
        ):
            before = trio.current_time()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(ann.ask, **request))
                await hearer.next(told)
                assert trio.current_time() - before >= 1
