"""Another truth that a seat cannot tell from the present one: the cards that it does not see are dealt anew."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Seat
from games.chance import Chance
from games.mages_110m.legal import possible_answers
from games.mages_110m.truth import LET_BE, RaceTruth


def redeal(race: RaceTruth, seat: Seat | None, chance: Chance) -> RaceTruth:
    """Deals the pile and the unseen hands anew. What everybody knows of them stays true: a hand holds no CV and no
    king, and a mage that has stood before the king holds no counter-spell. Secret answers and all draws to come are
    new as well."""
    other = race.clone()
    other.chance = chance.fork("race")
    hidden = [mage for mage in other.mages if mage.seat != seat]
    mixed = chance.shuffle("cards", [card for mage in hidden for card in mage.hand] + other.pile)
    bared = race.bared if race.king_reigns else 0
    for mage in sorted(
        hidden, key=lambda mage: not bared >> mage.seat & 1
    ):  # bared hands may hold less: they come first
        fits = race.deck.is_spell if bared >> mage.seat & 1 else race.deck.in_hand
        mage.hand, mixed = _picked(mixed, len(mage.hand), fits)
        if mage.answer >= LET_BE:
            mage.answer = chance.choice("answer", possible_answers(other, mage))
    other.pile = mixed
    return other


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
