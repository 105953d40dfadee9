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
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Drew(Event, frozen=True, tag="drew"):
    seat: Seat
    count: int


class Refilled(Event, frozen=True, tag="refilled"):
    """The discard went into the empty bag."""

    seat: Seat


class Discarded(Event, frozen=True, tag="discarded"):
    seat: Seat
    gem: Gem


class TurnBegan(Event, frozen=True, tag="turn_began"):
    seat: Seat
    round: int


class Unshielded(Event, frozen=True, tag="unshielded"):
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
    seat: Seat
    spell: str
    gems: tuple[Gem, ...]


class Paid(Event, frozen=True, tag="paid"):
    """A gem that was chosen for a wild symbol, or the whole rest of a hand for as many of them."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class GoldKept(Event, frozen=True, tag="gold_kept"):
    seat: Seat
    gem: Gem


class GoldLost(Event, frozen=True, tag="gold_lost"):
    seat: Seat
    gem: Gem


class Attacked(Event, frozen=True, tag="attacked"):
    seat: Seat
    victim: Seat
    gem: Gem
    zone: Literal["shield", "life"]


class Healed(Event, frozen=True, tag="healed"):
    seat: Seat
    gem: Gem
    zone: Literal["life", "score"]


class Shielded(Event, frozen=True, tag="shielded"):
    seat: Seat
    gem: Gem
    source: Literal["academy", "discard"]


class Vanished(Event, frozen=True, tag="vanished"):
    seat: Seat
    gem: Gem
    source: Literal["hand", "life"]


class Darkened(Event, frozen=True, tag="darkened"):
    seat: Seat
    victim: Seat


class Learnt(Event, frozen=True, tag="learnt"):
    seat: Seat
    spell: str
    book: int


class Revising(Event, frozen=True, tag="revising"):
    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Lifted(Event, frozen=True, tag="lifted"):
    seat: Seat
    spell: str
    book: int
    place: int


class Placed(Event, frozen=True, tag="placed"):
    seat: Seat
    spell: str
    book: int
    place: int


class Mastered(Event, frozen=True, tag="mastered"):
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
