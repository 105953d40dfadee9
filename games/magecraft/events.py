"""What is heard at a Magecraft table."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from games.api import Event, Seat
from games.magecraft.moves import Gem


class Started(Event, frozen=True, tag="started"):
    """The deal. `characters` is empty where the boards are still to be taken."""

    first: Seat
    characters: tuple[str, ...]
    academy: tuple[str, ...]


class Taken(Event, frozen=True, tag="taken"):
    """A mage took a character board, the last one of them without being asked."""

    seat: Seat
    character: str


class YouDrew(Event, frozen=True, tag="you_drew"):
    """The gems that came into your hand."""

    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Drew(Event, frozen=True, tag="drew"):
    """So many gems came into a hand from the bag."""

    seat: Seat
    count: int


class Refilled(Event, frozen=True, tag="refilled"):
    """The discard went into the empty bag."""

    seat: Seat


class Discarded(Event, frozen=True, tag="discarded"):
    """A gem of a starting hand went to the discard (1.8)."""

    seat: Seat
    gem: Gem


class TurnBegan(Event, frozen=True, tag="turn_began"):
    """A mage's turn begins; `round` counts from 1."""

    seat: Seat
    round: int


class Unshielded(Event, frozen=True, tag="unshielded"):
    """A gem went from a shield to its own mage's discard (2.2)."""

    seat: Seat
    gem: Gem


class SpellCast(Event, frozen=True, tag="spell_cast"):
    """`gems` pay the coloured symbols, `gold` is the golden gem that helped, or empty. Wild symbols are `Paid` for."""

    seat: Seat
    book: int
    spell: str
    gems: tuple[Gem, ...]
    gold: str


class InnateCast(Event, frozen=True, tag="innate_cast"):
    """A character's own spell was cast; `gems` pay its symbol, unless that is wild: then it is `Paid` for."""

    seat: Seat
    spell: str
    gems: tuple[Gem, ...]


class Paid(Event, frozen=True, tag="paid"):
    """A gem that was chosen for a wild symbol, or the whole rest of a hand for as many of them."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class GoldKept(Event, frozen=True, tag="gold_kept"):
    """The gem that paid the leftmost symbol of a mastered spell waits as the golden gem (3.6)."""

    seat: Seat
    gem: Gem


class GoldLost(Event, frozen=True, tag="gold_lost"):
    """The golden gem could pay for nothing, or no spell follows: it went to the discard (3.7)."""

    seat: Seat
    gem: Gem


class Attacked(Event, frozen=True, tag="attacked"):
    """A gem went from `victim`'s shield to the discard of that mage, or from its life to the score of `seat` (4.3)."""

    seat: Seat
    victim: Seat
    gem: Gem
    zone: Literal["shield", "life"]


class Healed(Event, frozen=True, tag="healed"):
    """A gem went from the Academy to life, or to the score as life was full (4.4)."""

    seat: Seat
    gem: Gem
    zone: Literal["life", "score"]


class Shielded(Event, frozen=True, tag="shielded"):
    """A gem went from the Academy or the mage's own discard to its shield (4.5)."""

    seat: Seat
    gem: Gem
    source: Literal["academy", "discard"]


class Vanished(Event, frozen=True, tag="vanished"):
    """A gem went from the mage's hand or life to its own score (4.6)."""

    seat: Seat
    gem: Gem
    source: Literal["hand", "life"]


class Darkened(Event, frozen=True, tag="darkened"):
    """A darkness gem went from beside the Academy to `victim`'s discard (4.7)."""

    seat: Seat
    victim: Seat


class Learnt(Event, frozen=True, tag="learnt"):
    """A copy of a spell went from the Academy to the left end of a book (5.2)."""

    seat: Seat
    spell: str
    book: int


class Revising(Event, frozen=True, tag="revising"):
    """A revision begins; these gems of the hand paid for it (5.3)."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Lifted(Event, frozen=True, tag="lifted"):
    """A spell was taken out of a book, at that place from the left (5.4)."""

    seat: Seat
    spell: str
    book: int
    place: int


class Placed(Event, frozen=True, tag="placed"):
    """The lifted spell was put into a book, at that place from the left (5.4)."""

    seat: Seat
    spell: str
    book: int
    place: int


class Mastered(Event, frozen=True, tag="mastered"):
    """The spell at that place was turned over to its mastered side (5.5)."""

    seat: Seat
    spell: str
    book: int
    place: int


class HandDiscarded(Event, frozen=True, tag="hand_discarded"):
    """The rest of a hand at the end of a turn, what was paid for learning included, or beside what a revision costs."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Eliminated(Event, frozen=True, tag="eliminated"):
    """A mage has no life left and is out of the match (7.2)."""

    seat: Seat


MagecraftEvent: TypeAlias = (
    Started
    | Taken
    | YouDrew
    | Drew
    | Refilled
    | Discarded
    | TurnBegan
    | Unshielded
    | SpellCast
    | InnateCast
    | Paid
    | GoldKept
    | GoldLost
    | Attacked
    | Healed
    | Shielded
    | Vanished
    | Darkened
    | Learnt
    | Revising
    | Lifted
    | Placed
    | Mastered
    | HandDiscarded
    | Eliminated
)
