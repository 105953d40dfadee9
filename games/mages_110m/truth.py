"""The full state of a race: the mages, the piles, and the progress of the turn."""

from __future__ import annotations

from typing import Final

from games.api import AddressedEvent, Event, Game, Seat
from games.chance import Chance
from games.mages_110m import events, moves, views
from games.mages_110m.cards import ARM, LEG, Deck
from games.mages_110m.options import RaceOptions

# The phases of a turn. In these phases the race waits for a decision:
ACTION: Final = "action"
PRICE: Final = "price"
AIM: Final = "aim"
RESERVE: Final = "reserve"
ANSWER: Final = "answer"
LIMIT: Final = "limit"
KING: Final = "king"
OVER: Final = "over"
# In these phases the race continues automatically:
BEGIN: Final = "begin"
UPKEEP: Final = "upkeep"
CAST_DONE: Final = "cast_done"
NEXT_BEFORE_KING: Final = "next_before_king"

NO_CARD = -1  # stands for no card where a card is expected
NOT_ASKED, WAITING, LET_BE = -3, -2, -1  # values of `MageState.answer`; a counter-spell is its card index


class MageState:
    """The full state of one mage. `seen` caches the public view of it."""

    __slots__ = (
        "answer", "arms", "cvs", "dazed", "endurance", "hand", "hurdles", "kept", "lasting", "legs", "power",
        "reserve", "seat", "seen", "square", "traded",
    )  # fmt: skip

    def __init__(self, seat: Seat, deck: Deck) -> None:
        self.seat = seat
        self.square = 1
        self.hurdles = sum(1 << square for square in deck.track.hurdles)  # bit n for a hurdle behind square n
        self.arms, self.legs = deck.mages.arms, deck.mages.legs
        self.endurance, self.power, self.reserve = deck.mages.endurance, 0, 0
        self.hand: list[int] = []  # in the order of the card file, so that the order reveals nothing
        # The cards of the hand of which all players know that they were drawn before the pile was shuffled.
        self.kept: list[int] = []
        self.cvs: list[int] = []
        self.lasting: list[tuple[int, int, bool]] = []  # for each lasting spell: card, counters, asleep
        self.traded = False  # its last action was a discard action
        self.dazed = False
        self.answer = NOT_ASKED
        self.invalidate_view()

    def invalidate_view(self) -> None:
        """Marks the cached public view of the mage as out of date."""
        self.seen: views.MageView | None = None

    def clone(self) -> MageState:
        copy = MageState.__new__(MageState)
        copy.seat, copy.square, copy.hurdles = self.seat, self.square, self.hurdles
        copy.arms, copy.legs = self.arms, self.legs
        copy.endurance, copy.power, copy.reserve = self.endurance, self.power, self.reserve
        copy.hand, copy.kept = self.hand.copy(), self.kept.copy()
        copy.cvs, copy.lasting = self.cvs.copy(), self.lasting.copy()
        copy.traded, copy.dazed, copy.answer, copy.seen = self.traded, self.dazed, self.answer, self.seen
        return copy

    def missing_limbs(self) -> int:
        """Returns bits for the kinds of limbs of which the mage has none left."""
        return (0 if self.arms else ARM) | (0 if self.legs else LEG)

    def is_floating(self, deck: Deck) -> bool:
        """Returns whether hurdles do not stop the mage: it has no limbs, or a lasting spell lets it float."""
        if not self.arms and not self.legs:
            return True
        return bool(self.lasting) and any(deck.kinds[card].float for card, _, asleep in self.lasting if not asleep)

    def is_shielded(self, deck: Deck) -> bool:
        return any(deck.kinds[card].shield and not asleep for card, _, asleep in self.lasting)

    def roll_bonus(self, deck: Deck) -> int:
        """Returns the number that is added to each roll of the mage's die."""
        kinds = [deck.kinds[card] for card, _, asleep in self.lasting if not asleep]
        tired = self.endurance <= deck.mages.tired and not any(kind.fresh for kind in kinds)
        return sum(kind.sure for kind in kinds) - tired

    def comparable_fields(self) -> tuple[object, ...]:
        return (
            self.seat, self.square, self.hurdles, self.arms, self.legs, self.endurance, self.power, self.reserve,
            self.hand, self.kept, self.cvs, self.lasting, self.traded, self.dazed, self.answer,
        )  # fmt: skip


class RaceTruth:
    """The full state of a race, and in `told` the events since the last action."""

    __slots__ = (
        "actor", "after_king", "asleep", "bared", "chance", "counts", "crossed", "deck", "deed", "discard",
        "discard_seen", "gambled", "game", "king_called_by", "king_card", "king_queue", "king_reigns", "mages",
        "may_act", "missing", "options", "phase", "pile", "price", "seats", "spell", "spell_at", "surging", "told",
        "traded_now", "turn", "turn_of",
    )  # fmt: skip

    def __init__(self, game: Game, deck: Deck, options: RaceOptions, seats: int, chance: Chance) -> None:
        self.game, self.deck, self.options, self.seats, self.chance = game, deck, options, seats, chance
        self.mages = [MageState(seat, deck) for seat in range(1, seats + 1)]
        self.pile: list[int] = []  # the top card is the last
        self.discard: list[int] = []
        self.invalidate_discard()
        self.counts = 0
        self.turn = 0
        self.turn_of: Seat  # set by the caller
        self.actor: Seat  # the seat that plays now: the mage whose turn it is, or the mage before the king
        self.phase: str = BEGIN
        self.may_act = True
        self.traded_now = False
        self.surging = False
        self.asleep = False  # whether any protection may be asleep
        self.spell, self.spell_at, self.missing, self.gambled = NO_CARD, 0, 0, False
        self.deed: moves.Deed | None = None
        self.price = 0  # the number of cards still to drop for the deed
        self.king_card = NO_CARD  # the card of the bored king while he watches, or is about to come
        self.king_called_by: Seat = 0  # the seat whose spell drew the king; he comes when the spell is done; 0: no king
        self.king_reigns = False
        self.king_queue: list[Seat] = []
        self.bared = 0  # bit n if seat n has played before this king, so its hand has no counter-spell
        self.after_king: str = UPKEEP
        self.crossed = False
        self.told: list[AddressedEvent] = []

    def invalidate_discard(self) -> None:
        """Marks the cached view of the discard pile as out of date, because cards left the pile. Cards that are added
        need no call. Each mage has an `invalidate_view` of its own."""
        self.discard_seen: tuple[str, ...] = ()

    def clone(self) -> RaceTruth:
        copy = RaceTruth.__new__(RaceTruth)
        copy.game, copy.deck, copy.options, copy.seats = self.game, self.deck, self.options, self.seats
        copy.chance = self.chance.clone()
        copy.mages = [mage.clone() for mage in self.mages]
        copy.pile, copy.discard, copy.discard_seen = self.pile.copy(), self.discard.copy(), self.discard_seen
        copy.counts, copy.turn, copy.turn_of, copy.actor = self.counts, self.turn, self.turn_of, self.actor
        copy.phase, copy.may_act, copy.traded_now = self.phase, self.may_act, self.traded_now
        copy.surging, copy.asleep = self.surging, self.asleep
        copy.spell, copy.spell_at = self.spell, self.spell_at
        copy.missing, copy.gambled, copy.deed, copy.price = self.missing, self.gambled, self.deed, self.price
        copy.king_card, copy.king_called_by = self.king_card, self.king_called_by
        copy.king_reigns = self.king_reigns
        copy.king_queue, copy.bared, copy.after_king = self.king_queue.copy(), self.bared, self.after_king
        copy.crossed, copy.told = self.crossed, []
        return copy

    def comparable_fields(self) -> tuple[object, ...]:
        return (
            self.options, [mage.comparable_fields() for mage in self.mages], self.pile, self.discard,
            self.chance, self.counts, self.turn, self.turn_of, self.actor, self.phase, self.may_act,
            self.traded_now, self.surging, self.asleep,
            self.spell, self.spell_at, self.missing, self.gambled, self.deed, self.price, self.king_card,
            self.king_called_by, self.king_reigns, self.king_queue, self.bared, self.after_king, self.crossed,
        )  # fmt: skip

    def add_event_to_all(self, event: Event) -> None:
        self.told.append(AddressedEvent(event))

    def add_event_to_seat(self, seat: Seat, event: Event) -> None:
        self.told.append(AddressedEvent(event, only=seat))

    def take_from_hand(self, mage: MageState, card: int) -> None:
        """Takes a card of this kind out of the hand in public. The caller puts the card somewhere."""
        if mage.kept and self._may_be_either(mage, card):
            for other in self.mages:
                other.kept.clear()
        elif card in mage.kept:
            mage.kept.remove(card)
        mage.hand.remove(card)
        mage.invalidate_view()

    def _may_be_either(self, mage: MageState, card: int) -> bool:
        """Returns whether others cannot tell if this card of the hand was drawn before or after the current pile was
        shuffled."""
        if len(mage.kept) == len(mage.hand) or not any(card in other.kept for other in self.mages):
            return False
        drawn = [other.hand.count(card) - other.kept.count(card) for other in self.mages]
        return any(drawn) or card in self.pile

    def reshuffle_pile(self) -> None:
        """Shuffles the discard pile into a new pile. All players then know that every card in a hand is older than this
        pile."""
        self.pile = self.chance.shuffle("pile", self.discard)
        self.discard = []
        for mage in self.mages:
            mage.kept = mage.hand.copy()
        self.invalidate_discard()

    def mages_from_seat(self, seat: Seat) -> list[MageState]:
        """Returns all mages clockwise from this seat."""
        return self.mages[seat - 1 :] + self.mages[: seat - 1]

    def opponents(self, seat: Seat) -> list[MageState]:
        """Returns the other mages clockwise from this seat."""
        return self.mages[seat:] + self.mages[: seat - 1]

    def end_race(self, *, crossed: bool) -> None:
        self.crossed, self.phase = crossed, OVER
        front = max(mage.square for mage in self.mages)
        leaders = tuple(mage.seat for mage in self.mages if mage.square == front)
        self.add_event_to_all(events.Finished(leaders, crossed))
