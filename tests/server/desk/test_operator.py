"""What the operator's commands do, and to whom; and that bans are on disk."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
import trio

from protocol.errors import Refusal
from protocol.proof import make_proof, token_key
from server.address import group_address
from server.app import App
from server.desk.operator import OperatorCommand, OperatorCommands
from server.failed_logins import ELSEWHERE
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import running

HERE, THERE = "192.0.2.1", "192.0.2.2"
HOUR = 3_600.0


async def orders(hall: Hall, do: str, who: str = "", **fields: str | float) -> list[str]:
    """What the operator reads; fields as in Command. Each time another operator, who remembers nothing."""
    return (await operator_of(hall.app, hall.nursery).execute(OperatorCommand(do, who, **fields))).lines  # type: ignore[arg-type]


def operator_of(app: App, nursery: trio.Nursery) -> OperatorCommands:
    return OperatorCommands(app.lobby, nursery, app.stopping.set)


async def refusal(hall: Hall, do: str, who: str = "", **fields: str | float) -> str:
    """Why the operator is refused."""
    with pytest.raises(Refusal) as refused:
        await orders(hall, do, who, **fields)
    return refused.value.text


async def code_of_hello(hall: Hall, name: str, address: str | None = None) -> str:
    """The code with which that hello is refused; "" if it is welcome."""
    stranger = await hall.connect(address)
    answer = await stranger.ask("hello", name=name)
    await stranger.cut()
    return str(answer["code"]) if answer["type"] == "error" else ""


async def test_the_operator_sees_who_is_here_from_where_and_what_is_played(hall: Hall) -> None:
    assert await orders(hall, "who") == ["Nobody is here."]
    assert await orders(hall, "tables") == ["There are no tables."]
    await hall.table_of("ann", "bob")
    await hall.player("eve", HERE)
    assert await orders(hall, "who") == [
        "ann (person) from here, at t1",
        "bob (person) from here, at t1",
        f"eve (person) from {HERE}",
    ]
    assert await orders(hall, "tables") == ["t1   toy, playing: 1 ann, 2 bob"]


async def test_an_unknown_command_is_refused(hall: Hall) -> None:
    assert await refusal(hall, "dance") == "There is no command dance."


async def test_c07_an_unlocked_name_is_proved_from_everywhere_at_once(hall: Hall) -> None:
    ann = await hall.player("ann", HERE)
    told: list[str] = []
    for number in range(ELSEWHERE + 9):
        guesser = await hall.connect(f"10.0.0.{number}")
        told.append((await guesser.ask("hello", name="ann", proof="0" * 64))["code"])
    assert told[-1] == "slow_down"
    assert (await refused_proof(hall, ann))["wait"] > 0
    counted, _, holds = (await orders(hall, "unlock", who="Ann"))[0].partition(". ")
    assert (counted, holds[:12]) == (f"{ELSEWHERE + 1} wrong proofs of ann were counted", "For an hour ")
    assert (await hall.again("ann", ann.token, address="192.0.2.77")).token
    assert await refusal(hall, "unlock", who="zoe") == "Nobody is known as zoe."


async def refused_proof(hall: Hall, owner: Peer) -> dict[str, Any]:
    """How the owner's right proof is refused, from an address that is not the owner's own."""
    peer = await hall.connect("192.0.2.77")
    return await peer.ask("hello", name="ann", proof=make_proof(owner.token, peer.challenge, "ann"))


async def test_who_is_kicked_loses_seats_and_connection_and_may_come_back(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert await orders(hall, "kick", "bob") == ["bob was disconnected, but may come back."]
    away, bye = (await bob.heard())[-2:]
    assert (away["type"], away["by"]) == ("sent_away", "the operator")
    assert (bye["type"], bye["reason"]) == ("bye", "kicked")
    left = await ann.next("presence")
    assert (left["name"], left["how"], left["by"]) == ("bob", "kicked", "first")
    bob = await hall.again("bob", bob.token)
    assert (await bob.ask("watch", table="t1"))["code"] == "kicked"
    assert await refusal(hall, "kick", "zoe") == "Nobody is known as zoe."
    await bob.cut()
    assert await refusal(hall, "kick", "bob") == "bob is not here."


async def test_from_one_table_alone_somebody_is_sent_away_and_stays_here(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert await orders(hall, "kick", "bob", table="t1") == ["bob was removed from t1."]
    assert (await bob.ask("resume", table="t1"))["code"] == "not_seated"
    assert await refusal(hall, "kick", "bob", table="t9") == "There is no such table; try tables."
    await ann.play_on()
    assert await refusal(hall, "kick", "ann", table="t1") == "The match is over."


@pytest.mark.parametrize("table", ["", "t1"])
async def test_who_was_kicked_has_no_seat_after_a_restart_either(table: str) -> None:
    disk = Disk()
    async with running(disk) as hall:
        _ann, bob = await hall.table_of("ann", "bob")
        await orders(hall, "kick", "bob", table=table)
    async with running(disk) as hall:
        bob = await hall.again("bob", bob.token)
        assert (await bob.ask("resume", table="t1"))["code"] == "not_seated"
        assert (await bob.ask("watch", table="t1"))["code"] == "kicked"


async def test_who_is_muted_is_heard_nowhere_until_unmuted(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert await orders(hall, "mute", "ann") == ["ann is muted everywhere."]
    assert (await ann.ask("say", text="hm"))["code"] == "muted"
    assert await orders(hall, "who") == ["ann (person) from here, muted"]
    assert await orders(hall, "unmute", "ann") == ["ann may talk again."]
    assert (await ann.ask("say", text="hm"))["type"] == "said"


async def test_c13_a_banned_name_comes_back_in_no_writing_and_its_seats_are_played_on(hall: Hall) -> None:
    _ann, bob = await hall.table_of("ann", "bob")
    assert await orders(hall, "ban", "bob") == ["Banned: bob, for good."]
    assert (await bob.heard())[-1]["reason"] == "banned"
    stranger = await hall.connect()
    answer = await stranger.ask("hello", name="B0B", proof=make_proof(bob.token, stranger.challenge, "bob"))
    assert (answer["code"], answer["text"]) == ("banned", "You are banned from this server.")
    assert (await stranger.next("bye"))["reason"] == "error"
    assert hall.lobby.tables["t1"].seating.seat_state(2).house is not None
    assert await orders(hall, "bans") == ["bob, for good"]
    assert await orders(hall, "unban", "BOB") == ["BOB is no longer banned."]
    await hall.again("bob", bob.token)
    assert await refusal(hall, "unban", "bob") == "bob is not banned."


async def test_c13_nobody_comes_from_a_banned_address(hall: Hall) -> None:
    eve = await hall.player("eve", HERE)
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await eve.ask("join", table="t1")
    await ann.ask("start", table="t1")
    stranger = await hall.connect(HERE)
    await orders(hall, "ban", HERE)
    assert (await eve.heard())[-1]["reason"] == "banned"
    assert hall.lobby.tables["t1"].seating.seat_state(2).house is not None, "nobody waits for who cannot come back"
    assert (await stranger.ask("hello", name="zoe"))["code"] == "banned", "who was connected already"
    late = await hall.connect(HERE)
    assert (await late.ask("ping"))["code"] == "banned"
    assert await code_of_hello(hall, "eva", THERE) == ""


async def test_c13_who_says_nothing_from_a_banned_address_is_told_why_and_let_go(hall: Hall) -> None:
    await orders(hall, "ban", HERE)
    silent = hall.dial(HERE)
    told = b""
    async for data in silent:
        told += data
    assert b"! You are banned from this server." in told


@pytest.mark.parametrize("written", ["2001:db8::1", "2001:db8:0:0:8::2", "2001:db8::/64"])
async def test_c13_of_ipv6_a_whole_network_is_banned(hall: Hall, written: str) -> None:
    await orders(hall, "ban", written)
    assert await orders(hall, "bans") == ["2001:db8::/64, for good"]
    assert await code_of_hello(hall, "eve", group_address("2001:db8::7")) == "banned"
    assert await code_of_hello(hall, "eve", group_address("2001:db8:1::7")) == ""


@pytest.mark.parametrize("written", ["", "1.2.3", "192.0.2.0/24", "192.0.2.1/64", "2001:db8::/48", "a b", "*"])
async def test_what_is_neither_a_name_nor_an_address_cannot_be_banned(hall: Hall, written: str) -> None:
    assert await refusal(hall, "ban", written) == f"{written} is neither a name nor an address."


async def test_a_ban_for_a_time_ends_by_itself(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_700_000_000.0]
    monkeypatch.setattr("server.desk.bans.time.time", lambda: now[0])
    assert await orders(hall, "ban", "ann", seconds=HOUR) == ["Banned: ann, until 2023-11-14 23:13 UTC."]
    answer = await (await hall.connect()).ask("hello", name="ann")
    assert answer["text"] == "You are banned from this server, until 2023-11-14 23:13 UTC."
    now[0] += HOUR - 1
    assert await code_of_hello(hall, "ann") == "banned"
    now[0] += 1
    assert await orders(hall, "bans") == ["Nobody is banned."]
    assert await code_of_hello(hall, "ann") == ""


async def test_c13_bans_outlive_the_server() -> None:
    disk = Disk()
    async with running(disk) as hall:
        await orders(hall, "ban", "ann", seconds=HOUR)
        await orders(hall, "ban", HERE)
    async with running(disk) as hall:
        assert await code_of_hello(hall, "ann") == "banned"
        assert await code_of_hello(hall, "bob", HERE) == "banned"
        assert await code_of_hello(hall, "bob", THERE) == ""
        await orders(hall, "unban", HERE)
    async with running(disk) as hall:
        assert await code_of_hello(hall, "eve", HERE) == ""


async def test_f04_while_the_disk_is_full_the_operator_can_say_so_and_drain_the_server() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        disk.full = True
        assert (await ann.ask("open", game="toy", seats=2))["type"] == "error"
        assert "cannot write to its disk" in await refusal(hall, "mute", "ann")
        await orders(hall, "announce", text="The disk is full.")
        assert (await ann.next("chat"))["text"] == "The disk is full."
        assert (await orders(hall, "drain"))[0].startswith("The server accepts no new players")


async def test_a_ban_that_could_not_be_kept_does_not_hold_and_the_operator_is_told() -> None:
    disk = Disk()
    async with running(disk) as hall:
        disk.full = True
        assert "cannot write to its disk" in await refusal(hall, "ban", "ann")
        assert await orders(hall, "bans") == ["Nobody is banned."]
        assert "cannot write to its disk" in await refusal(hall, "mute", "ann")


async def test_bans_that_cannot_be_read_keep_no_server_from_starting(caplog: pytest.LogCaptureFixture) -> None:
    disk = Disk()
    async with running(disk) as hall:
        await orders(hall, "ban", "ann")
    disk.rows["lobby"][2] = b"\xc1"
    async with running(disk) as hall:
        assert await code_of_hello(hall, "ann") == ""
    assert "the bans cannot be read" in caplog.text


async def test_a_forgotten_name_is_free_also_after_a_restart() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        assert await refusal(hall, "forget", "ann") == "ann is still at t1. Only a player who is gone can be forgotten."
        eve = await hall.player("eve")
        assert await refusal(hall, "forget", "eve") == "eve is still here. Only a player who is gone can be forgotten."
        await ann.cut()
        assert "still at t1" in await refusal(hall, "forget", "ann")
        await bob.cut()
        await orders(hall, "close", table="t1")
        await trio.sleep(hall.lobby.config.keep_seconds + 1)
        hall.lobby.tables.remove_stale_tables()
        assert await orders(hall, "forget", "ann") == ["ann is forgotten; the name is free."]
        assert await refusal(hall, "forget", "ann") == "Nobody is known as ann."
        assert (await eve.ask("ping"))["type"] == "pong"
    async with running(disk) as hall:
        assert await code_of_hello(hall, "bob") == "name_taken"
        assert await code_of_hello(hall, "ann") == ""


async def test_a_name_given_anew_has_a_new_token_and_the_old_one_proves_nothing(hall: Hall) -> None:
    thief = await hall.player("ann")
    lines = await orders(hall, "code", "ann")
    assert (await thief.next("bye"))["reason"] == "kicked"
    code = lines[1].split()[-1]
    again = await hall.connect()
    assert (await again.ask("hello", name="ann", proof=make_proof(thief.token, again.challenge, "ann")))[
        "code"
    ] == "bad_proof"
    owner = await hall.connect()
    assert (await owner.ask("hello", name="ann", code=code, key=token_key("new").hex()))["type"] == "welcome"
    await hall.again("ann", "new")
    assert await code_of_hello(hall, "ann") == "name_taken"


async def test_a_code_for_a_name_that_is_online_is_made_only_after_a_warning(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    end = "A new code ends that connection and cancels its token."
    assert await refusal(hall, "code", "ann", careful=True) == f"ann is online and plays at t1. {end}"
    assert await refusal(hall, "code", "eve", careful=True) == f"eve is online. {end}"
    for player in (ann, eve):
        assert (await player.ask("ping"))["type"] == "pong"
    await ann.cut()
    await orders(hall, "code", "ann", careful=True)


async def test_a_table_is_closed_by_the_operator_and_a_match_does_not_count(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    assert await orders(hall, "close", table="t1") == ["t1 is closed."]
    over = await ann.next("over")
    assert (over["aborted"], over["text"]) == (True, "The operator closed the table; the match does not count.")
    await ann.ask("open", game="toy")
    await orders(hall, "close", table="t2")
    assert (await ann.next("sent_away"))["by"] == "The operator"


async def test_c14_an_announcement_reaches_everybody_from_a_name_that_nobody_can_have(hall: Hall) -> None:
    ann, typist = await hall.player("ann"), await hall.typist()
    await typist.types("hello bob")
    assert await orders(hall, "announce", text="New cards at nine.") == ["Sent to 2."]
    assert (await ann.next("chat")) == {"type": "chat", "sender": "server", "text": "New cards at nine."}
    assert await typist.heard() == "server: New cards at nine.\n"
    assert await code_of_hello(hall, "server") == "name_taken"
    assert await refusal(hall, "announce", text="\x1b[2J") == "Chat is 1 to 300 printable characters."


async def test_while_nobody_is_accepted_matches_go_on_and_their_players_come_back(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("cup_open", cup="friday", game="toy")
    assert await orders(hall, "stop-accepting") == [
        "The server accepts no new players and no new matches. Running matches: t1."
    ]
    await bob.cut()
    assert await code_of_hello(hall, "zoe") == "shutting_down"
    assert hall.lobby.people.find_player("zoe") is None, "the name was not taken"
    for kind, fields in (
        ("open", {"game": "toy"}),
        ("cup_open", {"cup": "monday", "game": "toy"}),
        ("cup_start", {"cup": "friday"}),
    ):
        assert (await eve.ask(kind, **fields))["code"] == "shutting_down", kind
    bob = await hall.again("bob", bob.token)
    assert (await bob.ask("resume", table="t1"))["type"] == "resumed"
    await eve.cut()
    assert await code_of_hello(hall, "eve") == "shutting_down"
    assert await orders(hall, "accept") == ["The server accepts new players again, and matches begin."]
    assert await code_of_hello(hall, "zoe") == ""
    assert (await ann.ask("open", game="toy"))["type"] == "table"


async def test_a_table_that_was_full_before_does_not_start_while_nobody_is_accepted(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await orders(hall, "stop-accepting")
    assert (await ann.ask("start", table="t1"))["text"] == "For now the server begins no new matches."


async def test_a_server_that_is_drained_ends_with_its_last_match_and_not_before(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert (await orders(hall, "drain"))[-1] == "The server stops after the last of them; accept cancels this."
    await trio.sleep(60)
    assert not hall.app.stopping.is_set()
    async with trio.open_nursery() as playing:
        playing.start_soon(ann.play_on)
        playing.start_soon(bob.play_on)
    with trio.fail_after(2):
        await hall.app.stopping.wait()


async def test_draining_is_taken_back(hall: Hall) -> None:
    operator = operator_of(hall.app, hall.nursery)
    await operator.execute(OperatorCommand("drain"))
    await operator.execute(OperatorCommand("accept"))
    await trio.sleep(60)
    assert not hall.app.stopping.is_set()
    await operator.execute(OperatorCommand("drain"))
    await trio.sleep(2)
    assert hall.app.stopping.is_set()


async def test_f01_who_is_not_let_in_stays_outside_after_a_kill_and_a_drain_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    disk = Disk()
    async with running(disk) as hall:
        await hall.table_of("ann", "bob")
        await orders(hall, "stop-accepting")
    async with running(disk) as hall:
        assert "new players and matches are refused" in caplog.text
        assert await code_of_hello(hall, "zoe") == "shutting_down"
        await orders(hall, "accept")
    async with running(disk) as hall:
        assert await code_of_hello(hall, "zoe") == ""
        await orders(hall, "drain")
    async with running(disk) as hall:
        operator_of(hall.app, hall.nursery)
        assert await code_of_hello(hall, "zoe") == "shutting_down"
        await trio.sleep(60)
        assert not hall.app.stopping.is_set(), "ann and bob still play"
        await orders(hall, "close", table="t1")
        with trio.fail_after(2):
            await hall.app.stopping.wait()
        await hall.app.end_all_sessions()
        await hall.lobby.journal.wait_until_written()
    async with running(disk) as hall:
        assert await code_of_hello(hall, "max") == "", "it ended in good order"


async def test_c08_no_code_of_the_operators_is_logged(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await hall.player("ann")
    code = (await orders(hall, "code", "ann"))[1].split()[-1]
    assert "the operator: code ann" in caplog.text
    assert code not in caplog.text


@pytest.mark.parametrize("seconds", [-1.0, 1e308, 1e12])
async def test_a_ban_for_no_time_or_beyond_any_calendar_is_refused(hall: Hall, seconds: float) -> None:
    assert "A ban lasts at most" in await refusal(hall, "ban", "eve", seconds=seconds)
    assert await orders(hall, "bans") == ["Nobody is banned."]
    assert await code_of_hello(hall, "eve") == ""


async def test_an_announcement_is_no_longer_than_what_players_say(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert await refusal(hall, "announce", text="x" * 301) == "Chat is 1 to 300 printable characters."
    assert await orders(hall, "announce", text="x" * 300) == ["Sent to 1."]
    assert len((await ann.next("chat"))["text"]) == 300


async def test_the_operators_log_says_who_came_what_began_and_who_won(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "magehall")
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "start", "?", "1", "?", "1", "?", "1")
    await trio.testing.wait_all_tasks_blocked()
    assert "ann is here, as a person" in caplog.text
    assert "t1: toy begins: ann, first" in caplog.text
    assert re.search(r"t1 is over: 1\. \w+ \d, [12]\. \w+ \d", caplog.text)
