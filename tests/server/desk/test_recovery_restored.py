"""A server that was restored from a backup, as a program that was connected to it meets it on the wire."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import resume, running


async def lost_three(disk: Disk) -> tuple[Peer, Peer, int]:
    """Two players who made three decisions after the backup to which the disk is restored, and ann's cursor."""
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob", options={"rounds": 4})
        saved: dict[str, dict[int, bytes]] = deepcopy(disk.rows)
        for peer in (ann, bob, ann):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
        await ann.ask("ping")
        last = max(message["n"] for message in ann.told if "n" in message)
    disk.rows = saved
    return ann, bob, last


async def test_a_cursor_beyond_what_was_restored_is_refused_and_the_match_resumed_after_0() -> None:
    disk = Disk()
    ann, _bob, last = await lost_three(disk)
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        answer = await ann.ask("resume", table="t1", after=last)
        assert (answer["code"], answer["text"]) == ("bad_cursor", f"The server lost message {last}. Resume after 0.")
        answer = await ann.ask("resume", table="t1")
        assert (answer["type"], answer["after"]) == ("resumed", 0)
        turn = await ann.next("turn")
        assert (await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0]))["type"] == "accepted"


async def test_a_cursor_is_refused_too_where_the_restored_match_went_on_beyond_it() -> None:
    disk = Disk()
    ann, bob, last = await lost_three(disk)
    async with running(disk) as hall:
        again = await resume(hall, ann, "ann")
        bob = await resume(hall, bob, "bob")
        for peer in (again, bob, again, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][-1])
        assert hall.lobby.tables["t1"].require_match().counts[1] > last
        old = await hall.again("ann", ann.token, session="old")
        assert (await old.ask("resume", table="t1", after=last))["code"] == "bad_cursor", "it heard of another match"
        assert (await old.ask("resume", table="t1"))["type"] == "resumed"
        old = await hall.again("ann", ann.token, session="old", id=50)
        assert (await old.ask("resume", table="t1", after=last))["type"] == "resumed", "this one it heard from here"


async def test_a_session_that_heard_all_from_here_resumes_anywhere(hall: Hall) -> None:
    more: dict[str, Any] = {"session": "s"}
    ann, bob = await hall.player("ann", **more), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    await ann.next("turn")
    last = max(message["n"] for message in ann.told if "n" in message)
    ann = await hall.again("ann", ann.token, id=90, **more)
    assert (await ann.ask("resume", table="t1", after=last))["type"] == "resumed"
