"""The figures that a game collects for the balance lab: a class `Lab` in `games/<game>/lab.py`, one object per match.

The balance lab finds the class by its name. A game only counts what happened in one match; the balance lab computes
shares and intervals over many matches.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from games.api import Action, Outcome, Seat, State


class MatchFigures(msgspec.Struct):
    """The figures of one match. People read the headings and labels."""

    rounds: int
    """The length of the match, in the game's own unit."""

    groups: dict[str, dict[str, set[Seat]]] = {}
    """For each heading and label, the seats to which the label applies, such as `{"character": {"gnome": {1}, "sylph":
    {2}}}`. The balance lab prints the share of the wins that these seats have; a fair share is 1 / seats."""

    shares: dict[str, dict[str, tuple[float, float]]] = {}
    """For each heading and label, how often something happened, and out of how many times, such as `{"played when
    held": {"banana": (1, 3)}}`."""

    means: dict[str, float] = {}
    """Numbers of this match, such as `{"spells learnt": 7}`. The balance lab prints their means over all matches."""


class GameLab(Protocol):
    """The interface of a game's `Lab` class."""

    def record_action(self, state: State, seat: Seat, action: Action) -> None:
        """Records an action before the match carries it out. The method must not change the state."""

    def match_figures(self, state: State, outcome: Outcome) -> MatchFigures:
        """Returns the figures at the end of the match."""
