"""Tracks requests to take back the latest decision of a match: who agrees, and whether the decision has revealed
anything. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.api import Action, AddressedEvent, Event, IllegalAction, Seat, State
from games.chance import Chance
from protocol.entries import ActionTaken, UndoWanted

MOST = 20  # most decisions that one seat may ask to take back in a match
WORLDS = 16  # number of random deals in which `is_revealing` tries a decision


class Undos:
    """Tracks the decisions that were not taken back, and which seats want the latest of these taken back.

    Args:
        people: The seats of people that still play. The caller may change this collection. Programs and house bots
            are not asked.
    """

    def __init__(self, people: Collection[Seat]) -> None:
        self.decisions: list[ActionTaken[Action]] = []  # without those that were taken back
        self.wanting: set[Seat] = set()
        self.since = 0.0  # time of the request, in seconds since the match began
        self._people = people
        self._asked: dict[Seat, int] = {}  # number of requests by seat, without agreements

    def add_decision(self, decision: ActionTaken[Action]) -> None:
        """Adds a decision. A pending request to take back the previous decision is dropped."""
        self.decisions.append(decision)
        self.wanting.clear()

    def apply(self, entry: UndoWanted) -> bool:
        """Applies a seat's request to take back the latest decision, its agreement or its refusal. Returns whether all
        people agree now."""
        if not entry.on:
            self.wanting.clear()
            return False
        if not self.wanting:
            self.since = entry.at
            self._asked[entry.seat] = self._asked.get(entry.seat, 0) + 1
        self.wanting.add(entry.seat)
        return bool(self.decisions) and self.seats_to_agree == []

    def remove_latest(self) -> None:
        """Removes the latest decision, because it was taken back."""
        self.decisions.pop()
        self.wanting.clear()

    @property
    def latest_decision(self) -> ActionTaken[Action] | None:
        """The latest decision that was not taken back; None if there is none."""
        return self.decisions[-1] if self.decisions else None

    @property
    def seats_to_agree(self) -> list[Seat]:
        """The seats of people that have not agreed."""
        return sorted(seat for seat in self._people if seat not in self.wanting)

    def can_request_undo(self, seat: Seat) -> bool:
        """Returns whether that seat may ask to take another decision back."""
        return self._asked.get(seat, 0) < MOST


def is_revealing(before: State, decision: ActionTaken[Action], told: Sequence[AddressedEvent]) -> bool:
    """Returns whether a seat or a spectator has learned anything from a decision that the deciding seat did not know
    before it.

    The decision is tried in random deals that the deciding seat could not tell from the real one. It has revealed
    something if the events, or what the seat and the spectators know, differ between these deals, or if an event
    declares new random information. The result depends only on what the seat knows, so that refusing to take the
    decision back reveals nothing either.

    Args:
        before: The state before the decision. It is not changed.
        decision: The decision.
        told: The events that followed from it.
    """
    seat = decision.seat
    heard = _heard_by(seat, told)
    chance = Chance.of_number(WORLDS)
    first: object = None
    for _world in range(WORLDS):
        world = before.redeal(seat, chance.fork("world"))
        try:
            there = world.apply(seat, decision.action)
        except IllegalAction:
            return True
        if _heard_by(seat, there) != heard or any(type(one.event).reveals for one in there):
            return True
        after = there, world.to_move(), world.outcome(), world.knowledge(seat), world.view(None)
        first = after if first is None else first
        if after != first:
            return True
    return False


def _heard_by(seat: Seat, told: Sequence[AddressedEvent]) -> list[Event]:
    return [one.event for one in told if one.is_for(seat)]
