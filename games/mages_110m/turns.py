"""The phases of a turn, the discard action, the king, and the next turn."""

from __future__ import annotations

from collections.abc import Callable

from games.api import Seat
from games.mages_110m import events, moves
from games.mages_110m.addressed_events import counter_removed_event, discarded_event
from games.mages_110m.casting import finish_cast, surge_mage
from games.mages_110m.drawing import draw_for_turn
from games.mages_110m.effects import apply_effects, change_arms, change_endurance, change_legs, change_reserve
from games.mages_110m.legal import PRICE_CARDS
from games.mages_110m.running import advance_mage, smash_hurdles
from games.mages_110m.truth import (
    ACTION,
    BEGIN,
    CAST_DONE,
    KING,
    LIMIT,
    NEXT_BEFORE_KING,
    NO_CARD,
    OVER,
    PRICE,
    UPKEEP,
    MageState,
    RaceTruth,
)

RESERVE_GAIN = 2


def play_to_decision(race: RaceTruth) -> None:
    """Plays on until a mage has to decide or the race is over."""
    while True:
        phase = race.phase
        if phase == LIMIT:
            mage = race.mages[race.turn_of - 1]
            if race.king_called_by:
                _king_comes(race, race.king_called_by, LIMIT)
            elif len(mage.hand) > race.deck.mages.hand:
                return
            else:
                _turn_is_done(race)
        elif step := GOING_ON.get(phase):
            step(race)
        else:
            return


def _begin(race: RaceTruth) -> None:
    """Begins a turn and draws the cards for it (rules 3.1 to 3.5, 4.13 and 9.5)."""
    mage = race.mages[race.turn_of - 1]
    race.turn += 1
    race.actor = mage.seat
    race.traded_now = False
    race.add_event_to_all(events.Began(mage.seat, race.turn))
    if race.asleep:
        _wake_protections(race, mage)
    dazed, mage.dazed = mage.dazed, False
    mage.invalidate_view()  # also for the cards that the mage draws next
    race.may_act = draw_for_turn(race, mage) and not dazed
    if race.phase == OVER:
        return
    if race.king_card != NO_CARD:
        _king_comes(race, mage.seat, UPKEEP)
    else:
        race.phase = UPKEEP


def _wake_protections(race: RaceTruth, mage: MageState) -> None:
    for other in race.opponents(mage.seat):
        other.lasting = [(card, counters, False) for card, counters, _ in other.lasting]
        other.invalidate_view()
    race.asleep = any(asleep for _, _, asleep in mage.lasting)


def _upkeep(race: RaceTruth) -> None:
    """Carries out the upkeep of a turn, then continues with its action (rules 3.7 and 3.8)."""
    mage = race.mages[race.turn_of - 1]
    if mage.lasting:
        _tick(race, mage)
        if race.phase == OVER:
            return
    race.phase = ACTION if race.may_act and mage.hand else LIMIT


def _tick(race: RaceTruth, mage: MageState) -> None:
    """Removes a counter from each lasting spell in front of the mage and carries out its effects, each with its surge
    (rule 6.4).

    A protection that is asleep only loses a counter (rule 9.5).
    """
    names, kinds = race.deck.names, race.deck.kinds
    mage.invalidate_view()
    place = 0
    while place < len(mage.lasting):
        card, counters, asleep = mage.lasting[place]
        if not counters:
            del mage.lasting[place]
            race.discard.append(card)
            race.add_event_to_all(events.Ended(mage.seat, names[card]))
            continue
        mage.lasting[place] = (card, counters - 1, asleep)
        place += 1
        race.told.append(counter_removed_event(mage.seat, names[card], counters - 1))
        if not asleep:
            apply_effects(race, kinds[card].each, mage, None, card)
        if race.phase != OVER:
            surge_mage(race, mage)
        if race.phase == OVER:
            return


def _turn_is_done(race: RaceTruth) -> None:
    mage = race.mages[race.turn_of - 1]
    if mage.traded != race.traded_now:
        mage.traded = race.traded_now
        mage.invalidate_view()
    if race.turn == race.deck.mages.turns:
        race.end_race(crossed=False)
        return
    race.turn_of = race.turn_of % race.seats + 1
    race.phase = BEGIN


# --- The discard action ---


def begin_trade(race: RaceTruth, mage: MageState, deed: moves.Deed) -> None:
    """Begins a discard action. The mage first discards the price, and then gets the deed (rules 4.8 and 4.9)."""
    race.deed, race.price, race.traded_now = deed, PRICE_CARDS, True
    race.phase = PRICE
    race.add_event_to_all(events.Traded(mage.seat, deed))


def drop_card(race: RaceTruth, mage: MageState, card: int) -> None:
    """Discards a card: as part of a price, above the hand limit, or before the king (rules 4.8, 3.9 and 9.3)."""
    race.take_from_hand(mage, card)
    race.discard.append(card)
    race.told.append(discarded_event(mage.seat, race.deck.names[card]))
    if race.phase == KING:
        if not mage.hand:
            race.phase = NEXT_BEFORE_KING
    elif race.phase == PRICE:
        race.price -= 1
        if not race.price:
            _do_deed(race, mage)


def _do_deed(race: RaceTruth, mage: MageState) -> None:
    deed, race.deed, race.phase = race.deed, None, LIMIT
    match deed:
        case "arm":
            change_arms(race, mage, 1)
        case "leg":
            change_legs(race, mage, 1)
        case "step":
            advance_mage(race, mage, 1)
        case "clear":
            smash_hurdles(race, mage, 1)
        case "rest":
            change_endurance(race, mage, race.deck.mages.endurance)
        case "reserve":
            change_reserve(race, mage, RESERVE_GAIN)


# --- The bored king ---


def _king_comes(race: RaceTruth, first: Seat, then: str) -> None:
    """Begins the visit of the king: all mages play their whole hands, from `first` on. The turn then continues with the
    phase `then` (rule 9.1)."""
    race.king_reigns, race.king_called_by, race.after_king = True, 0, then
    race.king_queue, race.bared = [mage.seat for mage in race.mages_from_seat(first)], 0
    race.phase = NEXT_BEFORE_KING
    race.add_event_to_all(events.KingCame(first))


def _next_before_king(race: RaceTruth) -> None:
    """Continues with the next mage that plays before the king, or ends the visit of the king (rules 9.2 and 9.6)."""
    if not race.king_queue:
        _king_leaves(race)
        return
    seat = race.king_queue.pop(0)
    race.bared |= 1 << seat
    mage = race.mages[seat - 1]
    if not mage.hand:
        return
    kinds, names = race.deck.kinds, race.deck.names
    dropped = [card for card in mage.hand if kinds[card].is_counter]
    for card in dropped:
        race.take_from_hand(mage, card)
        race.discard.append(card)
    race.actor = seat
    race.add_event_to_all(events.Bared(seat, tuple([names[card] for card in dropped])))
    if mage.hand:
        race.phase = KING


def _king_leaves(race: RaceTruth) -> None:
    race.discard.append(race.king_card)
    race.king_card, race.king_reigns = NO_CARD, False
    race.actor = race.turn_of
    race.phase = race.after_king
    race.add_event_to_all(events.KingLeft())


GOING_ON: dict[str, Callable[[RaceTruth], None]] = {
    BEGIN: _begin,
    UPKEEP: _upkeep,
    CAST_DONE: finish_cast,
    NEXT_BEFORE_KING: _next_before_king,
}
