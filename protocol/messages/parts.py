"""What messages are made of: base types, limited fields, and the maps that several of them carry."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

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
Want: TypeAlias = Literal["view", "legal", "knowledge"]
Wants: TypeAlias = tuple[Want, ...]

Hears: TypeAlias = Literal["live", "with_turn", "all_with_turn", "turns"]

WANTS: Wants = ("view", "legal")
LIVE: Hears = "live"
WITH_TURN: Hears = "with_turn"
ALL_WITH_TURN: Hears = "all_with_turn"
TURNS: Hears = "turns"


class Request(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """What a client asks; `id` is its own counting number, larger each time."""

    id: Id


class Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """What the server says. Fields with their default value may be left out; unknown fields are to be ignored."""


class Reply(Message, kw_only=True):
    """The answer to the request with that id; 0 answers input that had no readable id."""

    re: Count = 0


class ClockRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Seconds of main time a seat has for the match, and seconds added for each decision."""

    main: Annotated[float, Meta(ge=0, le=86_400)] = 300.0
    increment: Annotated[float, Meta(ge=0.05, le=3_600)] = 30.0


class SeatInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat as everybody may see it. `kind`: person, bot (a program on the wire), house (the server's bot), empty.
    `by` is the house bot that took a player's seat over for good."""

    seat: int
    name: str = ""
    kind: str = "empty"
    here: bool = True
    clock: ClockRule | None = None
    by: str = ""


class TableInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A table as everybody may see it. `state`: open, playing or over."""

    table: str
    game: str
    state: str
    owner: str
    seats: tuple[SeatInfo, ...]
    clock: ClockRule
    options: Map
    commitment: str
    spectators: int = 0
    cards: str = ""
    delay: int = 0


class PlayerInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """Somebody who is here, or is away (not `here`) while a seat is held. `tables` are those where they play, or will,
    `watches` where they look on, and `lost` where a house bot plays on in their place; tables that are over are not
    among them."""

    name: str
    kind: str
    tables: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    here: bool = True


class GameInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A game that this server plays. `options` maps each option to its default value."""

    game: str
    title: str
    about: str
    min_seats: int
    max_seats: int
    rules_version: str
    options: Map
    cards: str = ""


class SeatClock(msgspec.Struct, omit_defaults=True, frozen=True):
    """Seconds of main time left; `running` tells that a decision is awaited and `left` what it may still take."""

    seat: int
    main: float
    running: bool = False
    left: float = 0.0


class SeatResult(msgspec.Struct, frozen=True):
    """How a seat came out. `how`: played, left, kicked, late, illegal, resigned or crashed; all but the first: a house
    bot played on."""

    seat: int
    name: str
    score: int
    place: int
    how: str = "played"
    late: int = 0


class EntrantInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """Who takes part in a cup, and whether a match could begin with it now: every player of it is here. `house` tells
    that it is a house bot."""

    entrant: str
    tables: int = 1
    here: bool = True
    dropped: bool = False
    nonce: str = ""
    clock: ClockRule | None = None
    house: bool = False


class CupInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A cup as everybody may see it. `state`: open, running, paused, stopped or finished."""

    cup: str
    owner: str
    game: str
    state: str
    seats: int
    format: str
    deals: str
    rounds: int
    clock: ClockRule
    options: Map
    commitment: str
    entrants: tuple[EntrantInfo, ...] = ()
    played: int = 0
    planned: int = 0
    playing: tuple[str, ...] = ()
    secret: str = ""
    rank_by: str = "score"
    late_entry: bool = False


class GameStats(msgspec.Struct, frozen=True):
    """How a player's matches of one game came out."""

    game: str
    places: tuple[int, ...]


class Met(msgspec.Struct, frozen=True):
    """How often a player met another, or a house bot, in a match, and who came in ahead."""

    name: str
    meetings: int
    ahead: int
    behind: int


class Standing(msgspec.Struct, omit_defaults=True, frozen=True):
    """An entrant's line in the standings."""

    rank: int
    entrant: str
    seats: int
    score: float
    error: float | None = None
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    place: float = 0.0
    points: float | None = None
    ended: dict[str, int] = {}
    late: int = 0
    lead: float | None = None
    lead_low: float | None = None
    lead_high: float | None = None
    ranked: bool = True
    score_low: float | None = None
    score_high: float | None = None


class Against(msgspec.Struct, omit_defaults=True, frozen=True):
    """How a gauntlet's challenger did against one of the others, in the matches of both."""

    entrant: str
    matches: int
    ahead: float
    low: float | None = None
    high: float | None = None
    score: float = 0.0
    theirs: float = 0.0
    surely: int = 0
