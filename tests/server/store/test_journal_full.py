"""The disk takes nothing any more: nothing is lost that was acknowledged, and play goes on when there is room."""

from __future__ import annotations

import logging

import pytest
import trio

from protocol.proof import make_proof
from server.config import Config
from server.desk import lobby_requests
from server.store.journal import AGAIN_SECONDS
from server.store.rows import StoreFailed
from server.table.message_log import MessageLog
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer


@pytest.fixture
def disk() -> Disk:
    return Disk(delay=0.01)


async def act(peer: Peer, turn: Message) -> Message:
    return await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])


async def test_f04_a_move_that_cannot_be_kept_is_refused_and_was_never_made(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    await bob.heard()
    before = (await ann.ask("look", table="t1"))["view"]
    disk.full = True
    answer = await act(ann, turn)
    assert (answer["code"], answer["again"], answer.get("clock_runs", False)) == ("storage", True, False)
    assert await bob.heard() == [], "nobody heard of it"
    assert (await ann.ask("look", table="t1"))["view"] == before
    assert (await ann.ask("legal", table="t1"))["turn"]["turn"] == 1
    assert hall.done() == []


async def test_f04_while_the_disk_is_full_nothing_is_changed_and_everything_can_be_asked(
    hall: Hall, disk: Disk
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    disk.full = True
    await act(ann, turn)
    refused = await act(bob, await bob.next("turn"))
    assert (refused["code"], refused.get("clock_runs", False)) == ("storage", False)
    assert (await bob.ask("open", game="toy", seats=2))["code"] == "storage"
    assert (await (await hall.connect()).ask("hello", name="eve"))["code"] == "storage"
    for question in ({"kind": "ping"}, {"kind": "tables"}, {"kind": "clock", "table": "t1"}):
        assert (await bob.ask(**question))["type"] != "error"
    assert (await bob.ask("quit"))["reason"] == "quit"


async def test_f04_what_was_refused_may_be_asked_again_under_its_id_even_after_a_restart(config: Config) -> None:
    for restarted in (False, True):
        disk = Disk(delay=0.01)
        async with trio.open_nursery() as nursery:
            hall = Hall(nursery, config, store=disk)
            ann = await hall.player("ann", session="s")
            await ann.ask("open", game="toy", seats=2)
            disk.full = True
            await ann.ask("open", game="toy", seats=2)
            number = ann.last_id + 1
            assert (await ann.ask("open", id=number, game="toy", seats=3))["code"] == "storage"
            disk.full = False
            await trio.sleep(AGAIN_SECONDS + 0.1)
            if restarted:
                ann = await hall.again("ann", ann.token, session="s", id=number + 1)
                nursery.cancel_scope.cancel()
            else:
                assert (await ann.ask("open", id=number, game="toy", seats=3))["type"] == "table"
                nursery.cancel_scope.cancel()
        if restarted:
            async with trio.open_nursery() as nursery:
                hall = Hall(nursery, config, store=disk)
                ann = await hall.again("ann", ann.token, session="s", id=number + 2)
                assert (await ann.ask("open", id=number, game="toy", seats=3))["type"] == "table"
                nursery.cancel_scope.cancel()


async def test_f04_who_comes_back_while_the_table_is_made_again_as_it_was_kept_is_at_the_table_that_goes_on(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    async with trio.open_nursery() as nursery:
        ann, _bob = await Hall(nursery, config, store=disk).table_of("ann", "bob")
        disk.dead = True
        nursery.cancel_scope.cancel()
    disk.dead = False
    grow, pauses = MessageLog.advance, iter([True] * 9)

    def slowly(story: MessageLog, *most: int) -> bool:
        return not next(pauses, False) and grow(story, *most)

    monkeypatch.setattr(MessageLog, "advance", slowly)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, config, store=disk)
        ann = await hall.again("ann", ann.token)
        before, disk.full = hall.lobby.tables["t1"], True
        assert (await ann.ask("resume", table="t1", after=0))["code"] == "storage"
        assert hall.lobby.tables["t1"] is not before
        disk.full = False
        await trio.sleep(AGAIN_SECONDS + 0.1)
        assert (await ann.ask("resume", table="t1", after=0))["type"] == "resumed"
        assert (await act(ann, await ann.next("turn")))["type"] == "accepted"
        seat_state = hall.lobby.tables["t1"].seating.seat_state(1)
        assert (seat_state.listener is not None, seat_state.away) == (True, None)
        nursery.cancel_scope.cancel()


async def test_f04_play_goes_on_when_there_is_room_and_no_clock_ran_meanwhile(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 60, "increment": 10})
    turn = await ann.next("turn")
    disk.full = True
    assert (await act(ann, turn))["code"] == "storage"
    await trio.sleep(200)
    left = [clock["left"] for clock in (await ann.ask("clock", table="t1"))["clocks"]]
    assert left == pytest.approx([70, 70], abs=0.5)
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert (await act(ann, turn))["type"] == "accepted"
    told = [*bob.told]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.play_on)
        while not (told and told[-1]["type"] == "over"):
            if told and told[-1]["type"] == "turn":
                asked = {"table": "t1", "turn": told[-1]["turn"], "action": told[-1]["legal"][0]}
                await bob.send({"type": "act", "id": 100 + asked["turn"], **asked})
            told.append(await bob.message())
    numbers = [message["n"] for message in told if "n" in message]
    assert numbers == list(range(1, len(numbers) + 1)), "what was refused left no gap"


async def test_f04_a_clock_goes_on_from_where_the_last_entry_left_it(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 60, "increment": 10})
    turns = [await peer.next("turn") for peer in (ann, bob)]
    await trio.sleep(20)
    assert (await act(ann, turns[0]))["type"] == "accepted"
    disk.full = True
    assert (await act(bob, turns[1]))["code"] == "storage"
    await trio.sleep(200)
    disk.full = False
    await trio.sleep(10)
    assert (await ann.ask("clock", table="t1"))["clocks"][1]["left"] == pytest.approx(40, abs=AGAIN_SECONDS)


async def test_f04_house_bots_wait_for_the_disk(hall: Hall, disk: Disk) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    disk.full = True
    assert (await ann.ask("start", table="t1"))["code"] == "storage"
    assert (await ann.ask("tables"))["tables"][0]["state"] == "open"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    turn = await ann.next("turn")
    disk.full = True
    assert (await act(ann, turn))["code"] == "storage"
    entries = len(hall.lobby.tables["t1"].entries)
    await trio.sleep(60)
    assert len(hall.lobby.tables["t1"].entries) == entries
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert (await act(ann, turn))["type"] == "accepted"
    assert (await ann.play_on())["reason"] == "points"


async def test_f04_a_name_and_a_table_that_could_not_be_kept_are_free_again(hall: Hall, disk: Disk) -> None:
    ann = await hall.player("ann")
    disk.full = True
    assert (await ann.ask("open", game="toy", seats=2))["code"] == "storage"
    assert (await ann.ask("tables"))["tables"] == []
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    disk.full = True
    eve = await hall.connect()
    assert (await eve.ask("hello", name="eve"))["code"] == "storage"
    assert (await eve.next("bye"))["reason"] == "error"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await hall.player("eve")
    assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t2", "no id comes again"
    assert (await ann.ask("who"))["players"][0]["tables"] == ["t2"]


async def test_f04_a_language_is_chosen_though_it_cannot_be_kept_and_blocks_nobody(hall: Hall, disk: Disk) -> None:
    ann = await hall.player("ann")
    disk.full = True
    assert (await ann.ask("open", game="toy", seats=2))["code"] == "storage"
    assert (await ann.ask("lang", lang="fr"))["text"] == "Tu lis désormais le français."
    assert (await ann.ask("tables"))["tables"] == []


async def test_f04_who_left_while_the_disk_was_full_is_away_afterwards(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    disk.full = True
    await act(ann, turn)
    await ann.cut()
    await trio.sleep(1_000)
    assert hall.lobby.tables["t1"].seating.seat_state(1).house is None, "grace does not run"
    await bob.heard()
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert [message["how"] for message in await bob.heard()] == ["away"]
    ann = await hall.again("ann", ann.token)
    assert (await ann.ask("resume", table="t1", after=0))["type"] == "resumed"
    assert (await bob.next("presence"))["how"] == "back"


async def test_f04_a_match_that_ended_while_nothing_could_be_written_has_not_ended(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    turns = [await ann.next("turn"), await bob.next("turn")]
    await act(ann, turns[0])
    await bob.heard()
    disk.full = True
    assert (await act(bob, turns[1]))["code"] == "storage"
    assert hall.lobby.tables["t1"].state == "playing"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert (await act(bob, turns[1]))["type"] == "accepted"
    assert (await ann.next("over"))["reason"] == "points"
    await trio.sleep(1)
    assert hall.lobby.tables["t1"].done.is_set()


async def test_f04_spectators_see_nothing_of_what_did_not_happen(hall: Hall, disk: Disk) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    watching = await eve.ask("watch", table="t1")
    turn = await ann.next("turn")
    disk.full = True
    await act(ann, turn)
    assert await eve.heard() == []
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await act(ann, turn)
    assert (await eve.next("event"))["n"] == watching["n"] + 1


async def test_f04_a_table_that_is_made_again_is_still_listed_in_its_place(
    hall: Hall, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_requests, "ROWS", 2)
    ann, _bob = await hall.table_of("ann", "bob")
    for _table in range(3):
        await ann.ask("open", game="toy", seats=2)
    disk.full = True
    await act(ann, await ann.next("turn"))
    first = (await ann.ask("tables"))["tables"]
    second = (await ann.ask("tables", after=first[-1]["table"]))["tables"]
    assert [row["table"] for row in (*first, *second)] == ["t1", "t2", "t3", "t4"]


async def test_f05_the_log_has_one_line_about_it_however_many_ask(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "magehall.store")
    ann, bob = await hall.table_of("ann", "bob")
    turns = [await ann.next("turn"), await bob.next("turn")]
    caplog.clear()
    disk.full = True
    for _ in range(10):
        await act(ann, turns[0])
        await act(bob, turns[1])
        await trio.sleep(1)
    assert [record.levelname for record in caplog.records] == ["ERROR"]


async def test_f05_after_an_fsync_that_failed_nothing_is_written_any_more_and_the_server_stops(
    hall: Hall, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turns = [await ann.next("turn"), await bob.next("turn")]
    disk.unsure = True
    first = turns[0]["legal"][0]
    await ann.send({"type": "act", "id": 90, "table": "t1", "turn": 1, "action": first})
    await trio.sleep(60)
    assert not any(told.get("re") == 90 for told in await ann.heard()), (
        "nobody knows whether it is kept: a restart tells who asks again"
    )
    disk.unsure, attempts = False, disk.attempts
    await trio.sleep(60)
    assert (await act(bob, turns[1]))["code"] == "storage"
    assert disk.attempts == attempts, "asking again would prove nothing"
    assert (hall.app.broken, hall.app.stopping.is_set()) == (True, True)
    assert "for a restart" in caplog.text


async def test_a_person_who_types_reads_why_and_goes_on(hall: Hall, disk: Disk) -> None:
    typist = await hall.typist()
    await typist.types("hello ann", "open toy 2", "add first")
    await typist.types("start")
    await trio.sleep(0.1)
    await typist.heard()
    await typist.types("?")
    disk.full = True
    await typist.send("1")
    await trio.sleep(0.1)
    assert "cannot write to its disk" in await typist.heard()
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    await typist.types("?")
    await typist.send("1")
    await trio.sleep(0.1)
    assert "cannot write" not in (shown := await typist.heard())
    assert "Shown:" in shown


async def test_f04_who_could_not_be_sent_away_is_told_nothing_and_stays(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    await bob.ask("join", table="t1")
    disk.full = True
    assert (await ann.ask("kick", table="t1", player="bob"))["code"] == "storage"
    assert await bob.heard() == []
    assert hall.lobby.tables["t1"].seating.names() == ["ann", "bob", ""]
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert (await ann.ask("kick", table="t1", player="bob"))["type"] == "done"
    assert (await bob.next("sent_away"))["why"] == "kicked"


@pytest.mark.parametrize("asked", ["leave", "close", "kick"])
async def test_f04_a_seat_at_an_open_table_is_kept_where_giving_it_up_could_not_be(
    hall: Hall, disk: Disk, asked: str
) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await trio.sleep(hall.app.config.grace + 1)
    disk.full = True
    who = bob if asked == "leave" else ann
    more = {"player": "bob"} if asked == "kick" else {}
    assert (await who.ask(asked, table="t1", **more))["code"] == "storage"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    (listed,) = (await ann.ask("tables"))["tables"]
    assert [(seat.get("name"), seat.get("here", True)) for seat in listed["seats"]] == [("ann", True), ("bob", True)]
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    assert (await bob.next("started"))["you"] == 2


async def test_f04_who_could_not_leave_a_match_still_plays_there(hall: Hall, disk: Disk) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    disk.full = True
    assert (await bob.ask("leave", table="t1"))["code"] == "storage"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    assert not [message for message in await ann.heard() if message["type"] == "presence"]
    assert (await ann.ask("say", table="t1", text="hm"))["type"] == "said"
    assert (await bob.next("chat"))["text"] == "hm"


async def test_f04_a_hello_that_could_not_be_kept_ends_the_connection_so_that_the_next_one_is_heard(
    hall: Hall, disk: Disk
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    disk.full = True
    peer = await hall.connect()
    hello = {"name": "ann", "proof": make_proof(ann.token, peer.challenge, "ann")}
    assert (await peer.ask("hello", **hello))["code"] == "storage"
    assert (await peer.next("bye"))["reason"] == "error"
    disk.full = False
    await trio.sleep(AGAIN_SECONDS + 0.1)
    ann = await hall.again("ann", ann.token)
    assert (await ann.ask("resume", table="t1", after=0))["type"] == "resumed"


async def test_f05_a_disk_that_cannot_be_read_either_after_a_failed_fsync_still_ends_the_server_in_good_order(
    hall: Hall, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")

    def broken(_subject: str) -> dict[int, bytes]:
        raise StoreFailed("disk I/O error")

    disk.unsure = True
    monkeypatch.setattr(disk, "read", broken)
    await ann.send({"type": "act", "id": 50, "table": "t1", "turn": 1, "action": turn["legal"][0]})
    await ann.send({"type": "mute", "id": 51, "table": "t1", "player": "bob"})
    await hall.app.stopping.wait()
    assert hall.app.broken
