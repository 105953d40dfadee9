"""What a cup does while it goes on, step by step: whom it seats, what it waits for, and that its task ends."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import msgspec
import trio
import trio.testing

from server.desk.live_cup import BREATH_SECONDS, LiveCup, _next_player
from tests.helpers import restarts
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.server.cups.test_at_cups import finish, opened
from tournaments.cup import Entered, Entrant

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


async def test_whom_a_cup_seats_and_needs_follows_from_its_state(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=1, clock=LONG)
    dora, cups = await hall.player("dora"), hall.lobby.cups

    async def facts() -> tuple[list[bool], set[str], list[str], bool]:
        alone = [cups.seats_alone(name) for name in ("ann", "bob", "dora")]
        return alone, cups.seated(), [cups.binds(name) for name in ("ann", "bob", "dora")], cups.needs("t1")

    nobody, bound = [False] * 3, ["friday", "friday", ""]
    assert await facts() == (nobody, set(), bound, False)
    assert (await bob.ask("open", game="toy", seats=2))["type"] == "table"
    assert (await bob.ask("leave", table="t1"))["type"] == "left"
    await ann.ask("cup_start", cup="friday")
    assert await facts() == ([False, True, False], {"bob", "carl"}, bound, False)
    await settled()
    assert (cups.needs("t1"), cups.needs("t2")) == (False, True), "t1 was bob's own"
    await ann.ask("cup_pause", cup="friday")
    assert (await facts())[:3] == ([False, True, False], {"bob", "carl"}, bound)
    for peer, code in ((bob, "in_cup"), (dora, None)):
        assert (await peer.ask("open", game="toy", seats=2)).get("code") == code
    assert (await bob.ask("join", table="t3"))["code"] == "in_cup"
    await bob.ask("cup_drop", cup="friday")
    assert (await facts())[:3] == (nobody, {"carl"}, bound)
    await ann.ask("cup_stop", cup="friday")
    assert (await facts())[:3] == (nobody, set(), ["", "", ""])
    assert not cups.needs("t2")
    assert (await carl.ask("open", game="toy", seats=2))["type"] == "table"


def test_of_an_entrant_s_players_who_plays_at_fewest_tables_sits_down_next() -> None:
    entrant = Entrant(Entered(0.0, "team", ("bob", "carl"), 2))
    for load, taken, expected in (
        ({}, (), "bob"),
        ({"bob": 1}, (), "carl"),
        ({"bob": 1, "carl": 1}, (), "bob"),
        ({"bob": 2, "carl": 1}, (), "carl"),
        ({"bob": 2, "carl": 2}, (), ""),
        ({"carl": 1}, ("bob",), "carl"),
        ({}, ("bob", "carl"), ""),
    ):
        assert _next_player(entrant, load, taken) == expected, (load, taken)


async def test_matches_that_are_over_at_once_end_one_after_the_other_though_their_tables_are_gone(hall: Hall) -> None:
    live, ann, _peers = await running(hall, "bob", "carl", "dora", "emil", rounds=1)
    assert sorted(live.cup.tables.values()) == ["t1", "t2"]
    await ann.ask("cup_pause", cup="friday")
    hall.lobby.tables.pop("t1")
    hall.lobby.tables.pop("t2")
    live.dismiss("bob", "left")
    assert (live._go_on(), len(live.cup.results)) == (BREATH_SECONDS, 1)
    assert live._go_on() == math.inf
    assert [one.results for one in live.cup.matches()] == [(), ()]


async def test_two_matches_begin_one_after_the_other_and_followers_watch_the_first(hall: Hall) -> None:
    ann, _peers = await opened(hall, "bob", "carl", "dora", "emil", seats=2, rounds=1, clock=LONG)
    eve = await hall.player("eve")
    await eve.ask("follow", cup="friday")
    live = hall.lobby.cups.get("friday")
    await ann.ask("cup_start", cup="friday")
    await settled()
    paired = [one for one in await eve.heard() if one["type"] == "paired"]
    assert [(one["table"], one.get("shown", False)) for one in paired] == [("t1", True), ("t2", False)]
    tasks = len(hall.nursery.child_tasks)
    for _ in range(3):
        live.wake()
        await settled()
    assert len(hall.nursery.child_tasks) == tasks, "nobody waits twice for the end of a match"
    assert set(live._watched) == {"t1", "t2"}


async def test_a_seat_that_the_house_took_over_is_none_of_its_player_s_tables(hall: Hall) -> None:
    live, _ann, _peers = await running(hall, "bob", "carl", rounds=1)
    assert live._load() == {"bob": 1, "carl": 1}
    live.dismiss("bob", "left")
    assert live._load() == {"carl": 1}


async def test_no_match_begins_while_the_server_closes_or_nothing_can_be_written(hall: Hall) -> None:
    await opened(hall, "bob", "carl", seats=2, rounds=1, clock=LONG)
    lobby, live = hall.lobby, hall.lobby.cups.get("friday")
    lobby.closing = True
    lobby.cups.turn(live, "running")
    for closing, failing in ((True, False), (False, True)):
        lobby.closing, lobby.journal.failing = closing, failing
        live.wake()
        await settled()
        assert not lobby.tables
    lobby.journal.failing = False
    live.wake()
    await settled()
    assert list(lobby.tables) == ["t1"]


async def test_a_match_that_waits_for_somebody_begins_when_they_come(hall: Hall) -> None:
    ann, (bob, _carl) = await opened(hall, "bob", "carl", seats=2, rounds=1, clock=LONG)
    await bob.cut()
    await ann.ask("cup_start", cup="friday")
    await settled(1.0)
    assert not hall.lobby.tables, "the entrant may still come"
    await hall.again("bob", bob.token, bot=True)
    await settled()
    assert list(hall.lobby.tables) == ["t1"]


async def test_a_cup_that_is_over_or_made_room_for_another_has_no_task_any_more(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    live = hall.lobby.cups.get("friday")
    await ann.ask("cup_start", cup="friday")
    await settled()
    assert live._runs
    await finish(hall, peers)
    assert (live._runs, live._watched) == (False, {})
    hall.limit(cups=1)
    await ann.ask("cup_open", cup="monday", game="toy", seats=2)
    left = hall.lobby.cups.get("monday")
    await ann.ask("follow", cup="monday")
    await ann.cut()
    eve = await hall.player("eve")
    assert (await eve.ask("cup_open", cup="sunday", game="toy", seats=2))["type"] == "cup_info"
    await settled()
    assert (left.retired, left._runs, list(hall.lobby.followers)) == (True, False, [])
    assert [one.cup.settings.cup for one in hall.lobby.cups.all()] == ["sunday"]


async def test_a_cup_under_other_rules_neither_starts_nor_goes_on(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    live = hall.lobby.cups.get("friday")
    told = live.cup.settings
    says = "friday was opened under other rules or cards than those of this server."
    for changed in ({"rules": "of old"}, {"cards": "of old"}):
        live.cup.settings = msgspec.structs.replace(told, **changed)
        refused = await ann.ask("cup_start", cup="friday")
        assert (refused["code"], refused["text"]) == ("cup_state", says)
    live.cup.settings = told
    await ann.ask("cup_start", cup="friday")
    live.cup.settings = msgspec.structs.replace(told, rules="of old")
    await settled()
    assert not hall.lobby.tables
    live.cup.settings = msgspec.structs.replace(told, rules="")
    await finish(hall, peers)
    assert live.cup.state == "finished", "of what was opened before rules were written down nobody knows better"


async def test_of_a_cup_that_cannot_be_read_everything_with_a_word_may_be(hall: Hall) -> None:
    live, _ann, _peers = await running(hall, "bob", "carl", rounds=1)
    cups = hall.lobby.cups
    assert [cups.shares("t9", word) for word in ("", "word")] == [False, False]
    cups.lose("cup:sunday")
    assert [cups.shares("t9", word) for word in ("", "word")] == [False, True]
    assert [cups.hides("t9", word) for word in ("", "word")] == [False, True]
    assert not cups.shares("t1", hall.lobby.tables["t1"].word), "it is known whose that is"
    assert live.cup.match_at("t1") == 1


async def test_who_is_away_can_be_sent_away_from_a_cup_too(hall: Hall) -> None:
    ann, (bob, _carl) = await opened(hall, "bob", "carl", seats=2)
    await bob.cut()
    assert (await ann.ask("cup_kick", cup="friday", entrant="bob"))["info"]["entrants"] == [{"entrant": "carl"}]


async def test_f04_a_cup_whose_stop_could_not_be_kept_goes_on_to_its_end() -> None:
    disk = Disk()
    async with restarts.running(disk) as hall:
        ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
        await ann.ask("cup_start", cup="friday")
        await hall.lobby.journal.settle()
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
