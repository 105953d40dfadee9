"""A byte stream that is cut: whoever waits for it hears the end."""

import socket
import struct
from collections.abc import Callable

import pytest
import trio
from trio.testing import memory_stream_pair

from server.net.poller import Poller
from server.net.wire import SocketWire, StreamWire, Wire


def on_a_socket(poller: Poller | None = None) -> tuple[Wire, trio.abc.Stream]:
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in socket.socketpair())
    return SocketWire(ours, poller), theirs


def in_memory() -> tuple[Wire, trio.abc.Stream]:
    ours, theirs = memory_stream_pair()
    return StreamWire(ours), theirs


@pytest.mark.parametrize("made", [on_a_socket, in_memory])
async def test_it_is_told_how_much_of_the_bytes_is_taken(made: Callable[[], tuple[Wire, trio.abc.Stream]]) -> None:
    wire, theirs = made()
    assert await wire.send_some(b"abc") == 3
    assert await theirs.receive_some(10) == b"abc"
    await wire.cut()
    await theirs.aclose()


@pytest.mark.parametrize("made", [on_a_socket, in_memory])
async def test_who_waits_for_bytes_when_the_wire_is_cut_gets_the_end_and_nothing_is_sent_any_more(
    made: Callable[[], tuple[Wire, trio.abc.Stream]], nursery: trio.Nursery
) -> None:
    wire, theirs = made()
    heard: list[bytes] = []

    def take(data: bytes) -> bool:
        heard.append(data)
        return bool(data)

    async with trio.open_nursery() as reading:
        reading.start_soon(wire.pass_on, take)
        await theirs.send_all(b"first")
        await trio.testing.wait_all_tasks_blocked()
        await wire.cut()
        assert wire.broken
    assert heard == [b"first", b""]
    assert await wire.receive() == b""
    if made is on_a_socket:
        assert wire.try_send(b"late") == len(b"late")  # the descriptor may be another one's by now: it goes nowhere
    assert await theirs.receive_some() == b""
    await theirs.aclose()


async def test_who_still_sends_hears_the_end_before_the_connection_is_closed(nursery: trio.Nursery) -> None:
    """Or the system would throw away what the peer has not read yet."""
    wire, theirs = on_a_socket()
    assert wire.try_send(b"goodbye") == len(b"goodbye")
    await theirs.send_all(b"and another")
    nursery.start_soon(wire.finish)
    assert [await theirs.receive_some(), await theirs.receive_some()] == [b"goodbye", b""]
    assert not wire.broken
    await theirs.aclose()
    await trio.testing.wait_all_tasks_blocked()
    assert wire.broken


async def test_what_fails_while_bytes_are_taken_is_raised_where_they_are_waited_for(nursery: trio.Nursery) -> None:
    poller = Poller()
    nursery.start_soon(poller.run)
    wire, theirs = on_a_socket(poller)

    def take(data: bytes) -> bool:
        raise ValueError(data)

    await theirs.send_all(b"first")
    with pytest.raises(ValueError, match="first"):
        await wire.pass_on(take)
    await wire.cut()
    await theirs.aclose()
    nursery.cancel_scope.cancel()


async def test_a_socket_that_has_nothing_to_read_after_all_is_read_again_later() -> None:
    poller = Poller()
    wire, theirs = on_a_socket(poller)
    heard: list[bytes] = []

    def take(data: bytes) -> bool:
        heard.append(data)
        return True

    async with trio.open_nursery() as reading:
        reading.start_soon(wire.pass_on, take)
        await trio.testing.wait_all_tasks_blocked()
        ((read, _address),) = poller._readers.values()
        read()
        assert heard == []
        reading.start_soon(poller.run)
        await theirs.send_all(b"first")
        while not heard:  # noqa: ASYNC110 (the kernel sets no event)
            await trio.sleep(0.001)
        reading.cancel_scope.cancel()
    assert heard == [b"first"]
    await wire.cut()
    await theirs.aclose()


def lost() -> Wire:
    """A connection that its peer has reset."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        theirs = socket.create_connection(listening.getsockname())
        ours, _address = listening.accept()
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    theirs.close()
    return SocketWire(trio.SocketStream(trio.socket.from_stdlib_socket(ours)))


async def test_whose_peer_has_reset_it_a_connection_is_broken_whatever_is_done_with_it_first() -> None:
    wire = lost()
    assert (await wire.receive(), wire.broken) == (b"", True)
    assert await wire.receive() == b""
    await wire.cut()
    wire = lost()
    assert (wire.try_send(b"abc"), wire.broken) == (3, True)
    await wire.cut()
    wire = lost()
    assert (await wire.send_some(b"abc"), wire.broken) == (3, True)
    await wire.cut()


async def test_what_the_kernel_does_not_take_is_not_taken_and_waited_for(nursery: trio.Nursery) -> None:
    wire, theirs = on_a_socket()
    taken = 0
    while more := wire.try_send(b"x" * 100_000):
        taken += more
    assert (wire.try_send(b"x"), wire.broken) == (0, False)
    sent = list[int]()

    async def send() -> None:
        sent.append(await wire.send_some(b"x" * 100))

    nursery.start_soon(send)
    await trio.testing.wait_all_tasks_blocked()
    assert sent == []
    while taken > 0:
        taken -= len(await theirs.receive_some(100_000))
    while not sent:  # noqa: ASYNC110 (the kernel sets no event)
        await trio.sleep(0.001)
    assert sent == [100]
    await wire.cut()
    await theirs.aclose()


async def test_who_waits_to_send_when_the_wire_is_cut_is_through_with_it(nursery: trio.Nursery) -> None:
    wire, theirs = on_a_socket()
    assert isinstance(wire, SocketWire)
    while wire.try_send(b"x" * 100_000):
        pass
    sent = list[int]()

    async def send() -> None:
        sent.append(await wire.send_some(b"abc"))

    nursery.start_soon(send)
    await trio.testing.wait_all_tasks_blocked()
    await trio.aclose_forcefully(wire._stream)
    await trio.testing.wait_all_tasks_blocked()
    assert (sent, wire.broken) == ([3], True)
    await theirs.aclose()


@pytest.mark.parametrize("ends", ["taken enough", "cancelled"])
async def test_who_reads_no_more_is_polled_no_more(ends: str) -> None:
    poller = Poller()
    wire, theirs = on_a_socket(poller)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(poller.run)
        async with trio.open_nursery() as reading:
            reading.start_soon(wire.pass_on, lambda _data: False)
            await trio.testing.wait_all_tasks_blocked()
            assert len(poller._readers) == 1
            if ends == "cancelled":
                reading.cancel_scope.cancel()
            else:
                await theirs.send_all(b"first")
        assert poller._readers == {}
        nursery.cancel_scope.cancel()
    await wire.cut()
    await theirs.aclose()


async def test_who_sends_on_and_on_is_listened_to_for_a_second_at_the_end() -> None:
    wire, theirs = on_a_socket()
    began = trio.current_time()
    await wire.finish()
    assert (trio.current_time() - began, wire.broken) == (1.0, True)
    await theirs.aclose()
