"""What can be done at a Magecraft table, and what is heard of it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import Meta

from games.api import Action, Event, Seat

GEMS = ("fire", "water", "earth", "light", "darkness")
COLOURS = 4  # the first four lie in the Academy; darkness lies beside it
DARKNESS = 4
GEM_AT = {gem: at for at, gem in enumerate(GEMS)}
BOOKS = (1, 2, 3)
TOP_SEAT = 4

Gem: TypeAlias = Literal["fire", "water", "earth", "light", "darkness"]
Book: TypeAlias = Annotated[int, Meta(ge=1, le=3, description="a spellbook, 1 to 3")]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=200, description="a place in a spellbook; 1 is the leftmost")]


class Discard(Action, frozen=True, tag="discard"):
    """A gem of the starting hand goes."""

    gem: Gem


class Unshield(Action, frozen=True, tag="unshield"):
    """A gem goes from the shield to the own discard, before the first spell of a turn."""

    gem: Gem


class Cast(Action, frozen=True, tag="cast"):
    """Cast the next spell of a book, from the left."""

    book: Book


class Innate(Action, frozen=True, tag="innate"):
    """Cast the character's own spell."""


class Pay(Action, frozen=True, tag="pay"):
    """Pay the next wild symbol from the hand."""

    gem: Gem


class Draw(Action, frozen=True, tag="draw"):
    """Use a draw icon."""


class Attack(Action, frozen=True, tag="attack"):
    """Use an attack icon on a gem of an opponent's shield, or of the life behind it."""

    seat: Seat
    gem: Gem


class Heal(Action, frozen=True, tag="heal"):
    """Use a heal icon: a gem of the Academy goes to life, or to the score when life is full."""

    gem: Gem


class Shield(Action, frozen=True, tag="shield"):
    """Use a shield icon."""

    gem: Gem
    source: Literal["academy", "discard"]


class Vanish(Action, frozen=True, tag="vanish"):
    """Use a vanish icon: an own gem goes to the score."""

    gem: Gem
    source: Literal["hand", "life"]


class Darken(Action, frozen=True, tag="darken"):
    """Use a darkness icon: a darkness gem goes to an opponent's discard."""

    seat: Seat


class Learn(Action, frozen=True, tag="learn"):
    """Buy a spell of the Academy; it goes to the left end of a book, and the turn ends."""

    spell: str
    book: Book


class Revise(Action, frozen=True, tag="revise"):
    """Pay four gems to rearrange the books."""


class Lift(Action, frozen=True, tag="lift"):
    """In a revision: take a spell out of a book."""

    book: Book
    place: Place


class Put(Action, frozen=True, tag="put"):
    """In a revision: the lifted spell goes to that place, and what stands there moves right."""

    book: Book
    place: Place


class Master(Action, frozen=True, tag="master"):
    """In a revision: turn a spell over to its mastered side."""

    book: Book
    place: Place


class Done(Action, frozen=True, tag="done"):
    """The revision is finished, and the turn ends."""


class End(Action, frozen=True, tag="end"):
    """End the turn without learning or revising."""


MagecraftAction: TypeAlias = (
    Discard
    | Unshield
    | Cast
    | Innate
    | Pay
    | Draw
    | Attack
    | Heal
    | Shield
    | Vanish
    | Darken
    | Learn
    | Revise
    | Lift
    | Put
    | Master
    | Done
    | End
)

# The same objects again and again: a legal list is put together from these.
DISCARDS = tuple(Discard(gem) for gem in GEMS)  # type: ignore[arg-type]
UNSHIELDS = tuple(Unshield(gem) for gem in GEMS)  # type: ignore[arg-type]
CASTS = tuple(Cast(book) for book in BOOKS)
PAYS = tuple(Pay(gem) for gem in GEMS)  # type: ignore[arg-type]
ATTACKS = tuple(tuple(Attack(seat, gem) for gem in GEMS) for seat in range(TOP_SEAT + 1))  # type: ignore[arg-type]
HEALS = tuple(Heal(gem) for gem in GEMS)  # type: ignore[arg-type]
ACADEMY_SHIELDS = tuple(Shield(gem, "academy") for gem in GEMS)  # type: ignore[arg-type]
DISCARD_SHIELDS = tuple(Shield(gem, "discard") for gem in GEMS)  # type: ignore[arg-type]
HAND_VANISHES = tuple(Vanish(gem, "hand") for gem in GEMS)  # type: ignore[arg-type]
LIFE_VANISHES = tuple(Vanish(gem, "life") for gem in GEMS)  # type: ignore[arg-type]
DARKENS = tuple(Darken(seat) for seat in range(TOP_SEAT + 1))
INNATE, DRAW, REVISE, DONE, END = Innate(), Draw(), Revise(), Done(), End()


class Started(Event, frozen=True, tag="started"):
    first: Seat
    characters: tuple[str, ...]
    academy: tuple[str, ...]


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
    """`gems` came from the hand, `gold` is the golden gem that helped, or empty. Wild symbols may still be to pay."""

    seat: Seat
    book: int
    spell: str
    gems: tuple[Gem, ...]
    gold: str
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class InnateCast(Event, frozen=True, tag="innate_cast"):
    seat: Seat
    spell: str
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Paid(Event, frozen=True, tag="paid"):
    """More gems for wild symbols; all that had no choice left are in the same event."""

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
    """The rest of a hand at the end of a turn, what was paid for learning included."""

    seat: Seat
    gems: tuple[Gem, ...]
    reveals: ClassVar[frozenset[str]] = frozenset({"gems"})


class Eliminated(Event, frozen=True, tag="eliminated"):
    seat: Seat


MagecraftEvent: TypeAlias = (
    Started
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
