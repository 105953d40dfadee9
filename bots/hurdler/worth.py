"""The value of a position in the race for the hurdler bot, and how the effects of a spell change a position."""

from __future__ import annotations

from games.mages_110m.cards import ARM, LEG, CardKind, Deck, Effect
from games.mages_110m.options import Surge
from games.mages_110m.views import MageView, SeatRace

# The values of things in a race, in squares of the track:
HURDLE = 0.55  # the cost of each hurdle that is still ahead
POWER = 0.24  # the value of a point of power, up to the number at which a surge comes
BREATH = 0.03  # the value of each point of endurance
TIRED = 0.35
RESERVE = 0.22
CARD = 0.15
DAZED = 1.0
NO_ARMS, NO_LEGS, LIMB = 0.35, 0.3, 0.08
SHIELD = 0.12  # the value of protection from spells for one turn
FLOAT = 0.25
SURE = 0.08
LINE = 100.0


class MageForecast:
    """The state of a mage in the race, to which effects of spells can be applied."""

    def __init__(self, deck: Deck, mage: MageView, surge: Surge) -> None:
        self.deck, self.surges = deck, surge
        self.square, self.hurdles = mage.square, set(mage.hurdles)
        self.arms, self.legs, self.endurance = mage.arms, mage.legs, mage.endurance
        self.power, self.reserve, self.cards = mage.power, mage.reserve, mage.hand_size
        self.dazed = mage.dazed
        self.lasting = [(deck.kinds[deck.index[lying.card]], lying.counters) for lying in mage.lasting]
        self.surging = False

    def position_value(self) -> float:
        """Returns the number of squares run, plus the value, in squares, of everything that helps or hinders running
        the rest."""
        if self.square > self.deck.track.squares:
            return LINE
        floats = self.is_floating()
        ahead = sum(square >= self.square for square in self.hurdles)
        figures = self.deck.mages
        worth = self.square - HURDLE * ahead * (0.35 if floats else 1.0)
        worth += POWER * min(self.power, figures.surge)
        worth += BREATH * self.endurance - TIRED * (self.endurance <= figures.tired)
        worth += RESERVE * min(self.reserve, 6) + CARD * min(self.cards, figures.hand + 1) - DAZED * self.dazed
        worth += LIMB * (self.arms + self.legs) - NO_ARMS * (not self.arms) - NO_LEGS * (not self.legs)
        for kind, counters in self.lasting:
            worth += counters * self._each_turn(kind)
        return worth

    def is_floating(self) -> bool:
        return not self.arms and not self.legs

    def _each_turn(self, kind: CardKind) -> float:
        worth = SHIELD * kind.shield + FLOAT * kind.float + SURE * kind.sure + BREATH * kind.fresh
        for effect in kind.each:
            worth += EACH.get(effect.verb, 0.0) * effect.amount
        return worth

    def pay_costs(self, kind: CardKind) -> None:
        """Applies the endurance and power that casting a spell costs or gives before the die is rolled."""
        self.apply_change("endurance", kind.endurance)
        self.apply_change("power", kind.power)

    def apply_surge(self) -> None:
        if self.surging:
            self.surging = False
            if self.surges == "spent":
                self.power = 0
            self.run_squares(1, breaking=True)

    def apply_change(self, verb: str, amount: int, *, own_turn: bool = True) -> None:
        figures = self.deck.mages
        match verb:
            case "endurance":
                self.endurance = min(max(self.endurance + amount, 0), figures.endurance)
            case "power":
                now = max(self.power + amount, 0)
                self.surging |= own_turn and amount > 0 and now >= figures.surge
                self.power = now
            case "reserve":
                self.reserve = max(self.reserve + amount, 0)
            case "arm":
                self.arms = min(max(self.arms + amount, 0), figures.arms)
            case "leg":
                self.legs = min(max(self.legs + amount, 0), figures.legs)
            case "limb":
                if self.arms >= self.legs:
                    self.arms = max(0, self.arms - 1)
                else:
                    self.legs = max(0, self.legs - 1)
            case "draw":
                self.cards += amount
            case "mislay":
                self.cards = max(0, self.cards - amount)
            case "daze":
                self.dazed = True
            case "dispel":
                self.lasting = []
            case "back":
                self.square = max(1, self.square - amount)
            case "advance":
                self.run_squares(amount, breaking=False)
            case "charge":
                self.run_squares(amount, breaking=True)
            case "smash":
                self.hurdles -= set(sorted(self._standing())[:amount])
            case "raise":
                gaps = [at for at in self.deck.track.hurdles if at >= self.square and at not in self.hurdles]
                self.hurdles |= set(gaps[:amount])

    def run_squares(self, squares: int, *, breaking: bool) -> None:
        floats = self.is_floating() or any(kind.float for kind, _ in self.lasting)
        for _ in range(squares):
            if self.square > self.deck.track.squares:
                return
            if self.square in self.hurdles:
                if breaking:
                    self.hurdles.discard(self.square)
                elif not floats:
                    return
            self.square += 1

    def is_shielded(self) -> bool:
        return any(kind.shield for kind, _ in self.lasting)

    def run_bonus(self) -> int:
        tired = self.endurance <= self.deck.mages.tired and not any(kind.fresh for kind, _ in self.lasting)
        return sum(kind.sure for kind, _ in self.lasting) - tired

    def _standing(self) -> list[int]:
        return [square for square in self.hurdles if square >= self.square]


EACH = {
    "advance": 0.7,
    "charge": 1.5,
    "back": -0.9,
    "smash": HURDLE,
    "power": POWER * 1.5,
    "endurance": BREATH,
    "reserve": RESERVE,
}


class RaceForecast:
    """The states of all mages in the race, as one of them sees them. `worth` returns that mage's lead over the
    others."""

    def __init__(self, deck: Deck, race: SeatRace) -> None:
        self.me = race.seat
        self.runners = {mage.seat: MageForecast(deck, mage, race.surge) for mage in race.mages}

    def lead_value(self) -> float:
        others = [runner.position_value() for seat, runner in self.runners.items() if seat != self.me]
        return self.runners[self.me].position_value() - 0.8 * max(others) - 0.2 * sum(others) / len(others)

    def apply_spell(self, kind: CardKind, caster: int, at: int) -> None:
        """Applies a spell's effects as the rules do, except that a limb which the rules draw at random is guessed."""
        if kind.counters:
            under = self.runners[at if kind.on_target else caster]
            if under is self.runners[caster] or not under.is_shielded():
                under.lasting.append((kind, kind.counters))
        for effect in kind.effects:
            for seat in self._who(effect, caster, at):
                runner = self.runners[seat]
                if seat == caster or not runner.is_shielded():
                    runner.apply_change(effect.verb, effect.amount, own_turn=seat == caster)
        self.runners[caster].apply_surge()

    def _who(self, effect: Effect, caster: int, at: int) -> list[int]:
        if effect.who == "you":
            return [caster]
        if effect.who == "them":
            return [at] if at else []
        return [seat for seat in self.runners if effect.who == "all" or seat != caster]


def missing_limbs(mage: MageView) -> int:
    """Returns the kinds of limb of which the mage has none left, as the bits ARM and LEG."""
    return (0 if mage.arms else ARM) | (0 if mage.legs else LEG)
