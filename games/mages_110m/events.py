"""The events of the game. Cards are given by name, and each hurdle by the square in front of it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from games.api import Event, Seat
from games.mages_110m.moves import Deed

MageFigure: TypeAlias = Literal["endurance", "power", "reserve", "arms", "legs"]


class Started(Event, frozen=True, tag="started"):
    """The first mage was drawn."""

    first: Seat


class Began(Event, frozen=True, tag="began"):
    """A turn begins. `number` counts the turns of all mages."""

    seat: Seat
    number: int


class Drew(Event, frozen=True, tag="drew"):
    """A mage drew `hand` hidden cards into its hand. All other cards are public.

    `front` are CVs that stay in front of the mage, and `aside` are CVs that go back into the pile. `king` is true if
    the bored king was drawn. `dropped` are counter-spells that are discarded because the king watches.
    """

    reveals = frozenset({"hand", "front", "aside", "king", "dropped"})
    seat: Seat
    hand: int
    front: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    king: bool = False
    dropped: tuple[str, ...] = ()


class YouDrew(Event, frozen=True, tag="you_drew"):
    """You drew these cards."""

    reveals = frozenset({"cards"})
    cards: tuple[str, ...]


class Counted(Event, frozen=True, tag="counted"):
    """The pile ran out. `cvs` has the number of CVs of each mage; the mages in `ahead` advance two squares."""

    cvs: tuple[int, ...]
    ahead: tuple[Seat, ...]


class Shuffled(Event, frozen=True, tag="shuffled"):
    """The discard pile was shuffled into a new pile."""

    cards: int


class KingCame(Event, frozen=True, tag="king_came"):
    """The bored king came: every mage plays its whole hand, `first` begins."""

    first: Seat


class Bared(Event, frozen=True, tag="bared"):
    """A mage plays before the king. It discards these counter-spells unplayed."""

    reveals = frozenset({"dropped"})
    seat: Seat
    dropped: tuple[str, ...]


class KingLeft(Event, frozen=True, tag="king_left"):
    """All hands are empty, the king leaves, and the turn continues."""


class Ticked(Event, frozen=True, tag="ticked"):
    """Upkeep removed a counter from a lasting spell. `counters` are left."""

    seat: Seat
    card: str
    counters: int


class Ended(Event, frozen=True, tag="ended"):
    """A lasting spell was discarded."""

    seat: Seat
    card: str


class WasCast(Event, frozen=True, tag="was_cast"):
    """A mage put a spell into play. `at` is 0 if the spell has no target."""

    seat: Seat
    card: str
    at: Seat = 0


class Gambled(Event, frozen=True, tag="gambled"):
    """A mage discarded its whole hand for the top spell of the pile."""

    reveals = frozenset({"dropped"})
    seat: Seat
    dropped: tuple[str, ...]


class TurnedUp(Event, frozen=True, tag="turned_up"):
    """A gamble turned up these cards. `spell` is the spell to cast, if it was among them; the cards in `aside` go back
    into the pile."""

    reveals = frozenset({"aside", "spell"})
    seat: Seat
    aside: tuple[str, ...]
    spell: tuple[str, ...]


class Rolled(Event, frozen=True, tag="rolled"):
    """A mage rolled a die. The spell succeeds if die + bonus is at least `need`."""

    reveals = frozenset({"die"})
    seat: Seat
    die: int
    bonus: int
    need: int


class Paid(Event, frozen=True, tag="paid"):
    """A mage paid the missing points of a roll. `reserve` tokens are left."""

    seat: Seat
    reserve: int


class Failed(Event, frozen=True, tag="failed"):
    """A spell was discarded without effect, because the roll was too low or it could not be cast."""

    seat: Seat
    card: str


class Answers(Event, frozen=True, tag="answers"):
    """All opponents with a card have answered a spell. `counters` contains the played counter-spell, if any."""

    reveals = frozenset({"counters"})
    seat: Seat  # the caster of the spell
    card: str
    counters: tuple[tuple[Seat, str], ...]


class Lies(Event, frozen=True, tag="lies"):
    """A lasting spell was put in front of a mage."""

    seat: Seat
    card: str
    counters: int


class Bounced(Event, frozen=True, tag="bounced"):
    """A spell does not affect a protected mage."""

    seat: Seat
    card: str


class Changed(Event, frozen=True, tag="changed"):
    """A figure of a mage changed to `now`."""

    seat: Seat
    figure: MageFigure
    now: int


class LimbLot(Event, frozen=True, tag="limb_lot"):
    """A mage lost this random limb."""

    reveals = frozenset({"limb"})
    seat: Seat
    limb: Literal["arm", "leg"]


class Moved(Event, frozen=True, tag="moved"):
    """A mage moved to another square. It broke the hurdles behind the squares in `cleared`."""

    seat: Seat
    square: int
    cleared: tuple[int, ...] = ()


class Cleared(Event, frozen=True, tag="cleared"):
    """Hurdles in a mage's lane were destroyed."""

    seat: Seat
    hurdles: tuple[int, ...]


class Raised(Event, frozen=True, tag="raised"):
    """Hurdles in a mage's lane were put up again."""

    seat: Seat
    hurdles: tuple[int, ...]


class Surged(Event, frozen=True, tag="surged"):
    """A mage's power reached the figure `surge`: the mage advances one square through the next hurdle."""

    seat: Seat


class Mislaid(Event, frozen=True, tag="mislaid"):
    """A mage discarded random cards."""

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
    """A mage discarded a card."""

    seat: Seat
    card: str


class Passed(Event, frozen=True, tag="passed"):
    """A mage took no action."""

    seat: Seat


class Finished(Event, frozen=True, tag="finished"):
    """The race is over: a mage crossed the finish line, or the race was called off with `leaders` in front."""

    leaders: tuple[Seat, ...]
    crossed: bool


RaceEvent: TypeAlias = (
    Started | Began | Drew | YouDrew | Counted | Shuffled | KingCame | Bared | KingLeft | Ticked | Ended
    | WasCast | Gambled | TurnedUp | Rolled | Paid | Failed | Answers | Lies | Bounced | Changed | LimbLot | Moved
    | Cleared | Raised | Surged | Mislaid | Dazed | Traded | Dropped | Passed | Finished
)  # fmt: skip
