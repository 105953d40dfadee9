"""The stream below a link: sent at once, read when there is something, and broken in the way trio's are."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio

from bots.sdk import sockets
from bots.sdk.sockets import BlockingStream, DirectStream


@asynccontextmanager
async def pair(kind: type[DirectStream] = DirectStream) -> AsyncIterator[tuple[DirectStream, socket.socket]]:
    """A stream, and its peer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ours = await trio.open_tcp_stream(*listening.getsockname())
        peer, _address = listening.accept()
    peer.setblocking(False)
    async with kind(ours) as stream:
        with peer:
            yield stream, peer


async def test_what_is_sent_is_there_before_any_other_task_runs() -> None:
    async with pair() as (stream, peer):
        ran: list[str] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_note, ran)
            await stream.send_all(b"act")
            assert not ran
        assert peer.recv(10) == b"act"


async def test_who_waits_hears_what_comes_and_then_the_end() -> None:
    async with pair() as (stream, peer), trio.open_nursery() as nursery:
        nursery.start_soon(_say_and_close, peer)
        assert await stream.receive_some(10) == b"turn"
        assert await stream.receive_some() == b""


async def test_a_connection_that_the_peer_breaks_off_is_broken_for_both_ways() -> None:
    async with pair() as (stream, peer):
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # closing resets it
        peer.close()
        with pytest.raises(trio.BrokenResourceError):
            await stream.receive_some()
        with pytest.raises(trio.BrokenResourceError):
            await stream.send_all(b"act")


async def test_who_waits_while_it_is_closed_is_told_and_nothing_can_be_sent_then() -> None:
    async with pair() as (stream, _peer):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_expect_closed, stream)
            await trio.testing.wait_all_tasks_blocked()
            await stream.aclose()
        with pytest.raises(trio.BrokenResourceError):
            await stream.send_all(b"act")


@pytest.fixture
def round_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets how many seconds a round of a lone stream takes."""
    return lambda seconds: monkeypatch.setattr(sockets, "ROUND_SECONDS", seconds)


async def test_a_lone_stream_takes_what_comes_within_a_round_before_any_other_task_runs(
    round_of: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    round_of(0.05)
    monkeypatch.setattr(sockets, "perf_counter", lambda: 7.0)  # it does not end meanwhile
    async with pair(BlockingStream) as (stream, peer):
        peer.send(b"turn 1")
        assert await stream.receive_some() == b"turn 1"
        ran: list[str] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_note, ran)
            peer.send(b"turn 2")
            assert await stream.receive_some() == b"turn 2"
            assert not ran
        peer.close()
        assert await stream.receive_some() == b""


async def test_all_other_tasks_have_their_turn_once_a_round(round_of: Callable[[float], None]) -> None:
    round_of(0.0)
    async with pair(BlockingStream) as (stream, peer):
        ran: list[str] = []
        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(_note, ran)
                peer.send(b"turn")
                assert await stream.receive_some() == b"turn"
                assert len(ran) >= number  # all but the latest, which may run after us


async def test_where_nothing_comes_within_a_round_all_other_tasks_run(round_of: Callable[[float], None]) -> None:
    round_of(0.001)
    async with pair(BlockingStream) as (stream, peer), trio.open_nursery() as nursery:
        peer.send(b"turn")
        assert await stream.receive_some() == b"turn"
        nursery.start_soon(_say_and_close, peer)
        assert await stream.receive_some() == b"turn"


async def _note(ran: list[str]) -> None:
    ran.append("another task")


async def _say_and_close(peer: socket.socket) -> None:
    await trio.testing.wait_all_tasks_blocked()
    peer.send(b"turn")
    await trio.testing.wait_all_tasks_blocked()
    peer.close()


async def _expect_closed(stream: DirectStream) -> None:
    with pytest.raises(trio.ClosedResourceError):
        await stream.receive_some()
