"""The entries of a match's log. A match is the fold of its log: the store keeps these entries, and the file of a
finished match has a line for each."""

from __future__ import annotations

from typing import Annotated, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

Seconds: TypeAlias = Annotated[float, Meta(ge=0, description="Since the match began.")]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=16)]
Why: TypeAlias = Annotated[str, Meta(pattern="^(|time|illegal|house)$")]

# The game's own type, or a plain map where a file is read without the rules.
ActionT_co = TypeVar("ActionT_co", covariant=True)


class Line(msgspec.Struct, tag_field="line", omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """One line of the file of a match, without its hash."""


class ActionTaken(Line, Generic[ActionT_co], tag="did", frozen=True):
    """An accepted action. `why` is "" for the player's own, `time` or `illegal` for a default, `house` for a house
    bot's. In a file its line is a `Decision`."""

    at: Seconds
    seat: Seat
    action: ActionT_co
    why: Why = ""


class ActionRefused(Line, Generic[ActionT_co], tag="refused", frozen=True):
    """A seat tried what the rules refused with that word and text, told to it alone; without `action`, no action."""

    at: Seconds
    seat: Seat
    rule: str
    text: str
    action: ActionT_co | None = None


class PresenceChanged(Line, tag="went", frozen=True):
    """A player's presence changed, as `presence` tells it; `by` names the house bot that plays from then on."""

    at: Seconds
    seat: Seat
    how: Annotated[str, Meta(pattern="^(away|back|left|late|illegal|resigned|crashed|kicked)$")]
    by: str = ""


class ChatSent(Line, tag="spoke", frozen=True):
    """Somebody said something to the table."""

    at: Seconds
    sender: str
    text: str


class ServerStalled(Line, tag="stalled", frozen=True):
    """The server stood still; these seats got that many seconds back for the decision that was awaited, and under 0
    those who were away for their absence."""

    at: Seconds
    seconds: dict[Annotated[int, Meta(ge=0, le=16)], Annotated[float, Meta(ge=0)]]


class MatchAborted(Line, tag="aborted", frozen=True):
    """The match was ended without a result."""

    at: Seconds
    text: str
