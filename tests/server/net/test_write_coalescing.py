"""What others do comes at once, or with the own next turn, as the hello said: in the same order, and never late."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from bots.sdk import Bot, Turn
from games.api import Action, Event, to_map
from server.net import write_coalescing
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import running

PATIENT = ("with_turn", "all_with_turn", "turns")


async def table_for(hall: Hall, hear: str = "with_turn", **fields: Any) -> tuple[Peer, Peer, Peer]:
    """ann, who hears with her turns, and bob and cid, who hear live, at a table of which all turns are awaited."""
    ann, bob = await hall.player("ann", hear=hear), await hall.player("bob")
    cid = await hall.player("cid")
    await ann.ask("open", game="toy", seats=3, options={"rounds": 2}, **fields)
    for peer in (bob, cid):
        await peer.ask("join", table="t1")
    await ann.ask("start", table="t1")
    for peer in (ann, bob, cid):
        await peer.heard()
    return ann, bob, cid


async def decide(hall: Hall, peer: Peer, seat: int, answered: str = "accepted") -> None:
    """The first legal thing, asked by the seat's player."""
    turn = hall.lobby.tables["t1"].open_turn(seat)
    assert turn is not None
    answer = await peer.ask("act", table="t1", turn=turn.turn, action=to_map(turn.legal[0]))
    assert answer.get("code", answer["type"]) == answered


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


async def test_what_others_do_comes_with_the_own_next_turn_in_one_piece(hall: Hall) -> None:
    ann, bob, cid = await table_for(hall)
    await decide(hall, ann, 1)
    assert kinds(await ann.heard()) == ["event"]  # her own, with the answer
    await decide(hall, bob, 2)
    assert kinds(await bob.heard()) == ["event", "event"]
    assert await ann.heard() == []
    await decide(hall, cid, 3)
    told = await ann.heard()
    assert kinds(told)[-1] == "turn"
    assert len(told) > 2
    numbers = [message["n"] for message in told]
    assert numbers == list(range(numbers[0], numbers[0] + len(told)))


@pytest.mark.parametrize("hear", ["all_with_turn", "turns"])
async def test_the_answer_to_a_decision_may_come_with_the_next_turn_too(hall: Hall, hear: str) -> None:
    ann, bob, cid = await table_for(hall, hear)
    turn = hall.lobby.tables["t1"].open_turn(1)
    assert turn is not None
    await ann.send({"type": "act", "id": 90, "table": "t1", "turn": turn.turn, "action": to_map(turn.legal[0])})
    assert await ann.heard() == []
    assert [done.seat for done in hall.done()] == [1], "it is done all the same"
    await decide(hall, bob, 2)
    assert await ann.heard() == []
    await decide(hall, cid, 3)
    assert [one for one in kinds(await ann.heard()) if one != "event"] == ["accepted", "turn"]


async def test_what_is_refused_is_told_at_once_however_patient_the_program(hall: Hall) -> None:
    ann, bob, _cid = await table_for(hall, "all_with_turn")
    await decide(hall, bob, 2)
    await ann.send({"type": "act", "id": 90, "table": "t1", "turn": 1, "action": {"do": "play", "card": 99}})
    assert kinds(await ann.heard()) == ["event", "error"]


async def test_the_answer_comes_within_a_second_if_nothing_else_does(hall: Hall) -> None:
    ann, _bob, _cid = await table_for(hall, "all_with_turn")
    began = trio.current_time()
    await decide(hall, ann, 1)
    assert trio.current_time() - began == pytest.approx(write_coalescing.LINGER_SECONDS, abs=0.01)


@pytest.mark.parametrize("hear", PATIENT)
async def test_in_the_end_all_was_told_in_order_and_nothing_twice(hall: Hall, hear: str) -> None:
    ann, bob, cid = await table_for(hall, hear)
    for _round in range(2):
        for seat, peer in enumerate((ann, bob, cid), 1):
            await decide(hall, peer, seat)
    told = [message for message in await ann.heard() if "n" in message]
    story = (await ann.ask("log", table="t1"))["messages"]
    if hear == "turns":
        story = [one for one in story if one["type"] != "event"]
    assert [(one["n"], one["type"]) for one in told] == [(one["n"], one["type"]) for one in story[-len(told) :]]
    assert told[-1]["type"] == "over"


async def test_whom_turns_are_enough_is_told_of_no_event_but_of_all_else_under_its_number(hall: Hall) -> None:
    ann, bob, cid = await table_for(hall, "turns")
    before = hall.lobby.tables["t1"].require_match().counts[1]
    for seat, peer in enumerate((ann, bob, cid), 1):
        await decide(hall, peer, seat)
    await bob.cut()
    await trio.sleep(write_coalescing.LINGER_SECONDS)
    told = await ann.heard()
    assert kinds(told) == ["turn", "presence"]
    counted = hall.lobby.tables["t1"].require_match().counts[1]
    assert told[-1]["n"] == counted > before + 2, "events are counted"
    resumed = await ann.ask("resume", table="t1", after=before)
    missed = [await ann.message() for _ in range(resumed["n"] - before)]
    assert [one["n"] for one in missed] == list(range(before + 1, counted + 1))
    assert kinds(missed).count("event") == counted - before - 2


async def test_who_says_hello_anew_hears_events_again(hall: Hall) -> None:
    ann, bob, _cid = await table_for(hall, "turns")
    await ann.cut()
    ann = await hall.again("ann", ann.token)
    await ann.ask("resume", table="t1", after=hall.lobby.tables["t1"].require_match().counts[1])
    await ann.heard()
    await decide(hall, bob, 2)
    assert kinds(await ann.heard()) == ["event"]


async def test_who_waits_hears_it_within_a_second(hall: Hall) -> None:
    ann, bob, _cid = await table_for(hall)
    await decide(hall, bob, 2)
    began = trio.current_time()
    assert (await ann.message())["type"] == "event"
    assert trio.current_time() - began == pytest.approx(write_coalescing.LINGER_SECONDS, abs=0.01)


async def test_what_is_said_brings_what_was_done_before(hall: Hall) -> None:
    ann, bob, cid = await table_for(hall)
    await decide(hall, bob, 2)
    await cid.ask("say", table="t1", text="hm")
    assert kinds(await ann.heard()) == ["event", "chat"]


async def test_an_own_request_brings_what_was_done_before_its_answer(hall: Hall) -> None:
    ann, bob, _cid = await table_for(hall)
    await decide(hall, bob, 2)
    assert (await ann.ask("ping"))["type"] == "pong"
    assert kinds(ann.told) == ["event"]


async def test_a_spectator_hears_live_whatever_its_hello_said(hall: Hall) -> None:
    _ann, bob, _cid = await table_for(hall)
    eve = await hall.player("eve", hear="with_turn")
    await eve.ask("watch", table="t1")
    await eve.heard()
    await decide(hall, bob, 2)
    assert kinds(await eve.heard()) == ["event"]


async def test_e01_what_lingered_when_the_connection_was_lost_is_missed_and_told_once(hall: Hall) -> None:
    ann, bob, _cid = await table_for(hall)
    before = hall.lobby.tables["t1"].require_match().counts[1]
    await decide(hall, bob, 2)
    await ann.cut()
    ann = await hall.again("ann", ann.token, hear="with_turn")
    resumed = await ann.ask("resume", table="t1", after=before)
    missed = [await ann.message() for _ in range(resumed["n"] - before)]
    assert [message["n"] for message in missed] == list(range(before + 1, resumed["n"] + 1))
    assert missed[0]["type"] == "event"
    await trio.sleep(2 * write_coalescing.LINGER_SECONDS)  # nothing of the old connection fails


@pytest.mark.parametrize("hear", PATIENT)
async def test_f04_what_lingers_and_never_got_on_disk_is_not_told(hear: str) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob, _cid = await table_for(hall, hear)
        disk.full = True
        await decide(hall, bob, 2, "storage")
        await trio.sleep(2 * write_coalescing.LINGER_SECONDS)
        assert "event" not in kinds(await ann.heard())


class Noted:
    """Notes when it was released."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def release(self) -> None:
        self.times.append(trio.current_time())


async def test_those_whose_second_ends_at_nearly_the_same_time_are_told_together(nursery: trio.Nursery) -> None:
    waiting, began = write_coalescing.WriteCoalescer(), trio.current_time()
    nursery.start_soon(waiting.run)
    peers = [Noted() for _ in range(3)]
    for peer in peers:
        waiting.release_later(peer)
        await trio.sleep(0.04)
    await trio.sleep(2 * write_coalescing.LINGER_SECONDS)
    nursery.cancel_scope.cancel()
    assert [time - began for peer in peers for time in peer.times] == pytest.approx([1.0, 1.0, 1.08])


class Deaf(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Listening(Deaf):
    def hear(self, event: Event) -> None:
        pass


def test_a_bot_that_hears_nothing_need_not_hear_live() -> None:
    assert not Deaf.listens()
    assert Listening.listens()
