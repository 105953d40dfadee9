"""How finished matches came out: counted once, for whoever played to the end, kept, and told to anybody who asks."""

from __future__ import annotations

import msgspec
import pytest
import trio

from people.text.commands import render_reply
from protocol import messages as m
from server.player import PlayerRow, player_subject
from server.player_stats import MatchStats
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import running


async def play(ann: Peer, number: int = 1) -> dict[str, int]:
    """A match of that player against a house bot; the places by name."""
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table=f"t{number}", bot="first")
    await ann.ask("start", table=f"t{number}")
    over = await ann.play_on()
    return {result["name"]: result["place"] for result in over["results"]}


async def test_places_and_opponents_are_counted_when_a_match_is_over_and_not_before(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    nothing = {"type": "player_stats", "re": 0, "name": "ann", "games": [], "opponents": []}
    assert {**await bob.ask("stats", name="ann"), "re": 0} == nothing
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.play_on)
        over = await bob.play_on()
    place = {result["name"]: result["place"] for result in over["results"]}
    told = await bob.ask("stats", name="ann")
    places = [int(at == place["ann"]) for at in range(1, place["ann"] + 1)]
    assert told["games"] == [{"game": "toy", "places": places}]
    ahead, behind = int(place["ann"] < place["bob"]), int(place["ann"] > place["bob"])
    assert told["opponents"] == [{"name": "bob", "meetings": 1, "ahead": ahead, "behind": behind}]
    own = await bob.ask("stats")
    assert own["opponents"] == [{"name": "ann", "meetings": 1, "ahead": behind, "behind": ahead}]


async def test_an_aborted_match_does_not_count_and_who_gave_up_is_counted_last(hall: Hall) -> None:
    ann, bob, cid = await hall.table_of("ann", "bob", "cid")
    await cid.ask("resign", table="t1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.play_on)
        await bob.play_on()
    assert (await ann.ask("stats", name="cid"))["games"] == [{"game": "toy", "places": [0, 0, 1]}]
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t2", bot="first")
    await ann.ask("start", table="t2")
    await ann.ask("close", table="t2")
    told = await ann.ask("stats")
    assert sum(told["games"][0]["places"]) == 1
    assert [other["name"] for other in told["opponents"]] == ["cid", "bob"]


async def test_a_match_that_everybody_gave_up_is_won_by_nobody(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    ann, bob = await hall.table_of("ann", "bob")
    for peer in (ann, bob):
        await peer.ask("resign", table="t1")
    over = await bob.next("over")
    assert [(one["how"], one["place"]) for one in over["results"]] == [("resigned", 2)] * 2
    assert "2. ann" in caplog.text
    shown = render_reply(msgspec.convert(over, m.Over), None)
    assert [line.split(":")[0] for line in shown[1:3]] == ["  2. ann", "  2. bob"]
    told = await ann.ask("stats")
    assert told["games"] == [{"game": "toy", "places": [0, 1]}]
    assert told["opponents"] == [{"name": "bob", "meetings": 1, "ahead": 0, "behind": 0}]


async def test_a_name_that_nobody_has_is_refused(hall: Hall) -> None:
    ann = await hall.player("ann")
    refused = await ann.ask("stats", name="nobody-here")
    assert (refused["code"], refused["text"]) == ("no_such_player", "No one with that name has played here.")


async def test_f01_what_was_counted_outlives_the_server_and_a_match_counts_once() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await play(ann)
        before = await ann.ask("stats")
        await ann.ask("open", game="toy", seats=2)
        await ann.ask("add", table="t2", bot="first")
        await ann.ask("start", table="t2")
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert {**await ann.ask("stats"), "re": before["re"]} == before
        await ann.ask("resume", table="t2", after=0)
        await ann.play_on()
        assert sum((await ann.ask("stats"))["games"][0]["places"]) == 2
    rows = msgspec.msgpack.decode(disk.rows["name:ann"][0], type=PlayerRow)
    assert sum(rows.renown.games["toy"]) == 2


async def test_c17_a_forgotten_name_stays_forgotten_when_a_match_that_it_gave_up_ends() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob, cid = await hall.table_of("ann", "bob", "cid")
        await cid.ask("resign", table="t1")
        await cid.ask("leave", table="t1")
        await cid.ask("quit")
        await cid.cut()
        gone = hall.lobby.people.find_player("cid")
        assert gone is not None
        assert (gone.listener, gone.tables) == (None, {})
        hall.lobby.people.forget_player(gone)
        other = await hall.connect()
        await other.ask("hello", name="Cid", key="5a" * 32)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.play_on)
            await bob.play_on()
        assert (await other.ask("stats"))["games"] == []
    row = msgspec.msgpack.decode(disk.rows[player_subject("cid")][0], type=PlayerRow)
    assert (row.name, row.held, row.renown) == ("Cid", bytes.fromhex("5a" * 32), MatchStats())


async def test_by_telnet_a_person_reads_it_as_lines(hall: Hall) -> None:
    ann = await hall.player("ann")
    await play(ann)
    bob = await hall.typist()
    await bob.types("hello bob")
    seen = await bob.types("stats ann")
    assert seen.startswith("ann: 1 match, ")
    assert "\n  against first  1 time, " in seen
    assert await bob.types("stats") == "bob has finished no match here.\n"
