"""What is kept of a table, and the table that is made of it."""

from __future__ import annotations

import pytest

from protocol.entries import ActionTaken
from server.common import Common
from server.table.records import FIRST_ENTRY, HEADER, TABLE, read_header, read_match, read_table
from server.table.restoring import NotInstalled, is_installed, restored
from tests.helpers.disk import Disk
from tests.helpers.hall import TOYS, Hall
from tests.helpers.toy import TOY


@pytest.fixture
def disk() -> Disk:
    return Disk()


async def test_a_table_is_written_when_something_of_it_has_changed(hall: Hall, disk: Disk) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    table, journal = hall.lobby.tables["t1"], hall.lobby.journal
    before = journal.writes
    table.records.save(table)
    assert journal.writes == before
    player = hall.lobby.people.find("ann")
    assert player is not None
    table.kicked[player] = None
    table.records.save(table)
    table.records.save(table)
    assert journal.writes == before + 1
    await journal.settle()
    assert read_table(disk.rows["t1"]).kicked == ["ann"]
    for change in ("stopped", "forgotten"):
        table.stopped = change == "stopped"
        if change == "forgotten":
            table.records.forget(keep_match=True)
        table.kicked.clear()
        before = journal.writes
        table.records.save(table)
        assert journal.writes == before, change


@pytest.mark.parametrize("keep_match", [True, False])
async def test_of_a_table_that_is_gone_the_match_can_be_kept(hall: Hall, disk: Disk, keep_match: bool) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for peer in (ann, bob):
        turn = await peer.next("turn")
        await peer.ask("act", table="t1", turn=1, action=turn["legal"][0])
    records = hall.lobby.tables["t1"].records
    assert sorted(disk.rows["t1"]) == [TABLE, HEADER, FIRST_ENTRY, FIRST_ENTRY + 1]
    row = read_header(disk.rows["t1"])
    assert is_installed(TOY, row)
    header, entries = read_match(TOY, disk.rows["t1"])
    assert (header, entries) == (row.header, hall.lobby.tables["t1"].entries)
    assert [entry.seat for entry in entries if isinstance(entry, ActionTaken)] == [1, 2]
    records.forget(keep_match=keep_match)
    await hall.lobby.journal.settle()
    assert sorted(disk.rows.get("t1", {})) == ([HEADER, FIRST_ENTRY, FIRST_ENTRY + 1] if keep_match else [])
    records.retired = True
    before = hall.lobby.journal.writes
    records.add(2, entries[0])
    assert hall.lobby.journal.writes == before, "another one keeps the table now"


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
