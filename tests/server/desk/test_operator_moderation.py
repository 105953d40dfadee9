"""What moderation tells: those concerned read what was done and why, and the others read the truth."""

from __future__ import annotations

import pytest
import trio

from server.desk.operator import OperatorCommand, OperatorCommands
from tests.helpers.hall import Hall


@pytest.fixture
def operator(hall: Hall) -> OperatorCommands:
    return OperatorCommands(hall.lobby, hall.nursery, hall.app.stopping.set)


async def test_who_is_kicked_off_the_server_reads_why_and_the_others_that_it_was_no_lost_line(
    hall: Hall, operator: OperatorCommands
) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3", "add first")
    await bob.types("hello bob", "join t1")
    await ann.types("start")
    await bob.heard()
    outcome = await operator.execute(OperatorCommand("kick", who="bob", text="Be kind."))
    assert outcome.lines == ["bob was disconnected, but may come back."]
    assert await bob.heard() == (
        "- the operator sent you away from t1. The reason: Be kind.\n"
        "Goodbye. The operator ended this connection. The reason: Be kind.\n"
    )
    told = await ann.heard()
    assert told.startswith("- bob was sent away; first plays seat 3 from now on.\n")
    assert "lost the connection" not in told


async def test_who_is_sent_away_from_an_open_table_reads_why_and_so_do_the_others(hall: Hall) -> None:
    ann, bob, carl = await hall.typist(), await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3")
    await bob.types("hello bob", "join")
    await carl.types("hello carl", "join")
    await bob.heard()
    assert "bob was removed from t1." in await ann.types("kick bob you talk too much")
    assert await bob.heard() == "- ann sent you away from t1. The reason: you talk too much\n"
    assert (await carl.heard()).startswith("- bob was removed from t1. The reason: you talk too much\nt1   toy, open")


async def test_a_new_owner_is_told_and_so_are_the_others(hall: Hall) -> None:
    ann, bob, carl = await hall.typist(), await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3")
    await bob.types("hello bob", "join")
    await carl.types("hello carl", "join")
    await bob.heard()
    await ann.types("leave")
    assert (await bob.heard()).startswith("- t1 is yours now: you may add bots, start the match and remove players.\n")
    assert (await carl.heard()).startswith("- t1 belongs to bob now.\n")
    assert "2 first" not in await carl.types("add first")
    assert "1 first" in await bob.types("add first")
    assert "belongs" not in await carl.heard()


async def test_all_are_told_once_that_the_server_ends_and_who_comes_back_is_told_too(
    hall: Hall, operator: OperatorCommands
) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann", "open toy 2")
    await bob.ask("join", table="t1")
    await ann.types("start")
    await operator.execute(OperatorCommand("drain", text="A new disk."))
    await operator.execute(OperatorCommand("drain", text="A new disk."))
    said = "The server ends after the last running match and starts no other. The reason: A new disk."
    assert await ann.heard() == f"- {said}\n"
    service = {"type": "service", "state": "draining", "reason": "A new disk."}
    assert [message for message in await bob.heard() if message["type"] == "service"] == [service]
    await bob.cut()
    bob = await hall.again("bob", bob.token)
    assert await bob.next("service") == service
    await operator.execute(OperatorCommand("accept"))
    assert "- The server accepts new players again, and matches begin.\n" in await ann.heard()
    carl = await hall.player("carl")
    assert await carl.heard() == []
    await trio.sleep(5)
    assert not hall.app.stopping.is_set()


@pytest.mark.parametrize("how", ["kicked", "banned", "grace", "leaves"])
async def test_an_owner_who_loses_a_seat_in_the_match_hands_the_table_on(
    hall: Hall, operator: OperatorCommands, how: str
) -> None:
    ann, bob, carl, eve = [await hall.typist() for _ in range(4)]
    await ann.types("hello ann", "open toy 3")
    await bob.types("hello bob", "join t1")
    await carl.types("hello carl", "join t1")
    await eve.types("hello eve", "watch t1")
    await ann.types("start")
    await bob.heard(), await carl.heard(), await eve.heard()
    if how == "kicked":
        await operator.execute(OperatorCommand("kick", who="ann", text="Be kind."))
    elif how == "banned":
        await operator.execute(OperatorCommand("ban", who="ann"))
    elif how == "leaves":
        await ann.types("leave")
        await trio.sleep(400)
    else:
        await ann.types("quit")
        await trio.sleep(400)
    yours = "- t1 is yours now: you may remove spectators and mute players.\n"
    assert yours in await bob.heard()
    assert "- t1 belongs to bob now.\n" in await carl.heard()
    assert "- t1 belongs to bob now.\n" in await eve.heard()
    assert await bob.types("mute carl") == "carl is muted at t1, and may still talk elsewhere.\n"


async def test_who_was_sent_away_from_a_match_is_not_told_to_watch_it(hall: Hall, operator: OperatorCommands) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3", "add first")
    code = (await bob.types("hello bob")).split()[-1]
    await bob.types("join t1")
    await ann.types("start")
    await operator.execute(OperatorCommand("kick", who="bob"))
    bob = await hall.typist()
    await bob.types(f"hello bob {code}")
    assert await bob.types("join t1") == "! You were removed from that table and cannot come back to it.\n"
