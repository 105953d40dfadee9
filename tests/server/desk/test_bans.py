"""Whom the operator's orders concern, and whom they do not; and that they hold after a restart."""

from __future__ import annotations

import pytest
import trio
import trio.testing

from server.desk.operator import OperatorCommand
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.server.desk.test_operator import operator_of, orders


@pytest.mark.parametrize("taken_back", [False, True])
async def test_a_drained_server_ends_once_nothing_is_played_unless_that_was_taken_back(
    hall: Hall, taken_back: bool
) -> None:
    operator = operator_of(hall.app, hall.nursery)
    await hall.table_of("ann", "bob")
    for _ in range(2):
        await operator.execute(OperatorCommand("drain"))
    if taken_back:
        await operator.execute(OperatorCommand("accept"))
    await operator.execute(OperatorCommand("close", table="t1"))
    await trio.sleep(5)
    assert hall.app.stopping.is_set() != taken_back


@pytest.mark.parametrize("lets_in", [True, False])
async def test_a_server_that_lets_nobody_in_says_so_when_it_begins_again(
    caplog: pytest.LogCaptureFixture, lets_in: bool
) -> None:
    disk = Disk()
    async with running(disk) as hall:
        await hall.player("ann")
        if not lets_in:
            await orders(hall, "stop-accepting")
        await hall.lobby.journal.wait_until_written()
    caplog.clear()
    async with running(disk) as hall:
        assert (hall.lobby.service.accepting, "new players and matches are refused" in caplog.text) == (
            lets_in,
            not lets_in,
        )
