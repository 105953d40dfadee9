"""The value of each legal action while spells are cast, as the greedy bot estimates it in gold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import cast

from bots.arena.odds import FighterStanding, Odds
from bots.sdk import best_of
from games.api import Action
from games.cheaty_mages import moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.truth import FOUL_PRICE
from games.cheaty_mages.views import SeatView

SPARE = 0.02  # the least gain in gold for which a card is cast, if the hand is refilled completely after the round
KEEP = 0.3  # the least gain in gold for which a card is cast that would be missing in the next round
FEINT = 0.1  # the most gold that a feint, a cast that misleads the others about the bet, may cost
WORTH_KEEPING = 3.0  # a card of lower use, in points of power, is discarded in order to draw a new one
USE = {  # how useful a Support card or a card without power is, in points of power
    "mana_boost": 4,
    "mana_seal": 4,
    "cause_unpopularity": 4,
    "detect_magic": 2,
    "dispel_magic": 5,
    "recall": 2,
    "amnesia": 2,
    "imitation": 3,
    "dimension_door": 3,
    "confusion": 4,
    "invisibility": 2,
    "prismatic_ray": 1,
    "metamorphosis": 4,
    "alteration": 5,
    "anti_magic_field": 6,
    "reflection": 5,
    "duplicate": 4,
}


class Caster:
    """Evaluates the legal actions of one decision while spells are cast."""

    def __init__(self, view: SeatView, odds: Odds) -> None:
        self.cards, self.view, self.odds = odds.deck, view, odds
        self.now = self.odds.expected_gold()
        left = len(view.you.hand) - 1
        table = view.table
        refilled = left >= table.hand_limit - table.draws
        self.price = 0.0 if table.round == self.cards.rounds else SPARE if refilled else KEEP

    def best_action(self, legal: Sequence[Action], rng: random.Random) -> Action:
        """Returns the action with the largest gain; the pass if no action gains more than `price`, the value of a card
        in hand."""
        gains = [(action, self.expected_gain(action)) for action in legal]
        worthy = [one for one in gains if one[1] > self.price]
        return best_of(worthy, lambda one: one[1], rng)[0] if worthy else moves.PASS

    def choose_vote(self, rng: random.Random) -> Action:
        """Returns the vote on whether a refused spell stays on its fighter: the one after which this seat's bet is
        worth more."""
        keep, _ = moves.VOTES
        spot = self.view.table.disputed[0]
        without = self.odds.expected_gold({spot.fighter - 1: self._without(spot.fighter, spot.place)})
        return best_of(moves.VOTES, lambda action: self.now if action is keep else without, rng)

    def card_price(self, action: Action) -> float:
        """Returns the value in gold of the card that the action uses up; 0 for the pass."""
        return 0.0 if isinstance(action, moves.Pass) else self.price

    def feint_casts(self, legal: Sequence[Action]) -> list[Action]:
        """Returns casts on fighters that this seat has not bet on, which lose less than FEINT gold. They mislead the
        others about its bet."""
        if self.price == KEEP or not self.odds.waiting:
            return []
        casts = [action for action in legal if isinstance(action, moves.Cast) and action.fighter not in self.odds.bet]
        return [action for action in casts if not action.paying and self.expected_gain(action) > -FEINT]

    def expected_gain(self, action: Action) -> float:
        """Returns by how much gold the action raises the expected gold of this seat."""
        if isinstance(action, moves.Pass):
            return 0.0
        if isinstance(action, moves.Look):
            return self._look(action)
        chosen = cast(moves.CastAction, action)
        spell = self.cards.spells[self.cards.number[chosen.card]]
        price = FOUL_PRICE if chosen.paying else 0.0
        if not chosen.paying and is_refused_by_judge(self.view, spell):
            return 0.0  # the judge would remove the card again
        match chosen:
            case moves.Cast(fighter=fighter, face_down=hides) if spell.kind != "support":
                return self._with(fighter, spell) - self.now - price + (self.odds.secrecy if hides else 0.0)
            case moves.Cast(fighter=fighter):
                return self._support(spell, fighter) - price
            case moves.CastAtSpell(fighter=fighter, place=place) if spell.enduring:
                doubled = self.odds.rows[fighter - 1][place - 1]
                changed = self.odds.standings[fighter - 1].copy()
                changed.change += doubled.power if doubled else 0
                return self.odds.expected_gold({fighter - 1: changed}) - self.now - price
            case moves.CastAtSpell(fighter=fighter, place=place):
                changed = self._without(fighter, place)
                return self.odds.expected_gold({fighter - 1: changed}) - self.now - price
            case moves.CastMoving(fighter=fighter, place=place, to=to):
                goal = self.odds.standings[to - 1].copy()
                goal.add_card(self.odds.rows[fighter - 1][place - 1])
                changes = {fighter - 1: self._without(fighter, place), to - 1: goal}
                return self.odds.expected_gold(changes) - self.now - price
            case moves.CastSwapping(placed=placed, aside=aside):
                bet = tuple(sorted({*self.odds.bet, aside} - {placed}))
                return self.odds.expected_gold(bet=bet) - self.now - price
            case moves.CastAtEnduring(spell="confusion"):
                return self.odds.expected_gold_under(self.odds.mana_limits(self.view.table)) - self.now - price
            case moves.CastAtPlayer(seat=seat):
                other = self.view.table.players[seat - 1]
                mine = seat == self.view.you.seat
                return 0.0 if mine or other.passed else 0.15 - price
            case moves.CastAlone():
                return self._alone(spell) - price
        return 0.0

    def _with(self, fighter: int, spell: Spell) -> float:
        changed = self.odds.standings[fighter - 1].copy()
        changed.add_card(spell)
        worth = self.odds.expected_gold({fighter - 1: changed})
        if spell.name == "reflection" and self.odds.chances[fighter - 1] == max(self.odds.chances):
            worth += 0.15 * self.now if fighter in self.odds.bet else 0.0
        return worth

    def _without(self, fighter: int, place: int) -> FighterStanding:
        changed = self.odds.standings[fighter - 1].copy()
        changed.add_card(self.odds.rows[fighter - 1][place - 1], -1)
        return changed

    def _support(self, spell: Spell, fighter: int) -> float:
        match spell.name:
            case "detect_magic":
                return 0.05 * self._unseen(fighter)
            case "anti_magic_field":
                changed = self.odds.standings[fighter - 1].copy()
                changed.remove_cards()
                return self.odds.expected_gold({fighter - 1: changed}) - self.now
            case "metamorphosis":
                seen = {view.name for view in self.view.table.fighters}
                others = [other for other in self.cards.fighters if other.name not in seen]
                changed = self.odds.standings[fighter - 1].copy()
                changed.base = sum(other.power for other in others) / len(others)
                changed.prize = sum(other.prize for other in others) / len(others)
                changed.sign = 1
                return self.odds.expected_gold({fighter - 1: changed}) - self.now
        return 0.0

    def _unseen(self, fighter: int) -> float:
        contender = fighter in self.odds.bet or self.odds.chances[fighter - 1] == max(self.odds.chances)
        return self.odds.standings[fighter - 1].unseen if contender else 0.0

    def _alone(self, spell: Spell) -> float:
        match spell.name:
            case "recall":
                return 0.1 if self.view.table.spell_pile + len(self.view.table.discard) else 0.0
            case "confusion":
                return self.odds.expected_gold_under([]) - self.now if self.odds.rules else 0.0
            case "dimension_door":
                gone = {*self.view.table.judges_gone, self.view.table.judge.name}
                coming = [judge for judge in self.cards.judges if judge.name not in gone and judge.judgement]
                mild = [
                    (1.0, one.limit, one.verdict == "eject") for one in (judge.judgement for judge in coming) if one
                ]
                if not mild or self.view.table.no_judgement:
                    return 0.0
                return sum(self.odds.expected_gold_under([one]) for one in mild) / len(mild) - self.now
            case "invisibility":
                held = (self.cards.spells[self.cards.number[name]] for name in self.view.you.hand)
                return 0.12 * sum(is_refused_by_judge(self.view, other) for other in held)
        return 0.0

    def _look(self, action: moves.Look) -> float:
        """Returns the value in gold of looking at the face-down cards on a fighter that may win, if the card to be paid
        for it is of little other use."""
        unseen = self._unseen(action.fighter)
        if len(self.view.you.hand) < 4 or unseen < 2 or card_usefulness(self.cards, action.card) >= WORTH_KEEPING:
            return 0.0
        return 0.03 * unseen


def card_usefulness(cards: Deck, name: str) -> float:
    """Returns how useful a card is, in points of power."""
    spell = cards.spells[cards.number[name]]
    return USE.get(name) or abs(spell.power) + 0.5 - spell.mana / 10


def is_refused_by_judge(view: SeatView, spell: Spell) -> bool:
    me = view.table.players[view.you.seat - 1]
    refuses = view.table.judge.refuses
    return not me.unrefusable and (spell.kind in refuses or (spell.forbidden and "forbidden" in refuses))


def lawful_spells(cards: Deck, view: SeatView) -> list[Spell]:
    """Returns the cards in this seat's hand that the judge of the round accepts."""
    hand = [cards.spells[cards.number[name]] for name in view.you.hand]
    return [spell for spell in hand if not is_refused_by_judge(view, spell)]


def help_power(standing: FighterStanding, hand: Sequence[Spell], odds: Odds, *, against: bool = False) -> float:
    """Returns how many points the hand can add to a fighter's power, or with `against` take from it, while the mana of
    these cards stays within the judge's limit."""
    sign = -standing.sign if against else standing.sign
    useful = sorted((spell for spell in hand if spell.power * sign > 0), key=lambda spell: -abs(spell.power))
    limit = min((limit for _chance, limit, _ejects in odds.rules), default=99.0)
    total = mana = 0.0
    for spell in useful:
        if mana + spell.mana <= limit:
            total += abs(spell.power)
            mana += spell.mana
    return total
