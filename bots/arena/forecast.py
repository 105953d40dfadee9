"""Estimates the value of a bet like `odds.py`, but infers the other players' bets from their spells. The constants were
fitted to the fighters that won in matches of house bots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp
from typing import cast

from bots.arena.casting import help_power, lawful_spells
from bots.arena.odds import FighterStanding, Odds, bet_payout
from games.api import Action
from games.cheaty_mages import moves
from games.cheaty_mages.views import SeatView

HEAT = 6.25  # a fighter with this much more power has e times the weight, to which its chance to win is proportional
HIDDEN, MANA_HIDDEN = 4.0, 4.5  # the power and mana to expect for each unseen card on a fighter, further casts included
# The power and mana to expect on a fighter for each card in the hand of a player who has bet on it.
COMING, MANA_COMING = 0.36, 0.4
OWN = 1.07  # the power to expect on this seat's own fighters for each card in its hand but one
# How uncertain, in mana, it is whether a fighter exceeds the judge's limit: EDGE, plus WIDER for each unseen card on
# the fighter, plus LATER for each card in other hands.
EDGE, WIDER, LATER = 0.6, 0.9, 0.1
# How strongly each point of power that a player adds to a fighter suggests a bet on it; at most MOST points count.
TELLING, MOST = 0.6, 8.0
FACE_DOWN = 1.0  # the assumed help of a face-down card, in points of power
SCALE = (2.0, 5.0, 6.0)  # a seat with this much more gold has e times the weight to win, by the number of later rounds
NOBODY = 0.002  # the least weight of any fighter, for everything that the model leaves out
STEEP = 30.0

# Coefficients for the logarithm of a fighter's weight before the first cast, and in the second row for its additional
# weight with a bet of this seat on it:
POWER, POWER_SQUARED, PRIZE, UNDEAD = 2.1, -0.1, 1.34, 0.85
BACKED, BACKED_POWER, BACKED_HELP, BACKED_UNDEAD = 0.165, 0.113, 0.04, -0.45
MOST_HELP = 10.0  # of the power that a seat's hand can add to a fighter of its bet, at most this many points count
# the factor for the weight of a bet, by the number of fighters that the seat bets on
BACKING = {1: 1.0, 2: 0.6, 3: 0.4}


class Forecast(Odds):
    """Chances of fighters that take the other players' hands and likely bets into account. Values are still in gold,
    but scaled by how much the gold raises this seat's share of the win against the other players."""

    secrecy = 0.05

    @cached_property
    def bet_probabilities(self) -> list[list[float]]:
        """The probability that a seat has bet on a fighter, by seat and fighter. It is inferred from the power that the
        seat's spells have added to the fighter."""
        return [self._leaning(player.seat) for player in self.table.players]

    def _leaning(self, seat: int) -> list[float]:
        weights = []
        for fighter, row in zip(self.table.fighters, self.rows, strict=True):
            helped = 0.0
            for lain, spell in zip(fighter.spells, row, strict=True):
                if lain.by == seat:
                    helped += FACE_DOWN if spell is None else -spell.power if fighter.undead else spell.power
            weights.append(exp(TELLING * max(-MOST, min(MOST, helped))))
        total = sum(weights)
        return [weight / total for weight in weights]

    @cached_property
    def expected_power(self) -> list[float]:
        """For each fighter, the power that the cards still in the players' hands are expected to add."""
        found = [0.0] * len(self.places)
        for player, leans in zip(self.table.players, self.bet_probabilities, strict=True):
            if player.passed:
                continue
            for place in self.places:
                if player.seat != self.you.seat:
                    found[place] += COMING * player.hand_size * leans[place]
                elif place + 1 in self.bet:
                    found[place] += OWN * (player.hand_size - 1)
        return found

    @cached_property
    def _scale(self) -> float:
        return SCALE[min(self.deck.rounds - self.table.round, len(SCALE) - 1)]

    def share_of_win(self, gold: float) -> float:
        """Returns the share of the win that corresponds to an amount of gold as `worth` returns it."""
        return gold / self._gold_for_win

    @cached_property
    def _gold_for_win(self) -> float:
        seats = len(self.table.players)
        return self._scale * seats * seats / (seats - 1)

    @cached_property
    def _known_gold(self) -> dict[tuple[int, float, tuple[int, ...]], float]:
        return {}

    def recompute_chances(self) -> None:
        """Recomputes the weights and chances of all fighters; see `Odds.recompute_chances`."""
        self.weights = [self._weight(place, one) for place, one in enumerate(self.standings)]
        total = sum(self.weights)
        self.chances = [weight / total for weight in self.weights]
        self._known_sums: dict[tuple[int, ...], tuple[float, float]] = {}

    def _weight(self, place: int, one: FighterStanding) -> float:
        """Returns a fighter's weight. Its chance to win is its weight divided by the sum of the weights of all
        fighters."""
        coming = self.expected_power[place]
        lives = exp((one.base + one.sign * one.change + HIDDEN * one.unseen + coming) / HEAT)
        if not self.rules:
            return lives
        mana = one.mana + MANA_HIDDEN * one.unseen + MANA_COMING / COMING * coming
        spread = EDGE + LATER * self.waiting + WIDER * one.unseen
        low = self.table.judge.dispels_up_to
        bare = exp(one.base / HEAT)
        weight = NOBODY
        for chance, limit, ejects in self.rules:
            over = 1 / (1 + exp(min(STEEP, (limit + 0.5 - mana) / spread)))
            minor = (1 - over) / (1 + exp(min(STEEP, (mana - low[0] - 0.5) / spread))) if low else 0.0
            weight += chance * ((1 - over - minor) * lives + (minor + (0.0 if ejects else over)) * bare)
        return weight

    def expected_gold(
        self, changed: dict[int, FighterStanding] | None = None, bet: tuple[int, ...] | None = None
    ) -> float:
        """Returns the value of a bet in gold; see `Odds.expected_gold`."""
        on = self.bet if bet is None else bet
        total, gold = self._sums(on)
        for place, one in (changed or {}).items():
            before, now = self.weights[place], self._weight(place, one)
            total += now - before
            gold += now * self._gold(place, one.prize, on) - before * self._gold(place, self.standings[place].prize, on)
        return gold / total

    def _sums(self, bet: tuple[int, ...]) -> tuple[float, float]:
        """Returns two sums over all fighters in the current position: of their weights, and of weight times gold for
        this bet."""
        found = self._known_sums.get(bet)
        if found is None:
            golds = [self._gold(place, one.prize, bet) for place, one in enumerate(self.standings)]
            gold = sum([weight * gold for weight, gold in zip(self.weights, golds, strict=True)])
            found = self._known_sums[bet] = sum(self.weights), gold
        return found

    def _gold(self, place: int, prize: float, bet: tuple[int, ...]) -> float:
        """Returns the value in gold of a fighter's victory, with this prize and bet of the seat: the seat's expected
        share of the win after it, times `_gold_for_win`."""
        key = place, prize, bet
        found = self._known_gold.get(key)
        if found is None:
            scale, mine, others = self._scale, 0.0, 0.0
            for player, leans in zip(self.table.players, self.bet_probabilities, strict=True):
                if player.seat == self.you.seat:
                    mine = exp((player.money + (bet_payout(prize, len(bet)) if place + 1 in bet else 0.0)) / scale)
                else:
                    paid = exp((player.money + bet_payout(prize, player.bets or 1)) / scale)
                    others += leans[place] * paid + (1 - leans[place]) * exp(player.money / scale)
            found = self._known_gold[key] = self._gold_for_win * mine / (mine + others)
        return found

    def bet_worth(self, bet: tuple[int, ...], helped: list[float]) -> float:
        """Returns the value in gold of a bet before the first cast. `helped` has for each fighter the power that this
        seat's hand can add to it."""
        gold = total = 0.0
        for place, one in enumerate(self.standings):
            dead = one.sign < 0
            likely = POWER * one.base + POWER_SQUARED * one.base**2 + PRIZE * one.prize + UNDEAD * dead
            if place + 1 in bet:
                backed = BACKED + BACKED_POWER * one.base + BACKED_UNDEAD * dead
                likely += BACKING[len(bet)] * (backed + BACKED_HELP * min(helped[place], MOST_HELP))
            weight = exp(likely)
            total += weight
            gold += weight * self._gold(place, one.prize, bet)
        return gold / total


def bet_worths(odds: Forecast, view: SeatView, bets: Sequence[Action]) -> list[float]:
    """Returns the value in gold of each of these bets before the first cast."""
    hand = lawful_spells(odds.deck, view)
    helped = [help_power(standing, hand, odds) for standing in odds.standings]
    return [odds.bet_worth(cast(moves.Bet, bet).on, helped) for bet in bets]
