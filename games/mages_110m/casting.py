"""Casting a spell: its cost, the die, the reserve, the opponents' answers, and its effects."""

from __future__ import annotations

from games.api import Seat
from games.mages_110m import events
from games.mages_110m.addressed_events import cast_event, no_answers_event, rolled_event
from games.mages_110m.drawing import turn_up_spell
from games.mages_110m.effects import apply_effects, change_endurance, change_power, change_reserve
from games.mages_110m.running import charge_mage
from games.mages_110m.truth import (
    AIM,
    ANSWER,
    CAST_DONE,
    KING,
    LET_BE,
    LIMIT,
    NEXT_BEFORE_KING,
    NO_CARD,
    NOT_ASKED,
    OVER,
    RESERVE,
    WAITING,
    MageState,
    RaceTruth,
)


def cast_spell(race: RaceTruth, mage: MageState, card: int, at: Seat) -> None:
    """Puts a spell into play: changes endurance and power, then rolls the die if the card needs a roll (rule 4.2)."""
    kind = race.deck.kinds[card]
    race.spell, race.spell_at, race.missing = card, at, 0
    race.told.append(cast_event(mage.seat, kind.name, at))
    if kind.endurance:
        change_endurance(race, mage, kind.endurance)
    if kind.power:
        change_power(race, mage, kind.power)
    if kind.roll and not race.gambled:
        _roll(race, mage, kind.roll)
    else:
        _about_to_take_effect(race, mage)


def _roll(race: RaceTruth, mage: MageState, need: int) -> None:
    """Rolls the die for a spell, which needs the number `need` or more (rules 4.3 and 6.2)."""
    bonus = mage.roll_bonus(race.deck)
    die = race.chance.roll("die")
    race.told.append(rolled_event(mage.seat, die, bonus, need))
    race.missing = max(0, need - die - bonus)
    if not race.missing:
        _about_to_take_effect(race, mage)
    elif race.missing <= mage.reserve:
        race.phase = RESERVE
    else:
        discard_failed_spell(race, mage)


def pay_roll(race: RaceTruth, mage: MageState) -> None:
    """Pays the missing points of the roll from the reserve (rule 4.4)."""
    mage.reserve = mage.reserve - race.missing
    mage.invalidate_view()
    race.missing = 0
    race.add_event_to_all(events.Paid(mage.seat, mage.reserve))
    _about_to_take_effect(race, mage)


def discard_failed_spell(race: RaceTruth, mage: MageState) -> None:
    """Discards a spell that failed. Its mage gains a reserve token (rule 4.5)."""
    race.add_event_to_all(events.Failed(mage.seat, race.deck.names[race.spell]))
    race.discard.append(race.spell)
    change_reserve(race, mage, 1)
    race.phase = CAST_DONE


def _about_to_take_effect(race: RaceTruth, mage: MageState) -> None:
    """Asks every opponent with a card in hand for an answer, whether or not it has a counter-spell, because that is
    secret (rule 8.1)."""
    if race.king_reigns:
        _take_effect(race, mage)
        return
    asked = False
    for other in race.mages:
        if other is not mage and other.hand:
            other.answer, asked = WAITING, True
    if asked:
        race.phase = ANSWER
    else:
        _take_effect(race, mage)


def record_answer(race: RaceTruth, mage: MageState, card: int) -> None:
    """Records the answer of an opponent, which stays secret until the last opponent has answered.

    Then the first counter-spell clockwise from the caster is played. The counter-spells in other answers stay in their
    hands (rules 8.2 to 8.4).
    """
    mage.answer = card
    for other in race.mages:
        if other.answer == WAITING:
            return
    caster = race.mages[race.actor - 1]
    countering, played = None, LET_BE
    for other in race.opponents(caster.seat):
        if countering is None and other.answer > LET_BE:
            countering, played = other, other.answer
        other.answer = NOT_ASKED
    names = race.deck.names
    if countering is None:
        race.told.append(no_answers_event(caster.seat, names[race.spell]))
        _take_effect(race, caster)
    else:
        race.add_event_to_all(events.Answers(caster.seat, names[race.spell], ((countering.seat, names[played]),)))
        _counter(race, caster, countering, played)


def _counter(race: RaceTruth, caster: MageState, countering: MageState, card: int) -> None:
    kind = race.deck.kinds[card]
    race.take_from_hand(countering, card)
    race.discard.append(race.spell)
    race.spell, race.spell_at = NO_CARD, 0
    if kind.endurance:
        change_endurance(race, countering, kind.endurance)
    if kind.power:
        change_power(race, countering, kind.power)
    apply_effects(race, kind.effects, countering, caster, card)
    race.discard.append(card)
    if race.phase != OVER:
        race.phase = CAST_DONE


def _take_effect(race: RaceTruth, mage: MageState) -> None:
    """Carries out the effects of the current spell. A lasting spell stays in front of a mage; other spells are
    discarded (rules 4.6 and 4.7)."""
    card = race.spell
    kind = race.deck.kinds[card]
    target = race.mages[race.spell_at - 1] if race.spell_at else None
    if kind.counters:
        _lie_down(race, mage, race.mages[race.spell_at - 1] if kind.on_target else mage, card)
    apply_effects(race, kind.effects, mage, target, card)
    if race.phase == OVER:
        return
    if not kind.counters:
        race.discard.append(card)
    race.phase = CAST_DONE


def _lie_down(race: RaceTruth, mage: MageState, under: MageState, card: int) -> None:
    kind = race.deck.kinds[card]
    race.spell, race.spell_at = NO_CARD, 0  # set now, because the spell's effects may end the race
    if under is not mage and under.is_shielded(race.deck):
        race.add_event_to_all(events.Bounced(under.seat, kind.name))
        race.discard.append(card)
        return
    asleep = race.king_reigns and kind.shield
    under.lasting.append((card, kind.counters, asleep))
    race.asleep |= asleep
    under.invalidate_view()
    race.add_event_to_all(events.Lies(under.seat, kind.name, kind.counters))


def finish_cast(race: RaceTruth) -> None:
    """Ends the cast of a spell: surges (rule 6.4), then continues with the next card before the king, or with the hand
    limit."""
    mage = race.mages[race.actor - 1]
    race.spell, race.spell_at, race.missing, race.gambled = NO_CARD, 0, 0, False
    surge_mage(race, mage)
    if race.phase == OVER:
        return
    if race.king_reigns:
        race.phase = KING if mage.hand else NEXT_BEFORE_KING
    else:
        race.phase = LIMIT


def surge_mage(race: RaceTruth, mage: MageState) -> None:
    """Moves the mage through the next hurdle if its power reached the figure `surge` during the spell (rule 6.4)."""
    if race.surging:
        race.surging = False
        race.add_event_to_all(events.Surged(mage.seat))
        if race.options.surge == "spent":
            change_power(race, mage, -mage.power)
        charge_mage(race, mage, 1)


def gamble_hand(race: RaceTruth, mage: MageState) -> None:
    """Discards the hand and casts the top spell of the pile (rules 4.11 and 4.12)."""
    names = race.deck.names
    dropped = mage.hand.copy()
    for card in dropped:
        race.take_from_hand(mage, card)
        race.discard.append(card)
    race.traded_now = race.gambled = True
    race.add_event_to_all(events.Gambled(mage.seat, tuple([names[card] for card in dropped])))
    card = turn_up_spell(race, mage.seat)  # the pile has a spell: at least one of the cards just discarded
    if race.phase == OVER:
        return
    kind = race.deck.kinds[card]
    if kind.is_counter or kind.needs & mage.missing_limbs():
        race.add_event_to_all(events.Failed(mage.seat, kind.name))
        race.discard.append(card)
        race.phase = CAST_DONE
    elif kind.is_attack and race.seats > 2:
        race.spell, race.phase = card, AIM
    else:
        cast_spell(race, mage, card, 3 - mage.seat if kind.is_attack else 0)
