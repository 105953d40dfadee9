"""Feeds a connection and writes down all that comes out, so that two deliveries of the same bytes can be compared."""

from collections.abc import Iterator, Sequence
from typing import Any

from protocol.connection import NEED_DATA, PEER_CLOSED, ClientConnection, ServerConnection
from protocol.errors import RemoteProtocolError
from tests.helpers.wire import frame, framed, line

END = b""


def happen(connection: ServerConnection | ClientConnection, chunks: Sequence[bytes]) -> list[Any]:
    """All events; an error stands there as (code, id, where), and an error that closes ends the list."""
    seen: list[Any] = []
    for chunk in chunks:
        connection.receive_data(chunk)
        while True:
            try:
                event = connection.next_event()
            except RemoteProtocolError as error:
                _inspect(error)
                seen.append((error.code.name, error.re, error.where))
                if error.code.closes:
                    return seen
                continue
            if event in (NEED_DATA, PEER_CLOSED):
                break
            seen.append(event)
    return seen


def _inspect(error: RemoteProtocolError) -> None:
    assert len(error.text.encode()) <= 200
    assert len(error.where.encode()) <= 200
    assert (error.text + error.where).isprintable()


def heard(*chunks: bytes) -> list[Any]:
    """What a fresh server connection makes of these packets."""
    return happen(ServerConnection(), chunks)


def codes(*chunks: bytes) -> list[Any]:
    """The same, with only the codes of errors."""
    return [event[0] if isinstance(event, tuple) else event for event in heard(*chunks)]


def in_json(*messages: Any) -> list[Any]:
    """What a connection in the JSON face hears; bytes are lines as they are."""
    return heard(b"{}\n", *(m if isinstance(m, bytes) else line(m) for m in messages))[1:]


def in_msgpack(*messages: Any) -> list[Any]:
    """What a connection in the msgpack face hears; bytes are frame bodies as they are."""
    return heard(*(framed(m) if isinstance(m, bytes) else frame(m) for m in messages))


def bytewise(data: bytes) -> Iterator[bytes]:
    return (data[i : i + 1] for i in range(len(data)))


def every_cut(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The data in two packets, cut at each place."""
    return ((data[:i], data[i:]) for i in range(1, len(data)))
