"""A cup: the fold of its log. What was settled when it was opened, and what happened since, say all there is to know.

Pure: the same settings and entries give the same cup, whether it is played, was killed and goes on, or is audited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, Protocol, TypeAlias

import msgspec

from protocol import limits
from protocol.messages import ClockRule, SeatResult
from tournaments.deals import Deals
from tournaments.formats.api import Format
from tournaments.formats.registry import draws_rounds, make_format
from tournaments.language import N_, _
from tournaments.schedule import Pairing, commitment_to, copies, deal_seed
from tournaments.standings import RANK_BY, Played, Row, standings

OPEN, RUNNING, PAUSED = N_("open"), N_("running"), N_("paused")
STOPPED, FINISHED = N_("stopped"), N_("finished")


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a cup, fixed when it opens.

    They hold the secret from which all deals come; it stays secret until the end. `at_once` bounds the matches that are
    played at a time, 0: as many as the entrants can. `rules` and `cards` are the game's when it was opened.
    `rank_by` is one of RANK_BY.
    """

    cup: str
    owner: str
    game: str
    seats: int
    clock: ClockRule
    format: str
    deals: str
    rounds: int
    seed: int
    secret: bytes
    options: dict[str, Any] = {}
    at_once: int = 0
    opened: float = 0.0  # seconds since 1970
    rules: str = ""
    cards: str = ""
    rank_by: str = RANK_BY[0]
    late_entry: bool = False  # entrants may come after the start

    @property
    def commitment(self) -> str:
        """What is told of the secret from the start."""
        return commitment_to(self.secret)


class Entered(msgspec.Struct, frozen=True, tag="entered", omit_defaults=True):
    """An entrant, with its players, the number of tables that each plays at once, and its own clock, if it has one. A
    second entry changes the number. A house bot of the kind `house` has no players, and plays wherever it is paired."""

    at: float  # seconds since 1970, here and below
    entrant: str
    players: tuple[str, ...]
    tables: int = 1
    # goes into all deals; after the start it counts no more
    nonce: Annotated[str, msgspec.Meta(max_length=limits.NONCE_CHARACTERS, pattern=r"\A[!-~]*\Z")] = ""
    clock: ClockRule | None = None
    house: str = ""


class Dropped(msgspec.Struct, frozen=True, tag="dropped", omit_defaults=True):
    """An entrant leaves for good. Before the start it is removed; later a house bot plays for it. `why` is a sentence
    if it did not leave by itself."""

    at: float
    entrant: str
    why: str = ""


class Kicked(msgspec.Struct, frozen=True, tag="kicked"):
    """The owner drops an entrant, who does not enter again before `Pardoned`."""

    at: float
    entrant: str


class Pardoned(msgspec.Struct, frozen=True, tag="pardoned"):
    """The owner invited somebody who was sent away."""

    at: float
    entrant: str


class Replaced(msgspec.Struct, frozen=True, tag="replaced", omit_defaults=True):
    """Somebody else plays for the entrant from now on, at so many tables at most; 0: at as many as the entrant said."""

    at: float
    entrant: str
    players: tuple[str, ...]
    tables: int = 0


class Timed(msgspec.Struct, frozen=True, tag="timed", omit_defaults=True):
    """The entrant has a clock of its own in all matches, or the cup's again; before the start."""

    at: float
    entrant: str
    clock: ClockRule | None = None


class Turned(msgspec.Struct, frozen=True, tag="turned"):
    """The cup runs, is paused, or was stopped."""

    at: float
    state: str


class Drawn(msgspec.Struct, frozen=True, tag="drawn"):
    """The next round of a Swiss is paired, among the entrants that have not given up."""

    at: float


class Paired(msgspec.Struct, frozen=True, tag="paired", omit_defaults=True):
    """A match begins at a table; the players of some seats are not there."""

    at: float
    match: int
    table: str
    absent: tuple[int, ...] = ()


class Ended(msgspec.Struct, frozen=True, tag="ended", omit_defaults=True):
    """A match is over. Without results it was aborted and does not count. `died` lists the seats whose processes died
    in it, as far as the holder of the cup runs them."""

    at: float
    match: int
    table: str
    results: tuple[SeatResult, ...] = ()
    died: tuple[int, ...] = ()


Entry: TypeAlias = Entered | Dropped | Kicked | Pardoned | Replaced | Timed | Turned | Drawn | Paired | Ended


class CannotBe(ValueError):
    """The cup is not in a state where that can happen; the text is a sentence."""


class Entrant:
    """An entrant of a cup. `players` play for it, each at `tables` tables at most; `said` is the number that the
    entrant gave. A `dropped` one has left for good. Its `clock`, unless None, replaces the cup's. An entrant that
    `stays` has not given up, even if a house bot plays for it. A `late` one entered after the start."""

    def __init__(self, entered: Entered, *, late: bool = False) -> None:
        self.name, self.players, self.tables = entered.entrant, entered.players, entered.tables
        self.said = entered.tables
        self.nonce = "" if late else entered.nonce  # after the start it counts no more
        self.clock, self.dropped, self.stays, self.late = entered.clock, False, True, late
        self.house = entered.house  # the kind of house bot that it is; "": players play for it
        self.why = ""  # it is out

    @property
    def names(self) -> tuple[str, ...]:
        """Under which it sits at tables."""
        return (self.name,) if self.house else self.players


class CupLimits(Protocol):
    """The limits of cups: a server's `Config`, or those for reading a cup that was played elsewhere."""

    @property
    def entrants_a_cup(self) -> int: ...

    @property
    def matches_a_cup(self) -> int: ...

    @property
    def changes_an_entrant(self) -> int: ...


@dataclass(frozen=True)
class _SetLimits:
    entrants_a_cup: int = limits.ENTRANTS_A_CUP
    matches_a_cup: int = limits.MATCHES_A_CUP
    changes_an_entrant: int = limits.CHANGES_AN_ENTRANT


DEFAULT_LIMITS: CupLimits = _SetLimits()
NO_LIMITS: CupLimits = _SetLimits(10**9, 10**9, 10**9)
"""For a cup that was played: a server that allows less now, or another one, reads it all the same."""


class Cup:
    """Grows by `apply`. An entrant is known by its name, and by its number from the start on."""

    def __init__(self, settings: Settings, allowed: CupLimits = DEFAULT_LIMITS) -> None:
        self.settings, self.allowed = settings, allowed
        self.state = OPEN
        self.entrants: list[Entrant] = []
        self.tables: dict[int, str] = {}  # where each match is or was played
        self.absent: dict[int, tuple[int, ...]] = {}  # the seats whose players were not there when it began
        self.results: dict[int, Played] = {}
        self.died: dict[int, tuple[int, ...]] = {}  # by match: the seats whose processes died in it
        self.entries: list[Entry] = []
        self.kicked: set[str] = set()  # entrants that the owner sent away
        self._for_whom: dict[str, Entrant] | None = None  # by player; None: to be found out
        self._format: Format | None = None
        self._out: frozenset[int] = frozenset()  # entrants who have given up
        self._draws_rounds = draws_rounds(settings.format)
        self._drawn: Sequence[Pairing] = ()
        self._numbers: dict[str, int] = {}  # the match at each table
        self._playing: dict[int, None] = {}  # matches
        self.deals = Deals(settings.deals)
        self._first = 1  # the first match that has not begun
        self._clocks: dict[str, ClockRule | None] = {}  # by entrant, even while it is none: leaving changes no clock
        self._changes: Counter[str] = Counter()  # by entrant; "" for starts and pauses

    def apply(self, entry: Entry) -> None:
        """One more thing happened. Raises CannotBe, and then nothing has changed."""
        match entry:
            case Entered():
                self._enter(entry)
            case Dropped() | Kicked():
                entrant = self.entrant(entry.entrant)
                self._drop(entrant)
                entrant.why = entry.why if isinstance(entry, Dropped) else ""
                if isinstance(entry, Kicked):
                    self.kicked.add(entry.entrant)
            case Pardoned():
                self.kicked.discard(entry.entrant)
            case Replaced():
                self._replace(self.entrant(entry.entrant), entry)
            case Timed():
                self._time(self.entrant(entry.entrant), entry.clock)
            case Turned():
                self._turn(entry.state)
            case Drawn():
                self._draw()
            case Paired():
                self._pair(entry)
            case Ended():
                self._end(entry)
        self.entries.append(entry)
        if isinstance(entry, Entered | Dropped | Kicked | Replaced):
            self._for_whom = None
            self._out = frozenset(number for number, one in enumerate(self.entrants) if one.dropped)

    # -- what can be asked ---------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (STOPPED, FINISHED)

    @property
    def planned(self) -> int | None:
        """Matches in all; None before the start."""
        return self._format.planned if self._format else None

    @property
    def names(self) -> list[str]:
        """The entrants, by number."""
        return [entrant.name for entrant in self.entrants]

    @property
    def out(self) -> dict[str, str]:
        """The reason why an entrant is out that did not leave by itself, by name; a sentence without its full stop."""
        return {entrant.name: entrant.why for entrant in self.entrants if entrant.why}

    def seed_of(self, deal: int) -> bytes:
        """From which that deal comes."""
        nonces = [entrant.nonce for entrant in self.entrants if not entrant.late]
        return deal_seed(self.settings.secret, deal, nonces)

    def entrant(self, name: str) -> Entrant:
        """Raises CannotBe for who is none."""
        for entrant in self.entrants:
            if entrant.name == name:
                return entrant
        raise CannotBe(_("{name} is no entrant of {cup}.", name=name, cup=self.settings.cup))

    def player_of(self, name: str) -> Entrant | None:
        """For whom that player plays."""
        if self._for_whom is None:  # it is asked of everybody who is here
            going_on = [one for one in reversed(self.entrants) if not one.dropped]
            self._for_whom = {player: one for one in going_on for player in one.players}
        return self._for_whom.get(name)

    def pairings(self) -> Sequence[Pairing]:
        """All that are known by now, in order of their numbers, from 1."""
        if self._format is None or self._draws_rounds:
            return self._drawn
        return self._format.next(self.results)

    @property
    def awaits_draw(self) -> bool:
        """Whether a round can be paired now. Pairing takes a log entry of its own, because the entrants of a round
        depend on its time."""
        return self._format is not None and self._draws_rounds and self._format.is_due(self.results)

    def pairs(self, match: int) -> bool:
        """Whether there is a match of that number by now; from then on it is known, too."""
        if self._format and match > len(self.pairings()):  # it began where more was drawn in advance
            self._format.draw(match)
        return 1 <= match <= len(self.pairings())

    def waiting(self) -> Iterator[Pairing]:
        """Those that have not begun, in the order in which they should."""
        late = islice(self.pairings(), self._first - 1, None)
        return (pairing for pairing in late if pairing.number not in self.tables)

    def playing(self) -> list[Pairing]:
        """Those that have begun and are not over."""
        pairings = self.pairings()
        return [pairings[number - 1] for number in self._playing]

    def match_at(self, table: str) -> int:
        """The number of the match at that table; 0 for none of this cup's."""
        return self._numbers.get(table, 0)

    def awaits(self, table: str) -> bool:
        """Whether a match of the cup is or was played there whose result is not noted yet."""
        number = self.match_at(table)
        return number > 0 and number not in self.results

    def hides(self, table: str) -> bool:
        """Whether what was played there may still help somebody: matches of its deal are to come, or go on."""
        return self.shares(table) or (self.awaits(table) and not self.is_over)

    def shares(self, table: str) -> bool:
        """Whether the deal that is played there is still played, or will be, at another table."""
        number = self.match_at(table)
        deal = self.pairings()[number - 1].deal if number and not self.is_over else 0
        same = self.deals.matches(deal, self.pairings())
        return any(other != number and other not in self.results for other in same)

    def told(self) -> list[str]:
        """The tables whose matches are over and help nobody any more."""
        waited = set() if self.is_over else {one.deal for one in self.pairings() if one.number not in self.results}
        return [match.table for match in self.results.values() if match.pairing.deal not in waited]

    def matches(self) -> list[Played]:
        """All results, in order."""
        return [self.results[number] for number in sorted(self.results)]

    def reached(self) -> dict[int, int]:
        """How far each entrant came; {} where that does not matter."""
        return dict(self._format.reached(self.results)) if self._format else {}

    # -- within --------------------------------------------------------------------------------------------------------

    def _check_goes_on(self) -> None:
        if self.is_over:
            raise CannotBe(_("{cup} is {state}.", cup=self.settings.cup, state=_(self.state)))

    def _count_change(self, who: str) -> None:
        if self._changes[who] >= self.allowed.changes_an_entrant:
            told, times = who or self.settings.cup, self._changes[who]
            raise CannotBe(_("{who} was changed {changes} times; it stays as it is.", who=told, changes=times))
        self._changes[who] += 1

    def _enter(self, entry: Entered) -> None:
        self._check_goes_on()
        if entry.entrant in self.kicked:
            raise CannotBe(_("You were sent away from {cup}; its owner may invite you.", cup=self.settings.cup))
        known = next((one for one in self.entrants if one.name == entry.entrant), None)
        if known is not None:
            self._count_change(known.name)
            known.tables, known.players, known.dropped, known.stays = entry.tables, entry.players, False, True
            known.said = entry.tables
            if self.state == OPEN:  # what is not said stays: it is the number of tables that changes
                known.nonce, known.clock = entry.nonce or known.nonce, entry.clock or known.clock
            return
        if self.state != OPEN and not self.settings.late_entry:
            raise CannotBe(_("{cup} takes no more entrants.", cup=self.settings.cup))
        if len(self.entrants) >= self.allowed.entrants_a_cup:
            raise CannotBe(_("A cup has at most {most} entrants.", most=self.allowed.entrants_a_cup))
        self._count_change(entry.entrant)
        entrant = Entrant(entry, late=self._format is not None)
        if self._format is not None:
            self._admit(self._format)
        entrant.clock = entry.clock or self._clocks.get(entry.entrant)
        self.entrants.append(entrant)

    def _admit(self, format_: Format) -> None:
        """Adds an entrant to the format."""
        try:
            format_.admit(max(self.tables, default=0), self.allowed.matches_a_cup)
        except ValueError as error:
            raise CannotBe(str(error)) from None
        self.deals.draw_again()

    def _replace(self, entrant: Entrant, entry: Replaced) -> None:
        self._check_goes_on()
        self._count_change(entrant.name)
        entrant.players, entrant.dropped, entrant.house = entry.players, False, ""
        entrant.tables = min(entrant.said, entry.tables or entrant.said)

    def _time(self, entrant: Entrant, clock: ClockRule | None) -> None:
        if self.state != OPEN:
            raise CannotBe(_("{cup} has started; clocks stay as they are.", cup=self.settings.cup))
        self._count_change(entrant.name)
        entrant.clock = self._clocks[entrant.name] = clock

    def _drop(self, entrant: Entrant) -> None:
        self._check_goes_on()
        if entrant.dropped:
            raise CannotBe(_("{name} has given up already.", name=entrant.name))
        if self.state == OPEN:
            self.entrants.remove(entrant)
        else:
            entrant.dropped, entrant.stays = True, False

    def _pair(self, entry: Paired) -> None:
        known = self.pairs(entry.match) and entry.match not in self.tables and entry.table not in self._numbers
        if not known or not all(1 <= seat <= self.settings.seats for seat in entry.absent):
            raise CannotBe(_("Match {match} cannot begin at {table}.", match=entry.match, table=entry.table))
        self.tables[entry.match], self.absent[entry.match] = entry.table, entry.absent
        self._numbers[entry.table] = entry.match
        self._playing[entry.match] = None
        sitting = self.pairings()[entry.match - 1]
        self.deals.sit_down(sitting.deal, (name for one in sitting.entrants for name in self.entrants[one].players))
        while self._first in self.tables:
            self._first += 1

    def _end(self, entry: Ended) -> None:
        if self.tables.get(entry.match) != entry.table or entry.match in self.results:
            raise CannotBe(_("Match {match} cannot end at {table}.", match=entry.match, table=entry.table))
        pairing = self.pairings()[entry.match - 1]
        seats = len(pairing.entrants)
        if entry.results and [one.seat for one in entry.results] != list(range(1, seats + 1)):
            raise CannotBe(
                _("The results of match {match} are not those of seats 1 to {seats}.", match=entry.match, seats=seats)
            )
        self._playing.pop(entry.match, None)
        if entry.died:
            self.died[entry.match] = entry.died
        self.results[entry.match] = Played(pairing, entry.table, entry.results)

    def _draw(self) -> None:
        if not self.awaits_draw or self._format is None:
            raise CannotBe(_("No round of {cup} can be paired now.", cup=self.settings.cup))
        self._drawn = self._format.next(self.results, self._out)

    def _turn(self, state: str) -> None:
        name = self.settings.cup
        self._check_goes_on()
        if state not in (RUNNING, PAUSED, STOPPED, FINISHED):
            raise CannotBe(_("{name} cannot be {state} any more.", name=name, state=state))
        if state == RUNNING and self._format is None:
            self._format = self.planned_format()
        elif state == PAUSED and self.state != RUNNING:
            raise CannotBe(_("{name} is not running.", name=name))
        elif state == RUNNING and self.state == RUNNING:
            raise CannotBe(_("{name} is running.", name=name))
        if state == PAUSED:
            self._count_change("")
        self.state = state

    def planned_format(self) -> Format:
        """The format for those who have entered. Raises CannotBe where it cannot be played."""
        told, count = self.settings, len(self.entrants)
        try:
            planned = make_format(
                told.format,
                told.deals,
                count,
                told.seats,
                told.rounds,
                told.seed,
            )
        except ValueError as error:
            raise CannotBe(str(error)) from None
        most, at_a_table = self.allowed.matches_a_cup, copies(count, told.seats)
        if planned.planned > most:
            text = _("That would be {planned} matches; a cup has at most {most}.", planned=planned.planned, most=most)
            raise CannotBe(text)
        if any(len(entrant.names) < at_a_table for entrant in self.entrants):
            raise CannotBe(_("There are fewer entrants than the {seats} seats of a table.", seats=told.seats))
        return planned


def ranked(
    settings: Settings, names: Sequence[str], matches: Sequence[Played], reached: Mapping[int, int]
) -> list[Row]:
    """The standings of a cup with these settings, entrants, results, and how far each entrant came."""
    duplicate = settings.deals == "duplicate"
    return standings(names, matches, duplicate=duplicate, reached=reached, rank_by=settings.rank_by)


def fold(settings: Settings, entries: Iterable[Entry]) -> Cup:
    """The cup after all of that. Raises CannotBe for entries that are of no cup."""
    cup = Cup(settings, NO_LIMITS)
    for entry in entries:
        cup.apply(entry)
    return cup
