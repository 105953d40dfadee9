"""Compares two bots: both play the same deals in the same seats and company, until it is certain which one is
better."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from client.tournament.plan import TournamentPlan
from client.tournament.roster import OnMatch
from client.tournament.run import TournamentResult, hold
from client.tournament.tournament_folder import load_plan, save_plan
from server.cups.kept_cups import NoCup, kept_cup
from server.store.file import CannotOpen
from tournaments.bundle import rows_of
from tournaments.sequential_test import SequentialTest
from tournaments.standings import CountedMatch, merits

# size of the first batch, and growth of the next ones, because starting processes takes time
FIRST_DEALS, GROWTH = 32, 1.5


@dataclass(frozen=True)
class ComparisonPlan:
    """A comparison to run. `plan` has no bots and no rounds yet.

    With a field, one of the two plays against it in each match; without one, they play each other. At most `most` deals
    are played, and at least one round.

    Without bounds the question is which of the two is better. Bounds are differences of strength on the Elo scale. With
    both, the question is whether the new bot is better by more than `elo0`; the answer is "no better" when it is
    certainly less than `elo1` ahead.
    """

    plan: TournamentPlan
    new: str
    old: str
    field: tuple[str, ...] = ()
    error: float = 0.05
    most: int = 3_000
    elo0: float | None = None
    elo1: float | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The bounds as differences between the two bots' shares of the win, at tables where all others are equal."""
        if self.elo0 is None or self.elo1 is None:
            return None
        return self._difference(self.elo0), self._difference(self.elo1)

    def _difference(self, elo: float) -> float:
        strength, seats = 10 ** (elo / 400), self.plan.seats
        if self.field:
            return strength / (strength + seats - 1) - 1 / seats
        few, many = seats // 2, -(-seats // 2)  # seats of the two bots, which alternate
        return sum((own * strength - rest) / (own * strength + rest) for own, rest in ((few, many), (many, few))) / 2

    def answer(self, comparison: SequentialTest) -> str:
        """Returns the certain answer: `better`, `worse`, or with bounds `no_better`; "" if it is still open."""
        if self.bounds is None:
            return {1: "better", -1: "worse", 0: ""}[comparison.better(self.error)]
        if comparison.is_above(self.bounds[0], self.error):
            return "better"
        return "no_better" if comparison.is_below(self.bounds[1], self.error) else ""

    def expected(self, comparison: SequentialTest, size: int) -> int:
        """Returns the expected number of deals in all, at the present rate: to the end of the batch with the answer,
        where the next batch has that size. 0 before the first deal."""
        if not comparison.deals:
            return 0
        sure, played = comparison.expected(lambda one: bool(self.answer(one)), self.most), comparison.deals
        while played < sure:
            played, size = played + size, int(size * GROWTH)
        return min(played, self.most)

    @property
    def others(self) -> tuple[str, ...]:
        """The company at the tables: the field, repeated if it is too small for one table."""
        company = len(self.field)
        return tuple(
            self.field[place % company] for place in range(max(company, self.plan.seats - 1) if company else 0)
        )

    @property
    def a_round(self) -> int:
        """The number of deals in a round, in which each bot has each seat and meets all others."""
        return -(-len(self.others) // (self.plan.seats - 1)) if self.field else 2

    def batch(self, number: int, deals: int) -> tuple[TournamentPlan, TournamentPlan]:
        """Returns two plans with the same deals, seats and company: one for the new bot, one for the old bot in its
        place. They have at most that many deals, in whole rounds."""
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
    """The result of a comparison. `better` is 1 if the new bot is certainly better, -1 if the old one is, else 0;
    `no_better` is the answer with bounds.

    `failed` is a tournament of which no match could be played. `forfeits` counts the seats that each bot did not play
    to the end, and `troubles` has its last output, by label. `alone` is the number of deals of an interrupted batch
    that only the new bot has played.
    """

    comparison: SequentialTest = field(default_factory=SequentialTest)
    better: int = 0
    no_better: bool = False
    interrupted: bool = False
    failed: TournamentResult | None = None
    forfeits: Counter[str] = field(default_factory=Counter)
    troubles: dict[str, str] = field(default_factory=dict)
    alone: int = 0

    @property
    def answer(self) -> str:
        """The certain answer; see Duel.answer."""
        return "no_better" if self.no_better else {1: "better", -1: "worse", 0: ""}[self.better]

    def look(self, duel: ComparisonPlan) -> None:
        """Updates the answer from the comparison."""
        answer = duel.answer(self.comparison)
        self.better, self.no_better = {"better": 1, "worse": -1}.get(answer, 0), answer == "no_better"


class PlayedBatches(Protocol):
    """Earlier results, and the folder for new ones; see kept_comparison."""

    batches: list[list[float]]
    forfeits: dict[str, int]

    def folder_of(self, batch: int, side: int) -> Path:
        """Returns the folder of the tournament of that batch and side."""
        ...

    def add(self, differences: Sequence[float], forfeits: dict[str, int]) -> None:
        """Adds the results of a finished batch. Raises OSError."""
        ...


async def fight(
    duel: ComparisonPlan,
    on_deal: Callable[[int, int], None] = lambda _done, _all: None,
    kept: PlayedBatches | None = None,
) -> Verdict:
    """Plays until the answer is certain, or all deals are played. `on_deal` receives the number of finished deals and
    the expected number in all.

    Raises:
        OSError, CannotOpen, CannotGoOn: If it cannot be stored, or cannot continue from the stored state.
    """
    verdict = Verdict()
    number, size = 0, FIRST_DEALS
    for differences_ in kept.batches if kept is not None else ():
        number, size = number + 1, int(size * GROWTH)
        for difference in differences_:
            verdict.comparison.add(difference)
    verdict.forfeits += Counter(kept.forfeits if kept is not None else {})
    verdict.look(duel)
    while not verdict.answer and verdict.comparison.deals + duel.a_round <= duel.most:
        before = verdict.comparison.deals
        number += 1
        expected = duel.expected(verdict.comparison, size)
        on_deal(before, expected)
        sides: list[list[CountedMatch]] = []
        for side, plan in enumerate(duel.batch(number, min(size, duel.most - before))):

            def note(done: int, planned: int, before: int = before, side: int = side) -> None:
                on_deal(before + (side * planned + done) // 2, expected)  # noqa: B023 (within the batch)

            result = await (hold(plan, note) if kept is None else _go_on(plan, note, kept.folder_of(number, side)))
            verdict.forfeits += forfeits(plan.bots, result.matches)
            verdict.troubles |= result.troubles
            if result.not_started:
                verdict.interrupted, verdict.failed = result.interrupted, result
                return verdict
            sides.append(result.matches)
            if result.interrupted:  # finished matches alone would favour short ones
                verdict.interrupted = True
                sides[side] = [match for place, match in enumerate(result.matches, 1) if match.pairing.number == place]
                break
        if len(sides) == 2:
            found = [float(difference) for difference in differences(*sides, duels=not duel.field)]
            for difference in found:
                verdict.comparison.add(difference)
            if kept is not None and found and not verdict.interrupted:
                kept.add(found, dict(verdict.forfeits))
        verdict.look(duel)
        if verdict.interrupted:
            verdict.alone = len(sides[0]) - (verdict.comparison.deals - before)
            return verdict
        if verdict.comparison.deals == before:  # all were aborted, and will be again
            return verdict
        size = int(size * GROWTH)
    return verdict


async def _go_on(plan: TournamentPlan, on_match: OnMatch, folder: Path) -> TournamentResult:
    """Returns the result of the tournament in that folder: new, continued, or already finished."""
    plan = replace(plan, folder=folder)
    try:
        save_plan(plan)
    except FileExistsError:
        plan = replace(load_plan(folder), concurrency=plan.concurrency)
        with suppress(NoCup, CannotOpen):  # it was killed before anything was stored
            cup = kept_cup(folder, plan.settings().cup)
            if cup.is_over:
                matches, rows = cup.matches(), rows_of(cup)
                planned = cup.planned or len(matches)
                return TournamentResult(plan.bots, cup.names, planned, matches, rows, {}, False, begun=True, over=True)
    return await hold(plan, on_match)


def forfeits(bots: Sequence[str], matches: Iterable[CountedMatch]) -> Counter[str]:
    """Returns how many seats each of these entrants did not play to the end."""
    return Counter(
        bots[entrant]
        for match in matches
        for entrant, seat in zip(match.pairing.entrants, match.results, strict=False)
        if seat.how != "played"
    )


def differences(first: list[CountedMatch], second: list[CountedMatch], *, duels: bool) -> list[Fraction]:
    """Returns for each deal that both sides played how much more of the win the new bot got.

    The new bot is entrant 0 of the first side. In the second side the old bot has its place; in duels the two swap.
    """
    there: Mapping[int, CountedMatch] = {match.pairing.number: match for match in second}
    found = []
    for match in first:
        other = there.get(match.pairing.number)
        if other is not None and match.results and other.results:
            gained = _share(match, 0) - _share(other, 0)
            found.append((gained + _share(other, 1) - _share(match, 1)) / 2 if duels else gained)
    return found


def _share(match: CountedMatch, entrant: int) -> Fraction:
    """Returns that entrant's share of the win, over all its seats."""
    seats = zip(match.pairing.entrants, merits(match.results), strict=True)
    return sum((share for one, (share, _place) in seats if one == entrant), Fraction(0))
