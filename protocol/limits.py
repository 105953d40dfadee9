"""Every limit with its name, reason, default and bounds. `welcome` tells clients the limits of their server.

Each constant is the default of a limit. Its annotation holds the reason, the bounds, and whether the limit is fixed,
read only at the start, or counted for each address. `all_limits` collects this for all limits.
"""

import sys
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, get_args, get_type_hints


class LimitKind(Enum):
    """Marks a limit that a running server cannot change, or that it counts for each address."""

    FIXED = "the same on every server: it belongs to the protocol, or follows from other limits"
    AT_START = "read when the server starts"
    PER_ADDRESS = "counted for each address, and larger in trusted networks"


FIXED, AT_START, PER_ADDRESS = LimitKind


@dataclass(frozen=True)
class LimitBounds:
    """The smallest and the largest value that a server accepts for a limit."""

    least: float
    most: float


YEAR = LimitBounds(0.1, 31_536_000)  # seconds
GIBIBYTE = LimitBounds(1_024, 2**30)  # bytes
COUNT = LimitBounds(1, 1_000_000)


@dataclass(frozen=True)
class Limit:
    """The description of one limit. `kind` is None if the limit can change while the server runs and is not counted for
    each address."""

    name: str
    default: float
    type: type[int] | type[float]
    reason: str
    bounds: LimitBounds
    kind: LimitKind | None = None

    @property
    def unit(self) -> str:
        """Returns the unit that the name contains: "bytes", "characters" or "seconds"; "" for any other."""
        return next((word for word in ("bytes", "characters", "seconds") if word in self.name.split("_")), "")


LINE_BYTES: Annotated[int, "a terminal cuts a typed line at 4,095", FIXED] = 4_096
FRAME_BYTES: Annotated[int, "no request needs a tenth of it", FIXED] = 16_384
DEPTH: Annotated[int, "nested maps and lists in a request", FIXED] = 8
STRING_BYTES: Annotated[int, "of a text or a key in a request, in UTF-8", FIXED] = 1_024
LIST_ITEMS: Annotated[int, "of one list in a request", FIXED] = 64
MAP_ITEMS: Annotated[int, "of one map in a request", FIXED] = 32
VALUES: Annotated[int, "in all maps and lists of a request together; no action has a tenth of it", FIXED] = 1_024
TELNET_BYTES: Annotated[int, "one telnet sub-negotiation; longer ones are no terminal's", FIXED] = 64
REQUEST_ID: Annotated[int, "the largest integer that every language holds exactly", FIXED] = 2**53 - 1
INTEGER: Annotated[int, "of a number in a request, on either side of 0", FIXED] = 2**53 - 1
CHAT_CHARACTERS: Annotated[int, "of one message", LimitBounds(1, 300)] = 300
NAME_CHARACTERS_LEAST: Annotated[int, "a letter alone is no name", FIXED] = 2
NAME_CHARACTERS: Annotated[int, "so that a line of a table holds all seats", FIXED] = 16
PASSWORD_CHARACTERS_LEAST: Annotated[int, "of the password of a name", LimitBounds(1, 64)] = 8
PASSWORD_CHARACTERS: Annotated[int, "enough for a pass phrase", FIXED] = 64
NONCE_CHARACTERS: Annotated[int, "enough for 256 bits in hex", FIXED] = 64

REQUESTS_BEFORE_HELLO: Annotated[int, "requests without a name; then the connection is closed"] = 16
NOTHING_ASKED: Annotated[
    int, "times within a second of each other: empty lines, or 128 keys without one; then `too_many_errors`"
] = 256
PROTOCOL_ERRORS: Annotated[int, "a connection: after that many it is closed"] = 10
BAD_PROOFS: Annotated[int, "a connection: guesses at a token"] = 3
REPLIES_KEPT: Annotated[
    int, "a player: answers that can be asked for again by request id", AT_START, LimitBounds(1, 1_000)
] = 32
LOGIN_SECONDS: Annotated[float, "for a person to type a name"] = 60.0
SILENT_SECONDS: Annotated[float, "the silence after which the server asks a program for a sign of life"] = 240.0
SIGN_SECONDS: Annotated[float, "the time that the program then has to answer"] = 60.0
REQUESTS_A_SECOND: Annotated[
    float,
    "of a name, on all its connections; accepted actions are free; beyond that, reading waits",
    LimitBounds(0.1, 1_000_000),
] = 50.0
REQUESTS_AT_ONCE: Annotated[int, "the burst before that"] = 100
REQUESTS_AN_ADDRESS: Annotated[
    int, "times as much for all names without a seat there (IPv6: one /64), and for all strangers", PER_ADDRESS
] = 20
AT_ONCE_AN_ADDRESS: Annotated[int, "times the burst of a name, for the same", PER_ADDRESS] = 5
REQUESTS_A_CONNECTION: Annotated[int, "the cost of a connection without a name, charged to its address"] = 5
STRANGERS_IN_ALL: Annotated[
    int, "times the allowance of one address, for connections without a name from all addresses"
] = 2
STRANGERS_AN_ADDRESS: Annotated[
    int, "connections without a name; for one more the server closes the oldest", PER_ADDRESS
] = 512
BYTES_A_REQUEST: Annotated[int, "bytes read that cost as much as one request", LimitBounds(1, 1_000_000)] = 256
HEARERS_A_REQUEST: Annotated[int, "recipients of talk that cost as much as one request"] = 10
LINES_A_REQUEST: Annotated[int, "newly computed lines of a replay that cost as much as one request"] = 20
SESSIONS: Annotated[int, "connected names, from all addresses"] = 10_000
TABLES: Annotated[int, "tables of players on a server, and as many again of cups"] = 2_000
PLAYERS: Annotated[int, "names that a server knows, connected or not"] = 20_000
SESSIONS_AN_ADDRESS: Annotated[
    int, "connected names: enough for a school behind one router; the owner of a seat can always come back", PER_ADDRESS
] = 512
NAMES_AN_ADDRESS: Annotated[
    int,
    "names taken there that never played: for one more the server forgets the oldest that is away; if all "
    "are connected: `server_full`",
    PER_ADDRESS,
] = 256
NAMES_A_DAY: Annotated[
    int, "new names a day that have played; they stay, so further ones have to wait: `server_full`", PER_ADDRESS
] = 1_024
NAME_SECONDS: Annotated[float, "the absence after which a name that never played is forgotten"] = 86_400.0
TABLES_AN_ADDRESS: Annotated[int, "open or running, of all owners there", PER_ADDRESS] = 128
TABLES_A_NAME: Annotated[
    int,
    "tables that each name may own while the server is less than half full, even if its address has reached its limit",
] = 3
FINISHED_A_PLAYER: Annotated[int, "tables of one owner that can still be asked for their result"] = 16
OPEN_SEAT_SECONDS: Annotated[int, "for which an open table holds the seat of a disconnected player"] = 30
UNSTARTED_SECONDS: Annotated[int, "after which a full server may close an open table without activity"] = 120
IDLE_SECONDS: Annotated[float, "after which an open table without activity is closed"] = 1_800.0
KEEP_SECONDS: Annotated[float, "for which a finished table can still be asked for its result"] = 600.0
LONGEST_DELAY: Annotated[int, "a day, the longest delay of open hands", LimitBounds(30, 86_400)] = 86_400
LEAST_DELAY: Annotated[
    int,
    "the shortest delay of open hands, in seconds: without one a player could look as a spectator",
    LimitBounds(30, 86_400),
] = 30
OPEN_HANDS_DECISIONS: Annotated[
    int,
    "decisions that each player must have made since, before spectators see a position with all hands; a round of the"
    " arena has fewer",
    FIXED,
] = 12
PROGRAMS_LISTED: Annotated[
    int, "programs in the answer to `bots`, after the house bots; unlisted ones can still be added by name"
] = 100
TABLES_A_PLAYER: Annotated[
    int, "tables where one player plays at once; seats given up do not count", LimitBounds(1, 64)
] = 64
SPECTATORS_A_TABLE: Annotated[
    int, "enough for a hall full of guests; sending one decision to all takes 3 ms, 16 at a time"
] = 256
THINKERS: Annotated[int, "thinking house bots at all tables: each has a process of its own", LimitBounds(0, 1_000)] = 4
CUPS_A_PLAYER: Annotated[int, "cups of one owner, open or running"] = 4
CUPS_AN_ADDRESS: Annotated[
    int, "cups of all owners there, open or running; each name may have one in any case", PER_ADDRESS
] = 16
CUPS: Annotated[
    int, "cups on a server: for one more the server removes the oldest that is over, or open with an absent owner"
] = 100
CUP_ROUNDS: Annotated[int, "of one cup", LimitBounds(1, 1_000)] = 1_000
ENTRANTS_A_CUP: Annotated[int, "entrants of one cup; each takes a line in every view of it", LimitBounds(2, 1_000)] = (
    128
)
MATCHES_A_CUP: Annotated[int, "matches of one cup in total; all are announced and kept", LimitBounds(1, 100_000)] = (
    20_000
)
TABLES_A_CUP: Annotated[int, "tables at once, shared by all cups of owners at one address"] = 128
TABLES_A_CUP_LEAST: Annotated[int, "tables at once for each cup, even if many cups share"] = 16
ENTRIES_AN_ADDRESS: Annotated[
    int,
    "entries of a cup from one address: all are kept; as many again by names that enter it for the first time",
    PER_ADDRESS,
] = 1_024
GIVEN_UP_SECONDS: Annotated[int, "for which a cup is paused and its owner away, before a full server removes it"] = (
    86_400
)
CHANGES_AN_ENTRANT: Annotated[
    int, "times an entrant may enter again or be replaced, and a cup start and pause: all are kept"
] = 64
OUT_A_TABLE: Annotated[
    int, "removed players that a table remembers, and as many muted ones; it forgets the oldest first"
] = 256
TALK_AT_ONCE: Annotated[int, "lines that one player may send in a row; then `talk_too_fast`"] = 5
TALK_SECONDS: Annotated[float, "for each line after that"] = 2.0
TALK_AN_ADDRESS: Annotated[
    int, "times as much for all players of one address; talk of players at their own table does not count", PER_ADDRESS
] = 10
REFUSED_TALK: Annotated[
    float, "the cost of a line of talk that was refused as too fast, in requests", LimitBounds(0.01, 1_000)
] = 0.25
IGNORED_A_PLAYER: Annotated[int, "players on one ignore list; it forgets the oldest first"] = 64
CHATS_A_MATCH: Annotated[
    int, "messages by each seat, and by all spectators together: they are kept and sent again with the match"
] = 300
RECEIVE_BYTES: Annotated[int, "of received bytes that the kernel buffers before the server reads them", AT_START] = (
    65_536
)
OUTBOX_BYTES: Annotated[
    int, "unsent bytes of one session before it is cut as a slow reader", LimitBounds(65_536, 2**30)
] = 262_144
BEHIND_BYTES: Annotated[
    int,
    "unsent bytes of one session for `outbox_seconds`, though some are taken now and then",
    LimitBounds(16_384, 2**30),
] = 65_536
HERE_BYTES: Annotated[int, "memory that a connected name may use, unsent bytes included", FIXED] = 524_288
AWAY_BYTES: Annotated[int, "memory that an absent name may use: answers that its client may ask for again", FIXED] = (
    65_536
)
OUTBOX_SECONDS: Annotated[float, "after which a session whose outbox makes no progress is closed"] = 10.0
ILLEGAL_A_DECISION: Annotated[int, "then the default action is done"] = 3
ILLEGAL_A_MATCH: Annotated[int, "then the seat is taken over"] = 20
ILLEGAL_A_DECISION_PERSON: Annotated[
    int,
    "for clients that did not say `bot`: people make mistakes while their clock runs, and a program may "
    "pose as a person",
] = 50
ILLEGAL_A_MATCH_PERSON: Annotated[int, "for the same; then the seat is taken over"] = 150
LATE_A_MATCH: Annotated[int, "the third time the seat is taken over"] = 3
PAUSE_A_MATCH: Annotated[float, "seconds that all pauses of a match take at most"] = 3_600.0
PAUSE_IN_CUPS: Annotated[float, "the same for a match of a cup, for which others wait"] = 120.0
UNDO_SECONDS: Annotated[float, "for which house bots wait until all people agree to take a decision back"] = 30.0
TRUSTED_TIMES: Annotated[int, "of all that is counted for each address, an address in a trusted network may have"] = 8


@cache
def all_limits() -> dict[str, Limit]:
    """Returns every limit by its name in lower case, in the order of this file."""
    module = sys.modules[__name__]
    found = {}
    for name, hint in get_type_hints(module, include_extras=True).items():
        kind, reason, *more = get_args(hint)
        found[name.lower()] = _limit(name.lower(), getattr(module, name), kind, reason, more)
    return found


def _limit(name: str, default: float, kind: Any, reason: str, more: list[Any]) -> Limit:
    words = name.split("_")
    usual = YEAR if "seconds" in words else GIBIBYTE if "bytes" in words else COUNT
    bounds = next((one for one in more if isinstance(one, LimitBounds)), usual)
    return Limit(name, default, kind, reason, bounds, next((one for one in more if isinstance(one, LimitKind)), None))
