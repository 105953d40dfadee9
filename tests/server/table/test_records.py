"""What is kept of a table, and the table that is made of it."""

from __future__ import annotations

import pytest

from server.common import Common
from server.table.restoring import NotInstalled, restored
from tests.helpers.disk import Disk
from tests.helpers.hall import TOYS, Hall


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def test_a_table_of_a_game_that_is_not_there_is_not_made(hall: Hall, disk: Disk) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    with pytest.raises(NotInstalled, match="toy is not installed"):
        restored("t1", disk.rows["t1"], Common(hall.app.config, {}, hall.lobby.house), lambda _name: None)
    table = restored("t1", disk.rows["t1"], Common(hall.app.config, TOYS, hall.lobby.house), lambda _name: None)
    chairs = table.seating.chairs
    assert [(chair.name, chair.player is not None, chair.listener) for chair in chairs] == [
        ("ann", True, None),
        ("", False, None),
    ]
    assert chairs[0].player is not None
    assert (table.owner, table.state, chairs[0].player.name, [*chairs[0].player.tables]) == (
        "ann",
        "open",
        "ann",
        ["t1"],
    )
