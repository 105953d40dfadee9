"""Estimates the value of a bet: each fighter's chance to win, computed from what one seat can see, times the gold that
its victory pays.
"""

from __future__ import annotations

from collections.abc import Container
from math import exp
from typing import TypeAlias

from games.cheaty_mages.cards import Spell
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import bet_payment
from games.cheaty_mages.views import Doubling, HiddenSpell, LimitKnown, LimitToCome, TableView, You

MANA_UNSEEN = 3.6  # the assumed mana of a face-down card, the mean of all cards
SUSPICION = 4.0  # the assumed power of a face-down card on a fighter of power 0; the card's player probably bet on it
MIDDLE = 5.5  # a medium power of a fighter; a face-down card on a stronger fighter is assumed to weaken it
PATIENCE = 0.08  # the uncertainty of final powers for each card in other hands, in points of power
BLUR = 1.0  # the uncertainty of final powers when no other player holds a card, in points of power
NEVER = 0.004  # fates of a fighter with a lower probability are left out
FAR = 30.0
OUT = -99.0  # stands for the final power of a fighter that the judge ejects

Fates: TypeAlias = list[tuple[float, float]]


class FighterStanding:
    """The state of one fighter as a seat knows it: its power and prize, the power and mana of the known cards on it,
    and the number of unseen cards on it."""

    __slots__ = ("base", "change", "mana", "prize", "sign", "unseen")

    def __init__(self, base: float, sign: int, prize: float) -> None:
        self.base, self.sign, self.prize = base, sign, prize
        self.change = self.mana = self.unseen = 0.0

    def copy(self) -> FighterStanding:
        """Returns a copy that can be changed without changing this standing."""
        other = FighterStanding(self.base, self.sign, self.prize)
        other.change, other.mana, other.unseen = self.change, self.mana, self.unseen
        return other

    def add_card(self, spell: Spell | None, times: int = 1) -> None:
        """Puts a card on the fighter (`times` 1) or takes it away (-1). None stands for a card that this seat has not
        seen."""
        if spell is None:
            self.unseen += times
            return
        self.change += times * spell.power
        self.mana += times * spell.mana
        if spell.prize_times > 1:
            self.prize *= spell.prize_times**times

    def remove_cards(self) -> None:
        """Takes all cards from the fighter. A prize changed by Unpopularity stays changed, because this object does not
        know the printed prize."""
        self.change = self.mana = self.unseen = 0.0


class Odds:
    """The chances of all fighters in the arena, as one seat estimates them."""

    secrecy = -FAR  # the value in gold of laying a card face down instead of face up

    def __init__(self, deck: Deck, table: TableView, you: You) -> None:
        self.deck, self.table, self.you, self.bet = deck, table, you, you.bet
        self.places = range(len(table.fighters))
        self.rules = [] if table.no_judgement else self.mana_limits(table)
        others = [player for player in table.players if player.seat != you.seat and not player.passed]
        self.waiting = sum([player.hand_size for player in others])  # how many cards other players may still cast
        self.heat = BLUR + PATIENCE * self.waiting
        self.rows = self._rows(you)
        self.standings = [self._standing(place) for place in self.places]
        self.recompute_chances()

    def mana_limits(self, table: TableView) -> list[tuple[float, float, bool]]:
        """Returns the mana limits that the judge of the round may have, each as (probability, limit, whether the judge
        ejects a fighter above it)."""
        limit = table.judge.limit
        if isinstance(limit, LimitKnown):
            return [(1.0, limit.limit, limit.verdict == "eject")]
        if isinstance(limit, LimitToCome):
            judge = next(judge for judge in self.deck.judges if judge.name == table.judge.name)
            cards = len(self.deck.kind_of)
            count = {kind: sum(spell.kind == kind for spell in self.deck.spell_of) for kind in judge.reveals}
            return [(count[kind] / cards, one.limit, one.verdict == "eject") for kind, one in judge.reveals.items()]
        return []

    def _rows(self, you: You) -> list[list[Spell | None]]:
        """Returns the list of cards on each fighter. None stands for a card that this seat has not seen."""
        known = {(one.fighter, one.place): one.card for one in you.knows}
        number, spells = self.deck.number, self.deck.spells
        rows: list[list[Spell | None]] = []
        for fighter, view in enumerate(self.table.fighters, 1):
            row: list[Spell | None] = []
            for place, lain in enumerate(view.spells, 1):
                card = known.get((fighter, place)) if isinstance(lain, HiddenSpell) else lain.card
                row.append(None if card is None else spells[number[card]])
            rows.append(row)
        return rows

    def _standing(self, place: int) -> FighterStanding:
        view = self.table.fighters[place]
        standing = FighterStanding(view.power, -1 if view.undead else 1, view.prize)
        row = self.rows[place]
        for spell in row:
            standing.add_card(spell)
        for lain in view.spells:
            if isinstance(lain, Doubling):
                doubled = row[lain.on - 1]
                standing.change += doubled.power if doubled else 0
        return standing

    def possible_fates(self, one: FighterStanding) -> Fates:
        """Returns what may happen to a fighter when the judge rules, each as (probability, its power afterwards)."""
        lives = one.base + one.sign * one.change + SUSPICION * (1 - one.base / MIDDLE) * one.unseen
        if not self.rules:
            return [(1.0, lives)]
        mana = one.mana + MANA_UNSEEN * one.unseen
        spread = 0.1 + 1.5 * one.unseen + 0.3 * (self.heat - BLUR)
        low = self.table.judge.dispels_up_to
        spared = dispelled = ejected = 0.0
        for chance, limit, ejects in self.rules:
            over = chance * _step((mana - limit - 0.5) / spread)
            minor = (chance - over) * _step((low[0] + 0.5 - mana) / spread) if low else 0.0
            spared += chance - over - minor
            dispelled += minor
            if ejects:
                ejected += over
            else:
                dispelled += over
        fates = [(spared, lives), (dispelled, one.base), (ejected, OUT)]
        return [fate for fate in fates if fate[0] > NEVER]

    def win_probability(self, one: Fates, other: Fates) -> float:
        """Returns the probability that a fighter with the fates `one` ends with more power than one with the fates
        `other`."""
        heat = self.heat
        total = 0.0
        for chance, power in one:
            for against, rival in other:
                total += chance * against * _step((power - rival) / heat)
        return total

    def expected_gold(
        self, changed: dict[int, FighterStanding] | None = None, bet: tuple[int, ...] | None = None
    ) -> float:
        """Returns the gold that a bet is expected to pay, by default the seat's own. `changed` replaces the standings
        of some fighters, by place (0 for fighter 1)."""
        on = self.bet if bet is None else bet
        standings, chances = self.standings, self.chances
        if changed:
            standings = [changed.get(place, standing) for place, standing in enumerate(standings)]
            chances = self._chances(
                [self.possible_fates(changed[p]) if p in changed else self.known[p] for p in self.places], changed
            )
        gold = sum([chances[place - 1] * bet_payout(standings[place - 1].prize, len(on)) for place in on])
        return gold / (sum(chances) or 1.0)

    def _chances(self, fates: list[Fates], changed: Container[int]) -> list[float]:
        """Returns for each fighter the product of its probabilities to beat each other fighter. For two fighters that
        are not in `changed`, the stored probability is used."""
        chances = [1.0] * len(fates)
        for one in self.places:
            for other in range(one):
                if one in changed or other in changed:
                    wins = self.win_probability(fates[one], fates[other])
                else:
                    wins = self.duels[one][other]
                chances[one] *= wins
                chances[other] *= 1 - wins
        return chances

    def recompute_chances(self) -> None:
        """Recomputes the chances of all fighters. Call it again after changing `rules` or `heat`."""
        self.known = [self.possible_fates(standing) for standing in self.standings]
        self.duels = [
            [self.win_probability(self.known[one], self.known[other]) for other in range(one)] for one in self.places
        ]
        self.chances = self._chances(self.known, ())

    def expected_gold_under(self, rules: list[tuple[float, float, bool]]) -> float:
        """Returns the gold that the seat's bet is expected to pay under other limits, in the form that `limits`
        returns."""
        kept, self.rules = self.rules, rules
        self.recompute_chances()
        value = self.expected_gold()
        self.rules = kept
        self.recompute_chances()
        return value


def _step(height: float) -> float:
    """Returns the logistic function of `height`: near 0 for large negative values, 0.5 at 0, near 1 for large positive
    ones."""
    if height > FAR:
        return 1.0
    return 1 / (1 + exp(-height)) if height > -FAR else 0.0


def bet_payout(prize: float, cards: int) -> float:
    """Returns the gold that a bet with this number of betting cards gets of the winning fighter's prize."""
    return bet_payment(int(prize), (1, 2, 3)[:cards], 1)
