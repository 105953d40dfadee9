"""The legal actions, and the reasons why other actions are illegal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.api import Action, IllegalAction, Seat
from games.mages_110m import moves
from games.mages_110m.language import _
from games.mages_110m.truth import (
    ACTION,
    AIM,
    ANSWER,
    KING,
    LET_BE,
    LIMIT,
    NO_CARD,
    OVER,
    PRICE,
    RESERVE,
    WAITING,
    MageState,
    RaceTruth,
)

PRICE_CARDS = 2
ARM, LEG, STEP, CLEAR, REST, RESERVE_DEED = (1 << place for place in range(len(moves.DEEDS)))


def legal_actions(race: RaceTruth, table: moves.ActionTable, seat: Seat) -> Sequence[Action]:
    """Returns the legal actions of a seat in the current phase. Actions with a card are in the order of the card
    file."""
    phase = race.phase
    if phase == ANSWER:
        mage = race.mages[seat - 1]
        if mage.answer != WAITING:
            return ()
        answers = table.answers[race.deck.kinds[race.spell].is_attack][mage.missing_limbs()]
        found: list[Action] = [moves.LET]
        for card in dict.fromkeys(mage.hand):
            found += answers[card]
        return found
    if seat != race.actor or phase == OVER:
        return ()
    mage = race.mages[seat - 1]
    found = []
    last = NO_CARD
    if phase == ACTION:
        casts = table.casts[seat][mage.missing_limbs()]
        for card in mage.hand:
            if card != last:
                last = card
                found += casts[card]
        if not mage.traded:
            if len(mage.hand) >= PRICE_CARDS:
                found += moves.TRADES[possible_deeds(race, mage)]
            if len(mage.hand) >= race.deck.mages.gamble:
                found.append(moves.GAMBLE)
        found.append(moves.PASS)
        return found
    if phase == KING:
        rows = table.before_king[seat][mage.missing_limbs()]
        for card in mage.hand:
            if card != last:
                last = card
                found += rows[card]
        return found
    if phase == RESERVE:
        return moves.PAY_OR_NOT
    if phase == AIM:
        return table.aims[seat]
    for card in mage.hand:  # in the phases PRICE and LIMIT, any card may be discarded
        if card != last:
            last = card
            found.append(table.drops[card])
    return found


def possible_deeds(race: RaceTruth, mage: MageState) -> int:
    """Returns the deeds that would have an effect, as bits in the order of DEEDS. A step that would cross the finish
    line is not possible (rules 4.8 and 5.8)."""
    deck = race.deck
    figures = deck.mages
    hurdle = mage.hurdles >> mage.square & 1
    deeds = CLEAR | RESERVE_DEED if hurdle else RESERVE_DEED
    if mage.arms < figures.arms:
        deeds |= ARM
    if mage.legs < figures.legs:
        deeds |= LEG
    if mage.square < deck.track.squares and (not hurdle or mage.is_floating(deck)):
        deeds |= STEP
    if mage.endurance < figures.endurance:
        deeds |= REST
    return deeds


def possible_answers(race: RaceTruth, mage: MageState) -> list[int]:
    """Returns the possible answers of a mage to the current spell: LET_BE, and each counter-spell in its hand that
    fits."""
    fits = race.deck.answering[race.deck.kinds[race.spell].is_attack][mage.missing_limbs()]
    return [LET_BE, *[card for card in dict.fromkeys(mage.hand) if fits[card]]]


def illegal_reason(race: RaceTruth, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns the reason why an action is illegal now; None if it is legal. The result depends only on the seat's hand
    and public facts."""
    if not 1 <= seat <= race.seats:
        return IllegalAction("not_your_turn", _("There is no seat {seat} at this table.", seat=seat))
    mage = race.mages[seat - 1]
    phase = race.phase
    if phase == OVER or (mage.answer != WAITING if phase == ANSWER else seat != race.actor):
        return IllegalAction("not_your_turn", _("It is not your turn to decide."))
    return _WHY_NOT[type(action)](race, mage, action)


def _wrong_moment(text: str) -> IllegalAction:
    return IllegalAction("wrong_moment", text)


def _card(race: RaceTruth, mage: MageState, name: str) -> int:
    """Returns the index of a card that is in the mage's hand; NO_CARD if it is not."""
    card = race.deck.index.get(name, NO_CARD)
    return card if card in mage.hand else NO_CARD


def _why_no_cast(race: RaceTruth, mage: MageState, action: moves.Cast) -> IllegalAction | None:
    if race.phase not in (ACTION, KING):
        return _wrong_moment(_("You can cast a spell only as the action of your turn."))
    card = _card(race, mage, action.card)
    if card == NO_CARD:
        return IllegalAction("not_in_hand", _("You do not have the card {card!r}.", card=action.card))
    kind = race.deck.kinds[card]
    if kind.is_counter:
        return IllegalAction("is_counter", _("A counter-spell only answers a spell of an opponent."))
    if kind.needs & mage.missing_limbs():
        return IllegalAction("missing_limb", _("You do not have the limb that this spell needs."))
    if kind.is_attack:
        return _why_no_target(race, mage, action.at)
    if action.at:
        return IllegalAction("no_target", _("This spell has no target."))
    return None


def _why_no_target(race: RaceTruth, mage: MageState, at: Seat) -> IllegalAction | None:
    if at == mage.seat or not 1 <= at <= race.seats:
        return IllegalAction("bad_target", _("Aim at the seat of an opponent."))
    return None


def _why_no_drop(race: RaceTruth, mage: MageState, action: moves.Drop) -> IllegalAction | None:
    if race.phase not in (PRICE, LIMIT, KING):
        return _wrong_moment(_("There is no card to discard now."))
    card = _card(race, mage, action.card)
    if card == NO_CARD:
        return IllegalAction("not_in_hand", _("You do not have the card {card!r}.", card=action.card))
    if race.phase == KING and not race.deck.kinds[card].needs & mage.missing_limbs():
        return IllegalAction("must_cast", _("In front of the king you must cast what you can cast."))
    return None


def _why_no_counter(race: RaceTruth, mage: MageState, action: moves.Counter) -> IllegalAction | None:
    if race.phase != ANSWER:
        return _wrong_moment(_("There is no spell to answer now."))
    card = _card(race, mage, action.card)
    if card == NO_CARD:
        return IllegalAction("not_in_hand", _("You do not have the card {card!r}.", card=action.card))
    kind = race.deck.kinds[card]
    if not kind.is_counter:
        return IllegalAction("no_counter", _("This card is not a counter-spell."))
    if kind.needs & mage.missing_limbs():
        return IllegalAction("missing_limb", _("You do not have the limb that this spell needs."))
    if kind.only_attacks and not race.deck.kinds[race.spell].is_attack:
        return IllegalAction("no_attack", _("This card answers only spells that are aimed at a mage."))
    return None


def _why_no_trade(race: RaceTruth, mage: MageState, action: moves.Trade) -> IllegalAction | None:
    why = _why_no_discard_action(race, mage, PRICE_CARDS)
    if why is None and not possible_deeds(race, mage) >> moves.DEEDS.index(action.deed) & 1:
        why = IllegalAction("useless_deed", _("That deed would have no effect now, or it would cross the line."))
    return why


def _why_no_discard_action(race: RaceTruth, mage: MageState, cards: int) -> IllegalAction | None:
    if race.phase != ACTION:
        return _wrong_moment(_("You can take a discard action only as the action of your turn."))
    if mage.traded:
        return IllegalAction("twice_in_a_row", _("You took a discard action last turn; you cannot take two in a row."))
    if len(mage.hand) < cards:
        return IllegalAction("few_cards", _("That takes at least {cards} cards in your hand.", cards=cards))
    return None


def _why_no_aim(race: RaceTruth, mage: MageState, action: moves.Aim) -> IllegalAction | None:
    if race.phase != AIM:
        return _wrong_moment(_("There is no spell to aim now."))
    return _why_no_target(race, mage, action.at)


def _why_no_let_be(race: RaceTruth, mage: MageState, action: moves.LetBe) -> IllegalAction | None:
    return None if race.phase == ANSWER else _wrong_moment(_("There is no spell to answer now."))


def _why_no_pass(race: RaceTruth, mage: MageState, action: moves.Pass) -> IllegalAction | None:
    return None if race.phase == ACTION else _wrong_moment(_("You can pass only when it is time for your action."))


def _why_no_pay(race: RaceTruth, mage: MageState, action: moves.Pay | moves.Fizzle) -> IllegalAction | None:
    return None if race.phase == RESERVE else _wrong_moment(_("There is no roll to pay for now."))


def _why_no_gamble(race: RaceTruth, mage: MageState, action: moves.Gamble) -> IllegalAction | None:
    return _why_no_discard_action(race, mage, race.deck.mages.gamble)


# For each kind of action: the function that returns the reason why the action is illegal now.
_WHY_NOT: dict[type[Action], Callable[[RaceTruth, MageState, Any], IllegalAction | None]] = {
    moves.Cast: _why_no_cast,
    moves.LetBe: _why_no_let_be,
    moves.Counter: _why_no_counter,
    moves.Drop: _why_no_drop,
    moves.Trade: _why_no_trade,
    moves.Gamble: _why_no_gamble,
    moves.Pass: _why_no_pass,
    moves.Aim: _why_no_aim,
    moves.Pay: _why_no_pay,
    moves.Fizzle: _why_no_pay,
}
