"""Every code of the error table, produced by a live server: a new code without a way to get it fails here."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio

from protocol import limits
from protocol.errors import CODES, GOODBYES
from server.desk.operator import OperatorCommand, OperatorCommands
from server.failed_logins import FREE
from tests.helpers.hall import Hall
from tests.helpers.peer import Message as Answer
from tests.helpers.peer import Peer
from tests.helpers.toy import ToyGame
from tests.helpers.wire import CLOSED, framed
from tests.server.desk import errors_of_cups

Producer = Callable[[Hall], Awaitable[Answer]]


async def first_error(peer: Peer) -> Answer:
    """The first error told from here on."""
    return await peer.until(lambda message: message["type"] == "error")


def sent(data: bytes, *, finish: bool = False, logged_in: bool = False) -> Producer:
    """These bytes in the JSON face."""

    async def produce(hall: Hall) -> Answer:
        peer = await (hall.player("ann") if logged_in else hall.connect())
        await peer.stream.send_all(data)
        if finish:
            await peer.end()
        return await first_error(peer)

    return produce


def frames(data: bytes) -> Producer:
    """These bytes in the msgpack face."""

    async def produce(hall: Hall) -> Answer:
        wire = await hall.wire("msgpack")
        await wire.send_bytes(data)
        answer: Answer = await wire.receive()
        return answer

    return produce


def typed(data: bytes) -> Producer:
    """These bytes in the text face, whose answer is a sentence of the table or one of its own."""

    async def produce(hall: Hall) -> Answer:
        wire = await hall.wire("text")
        await wire.send_bytes(data)
        while not (line := await wire.line()).startswith("! "):
            assert line != CLOSED
        text = line.removeprefix("! ")
        return {"code": next(code.name for code in CODES.values() if code.translated_text == text), "text": text}

    return produce


def asked(kind: str, *, after: tuple[dict[str, Any], ...] = (), **fields: Any) -> Producer:
    """This request by ann, after those."""

    async def produce(hall: Hall) -> Answer:
        ann = await hall.player("ann")
        for request in after:
            assert (await ann.ask(**request))["type"] != "error", request
        return await ann.ask(kind, **fields)

    return produce


def at_a_table(kind: str, *, who: int = 0, table: str = "t1", **fields: Any) -> Producer:
    """This request by one of ann and bob, who play, or eve, who does not."""

    async def produce(hall: Hall) -> Answer:
        peers = [*await hall.table_of("ann", "bob"), await hall.player("eve")]
        return await peers[who].ask(kind, table=table, **fields)

    return produce


OPEN = {"kind": "open", "game": "toy"}
PLAY = {"do": "play", "card": 99}


async def id_reused(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    await ann.ask("ping", id=9)
    return await ann.ask("who", id=9)


async def slow_down(hall: Hall) -> Answer:
    await hall.player("ann")
    for _ in range(FREE):
        guesser = await hall.connect("192.0.2.1")
        assert (await guesser.ask("hello", name="ann", proof="0" * 64))["code"] == "bad_proof"
    return await (await hall.connect("192.0.2.1")).ask("hello", name="ann", proof="0" * 64)


async def bad_proof(hall: Hall) -> Answer:
    await hall.player("ann")
    return await (await hall.connect()).ask("hello", name="ann", code="guess")


async def unknown_name(hall: Hall) -> Answer:
    return await (await hall.connect()).ask("hello", name="ann", proof="0" * 64)


async def banned(hall: Hall) -> Answer:
    hall.lobby.bans.add_ban("ann", "ann", 0.0)
    return await (await hall.connect()).ask("hello", name="ann")


async def name_taken(hall: Hall) -> Answer:
    await hall.player("ann")
    return await (await hall.connect()).ask("hello", name="ann")


async def login_first(hall: Hall) -> Answer:
    return await (await hall.connect()).ask("tables")


async def table_full(hall: Hall) -> Answer:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    return await bob.ask("join", table="t1")


async def seat_taken(hall: Hall) -> Answer:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    return await bob.ask("join", table="t1", seat=1)


async def too_many_tables(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    for _ in range(64):
        assert (await ann.ask("open", game="toy"))["type"] == "table"
    return await ann.ask("open", game="toy")


async def too_many_spectators(hall: Hall) -> Answer:
    await hall.table_of("ann", "bob")
    for number in range(limits.SPECTATORS_A_TABLE):
        spectator = await hall.player(f"watcher{number}")
        assert (await spectator.ask("watch", table="t1"))["type"] == "watching"
    return await (await hall.player("late")).ask("watch", table="t1")


async def muted(hall: Hall) -> Answer:
    ann, bob = await hall.table_of("ann", "bob")
    assert (await ann.ask("mute", table="t1", player="bob"))["type"] == "done"
    return await bob.ask("say", table="t1", text="hm")


async def kicked(hall: Hall) -> Answer:
    ann, eve = await hall.player("ann"), await hall.player("eve")
    await ann.ask("open", game="toy", seats=2)
    await eve.ask("watch", table="t1")
    assert (await ann.ask("kick", table="t1", player="eve"))["type"] == "done"
    return await eve.ask("watch", table="t1")


async def too_much_chat(hall: Hall) -> Answer:
    ann, _bob = await hall.table_of("ann", "bob")
    for _ in range(limits.CHATS_A_MATCH):
        assert (await ann.ask("say", table="t1", text="hm"))["type"] == "said"
    return await ann.ask("say", table="t1", text="hm")


async def ignored(hall: Hall) -> Answer:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await bob.ask("ignore", player="ann")
    return await ann.ask("tell", to="bob", text="hm")


async def talk_too_fast(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    while (answer := await ann.ask("say", text="hm"))["type"] == "said":
        pass
    return answer


async def stale_turn(hall: Hall) -> Answer:
    ann, _bob = await hall.table_of("ann", "bob")
    return await ann.ask("act", table="t1", turn=7, action=PLAY)


async def game_over(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", clock={"main": 0, "increment": 1})
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await ann.next("over")
    return await ann.ask("act", table="t1", turn=3, action=PLAY)


async def no_resigning(hall: Hall) -> Answer:
    class Proud(ToyGame):
        id = "proud"
        no_resigning_reason = "A mage never gives up."

    hall.app.lobby.games = {"proud": Proud()}
    ann = await hall.player("ann")
    await ann.ask("open", game="proud", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    answer = await ann.ask("resign", table="t1")
    assert answer["text"] == "A mage never gives up."
    assert not [message for message in await ann.heard() if message["type"] == "presence"]
    return answer


async def server_full(hall: Hall) -> Answer:
    object.__setattr__(hall.app.config, "players", 2)
    await hall.player("ann")
    await hall.player("bob")
    return await (await hall.connect()).ask("hello", name="cid")


async def shutting_down(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    hall.lobby.service.begin_shutdown()
    return await ann.ask("open", game="toy")


async def internal(hall: Hall) -> Answer:
    ann, _bob = await hall.table_of("ann", "bob")
    hall.toy().hands[0][0] = 13
    return await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 13})


async def storage(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    hall.lobby.journal.failing = True
    return await ann.ask("open", game="toy")


async def not_agreed(hall: Hall) -> Answer:
    await (await hall.player("ann")).ask("open", game="toy", delay=60)
    return await (await hall.player("bob")).ask("join", table="t1")


async def other_rules(hall: Hall) -> Answer:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    hall.lobby.tables["t1"].stopped = True
    return await ann.ask("look", table="t1")


async def unreadable(hall: Hall) -> Answer:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", "start")
    shown = await ann.types("play high")
    assert shown == "! Type play and a card, such as: play 3\n"
    return {"code": "unreadable", "text": shown[2:-1]}


async def not_your_turn(hall: Hall) -> Answer:
    ann, _bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    return await ann.ask("legal", table="t1")


async def too_many_errors(hall: Hall) -> Answer:
    peer = await hall.connect()
    await peer.stream.send_all(b"{]\n" * 10)
    assert [(await first_error(peer))["code"] for _ in range(10)] == ["bad_json"] * 10
    return await first_error(peer)


PRODUCERS: dict[str, Producer] = {
    "line_too_long": sent(b'{"a":"' + b"x" * 5_000),
    "frame_too_big": frames(b"\x00\x00\x40\x01"),
    "truncated": sent(b'{"type":"ping"', finish=True),
    "bad_char": typed(b"a\x1bb\n"),
    "bad_utf8": sent(b'{"type":"ping\xff"}\n'),
    "bad_json": sent(b"{]\n"),
    "bad_msgpack": frames(framed(b"\xc1")),
    "too_deep": sent(b'{"a":' + b"[" * 9 + b"]" * 9 + b"}\n"),
    "too_big": sent(json.dumps({"type": "ping", "id": 1, "x": "y" * 1_025}).encode() + b"\n"),
    "bad_number": sent(b'{"type":"log","id":1,"table":"t1","after":9007199254740993}\n'),
    "duplicate_key": sent(b'{"type":"help","type":"ping","id":1}\n'),
    "not_a_map": frames(framed(b"\x93\x01\x02\x03")),
    "telnet_abuse": typed(b"\xff\xfa" + b"x" * 65),
    "wrong_protocol": typed(b"GET / HTTP/1.1\r\n"),
    "unknown_type": sent(b'{"type":"pong","id":1}\n'),
    "unknown_field": sent(b'{"type":"ping","id":1,"seat":1}\n'),
    "missing_field": sent(b'{"type":"rules","id":1}\n'),
    "bad_field": sent(b'{"type":"rules","id":1,"game":1}\n'),
    "bad_id": sent(b'{"type":"ping","id":0}\n'),
    "id_reused": id_reused,
    "unknown_word": typed(b"xyzzy\n"),
    "unreadable": unreadable,
    "too_many_errors": too_many_errors,
    "login_first": login_first,
    "already_logged_in": asked("hello", name="bob"),
    "bad_name": sent(b'{"type":"hello","id":1,"name":"2fast"}\n'),
    "name_taken": name_taken,
    "unknown_name": unknown_name,
    "bad_proof": bad_proof,
    "banned": banned,
    "slow_down": slow_down,
    "no_such_game": asked("open", game="chess"),
    "no_such_card": asked("cards", game="toy", name="99"),
    "no_such_table": asked("join", table="t9"),
    "no_such_player": asked("tell", to="nobody", text="hi"),
    "no_such_bot": asked("add", after=(OPEN,), table="t1", bot="deep"),
    "bad_option": asked("open", game="toy", options={"rounds": "many"}),
    "bad_chat": asked("say", text=" "),
    "muted": muted,
    "not_operator": asked("mute", player="bob"),
    "kicked": kicked,
    "too_much_chat": too_much_chat,
    "ignored": ignored,
    "talk_too_fast": talk_too_fast,
    "table_full": table_full,
    "seat_taken": seat_taken,
    "already_seated": asked("join", after=(OPEN,), table="t1"),
    "not_seated": at_a_table("look", who=2),
    "not_owner": at_a_table("add", who=1, bot="first"),
    "not_agreed": not_agreed,
    "hidden_hands": at_a_table("hands"),
    "not_enough_players": asked("start", after=(OPEN,), table="t1"),
    "already_started": at_a_table("start"),
    "storage": storage,
    "other_rules": other_rules,
    "not_started": asked("look", after=(OPEN,), table="t1"),
    "too_many_tables": too_many_tables,
    **errors_of_cups.PRODUCERS,
    "too_many_spectators": too_many_spectators,
    "not_your_turn": not_your_turn,
    "stale_turn": stale_turn,
    "bad_action": at_a_table("act", turn=1, action={"do": "fly"}),
    "illegal_action": at_a_table("act", turn=1, action=PLAY),
    "game_over": game_over,
    "no_resigning": no_resigning,
    "no_pause": at_a_table("pause", on=False),
    "no_undo": at_a_table("undo"),
    "not_over": at_a_table("replay"),
    "bad_cursor": at_a_table("log", after=99),
    "server_full": server_full,
    "shutting_down": shutting_down,
    "internal": internal,
}


@pytest.mark.parametrize("code", sorted(CODES))
async def test_every_code_of_the_table_is_produced(hall: Hall, code: str) -> None:
    answer = await PRODUCERS[code](hall)
    assert answer["code"] == code
    assert answer["text"]
    if "type" in answer:
        assert answer.get("again", False) == CODES[code].again
        assert answer.get("closes", False) == CODES[code].closes


def test_no_producer_is_left_for_a_code_that_is_gone() -> None:
    assert set(PRODUCERS) == set(CODES)


@pytest.mark.parametrize("code", sorted(code.name for code in CODES.values() if code.closes))
async def test_a_code_that_closes_does_close_with_a_goodbye(hall: Hall, code: str) -> None:
    await PRODUCERS[code](hall)
    await trio.sleep(5)
    present = {"server_full": {"ann", "bob"}}.get(code, set())
    assert {session.player.name for session in hall.app.sessions if session.player} == present
    assert len(hall.app.sessions) == len(present)


async def goodbye_of(peer: Peer) -> str:
    return str((await peer.until(lambda message: message["type"] == "bye"))["reason"])


async def test_every_goodbye_is_said_by_a_live_server(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"slow_reader"}  # cannot be told to who does not read; it stands in the log (test_b03)
    ann = await hall.player("ann")
    await ann.send({"type": "quit", "id": 9})
    said.add(await goodbye_of(ann))
    bob = await hall.player("bob")
    await bob.end()
    said.add(await goodbye_of(bob))
    cid = await hall.player("cid")
    await hall.again("cid", cid.token)
    said.add(await goodbye_of(cid))
    await cid.cut()
    flo = await hall.player("flo")
    await OperatorCommands(hall.lobby, hall.nursery, hall.app.stopping.set).execute(OperatorCommand("kick", "flo"))
    said.add(await goodbye_of(flo))
    gus = await hall.player("gus")
    await OperatorCommands(hall.lobby, hall.nursery, hall.app.stopping.set).execute(OperatorCommand("ban", "gus"))
    said.add(await goodbye_of(gus))
    idle = await hall.connect()
    await idle.send({"type": "ping", "id": 1})
    await trio.sleep(61)
    said.add(await goodbye_of(idle))
    dumb = await hall.player("dumb")
    hall.nursery.start_soon(hall.app.ping_silent_programs)
    await trio.sleep(310)
    said.add(await goodbye_of(dumb))
    bad = await hall.connect()
    await bad.stream.send_all(b'{"' + b"x" * 5_000)
    said.add(await goodbye_of(bad))
    dan, eve = await hall.player("dan"), await hall.player("eve")
    monkeypatch.setattr("server.desk.public_requests.help_page", None)
    await dan.send({"type": "help", "id": 9})
    said.add(await goodbye_of(dan))
    await hall.app.end_all_sessions()
    said.add(await goodbye_of(eve))
    assert said == set(GOODBYES)
