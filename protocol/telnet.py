"""The input of a terminal in the text face: typed lines with backspaces, all kinds of line ends, telnet negotiation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from protocol import limits
from protocol.errors import RemoteProtocolError

IAC, DONT, DO, WONT, WILL, SUB = 255, 254, 253, 252, 251, 250
ERASE_LINE, ERASE_CHARACTER, ARE_YOU_THERE, INTERRUPT, BREAK, SUB_END = 248, 247, 246, 244, 243, 240
TIMING_MARK = 6  # RFC 860; after Ctrl-C a telnet client shows no output until the server answers this
WINDOW_SIZE = 31  # RFC 1073, NAWS
HERE = b"\r\n[magehall: yes, still here]\r\n"  # the answer to telnet's "are you there"

# After this number of keys and telnet commands without a whole line, other connections get their turn.
KEYS_AT_ONCE = 128

_REFUSAL = {WILL: DONT, DO: WONT}
_SPECIAL = re.compile(rb"[\x00-\x1f\x7f\xff]")
_TLS = b"\x16\x03"  # the first bytes of a TLS client
_HTTP = re.compile(r"[A-Z]+ \S+ HTTP/[0-9.]+\Z")


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line that a person typed, without its line end."""

    text: str


@dataclass(frozen=True, slots=True)
class TelnetAnswer:
    """Telnet bytes that the caller sends back unchanged."""

    data: bytes


class UnfinishedKeys:
    """KEYS_AT_ONCE keys or telnet commands arrived without a whole line. The buffer may hold more."""


class _Mode(Enum):
    DATA = auto()
    COMMAND = auto()  # after IAC
    OPTION = auto()  # after IAC and WILL, WONT, DO or DONT
    SUB = auto()  # between IAC SB and IAC SE
    SUB_COMMAND = auto()  # after an IAC in a sub-negotiation


class TerminalParser:
    """Parses the bytes of a terminal into lines. It consumes each byte once and holds only the unfinished line."""

    def __init__(self) -> None:
        self._input = bytearray()
        self._line = bytearray()
        self._unclean = False  # whether the unfinished line contains a control character
        self._after_cr = False  # whether the last byte was a CR, so that an LF or NUL now belongs to the same line end
        self._mode = _Mode.DATA
        self._verb = 0
        self._sub = bytearray()  # the bytes of the unfinished sub-negotiation
        self._keys = 0  # the number of keys since the last event
        self._answered: set[tuple[int, int]] = set()
        self._first_line = True
        self._first_bytes = b""
        self.columns = 0  # the width of the window as telnet reported it last; 0: unknown

    def add_data(self, data: bytes) -> None:
        """Adds received bytes to the buffer."""
        if len(self._first_bytes) < 2:
            self._first_bytes += data[: 2 - len(self._first_bytes)]
        self._input += data

    @property
    def has_partial(self) -> bool:
        """Returns whether the buffer holds an unfinished line."""
        return bool(self._line) or self._unclean

    def next_event(self) -> TypedLine | TelnetAnswer | UnfinishedKeys | None:
        """Returns the next typed line, telnet answer or TypedKeys; None if more bytes are needed. Raises
        RemoteProtocolError for a bad line, which it drops."""
        if self._first_bytes == _TLS:
            raise RemoteProtocolError("wrong_protocol")
        at = 0
        try:
            while at < len(self._input):
                if self._keys == KEYS_AT_ONCE:
                    self._keys = 0
                    return UnfinishedKeys()
                if self._mode is _Mode.DATA:
                    special = _SPECIAL.search(self._input, at)
                    end = special.start() if special else len(self._input)
                    if end > at:
                        self._plain(self._input[at:end])
                        at = end
                        continue
                byte = self._input[at]
                at += 1
                self._keys += 1
                event = self._data(byte) if self._mode is _Mode.DATA else self._telnet(byte)
                if event is not None:
                    self._keys = 0
                    return event
            return None
        finally:
            del self._input[:at]

    def _plain(self, data: bytes | bytearray) -> None:
        self._after_cr = False
        self._line += data
        if len(self._line) > limits.LINE_BYTES:
            raise RemoteProtocolError("line_too_long")

    def _data(self, byte: int) -> TypedLine | None:
        after_cr, self._after_cr = self._after_cr, False
        match byte:
            case 0x0D:
                self._after_cr = True
                return self._end_line()
            case 0x0A | 0x00 if after_cr:
                return None
            case 0x0A:
                return self._end_line()
            case 0xFF:
                self._after_cr = after_cr
                self._mode = _Mode.COMMAND
            case 0x08 | 0x7F:
                self._erase_character()
            case 0x03:
                self._erase_line()
            case _:
                self._unclean = True
                self._plain(bytes((byte,)))
        return None

    def _telnet(self, byte: int) -> TelnetAnswer | None:
        mode, self._mode = self._mode, _Mode.DATA
        match mode:
            case _Mode.COMMAND:
                return self._command(byte)
            case _Mode.OPTION:
                return self._option(self._verb, byte)
            case _Mode.SUB if byte == IAC:
                self._mode = _Mode.SUB_COMMAND
            case _Mode.SUB_COMMAND if byte == SUB_END:
                if len(self._sub) == 5 and self._sub[0] == WINDOW_SIZE:
                    self.columns = int.from_bytes(self._sub[1:3], "big")
            case _:
                self._mode = _Mode.SUB
                self._sub.append(byte)
                if len(self._sub) > limits.TELNET_BYTES:
                    raise RemoteProtocolError("telnet_abuse")
        return None

    def _command(self, byte: int) -> TelnetAnswer | None:
        if byte in (WILL, WONT, DO, DONT):
            self._verb, self._mode = byte, _Mode.OPTION
        elif byte == SUB:
            self._sub, self._mode = bytearray(), _Mode.SUB
        elif byte == IAC:  # a data byte 255, which is never part of UTF-8
            self._plain(b"\xff")
        elif byte in (INTERRUPT, BREAK, ERASE_LINE):
            self._erase_line()
        elif byte == ERASE_CHARACTER:
            self._erase_character()
        elif byte == ARE_YOU_THERE:
            return TelnetAnswer(HERE)
        return None

    def _option(self, verb: int, option: int) -> TelnetAnswer | None:
        """Returns the answer to an option that the terminal offers or asks for; None if it was already answered. Every
        option but the window size is refused."""
        if verb not in _REFUSAL:
            return None
        if option != TIMING_MARK:
            if (verb, option) in self._answered:
                return None
            self._answered.add((verb, option))
        answer = DO if (verb, option) == (WILL, WINDOW_SIZE) else _REFUSAL[verb]
        return TelnetAnswer(bytes((IAC, answer, option)))

    def _erase_character(self) -> None:
        while self._line and self._line[-1] & 0xC0 == 0x80:  # the continuation bytes of a UTF-8 character
            self._line.pop()
        if self._line:
            self._line.pop()

    def _erase_line(self) -> None:
        self._line.clear()
        self._unclean = False

    def _end_line(self) -> TypedLine:
        data, unclean = bytes(self._line), self._unclean
        first, self._first_line = self._first_line, False
        self._erase_line()
        if unclean:
            raise RemoteProtocolError("bad_char")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise RemoteProtocolError("bad_utf8") from None
        if first and _HTTP.match(text):
            raise RemoteProtocolError("wrong_protocol")
        return TypedLine(text)
