"""The server's and the client's side of a connection, without a socket. Each turns received bytes into events, and
messages into the bytes to send."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal, TypeAlias, Union

import msgspec

from protocol import VERSION, limits
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.framing import FrameSplitter, LineSplitter, MessageSplitter, encode_frames, encode_line
from protocol.messages import REPLIES, TOLD, AreYouThere, Message, Request, TurnUpdate
from protocol.printable import escape_text
from protocol.requests import parse_request
from protocol.telnet import TelnetAnswer, TerminalParser, TypedLine, UnfinishedKeys
from protocol.values import decode_json, decode_msgpack, decode_simple_msgpack

Face: TypeAlias = Literal["", "text", "json", "msgpack"]

SERVER_MESSAGE_BYTES = 4 * 2**20  # the largest message that a client accepts; a frame can hold up to 2^24 - 1 bytes

BELL = "\a"  # rings the bell of a terminal
SPEAKS_TLS = "This port speaks TLS: magehall play --tls, or openssl s_client -quiet -connect HOST:PORT"

_GREETING = re.compile(r"magehall ([0-9]{1,9}) (\S+) challenge=([0-9a-f]+)(?:; *(.*))?\Z")


class NeedData(Enum):
    """The result of `next_event` when it needs more bytes."""

    DATA = "data"


class ConnectionClosed(Enum):
    """The result of `next_event` when the connection is closed or failed."""

    PEER = "peer"


NEED_DATA: Final = NeedData.DATA
PEER_CLOSED: Final = ConnectionClosed.PEER


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first line that a server sends."""

    server: str
    version: int
    challenge: str
    text: str = field(default="", compare=False)  # a sentence for people

    @property
    def is_rejection(self) -> bool:
        """Returns whether the server closes the connection after this line. `text` says why."""
        return self.challenge == "0"


class SharedMessages(list[Message]):
    """Messages that the server sends to several peers. They are encoded once per face (JSON or msgpack), and the bytes
    are reused."""

    def __init__(self, messages: Iterable[Message]) -> None:
        super().__init__(messages)
        self.encoded: dict[Face, bytes] = {}


class ServerConnection:
    """The server's side of one connection.

    `face` is "" until the first byte arrives. That byte sets it to "text", "json" or "msgpack" for the rest of the
    connection. After an error that closes the connection, `receive_data` drops further bytes and `next_event` returns
    PEER_CLOSED.
    """

    __slots__ = ("_cutter", "_ended", "_failed", "_typed", "face")

    def __init__(self) -> None:
        self.face: Face = ""
        self._cutter: MessageSplitter = LineSplitter(limits.LINE_BYTES)
        self._typed: TerminalParser | None = None  # None in the JSON and msgpack faces
        self._ended = False
        self._failed = False

    @staticmethod
    def greeting_line(server: str, challenge: str) -> bytes:
        """Returns the first line of a connection. `challenge` is in hex."""
        return f"magehall {VERSION} {server} challenge={challenge}; type help\r\n".encode("ascii")

    @staticmethod
    def farewell_line(server: str, text: str) -> bytes:
        """Returns the only line for a peer that the server does not accept. Its challenge is 0."""
        return f"magehall {VERSION} {server} challenge=0; {text}\r\n".encode("ascii")

    def receive_data(self, data: bytes) -> None:
        """Adds received bytes to the buffer. b"" means that the peer closed its side."""
        if not data:
            self._ended = True
            return
        if self._ended:
            raise LocalProtocolError("data after the end")
        if self._failed:
            return
        if not self.face:
            self._choose_face(data[0])
        if self._typed is not None:
            self._typed.add_data(data)
        else:
            self._cutter.add_data(data)

    def next_event(self) -> Request | TypedLine | TelnetAnswer | UnfinishedKeys | NeedData | ConnectionClosed:
        """Returns the next event. Raises RemoteProtocolError for invalid input; it can be called again afterwards."""
        if self._failed:
            return PEER_CLOSED
        try:
            if self._typed is not None:
                typed = self._typed.next_event()
                if typed is not None:
                    return typed
            else:
                content = self._cutter.next_message()
                if content is not None:
                    return self._request(content)
            if not self._ended:
                return NEED_DATA
            if (self._typed or self._cutter).has_partial:
                raise RemoteProtocolError("truncated")
            return PEER_CLOSED
        except RemoteProtocolError as error:
            self._failed = error.code.closes
            raise

    def _request(self, content: bytes) -> Request:
        if self.face == "json":
            return parse_request(decode_json(content))
        plain = decode_simple_msgpack(content)
        if plain is not None:
            return parse_request(plain, is_checked=True)
        return parse_request(decode_msgpack(content))

    @property
    def is_input_empty(self) -> bool:
        """Returns whether every received message is read, so that `next_event` returns NEED_DATA until more bytes
        arrive. It is always False in the text face, where only `next_event` can tell."""
        return self.face != "text" and not self._ended and not self._failed and not self._cutter.has_partial

    def send(self, message: Message) -> bytes:
        """Returns the bytes of a message in the JSON or msgpack face. Raises LocalProtocolError in every other face."""
        if self.face == "msgpack":
            return encode_frames((_encode_msgpack(message),))
        if self.face == "json":
            return encode_line(_encode_json(message))
        raise LocalProtocolError(f"a message to the {self.face or 'unknown'} face")

    def send_all(self, messages: Iterable[Message]) -> bytes:
        """Returns the bytes of several messages in the JSON or msgpack face. Raises LocalProtocolError in every other
        face."""
        if type(messages) is SharedMessages:
            if self.face not in messages.encoded:
                messages.encoded[self.face] = self.send_all(iter(messages))
            return messages.encoded[self.face]
        if self.face == "msgpack":
            return encode_frames(map(_encode_msgpack, messages))
        if self.face == "json":
            return _encode_lines([*messages])  # a list, because msgspec 0.22 leaks other iterators
        raise LocalProtocolError(f"a message to the {self.face or 'unknown'} face")

    def send_text(self, text: str) -> bytes:
        """Returns the bytes of a text, with unprintable characters escaped. It works in the text face and before the
        face is known, and raises LocalProtocolError in the other faces. A bell at the very beginning is kept."""
        if self.face in ("json", "msgpack"):
            raise LocalProtocolError(f"text to the {self.face} face")
        bell, text = text.startswith(BELL) * BELL, text.removeprefix(BELL)
        whole = text.replace("\n", "")
        if escape_text(whole) != whole:
            text = "\n".join([escape_text(part) for part in text.split("\n")])
        text = bell + text.replace("\n", "\r\n")
        return text.encode("utf-8")  # UTF-8 has no byte 255 (IAC) that telnet would need doubled

    @property
    def terminal_columns(self) -> int:
        """Returns the width of the terminal in columns, as telnet reported it last, or 0 if it is unknown."""
        return self._typed.columns if self._typed is not None else 0

    @property
    def can_answer_ping(self) -> bool:
        """Returns whether the peer answers `encode_are_you_there`. Every program does. The server does not ask
        terminals, because no request exists that every terminal answers."""
        return self.face in ("json", "msgpack")

    def encode_are_you_there(self, seconds: float) -> bytes:
        """Returns the bytes of a message that asks a program to send any request within `seconds`."""
        return self.send(AreYouThere(seconds=seconds))

    def _choose_face(self, first: int) -> None:
        if first == 0x7B:
            self.face = "json"
        elif first == 0x00:
            self.face = "msgpack"
            self._cutter = FrameSplitter(limits.FRAME_BYTES)
        else:
            self.face = "text"
            self._typed = TerminalParser()


class UndecodedTurn(TurnUpdate, kw_only=True, tag="turn"):
    """A turn whose view, legal actions and knowledge are still msgpack, or b"" if absent. A receiver that knows the
    game decodes them straight to the game's types."""

    view: msgspec.Raw = msgspec.Raw()
    legal: msgspec.Raw = msgspec.Raw()
    knowledge: msgspec.Raw = msgspec.Raw()


class ClientConnection:
    """The client's side of one connection, in the JSON or msgpack face. It ignores unknown fields and messages of a
    newer server. With `unread_turns` in the msgpack face, turns arrive as UnreadTurn."""

    def __init__(self, face: Literal["json", "msgpack"], *, unread_turns: bool = False) -> None:
        self.face = face
        self._decode = _FROM_JSON if face == "json" else _FROM_MSGPACK_BUT_TURNS if unread_turns else _FROM_MSGPACK
        self._greeted = False
        self._ended = False
        self._failed = False
        self._cutter: MessageSplitter = LineSplitter(SERVER_MESSAGE_BYTES)

    def receive_data(self, data: bytes) -> None:
        """Adds received bytes to the buffer. b"" means that the server closed its side."""
        if not data:
            self._ended = True
        elif self._ended:
            raise LocalProtocolError("data after the end")
        elif not self._failed:
            self._cutter.add_data(data)

    def next_event(self) -> Greeting | Message | NeedData | ConnectionClosed:
        """Returns the next event. Raises RemoteProtocolError if the server violates the protocol."""
        if self._failed:
            return PEER_CLOSED
        try:
            while (content := self._cutter.next_message()) is not None:
                event = self._read(content) if self._greeted else self._greet(content)
                if event is not None:
                    return event
            if not self._ended:
                return NEED_DATA
            if self._cutter.has_partial:
                raise RemoteProtocolError("truncated")
            return PEER_CLOSED
        except RemoteProtocolError as error:
            self._failed = error.code.closes
            raise

    def send(self, request: Request) -> bytes:
        """Returns the bytes of a request. Raises LocalProtocolError if it exceeds the server's size limit."""
        if self.face == "msgpack":
            content, limit = _encode_msgpack(request), limits.FRAME_BYTES
        else:
            content, limit = _encode_json(request), limits.LINE_BYTES
        if len(content) > limit:
            raise LocalProtocolError(f"a request of {len(content)} bytes")
        return encode_frames((content,)) if self.face == "msgpack" else encode_line(content)

    def _greet(self, content: bytes) -> Greeting:
        found = _GREETING.match(content.decode("utf-8", "replace"))
        if found is None:
            raise RemoteProtocolError("wrong_protocol", "The server does not greet as magehall does.")
        if self.face == "msgpack":
            rest, self._cutter = self._cutter, FrameSplitter(SERVER_MESSAGE_BYTES)
            self._cutter.add_data(rest.take_buffer())
        self._greeted = True
        return Greeting(server=found[2], version=int(found[1]), challenge=found[3], text=found[4] or "")

    def _read(self, content: bytes) -> Message | None:
        """Returns the message, or None if its type is unknown."""
        binary = self.face == "msgpack"
        try:
            try:
                message: Message = self._decode(content)
                return message
            except msgspec.ValidationError as error:
                kind = (_PLAIN_MSGPACK if binary else _PLAIN_JSON).decode(content).get("type")
                if type(kind) is str and kind not in _KNOWN:
                    return None
                raise RemoteProtocolError("bad_field", str(error)) from None
        except msgspec.ValidationError:
            raise RemoteProtocolError("not_a_map") from None
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise RemoteProtocolError("bad_msgpack" if binary else "bad_json") from None
        except RecursionError:
            raise RemoteProtocolError("too_deep") from None


_encode_json = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines
_encode_msgpack = msgspec.msgpack.Encoder().encode
_Told: Any = Union[(*REPLIES, *TOLD)]
_ToldButTurns: Any = Union[(*({*REPLIES, *TOLD} - {TurnUpdate}), UndecodedTurn)]
_KNOWN = frozenset(str(kind.__struct_config__.tag) for kind in (*REPLIES, *TOLD))
_FROM_JSON = msgspec.json.Decoder(_Told).decode
_FROM_MSGPACK = msgspec.msgpack.Decoder(_Told).decode
_FROM_MSGPACK_BUT_TURNS = msgspec.msgpack.Decoder(_ToldButTurns).decode
_PLAIN_JSON = msgspec.json.Decoder(dict[str, Any])
_PLAIN_MSGPACK = msgspec.msgpack.Decoder(dict[str, Any])
