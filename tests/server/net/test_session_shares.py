"""What one peer causes is charged to its name and its address, and others get their turn in between."""

import gc
import json
import sys
from collections.abc import Sequence

import msgspec
import pytest
import trio
import trio.testing

from games.api import to_map
from protocol import limits
from protocol.messages import Message
from protocol.proof import make_proof
from protocol.telnet import KEYS_AT_ONCE
from server import broadcast
from server.net.session import ANSWER_COST, Session
from server.net.wire import StreamWire
from server.table import message_log
from tests.helpers.hall import Hall, peer_on
from tests.helpers.peer import Peer
from tests.helpers.wire import CLOSED, Wire

HERE = "192.0.2.1"
RATE, BURST = limits.REQUESTS_A_SECOND, limits.REQUESTS_AT_ONCE


async def seconds_until_answered(wire: Wire, before: bytes) -> float:
    """How long a peer that sends these bytes and then asks for a sign of life waits for it."""
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(wire.send_bytes, before + b"ping\n")
        while await wire.receive() != "pong":
            pass
    return trio.current_time() - begun


@pytest.mark.parametrize(
    "junk", [b"\x03", b"\x08", b"\xff\xf1", b"x" * 255 + b"\x03"], ids=["Ctrl-C", "backspace", "NOP", "dropped lines"]
)
async def test_a05_bytes_that_are_no_request_are_charged_all_the_same(hall: Hall, junk: bytes) -> None:
    wire = await hall.wire("text")
    data = junk * (32_000 // len(junk))
    waited = await seconds_until_answered(wire, data)
    work = len(data) / limits.BYTES_A_REQUEST + len(data.replace(b"x", b"")) / KEYS_AT_ONCE
    assert waited == pytest.approx((work - BURST) / RATE, abs=0.3)


async def test_a19_blank_lines_count_as_requests(hall: Hall) -> None:
    wire = await hall.wire("text")
    assert await seconds_until_answered(wire, b"\n" * 200) == pytest.approx((200 - BURST) / RATE, abs=0.1)


@pytest.mark.parametrize(
    "junk", [b"\n", b"\x03" * KEYS_AT_ONCE, b"\xff\xf1" * KEYS_AT_ONCE], ids=["line", "key", "NOP"]
)
async def test_a05_who_floods_with_what_asks_nothing_is_sent_away(hall: Hall, junk: bytes) -> None:
    wire = await hall.wire("text")
    await wire.send_bytes(junk * (limits.NOTHING_ASKED + 2))
    heard = await wire.line()
    while "256 empty lines" not in heard:
        assert heard != CLOSED
        heard = await wire.line()


async def test_a_request_before_them_makes_empty_lines_no_better(hall: Hall) -> None:
    wire = await hall.wire("text")
    await wire.send_bytes(b"ping\n" + b"\n" * (limits.NOTHING_ASKED + 2))
    heard = await wire.line()
    while "256 empty lines" not in heard:
        assert heard != CLOSED
        heard = await wire.line()


async def test_an_empty_line_now_and_then_is_no_flood(hall: Hall) -> None:
    wire = await hall.wire("text")
    await wire.send_bytes(b"hello ann\n")
    for _ in range(limits.NOTHING_ASKED + 1):
        await trio.sleep(1.5)
        await wire.send_bytes(b"\n")
    assert await seconds_until_answered(wire, b"") < 1


async def test_b12_coming_back_does_not_refill_the_allowance(hall: Hall) -> None:
    ann = await hall.player("ann")
    for _ in range(BURST):
        await ann.ask("ping")
    again = await hall.again("ann", ann.token)
    begun = trio.current_time()
    for _ in range(int(RATE)):
        await again.ask("ping")
    assert trio.current_time() - begun == pytest.approx(1.0, abs=0.1)


async def test_b12_names_without_a_seat_at_one_address_share_one_allowance(hall: Hall) -> None:
    peers: list[Peer] = []
    for number in range(2):
        ours, theirs = trio.testing.memory_stream_pair()
        hall.nursery.start_soon(hall.app.serve_connection, StreamWire(theirs), HERE)
        peers.append(peer_on(ours))
        await peers[-1].receive()
        await peers[-1].ask("hello", name=f"ann{number}")
    (shared,) = hall.lobby.limits.address_buckets(HERE)
    shared.charge(limits.AT_ONCE_AN_ADDRESS * BURST + limits.REQUESTS_AN_ADDRESS * RATE)
    begun = trio.current_time()
    await peers[1].ask("ping")  # with this it is overdrawn
    await peers[1].ask("ping")
    assert trio.current_time() - begun == pytest.approx(1.0, abs=0.1)
    shared.charge(10 * limits.REQUESTS_AN_ADDRESS * RATE)
    begun = trio.current_time()
    other = await hall.player("bob")
    await other.ask("ping")
    assert trio.current_time() == begun


async def test_accepted_actions_cost_nothing(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 3})
    for name in ("ann", "bob"):
        player = hall.lobby.people.find_player(name)
        assert player is not None
        assert player.meter is not None
        player.meter.charge(BURST - 3)
    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ann.play_on)
        nursery.start_soon(bob.play_on)
    assert trio.current_time() == begun


async def test_b13_talk_is_charged_by_its_hearers(hall: Hall) -> None:
    ann = await hall.player("ann")
    for number in range(40):
        await hall.player(f"hearer{number:02}")
    begun = trio.current_time()
    for _ in range(100):
        assert (await ann.ask("say", text="hear me"))["heard"] == 40
    each = 1 + 40 / limits.HEARERS_A_REQUEST
    assert trio.current_time() - begun == pytest.approx((100 * each - BURST) / RATE, abs=0.2)


async def test_b13_a_full_house_hears_in_order_and_others_get_their_turn_in_between(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "AT_ONCE", 2)
    ann, bob = await hall.player("ann"), await hall.player("bob")
    hearers = [await hall.player(f"hearer{letter}") for letter in "abcdefgh"]
    pushes: list[str] = []
    push = Session.push

    def note(session: Session, messages: Sequence[Message]) -> None:
        assert session.player is not None
        pushes.append(session.player.name)
        push(session, messages)

    monkeypatch.setattr(Session, "push", note)
    await ann.stream.send_all(
        b"".join(json.dumps({"type": "say", "id": n, "text": f"line {n}"}).encode() + b"\n" for n in (2, 3))
    )
    await bob.ask("ping")
    assert len(pushes) < 18  # bob was answered before all had heard
    for hearer in hearers:
        assert [told["text"] for told in await hearer.heard()] == ["line 2", "line 3"]


async def test_b18_a_long_story_is_told_in_steps_and_others_are_served_between_them(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 3})
    for _round in range(3):
        for peer in (ann, bob):
            turn = await peer.next("turn")
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    monkeypatch.setattr(message_log, "ENTRIES_A_SLICE", 1)
    order: list[str] = []

    async def ask(peer: Peer, kind: str) -> None:
        await peer.ask(kind, **({"table": "t1"} if kind == "log" else {}))
        order.append(kind)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask, ann, "log")
        await trio.lowlevel.checkpoint()
        nursery.start_soon(ask, bob, "ping")
    assert order == ["ping", "log"]
    told = await bob.ask("log", table="t1")
    await bob.stream.send_all(b'{"type":"log","id":90,"table":"t1"}\n{"type":"ping","id":91}\n')
    answers = [await bob.until(lambda message: "re" in message) for _ in range(2)]
    assert [answer["type"] for answer in answers] == ["story", "pong"]  # nothing else is answered before it
    assert answers[0]["messages"] == told["messages"]


async def test_a_question_of_telnet_is_answered_and_costs_little(hall: Hall) -> None:
    wire = await hall.wire("text")
    (session,) = hall.app.sessions
    before = session._account._own.left
    options = range(90, 100)  # which nobody has
    await wire.send_bytes(b"".join(b"\xff\xfd%c" % option for option in options))
    await trio.testing.wait_all_tasks_blocked()
    assert await wire.stream.receive_some(100) == b"".join(b"\xff\xfc%c" % option for option in options)
    assert before - session._account._own.left == pytest.approx(10 * ANSWER_COST + 30 / limits.BYTES_A_REQUEST)


async def test_what_is_kept_of_requests_is_short_whatever_they_hold(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    for number in range(limits.REPLIES_KEPT):
        maps: list[dict[str, int]] = [{} for _ in range(60)]
        action = {f"key{at}": maps if number % 4 == 0 else "x" * 1_000 for at in range(3)}
        assert (await ann.ask("act", table="t1", turn=turn["turn"], action=action))["code"] == "bad_action"
    await ann.ask("act", table="t1", turn=99, action={"do": "play", "card": 1})
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    kept = player._answers.values()
    assert len(kept) == limits.REPLIES_KEPT
    assert all(len(digest) <= 64 and len(json.dumps(to_map(answer))) < 1_000 for digest, answer in kept if answer)
    held = bytes_of(player._answers) + bytes_of(player._questions)
    assert held < limits.AWAY_BYTES
    assert held + limits.OUTBOX_BYTES + limits.FRAME_BYTES + limits.LINE_BYTES < limits.HERE_BYTES


async def test_what_is_kept_of_answers_is_short_however_many_entered_a_cup(hall: Hall) -> None:
    ann = await hall.player("ann", session="s")
    await ann.ask("cup_open", cup="friday", game="toy", seats=2)
    cups = hall.lobby.cups
    for number in range(limits.ENTRANTS_A_CUP - 1):
        cups.enter_entrant(cups.get("friday"), f"e{number}", (f"e{number}",), 1, nonce=f"{number:064}")
    for tables in range(limits.REPLIES_KEPT):
        entered = await ann.ask("cup_enter", cup="friday", tables=1 + tables % 8)
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert bytes_of(player._answers) < limits.AWAY_BYTES
    again = await ann.ask("cup_enter", id=ann.last_id, cup="friday", tables=1 + tables % 8)
    assert again == entered
    assert len(again["info"]["entrants"]) == limits.ENTRANTS_A_CUP


async def test_b03_a_welcome_is_short_however_many_matches_are_over_and_so_is_what_is_kept_of_it(hall: Hall) -> None:
    ann = await hall.player("ann", session="s")
    for owner in [await hall.player(f"owner{number}") for number in range(5)]:
        for _ in range(limits.FINISHED_A_PLAYER):
            table = (await owner.ask("open", game="toy", seats=2))["info"]["table"]
            await ann.ask("join", table=table)
            await owner.ask("start", table=table)
            for peer in (ann, owner):
                await peer.ask("resign", table=table)
    await trio.testing.wait_all_tasks_blocked()
    playing = (await ann.ask("open", game="toy", seats=2))["info"]["table"]
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert len(player.tables) == 5 * limits.FINISHED_A_PLAYER + 1
    await ann.ask("add", table=playing, bot="first")
    await ann.ask("start", table=playing)
    for _ in range(limits.REPLIES_KEPT):
        last, ann = ann.last_id, await hall.connect()
        ann.token, ann.last_id = "the token of ann", last
        welcome = await ann.ask("hello", name="ann", session="s", proof=make_proof(ann.token, ann.challenge, "ann"))
        seats = [info["table"] for info in welcome["seats"]]
        assert (len(seats), seats[0], seats[-1]) == (limits.TABLES_A_PLAYER + 1, "t17", playing)
    assert bytes_of(player._answers) < limits.AWAY_BYTES


def bytes_of(root: object) -> int:
    """What an object and all that it leads to take in memory, but for classes."""
    seen: dict[int, object] = {}
    left = [root]
    while left:
        one = left.pop()
        if id(one) not in seen and not isinstance(one, type):
            seen[id(one)] = one
            left += gc.get_referents(one)
            if isinstance(one, msgspec.Struct):  # messages are none of the collector's
                left += msgspec.structs.astuple(one)
    return sum(map(sys.getsizeof, seen.values()))


async def test_a_long_request_sent_again_gets_the_same_answer_and_another_one_under_its_id_is_refused(
    hall: Hall,
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    action = {"do": "x" * 500}
    first = await ann.ask("act", id=50, table="t1", turn=1, action=action)
    assert await ann.ask("act", id=50, table="t1", turn=1, action=action) == first
    assert (await ann.ask("act", id=50, table="t1", turn=1, action={"do": "y" * 500}))["code"] == "id_reused"
    stale = await ann.ask("act", id=51, table="t1", turn=99, action={"do": "play", "card": 1})
    assert stale.pop("turn")["type"] == "turn"
    assert await ann.ask("act", id=51, table="t1", turn=99, action={"do": "play", "card": 1}) == stale


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        *(("look", 1), ("resume", 3), ("who", 5), ("bots", 5), ("tables", 5)),
        *(("help", 5), ("rules", 5), ("cards", 5), ("log", 10)),
    ],
)
async def test_b18_what_is_much_work_weighs_more_than_one_request(hall: Hall, kind: str, weight: float) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    fields = {
        "who": {},
        "bots": {},
        "tables": {},
        "help": {"topic": "all"},
        "rules": {"game": "toy"},
        "cards": {"game": "toy"},
    }
    before = player.meter.left
    answer = await ann.ask(kind, **fields.get(kind, {"table": "t1"}))
    assert answer["type"] != "error"
    assert before - player.meter.left == pytest.approx(weight, abs=0.5)
