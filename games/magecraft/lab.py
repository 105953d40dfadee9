"""Magecraft's own figures for the balance lab."""

from __future__ import annotations

from collections import Counter

from games.api import Action, Outcome, Seat, State
from games.magecraft.moves import Cast, Learn, Revise
from games.magecraft.rules import MagecraftState


class Lab:
    """How often each spell is learnt where it is on offer, and how learning it goes with winning."""

    def __init__(self) -> None:
        self._matches = 0
        self._first_wins = 0.0
        self._offered: Counter[str] = Counter()
        self._learnt: Counter[str] = Counter()  # matches in which somebody learnt it
        self._copies: Counter[str] = Counter()
        self._learners: Counter[str] = Counter()  # mages who learnt it
        self._winners: Counter[str] = Counter()  # of these, those who won
        self._cast: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._won: Counter[str] = Counter()
        self._revisions = 0
        self._spells: dict[Seat, list[str]] = {}

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        assert isinstance(state, MagecraftState)
        if isinstance(action, Learn):
            self._spells.setdefault(seat, []).append(action.spell)
        elif isinstance(action, Cast):
            copy = state.mages[seat - 1].books[action.book - 1][state.turn.place]
            self._cast[state.cards.spells[copy >> 1].name] += 1
        elif isinstance(action, Revise):
            self._revisions += 1

    def end(self, state: State, outcome: Outcome) -> int:
        assert isinstance(state, MagecraftState)
        self._matches += 1
        winners = [seat for seat, place in enumerate(outcome.places, 1) if place == 1]
        self._first_wins += (state.first in winners) / len(winners)
        self._offered.update(spell.name for spell in state.academy.spells)
        self._learnt.update({spell for spells in self._spells.values() for spell in spells})
        for seat, spells in self._spells.items():
            self._copies.update(spells)
            self._learners.update(set(spells))
            if seat in winners:
                self._winners.update(set(spells))
        for mage in state.mages:
            name = state.cards.characters[mage.character].title
            self._played[name] += 1
            self._won[name] += mage.seat in winners
        self._spells = {}
        return state.round

    def table(self) -> list[str]:
        per_match = sum(self._copies.values()) / self._matches
        lines = [
            "| figure | value |",
            "|---|---|",
            f"| wins of the first player | {_share(self._first_wins, self._matches)} |",
            f"| spells learnt a match | {per_match:.1f} |",
            f"| revisions a match | {self._revisions / self._matches:.2f} |",
        ]
        lines += [
            f"| wins of {name} | {_share(self._won[name], times)} |" for name, times in sorted(self._played.items())
        ]
        lines += [
            "",
            "| spell | on offer | learnt, of these | its learners won | casts a match |",
            "|---|---|---|---|---|",
        ]
        for name in sorted(self._offered | self._cast, key=lambda name: (-self._rate(name), name)):
            offered = self._offered[name]
            learnt = _share(self._learnt[name], offered)
            won = _share(self._winners[name], self._learners[name])
            casts = self._cast[name] / (offered or self._matches)
            lines.append(f"| {name} | {offered} | {learnt} | {won} | {casts:.2f} |")
        return [*lines, ""]

    def _rate(self, name: str) -> float:
        return self._learnt[name] / self._offered[name] if self._offered[name] else -1.0


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
