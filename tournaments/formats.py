"""Who plays whom next: the formats of a cup, each a small class. Pure: equal results give equal pairings.

`next` is given the results so far and returns every pairing that can be said by now, those before it included, in the
order in which they are best begun. What it has said stays. A format never looks at which match ended first, so a cup
played one match at a time has the same pairings as one played at many tables.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations, zip_longest
from typing import Protocol, TypeAlias

from games.chance import Chance, deal_key, numbered_seed
from tournaments.language import _
from tournaments.schedule import Pairing, rotations
from tournaments.standings import Played, merits
from tournaments.swiss_lookahead import Lookahead
from tournaments.swiss_tables import Field

DEALS = ("fresh", "duplicate", "rotated")
"""fresh: every match has a deal of its own. duplicate: the matches of a round have the same deal, at tables with nobody
in common. rotated: a deal is played once for each entrant, who sit in each seat with it once."""

NEAR = 256  # matches of a knockout: more than are played at once, and drawn in a few milliseconds
Results: TypeAlias = Mapping[int, Played]
"""What is over, by the number of the pairing."""
Sitting: TypeAlias = tuple[int, ...]


class Format(Protocol):
    """Pairs entrants, which are numbers from 0."""

    planned: int  # matches in all

    def next(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """All pairings that are known by now, in order. A cup is over when all of them are. The entrants who are `out`
        have given up: what is drawn now may do without them."""
        ...

    def draw(self, number: int) -> None:
        """The pairing of that number is known from now on too, if it can be: it began, however far it is."""
        ...

    def reached(self, results: Results) -> Mapping[int, int]:
        """How far each entrant came, where that goes before all points; {} where it does not matter."""
        ...

    def admit(self, begun: int, most: int) -> None:
        """Adds an entrant, with the next number, who plays in the rounds that have not begun. Pairings of these may be
        drawn again.

        Args:
            begun: The highest number of a match that has begun.
            most: The number of matches that the cup may have.

        Raises:
            ValueError: The format takes no late entrant now. Nothing has changed.
        """
        ...


def make_format(
    kind: str,
    deals: str,
    entrants: int,
    seats: int,
    rounds: int,
    seed: int,
) -> Format:
    """Makes a format. Raises ValueError, with a sentence, if it cannot be played."""
    if kind not in FORMATS:
        raise ValueError(_("There is no format {kind}; there are: {listed}.", kind=kind, listed=", ".join(FORMATS)))
    if deals not in DEALS:
        raise ValueError(_("Deals are {listed}.", listed=", ".join(DEALS)))
    if entrants < 1 or rounds < 1 or seats < 2:
        raise ValueError(_("A cup needs an entrant, two seats and a round."))
    if entrants < seats and not (kind == "round_robin" and deals != "duplicate"):
        raise ValueError(_("There are fewer entrants than the {seats} seats of a table.", seats=seats))
    if deals == "duplicate" and entrants < 2 * seats:
        raise ValueError(_("Duplicate deals need two tables of {seats} with nobody in common.", seats=seats))
    if deals == "rotated" and kind != "round_robin":
        raise ValueError(_("Rotated deals are for a round robin."))
    return FORMATS[kind](deals, entrants, seats, rounds, seed)


class _InAdvance:
    """What the formats have in common whose rounds depend on no result. They are drawn only when they are near, since
    drawing takes time."""

    def __init__(self, drawn: Iterator[Sequence[Sitting]], a_round: int, rounds: int, deals: str) -> None:
        self._fresh = deals == "fresh"
        self._of = rounds
        self._pairings: list[Pairing] = []
        self._ends: list[int] = []  # after each round, how many pairings there are
        self._draw_from(drawn, a_round)

    def _draw_from(self, drawn: Iterator[Sequence[Sitting]], a_round: int) -> None:
        """All further rounds, of `a_round` matches each, come from there."""
        done = len(self._ends)
        self._rounds = islice(enumerate(drawn, done + 1), self._of - done)
        self._a_round = a_round
        self.planned = len(self._pairings) + (self._of - done) * a_round

    def next(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """Two rounds more than there are results for."""
        while len(self._pairings) < min(self.planned, len(results) + 2 * self._a_round):
            deal, tables = next(self._rounds)
            for sitting in tables:
                number = len(self._pairings) + 1
                self._pairings.append(Pairing(number, number if self._fresh else deal, sitting))
            self._ends.append(len(self._pairings))
        return self._pairings

    def draw(self, number: int) -> None:
        """What is near is known already."""

    def reached(self, results: Results) -> Mapping[int, int]:
        """Nobody is put out."""
        return {}

    def admit(self, begun: int, most: int) -> None:
        """See Format. These formats take no late entrant, unless they say otherwise."""
        raise ValueError(_("Late entrants are for a round robin and a Swiss."))


class RoundRobin(_InAdvance):
    """Everybody meets everybody as evenly as can be, and sits in each seat as often."""

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        self._entrants, self._seats, self._seed, self._disjoint = entrants, seats, seed, deals == "duplicate"
        super().__init__(*self._drawn(entrants), rounds, deals)

    def _drawn(self, entrants: int) -> tuple[Iterator[list[Sitting]], int]:
        """Rounds for that many entrants, and how many matches each has."""
        if self._disjoint:
            return _disjoint(entrants, self._seats, self._seed), entrants // self._seats
        return rotations(entrants, self._seats, self._seed), entrants

    def admit(self, begun: int, most: int) -> None:
        """See Format. Rounds that have not begun are drawn again for one entrant more."""
        done = bisect_left(self._ends, begun) + 1 if begun else 0  # rounds of which a match has begun
        if done >= self._of:
            raise ValueError(_("The last round has begun; there is nothing left to enter."))
        drawn, a_round = self._drawn(self._entrants + 1)
        kept = self._ends[done - 1] if done else 0
        _check_size(kept + (self._of - done) * a_round, most)
        self._entrants += 1
        del self._ends[done:], self._pairings[kept:]
        self._draw_from(drawn, a_round)


class Gauntlet(_InAdvance):
    """The first entrant against all others, who meet each other as far as they share its tables."""

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        if deals != "fresh":
            raise ValueError(_("A gauntlet has fresh deals: its first entrant plays in every match."))
        super().__init__(_against_the_first(entrants, seats, seed), -(-(entrants - 1) // (seats - 1)), rounds, deals)


class _InRounds:
    """What the formats have in common whose next round depends on the results of the one before."""

    planned: int

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        self._deals, self._entrants, self._seats, self._of, self._seed = deals, entrants, seats, rounds, seed
        self._pairings: list[Pairing] = []
        self._ends: list[int] = []  # after each round, how many pairings there are
        self._sat = _Sat(entrants, seats)

    def draw(self, number: int) -> None:
        """What is near is known already."""

    def reached(self, results: Results) -> Mapping[int, int]:
        """Nobody is put out."""
        return {}

    def admit(self, begun: int, most: int) -> None:
        """See Format. These formats take no late entrant, unless they say otherwise."""
        raise ValueError(_("Late entrants are for a round robin and a Swiss."))

    def _is_over(self, results: Results) -> bool:
        """Whether all that was paired so far is over."""
        return len(results) >= len(self._pairings) and all(one.number in results for one in self._last_round())

    def _add(self, tables: Sequence[Sitting], deal: int) -> None:
        """One more match at each of these tables; with duplicate deals, all have the deal of that number."""
        for sitting in tables:
            number = len(self._pairings) + 1
            self._pairings.append(Pairing(number, number if self._deals == "fresh" else deal, sitting))

    def _last(self, results: Results) -> list[Played]:
        """The results of the last round."""
        return [results[pairing.number] for pairing in self._last_round()]

    def _last_round(self) -> Sequence[Pairing]:
        return self._pairings[self._ends[-2] if self._ends[1:] else 0 :]


class Swiss(_InRounds):
    """Pairs round after round: entrants with near scores sit together, and two entrants meet again only if no pairing
    avoids it. A round leaves out entrants who have given up before it is paired."""

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        super().__init__(deals, entrants, seats, rounds, seed)
        self.planned = rounds * (entrants // seats)
        self._met = [[0] * entrants for _ in range(entrants)]  # how often, by both
        self._total = [Fraction(0)] * entrants  # shares of the win in all rounds before
        self._byes = [0] * entrants

    def next(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """One more round once the last one is over."""
        while self.is_due(results):
            self._pair(results, out)
        return self._pairings

    def is_due(self, results: Results) -> bool:
        """Whether one more round can be paired."""
        return len(self._ends) < self._of and self._is_over(results)

    def admit(self, begun: int, most: int) -> None:
        """See Format. The entrant is paired from the next round on, as if it had had a bye in each round before."""
        missed = len(self._ends)
        if missed >= self._of:
            raise ValueError(_("The last round is paired; there is nothing left to enter."))
        planned = len(self._pairings) + (self._of - missed) * ((self._entrants + 1) // self._seats)
        _check_size(planned, most)
        self.planned = planned
        self._entrants += 1
        for row in self._met:
            row.append(0)
        self._met.append([0] * self._entrants)
        self._total.append(Fraction(missed, self._seats))
        self._byes.append(missed)
        self._sat.add()

    def _pair(self, results: Results, out: Collection[int]) -> None:
        round_ = len(self._ends) + 1
        chance = _chance(self._seed, f"swiss {round_}")
        for played in self._last(results):
            for entrant, (share, _place) in zip(played.pairing.entrants, merits(played.results), strict=False):
                self._total[entrant] += share
        mixed = chance.shuffle("order", range(self._entrants))
        order = sorted((one for one in mixed if one not in out), key=lambda entrant: -self._total[entrant])
        tables = self._tables(order, chance) if len(order) >= self._seats else []
        sitting = {entrant for table in tables for entrant in table}
        for entrant in order:
            if tables and entrant not in sitting:
                self._byes[entrant] += 1
                self._total[entrant] += Fraction(1, self._seats)  # what a seat is worth on average
        for table in tables:
            for one, other in permutations(table, 2):
                self._met[one][other] += 1
        self._add([self._sat.seated(table, chance) for table in tables], round_)
        self._ends.append(len(self._pairings))
        if not tables:
            self._of = round_  # it ends for good
        self.planned = len(self._pairings) + (self._of - round_) * len(tables)

    def _tables(self, order: Sequence[int], chance: Chance) -> Sequence[Sequence[int]]:
        """The tables of a round for the entrants in that order."""
        field = Field(self._met, self._total, self._byes, lambda bound: chance.below("ties", bound))
        found = field.round(order, self._seats)
        following = self._of - len(self._ends) - 1
        return Lookahead(order, self._met, self._byes, self._seats).choose(found, following, field.cost_of)


class Knockout(_InRounds):
    """Groups of a table each play `rounds` matches; the better half goes on, until one group is left, the final.

    Who finds no full group goes on without playing, and has one in the next stage."""

    def __init__(self, deals: str, entrants: int, seats: int, rounds: int, seed: int) -> None:
        super().__init__(deals, entrants, seats, rounds, seed)
        self._alive = _chance(seed, "knockout").shuffle("order", range(entrants))
        self._groups: list[list[int]] = []
        self._stages: dict[int, int] = {}
        self._draws: Chance  # for the matches of the stage
        self._drawn = rounds  # so many of each group are: no group, nothing to draw
        self.planned = rounds * _groups_in_all(entrants, seats)

    def next(self, results: Results, out: Collection[int] = ()) -> Sequence[Pairing]:
        """NEAR matches more than there are results for; the next stage once the last one is over."""
        self.draw(len(results) + NEAR)
        while self._drawn == self._of and self._is_over(results) and not self._is_final:
            if self._groups:
                self._alive = self._going_on(results)
            self._pair()
            self.draw(len(results) + NEAR)
        return self._pairings

    def draw(self, number: int) -> None:
        """As many matches of each group as it takes, none beyond the stage."""
        while self._drawn < self._of and len(self._pairings) < number:
            self._drawn += 1
            deal = (len(self._ends) - 1) * self._of + self._drawn
            self._add([self._sat.seated(group, self._draws) for group in self._groups], deal)
            self._ends[-1] = len(self._pairings)

    @property
    def _is_final(self) -> bool:
        return bool(self._groups) and len(self._alive) == len(self._groups[0])

    def reached(self, results: Results) -> Mapping[int, int]:
        """The stage that each entrant came to."""
        self.next(results)
        return self._stages

    def _going_on(self, results: Results) -> list[int]:
        total: dict[int, tuple[Fraction, Fraction]] = dict.fromkeys(self._alive, (Fraction(0), Fraction(0)))
        for played in self._last(results):
            for entrant, (share, place) in zip(played.pairing.entrants, merits(played.results), strict=False):
                shares, places = total[entrant]
                total[entrant] = shares + share, places - place
        playing = [one for group in self._groups for one in group]
        more = [one for one in self._alive if one not in playing]
        best = [
            sorted(group, key=lambda one: total[one], reverse=True)[: (len(group) + 1) // 2] for group in self._groups
        ]
        ranked = [one for rank in zip_longest(*best) for one in rank if one is not None]
        return ranked + more

    def _pair(self) -> None:
        """The groups of the next stage, of which no match is drawn yet."""
        stage = len(self._ends) + 1
        self._draws, self._drawn = _chance(self._seed, f"stage {stage}"), 0
        size = min(self._seats, len(self._alive))
        late = len(self._alive) % size  # the first in the order won their groups: they need not play
        playing = self._alive[late:]
        count = len(playing) // size
        self._groups = [playing[number::count] for number in range(count)]
        self._ends.append(len(self._pairings))
        self._stages.update(dict.fromkeys(self._alive, stage))


def _check_size(planned: int, most: int) -> None:
    if planned > most:
        raise ValueError(_("That would be {planned} matches; a cup has at most {most}.", planned=planned, most=most))


def _groups_in_all(entrants: int, seats: int) -> int:
    """How many groups a knockout has, in all its stages."""
    count, alive = 0, entrants
    while True:
        size = min(seats, alive)
        groups = alive // size
        count += groups
        if groups == 1 and alive == size:
            return count
        alive = alive % size + groups * ((size + 1) // 2)


LATE = ("round_robin", "swiss")  # formats that take late entrants
FORMATS: dict[str, type[RoundRobin | Gauntlet | Swiss | Knockout]] = {
    "round_robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
}


class _Sat:
    """How often each entrant has had each seat."""

    def __init__(self, entrants: int, seats: int) -> None:
        self._count = [[0] * seats for _ in range(entrants)]

    def add(self) -> None:
        """Adds an entrant, with the next number."""
        self._count.append([0] * len(self._count[0]))

    def seated(self, table: Sequence[int], chance: Chance) -> Sitting:
        """The entrants of a table in the order of seats that evens out best."""
        drawn = [chance.shuffle("seats", table) for _ in range(8)]
        best = min(drawn, key=lambda order: sum(self._count[one][seat] ** 2 for seat, one in enumerate(order)))
        for seat, one in enumerate(best):
            self._count[one][seat] += 1
        return tuple(best)


def _against_the_first(entrants: int, seats: int, seed: int) -> Iterator[list[Sitting]]:
    """Rounds in which all others meet the first entrant; a table that they do not fill has some of them again."""
    chance, sat = _chance(seed, "gauntlet"), _Sat(entrants, seats)
    while True:
        others, tables = chance.shuffle("others", range(1, entrants)), []
        while others:
            rivals, others = others[: seats - 1], others[seats - 1 :]
            rest = [one for one in range(1, entrants) if one not in rivals]
            rivals += chance.shuffle("filling", rest)[: seats - 1 - len(rivals)]
            tables.append(sat.seated([0, *rivals], chance))
        yield tables


def _disjoint(entrants: int, seats: int, seed: int) -> Iterator[list[Sitting]]:
    """Rounds of tables with nobody in common; who sits out changes. All meet as evenly as drawn."""
    chance = _chance(seed, "duplicate")
    met: Counter[tuple[int, int]] = Counter()
    byes: Counter[int] = Counter()
    sat = _Sat(entrants, seats)
    while True:
        order = chance.shuffle("byes", range(entrants))
        out = sorted(order, key=lambda entrant: byes[entrant])[: entrants % seats]
        byes.update(out)
        playing = [one for one in order if one not in out]
        tables = min(
            (_cut(chance.shuffle("tables", playing), seats) for _ in range(max(4, 512 // entrants))),
            key=lambda tables: sum(met[pair] ** 2 for table in tables for pair in combinations(sorted(table), 2)),
        )
        for table in tables:
            met.update(combinations(sorted(table), 2))
        yield [sat.seated(table, chance) for table in tables]


def _cut(order: Sequence[int], seats: int) -> list[Sequence[int]]:
    return [order[at : at + seats] for at in range(0, len(order), seats)]


def _chance(seed: int, purpose: str) -> Chance:
    return Chance(deal_key(numbered_seed(seed, purpose)))
