"""A byte stream that is cut: whoever waits for it hears the end."""

import socket

import trio

from server.net.poller import Poller
from server.net.wire import SocketWire, Wire


def on_a_socket(poller: Poller | None = None) -> tuple[Wire, trio.abc.Stream]:
    ours, theirs = (trio.SocketStream(trio.socket.from_stdlib_socket(end)) for end in socket.socketpair())
    return SocketWire(ours, poller), theirs


async def test_who_still_sends_hears_the_end_before_the_connection_is_closed(nursery: trio.Nursery) -> None:
    """Or the system would throw away what the peer has not read yet."""
    wire, theirs = on_a_socket()
    assert wire.try_send(b"goodbye") == len(b"goodbye")
    await theirs.send_all(b"and another")
    nursery.start_soon(wire.close_gracefully)
    assert [await theirs.receive_some(), await theirs.receive_some()] == [b"goodbye", b""]
    assert not wire.broken
    await theirs.aclose()
    await trio.testing.wait_all_tasks_blocked()
    assert wire.broken


async def test_a_socket_that_has_nothing_to_read_after_all_is_read_again_later() -> None:
    poller = Poller()
    wire, theirs = on_a_socket(poller)
    heard: list[bytes] = []

    def take(data: bytes) -> bool:
        heard.append(data)
        return True

    async with trio.open_nursery() as reading:
        reading.start_soon(wire.deliver_input, take)
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
    await wire.abort()
    await theirs.aclose()


async def test_who_sends_on_and_on_is_listened_to_for_a_second_at_the_end() -> None:
    wire, theirs = on_a_socket()
    began = trio.current_time()
    await wire.close_gracefully()
    assert (trio.current_time() - began, wire.broken) == (1.0, True)
    await theirs.aclose()
