"""Cuts a stream of bytes into messages, which are lines or frames, and enforces a limit on their size."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterable
from itertools import chain

from protocol.errors import LocalProtocolError, RemoteProtocolError

HEADER = 4  # number of bytes in front of each frame, which are its length, big-endian
FRAME_CEILING = 2**24 - 1  # greatest length of a frame, so that the first of its four length bytes is always 0


class MessageSplitter(ABC):
    """Cuts a stream into messages. The work per byte is bounded, however small the chunks are in which the bytes
    arrive."""

    __slots__ = ("_buffer", "_limit")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def add_data(self, data: bytes) -> None:
        """Adds received bytes to the buffer."""
        self._buffer += data

    @abstractmethod
    def next_message(self) -> bytes | None:
        """Removes and returns the next whole message; None if it is not complete yet. Raises RemoteProtocolError if a
        message exceeds the limit."""

    def take_buffer(self) -> bytes:
        """Removes and returns all bytes in the buffer, so that another cutter can take over."""
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest

    @property
    def has_partial(self) -> bool:
        """Returns whether the buffer holds bytes of an unfinished message."""
        return bool(self._buffer)


class LineSplitter(MessageSplitter):
    """Cuts lines that end with LF or CR LF. The limit does not count the line end."""

    __slots__ = ("_searched",)

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._searched = 0

    def next_message(self) -> bytes | None:
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


class FrameSplitter(MessageSplitter):
    """Cuts frames, each of which begins with its length in four bytes, big-endian."""

    __slots__ = ()

    def next_message(self) -> bytes | None:
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


def encode_line(content: bytes) -> bytes:
    """Returns the content of a JSON message with a line end."""
    return content + b"\n"


def encode_frames(contents: Iterable[bytes]) -> bytes:
    """Returns the bytes of these contents as frames, each of which begins with its length. Raises LocalProtocolError
    for contents above FRAME_CEILING."""
    contents = [*contents]
    sizes = [*map(len, contents)]
    data = b"".join(chain.from_iterable(zip(map(_length, sizes), contents, strict=True)))
    if len(data) > FRAME_CEILING and max(sizes) > FRAME_CEILING:
        raise LocalProtocolError(f"a frame of {max(sizes)} bytes")
    return data


_length = struct.Struct(">I").pack
