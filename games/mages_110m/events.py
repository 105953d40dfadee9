"""What is heard in 110 Metres Mages. Cards are written by name, hurdles by the square that they stand behind."""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Event, Seat
from games.mages_110m.moves import Deed

Figure: TypeAlias = Literal["endurance", "power", "reserve", "arms", "legs"]


class Started(Event, frozen=True, tag="started"):
    """The lot fell on the mage who begins."""

    first: Seat


class Began(Event, frozen=True, tag="began"):
    """A turn begins; `number` counts the turns of all mages."""

    seat: Seat
    number: int


class Drew(Event, frozen=True, tag="drew"):
    """A mage drew: `hand` cards unseen into the hand; the rest lies open.

    front: CVs that stay in front of the mage; aside: CVs that go back into the pile; king: the bored king turned up;
    dropped: counter-spells that the king's presence discards at once.
    """

    reveals = frozenset({"hand", "front", "aside", "king", "dropped"})
    seat: Seat
    hand: int
    front: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    king: bool = False
    dropped: tuple[str, ...] = ()


class YouDrew(Event, frozen=True, tag="you_drew"):
    """The cards that came into your hand."""

    reveals = frozenset({"cards"})
    cards: tuple[str, ...]


class Counted(Event, frozen=True, tag="counted"):
    """The pile ran out: each mage's CVs, and who advances two squares for them."""

    cvs: tuple[int, ...]
    ahead: tuple[Seat, ...]


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The discard pile was shuffled to make a new pile."""

    cards: int


class KingCame(Event, frozen=True, tag="king_came"):
    """The bored king wants to see something: every mage plays the whole hand, `first` begins."""

    first: Seat


class Bared(Event, frozen=True, tag="bared"):
    """A mage's turn before the king: these counter-spells are discarded unplayed."""

    reveals = frozenset({"dropped"})
    seat: Seat
    dropped: tuple[str, ...]


class KingLeft(Event, frozen=True, tag="king_left"):
    """All hands are empty; the turn goes on."""


class Ticked(Event, frozen=True, tag="ticked"):
    """Upkeep took a counter from a lasting spell."""

    seat: Seat
    card: str
    counters: int


class Ended(Event, frozen=True, tag="ended"):
    """A lasting spell was discarded."""

    seat: Seat
    card: str


class WasCast(Event, frozen=True, tag="was_cast"):
    """A spell was put into play; at 0 means at nobody."""

    seat: Seat
    card: str
    at: Seat = 0


class Gambled(Event, frozen=True, tag="gambled"):
    """A whole hand was discarded for the top spell of the pile."""

    reveals = frozenset({"dropped"})
    seat: Seat
    dropped: tuple[str, ...]


class TurnedUp(Event, frozen=True, tag="turned_up"):
    """What a gamble turned up: the spell, if it has come already, and what goes back into the pile."""

    reveals = frozenset({"aside", "spell"})
    seat: Seat
    aside: tuple[str, ...]
    spell: tuple[str, ...]


class Rolled(Event, frozen=True, tag="rolled"):
    """A die: it casts the spell if die + bonus is at least `need`."""

    reveals = frozenset({"die"})
    seat: Seat
    die: int
    bonus: int
    need: int


class Paid(Event, frozen=True, tag="paid"):
    """What the die lacked came from the reserve."""

    seat: Seat
    reserve: int


class Failed(Event, frozen=True, tag="failed"):
    """A spell was discarded without effect: too low a roll, or it could not be cast."""

    seat: Seat
    card: str


class Answers(Event, frozen=True, tag="answers"):
    """Every opponent with a card has answered a spell; `counters` holds the counter-spell that was played, if any."""

    reveals = frozenset({"counters"})
    seat: Seat  # whose spell it is
    card: str
    counters: tuple[tuple[Seat, str], ...]


class Lies(Event, frozen=True, tag="lies"):
    """A lasting spell lies in front of a mage."""

    seat: Seat
    card: str
    counters: int


class Bounced(Event, frozen=True, tag="bounced"):
    """A protected mage is not touched by this spell."""

    seat: Seat
    card: str


class Changed(Event, frozen=True, tag="changed"):
    """One of a mage's figures is now this."""

    seat: Seat
    figure: Figure
    now: int


class LimbLot(Event, frozen=True, tag="limb_lot"):
    """The lot fell on a limb, which is lost."""

    reveals = frozenset({"limb"})
    seat: Seat
    limb: Literal["arm", "leg"]


class Moved(Event, frozen=True, tag="moved"):
    """A mage stands on another square; the squares behind which it broke a hurdle on the way."""

    seat: Seat
    square: int
    cleared: tuple[int, ...] = ()


class Cleared(Event, frozen=True, tag="cleared"):
    """Hurdles of a mage's lane were destroyed."""

    seat: Seat
    hurdles: tuple[int, ...]


class Raised(Event, frozen=True, tag="raised"):
    """Hurdles stand again in a mage's lane."""

    seat: Seat
    hurdles: tuple[int, ...]


class Surged(Event, frozen=True, tag="surged"):
    """Power reached the mark: the hurdle ahead goes and the mage advances a square."""

    seat: Seat


class Mislaid(Event, frozen=True, tag="mislaid"):
    """Cards picked blindly from a hand were discarded."""

    reveals = frozenset({"cards"})
    seat: Seat
    cards: tuple[str, ...]


class Dazed(Event, frozen=True, tag="dazed"):
    """A mage will have no action in its next turn."""

    seat: Seat


class Traded(Event, frozen=True, tag="traded"):
    """A mage discards two cards for a deed."""

    seat: Seat
    deed: Deed


class Dropped(Event, frozen=True, tag="dropped"):
    """A card went from a hand to the discard pile."""

    seat: Seat
    card: str


class Passed(Event, frozen=True, tag="passed"):
    """A mage took no action."""

    seat: Seat


class Finished(Event, frozen=True, tag="finished"):
    """The race is over: a mage crossed the line, or it was called off with `leaders` in front."""

    leaders: tuple[Seat, ...]
    crossed: bool


Heard: TypeAlias = (
    Started | Began | Drew | YouDrew | Counted | Shuffled | KingCame | Bared | KingLeft | Ticked | Ended
    | WasCast | Gambled | TurnedUp | Rolled | Paid | Failed | Answers | Lies | Bounced | Changed | LimbLot | Moved
    | Cleared | Raised | Surged | Mislaid | Dazed | Traded | Dropped | Passed | Finished
)  # fmt: skip
