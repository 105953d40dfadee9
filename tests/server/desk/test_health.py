"""The figures that the operator reads of the server's health."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.desk.operator import OperatorCommand, OperatorCommands
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running


async def status_of(hall: Hall) -> Any:
    """The figures as programs read them."""
    return (await OperatorCommands(hall.lobby, hall.nursery, lambda: None).execute(OperatorCommand("status"))).facts


async def test_decisions_are_timed_until_they_are_on_disk(autojump_clock: object) -> None:
    disk = Disk(delay=0.2)
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        asked = await status_of(hall)
        assert (asked["decisions"], asked["tables"]["playing"]) == ({"a_second": 0.0, "p50": None, "p99": None}, 1)
        for peer in (ann, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
        told = (await status_of(hall))["decisions"]
    assert told["a_second"] > 0
    assert 0.2 <= told["p50"] <= told["p99"] < 0.46, "a commit, or the rest of one and another"


async def test_people_connections_and_tables_are_counted_by_kind(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    await hall.player("prog", bot=True)
    await hall.connect()
    told = await status_of(hall)
    assert told["people"] == {"persons": 2, "bots": 1, "known": 3, "connections": 4}
    assert told["tables"] == {"open": 0, "playing": 1, "over": 0}
    assert told["state"] == "open"


@pytest.mark.parametrize(("do", "expected"), [("stop-accepting", "closed"), ("drain", "draining"), ("accept", "open")])
async def test_the_state_says_whether_newcomers_are_let_in(hall: Hall, do: str, expected: str) -> None:
    await hall.table_of("ann", "bob")
    await OperatorCommands(hall.lobby, hall.nursery, lambda: None).execute(OperatorCommand(do))
    assert (await status_of(hall))["state"] == expected


async def test_a_disk_that_is_full_and_names_under_attack_are_told(autojump_clock: object, tmp_path: Path) -> None:
    disk = Disk()
    async with running(disk) as hall:
        hall.lobby.health.folder = tmp_path
        ann = await hall.player("ann")
        guesser = await hall.connect("192.0.2.9")
        for _ in range(8):
            await guesser.ask("hello", name="ann", code="guess")
            guesser = await hall.connect("192.0.2.9")
        locked = (await status_of(hall))["lockouts"]
        assert locked["count"] == 1
        assert (locked["longest"][0]["name"], locked["longest"][0]["address"]) == ("ann", "192.0.2.9")
        disk.full = True
        await ann.ask("open", game="toy", seats=2)
        status = hall.lobby.health.current_status()
        assert status.store is not None
        assert status.store.failing
        assert any("CANNOT BE WRITTEN" in line for line in status.to_sentences())


async def test_a_name_that_many_addresses_guess_is_told_with_its_wait(hall: Hall) -> None:
    await hall.player("ann")
    for number in range(70):
        guesser = await hall.connect(f"203.0.113.{number}")
        await guesser.ask("hello", name="ann", code="guess")
    assert any(
        "ann: too many wrong proofs from elsewhere" in line
        for line in hall.lobby.health.current_status().to_sentences()
    )
