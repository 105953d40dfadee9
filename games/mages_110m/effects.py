"""The effects of spells: on movement, hurdles, endurance, power, limbs and cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.mages_110m import events
from games.mages_110m.addressed_events import figure_changed_event
from games.mages_110m.cards import Effect
from games.mages_110m.drawing import draw_cards
from games.mages_110m.running import advance_mage, charge_mage, move_back, raise_hurdles, smash_hurdles
from games.mages_110m.truth import OVER, MageState, RaceTruth


def apply_effects(
    race: RaceTruth, effects: Sequence[Effect], caster: MageState, target: MageState | None, card: int
) -> None:
    """Carries out effects in the order of the card.

    Effects skip other mages that are protected. They stop when a mage crosses the finish line (rule 4.6).
    """
    bounced: list[MageState] = []
    for effect in effects:
        for mage in _who(race, effect.who, caster, target):
            if mage is not caster and mage.lasting and mage.is_shielded(race.deck):
                if mage not in bounced:
                    bounced.append(mage)
                    race.add_event_to_all(events.Bounced(mage.seat, race.deck.names[card]))
                continue
            DOING[effect.verb](race, mage, effect.amount)
            if race.phase == OVER:
                return


def _who(race: RaceTruth, who: str, caster: MageState, target: MageState | None) -> Sequence[MageState]:
    if who == "you":
        return (caster,)
    if who == "them":
        return (target,) if target is not None else ()
    return race.mages_from_seat(caster.seat) if who == "all" else race.opponents(caster.seat)


def change_endurance(race: RaceTruth, mage: MageState, by: int) -> None:
    """Changes a mage's endurance by `by`, to at least 0 and at most its value at the start (rule 6.1)."""
    now = min(max(mage.endurance + by, 0), race.deck.mages.endurance)
    if now != mage.endurance:
        mage.endurance = now
        mage.invalidate_view()
        race.told.append(figure_changed_event(mage.seat, "endurance", now))


def change_power(race: RaceTruth, mage: MageState, by: int) -> None:
    """Changes a mage's power by `by`, to at least 0. If it reaches the figure `surge` in the mage's own turn, the mage
    surges after the spell (rules 6.3 and 6.4)."""
    now = max(mage.power + by, 0)
    if now == mage.power:
        return
    if now >= max(mage.power, race.deck.mages.surge) and mage.seat == race.actor:
        race.surging = True
    mage.power = now
    mage.invalidate_view()
    race.told.append(figure_changed_event(mage.seat, "power", now))


def change_reserve(race: RaceTruth, mage: MageState, by: int) -> None:
    now = max(mage.reserve + by, 0)
    if now != mage.reserve:
        mage.reserve = now
        mage.invalidate_view()
        race.told.append(figure_changed_event(mage.seat, "reserve", now))


def change_arms(race: RaceTruth, mage: MageState, by: int) -> None:
    now = min(max(mage.arms + by, 0), race.deck.mages.arms)
    if now != mage.arms:
        mage.arms = now
        mage.invalidate_view()
        race.told.append(figure_changed_event(mage.seat, "arms", now))


def change_legs(race: RaceTruth, mage: MageState, by: int) -> None:
    now = min(max(mage.legs + by, 0), race.deck.mages.legs)
    if now != mage.legs:
        mage.legs = now
        mage.invalidate_view()
        race.told.append(figure_changed_event(mage.seat, "legs", now))


def _limb(race: RaceTruth, mage: MageState, amount: int) -> None:
    limbs = mage.arms + mage.legs
    if not limbs:
        return
    if race.chance.below("limb", limbs) < mage.arms:
        race.add_event_to_all(events.LimbLot(mage.seat, "arm"))
        change_arms(race, mage, -amount)
    else:
        race.add_event_to_all(events.LimbLot(mage.seat, "leg"))
        change_legs(race, mage, -amount)


def _mislay(race: RaceTruth, mage: MageState, amount: int) -> None:
    picked = []
    for _ in range(min(amount, len(mage.hand))):
        card = mage.hand[race.chance.below("mislay", len(mage.hand))]
        race.take_from_hand(mage, card)
        race.discard.append(card)
        picked.append(race.deck.names[card])
    if picked:
        race.add_event_to_all(events.Mislaid(mage.seat, tuple(picked)))


def _daze(race: RaceTruth, mage: MageState, _amount: int) -> None:
    if not mage.dazed:
        mage.dazed = True
        mage.invalidate_view()
        race.add_event_to_all(events.Dazed(mage.seat))


def _dispel(race: RaceTruth, mage: MageState, _amount: int) -> None:
    for card, _counters, _asleep in mage.lasting:
        race.discard.append(card)
        race.add_event_to_all(events.Ended(mage.seat, race.deck.names[card]))
    mage.lasting = []
    mage.invalidate_view()


DOING: dict[str, Callable[[RaceTruth, MageState, int], None]] = {
    "advance": advance_mage,
    "charge": charge_mage,
    "back": move_back,
    "smash": smash_hurdles,
    "raise": raise_hurdles,
    "endurance": change_endurance,
    "power": change_power,
    "reserve": change_reserve,
    "arm": change_arms,
    "leg": change_legs,
    "limb": _limb,
    "draw": draw_cards,
    "mislay": _mislay,
    "daze": _daze,
    "dispel": _dispel,
}
