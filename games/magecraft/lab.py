"""The figures that this game collects for the balance lab."""

from __future__ import annotations

from collections import Counter, defaultdict

from games.api import Action, Outcome, Seat, State
from games.lab import MatchFigures
from games.magecraft.language import N_
from games.magecraft.moves import Cast, Learn, Revise
from games.magecraft.rules import MagecraftState


class Lab:
    """Counts characters, spells learnt and spells cast."""

    def __init__(self) -> None:
        self._learnt: defaultdict[str, set[Seat]] = defaultdict(set)
        self._cast: defaultdict[str, set[Seat]] = defaultdict(set)
        self._counts: Counter[str] = Counter()

    def record_action(self, state: State, seat: Seat, action: Action) -> None:
        assert isinstance(state, MagecraftState)
        if isinstance(action, Learn):
            self._learnt[action.spell].add(seat)
            self._counts["spells learnt"] += 1
        elif isinstance(action, Cast):
            copy = state.mages[seat - 1].books[action.book - 1][state.turn.place]
            self._cast[state.cards.spells[copy >> 1].name].add(seat)
            self._counts["spells cast"] += 1
        elif isinstance(action, Revise):
            self._counts["revisions"] += 1

    def match_figures(self, state: State, outcome: Outcome) -> MatchFigures:
        assert isinstance(state, MagecraftState)
        order = {str(at + 1): {(state.first - 1 + at) % state.seats + 1} for at in range(state.seats)}
        characters = {state.cards.characters[mage.character].name: {mage.seat} for mage in state.mages}
        offered = [spell.name for spell in state.academy.spells]
        return MatchFigures(
            rounds=state.round,
            groups={
                N_("turn order"): order,
                N_("character"): characters,
                N_("learnt"): self._learnt,
                N_("cast"): self._cast,
            },
            shares={N_("learnt by anybody"): {name: (name in self._learnt, 1) for name in offered}},
            means={label: self._counts[label] for label in (N_("spells learnt"), N_("spells cast"), N_("revisions"))},
        )
