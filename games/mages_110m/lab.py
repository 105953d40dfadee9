"""What the balance lab counts in this game: how often each card is held and played, and how that goes with winning."""

from __future__ import annotations

from collections import Counter, defaultdict

from games.api import Action, Outcome, Seat, State
from games.lab import Found
from games.mages_110m.moves import Cast
from games.mages_110m.moves import Counter as CounterSpell
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import RaceTruth


class Lab:
    """A card counts as held once for each time it comes into a hand."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._players: defaultdict[str, set[Seat]] = defaultdict(set)
        self._hands: dict[Seat, Counter[int]] = {}
        self._starter: Seat = 0
        self._kings = self._answered = self._countered = 0
        self._king_was = False

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        assert isinstance(state, RaceState)
        race = state.race
        self._starter = self._starter or race.turn_of
        self._see_hands(race)
        self._kings += race.king_reigns and not self._king_was
        self._king_was = race.king_reigns
        if isinstance(action, Cast | CounterSpell):
            self._played[action.card] += 1
            self._players[action.card].add(seat)
            if isinstance(action, Cast):
                self._answered += not race.king_reigns
            else:
                self._countered += 1

    def end(self, state: State, outcome: Outcome) -> Found:
        assert isinstance(state, RaceState)
        race = state.race
        self._see_hands(race)
        order = {str(at + 1): {(self._starter - 1 + at) % race.seats + 1} for at in range(race.seats)}
        return Found(
            rounds=-(-race.turn // race.seats),
            groups={"turn order": order, "played": self._players},
            shares={
                "played when held": {card: (self._played[card], held) for card, held in self._held.items()},
                "spells": {"countered": (self._countered, self._answered)},
            },
            means={"CV counts": race.counts, "visits of the king": self._kings},
        )

    def _see_hands(self, race: RaceTruth) -> None:
        for mage in race.mages:
            now = Counter(mage.hand)
            for card, more in (now - self._hands.get(mage.seat, Counter())).items():
                if race.deck.kinds[card].in_hand:
                    self._held[race.deck.names[card]] += more
            self._hands[mage.seat] = now
