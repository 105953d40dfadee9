"""Whom the operator's orders concern, and whom they do not; and that they hold after a restart."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from server.desk.bans import Bans
from server.desk.operator import Command
from server.store.journal import Journal
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.server.desk.test_operator import HERE, THERE, code_of_hello, operator_of, orders, refusal


async def test_who_is_away_is_kicked_from_a_seat_that_is_held_and_not_where_there_is_none(hall: Hall) -> None:
    _ann, bob = await hall.table_of("ann", "bob")
    await bob.cut()
    assert await orders(hall, "kick", "bob") == ["bob is gone, but may come back."]
    assert not hall.lobby.tables["t1"].plays(hall.lobby.people.find("bob"))  # type: ignore[arg-type]
    assert await refusal(hall, "kick", "bob") == "bob is not here."
    _eve, zoe = await hall.player("eve"), await hall.player("zoe")
    await zoe.ask("open", game="toy", seats=2)
    await orders(hall, "close", table="t1")
    assert await refusal(hall, "kick", "bob", table="t1") != ""
    await zoe.cut()
    assert await orders(hall, "kick", "zoe") == ["zoe is gone, but may come back."]


async def test_only_those_from_a_banned_address_are_sent_away(hall: Hall) -> None:
    for name, address in (("ann", HERE), ("bob", THERE), ("carl", HERE), ("dora", None)):
        await hall.player(name, address)
    await orders(hall, "ban", HERE)
    await trio.testing.wait_all_tasks_blocked()
    assert [player.name for player in hall.lobby.people.here()] == ["bob", "dora"]
    await orders(hall, "ban", "DORA")
    await trio.testing.wait_all_tasks_blocked()
    assert [player.name for player in hall.lobby.people.here()] == ["bob"]


async def test_nobody_is_forgotten_who_is_here_or_has_a_table_or_a_seat(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    assert await refusal(hall, "forget", "ann") == "ann is still here; only who is gone can be forgotten."
    for _ in range(2):
        await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t2")
    for peer in (ann, bob):
        await peer.cut()
    assert await refusal(hall, "forget", "ann") == "ann is still at t1 t2; only who is gone can be forgotten."
    assert await refusal(hall, "forget", "bob") == "bob is still at t2; only who is gone can be forgotten."
    for table in ("t1", "t2"):
        await orders(hall, "close", table=table)
    assert await orders(hall, "forget", "bob") == ["bob is forgotten; the name is free."]
    assert await code_of_hello(hall, "bob") == ""


async def test_who_is_muted_or_has_a_code_is_so_after_a_restart(nursery: trio.Nursery) -> None:
    disk = Disk()
    async with running(disk) as hall:
        for name in ("ann", "bob"):
            await hall.player(name)
        await orders(hall, "mute", "ann")
        code = (await orders(hall, "code", "bob"))[1].split()[-1]
        await hall.lobby.journal.settle()
    async with running(disk) as hall:
        ann = hall.lobby.people.find("ann")
        assert ann is not None
        assert ann.muted
        stranger = await hall.connect()
        assert (await stranger.ask("hello", name="bob", code=code))["type"] == "welcome"
        await orders(hall, "unmute", "ann")
        await hall.lobby.journal.settle()
    async with running(disk) as hall:
        assert not getattr(hall.lobby.people.find("ann"), "muted", True)
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize("taken_back", [False, True])
async def test_a_drained_server_ends_once_nothing_is_played_unless_that_was_taken_back(
    hall: Hall, taken_back: bool
) -> None:
    operator = operator_of(hall.app, hall.nursery)
    await hall.table_of("ann", "bob")
    for _ in range(2):
        await operator.obey(Command("drain"))
    if taken_back:
        await operator.obey(Command("accept"))
    await operator.obey(Command("close", table="t1"))
    await trio.sleep(5)
    assert hall.app.stopping.is_set() != taken_back


def test_a_ban_that_is_over_is_not_kept_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    bans, now = Bans(Journal()), [1_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    bans.put("ann", "Ann", 10)
    bans.put("bob", "Bob", 0)
    now[0] += 9.5
    assert (bool(bans.refusal("ann")), len(bans.listed())) == (True, 2)
    now[0] += 0.5
    assert (bans.refusal("ann"), [ban.who for ban in bans.listed()]) == (None, ["Bob"])
    bans.put("eve", "Eve", 10)
    assert list(bans._bans) == ["bob", "eve"]
    assert [bans.lift(who) for who in ("ann", "bob", "bob")] == [False, True, False]


@pytest.mark.parametrize("lets_in", [True, False])
async def test_a_server_that_lets_nobody_in_says_so_when_it_begins_again(
    caplog: pytest.LogCaptureFixture, lets_in: bool
) -> None:
    disk = Disk()
    async with running(disk) as hall:
        await hall.player("ann")
        if not lets_in:
            await orders(hall, "stop-accepting")
        await hall.lobby.journal.settle()
    caplog.clear()
    async with running(disk) as hall:
        assert (hall.lobby.accepting, "new players and matches are refused" in caplog.text) == (lets_in, not lets_in)
