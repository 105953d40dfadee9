"""The base types of messages, bounded field types, and the maps that several messages carry."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from protocol import limits

Id: TypeAlias = Annotated[int, Meta(ge=1, le=limits.REQUEST_ID)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
TableId: TypeAlias = Annotated[str, Meta(max_length=32)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=limits.INTEGER)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=16)]
Delay: TypeAlias = Annotated[int, Meta(ge=0, le=limits.LONGEST_DELAY)]
Map: TypeAlias = dict[str, Any]
Recipients: TypeAlias = tuple[str, str, str, str]
"""Says for four groups whether they get a message: the seat that it is about, the other seats, spectators, all other
players."""

# Types of fields whose Python type says too little. `extra` has the type in words, for PROTOCOL-REFERENCE.md.
_MAP: dict[str, Any] = {"type": "object"}
_TURN: dict[str, Any] = {"$ref": "#/$defs/turn"}
AnyMap: TypeAlias = Annotated[Any, Meta(extra={"type": "map"}, extra_json_schema=_MAP)]
AnyMapOrNull: TypeAlias = Annotated[
    Any, Meta(extra={"type": "map or null"}, extra_json_schema={"type": ["object", "null"]})
]
_MAPS = Meta(extra={"type": "list of maps"}, extra_json_schema={"type": "array", "items": _MAP})
AnyMaps: TypeAlias = Annotated[Any, _MAPS]
AnyViews: TypeAlias = Annotated[tuple[Any, ...], _MAPS]
AnyCards: TypeAlias = Annotated[
    tuple[Any, ...], Meta(extra={"type": "list of Card"}, extra_json_schema={"type": "array", "items": _MAP})
]
AnyMessages: TypeAlias = Annotated[
    tuple[Any, ...],
    Meta(
        extra={"type": "list of messages"},
        extra_json_schema={"type": "array", "items": {"$ref": "#/$defs/told"}},
    ),
]
AnyTurn: TypeAlias = Annotated[Any, Meta(extra={"type": "message"}, extra_json_schema=_TURN)]
AnyTurnOrNull: TypeAlias = Annotated[
    Any, Meta(extra={"type": "message or null"}, extra_json_schema={"anyOf": [_TURN, {"type": "null"}]})
]
Want: TypeAlias = Literal["view", "legal", "knowledge"]
Wants: TypeAlias = tuple[Want, ...]

Hears: TypeAlias = Literal["live", "with_turn", "all_with_turn", "turns"]

WANTS: Wants = ("view", "legal")
LIVE: Hears = "live"
WITH_TURN: Hears = "with_turn"
ALL_WITH_TURN: Hears = "all_with_turn"
TURNS: Hears = "turns"


class Request(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """A request of a client. The client chooses the number `id`, which must grow with each request."""

    id: Id


class Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """A message of the server. It may leave out fields that have their default value. Clients ignore unknown fields."""

    # empty for replies, which go to the client that sent the request
    recipients: ClassVar[Recipients] = ("", "", "", "")


class Reply(Message, kw_only=True):
    """The answer to the request with that id; 0 answers input that had no readable id."""

    re: Count = 0


class ClockRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The seconds of main time that a seat has for the match, and the seconds added for each decision."""

    main: Annotated[float, Meta(ge=0, le=86_400, description="seconds of main time for the match")] = 300.0
    increment: Annotated[
        float, Meta(ge=0.05, le=3_600, description="seconds added for each decision; the unused rest is lost")
    ] = 30.0


class SeatInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat, as every player may see it. `kind`: person, bot (a program on the wire), house (the server's bot), empty.
    `by` names the house bot that has replaced the player for good."""

    seat: int
    name: Annotated[str, Meta(description="the name of the player or house bot; empty: the seat is empty")] = ""
    kind: Annotated[str, Meta(description="`person`, `bot` (a program), `house` (the server's own bot) or `empty`")] = (
        "empty"
    )
    here: Annotated[
        bool, Meta(description="whether the seat's player is connected; always true for house bots and empty seats")
    ] = True
    clock: Annotated[
        ClockRule | None, Meta(description="the seat's own clock, which replaces the table's; null: it has none")
    ] = None
    by: Annotated[str, Meta(description="the house bot that has replaced the player for good; empty: none")] = ""


class TableInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A table, as every player may see it. `state`: open, playing or over."""

    table: str
    game: str
    state: Annotated[str, Meta(description="`open`, `playing` or `over`")]
    owner: Annotated[str, Meta(description="the player who may add bots and start")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="the seats, first seat first")]
    clock: ClockRule
    options: Annotated[Map, Meta(description="the game's options that differ from their defaults")]
    commitment: str
    spectators: Annotated[int, Meta(description="how many spectators there are")] = 0
    cards: str = ""
    delay: Annotated[int, Meta(description="spectators may see all hands after this many seconds; 0: never")] = 0


class PlayerInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A player who is connected, or who is absent (not `here`) while a seat is held. The player has seats at the tables
    `tables`, is a spectator at the tables `watches`, and was replaced by a house bot at the tables `lost`. Tables that
    are over are left out."""

    name: Annotated[str, Meta(description="the name of a player or house bot")]
    kind: Annotated[str, Meta(description="`person`, `bot` (a program) or `house` (the server's own bot)")]
    tables: Annotated[tuple[str, ...], Meta(description="ids of the tables where the player has a seat")] = ()
    watches: Annotated[tuple[str, ...], Meta(description="ids of the tables where the player is a spectator")] = ()
    lost: Annotated[
        tuple[str, ...], Meta(description="ids of the tables where a house bot plays on in the player's place")
    ] = ()
    here: Annotated[bool, Meta(description="whether the player is connected; else a seat is held")] = True


class GameInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A game that this server plays. `options` maps each option to its default value."""

    game: str
    title: Annotated[str, Meta(description="the game's name, for people")]
    about: Annotated[str, Meta(description="one sentence")]
    min_seats: Annotated[int, Meta(description="the smallest number of players")]
    max_seats: Annotated[int, Meta(description="the largest number of players")]
    rules_version: str
    options: Annotated[Map, Meta(description="every option with its default value")]
    cards: str = ""


class SeatClock(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat's clock, in seconds. `running`: the server waits for a decision of the seat; `left`: the seconds that this
    decision may still take."""

    seat: int
    main: Annotated[
        float, Meta(description="seconds of main time left, without what the running decision has used of it")
    ]
    running: Annotated[bool, Meta(description="whether a decision of this seat is awaited")] = False
    left: Annotated[float, Meta(description="if so, the seconds that it may still take, as of now")] = 0.0


class SeatResult(msgspec.Struct, frozen=True):
    """The result of a seat. `how` is `played`, `left`, `kicked`, `late`, `illegal`, `resigned` or `crashed`. In every
    case but `played` a house bot took the seat over."""

    seat: int
    name: Annotated[str, Meta(description="the player of the seat")]
    score: Annotated[int, Meta(description="the result in the game's own unit")]
    place: Annotated[int, Meta(description="1 is best; equal places are shared: 1, 1, 3")]
    how: Annotated[
        str,
        Meta(
            description="`played`, or why a house bot took over: `left`, `late`, `illegal`, `resigned`, "
            "`crashed` or `kicked`"
        ),
    ] = "played"
    late: Annotated[
        int,
        Meta(
            description="number of decisions that the server made for the seat because it was late or erred too often"
        ),
    ] = 0


class EntrantInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """An entrant of a cup. `here`: every player who plays for it is connected, so a match can begin. `house`: it is a
    house bot."""

    entrant: str
    tables: Annotated[int, Meta(description="at how many tables it plays at once")] = 1
    here: Annotated[bool, Meta(description="whether all players that play for it are connected")] = True
    dropped: Annotated[bool, Meta(description="whether it left for good")] = False
    nonce: Annotated[str, Meta(description="its share in the chance of all deals; published when the cup starts")] = ""
    clock: Annotated[ClockRule | None, Meta(description="its clock rule, if it differs from the cup's")] = None
    house: Annotated[bool, Meta(description="whether it is a house bot")] = False


class CupInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A cup, as every player may see it. `state`: open, running, paused, stopped or finished."""

    cup: str
    owner: Annotated[str, Meta(description="the player who opened it")]
    game: str
    state: Annotated[str, Meta(description="`open`, `running`, `paused`, `stopped` or `finished`")]
    seats: Annotated[int, Meta(description="seats of a table")]
    format: Annotated[str, Meta(description="the id of a format, see docs/protocol-cups.md")]
    deals: Annotated[str, Meta(description="`fresh`, `duplicate` or `rotated`")]
    rounds: Annotated[int, Meta(description="how many")]
    clock: ClockRule
    options: Annotated[Map, Meta(description="the game's options that differ from their defaults")]
    commitment: Annotated[str, Meta(description="64 hex digits, SHA-256 of the secret from which all deals come")]
    entrants: Annotated[tuple[EntrantInfo, ...], Meta(description="the entrants, in order of entering")] = ()
    played: Annotated[int, Meta(description="how many matches are over")] = 0
    planned: Annotated[int, Meta(description="how many there will be; 0: not known yet")] = 0
    playing: Annotated[tuple[str, ...], Meta(description="the tables where its matches are played now")] = ()
    secret: Annotated[str, Meta(description="64 hex digits, once the cup is over; before that empty")] = ""
    rank_by: Annotated[
        str, Meta(description="what ranks: `score` (the share of the win) or `rating` (from finishing orders)")
    ] = "score"
    late_entry: Annotated[bool, Meta(description="whether players may enter after the start")] = False


class GameStats(msgspec.Struct, frozen=True):
    """The places that a player took in matches of one game."""

    game: str
    places: Annotated[
        tuple[int, ...],
        Meta(description="how often each place was taken: `[3, 0, 1]` is three first places and one third"),
    ]


class Met(msgspec.Struct, frozen=True):
    """How often a player met another player or a house bot in a match, and how often each finished ahead."""

    name: Annotated[str, Meta(description="the player, or the house bot")]
    meetings: Annotated[int, Meta(description="how often they were in one match; each seat of a house bot counts")]
    ahead: Annotated[int, Meta(description="how often the player finished ahead of them")]
    behind: Annotated[int, Meta(description="how often the player finished behind them; equal places count as neither")]


class Standing(msgspec.Struct, omit_defaults=True, frozen=True):
    """An entrant's line in the standings."""

    rank: Annotated[
        int,
        Meta(
            description="1 plus the number of entrants that are surely better in the deals that both played; in "
            "a knockout, 1 plus the number that came further, or as far with a better score"
        ),
    ]
    entrant: str
    seats: Annotated[int, Meta(description="number of seats in matches that count")]
    score: Annotated[float, Meta(description="share of the win, on average; compared by seat with duplicate deals")]
    error: Annotated[
        float | None, Meta(description="its standard error over the deals; null: too few, or all went alike")
    ] = None
    elo: Annotated[float | None, Meta(description="the rating on the scale of Elo; null: nothing counts")] = None
    low: Annotated[float | None, Meta(description="the lower end of its interval of 95 %; null: too few deals")] = None
    high: Annotated[float | None, Meta(description="the upper end")] = None
    place: Annotated[float, Meta(description="the mean place; left out where nothing counts")] = 0.0
    points: Annotated[
        float | None, Meta(description="the mean of the game's own points; null: no seat was played to its end")
    ] = None
    ended: Annotated[dict[str, int], Meta(description="how often its seats ended in each way")] = {}
    late: Annotated[int, Meta(description="number of decisions that the server made for it")] = 0
    lead: Annotated[
        float | None,
        Meta(
            description="the mean lead of its seats over the mean of the other seats, in points; null: as for `points`"
        ),
    ] = None
    lead_low: Annotated[
        float | None, Meta(description="the lower end of its interval of 95 %; null: too few deals")
    ] = None
    lead_high: Annotated[float | None, Meta(description="the upper end")] = None
    ranked: Annotated[
        bool, Meta(description="false: it has played fewer than eight deals, and `rank` is only the place in the list")
    ] = True
    score_low: Annotated[
        float | None,
        Meta(
            description="the lower end of the score's interval of 95 %, which lies between 0 and 1; null: too few deals"
        ),
    ] = None
    score_high: Annotated[float | None, Meta(description="the upper end")] = None


class Against(msgspec.Struct, omit_defaults=True, frozen=True):
    """A gauntlet's challenger compared with one other entrant, in the matches that both played."""

    entrant: Annotated[str, Meta(description="one of the others")]
    matches: Annotated[int, Meta(description="number of matches that both played and that count")]
    ahead: Annotated[float, Meta(description="how often the challenger came out ahead, 0 to 1; a tie is a half")]
    low: Annotated[
        float | None, Meta(description="the lower end of its interval of 95 %; null: fewer than eight deals")
    ] = None
    high: Annotated[float | None, Meta(description="the upper end")] = None
    score: Annotated[float, Meta(description="the challenger's share of the win in these matches")] = 0.0
    theirs: Annotated[float, Meta(description="the other's")] = 0.0
    surely: Annotated[int, Meta(description="1: the challenger is surely better, -1: the other is, 0: not known")] = 0
