"""The server's side of the protocol with a browser page: each message of the WebSocket is a typed line or a request in
JSON."""

from __future__ import annotations

import re

import msgspec

from protocol import VERSION, limits
from protocol.connection import NEED_DATA, PEER_CLOSED, ConnectionClosed, NeedData, ServerConnection
from protocol.errors import RemoteProtocolError
from protocol.framing import LineSplitter
from protocol.messages import Request
from protocol.requests import parse_request
from protocol.telnet import TelnetAnswer, TypedLine, UnfinishedKeys
from protocol.values import decode_json

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


class PageConnection(ServerConnection):
    """The protocol's state machine for a page. A line from the page that begins with `{` is a request in JSON; every
    other line was typed or tapped. The server sends JSON objects, one per line.

    The first line from the page has the width of its board in characters: `{"columns":48}`. The page may send another
    one later.
    """

    __slots__ = ("_columns",)

    def __init__(self) -> None:
        super().__init__()
        self.face = "text"
        self._cutter = LineSplitter(limits.LINE_BYTES)
        self._columns = 0

    @staticmethod
    def greeting_line(server: str, challenge: str) -> bytes:
        greeting = {"version": VERSION, "server": server, "challenge": challenge}
        return msgspec.json.encode({"greeting": greeting}) + b"\n"

    def receive_data(self, data: bytes) -> None:
        if not data:
            self._ended = True
        elif not self._failed:
            self._cutter.add_data(data)

    def next_event(self) -> Request | TypedLine | TelnetAnswer | UnfinishedKeys | NeedData | ConnectionClosed:
        if self._failed:
            return PEER_CLOSED
        try:
            while (content := self._cutter.next_message()) is not None:
                if not content.startswith(b"{"):
                    return TypedLine(_text(content))
                if (columns := _columns(content)) is None:
                    return parse_request(decode_json(content))
                self._columns = columns
            return PEER_CLOSED if self._ended else NEED_DATA
        except RemoteProtocolError as error:
            self._failed = error.code.closes
            raise

    def send_text(self, text: str) -> bytes:
        """Encodes text that PageFace has made, which consists of whole frames."""
        return text.encode("utf-8")

    @property
    def terminal_columns(self) -> int:
        return self._columns


class _Columns(msgspec.Struct, forbid_unknown_fields=True):
    columns: int


def _columns(content: bytes) -> int | None:
    """Returns the width that the line contains, in characters; None if the line is a request."""
    try:
        return msgspec.json.decode(content, type=_Columns).columns
    except msgspec.MsgspecError:
        return None


def _text(content: bytes) -> str:
    if _CONTROL.search(content):
        raise RemoteProtocolError("bad_char")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise RemoteProtocolError("bad_utf8") from None
