"""hurdler: a bot for mages-110m that evaluates how each action would change the race, with the chances of the die and
the cost in reserve.
"""

from __future__ import annotations

from typing import cast

from bots.hurdler.worth import CARD, RESERVE, MageForecast, RaceForecast, missing_limbs
from bots.sdk import Bot, Turn
from bots.sdk.levels import beginner
from games.api import Action
from games.mages_110m.cards import CardKind, Deck
from games.mages_110m.game import Mages110m
from games.mages_110m.moves import Aim, Cast, Counter, Drop, Fizzle, Gamble, LetBe, Pass, Pay, Trade
from games.mages_110m.views import SeatRace

COUNTER_FROM = 1.1  # a spell is countered if it would cost more than this, in squares
GAMBLE_IS_WORTH = 1.0  # the value in squares of the unknown spell that a gamble casts
TRADES = {"arm": 0, "leg": 0, "step": 1, "clear": 1, "rest": 10, "reserve": 2}
EFFECT = {"arm": "arm", "leg": "leg", "step": "advance", "clear": "smash", "rest": "endurance", "reserve": "reserve"}


class Hurdler(Bot):
    """Looks one action ahead and takes the best."""

    games = ("mages-110m",)

    def choose(self, turn: Turn) -> Action:
        race = cast(SeatRace, turn.view)
        self._deck = cast(Mages110m, turn.game).deck
        if len(turn.legal) == 1:
            return turn.legal[0]
        self._now = RaceForecast(self._deck, race).lead_value()
        return max(turn.legal, key=lambda action: self._worth(action, race) + self.rng.random() / 1_000)

    def _worth(self, action: Action, race: SeatRace) -> float:
        match action:
            case Cast(card, at):
                return self._cast(self._kind(card), at, race) - CARD
            case Trade(deed):
                worst = sorted(self._keep(card, race) for card in race.hand)[:2]
                return self._deed(deed, race) - sum(worst)
            case Gamble():
                return GAMBLE_IS_WORTH - sum(self._keep(card, race) for card in race.hand)
            case Pass():
                return 0.0
            case Drop(card):
                return -self._keep(card, race)
            case Pay():
                spell = race.spell[0]
                return self._effect(self._kind(spell.card), race.seat, spell.at, race) - RESERVE * spell.missing
            case Fizzle():
                return RESERVE
            case Aim(at):
                return self._effect(self._kind(race.spell[0].card), race.seat, at, race)
            case LetBe():
                spell = race.spell[0]
                return self._effect(self._kind(spell.card), spell.seat, spell.at, race)
            case Counter(card):
                spell = race.spell[0]
                back = RaceForecast(self._deck, race)
                back.runners[race.seat].pay_costs(self._kind(card))
                for effect in self._kind(card).effects:
                    back.runners[race.seat if effect.who == "you" else spell.seat].apply_change(
                        effect.verb, effect.amount, own_turn=False
                    )
                return back.lead_value() - self._now - COUNTER_FROM
            case _:
                return 0.0

    def _kind(self, name: str) -> CardKind:
        deck: Deck = self._deck
        return deck.kinds[deck.index[name]]

    def _effect(self, kind: CardKind, caster: int, at: int, race: SeatRace) -> float:
        """Returns by how many squares the spell's effect raises this seat's lead."""
        field = RaceForecast(self._deck, race)
        field.apply_spell(kind, caster, at)
        return field.lead_value() - self._now

    def _cast(self, kind: CardKind, at: int, race: SeatRace) -> float:
        field = RaceForecast(self._deck, race)
        me = field.runners[race.seat]
        me.pay_costs(kind)
        failing = _after_failing(field, me)
        if kind.roll:
            chance, price = _odds(kind.roll - me.run_bonus(), me.reserve)
        else:
            chance, price = 1.0, 0.0
        field.apply_spell(kind, race.seat, at)
        return chance * (field.lead_value() - price * RESERVE) + (1 - chance) * failing - self._now

    def _deed(self, deed: str, race: SeatRace) -> float:
        field = RaceForecast(self._deck, race)
        field.runners[race.seat].apply_change(EFFECT[deed], TRADES[deed] or 1)
        return field.lead_value() - self._now

    def _keep(self, card: str, race: SeatRace) -> float:
        """Returns the value of keeping a card in the hand, in squares: a part of what casting it now would gain."""
        kind = self._kind(card)
        if kind.is_counter:
            return 0.5
        if kind.needs & missing_limbs(race.mages[race.seat - 1]):
            return 0.1
        at = next(mage.seat for mage in race.mages if mage.seat != race.seat) if kind.is_attack else 0
        return max(0.05, 0.35 * self._cast(kind, at, race))


def _after_failing(field: RaceForecast, me: MageForecast) -> float:
    """Returns the value of the race for the caster after a failed roll. A surge happens even then, and is worth about a
    square and a hurdle."""
    return field.lead_value() + RESERVE + (1.5 if me.surging else 0.0)


def _odds(need: int, reserve: int) -> tuple[float, float]:
    """Returns the probability that the die, with reserve added, reaches the number `need`, and the mean reserve that it
    costs in these cases."""
    prices = [max(0, need - die) for die in range(1, 7)]
    paid = [price for price in prices if price <= reserve and price <= 2]
    return len(paid) / 6, sum(paid) / len(paid) if paid else 0.0


BOTS = {"hurdler": Hurdler, "hurdler:easy": beginner(Hurdler)}
