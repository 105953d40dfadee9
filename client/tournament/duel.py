"""Two bots compared: deals that both play in the same seats and company, until it is sure who is better."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from client.tournament.plan import Plan
from client.tournament.run import Result, hold
from server.tournament.comparing import Comparison
from server.tournament.standings import Played, merits

FIRST_DEALS, GROWTH = 32, 1.5  # of a batch, and against the one before: starting processes takes time


@dataclass(frozen=True)
class Duel:
    """What is asked. `plan` names no bots and no rounds yet. With a field, one of the two plays against it in each
    match; without one, they play each other. At `most` so many deals are played, and at least a round."""

    plan: Plan
    new: str
    old: str
    field: tuple[str, ...] = ()
    error: float = 0.05
    most: int = 3_000

    @property
    def others(self) -> tuple[str, ...]:
        """The company at the tables: the field, repeated where it is too small for one."""
        company = len(self.field)
        return tuple(
            self.field[place % company] for place in range(max(company, self.plan.seats - 1) if company else 0)
        )

    @property
    def a_round(self) -> int:
        """How many deals are always played together, so that all sit everywhere and meet."""
        return -(-len(self.others) // (self.plan.seats - 1)) if self.field else 2

    def batch(self, number: int, deals: int) -> tuple[Plan, Plan]:
        """The same deals, seats and company for both: first for the new bot, then for the old one in its place. They
        are so many deals or fewer, in whole rounds."""
        others = self.others
        sides = ((self.new, *others), (self.old, *others)) if others else ((self.new, self.old), (self.old, self.new))
        first, second = (
            replace(
                self.plan,
                bots=bots,
                format="gauntlet" if others else "round_robin",
                deals="fresh",
                rounds=max(1, deals // self.a_round),
                seed=self.plan.seed + number,
                secret=hmac.new(self.plan.secret, b"batch %d" % number, hashlib.sha256).digest(),
            )
            for bots in sides
        )
        return first, second


@dataclass
class Verdict:
    """What came out. `failed` is a tournament of which nothing could be played; `forfeits` counts, for each bot, the
    seats that it did not play to the end, and `troubles` has its last words, by label. The new bot `alone` has played
    so many deals of a batch that was interrupted."""

    comparison: Comparison = field(default_factory=Comparison)
    better: int = 0
    interrupted: bool = False
    failed: Result | None = None
    forfeits: Counter[str] = field(default_factory=Counter)
    troubles: dict[str, str] = field(default_factory=dict)
    alone: int = 0


async def fight(duel: Duel, on_deal: Callable[[int, int], None] = lambda _done, _all: None) -> Verdict:
    """Plays until it is sure which of the two is better, or all deals are played."""
    verdict = Verdict()
    number, size = 0, FIRST_DEALS
    while not verdict.better and verdict.comparison.deals + duel.a_round <= duel.most:
        before = verdict.comparison.deals
        number += 1
        sides: list[list[Played]] = []
        for side, plan in enumerate(duel.batch(number, min(size, duel.most - before))):

            def note(done: int, planned: int, before: int = before, side: int = side) -> None:
                on_deal(before + (side * planned + done) // 2, duel.most)

            result = await hold(plan, note)
            verdict.forfeits += forfeits(plan.bots, result.matches)
            verdict.troubles |= result.troubles
            if result.not_started:
                verdict.interrupted, verdict.failed = result.interrupted, result
                return verdict
            sides.append(result.matches)
            if result.interrupted:  # those that were over early would tell more of short matches
                verdict.interrupted = True
                sides[side] = [match for place, match in enumerate(result.matches, 1) if match.pairing.number == place]
                break
        if len(sides) == 2:
            for difference in differences(*sides, duels=not duel.field):
                verdict.comparison.add(float(difference))
        verdict.better = verdict.comparison.better(duel.error)
        if verdict.interrupted:
            verdict.alone = len(sides[0]) - (verdict.comparison.deals - before)
            return verdict
        if verdict.comparison.deals == before:  # all were aborted: it will not become better
            return verdict
        size = int(size * GROWTH)
    return verdict


def forfeits(bots: Sequence[str], matches: Iterable[Played]) -> Counter[str]:
    """How many seats each of these entrants did not play to the end."""
    return Counter(
        bots[entrant]
        for match in matches
        for entrant, seat in zip(match.pairing.entrants, match.results, strict=False)
        if seat.how != "played"
    )


def differences(first: list[Played], second: list[Played], *, duels: bool) -> list[Fraction]:
    """For each deal that both have played, how much more of the win the new bot got. It is entrant 0 of the first; in
    the second the old one has taken its place, and in duels the new one that of the old one."""
    there: Mapping[int, Played] = {match.pairing.number: match for match in second}
    found = []
    for match in first:
        other = there.get(match.pairing.number)
        if other is not None and match.results and other.results:
            gained = _share(match, 0) - _share(other, 0)
            found.append((gained + _share(other, 1) - _share(match, 1)) / 2 if duels else gained)
    return found


def _share(match: Played, entrant: int) -> Fraction:
    """What that entrant got of the win at all its seats."""
    seats = zip(match.pairing.entrants, merits(match.results), strict=True)
    return sum((share for one, (share, _place) in seats if one == entrant), Fraction(0))
