"""Whole matches through Debian's telnet and netcat, and real sockets that misbehave: A09, B02, B03, B10, B11."""

import json
import logging
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
from contextlib import AsyncExitStack, suppress
from functools import partial

import pytest
import trio

from games.registry import all_games
from protocol.errors import GOODBYES
from server.app import App
from server.config import Config
from tests.helpers.hall import open_hall, tcp_player
from tests.helpers.peer import Peer
from tests.helpers.wire import asked


def needs(tool: str, probe: str = "") -> pytest.MarkDecorator:
    """Skips, and says so, where the tool is missing; never in CI."""
    missing = shutil.which(tool) is None or (
        bool(probe) and probe not in subprocess.run([tool, "-h"], capture_output=True, text=True, check=False).stderr
    )
    return pytest.mark.skipif(missing and os.environ.get("CI") != "true", reason=f"{tool} is not installed")


needs_telnet, needs_nc = needs("telnet"), needs("nc", "OpenBSD")


class Tool:
    """A program that talks to the server, with a person's hands at its pipes."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self.shown = ""

    async def types(self, line: str) -> None:
        assert self._process.stdin is not None
        await self._process.stdin.send_all(line.encode() + b"\n")

    async def sees(self, pattern: str) -> str:
        """Reads on until the pattern stands in what is new; returns the new text."""
        assert self._process.stdout is not None
        fresh = ""
        while not re.search(pattern, fresh):
            data = await self._process.stdout.receive_some(65_536)
            assert data, f"ended before {pattern!r}: {self.shown[-500:]}"
            text = data.decode().replace("\r\n", "\n")
            fresh += text
            self.shown += text
        return fresh

    async def ends(self) -> int:
        """The program's own end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        await self._process.stdin.aclose()
        while data := await self._process.stdout.receive_some(65_536):
            self.shown += data.decode()
        return await self._process.wait()


async def with_tool(nursery: trio.Nursery, *command: str) -> Tool:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process: trio.Process = await nursery.start(partial(trio.run_process, command, check=False, **pipes))
    return Tool(process)


async def plays_a_match(tool: Tool, game: str = "ikasamage", seats: int = 3) -> None:
    """Learns from `help`, opens a table, fills it with bots, and decides by number until the match is over."""
    await tool.sees(r"magehall 2 \S+ challenge=\w+; type help")
    await tool.types("help")
    assert "open ikasamage 4" in await tool.sees("How to type")
    for line, answer in (
        ("hello ann", "Welcome, ann"),
        (f"open {game} {seats}", "You have seat 1"),
        *[("add greedy", f"{seat} greedy") for seat in range(2, seats)],
        ("add random", f"{seats} random"),
    ):
        await tool.types(line)
        await tool.sees(answer)
    await tool.types("start")
    for _ in range(3_000):
        shown = await tool.sees(r"(?m)^> .*\n|^yes sends it.*\n|The deal's seed was")
        if "The deal's seed was" in shown:
            break
        for line in ["yes"] if "yes sends it" in shown else ["?", "1"]:  # it asks before a deed that ends the player
            await tool.types(line)
    assert "The match is over." in tool.shown
    assert not re.search(r"(?m)^! ", tool.shown)
    await tool.types("quit")
    await tool.sees(r"Goodbye\. You said quit\.")


EVERY_TABLE = [(game.id, seats) for game in all_games().values() for seats in range(game.min_seats, game.max_seats + 1)]


@needs_telnet
@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
async def test_a_whole_match_is_played_with_telnet(nursery: trio.Nursery, game: str, seats: int) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(100):
        async with trio.open_nursery() as tools:
            await plays_a_match(await with_tool(tools, "telnet", "127.0.0.1", str(app.port)), game, seats)
            tools.cancel_scope.cancel()


@needs_nc
async def test_a_whole_match_is_played_with_netcat(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(60):
        async with trio.open_nursery() as tools:
            tool = await with_tool(tools, "nc", "-N", "127.0.0.1", str(app.port))
            await plays_a_match(tool)
            assert await tool.ends() == 0


@needs_nc
async def test_b10_a_script_piped_into_netcat_is_answered_to_the_end(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    script = b"hello ann\nopen ikasamage 3\nadd greedy\nadd random\nstart\n" + b"1\nlegal\n" * 3 + b"log\nwho\n"
    with trio.fail_after(30):
        done = await trio.run_process(["nc", "-N", "127.0.0.1", str(app.port)], stdin=script, capture_stdout=True)
    shown = done.stdout.decode()
    assert "The match begins: 1 ann, 2 greedy, 3 random." in shown
    assert "Here are: ann (person, at t1)" in shown
    assert shown.rstrip().endswith(f"Goodbye. {GOODBYES['closed']}")
    await emptied(app)


@needs_telnet
async def test_ctrl_c_in_telnet_drops_the_line_and_the_talk_goes_on(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(10):
        stream = await trio.open_tcp_stream("127.0.0.1", app.port)
        nursery.start_soon(closed_at_the_end, stream)
        await stream.receive_some(1_000)
        await stream.send_all(b"hello an\xff\xf4\xff\xfd\x06")  # as telnet sends Ctrl-C
        assert await stream.receive_some(1_000) == b"\xff\xfc\x06"
        await stream.send_all(b"hello bob\r\n")
        assert (await stream.receive_some(1_000)).startswith(b"Welcome, bob.")


async def emptied(app: App, but: int = 0) -> None:
    """Every connection has ended, but for so many."""
    with trio.fail_after(10):
        while app.connections > but:  # noqa: ASYNC110 (a server has no event for a test's sake)
            await trio.sleep(0.01)


async def player(nursery: trio.Nursery, port: int, name: str) -> Peer:
    """Somebody whose socket is closed with the nursery."""
    peer = await tcp_player(port, name)
    nursery.start_soon(closed_at_the_end, peer.stream)
    return peer


async def reset(stream: trio.abc.HalfCloseableStream) -> None:
    """The connection ends with a reset instead of a goodbye."""
    assert isinstance(stream, trio.SocketStream)
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await stream.aclose()


async def small_hall(nursery: trio.Nursery) -> App:
    """A server whose buffers are small, so that few bytes fill them."""
    config = Config(
        port=0, outbox_bytes=8_192, kernel_bytes=4_096, grace=3_600, requests_at_once=10_000, talk_at_once=10_000
    )
    return await open_hall(nursery, config)


async def read_all(peer: Peer) -> None:
    """Takes whatever comes, until our side closes the connection."""
    with suppress(trio.ClosedResourceError):
        while await peer.message():
            pass


async def closed_at_the_end(stream: trio.abc.AsyncResource | socket.socket) -> None:
    async with AsyncExitStack() as stack:
        if isinstance(stream, socket.socket):
            stack.enter_context(stream)
        else:
            await stack.enter_async_context(stream)
        await trio.sleep_forever()


async def match_of_three(nursery: trio.Nursery, port: int) -> list[Peer]:
    peers = [await player(nursery, port, name) for name in ("ann", "bob", "cid")]
    await peers[0].ask("open", game="ikasamage", seats=3)
    for peer in peers[1:]:
        await peer.ask("join", table="t1")
    await peers[0].ask("start", table="t1")
    return peers


async def test_b03_a_real_client_that_never_reads_is_cut_and_the_others_play_on(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    app = await small_hall(nursery)
    with trio.fail_after(30):
        ann, bob, cid = await match_of_three(nursery, app.port)
        for peer in (bob, cid):
            nursery.start_soon(read_all, peer)
        deaf = socket.socket()
        nursery.start_soon(closed_at_the_end, deaf)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        deaf.connect(("127.0.0.1", app.port))
        deaf.sendall(asked("hello", 1, name="zed") + asked("watch", 2, table="t1"))
        number = 10
        slowest = 0.0
        while "session ended: zed (slow_reader)" not in caplog.text:
            number += 1
            begun = trio.current_time()
            assert (await ann.ask("say", table="t1", text="x" * 300))["type"] == "said"
            slowest = max(slowest, trio.current_time() - begun)
            assert number < 2_000
        assert slowest < 1
        await emptied(app, but=3)
        assert {session.player.name for session in app.sessions if session.player} == {"ann", "bob", "cid"}
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_b11_a_reset_in_the_middle_of_a_message_leaves_an_away_seat_and_no_traceback(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(10):
        ann, bob, cid = await match_of_three(nursery, app.port)
        await bob.stream.send_all(b'{"type":"act","id":9,"tab')
        await reset(bob.stream)
        for peer in (ann, cid):
            gone = await peer.until(lambda message: message["type"] == "presence")
            assert (gone["seat"], gone["how"]) == (2, "away")
        assert (await ann.ask("ping"))["type"] == "pong"
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_b11_five_hundred_connections_that_reset_leave_nothing_behind(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    app = await open_hall(nursery)
    before = len(os.listdir("/proc/self/fd"))
    with trio.fail_after(30):
        for number in range(500):
            stream = await trio.open_tcp_stream("127.0.0.1", app.port)
            await stream.send_all(b'{"type":"ping","id":1}\n' * (number % 3) + b'{"ty')
            await reset(stream)
        await emptied(app)
    assert len(os.listdir("/proc/self/fd")) <= before
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_b02_a_dripped_act_over_a_real_socket_is_late_at_the_deadline(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(10):
        ann = await player(nursery, app.port, "ann")
        await ann.ask("open", game="ikasamage", seats=3, clock={"main": 0, "increment": 1.0})
        for _ in range(2):
            await ann.ask("add", table="t1", bot="greedy")
        await ann.stream.send_all(asked("start", 5, table="t1"))
        turn = await ann.until(lambda message: message["type"] == "turn")
        begun = trio.current_time()
        late: list[float] = []

        async def drip() -> None:
            request = asked("act", 9, table="t1", turn=turn["turn"], action=turn["legal"][0])
            for byte in request:
                await ann.stream.send_all(bytes((byte,)))
                await trio.sleep(1.5 / len(request))

        async with trio.open_nursery() as dripping:
            dripping.start_soon(drip)
            await ann.until(lambda message: message["type"] == "late")
            late.append(trio.current_time() - begun)
            refused = await ann.until(lambda message: message.get("re") == 9)
        assert refused["code"] in ("stale_turn", "not_your_turn", "game_over")
        assert 0.9 < late[0] < 1.3


async def test_a09_a_browser_s_first_lines_close_the_connection(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    shown = b""
    with trio.fail_after(5):
        stream = await trio.open_tcp_stream("127.0.0.1", app.port)
        nursery.start_soon(closed_at_the_end, stream)
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: mages\r\nUser-Agent: x\r\n\r\n")
        while data := await stream.receive_some(4_096):
            shown += data
    assert b"not HTTP or TLS" in shown


async def test_h06_other_machines_reach_a_server_only_where_they_are_let_in(nursery: trio.Nursery) -> None:
    local, lan = await open_hall(nursery), await open_hall(nursery, Config(port=0, host=""))
    async with await trio.open_tcp_stream("127.0.0.2", lan.port) as stream:
        assert (await stream.receive_some(1_000)).startswith(b"magehall")
    with pytest.raises(OSError, match=r"127\.0\.0\.2"):
        await trio.open_tcp_stream("127.0.0.2", local.port)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_f08_a_server_that_is_told_to_stop_says_goodbye_and_ends_well(number: signal.Signals) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    child = subprocess.Popen(
        [sys.executable, "-m", "magehall", "serve", "--data", ":memory:", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with connected(port, child) as sock, sock.makefile("rwb", buffering=0) as file:
            assert file.readline().startswith(b"magehall 2 ")
            file.write(asked("hello", 1, name="ann"))
            code = json.loads(file.readline())["code"]
            file.write(asked("open", 2, game="ikasamage", seats=3))
            assert json.loads(file.readline())["type"] in ("table", "table_changed")
            child.send_signal(number)
            told = [json.loads(text) for text in file.readlines()]
        assert told[-1]["type"] == "bye"
        assert told[-1]["reason"] == "shutdown"
        _out, errors = child.communicate(timeout=10)
        assert child.returncode == 0
        assert "Traceback" not in errors
        assert code not in errors
    finally:
        child.kill()
        child.wait()


def connected(port: int, child: subprocess.Popen[str]) -> socket.socket:
    """A connection to a server that may still be starting."""
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=20)
        except ConnectionRefusedError:
            assert child.poll() is None, "the server did not start"


async def test_a_server_that_is_cancelled_with_peers_still_there_has_no_fault_to_log(
    nursery: trio.Nursery, caplog: pytest.LogCaptureFixture
) -> None:
    async with trio.open_nursery() as within:
        app = await open_hall(within)
        for number in range(30):
            await player(nursery, app.port, f"player{number}")
        within.cancel_scope.cancel()
    assert not app.sessions
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
