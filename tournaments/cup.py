"""A cup as the fold of its log: its settings and its entries determine its state completely.

Pure: the same settings and entries give the same cup, whether it is being played, is restored after the server was
killed, or is audited.
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
from tournaments.deals import DealIndex
from tournaments.formats.api import Format
from tournaments.formats.registry import draws_rounds, make_format
from tournaments.language import N_, _
from tournaments.schedule import Pairing, commitment_to, deal_seed, max_seats_per_entrant
from tournaments.standings import RANK_BY, CountedMatch, StandingsRow, compute_standings

OPEN, RUNNING, PAUSED = N_("open"), N_("running"), N_("paused")
STOPPED, FINISHED = N_("stopped"), N_("finished")


class CupSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a cup, fixed when it opens.

    `secret` is the source of all deals and stays secret until the end. `at_once` limits the number of matches played at
    the same time; 0 means as many as the entrants can play. `rules` and `cards` are the game's rules version and card
    digest when the cup opened. `rank_by` is one of RANK_BY.
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
    late_entry: bool = False  # entrants may enter after the start

    @property
    def commitment(self) -> str:
        """The commitment to the secret, which is public from the start."""
        return commitment_to(self.secret)


class EntrantEntered(msgspec.Struct, frozen=True, tag="entered", omit_defaults=True):
    """An entrant enters, with its players, the number of tables that each plays at once, and its own clock, if it has
    one.

    If the entrant enters again, its number of tables changes. A house bot of the kind `house` has no players, and plays
    whenever it is paired.
    """

    at: float  # seconds since 1970, in this entry and those below
    entrant: str
    players: tuple[str, ...]
    tables: int = 1
    # part of the seed of all deals; ignored after the start
    nonce: Annotated[str, msgspec.Meta(max_length=limits.NONCE_CHARACTERS, pattern=r"\A[!-~]*\Z")] = ""
    clock: ClockRule | None = None
    house: str = ""


class EntrantDropped(msgspec.Struct, frozen=True, tag="dropped", omit_defaults=True):
    """An entrant leaves for good. Before the start it is removed; later a house bot plays for it.

    `why` is a sentence if the entrant did not leave by itself.
    """

    at: float
    entrant: str
    why: str = ""


class EntrantKicked(msgspec.Struct, frozen=True, tag="kicked"):
    """The owner drops an entrant, which cannot enter again before `EntrantPardoned`."""

    at: float
    entrant: str


class EntrantPardoned(msgspec.Struct, frozen=True, tag="pardoned"):
    """The owner allows a kicked entrant to enter again."""

    at: float
    entrant: str


class PlayersReplaced(msgspec.Struct, frozen=True, tag="replaced", omit_defaults=True):
    """Other players play for the entrant from now on, each at up to `tables` tables; 0 keeps the entrant's own
    number."""

    at: float
    entrant: str
    players: tuple[str, ...]
    tables: int = 0


class ClockSet(msgspec.Struct, frozen=True, tag="timed", omit_defaults=True):
    """Gives the entrant its own clock in all matches; None gives it the cup's clock again. Only before the start."""

    at: float
    entrant: str
    clock: ClockRule | None = None


class CupStateChanged(msgspec.Struct, frozen=True, tag="turned"):
    """The cup starts, continues, is paused, is stopped, or finishes."""

    at: float
    state: str


class RoundDrawn(msgspec.Struct, frozen=True, tag="drawn"):
    """The next round is paired, among the entrants that have not given up. Only for formats that draw rounds."""

    at: float


class MatchPaired(msgspec.Struct, frozen=True, tag="paired", omit_defaults=True):
    """A match begins at a table. `absent` lists the seats whose players are not connected."""

    at: float
    match: int
    table: str
    absent: tuple[int, ...] = ()


class MatchEnded(msgspec.Struct, frozen=True, tag="ended", omit_defaults=True):
    """A match is over. Without results it was aborted and does not count.

    `died` lists the seats whose processes died in it, if the organiser of the cup runs them.
    """

    at: float
    match: int
    table: str
    results: tuple[SeatResult, ...] = ()
    died: tuple[int, ...] = ()


Entry: TypeAlias = (
    EntrantEntered
    | EntrantDropped
    | EntrantKicked
    | EntrantPardoned
    | PlayersReplaced
    | ClockSet
    | CupStateChanged
    | RoundDrawn
    | MatchPaired
    | MatchEnded
)


class CupStateError(ValueError):
    """The cup is not in a state that allows this entry. The text says why in a sentence."""


class Entrant:
    """An entrant of a cup.

    Attributes:
        players: The names of the players that play for it.
        tables: The most tables at which each player plays at once.
        said: The number of tables that the entrant itself gave; `tables` is lower if replacing players take fewer.
        clock: Replaces the cup's clock, unless it is None.
        dropped: Whether it has left for good.
        stays: Whether it never gave up, or has entered again since then.
        late: Whether it entered after the start.
    """

    def __init__(self, entered: EntrantEntered, *, late: bool = False) -> None:
        self.name, self.players, self.tables = entered.entrant, entered.players, entered.tables
        self.said = entered.tables
        self.nonce = "" if late else entered.nonce  # ignored after the start
        self.clock, self.dropped, self.stays, self.late = entered.clock, False, True, late
        self.house = entered.house  # the kind of house bot; "" if players play for it
        self.why = ""  # why it was dropped; "" if it left by itself

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names under which it sits at tables."""
        return (self.name,) if self.house else self.players


class CupLimits(Protocol):
    """The limits of cups: those of a server's `Config`, or NO_LIMITS for reading a cup that was played elsewhere."""

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
"""For reading a cup that was already played, so that limits which are lower now do not matter."""


class Cup:
    """The state of a cup, which `apply` changes.

    An entrant is identified by its name. After the start it also has a number, its index in `entrants`.
    """

    def __init__(self, settings: CupSettings, allowed: CupLimits = DEFAULT_LIMITS) -> None:
        self.settings, self.allowed = settings, allowed
        self.state = OPEN
        self.entrants: list[Entrant] = []
        self.tables: dict[int, str] = {}  # the table of each match that has begun
        self.absent: dict[int, tuple[int, ...]] = {}  # by match: seats whose players were absent at its beginning
        self.results: dict[int, CountedMatch] = {}
        self.died: dict[int, tuple[int, ...]] = {}  # by match: seats whose processes died
        self.entries: list[Entry] = []
        self.kicked: set[str] = set()  # entrants that the owner kicked
        self._for_whom: dict[str, Entrant] | None = None  # entrant by name of its player; None: to be computed again
        self._format: Format | None = None
        self._out: frozenset[int] = frozenset()  # numbers of entrants that have given up
        self._draws_rounds = draws_rounds(settings.format)
        self._drawn: Sequence[Pairing] = ()
        self._numbers: dict[str, int] = {}  # match number by table
        self._playing: dict[int, None] = {}  # numbers of the running matches
        self.deals = DealIndex(settings.deals)
        self._first = 1  # number of the first match that has not begun
        # own clocks by entrant; kept after the entrant leaves, in case it enters again
        self._clocks: dict[str, ClockRule | None] = {}
        self._changes: Counter[str] = Counter()  # number of changes by entrant; "": pauses of the cup

    def apply(self, entry: Entry) -> None:
        """Applies an entry of the log. Raises CupStateError, and then changes nothing."""
        match entry:
            case EntrantEntered():
                self._enter(entry)
            case EntrantDropped() | EntrantKicked():
                entrant = self.entrant(entry.entrant)
                self._drop(entrant)
                entrant.why = entry.why if isinstance(entry, EntrantDropped) else ""
                if isinstance(entry, EntrantKicked):
                    self.kicked.add(entry.entrant)
            case EntrantPardoned():
                self.kicked.discard(entry.entrant)
            case PlayersReplaced():
                self._replace(self.entrant(entry.entrant), entry)
            case ClockSet():
                self._time(self.entrant(entry.entrant), entry.clock)
            case CupStateChanged():
                self._turn(entry.state)
            case RoundDrawn():
                self._draw()
            case MatchPaired():
                self._pair(entry)
            case MatchEnded():
                self._end(entry)
        self.entries.append(entry)
        if isinstance(entry, EntrantEntered | EntrantDropped | EntrantKicked | PlayersReplaced):
            self._for_whom = None
            self._out = frozenset(number for number, one in enumerate(self.entrants) if one.dropped)

    # -- queries -------------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the cup is stopped or finished."""
        return self.state in (STOPPED, FINISHED)

    @property
    def planned_match_count(self) -> int | None:
        """The total number of matches; None before the start."""
        return self._format.planned if self._format else None

    @property
    def entrant_names(self) -> list[str]:
        """The names of the entrants, by number."""
        return [entrant.name for entrant in self.entrants]

    @property
    def drop_reasons(self) -> dict[str, str]:
        """The reasons why entrants were dropped, by entrant, without the entrants that left by themselves. Each reason
        is a sentence without a full stop."""
        return {entrant.name: entrant.why for entrant in self.entrants if entrant.why}

    def deal_seed(self, deal: int) -> bytes:
        """Returns the seed of that deal."""
        nonces = [entrant.nonce for entrant in self.entrants if not entrant.late]
        return deal_seed(self.settings.secret, deal, nonces)

    def entrant(self, name: str) -> Entrant:
        """Returns the entrant of that name. Raises CupStateError if there is none."""
        for entrant in self.entrants:
            if entrant.name == name:
                return entrant
        raise CupStateError(_("{name} is no entrant of {cup}.", name=name, cup=self.settings.cup))

    def entrant_of_player(self, name: str) -> Entrant | None:
        """Returns the entrant for which that player plays; None if there is none."""
        if self._for_whom is None:  # cached, because callers ask for every connected player
            going_on = [one for one in reversed(self.entrants) if not one.dropped]
            self._for_whom = {player: one for one in going_on for player in one.players}
        return self._for_whom.get(name)

    def pairings(self) -> Sequence[Pairing]:
        """Returns all pairings that are known now, in order of their numbers, from 1."""
        if self._format is None or self._draws_rounds:
            return self._drawn
        return self._format.known_pairings(self.results)

    @property
    def awaits_draw(self) -> bool:
        """Whether the format waits for an entry RoundDrawn, which pairs its next round.

        Pairing a round has its own log entry, because its entrants are those who have not given up at that time.
        """
        return self._format is not None and self._draws_rounds and self._format.is_round_due(self.results)

    def has_match(self, match: int) -> bool:
        """Returns whether the cup has a match with that number. If its pairing is not computed yet, the format first
        computes its pairings up to that number, if it can."""
        # a log may come from a program that had computed more pairings in advance
        if self._format and match > len(self.pairings()):
            self._format.draw_up_to(match)
        return 1 <= match <= len(self.pairings())

    def waiting_pairings(self) -> Iterator[Pairing]:
        """Yields the pairings that have not begun, in the order in which they should begin."""
        late = islice(self.pairings(), self._first - 1, None)
        return (pairing for pairing in late if pairing.number not in self.tables)

    def running_pairings(self) -> list[Pairing]:
        """Returns the pairings that have begun and are not over."""
        pairings = self.pairings()
        return [pairings[number - 1] for number in self._playing]

    def match_number_at(self, table: str) -> int:
        """Returns the number of the match at that table; 0 if it is not one of this cup."""
        return self._numbers.get(table, 0)

    def awaits_result(self, table: str) -> bool:
        """Returns whether a match of the cup was begun at that table and has no result in the log yet."""
        number = self.match_number_at(table)
        return number > 0 and number not in self.results

    def is_hidden(self, table: str) -> bool:
        """Returns whether the play at that table must stay hidden from players: its match is not over, or its deal
        belongs to another match that is not over."""
        return self.has_shared_deal(table) or (self.awaits_result(table) and not self.is_over)

    def has_shared_deal(self, table: str) -> bool:
        """Returns whether the deal at that table also belongs to another match of the cup that is not over."""
        number = self.match_number_at(table)
        deal = self.pairings()[number - 1].deal if number and not self.is_over else 0
        same = self.deals.matches_with_deal(deal, self.pairings())
        return any(other != number and other not in self.results for other in same)

    def publishable_tables(self) -> list[str]:
        """Returns the tables of the finished matches whose deals belong to no match that is not over."""
        waited = set() if self.is_over else {one.deal for one in self.pairings() if one.number not in self.results}
        return [match.table for match in self.results.values() if match.pairing.deal not in waited]

    def finished_matches(self) -> list[CountedMatch]:
        """Returns all finished matches, in order of their numbers."""
        return [self.results[number] for number in sorted(self.results)]

    def stages_reached(self) -> dict[int, int]:
        """Returns how far each entrant came, by its number, such as the stage of a knockout; {} for formats without
        stages."""
        return dict(self._format.stages_reached(self.results)) if self._format else {}

    # -- applying the entries of the log -------------------------------------------------------------------------------

    def _check_goes_on(self) -> None:
        if self.is_over:
            raise CupStateError(_("{cup} is {state}.", cup=self.settings.cup, state=_(self.state)))

    def _count_change(self, who: str) -> None:
        if self._changes[who] >= self.allowed.changes_an_entrant:
            told, times = who or self.settings.cup, self._changes[who]
            raise CupStateError(_("{who} was changed {changes} times; it stays as it is.", who=told, changes=times))
        self._changes[who] += 1

    def _enter(self, entry: EntrantEntered) -> None:
        self._check_goes_on()
        if entry.entrant in self.kicked:
            raise CupStateError(_("You were sent away from {cup}; its owner may invite you.", cup=self.settings.cup))
        known = next((one for one in self.entrants if one.name == entry.entrant), None)
        if known is not None:
            self._count_change(known.name)
            known.tables, known.players, known.dropped, known.stays = entry.tables, entry.players, False, True
            known.said = entry.tables
            if self.state == OPEN:  # an entry without nonce or clock keeps the old ones
                known.nonce, known.clock = entry.nonce or known.nonce, entry.clock or known.clock
            return
        if self.state != OPEN and not self.settings.late_entry:
            raise CupStateError(_("{cup} takes no more entrants.", cup=self.settings.cup))
        if len(self.entrants) >= self.allowed.entrants_a_cup:
            raise CupStateError(_("A cup has at most {most} entrants.", most=self.allowed.entrants_a_cup))
        self._count_change(entry.entrant)
        entrant = Entrant(entry, late=self._format is not None)
        if self._format is not None:
            self._admit(self._format)
        entrant.clock = entry.clock or self._clocks.get(entry.entrant)
        self.entrants.append(entrant)

    def _admit(self, format_: Format) -> None:
        """Adds a late entrant to the format, which pairs it in rounds that have not begun."""
        try:
            format_.admit_entrant(max(self.tables, default=0), self.allowed.matches_a_cup)
        except ValueError as error:
            raise CupStateError(str(error)) from None
        self.deals.clear_matches()

    def _replace(self, entrant: Entrant, entry: PlayersReplaced) -> None:
        self._check_goes_on()
        self._count_change(entrant.name)
        entrant.players, entrant.dropped, entrant.house = entry.players, False, ""
        entrant.tables = min(entrant.said, entry.tables or entrant.said)

    def _time(self, entrant: Entrant, clock: ClockRule | None) -> None:
        if self.state != OPEN:
            raise CupStateError(_("{cup} has started; clocks stay as they are.", cup=self.settings.cup))
        self._count_change(entrant.name)
        entrant.clock = self._clocks[entrant.name] = clock

    def _drop(self, entrant: Entrant) -> None:
        self._check_goes_on()
        if entrant.dropped:
            raise CupStateError(_("{name} has given up already.", name=entrant.name))
        if self.state == OPEN:
            self.entrants.remove(entrant)
        else:
            entrant.dropped, entrant.stays = True, False

    def _pair(self, entry: MatchPaired) -> None:
        known = self.has_match(entry.match) and entry.match not in self.tables and entry.table not in self._numbers
        if not known or not all(1 <= seat <= self.settings.seats for seat in entry.absent):
            raise CupStateError(_("Match {match} cannot begin at {table}.", match=entry.match, table=entry.table))
        self.tables[entry.match], self.absent[entry.match] = entry.table, entry.absent
        self._numbers[entry.table] = entry.match
        self._playing[entry.match] = None
        sitting = self.pairings()[entry.match - 1]
        self.deals.record_players(
            sitting.deal, (name for one in sitting.entrants for name in self.entrants[one].players)
        )
        while self._first in self.tables:
            self._first += 1

    def _end(self, entry: MatchEnded) -> None:
        if self.tables.get(entry.match) != entry.table or entry.match in self.results:
            raise CupStateError(_("Match {match} cannot end at {table}.", match=entry.match, table=entry.table))
        pairing = self.pairings()[entry.match - 1]
        seats = len(pairing.entrants)
        if entry.results and [one.seat for one in entry.results] != list(range(1, seats + 1)):
            raise CupStateError(
                _("The results of match {match} are not those of seats 1 to {seats}.", match=entry.match, seats=seats)
            )
        self._playing.pop(entry.match, None)
        if entry.died:
            self.died[entry.match] = entry.died
        self.results[entry.match] = CountedMatch(pairing, entry.table, entry.results)

    def _draw(self) -> None:
        if not self.awaits_draw or self._format is None:
            raise CupStateError(_("No round of {cup} can be paired now.", cup=self.settings.cup))
        self._drawn = self._format.known_pairings(self.results, self._out)

    def _turn(self, state: str) -> None:
        name = self.settings.cup
        self._check_goes_on()
        if state not in (RUNNING, PAUSED, STOPPED, FINISHED):
            raise CupStateError(_("{name} cannot be {state} any more.", name=name, state=state))
        if state == RUNNING and self._format is None:
            self._format = self.planned_format()
        elif state == PAUSED and self.state != RUNNING:
            raise CupStateError(_("{name} is not running.", name=name))
        elif state == RUNNING and self.state == RUNNING:
            raise CupStateError(_("{name} is running.", name=name))
        if state == PAUSED:
            self._count_change("")
        self.state = state

    def planned_format(self) -> Format:
        """Returns the format for the current entrants. Raises CupStateError if it cannot be played."""
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
            raise CupStateError(str(error)) from None
        most, at_a_table = self.allowed.matches_a_cup, max_seats_per_entrant(count, told.seats)
        if planned.planned > most:
            text = _("That would be {planned} matches; a cup has at most {most}.", planned=planned.planned, most=most)
            raise CupStateError(text)
        if any(len(entrant.player_names) < at_a_table for entrant in self.entrants):
            raise CupStateError(_("There are fewer entrants than the {seats} seats of a table.", seats=told.seats))
        return planned


def rank_entrants(
    settings: CupSettings, names: Sequence[str], matches: Sequence[CountedMatch], reached: Mapping[int, int]
) -> list[StandingsRow]:
    """Returns the standings of a cup.

    Args:
        settings: The settings of the cup.
        names: The names of the entrants, by number.
        matches: The finished matches.
        reached: How far each entrant came, as in `Format.stages_reached`.
    """
    duplicate = settings.deals == "duplicate"
    return compute_standings(names, matches, duplicate=duplicate, reached=reached, rank_by=settings.rank_by)


def fold_entries(settings: CupSettings, entries: Iterable[Entry]) -> Cup:
    """Returns the cup after these entries. Raises CupStateError if they do not fit together."""
    cup = Cup(settings, NO_LIMITS)
    for entry in entries:
        cup.apply(entry)
    return cup
