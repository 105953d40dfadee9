"""The base types of messages, bounded field types, and the maps that several messages carry."""

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
    """A request of a client. `id` is a number that the client chooses, larger each time."""

    id: Id


class Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """A message of the server. It may leave out fields that have their default value. Clients ignore unknown fields."""


class Reply(Message, kw_only=True):
    """The answer to the request with that id; 0 answers input that had no readable id."""

    re: Count = 0


class ClockRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Seconds of main time a seat has for the match, and seconds added for each decision."""

    main: Annotated[float, Meta(ge=0, le=86_400)] = 300.0
    increment: Annotated[float, Meta(ge=0.05, le=3_600)] = 30.0


class SeatInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat, as every player may see it. `kind`: person, bot (a program on the wire), house (the server's bot), empty.
    `by` names the house bot that has replaced the player for good."""

    seat: int
    name: str = ""
    kind: str = "empty"
    here: bool = True
    clock: ClockRule | None = None
    by: str = ""


class TableInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A table, as every player may see it. `state`: open, playing or over."""

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
    """A player who is connected, or away (not `here`) with a seat held. The player has seats at `tables`, is a
    spectator at `watches`, and was replaced by a house bot at `lost`. Tables that are over are left out."""

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
    """Seconds of main time left. `running`: a decision is awaited; `left`: the seconds that it may still take."""

    seat: int
    main: float
    running: bool = False
    left: float = 0.0


class SeatResult(msgspec.Struct, frozen=True):
    """The result of a seat. `how`: played, left, kicked, late, illegal, resigned or crashed. After all but `played` a
    house bot took the seat over."""

    seat: int
    name: str
    score: int
    place: int
    how: str = "played"
    late: int = 0


class EntrantInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """An entrant of a cup. `here`: every player who plays for it is connected, so a match can begin. `house`: it is a
    house bot."""

    entrant: str
    tables: int = 1
    here: bool = True
    dropped: bool = False
    nonce: str = ""
    clock: ClockRule | None = None
    house: bool = False


class CupInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A cup, as every player may see it. `state`: open, running, paused, stopped or finished."""

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
    """The places that a player took in matches of one game."""

    game: str
    places: tuple[int, ...]


class Met(msgspec.Struct, frozen=True):
    """How often a player met another player or a house bot in a match, and how often each finished ahead."""

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
    """A gauntlet's challenger compared with one other entrant, in the matches that both played."""

    entrant: str
    matches: int
    ahead: float
    low: float | None = None
    high: float | None = None
    score: float = 0.0
    theirs: float = 0.0
    surely: int = 0
