"""At how many tables a cup seats its entrants."""

from __future__ import annotations

import trio

from tests.helpers.hall import Hall
from tests.server.desk.test_cup_requests import opened


async def test_an_entrant_plays_at_no_more_tables_at_once_than_it_said(hall: Hall) -> None:
    ann, _peers = await opened(hall, "bob", "carl", seats=2, rounds=3, clock={"main": 0.0, "increment": 1.0})
    for tables, playing in ((1, 1), (2, 1)):
        await _peers[0].ask("cup_enter", cup="friday", tables=tables)
        if tables == 1:
            await ann.ask("cup_start", cup="friday")
        await trio.testing.wait_all_tasks_blocked()
        assert len((await ann.ask("cup", cup="friday"))["info"]["playing"]) == playing
    await _peers[1].ask("cup_enter", cup="friday", tables=5)
    await trio.testing.wait_all_tasks_blocked()
    assert len((await ann.ask("cup", cup="friday"))["info"]["playing"]) == 2


async def test_who_plays_in_two_cups_has_the_tables_of_both(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=3)
    await ann.ask("cup_open", cup="monday", game="toy", seats=2, rounds=3)
    for peer in peers:
        await peer.ask("cup_enter", cup="monday", tables=2)
    for cup in ("friday", "monday"):
        await ann.ask("cup_start", cup=cup)
    await trio.testing.wait_all_tasks_blocked()
    playing = [len((await ann.ask("cup", cup=cup))["info"]["playing"]) for cup in ("friday", "monday")]
    assert playing == [1, 2]
