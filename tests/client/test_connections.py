"""Connections that are made for a process without a network, and handed over on its leash."""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
import trio

from bots.sdk.leash import ConnectionBroker
from client.processes import connections
from client.processes.connections import hand_out_connections


@dataclass
class Server:
    """A server that takes whoever comes."""

    port: int
    listening: trio.SocketListener

    async def next(self) -> trio.SocketStream:
        return await self.listening.accept()


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    monkeypatch.setattr(connections, "LEAST_SECONDS", 0.0)
    [listening] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listening:
        yield Server(listening.socket.getsockname()[1], listening)


@asynccontextmanager
async def leashed(port: int) -> AsyncIterator[tuple[ConnectionBroker, Callable[[], None]]]:
    """A process's leash, and how its starter lets go of it."""
    ours, theirs = socket.socketpair()
    leash = ConnectionBroker(theirs.fileno())
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hand_out_connections, stream, "127.0.0.1", port)
            nursery.start_soon(leash.receive_answers)
            yield leash, ours.close
            leash.close()
            await stream.aclose()
            nursery.cancel_scope.cancel()
    os.close(theirs.detach())


async def test_a_process_is_handed_a_connection_and_after_its_loss_another(server: Server) -> None:
    async with leashed(server.port) as (leash, _let_go):
        for _ in range(2):
            async with await leash.dial() as mine, await server.next() as peer:
                await mine.send_all(b"act")
                assert await peer.receive_some(10) == b"act"
                await peer.send_all(b"told")
                assert await mine.receive_some(10) == b"told"


async def test_with_the_next_connection_a_process_loses_the_one_before(server: Server) -> None:
    async with leashed(server.port) as (leash, _let_go):
        first, peer = await leash.dial(), await server.next()
        second, other = await leash.dial(), await server.next()
        assert await peer.receive_some(10) == b""
        assert await first.receive_some(10) == b""
        await second.send_all(b"act")
        assert await other.receive_some(10) == b"act"
        for stream in (first, second, peer, other):
            await stream.aclose()


async def test_where_no_server_answers_the_process_is_told_and_may_ask_again(server: Server) -> None:
    await server.listening.aclose()
    async with leashed(server.port) as (leash, _let_go):
        for _ in range(2):
            with pytest.raises(OSError, match="Connection refused"):
                await leash.dial()


async def test_connections_are_handed_out_no_faster_than_a_bot_needs(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LEAST_SECONDS", 0.05)
    async with leashed(server.port) as (leash, _let_go):
        began = trio.current_time()
        for _ in range(4):
            async with await leash.dial(), await server.next():
                pass
        assert trio.current_time() - began >= 0.15


async def test_a_process_learns_that_its_leash_is_gone() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        leash = ConnectionBroker(theirs.fileno())
        ours.close()
        with trio.fail_after(5):
            await leash.receive_answers()
        leash.close()
        assert os.read(theirs.fileno(), 10) == b""  # and whoever reads stdin finds an empty file
