"""The events of the game."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from games.api import Event, Seat
from games.magecraft.moves import Gem


class Started(Event, frozen=True, tag="started"):
    """The match was set up. `characters` is empty if the boards are still to be taken."""

    first: Seat
    characters: tuple[str, ...]
    academy: tuple[str, ...]


class Taken(Event, frozen=True, tag="taken"):
    """A mage took a character board. The last board is taken automatically."""

    seat: Seat
    character: str


class YouDrew(Event, frozen=True, tag="you_drew"):
    """You drew these gems."""

    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Drew(Event, frozen=True, tag="drew"):
    """A mage drew a number of gems from its bag."""

    seat: Seat
    count: int


class Refilled(Event, frozen=True, tag="refilled"):
    """A mage shuffled its discard into its empty bag."""

    seat: Seat


class Discarded(Event, frozen=True, tag="discarded"):
    """A mage discarded a gem of its starting hand (1.8)."""

    seat: Seat
    gem: Gem


class TurnBegan(Event, frozen=True, tag="turn_began"):
    """A turn begins. `round` counts from 1."""

    seat: Seat
    round: int


class Unshielded(Event, frozen=True, tag="unshielded"):
    """A mage moved a gem from its shield to its discard (2.2)."""

    seat: Seat
    gem: Gem


class SpellCast(Event, frozen=True, tag="spell_cast"):
    """A mage cast a spell. `gems` paid the coloured symbols, and `gold` is the golden gem that helped, or "". A `Paid`
    event follows for wild symbols."""

    seat: Seat
    book: int
    spell: str
    gems: tuple[Gem, ...]
    gold: str


class InnateCast(Event, frozen=True, tag="innate_cast"):
    """A mage cast its innate spell. `gems` paid the coloured symbol. A `Paid` event follows for a wild symbol."""

    seat: Seat
    spell: str
    gems: tuple[Gem, ...]


class Paid(Event, frozen=True, tag="paid"):
    """A mage paid one wild symbol, or all of them with the rest of its hand."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class GoldKept(Event, frozen=True, tag="gold_kept"):
    """The gem that paid the leftmost symbol of a mastered spell became the golden gem (3.6)."""

    seat: Seat
    gem: Gem


class GoldLost(Event, frozen=True, tag="gold_lost"):
    """The golden gem was discarded, because it could pay for no symbol of the next spell, or because no spell followed
    (3.7)."""

    seat: Seat
    gem: Gem


class Attacked(Event, frozen=True, tag="attacked"):
    """A gem moved from the `victim`'s shield to that mage's discard, or from its life to the score of `seat` (4.3)."""

    seat: Seat
    victim: Seat
    gem: Gem
    zone: Literal["shield", "life"]


class Healed(Event, frozen=True, tag="healed"):
    """A gem moved from the Academy to a mage's life, or to its score if the life was full (4.4)."""

    seat: Seat
    gem: Gem
    zone: Literal["life", "score"]


class Shielded(Event, frozen=True, tag="shielded"):
    """A gem moved from the Academy or from the mage's discard to its shield (4.5)."""

    seat: Seat
    gem: Gem
    source: Literal["academy", "discard"]


class Vanished(Event, frozen=True, tag="vanished"):
    """A gem moved from the mage's hand or life to its score (4.6)."""

    seat: Seat
    gem: Gem
    source: Literal["hand", "life"]


class Darkened(Event, frozen=True, tag="darkened"):
    """A darkness gem moved from the Academy to the `victim`'s discard (4.7)."""

    seat: Seat
    victim: Seat


class Learnt(Event, frozen=True, tag="learnt"):
    """A copy of a spell moved from the Academy to the left end of a book (5.2)."""

    seat: Seat
    spell: str
    book: int


class Revising(Event, frozen=True, tag="revising"):
    """A mage paid these gems for a revision (5.3)."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Lifted(Event, frozen=True, tag="lifted"):
    """A mage took a spell out of a book; `place` counts from the left (5.4)."""

    seat: Seat
    spell: str
    book: int
    place: int


class Placed(Event, frozen=True, tag="placed"):
    """A mage put the lifted spell into a book; `place` counts from the left (5.4)."""

    seat: Seat
    spell: str
    book: int
    place: int


class Mastered(Event, frozen=True, tag="mastered"):
    """A mage turned the spell in this place to its mastered side (5.5)."""

    seat: Seat
    spell: str
    book: int
    place: int


class HandDiscarded(Event, frozen=True, tag="hand_discarded"):
    """A mage discarded the rest of its hand, at the end of its turn or at the beginning of a revision. Gems paid for
    learning are included."""

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
