"""Limits that a server was given: who they hold for, what changes while it runs, and which tables count."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from server.config import Config
from server.limits_file import parse_settings
from tests.helpers.hall import Hall, open_hall
from tests.helpers.peer import Peer

HERE, THERE, CAMPUS = "192.0.2.1", "192.0.2.2", "10.2.3.4"


async def reload(hall: Hall, **table: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The server reads a file with these settings; returns what changed, and what will when it starts again."""
    told = hall.app.reload_settings(parse_settings(table))
    await trio.sleep(0.1)
    return told


async def refusal(peer: Peer, kind: str, **fields: Any) -> str:
    answer = await peer.ask(kind, **fields)
    return str(answer["text"]) if answer["type"] == "error" else ""


async def newcomer(hall: Hall, name: str, address: str) -> str:
    """The refusal that a new name gets there; "" if it is let in."""
    return await refusal(await hall.connect(address), "hello", name=name)


@pytest.mark.parametrize(
    "config", [{"sessions_an_address": 1, "trusted": ("10.2.0.0/16",), "trusted_times": 3}], indirect=True
)
async def test_a_trusted_network_gets_its_share_and_others_theirs(hall: Hall) -> None:
    ann = await hall.connect(CAMPUS)
    assert (await ann.ask("hello", name="ann"))["limits"]["sessions_an_address"] == 3
    assert [await newcomer(hall, name, CAMPUS) for name in ("bob", "cid")] == ["", ""]
    assert await newcomer(hall, "dan", CAMPUS) == (
        "Your address has 3 of 3 names that may be here at once. Come back when one has left."
    )
    assert [bool(await newcomer(hall, name, HERE)) for name in ("eve", "fay")] == [False, True]


@pytest.mark.parametrize("config", [{"talk_at_once": Config.talk_at_once}], indirect=True)
async def test_a_file_that_is_read_again_changes_limits_for_those_who_are_here(hall: Hall) -> None:
    ann = await hall.player("ann", HERE)
    for _ in range(2):
        assert not await refusal(ann, "open", game="toy")
    told = await reload(hall, tables_an_address=2, tables_a_name=1, chat_characters=5, replies_kept=8)
    assert told == (("chat_characters", "tables_an_address", "tables_a_name"), ("replies_kept",))
    assert (await refusal(ann, "open", game="toy")).startswith(
        "Your address has 2 tables of 2, 2 of them yours; 1 each"
    )
    assert await refusal(ann, "say", text="123456") == "Chat is 1 to 5 printable characters."
    assert await reload(hall) == (("chat_characters", "tables_an_address", "tables_a_name"), ())
    assert not await refusal(ann, "open", game="toy")


async def test_a_new_pace_holds_for_connections_that_are_here(hall: Hall) -> None:
    ann = await hall.player("ann", HERE)
    await reload(hall, requests_a_second=1, requests_at_once=1)
    begun = trio.current_time()
    for _ in range(5):
        await ann.ask("ping")
    assert trio.current_time() - begun >= 2


async def test_bans_of_a_file_send_away_those_who_are_here_and_keep_them_out(hall: Hall) -> None:
    ann, bob, eve = await hall.player("ann", HERE), await hall.player("bob", THERE), await hall.player("eve", CAMPUS)
    stranger = await hall.connect("10.2.9.9")
    await reload(hall, bans=["10.2.0.0/16", "Bob"])
    for peer in (bob, eve, stranger):
        assert "The operator has banned you" in await peer.line()
    assert (await ann.ask("ping"))["type"] == "pong"
    assert "banned from this server" in await newcomer(hall, "fay", CAMPUS)
    assert "banned from this server" in await newcomer(hall, "bob", HERE)
    assert [ban.who for ban in hall.lobby.bans.list_bans()] == ["10.2.0.0/16", "bob"]
    await reload(hall)
    assert not await newcomer(hall, "fay", CAMPUS)


@pytest.mark.parametrize("config", [{"tables_an_address": 1, "tables_a_name": 1}], indirect=True)
async def test_tables_that_all_players_have_left_do_not_count(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", HERE)
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    assert not await refusal(bob, "open", game="toy"), "the one that each name may have"
    assert await refusal(bob, "open", game="toy")
    await ann.cut()
    await trio.sleep(0.1)
    assert hall.lobby.tables["t1"].state == "playing"
    await bob.ask("close", table="t2")
    hall.limit(tables=2)  # the server is half full, and each name has nothing in any case
    assert not await refusal(bob, "open", game="toy")
    ann = await hall.again("ann", ann.token, HERE)
    assert (await ann.ask("resume", table="t1"))["type"] == "resumed", "and who comes back goes on"


@pytest.mark.parametrize("config", [{"tables": 2, "grace": 5.0}], indirect=True)
async def test_on_a_full_server_a_match_that_all_have_given_up_makes_room(hall: Hall) -> None:
    ann, bob = await hall.player("ann", HERE), await hall.player("bob", THERE)
    for peer, table in ((ann, "t1"), (bob, "t2")):
        await peer.ask("open", game="toy", seats=2, clock={"main": 1_000, "increment": 1})
        await peer.ask("add", table=table, bot="first")
        await peer.ask("start", table=table)
    eve = await hall.player("eve", CAMPUS)
    assert "the most that it takes. Join one, or" in await refusal(eve, "open", game="toy")
    for seat_state in hall.lobby.tables["t1"].seating.seat_states:
        seat_state.house = (
            hall.lobby.tables["t1"].seating.seat_states[1].house
        )  # as after a resignation, while it plays on
    assert not await refusal(eve, "open", game="toy")
    assert [hall.lobby.tables[table].state for table in ("t1", "t2", "t3")] == ["over", "playing", "open"]


async def test_a_trusted_network_is_told_apart_on_real_sockets(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery, Config(port=0, sessions_an_address=1, trusted=("127.0.5.0/24",), trusted_times=2))

    peers = list[Peer]()

    async def hello(source: str, name: str) -> str:
        try:
            stream = await trio.open_tcp_stream("127.0.0.1", app.port, local_address=source)
        except OSError:
            pytest.skip("this system has one loopback address")
        peers.append(peer := Peer(stream))
        await peer.receive()
        return str((await peer.ask("hello", name=name))["type"])

    assert [await hello("127.0.5.1", name) for name in ("ann", "bob", "cid")] == ["welcome", "welcome", "error"]
    assert [await hello("127.0.6.1", name) for name in ("dan", "eve")] == ["welcome", "error"]
    for peer in peers:
        await peer.cut()
