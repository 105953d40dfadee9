"""Peers that are slow, silent, gone or too busy: B01-B03, B10-B12, and what a full server says. Time is virtual."""

import logging
from contextlib import suppress

import pytest
import trio
import trio.testing
from trio.testing import memory_stream_pair

from tests.helpers.hall import Hall, peer_on
from tests.helpers.peer import Peer
from tests.helpers.wire import asked, line


class Deaf:
    """A peer whose kernel takes nothing more once `deaf` is set."""

    def __init__(self, hall: Hall) -> None:
        ours, theirs = memory_stream_pair()
        self.peer = peer_on(ours)
        self.deaf = False

        deliver = theirs.send_stream.send_all_hook
        assert deliver is not None

        async def hook() -> None:
            if self.deaf:
                await trio.sleep_forever()
            await deliver()

        theirs.send_stream.send_all_hook = hook
        hall.nursery.start_soon(hall.app.handle_connection, theirs)


async def deaf_player(hall: Hall, name: str) -> Deaf:
    """Somebody with a name who has stopped reading."""
    deaf = Deaf(hall)
    await deaf.peer.receive()
    assert (await deaf.peer.ask("hello", name=name))["type"] == "welcome"
    deaf.deaf = True
    return deaf


async def test_b01_five_hundred_dripping_strangers_are_gone_after_a_minute_and_a_login_works(hall: Hall) -> None:
    strangers = [await hall.connect() for _ in range(500)]

    async def drip(peer: Peer) -> None:
        try:
            while True:
                await peer.stream.send_all(b"x")
                await trio.sleep(9)
        except trio.BrokenResourceError:
            return

    begun = trio.current_time()
    async with trio.open_nursery() as nursery:
        for stranger in strangers:
            nursery.start_soon(drip, stranger)
        await trio.sleep(59.5)
        assert len(hall.app.sessions) == 500
        await hall.player("ann")
        assert trio.current_time() - begun == 59.5
        await trio.sleep(1)
        assert len(hall.app.sessions) == 1
    assert (await strangers[0].line()).startswith("Goodbye. You gave no name in time.")


async def test_b01_whoever_has_said_hello_may_be_silent_for_long(hall: Hall) -> None:
    ann = await hall.player("ann")
    await trio.sleep(10_000)
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_b02_a_dripped_decision_ends_at_the_deadline_and_comes_too_late(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 5, "increment": 1})
    begun = trio.current_time()
    turn = await ann.next("turn")
    first = {"type": "act", "id": 90, "table": "t1", "turn": turn["turn"], "action": turn["legal"][0]}
    answer = await bob.ask("act", table="t1", turn=1, action=(await bob.next("turn"))["legal"][0])
    assert answer["type"] == "accepted"
    sent = bytearray()

    async def drip() -> None:
        for byte in line(first):
            await trio.sleep(0.7)
            sent.append(byte)
            await ann.stream.send_all(bytes((byte,)))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        late = await bob.next("late")
        assert trio.current_time() - begun == pytest.approx(6)
        assert (late["seat"], late["count"], late.get("why", "time")) == (1, 1, "time")
        nursery.cancel_scope.cancel()
    assert (await ann.next("late"))["seat"] == 1
    told = await ann.raw(line(first)[len(sent) :])
    refused = next(message for message in told if message.get("re") == 90)
    assert refused["code"] == "stale_turn"
    assert refused["turn"]["turn"] == 2
    assert refused["clock_runs"]


async def test_e09_an_act_at_the_very_deadline_is_stale_and_the_default_is_done_once(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob", clock={"main": 0, "increment": 2})
    turn = await ann.next("turn")
    await trio.sleep(2)
    answer = await ann.ask("act", table="t1", turn=1, action=turn["legal"][-1])
    assert answer["code"] == "stale_turn"
    assert [(entry.seat, entry.why, entry.at) for entry in hall.done()] == [(1, "time", 2.0), (2, "time", 2.0)]


@pytest.mark.parametrize("config", [{"outbox_bytes": 4_096}], indirect=True)
async def test_b03_a_client_that_never_reads_is_cut_and_nobody_else_notices(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ann, bob = await hall.player("ann"), await hall.player("bob")
    deaf = await deaf_player(hall, "zed")
    begun = trio.current_time()
    for number in range(40):
        assert (await ann.ask("say", text=f"{number} " + "x" * 200))["heard"] in (1, 2)
    assert trio.current_time() == begun
    await trio.testing.wait_all_tasks_blocked()
    assert "session ended: zed (slow_reader)" in caplog.text
    assert [player["name"] for player in (await ann.ask("who"))["players"]] == ["ann", "bob"]
    assert len([message for message in await bob.heard() if message["type"] == "chat"]) == 40
    assert len(hall.app.sessions) == 2
    assert deaf.peer.told == []


async def test_b03_a_client_that_takes_nothing_for_ten_seconds_is_cut(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ann = await hall.player("ann")
    await deaf_player(hall, "zed")
    await ann.ask("say", text="one line")
    await trio.sleep(9.5)
    assert len(hall.app.sessions) == 2
    await trio.sleep(1)
    assert len(hall.app.sessions) == 1
    assert "session ended: zed (slow_reader)" in caplog.text


@pytest.mark.parametrize("config", [{"outbox_bytes": 4_096}], indirect=True)
async def test_b03_the_seat_of_a_client_that_never_reads_is_away_and_the_match_goes_on(hall: Hall) -> None:
    ann = await hall.player("ann")
    deaf = await deaf_player(hall, "zed")
    await ann.ask("open", game="toy", seats=2, clock={"main": 0, "increment": 5})
    await deaf.peer.send({"type": "join", "id": 2, "table": "t1"})
    await trio.testing.wait_all_tasks_blocked()
    await ann.ask("start", table="t1")
    for _ in range(30):
        await ann.ask("say", table="t1", text="x" * 200)
    assert (await ann.next("presence"))["how"] == "away"
    while True:
        message = await ann.until(lambda message: message["type"] in ("turn", "over"))
        if message["type"] == "over":
            break
        await ann.ask("act", table="t1", turn=message["turn"], action=message["legal"][0])
    assert message["results"][1]["late"] == 3


@pytest.mark.parametrize("config", [{"outbox_bytes": 4_096}], indirect=True)
async def test_b03_a_deaf_spectator_is_cut_and_hears_no_more(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    deaf = await deaf_player(hall, "zed")
    deaf.deaf = False
    assert (await deaf.peer.ask("watch", table="t1"))["type"] == "watching"
    deaf.deaf = True
    assert (await ann.ask("tables"))["tables"][0]["spectators"] == 1
    for _ in range(30):
        await ann.ask("say", table="t1", text="x" * 200)
    await trio.testing.wait_all_tasks_blocked()
    assert "spectators" not in (await ann.ask("tables"))["tables"][0]


async def test_b10_after_a_half_close_everything_asked_is_answered_then_goodbye(hall: Hall) -> None:
    peer = await hall.connect()
    await peer.stream.send_all(
        asked("hello", 1, name="ann")
        + asked("open", 2, game="toy", seats=2)
        + asked("add", 3, table="t1", bot="first")
        + asked("start", 4, table="t1")
        + asked("legal", 5, table="t1")
        + asked("games", 6)
    )
    await peer.end()
    kinds = [message["type"] for message in await peer.heard() if message.get("event", {}).get("what") != "chose"]
    assert kinds == [
        *("welcome", "table", "table_changed", "table", "table", "started", "event", "turn"),
        *("your_turn", "game_list", "bye"),
    ]
    await trio.sleep(1)
    assert not hall.app.sessions


async def test_b10_a_thousand_requests_and_a_half_close_are_all_answered_at_the_rate_allowed(hall: Hall) -> None:
    ann = await hall.player("ann")
    begun = trio.current_time()
    await ann.stream.send_all(b"".join(asked("ping", number) for number in range(2, 1_002)))
    await ann.end()
    answers = 0
    while (message := await ann.message())["type"] == "pong":
        answers += 1
    assert (answers, message["type"], message["reason"]) == (1_000, "bye", "closed")
    assert trio.current_time() - begun == pytest.approx(900 / 50, abs=0.5)


async def test_b10_a_message_without_its_end_is_told_to_be_cut_short_and_not_done(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.stream.send_all(asked("open", 2, game="toy", seats=2) + b'{"type":"leave","id":3,"table":"t1"}')
    await ann.end()
    told = await ann.heard()
    assert [message.get("code", message.get("reason")) for message in told] == [None, "truncated", "error"]


async def test_b11_a_connection_lost_in_the_middle_of_a_message_leaves_no_traceback_and_an_away_seat(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await ann.stream.send_all(b'{"type":"act","id":40,"tab')
    await ann.cut()
    gone = await bob.next("presence")
    assert (gone["seat"], gone["how"]) == (1, "away")
    await trio.sleep(1)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(hall.app.sessions) == 1


async def test_b11_a_connection_lost_while_we_send_leaves_no_traceback(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    deaf = await deaf_player(hall, "zed")
    for _ in range(5):
        await ann.ask("say", text="x" * 300)
    await trio.aclose_forcefully(deaf.peer.stream)
    await bob.ask("say", text="still here")
    await trio.sleep(30)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(hall.app.sessions) == 2


async def test_b12_eight_flooders_out_of_turn_are_read_no_faster_than_allowed(hall: Hall) -> None:
    flooders = [await hall.player(f"flooder{number}") for number in range(8)]
    victim = await hall.player("victim")
    await victim.ask("open", game="toy", seats=2)
    await victim.ask("add", table="t1", bot="first")
    await victim.ask("start", table="t1")
    turn = await victim.next("turn")
    for flooder in flooders:
        await flooder.stream.send_all(b"".join(asked("act", n, table="t1", turn=1, action={}) for n in range(2, 1_000)))
    begun = trio.current_time()
    answer = await victim.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert answer["type"] == "accepted"
    assert trio.current_time() == begun
    await trio.sleep(4)
    for flooder in flooders:
        answers = await flooder.heard()
        assert {answer["code"] for answer in answers} == {"not_seated"}
        assert 250 <= len(answers) <= 100 + 4 * 50 + 32


async def test_b12_a_flooder_that_stops_is_served_as_before(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.raw(b"".join(asked("ping", number) for number in range(2, 302)))
    await trio.sleep(20)
    await ann.heard()
    begun = trio.current_time()
    assert (await ann.ask("ping", id=900))["type"] == "pong"
    assert trio.current_time() == begun


async def test_a_full_server_says_so_and_serves_who_is_in(hall: Hall) -> None:
    object.__setattr__(hall.app.config, "sessions", 2)
    ann, _bob = await hall.player("ann"), await hall.player("bob")
    late, typist = await hall.connect(), await hall.typist()
    refused = await late.ask("hello", name="cid")
    assert (refused["code"], refused["closes"], refused["again"]) == ("server_full", True, True)
    assert [message["type"] for message in await late.heard()] == ["bye"]
    assert "! 2 names are here, the most that the server takes" in await typist.types("hello dan")
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_who_leaves_a_full_server_makes_room_for_one_and_no_more(hall: Hall) -> None:
    object.__setattr__(hall.app.config, "sessions", 2)
    ann, _bob = await hall.player("ann"), await hall.player("bob")
    await ann.stream.aclose()
    await trio.testing.wait_all_tasks_blocked()
    await hall.player("cid")
    assert (await (await hall.connect()).ask("hello", name="dan"))["code"] == "server_full"
    await trio.testing.wait_all_tasks_blocked()
    assert hall.app.connections == 2  # the last one was told so, and is gone


async def test_the_welcome_tells_the_limits_as_they_are_set(hall: Hall) -> None:
    hall.limit(late_a_match=5)
    ann = await hall.connect()
    assert (await ann.ask("hello", name="ann"))["limits"]["late_a_match"] == 5


@pytest.mark.parametrize("config", [{"outbox_bytes": 4_096, "behind_bytes": 1_024}], indirect=True)
async def test_b03_of_many_stories_the_next_is_told_when_the_one_before_has_been_taken(hall: Hall) -> None:
    zed = await deaf_player(hall, "zed")
    zed.deaf = False
    tables = [f"t{number}" for number in range(1, 7)]
    for table in tables:
        await zed.peer.ask("open", game="toy", seats=2)
        await zed.peer.ask("add", table=table, bot="first")
        await zed.peer.ask("start", table=table)
        for _ in range(30):
            await zed.peer.ask("say", table=table, text="x" * 200)
    await zed.peer.heard()
    resumes = [
        b'{"type":"resume","id":%d,"table":"%s"}\n' % (200 + n, table.encode()) for n, table in enumerate(tables)
    ]
    await trio.sleep(60)  # as much may be asked as ever
    await zed.peer.send_bytes(b"".join(resumes))
    await trio.sleep(1)
    told = await zed.peer.heard()
    assert [message["table"] for message in told if message["type"] == "resumed"] == tables
    (session,) = hall.app.sessions
    zed.deaf, most = True, 0
    await zed.peer.send_bytes(b"".join(resumes).replace(b'"id":2', b'"id":3'))
    for _ in range(50):
        await trio.sleep(0.1)
        most = max(most, len(session._outbox))
    assert 6_000 < most < 2 * 10_000  # one story, not six of them


@pytest.mark.parametrize("config", [{"outbox_bytes": 4_096}], indirect=True)
async def test_b03_a_client_that_never_reads_cannot_have_its_story_queued_again_and_again(hall: Hall) -> None:
    deaf = await deaf_player(hall, "zed")
    deaf.deaf = False
    await deaf.peer.ask("open", game="toy", seats=2)
    await deaf.peer.ask("add", table="t1", bot="first")
    await deaf.peer.ask("start", table="t1")
    for _ in range(30):
        await deaf.peer.ask("say", table="t1", text="x" * 200)
    assert (await deaf.peer.ask("resume", table="t1"))["type"] == "resumed"
    assert len(await deaf.peer.heard()) > 30  # a story above the outbox's limit is sent whole
    (session,) = hall.app.sessions
    deaf.deaf = True
    most = 0
    for number in range(100, 140):
        with suppress(trio.BrokenResourceError):
            await deaf.peer.send({"type": "resume", "id": number, "table": "t1"})
        await trio.testing.wait_all_tasks_blocked()
        most = max(most, len(session._outbox))
    assert most < 30_000
    await trio.sleep(1)
    assert not hall.app.sessions
