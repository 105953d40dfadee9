"""The figures that this game collects for the balance lab."""

from __future__ import annotations

from collections import defaultdict
from typing import get_args

from games.api import Action, Outcome, Seat, State
from games.cheaty_mages.language import N_
from games.cheaty_mages.moves import CastAction, Look
from games.cheaty_mages.rules import ArenaState
from games.lab import MatchFigures


class Lab:
    """Counts which spells each seat casts."""

    def __init__(self) -> None:
        self._cast: defaultdict[str, set[Seat]] = defaultdict(set)
        self._casts = self._looks = 0

    def record_action(self, state: State, seat: Seat, action: Action) -> None:
        if isinstance(action, get_args(CastAction)):
            self._cast[action.card].add(seat)
            self._casts += 1
        self._looks += isinstance(action, Look)

    def match_figures(self, state: State, outcome: Outcome) -> MatchFigures:
        assert isinstance(state, ArenaState)
        return MatchFigures(
            rounds=state.round,
            groups={N_("cast"): self._cast},
            means={N_("spells cast"): self._casts, N_("looks"): self._looks},
        )
