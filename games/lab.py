"""What a game counts for the balance lab: a module `lab` beside its rules with a class `Lab`, one object a match.

The lab finds it by name (`games/<game>/lab.py`): it knows no game, and no game knows the lab. It works out shares and
intervals; the game only says what happened in one match.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from games.api import Action, Outcome, Seat, State


class Found(msgspec.Struct):
    """What was counted in one match. Headings and labels are words of the game's own; people read them."""

    rounds: int
    """How long the match was, as the game counts."""

    groups: dict[str, dict[str, set[Seat]]] = {}
    """Heading, then label: the seats to which it applies, such as `{"character": {"gnome": {1}, "sylph": {2}}}`. The
    lab prints the share of the win that such seats have; a fair one is 1 / seats."""

    shares: dict[str, dict[str, tuple[float, float]]] = {}
    """Heading, then label: how often, and of how many times, such as `{"played when held": {"banana": (1, 3)}}`."""

    means: dict[str, float] = {}
    """Numbers of this match, of which the lab prints the mean, such as `{"spells learnt": 7}`."""


class Lab(Protocol):
    """The shape of a game's class."""

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        """Called before each action is done; the state is the live one and may only be read."""

    def end(self, state: State, outcome: Outcome) -> Found:
        """The match is over."""
