"""The guide of the search in 110 Metres Mages: a rule of thumb that plays a state on, and an evaluation of the race
after that."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from typing import cast

from bots.sdk import Turn
from bots.thinker.search import Guide
from games.api import Action, State
from games.mages_110m import moves
from games.mages_110m.cards import CardKind, Deck, Effect
from games.mages_110m.rules import RaceState
from games.mages_110m.truth import OVER, MageState, RaceTruth

AHEAD = 6  # how many turns a sampled state is played on before it is evaluated
# The values of things in a race, in squares of the track, measured in matches of house bots:
HURDLE = 0.6  # the cost of each hurdle ahead
POWER, BREATH, RESERVE, CARD, COUNTER = 0.2, 0.02, 0.4, 0.1, 1.1
TIRED, DAZED, LIMB, ON_TURN = 0.5, 1.0, 0.25, 0.8
SHIELD, FLOAT, SURE = 0.12, 0.25, 0.08
EACH = {"advance": 0.7, "charge": 1.5, "back": -0.9, "smash": HURDLE, "raise": -HURDLE}
EACH |= {"power": 1.4 * POWER, "endurance": BREATH, "reserve": RESERVE, "draw": CARD, "mislay": -CARD}
OTHER = {"arm": LIMB, "leg": LIMB, "limb": -LIMB, "daze": -DAZED, "dispel": -0.5}
LINE = 100.0


class RaceGuide(Guide):
    """Plays a sampled state on for AHEAD turns by a rule of thumb, and evaluates the mages' positions after them."""

    def candidate_actions(self, turn: Turn) -> Sequence[Action]:
        return turn.legal

    def refine_sampled_state(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Does nothing: other players do not choose which cards they draw, so a sampled state is used as it is."""

    def rollout_value(self, world: State, turn: Turn, rng: random.Random) -> float:
        state = cast(RaceState, world)
        race = state.race
        last = race.turn + AHEAD
        while race.phase != OVER and race.turn < last:
            seat = min(state.to_move())
            state.apply(seat, _by_thumb(state, seat, rng))
        outcome = state.outcome()
        if outcome is not None:
            return outcome.shares[turn.seat - 1]
        return expected_share(race, turn.seat)


def expected_share(race: RaceTruth, seat: int) -> float:
    """Returns the share of the win that a seat can expect from the positions of all mages."""
    leads = [position_value(race.deck, mage) for mage in race.mages]
    leads[race.turn_of - 1] += ON_TURN
    left = race.deck.track.squares + 1 - max(mage.square for mage in race.mages)
    scale = 1.5 + 0.25 * left
    best = max(leads)
    likely = [exp((lead - best) / scale) for lead in leads]
    return likely[seat - 1] / sum(likely)


def position_value(deck: Deck, mage: MageState) -> float:
    """Returns the number of squares run, plus the value, in squares, of everything that helps or hinders running the
    rest."""
    ahead = (mage.hurdles >> mage.square).bit_count()
    floats = not mage.arms and not mage.legs
    worth = mage.square - HURDLE * ahead * (0.35 if floats else 1.0)
    worth += POWER * min(mage.power, deck.mages.surge) + BREATH * mage.endurance
    worth += RESERVE * min(mage.reserve, 6) + CARD * min(len(mage.hand), deck.mages.hand)
    worth += COUNTER * sum([deck.kinds[card].is_counter for card in mage.hand])
    worth += LIMB * (bool(mage.arms) + bool(mage.legs)) - DAZED * mage.dazed
    if mage.endurance <= deck.mages.tired:
        worth -= TIRED
    for card, counters, _asleep in mage.lasting:
        worth += counters * _each_turn(deck.kinds[card])
    return worth


def _each_turn(kind: CardKind) -> float:
    worth = SHIELD * kind.shield + FLOAT * kind.float + SURE * kind.sure + 0.05 * kind.fresh
    for effect in kind.each:
        worth += EACH.get(effect.verb, 0.0) * effect.amount
    return worth


def _by_thumb(state: RaceState, seat: int, rng: random.Random) -> Action:
    """Returns the action that the rule of thumb values most, with a small random number added to each value."""
    legal = state.legal_actions(seat)
    if len(legal) == 1:
        return legal[0]
    race = state.race
    mage = race.mages[seat - 1]
    best, most = legal[0], -LINE
    for action in legal:
        worth = _glance(race, mage, action) + 0.3 * rng.random()
        if worth > most:
            best, most = action, worth
    return best


def _glance(race: RaceTruth, mage: MageState, action: Action) -> float:
    deck = race.deck
    match action:
        case moves.Cast(card, at):
            return _cast(race, mage, deck.kinds[deck.index[card]], at)
        case moves.Trade(deed):
            return _deed(mage, deed) - 2 * CARD - 0.15
        case moves.Gamble():
            return 0.8 - CARD * len(mage.hand)
        case moves.Drop(card):
            return -_keep(race, mage, deck.kinds[deck.index[card]])
        case moves.Pay():
            foe = race.opponents(mage.seat)[0]
            return _effects(deck, deck.kinds[race.spell], mage, foe) - RESERVE * (race.missing + 1)
        case moves.Counter(card):
            caster = race.mages[race.actor - 1]
            return _effects(deck, deck.kinds[race.spell], caster, mage) - COUNTER
        case moves.Aim(at):
            return position_value(deck, race.mages[at - 1])
    return 0.0


def _cast(race: RaceTruth, mage: MageState, kind: CardKind, at: int) -> float:
    deck = race.deck
    foe = race.mages[at - 1] if at else race.opponents(mage.seat)[0]
    gain = BREATH * kind.endurance - CARD
    if mage.endurance + kind.endurance <= deck.mages.tired < mage.endurance:
        gain -= TIRED
    if kind.power > 0 and mage.power + kind.power >= deck.mages.surge:
        gain += 1 + HURDLE - POWER * mage.power
    else:
        gain += POWER * max(kind.power, -mage.power)
    effects = _effects(deck, kind, mage, foe)
    if not kind.roll:
        return gain + effects
    need = kind.roll - mage.roll_bonus(deck)
    sure = (7 - need + min(mage.reserve, 2) * 0.7) / 6
    sure = min(1.0, max(0.0, sure))
    return gain + sure * effects + (1 - sure) * RESERVE


def _effects(deck: Deck, kind: CardKind, mage: MageState, foe: MageState) -> float:
    """Returns the number of squares that a spell's effects gain for its caster `mage`, minus what they gain for
    `foe`."""
    gain = 0.0
    shielded = bool(foe.lasting) and foe.is_shielded(deck)
    if kind.counters:
        if not kind.on_target:
            gain += kind.counters * _each_turn(kind)
        elif not shielded:
            gain -= kind.counters * _each_turn(kind)
    for effect in kind.effects:
        if effect.who in ("you", "all"):
            gain += _change(deck, mage, effect)
        if effect.who != "you" and not shielded:
            gain -= _change(deck, foe, effect)
    return gain


def _change(deck: Deck, mage: MageState, effect: Effect) -> float:
    verb, amount = effect.verb, effect.amount
    square, track = mage.square, deck.track.squares
    if verb == "advance" or verb == "charge":
        gain = 0.0
        for _ in range(amount):
            if square > track:
                break
            if mage.hurdles >> square & 1:
                if verb == "charge":
                    gain += HURDLE
                elif not mage.is_floating(deck):
                    break
            square += 1
            gain += 1.0
        return gain + (LINE / 5 if square > track else 0.0)
    if verb == "smash":
        return HURDLE * min(amount, (mage.hurdles >> square).bit_count())
    if verb == "back":
        return -float(min(amount, square - 1))
    if verb == "power":
        return POWER * max(amount, -mage.power)
    if verb == "reserve":
        return RESERVE * max(amount, -mage.reserve)
    if verb == "arm" or verb == "leg":
        has = mage.arms if verb == "arm" else mage.legs
        return LIMB * amount if (has < 2 if amount > 0 else has) else 0.0
    if verb == "dispel":
        return -sum([counters * _each_turn(deck.kinds[card]) for card, counters, _ in mage.lasting])
    return OTHER[verb] if verb in OTHER else EACH[verb] * amount


def _deed(mage: MageState, deed: str) -> float:
    match deed:
        case "step":
            return 1.0
        case "clear":
            return HURDLE
        case "reserve":
            return 2 * RESERVE
        case "rest":
            return BREATH * (10 - mage.endurance) + (TIRED if mage.endurance < 3 else 0.0)
    return LIMB if (mage.arms if deed == "arm" else mage.legs) == 0 else LIMB / 3


def _keep(race: RaceTruth, mage: MageState, kind: CardKind) -> float:
    if kind.is_counter:
        return COUNTER
    if kind.needs & mage.missing_limbs():
        return 0.0
    return 0.35 * _cast(race, mage, kind, 0)
