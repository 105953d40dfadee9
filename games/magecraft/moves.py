"""The actions, each created once, and the names of gems and books."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta

from games.api import Action, Seat

Gem: TypeAlias = Literal["fire", "water", "earth", "light", "darkness"]
Book: TypeAlias = Annotated[int, Meta(ge=1, le=3, description="a spellbook, 1 to 3")]
BookPlace: TypeAlias = Annotated[int, Meta(ge=1, le=200, description="a place in a spellbook; 1 is the leftmost")]

GEMS: tuple[Gem, ...] = get_args(Gem)
COLOURS = 4  # the first four kinds of GEMS; the Academy has them, and darkness gems lie beside it
DARKNESS = 4
GEM_AT: dict[str, int] = {gem: at for at, gem in enumerate(GEMS)}
BOOKS = (1, 2, 3)
TOP_SEAT = 4
BY_SEAT = range(TOP_SEAT + 1)  # the indexes of lists by seat; 0 is unused


class Take(Action, frozen=True, tag="take"):
    """Takes a character board."""

    character: str


class Discard(Action, frozen=True, tag="discard"):
    """Discards a gem of the starting hand."""

    gem: Gem


class Unshield(Action, frozen=True, tag="unshield"):
    """Moves a gem from the mage's shield to its discard, before the first spell of a turn."""

    gem: Gem


class Cast(Action, frozen=True, tag="cast"):
    """Casts the next spell of a book, from left to right."""

    book: Book


class Innate(Action, frozen=True, tag="innate"):
    """Casts the character's innate spell."""


class Pay(Action, frozen=True, tag="pay"):
    """Pays the next wild symbol with a gem of the hand."""

    gem: Gem


class Draw(Action, frozen=True, tag="draw"):
    """Uses a draw icon."""


class Attack(Action, frozen=True, tag="attack"):
    """Uses an attack icon on a gem of an opponent's shield, or of its life if the shield is empty."""

    seat: Seat
    gem: Gem


class Heal(Action, frozen=True, tag="heal"):
    """Uses a heal icon: moves a gem of the Academy to the mage's life, or to its score if the life is full."""

    gem: Gem


class Shield(Action, frozen=True, tag="shield"):
    """Uses a shield icon: moves a gem from the Academy or from the mage's discard to its shield."""

    gem: Gem
    source: Literal["academy", "discard"]


class Vanish(Action, frozen=True, tag="vanish"):
    """Uses a vanish icon: moves a gem from the mage's hand or life to its score."""

    gem: Gem
    source: Literal["hand", "life"]


class Darken(Action, frozen=True, tag="darken"):
    """Uses a darkness icon: moves a darkness gem to an opponent's discard."""

    seat: Seat


class Learn(Action, frozen=True, tag="learn"):
    """Buys a spell of the Academy, which moves to the left end of a book, and ends the turn."""

    spell: str
    book: Book


class Revise(Action, frozen=True, tag="revise"):
    """Pays four gems for a revision of the books."""


class Lift(Action, frozen=True, tag="lift"):
    """Takes a spell out of a book during a revision."""

    book: Book
    place: BookPlace


class Put(Action, frozen=True, tag="put"):
    """Puts the lifted spell into a place during a revision. Spells from that place on move right."""

    book: Book
    place: BookPlace


class Master(Action, frozen=True, tag="master"):
    """Turns a spell to its mastered side during a revision."""

    book: Book
    place: BookPlace


class Done(Action, frozen=True, tag="done"):
    """Ends the revision and the turn."""


class End(Action, frozen=True, tag="end"):
    """Ends the turn without learning or revising."""


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

# All actions by kind. Lists of legal actions are built from these objects.
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
