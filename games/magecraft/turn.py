"""The progress of a turn: its phase, the current book, the symbols left to pay and the icons left to use."""

from __future__ import annotations

from games.api import Seat
from games.magecraft.cards import ICONS

SETUP, SPELLS, PAY, ICON, REVISE, OVER, BOARDS = range(7)
PHASES = ("setup", "spells", "pay", "icons", "revise", "over", "boards")

NO_GOLD = -1  # the value of `gold` if there is no golden gem
NOTHING_LIFTED = -1  # the value of `lifted` if no spell is lifted


class TurnProgress:
    """The progress of the current turn. Each match has one such object, which is reset for each turn."""

    __slots__ = (
        "book", "gold", "icons", "innate_used", "keep_next", "lifted", "lifts", "may_master", "phase", "place", "seat",
        "to_discard", "to_pay",
    )  # fmt: skip

    def __init__(self, seat: Seat) -> None:
        self.phase = SETUP
        self.to_discard = 0
        self.reset_for(seat)

    def reset_for(self, seat: Seat) -> None:
        """Resets everything for a turn of this seat, except the phase, which the caller sets."""
        self.seat = seat
        self.book = self.place = 0
        self.innate_used = False
        self.gold = NO_GOLD
        self.keep_next = False  # the next wild symbol to pay is the leftmost one of a mastered spell
        self.to_pay = 0
        self.icons = [0] * len(ICONS)
        self.lifts = 0
        self.lifted = NOTHING_LIFTED
        self.may_master = False

    @property
    def has_cast(self) -> bool:
        """Returns whether a spell was cast in this turn. After that, gems can no longer be taken off the shield."""
        return bool(self.book) or self.innate_used

    def clone(self) -> TurnProgress:
        copy = TurnProgress.__new__(TurnProgress)
        copy.phase, copy.seat, copy.book, copy.place = self.phase, self.seat, self.book, self.place
        copy.innate_used, copy.gold, copy.keep_next = self.innate_used, self.gold, self.keep_next
        copy.to_discard, copy.to_pay, copy.icons = self.to_discard, self.to_pay, self.icons[:]
        copy.lifts, copy.lifted, copy.may_master = self.lifts, self.lifted, self.may_master
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TurnProgress) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )
