"""One connection of a player: what is sent, in which order, and how it ends."""

from __future__ import annotations

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from bots.sdk.connection import Connection, Ended, Refused, plainly
from protocol import messages as m


class Slow(trio.abc.Stream):
    """Takes nothing until it is let go on; gives what is there to be heard."""

    def __init__(self, *heard: bytes) -> None:
        self.sent: list[bytes] = []
        self.goes_on = trio.Event()
        self.is_broken = False
        self.is_closed = False
        self._heard = list(heard)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.sent.append(bytes(data))
        await self.goes_on.wait()
        if self.is_broken:
            raise trio.BrokenResourceError

    async def wait_send_all_might_not_block(self) -> None:
        await self.goes_on.wait()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if not self._heard:
            raise trio.BrokenResourceError
        return self._heard.pop(0)

    async def aclose(self) -> None:
        self.is_closed = True


def ping(number: int) -> bytes:
    return b'{"type":"ping","id":%d}\n' % number


async def test_what_is_put_while_something_is_sent_follows_it_in_one_piece() -> None:
    stream = Slow()
    connection = Connection(stream, "json", unread_turns=False)
    async with trio.open_nursery() as nursery:
        connection.put(m.Ping(id=1))
        nursery.start_soon(connection.flush)
        await wait_all_tasks_blocked()
        connection.put(m.Ping(id=2))
        connection.put(m.Ping(id=3))
        await connection.flush()
        assert stream.sent == [ping(1)], "one sends for all"
        stream.goes_on.set()
    assert stream.sent == [ping(1), ping(2) + ping(3)]
    connection.put(m.Ping(id=4))
    await connection.flush()
    assert stream.sent[2:] == [ping(4)]


async def test_who_is_woken_sends_what_was_put_each_time() -> None:
    stream = Slow()
    stream.goes_on.set()
    connection = Connection(stream, "json", unread_turns=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        for number in (1, 2):
            connection.put(m.Ping(id=number))
            await wait_all_tasks_blocked()
            assert len(stream.sent) == number - 1
            connection.wake()
            await wait_all_tasks_blocked()
            assert stream.sent[-1] == ping(number)
        nursery.cancel_scope.cancel()


async def test_what_cannot_be_sent_closes_the_stream_and_is_left_to_the_reader_to_find() -> None:
    stream = Slow()
    stream.is_broken = True
    stream.goes_on.set()
    connection = Connection(stream, "json", unread_turns=False)
    connection.put(m.Ping(id=1))
    await connection.flush()
    assert stream.is_closed
    with pytest.raises(Ended, match="the connection broke"):
        await connection.receive()


async def test_how_a_connection_ends_is_said() -> None:
    connection = Connection(Slow(b"magehall 2 x challenge=00; type help\r\n", b"[]\n", b""), "json", unread_turns=False)
    assert connection.next() is None
    await connection.receive()
    assert connection.next() is not None
    await connection.receive()
    with pytest.raises(Ended, match="the server broke the protocol: "):
        connection.next()
    await connection.receive()
    with pytest.raises(Ended, match="the server closed the connection"):
        connection.next()


def test_a_refusal_says_what_the_server_said() -> None:
    assert str(Refused(m.Error(code="bad_name", text="No such name."))) == "No such name."


def test_of_an_error_that_has_others_within_the_system_s_words_are_told() -> None:
    inner = OSError(111, "Connection refused")
    other = OSError(113, "No route to host")
    assert plainly(inner) == "Connection refused"
    outer = OSError("all attempts to connect failed")
    outer.__cause__ = ExceptionGroup("many", [other, inner])
    assert plainly(outer) == "Connection refused"
    assert plainly(OSError(-2, "Name or service not known")) == "Name or service not known"
    assert plainly(OSError("just this")) == "just this"
