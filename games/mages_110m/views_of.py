"""Builds views: the public race, and the hand of one seat."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from games.api import Seat
from games.mages_110m import views
from games.mages_110m.cards import Deck
from games.mages_110m.truth import ANSWER, LET_BE, NO_CARD, OVER, UPKEEP, WAITING, MageState, RaceTruth

NOBODY: tuple[Seat, ...] = ()


def view_of(race: RaceTruth, seat: Seat | None) -> views.Race | views.SeatRace:
    """Returns the public view of the race. The view of a seat also has its hand and its answer (rules 8.2 and 10.1)."""
    names = race.deck.names
    discard = race.discard_seen
    if len(discard) != len(race.discard):
        discard = race.discard_seen = discard + tuple([names[card] for card in race.discard[len(discard) :]])
    mages = tuple([mage.seen or _seen(race.deck, mage) for mage in race.mages])
    spell = (
        ()
        if race.spell == NO_CARD
        else (views.CurrentSpell(race.actor, names[race.spell], race.spell_at, race.missing),)
    )
    deed = () if race.deed is None else (race.deed,)
    king = (race.actor, *race.king_queue) if race.king_reigns else NOBODY
    phase = cast(views.Phase, race.phase)
    squares = race.deck.track.squares
    if seat is None:
        return views.Race(
            phase, race.turn, race.turn_of, seats_to_move(race), mages, spell, deed, king, len(race.pile), discard,
            race.counts, squares, race.options.surge,
        )  # fmt: skip
    mine = race.mages[seat - 1]
    hand = tuple([names[card] for card in mine.hand])
    answer = ("let_be" if mine.answer == LET_BE else names[mine.answer],) if mine.answer >= LET_BE else ()
    return views.SeatRace(
        phase, race.turn, race.turn_of, seats_to_move(race), mages, spell, deed, king, len(race.pile), discard,
        race.counts, squares, race.options.surge, seat, hand, answer,
    )  # fmt: skip


def knowledge_of(race: RaceTruth, seat: Seat | None) -> views.RaceKnowledge:
    """Returns the view together with everything else that follows from the events that the seat received."""
    names, kept = race.deck.names, [mage.kept for mage in race.mages]
    reigns = race.king_reigns
    return views.RaceKnowledge(
        view_of(race, seat),
        race.price,
        race.may_act,
        race.traded_now,
        race.surging,
        race.king_called_by,
        reigns and race.after_king == UPKEEP,
        tuple([mage.seat for mage in race.mages if reigns and race.bared >> mage.seat & 1]),
        tuple([len(cards) for cards in kept]),
        tuple([names[card] for card in sorted([card for cards in kept for card in cards])]),
        () if seat is None else tuple([names[card] for card in kept[seat - 1]]),
    )


def seats_to_move(race: RaceTruth) -> tuple[Seat, ...]:
    """Returns the seats that have to decide: in the phase ANSWER, those that have not answered yet; () when the race is
    over."""
    if race.phase == OVER:
        return NOBODY
    if race.phase == ANSWER:
        return tuple([mage.seat for mage in race.mages if mage.answer == WAITING])
    return (race.actor,)


@lru_cache(maxsize=10_000)
def _standing(hurdles: tuple[int, ...], bits: int) -> tuple[int, ...]:
    """Returns the hurdles that still stand in a lane. Bit n of `bits` is set if the hurdle behind square n stands."""
    return tuple([square for square in hurdles if bits >> square & 1])


def _seen(deck: Deck, mage: MageState) -> views.MageView:
    names = deck.names
    mage.seen = views.MageView(
        mage.seat,
        mage.square,
        _standing(deck.track.hurdles, mage.hurdles),
        mage.arms,
        mage.legs,
        mage.endurance,
        mage.power,
        mage.reserve,
        len(mage.hand),
        tuple([names[card] for card in mage.cvs]) if mage.cvs else (),
        tuple([views.LastingSpell(names[card], counters, asleep) for card, counters, asleep in mage.lasting])
        if mage.lasting
        else (),
        mage.traded,
        mage.dazed,
    )
    return mage.seen
