"""The entries of a match's log. The match can be computed again from its log. The store keeps these entries, and the
replay file of a finished match has one line for each."""

from __future__ import annotations

from typing import Annotated, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

Seconds: TypeAlias = Annotated[float, Meta(ge=0, description="Since the match began.")]
Seat: TypeAlias = Annotated[int, Meta(ge=1, le=16)]
Why: TypeAlias = Annotated[str, Meta(pattern="^(|time|illegal|house)$")]

# The game's action type, or a plain map if a file is read without the rules.
ActionT_co = TypeVar("ActionT_co", covariant=True)


class LogEntry(msgspec.Struct, tag_field="line", omit_defaults=True, forbid_unknown_fields=True, frozen=True):
    """One line of a replay file, without its hash."""


class ActionTaken(LogEntry, Generic[ActionT_co], tag="did", frozen=True):
    """An accepted action. `why` is "" if the player chose it, `time` or `illegal` if it is a default action, and
    `house` if a house bot chose it. In a replay file its line is a ReplayDecision."""

    at: Seconds
    seat: Seat
    action: ActionT_co
    why: Why = ""


class ActionRefused(LogEntry, Generic[ActionT_co], tag="refused", frozen=True):
    """The rules refused what a seat tried. Only that seat received `rule` and `text`. `action` is left out if the seat
    sent something that is not an action of the game."""

    at: Seconds
    seat: Seat
    rule: str
    text: str
    action: ActionT_co | None = None


class PresenceChanged(LogEntry, tag="went", frozen=True):
    """A player's presence changed, as in the message `presence`. `by` names the house bot that plays from then on."""

    at: Seconds
    seat: Seat
    how: Annotated[str, Meta(pattern="^(away|back|left|late|illegal|resigned|crashed|kicked)$")]
    by: str = ""


class ChatSent(LogEntry, tag="spoke", frozen=True):
    """A player sent a chat message to the table."""

    at: Seconds
    sender: str
    text: str


class ServerStalled(LogEntry, tag="stalled", frozen=True):
    """The server stood still. `seconds` holds, by seat, the seconds that were given back for the decision that the seat
    had to make. Key 0 holds the seconds of grace that absent players got back."""

    at: Seconds
    seconds: dict[Annotated[int, Meta(ge=0, le=16)], Annotated[float, Meta(ge=0)]]


class PauseWanted(LogEntry, tag="pause", frozen=True):
    """A seat wants the match to pause (`on`), or ends the pause or its wish for one. `seat` is 0 if the match has used
    up its time for pauses. While all people with a seat want the pause, no clock runs."""

    at: Seconds
    seat: Annotated[int, Meta(ge=0, le=16)] = 0
    on: bool = False


class UndoWanted(LogEntry, tag="undo", frozen=True):
    """A seat wants the latest decision taken back (`on`), or refuses. `seat` is 0 if not all people agreed in time.
    Once all people with a seat agree, the match continues from the state before that decision. The time that the
    decision used is not given back."""

    at: Seconds
    seat: Annotated[int, Meta(ge=0, le=16)] = 0
    on: bool = False


class MatchAborted(LogEntry, tag="aborted", frozen=True):
    """The match ended without a result."""

    at: Seconds
    text: str
