"""Seats at open tables whose players have lost their connection."""

from __future__ import annotations

import pytest
import trio

from protocol.limits import OPEN_SEAT_SECONDS
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running


@pytest.mark.parametrize("away", [OPEN_SEAT_SECONDS - 2, OPEN_SEAT_SECONDS + 2])
async def test_e01_a_seat_at_an_open_table_waits_a_while_for_who_lost_the_connection(hall: Hall, away: int) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await trio.sleep(200)  # long after the server began, which holds seats longer
    await bob.heard()
    await ann.cut()
    changed = (await bob.next("table_changed"))["info"]
    assert (changed["owner"], changed["seats"][0]["here"]) == ("ann", False)
    await trio.sleep(away)
    ann = await hall.again("ann", ann.token)
    if away > OPEN_SEAT_SECONDS:
        assert (await bob.next("table_changed"))["info"]["owner"] == "bob"
        assert not hall.lobby.presence._held_seats._until, "nothing is waited for any more"
        return
    assert (await bob.next("table_changed"))["info"]["seats"][0]["name"] == "ann"
    assert (await ann.ask("start", table="t1"))["type"] == "table"
    assert (await ann.next("turn"))["turn"] == 1


async def test_f04_a_seat_at_an_open_table_is_not_given_up_while_that_cannot_be_kept() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.player("ann"), await hall.player("bob")
        await ann.ask("open", game="toy", seats=3)
        await bob.ask("join", table="t1")
        disk.full = True
        assert (await ann.ask("open", game="toy", seats=2))["code"] == "storage"
        await bob.cut()
        await trio.sleep(2 * OPEN_SEAT_SECONDS)
        seating = hall.lobby.tables["t1"].seating
        assert seating.names() == ["ann", "bob", ""]
        disk.full = False
        await trio.sleep(OPEN_SEAT_SECONDS)
        assert seating.names() == ["ann", "bob", ""], "it is held as after a restart"
        await trio.sleep(hall.lobby.config.grace)
        assert seating.names() == ["ann", "", ""]
