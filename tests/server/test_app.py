"""The server as a whole: what it does with a socket, how it notices that it stood still, and who is counted."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest
import trio
import trio.testing
from trio.testing import wait_all_tasks_blocked

from protocol import limits
from protocol.proof import make_proof
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.wire import CLOSED

HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.mark.parametrize("config", [{"sessions": 4}], indirect=True)
async def test_b20_where_a_server_is_full_a_stranger_of_the_busiest_address_makes_room(hall: Hall) -> None:
    hall.limit(strangers_an_address=3)
    far = [await hall.connect(f"10.0.0.{number}") for number in range(4)]
    near = [await hall.connect(HERE) for _ in range(3)]
    assert hall.app.connections == 7
    assert (await hall.connect(THERE)).greeting != CLOSED
    assert await near[0].line() == "! The server is full; try again later."
    for peer in (*far, *near[1:]):
        assert (await peer.ask("ping"))["type"] == "pong"


async def test_stalls_are_one_line_of_the_log_a_minute_however_many_matches_are_played(
    hall: Hall, autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        peer = await hall.player(f"ann{number}")
        table = (await peer.ask("open", game="toy", seats=2))["info"]["table"]
        await peer.ask("add", table=table, bot="first")
        await peer.ask("start", table=table)
    hall.nursery.start_soon(hall.app.watch_for_stalls)
    await wait_all_tasks_blocked()
    for _ in range(90):
        autojump_clock.jump(1.0)
        await trio.sleep(0.01)
    told = [record.getMessage() for record in caplog.records if "did not run" in record.getMessage()]
    assert len(told) == 2
    assert ": 3 matches get time back" in told[0]


async def test_names_that_are_here_are_counted_by_address_while_they_last(hall: Hall) -> None:
    peers = [await hall.player(name, HERE) for name in ("ann", "bob")]
    await hall.player("cid")
    await hall.connect(HERE)
    app, lobby = hall.app, hall.lobby
    assert (
        app.connections,
        len(app.sessions),
        lobby.people.count_names_at(HERE),
        lobby.people.count_names_at(None),
    ) == (
        4,
        4,
        2,
        1,
    )
    await hall.again("ann", "the token of ann")
    assert (lobby.people.count_names_at(HERE), lobby.people.count_names_at(None)) == (1, 2)
    await peers[1].cut()
    await trio.sleep(1)
    assert (lobby.people.count_names_at(HERE), lobby.people.count_names_at(None), lobby.people.connected_count) == (
        0,
        2,
        2,
    )


async def test_who_connects_again_and_again_waits_longer_and_longer_and_is_let_go_when_the_server_ends(
    nursery: trio.Nursery,
) -> None:
    hall = Hall(nursery, Config(port=0))
    allowed = int(limits.AT_ONCE_AN_ADDRESS * limits.REQUESTS_AT_ONCE / limits.REQUESTS_A_CONNECTION)
    streams = [hall.dial(HERE) for _ in range(allowed + 160)]
    await wait_all_tasks_blocked()
    assert (len(hall.app.sessions), hall.app.connections) == (allowed + 1, len(streams)), "they count while they wait"
    a_second = int(limits.REQUESTS_AN_ADDRESS * limits.REQUESTS_A_SECOND / limits.REQUESTS_A_CONNECTION)
    await trio.sleep(0.5)
    assert len(hall.app.sessions) - allowed == pytest.approx(a_second / 2, abs=2)
    nursery.cancel_scope.cancel()
    with trio.CancelScope(shield=True, deadline=trio.current_time() + 5):
        for stream in streams:
            while await stream.receive_some():
                pass
        return
    raise AssertionError("somebody still waits")


@pytest.mark.parametrize(("accepting", "broken", "told"), [(True, False, 0), (False, False, 1), (False, True, 0)])
async def test_who_starts_the_server_again_finds_it_open_unless_its_disk_cannot_be_trusted(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, accepting: bool, broken: bool, told: int
) -> None:
    let_in: list[bool] = []
    ann = await hall.player("ann")
    hall.lobby.service.accepting = accepting
    assert not hall.app.broken
    hall.app.broken = broken
    monkeypatch.setattr(hall.lobby.service, "set_admission", let_in.append)
    began = trio.current_time()
    await hall.app.end_all_sessions()
    assert let_in == [True] * told
    assert hall.lobby.service.closing
    assert (await ann.next("bye"))["reason"] == "shutdown"
    assert trio.current_time() - began < hall.app.config.goodbye_seconds


@pytest.fixture
async def connected(hall: Hall) -> AsyncIterator[Callable[[], socket.socket]]:
    """Makes connections to the hall over TCP, all from one address; gives our end."""
    ends: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def connect() -> socket.socket:
            ours = socket.create_connection(listening.getsockname())
            theirs, _address = listening.accept()
            ends.append(ours)
            hall.nursery.start_soon(
                hall.app.handle_connection, trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
            )
            return ours

        yield connect
    for end in ends:
        end.close()


async def test_b20_strangers_who_say_nothing_or_have_gone_are_waited_for_by_nobody(
    hall: Hall, connected: Callable[[], socket.socket]
) -> None:
    allowed = limits.AT_ONCE_AN_ADDRESS * limits.REQUESTS_AT_ONCE // limits.REQUESTS_A_CONNECTION
    for number in range(2 * allowed):
        end = connected()
        if number % 2:
            end.sendall(b"ping\n")
            end.close()  # with the greeting unread, so that it is reset
    await wait_all_tasks_blocked()
    begun = trio.current_time()
    last = connected()
    last.sendall(b"ping\n")
    await wait_all_tasks_blocked()
    assert trio.current_time() == begun
    assert last.recv(200).endswith(b"pong\r\n")


@pytest.mark.parametrize("types", [False, True])
async def test_b20_the_owner_of_a_seat_comes_back_at_once_past_a_line_of_strangers(
    hall: Hall, connected: Callable[[], socket.socket], types: bool
) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.cut()
    await trio.sleep(0.1)
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    code = player.codes.issue_code()
    for meter in hall.lobby.limits.stranger_buckets("127.0.0.1"):
        meter.charge(60 * limits.AT_ONCE_AN_ADDRESS * limits.REQUESTS_AT_ONCE * limits.STRANGERS_IN_ALL)
    for _ in range(20):
        connected().sendall(b"x" * 60_000)
    await wait_all_tasks_blocked()
    begun = trio.current_time()
    back = connected()
    await wait_all_tasks_blocked()
    back.setblocking(False)
    challenge = back.recv(200).decode().partition("challenge=")[2].partition(";")[0]
    hello = {"type": "hello", "id": 1, "name": "ann", "session": "again"}
    if types:
        back.sendall(f"hello ann {code}\r\n".encode())
    else:
        back.sendall(json.dumps(hello | {"proof": make_proof("the token of ann", challenge, "ann")}).encode() + b"\n")
    await wait_all_tasks_blocked()
    assert trio.current_time() == begun
    assert b"elcome" in back.recv(10_000)


async def test_b20_who_comes_back_all_the_time_waits_in_line_like_any_other(
    hall: Hall, connected: Callable[[], socket.socket]
) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    for meter in (player.meter, *hall.lobby.limits.stranger_buckets("127.0.0.1")):
        meter.charge(10 * limits.AT_ONCE_AN_ADDRESS * limits.REQUESTS_AT_ONCE * limits.STRANGERS_IN_ALL)
    back = connected()
    back.setblocking(False)
    back.sendall(f"hello ann {player.codes.issue_code()}\r\n".encode())
    await wait_all_tasks_blocked()
    assert b"elcome" not in back.recv(10_000), "only the greeting"


async def test_b20_who_has_sent_all_comes_after_who_waits_for_an_answer(
    hall: Hall, connected: Callable[[], socket.socket]
) -> None:
    for meter in hall.lobby.limits.stranger_buckets("127.0.0.1"):
        meter.charge(limits.AT_ONCE_AN_ADDRESS * limits.REQUESTS_AT_ONCE * limits.STRANGERS_IN_ALL)
    half_closed = [connected() for _ in range(20)]
    for end in half_closed:
        end.sendall(b"ping\n")
        end.shutdown(socket.SHUT_WR)
    await wait_all_tasks_blocked()
    waiting = connected()
    waiting.sendall(b"ping\n")
    waiting.setblocking(False)
    answered: list[int] = []
    while len(answered) < 21:
        await trio.sleep(0.001)
        for number, end in enumerate((*half_closed, waiting)):
            end.setblocking(False)
            with suppress(BlockingIOError):
                if b"pong" in end.recv(1_000):
                    answered.append(number)
    assert answered.index(20) <= 2


async def test_a_stranger_who_has_said_nothing_reads_goodbye_when_the_server_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening, socket.create_connection(listening.getsockname()) as ours:
        theirs, _address = listening.accept()
        async with trio.open_nursery() as nursery:
            app = Hall(nursery, Config(port=0)).app
            nursery.start_soon(app.handle_connection, trio.SocketStream(trio.socket.from_stdlib_socket(theirs)))
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        with ours.makefile("rb") as reading:
            told = reading.read()
    assert told.endswith(b"; type help\r\nGoodbye. The server is stopping.\r\n"), told
