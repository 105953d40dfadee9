"""What can be done at a Magecraft table, each action made once, and the names of gems and books."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta

from games.api import Action, Seat

Gem: TypeAlias = Literal["fire", "water", "earth", "light", "darkness"]
Book: TypeAlias = Annotated[int, Meta(ge=1, le=3, description="a spellbook, 1 to 3")]
Place: TypeAlias = Annotated[int, Meta(ge=1, le=200, description="a place in a spellbook; 1 is the leftmost")]

GEMS: tuple[Gem, ...] = get_args(Gem)
COLOURS = 4  # the first four lie in the Academy; darkness lies beside it
DARKNESS = 4
GEM_AT: dict[str, int] = {gem: at for at, gem in enumerate(GEMS)}
BOOKS = (1, 2, 3)
TOP_SEAT = 4
BY_SEAT = range(TOP_SEAT + 1)  # for what is looked up by a seat; nobody is 0


class Take(Action, frozen=True, tag="take"):
    """Take a character board."""

    character: str


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
    Take
    | Discard
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

IconAction: TypeAlias = Attack | Draw | Heal | Shield | Vanish | Darken

# The same objects again and again: a legal list is put together from these.
DISCARDS = tuple(Discard(gem) for gem in GEMS)
UNSHIELDS = tuple(Unshield(gem) for gem in GEMS)
CASTS = tuple(Cast(book) for book in BOOKS)
PAYS = tuple(Pay(gem) for gem in GEMS)
ATTACKS = tuple(tuple(Attack(seat, gem) for gem in GEMS) for seat in BY_SEAT)
HEALS = tuple(Heal(gem) for gem in GEMS)
ACADEMY_SHIELDS = tuple(Shield(gem, "academy") for gem in GEMS)
DISCARD_SHIELDS = tuple(Shield(gem, "discard") for gem in GEMS)
HAND_VANISHES = tuple(Vanish(gem, "hand") for gem in GEMS)
LIFE_VANISHES = tuple(Vanish(gem, "life") for gem in GEMS)
DARKENS = tuple(Darken(seat) for seat in BY_SEAT)
INNATE, DRAW, REVISE, DONE, END = Innate(), Draw(), Revise(), Done(), End()
