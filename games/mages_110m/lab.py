"""The figures that this game collects for the balance lab: cards held, played and won with, lost turns, and the
king."""

from __future__ import annotations

from collections import Counter, defaultdict

from games.api import Action, Outcome, Seat, State
from games.lab import MatchFigures
from games.mages_110m.language import N_
from games.mages_110m.moves import Cast
from games.mages_110m.moves import Counter as CounterSpell
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import ACTION, RaceTruth


class Lab:
    """Counts cards and turns. A card counts as held each time that it comes into a hand."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._players: defaultdict[str, set[Seat]] = defaultdict(set)
        self._hands: dict[Seat, Counter[int]] = {}
        self._starter: Seat = 0
        self._kings = self._answered = self._countered = 0
        self._king_was = False
        self._turn = self._action_turn = self._actions = self._lost_to_cvs = 0
        self._cvs: list[int] = []

    def record_action(self, state: State, seat: Seat, action: Action) -> None:
        assert isinstance(state, RaceState)
        race = state.race
        self._starter = self._starter or race.turn_of
        self._see_hands(race)
        self._see_turns(race)
        self._kings += race.king_reigns and not self._king_was
        self._king_was = race.king_reigns
        if isinstance(action, Cast | CounterSpell):
            self._played[action.card] += 1
            self._players[action.card].add(seat)
            if isinstance(action, Cast):
                self._answered += not race.king_reigns
            else:
                self._countered += 1

    def match_figures(self, state: State, outcome: Outcome) -> MatchFigures:
        assert isinstance(state, RaceState)
        race = state.race
        self._see_hands(race)
        self._see_turns(race)
        order = {str(at + 1): {(self._starter - 1 + at) % race.seats + 1} for at in range(race.seats)}
        return MatchFigures(
            rounds=-(-race.turn // race.seats),
            groups={N_("turn order"): order, N_("played"): self._players},
            shares={
                N_("played when held"): {card: (self._played[card], held) for card, held in self._held.items()},
                N_("spells"): {N_("countered"): (self._countered, self._answered)},
                N_("turns"): {
                    N_("without an action"): (race.turn - self._actions, race.turn),
                    N_("lost to a CV"): (self._lost_to_cvs, race.turn),
                },
                N_("races"): {N_("ended in the king's show"): (race.king_reigns, 1)},
            },
            means={N_("CV counts"): race.counts, N_("visits of the king"): self._kings},
        )

    def _see_turns(self, race: RaceTruth) -> None:
        """Counts the turns that were lost to a CV: those without a decision in which the mage drew a CV."""
        before = self._cvs or [0] * race.seats
        if race.turn != self._turn:
            for passed in range(self._turn + 1, race.turn):
                at = (race.turn_of - 1 - (race.turn - passed)) % race.seats
                if len(race.mages[at].cvs) > before[at]:
                    before[at] += 1
                    self._lost_to_cvs += 1
            self._lost_to_cvs += not race.may_act
            self._turn = race.turn
        self._cvs = [len(mage.cvs) for mage in race.mages]
        if race.phase == ACTION and self._action_turn != race.turn:
            self._actions += 1
            self._action_turn = race.turn

    def _see_hands(self, race: RaceTruth) -> None:
        for mage in race.mages:
            now = Counter(mage.hand)
            for card, more in (now - self._hands.get(mage.seat, Counter())).items():
                if race.deck.kinds[card].in_hand:
                    self._held[race.deck.names[card]] += more
            self._hands[mage.seat] = now
