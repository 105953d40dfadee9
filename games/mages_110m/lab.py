"""What the balance lab counts in this game: how often each card is held and played, and who starts."""

from __future__ import annotations

from collections import Counter
from typing import cast

from games.api import Action, Outcome, Seat, State
from games.mages_110m.cards import Deck
from games.mages_110m.moves import Cast
from games.mages_110m.moves import Counter as CounterSpell
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import RaceTruth


class Lab:
    """Watches every match of a run. A card counts as held once for each time it comes into a hand."""

    def __init__(self) -> None:
        self._deck: Deck | None = None
        self._held: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._won: Counter[str] = Counter()  # a card counts once a match for each mage that played it
        self._sides: Counter[str] = Counter()
        self._starts = self._starter_wins = 0
        self._counts = self._kings = self._countered = self._answered = 0
        self._starter: Seat = 0
        self._king_was = False
        self._hands: dict[Seat, Counter[int]] = {}
        self._by_seat: dict[Seat, set[str]] = {}

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        race = cast(RaceState, state).race
        if self._deck is None:
            self._deck = race.deck
        if not self._starter:
            self._starter = race.turn_of
        self._see_hands(race)
        self._kings += race.king_reigns and not self._king_was
        self._king_was = race.king_reigns
        if isinstance(action, Cast | CounterSpell):
            self._played[action.card] += 1
            self._by_seat.setdefault(seat, set()).add(action.card)
            if isinstance(action, Cast):
                self._answered += not race.king_reigns
            else:
                self._countered += 1

    def end(self, state: State, outcome: Outcome) -> int:
        race = cast(RaceState, state).race
        self._see_hands(race)
        for seat, cards in self._by_seat.items():
            for card in cards:
                self._sides[card] += 1
                self._won[card] += outcome.places[seat - 1] == 1
        self._starts += 1
        self._starter_wins += outcome.places[self._starter - 1] == 1
        self._counts += race.counts
        self._new_match()
        return -(-race.turn // race.seats)

    def table(self) -> list[str]:
        """The race's own figures, then a line for each spell."""
        assert self._deck is not None
        lines = [
            "| figure | value |",
            "|---|---|",
            f"| wins of the mage who starts | {_share(self._starter_wins, self._starts)} |",
            f"| CV counts a match | {self._counts / self._starts:.2f} |",
            f"| visits of the king a match | {self._kings / self._starts:.2f} |",
            f"| spells that are answered with a counter-spell | {_share(self._countered, self._answered)} |",
            "",
            "`held`: times in a hand; `played`: the share of those that were cast or answered with; `wins`: how often",
            "a mage who played it in a match won that match.",
            "",
            "| card | copies | held | played | wins |",
            "|---|---|---|---|---|",
        ]
        for kind in self._deck.kinds:
            if kind.in_hand:
                held, name = self._held[kind.name], kind.name
                played, wins = _share(self._played[name], held), _share(self._won[name], self._sides[name])
                lines.append(f"| `{name}` | {kind.count} | {held} | {played} | {wins} |")
        return [*lines, ""]

    def _new_match(self) -> None:
        self._starter, self._king_was = 0, False
        self._hands.clear()
        self._by_seat.clear()

    def _see_hands(self, race: RaceTruth) -> None:
        for mage in race.mages:
            now = Counter(mage.hand)
            for card, more in (now - self._hands.get(mage.seat, Counter())).items():
                self._held[race.deck.names[card]] += more
            self._hands[mage.seat] = now


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
