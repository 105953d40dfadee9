"""Who sees what: views built from nothing, and other truths that a seat cannot tell from the present one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from games.api import Seat
from games.chance import Chance
from games.mages_110m import moves
from games.mages_110m.cards import Deck
from games.mages_110m.race import ANSWER, LET_BE, WAITING, RaceTruth, Runner

NOBODY: tuple[Seat, ...] = ()


def look(race: RaceTruth, seat: Seat | None, to_move: tuple[Seat, ...]) -> moves.Race | moves.SeatRace:
    """Rules 8.2 and 10.1: what everybody sees; for a seat also its hand and its answer."""
    names = race.deck.names
    discard = race.discard_seen
    if discard is None:
        discard = race.discard_seen = tuple([names[card] for card in race.discard])
    mages = tuple([mage.seen or _seen(race.deck, mage) for mage in race.mages])
    spell = () if race.spell < 0 else (moves.Spell(race.actor, names[race.spell], race.spell_at, race.missing),)
    deed = () if race.deed is None else (race.deed,)
    king = (race.actor, *race.king_queue) if race.king_reigns else NOBODY
    phase = cast(moves.Phase, race.phase)
    squares = race.deck.track.squares
    if seat is None:
        return moves.Race(
            phase, race.turn, race.turn_of, to_move, mages, spell, deed, king, len(race.pile), discard, race.counts,
            squares,
        )  # fmt: skip
    mine = race.mages[seat - 1]
    hand = tuple([names[card] for card in mine.hand])
    answer = ("let_be" if mine.answer == LET_BE else names[mine.answer],) if mine.answer >= LET_BE else ()
    return moves.SeatRace(
        phase, race.turn, race.turn_of, to_move, mages, spell, deed, king, len(race.pile), discard, race.counts,
        squares, seat, hand, answer,
    )  # fmt: skip


def _seen(deck: Deck, mage: Runner) -> moves.Mage:
    names, hurdles = deck.names, mage.hurdles
    mage.seen = moves.Mage(
        mage.seat,
        mage.square,
        tuple([square for square in deck.track.hurdles if hurdles >> square & 1]),
        mage.arms,
        mage.legs,
        mage.endurance,
        mage.power,
        mage.reserve,
        len(mage.hand),
        tuple([names[card] for card in mage.cvs]),
        tuple([moves.Lasting(names[card], counters, asleep) for card, counters, asleep in mage.lasting]),
        mage.traded,
        mage.dazed,
    )
    return mage.seen


def deal_anew(race: RaceTruth, seat: Seat | None, chance: Chance) -> RaceTruth:
    """Deals the pile and the hands that the seat does not see anew, with what everybody knows about them: a hand holds
    no CV and no king, and whoever has stood before the king holds no counter-spell. Answers that are still secret and
    all draws to come are new as well."""
    other = race.clone()
    other.chance = chance.fork("race")
    hidden = [mage for mage in other.mages if mage.seat != seat]
    mixed = chance.shuffle("cards", [card for mage in hidden for card in mage.hand] + other.pile)
    bared = race.bared if race.king_reigns else 0
    for mage in sorted(hidden, key=lambda mage: not bared >> mage.seat & 1):  # who may hold least is dealt to first
        fits = race.deck.is_spell if bared >> mage.seat & 1 else race.deck.in_hand
        mage.hand, mixed = _picked(mixed, len(mage.hand), fits)
        if mage.answer >= LET_BE:
            mage.answer = chance.choice("answer", possible_answers(other, mage))
    other.pile = mixed
    return other


def possible_answers(race: RaceTruth, mage: Runner) -> list[int]:
    """Letting the spell be, and each counter-spell of the hand that may be played on it."""
    lacks, kinds = mage.lacks(), race.deck.kinds
    attack = kinds[race.spell].is_attack
    found = [LET_BE]
    for card in mage.hand:
        kind = kinds[card]
        if kind.is_counter and card != found[-1] and not kind.needs & lacks and (attack or not kind.only_attacks):
            found.append(card)
    return found


def waiting_seats(race: RaceTruth) -> tuple[Seat, ...]:
    """Who has to decide; for the answers to a spell, those who have not given theirs."""
    if race.phase == ANSWER:
        return tuple([mage.seat for mage in race.mages if mage.answer == WAITING])
    return (race.actor,)


def _picked(mixed: list[int], count: int, fits: Sequence[bool]) -> tuple[list[int], list[int]]:
    """The first cards that fit, as a hand, and the others as they lie."""
    hand: list[int] = []
    rest: list[int] = []
    for place, card in enumerate(mixed):
        if len(hand) == count:
            return sorted(hand), rest + mixed[place:]
        if fits[card]:
            hand.append(card)
        else:
            rest.append(card)
    return sorted(hand), rest
