"""The replay file of a finished match: the types of its lines, and the chain of hashes that shows changes to them. See
docs/protocol-replays.md."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Any, TypeAlias, Union, cast, get_args

import msgspec
from msgspec import Meta

from protocol.entries import (
    ActionRefused,
    ChatSent,
    LogEntry,
    MatchAborted,
    PauseWanted,
    PresenceChanged,
    Seat,
    Seconds,
    ServerStalled,
    UndoWanted,
    Why,
)
from protocol.errors import clip_text
from protocol.language import _
from protocol.messages import ClockRule, Map, SeatInfo, SeatResult

VERSION = 1
ORIGIN = "0" * 64  # the hash before the first line
_SEAL = re.compile(rb',"hash":"([0-9a-f]{64})"}')
_SEAL_BYTES = 75


class BadReplay(Exception):
    """The file is not a complete and valid replay. `line` counts from 1; `text` is printable and says what is wrong."""

    def __init__(self, line: int, text: str) -> None:
        self.line, self.text = line, clip_text(text)

    def __str__(self) -> str:
        return _("line {line}: {text}", line=self.line, text=self.text)


class ReplayEvent(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """An event and its receivers: everyone, `only` one seat, or everyone `but` one seat. Spectators receive it unless
    `only` is set."""

    event: Map
    only: int = 0
    but: int = 0


class ReplayStart(LogEntry, kw_only=True, tag="match", frozen=True):
    """The first line: the match's settings and players, and in `told` the events of the deal. If the match was played
    with a card file that replaces the game's own, `cards` is the digest of its cards and `source` its text. `magehall`
    is the build that played the match. `state` is the SHA-256, in hex digits, of the spectators' view as JSON, byte for
    byte as in a JSON line of the server: without spaces, and with its keys in the server's order."""

    replay: int
    table: str
    game: str
    rules_version: str
    options: Annotated[Map, Meta(description="the game's options that differ from their defaults")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(min_length=1, max_length=16)]
    clock: ClockRule
    grace: float
    nonces: tuple[str, ...]
    commitment: str
    cards: str = ""
    source: str = ""
    magehall: str = ""
    told: tuple[ReplayEvent, ...]
    state: str


class ReplayDecision(LogEntry, kw_only=True, tag="did", frozen=True):
    """A decision: the seat's turn, its action, and the events that followed in `told`. `why` is "" if the player chose
    the action, `time` or `illegal` if it is a default action, and `house` if a house bot chose it. `left` is how many
    seconds remained for the decision, `main` the seat's main time after it, in seconds."""

    at: Seconds
    seat: Seat
    turn: int
    action: Map
    why: Why = ""
    left: float
    main: float
    told: tuple[ReplayEvent, ...]
    state: str


class ReplayEnd(LogEntry, kw_only=True, tag="over", frozen=True):
    """The last line: the result as in the message `over`, and the secrets of the deal."""

    results: tuple[SeatResult, ...]
    reason: str
    text: str
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    salt: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    aborted: bool = False


Between: TypeAlias = (
    ReplayDecision
    | ActionRefused[Map]
    | PresenceChanged
    | ChatSent
    | ServerStalled
    | PauseWanted
    | UndoWanted
    | MatchAborted
)
LINES: tuple[Any, ...] = (ReplayStart, *get_args(Between), ReplayEnd)
_encode = msgspec.json.Encoder().encode
_DECODER: Any = msgspec.json.Decoder(Union[LINES])  # noqa: UP007 (the union is made from a tuple)


def view_digest(view: msgspec.Struct) -> str:
    """Returns the `state` of a position: the SHA-256 of the spectators' view as JSON, in hex digits."""
    return hashlib.sha256(_encode(view)).hexdigest()


class HashChain:
    """Adds hashes to the lines of a replay file (`seal`), or checks and removes them (`open`), one line after the
    other. The hash of a line covers the line and the hash of the previous line."""

    def __init__(self) -> None:
        self._hash = ORIGIN
        self._count = 0

    def add_hash(self, line: LogEntry) -> bytes:
        """Returns the line's bytes for the file, with its hash and line end."""
        body = _encode(line)[:-1]
        return body + b',"hash":"%b"}\n' % self._next(body).encode()

    def verify_line(self, raw: bytes) -> LogEntry:
        """Returns the decoded line. `raw` is a line of the file without its line end. Raises BadReplay if its hash or
        content is wrong."""
        body, seal = raw[:-_SEAL_BYTES], _SEAL.fullmatch(raw[-_SEAL_BYTES:])
        hashed = self._next(body).encode()
        if seal is None:
            raise BadReplay(self._count, _("It does not end with its hash."))
        if seal[1] != hashed:
            raise BadReplay(
                self._count, _("Its hash does not fit: this line was changed, or one before it is missing.")
            )
        try:
            line: LogEntry = _DECODER.decode(body + b"}")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadReplay(self._count, _("It is no line of a replay: {error}", error=error)) from None
        return line

    def _next(self, body: bytes) -> str:
        self._count += 1
        self._hash = hashlib.sha256(self._hash.encode() + body).hexdigest()
        return self._hash


def parse_replay_lines(data: bytes) -> tuple[ReplayStart, list[Between], ReplayEnd]:
    """Returns the first line, the lines between, and the last line of a file. It does not check the moves against the
    rules. Raises BadReplay."""
    *whole, rest = data.split(b"\n")
    chain, lines = HashChain(), list[LogEntry]()
    for number, raw in enumerate(whole, 1):
        one = chain.verify_line(raw)
        if number == 1 and not isinstance(one, ReplayStart):
            raise BadReplay(1, _("A replay begins with a line `match`."))
        if isinstance(one, ReplayStart) and (number > 1 or one.replay != VERSION):
            raise BadReplay(number, _("Replays of version {version} can be read here, one in a file.", version=VERSION))
        if isinstance(one, ReplayEnd) and number < len(whole):
            raise BadReplay(number, _("Lines follow the line `over`."))
        lines.append(one)
    if rest:
        raise BadReplay(len(whole) + 1, _("The file ends within a line."))
    begun, over = (lines[0], lines[-1]) if lines else (None, None)
    if not isinstance(begun, ReplayStart) or not isinstance(over, ReplayEnd):
        raise BadReplay(max(1, len(lines)), _("The line `over` is missing at the end."))
    return begun, cast(list[Between], lines[1:-1]), over
