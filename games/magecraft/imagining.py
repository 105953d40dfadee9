"""Another truth that a seat cannot tell from the present one: bags and hidden hands are dealt anew."""

from __future__ import annotations

from games.api import Seat
from games.chance import Chance
from games.magecraft.mage import KINDS, Mage
from games.magecraft.payment import forced_gems
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import PAY


def redeal(truth: MagecraftTruth, observer: Seat | None, chance: Chance) -> None:
    """Changes the truth, which must be a copy."""
    turn = truth.turn
    truth.chance = chance.fork("draws to come")
    for mage in truth.mages:
        if mage.seat == observer:
            mage.bag = chance.shuffle("bag", mage.bag)  # a mage knows what its bag holds, but not in which order
            continue
        _deal_hidden(mage, chance)
        # Everybody knows that a mage who is asked for a gem has a choice (rule 8.4).
        while turn.phase == PAY and mage.seat == turn.seat and forced_gems(turn, mage):
            _deal_hidden(mage, chance)
    if turn.seat != observer:
        truth.touch()


def _deal_hidden(mage: Mage, chance: Chance) -> None:
    """What the others do not know: which of the hidden gems are in hand, and the order of the bag."""
    unknown = [gem for gem in range(KINDS) for _ in range(mage.hand[gem] - mage.known[gem])]
    mixed = chance.shuffle("hidden", unknown + mage.bag)
    mage.hand = mage.known[:]
    for gem in mixed[: len(unknown)]:
        mage.hand[gem] += 1
    mage.bag = mixed[len(unknown) :]
    mage.touch(openly=False)
