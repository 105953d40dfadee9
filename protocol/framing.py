"""Bytes to lines and frames: both cut a stream under a limit and remember how far they have looked."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import chain

from protocol.errors import LocalProtocolError, RemoteProtocolError

HEADER = 4  # bytes of a frame's length, big-endian
FRAME_CEILING = 2**24 - 1  # so that a frame always begins with a zero byte


class Cutter(ABC):
    """A stream that is cut into messages. Every byte is looked at a bounded number of times, however it arrives."""

    __slots__ = ("_buffer", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def push(self, data: bytes) -> None:
        """Takes what was received."""
        self._buffer += data

    @abstractmethod
    def pull(self) -> bytes | None:
        """The next whole message, or None. Raises RemoteProtocolError for one above the limit."""

    def take(self) -> bytes:
        """Everything held, to be cut otherwise."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest

    @property
    def partial(self) -> bool:
        """Whether bytes of an unfinished message are held."""
        return bool(self._buffer)


class Lines(Cutter):
    """Lines end with LF; one CR before it belongs to the end. The limit counts neither."""

    __slots__ = ("_searched",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._searched = 0

    def pull(self) -> bytes | None:
        buffer = self._buffer
        end = buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = length = len(buffer)
            if length > self._limit and (length > self._limit + 1 or buffer[-1] != 0x0D):
                raise RemoteProtocolError("line_too_long")
            return None
        line = bytes(buffer[: end - 1 if end and buffer[end - 1] == 0x0D else end])
        del buffer[: end + 1]
        self._searched = 0
        if len(line) > self._limit:
            raise RemoteProtocolError("line_too_long")
        return line


class Frames(Cutter):
    """Frames begin with their length in four bytes, big-endian."""

    __slots__ = ()

    def pull(self) -> bytes | None:
        buffer = self._buffer
        if len(buffer) < HEADER:
            return None
        size = int.from_bytes(buffer[:HEADER], "big")
        if not 1 <= size <= self._limit:
            raise RemoteProtocolError("frame_too_big")
        end = HEADER + size
        if len(buffer) < end:
            return None
        frame = bytes(buffer[HEADER:end])
        del buffer[:end]
        return frame


def line(content: bytes) -> bytes:
    """A JSON line as it is sent."""
    return content + b"\n"


def frames(contents: Iterable[bytes]) -> bytes:
    """Frames as they are sent."""
    contents = [*contents]
    sizes = [*map(len, contents)]
    data = b"".join(chain.from_iterable(zip(map(_length, sizes), contents, strict=True)))
    if len(data) > FRAME_CEILING and max(sizes) > FRAME_CEILING:
        raise LocalProtocolError(f"a frame of {max(sizes)} bytes")
    return data


_length = struct.Struct(">I").pack
