"""Replays over the wire: of finished matches, to anybody who has a name; of running ones, to nobody."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import trio
import trio.testing

from bots.sdk.link import Identity, Refused, open_link
from bots.sdk.replays import fetch_replay
from matches.moments import count_decisions, moments
from matches.record import Record, verify_replay
from protocol.entries import ActionTaken
from protocol.messages import TurnUpdate
from server.build import build_version
from server.desk import match_requests
from server.table import replays
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.toy import TOY
from tests.matches.played import plain

GAMES = {TOY.id: TOY}


async def fetched(peer: Peer, table: str = "t1") -> bytes:
    """The file, in as many parts as it takes."""
    lines: list[str] = []
    while True:
        part = await peer.ask("replay", table=table, after=len(lines))
        assert (part["type"], part["after"]) == ("replay_lines", len(lines)), part
        lines += part["lines"]
        if not part.get("more"):
            return "".join(f"{line}\n" for line in lines).encode()


async def finished(hall: Hall) -> list[Peer]:
    """Ann and bob have played, ann by trial and error."""
    peers = await hall.table_of("ann", "bob")
    for number in range(1, 4):
        for peer in peers:
            turn = await peer.next("turn")
            if peer is peers[0]:
                await peer.ask("act", table="t1", turn=number, action={"do": "play", "card": 99})
            await peer.ask("act", table="t1", turn=number, action=turn["legal"][0])
    return peers


async def test_a_replay_names_the_build_that_played_the_match_and_holds(hall: Hall) -> None:
    ann, _bob = await finished(hall)
    data = await fetched(ann)
    assert msgspec.json.decode(data.split(b"\n")[0])["magehall"] == build_version()
    assert verify_replay(data, GAMES).header.magehall == build_version()


async def test_g11_a_running_match_has_no_replay_for_anybody(hall: Hall) -> None:
    stranger = await hall.connect()
    assert (await stranger.ask("replay", table="t1"))["code"] == "login_first"
    ann = await hall.player("ann")
    assert (await ann.ask("replay", table="t1"))["code"] == "no_such_table"
    await ann.ask("open", game="toy", seats=2)
    assert (await ann.ask("replay", table="t1"))["code"] == "not_started"
    bob, eve = await hall.player("bob"), await hall.player("eve")
    await bob.ask("join", table="t1")
    await eve.ask("watch", table="t1")
    await ann.ask("start", table="t1")
    for peer in (ann, bob, eve, await hall.player("zoe")):
        for after in (0, 1, 10**6):
            refused = await peer.ask("replay", table="t1", after=after)
            assert (refused["code"], refused["again"]) == ("not_over", True)
            assert refused["text"] == "The match is not over; its replay is available afterwards."


async def test_a_finished_match_is_given_to_its_players_and_to_anybody_else_alike(hall: Hall) -> None:
    ann, bob = await finished(hall)
    data = await fetched(ann)
    assert [await fetched(peer) for peer in (bob, await hall.player("eve"))] == [data, data]
    table = hall.lobby.tables["t1"]
    record = verify_replay(data, GAMES)
    assert list(record.entries) == table.entries
    assert record.header.seed == table.seed
    assert sum(line["line"] == "refused" for line in plain(data)) == 3
    assert (await ann.ask("replay", table="t1", after=99))["code"] == "bad_cursor"
    assert (await ann.ask("replay", table="t1", after=len(plain(data))))["lines"] == []


async def test_e08_a_stall_while_somebody_is_away_stands_in_a_replay_that_can_be_read(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await bob.cut()
    await trio.testing.wait_all_tasks_blocked()
    table = hall.lobby.tables["t1"]
    table.compensate_stall(1.0)
    stalled = table.entries[-1]
    table.require_live_match().abort("The match does not count.")
    assert stalled in verify_replay(await fetched(ann), GAMES).entries


async def test_b18_a_long_replay_comes_in_parts_and_others_are_served_while_it_is_written(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await finished(hall)
    data = await fetched(bob)
    monkeypatch.setattr(match_requests, "REPLAY_LINES", 3)
    assert await fetched(bob) == data
    hall.lobby.replays._kept.clear()
    monkeypatch.setattr(replays, "LINES_A_SLICE", 1)
    order: list[str] = []

    async def ask(peer: Peer, kind: str, **fields: Any) -> None:
        await peer.ask(kind, **fields)
        order.append(kind)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: ask(ann, "replay", table="t1"))
        await trio.lowlevel.checkpoint()
        nursery.start_soon(ask, bob, "ping")
    assert order == ["ping", "replay"]


async def test_b18_lines_that_have_to_be_written_weigh_more_than_those_that_are_there(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await finished(hall)
    hall.limit(lines_a_request=1)
    monkeypatch.setattr(match_requests, "REPLAY_LINES", 100)
    charged: list[float] = []
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.listener is not None
    monkeypatch.setattr(type(player.listener), "charge", lambda _session, work: charged.append(work))
    length = len(hall.lobby.tables["t1"].entries) + 2
    for peer in (ann, bob):
        await peer.ask("replay", table="t1")
        assert charged == [5, length if peer is ann else 0]  # the request itself, and what it took
        charged.clear()
    assert (await bob.ask("replay", table="t1", after=length + 1))["code"] == "bad_cursor"
    assert charged == [5]


async def test_only_some_replays_are_kept_in_memory(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "KEPT", 1)
    ann, _bob = await finished(hall)
    first = await fetched(ann)
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t2", bot="first")
    await ann.ask("start", table="t2")
    await ann.ask("close", table="t2")
    assert verify_replay(await fetched(ann, "t2"), GAMES).entries[-1] == hall.lobby.tables["t2"].entries[-1]
    assert list(hall.lobby.replays._kept) == ["t2"]
    assert await fetched(ann) == first


async def test_a_replay_that_cannot_be_written_is_an_error_each_time_and_never_a_part_of_it(hall: Hall) -> None:
    ann, _bob = await finished(hall)
    hall.lobby.tables["t1"].entries.insert(0, ActionTaken(0.0, 1, TOY.action_type(99)))
    for _ in range(2):
        assert (await ann.ask("replay", table="t1"))["code"] == "internal"


async def test_the_link_fetches_a_replay_whole(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_requests, "REPLAY_LINES", 4)
    ann, _bob = await finished(hall)

    async def dial() -> Any:
        return hall.dial()

    async with open_link(dial, Identity("eve", "hall")) as link:
        assert await fetch_replay(link, "t1") == await fetched(ann)
        with pytest.raises(Refused, match="no such table"):
            await fetch_replay(link, "t9")


# -- what a seat was told ----------------------------------------------------------------------------------------------


async def eventful(hall: Hall) -> tuple[Record, list[list[dict[str, Any]]]]:
    """A match with talk, refusals, an absence, a late decision and a house bot, and what each hearer was told live."""
    ann, bob, cat = await hall.table_of("ann", "bob", "cat", clock={"main": 0, "increment": 5})
    eve = await hall.player("eve")
    told: list[list[dict[str, Any]]] = [[], [], [], []]
    await eve.ask("watch", table="t1")
    told[0] += (await eve.ask("log", table="t1"))["messages"]

    async def hear() -> None:
        for hearer, peer in enumerate((eve, ann, bob, cat)):
            told[hearer] += [message for message in await peer.heard() if "n" in message and "re" not in message]

    await hear()
    await ann.ask("say", table="t1", text="Good luck!")
    await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 99})
    await bob.ask("act", table="t1", turn=1, action={"do": "steal"})
    for number in (1, 2, 3):
        for hearer, peer in ((1, ann), (2, bob), (3, cat)):
            if (number, hearer) in ((2, 3), (3, 2)):
                continue  # cat is late, and bob's place is taken by the house
            await hear()
            turn = [message for message in told[hearer] if message["type"] == "turn"][-1]
            await trio.sleep(0.25 * hearer)
            await peer.ask("act", table="t1", turn=number, action=turn["legal"][-1])
        if number == 2:
            await trio.sleep(5)
            await bob.ask("resign", table="t1")
    await hear()
    assert told[0][-1]["type"] == "over"
    return verify_replay(await fetched(ann), GAMES), told


async def test_every_seat_is_shown_byte_for_byte_what_it_was_told_and_no_more(hall: Hall) -> None:
    record, told = await eventful(hall)
    for hearer, live in enumerate(told):
        heard = [message for moment in moments(record, hearer) for message in moment.told]
        assert [msgspec.json.decode(msgspec.json.encode(message)) for message in heard] == live
        views: dict[int, Any] = {}
        for moment in moments(record, hearer):
            if moment.turn is not None:
                views.setdefault(moment.turn.n, moment.view())
        for message in live:
            if message["type"] == "turn" and message["n"] in views:
                assert msgspec.json.decode(msgspec.json.encode(views[message["n"]])) == message["view"]


async def test_the_turn_of_a_moment_is_the_very_turn_that_was_told(hall: Hall) -> None:
    record, told = await eventful(hall)
    assert count_decisions(record) == 9
    for hearer in (1, 2, 3):
        mine = [message for message in told[hearer] if message["type"] == "turn"]
        shown = [moment for moment in moments(record, hearer) if moment.decision and moment.decision.seat == hearer]
        assert [moment.turn.turn for moment in shown if moment.turn] == [1, 2, 3]
        as_told = [msgspec.json.decode(msgspec.json.encode(moment.turn)) for moment in shown]
        assert as_told[: len(mine)] == mine
        for moment, first in zip(shown, (one.number for one in shown), strict=True):
            again = next(moments(record, hearer, first))
            assert (again.number, again.turn, again.told) == (moment.number, moment.turn, moment.told)
    assert isinstance(shown[0].turn, TurnUpdate)
