"""Compares two bots: both play the same deals in the same seats against the same opponents, until it is certain which
one is better."""

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
from client.tournament.run import TournamentResult, run_tournament
from client.tournament.tournament_folder import load_plan, save_plan
from server.cups.kept_cups import CupUnreadable, read_stored_cup
from server.store.file import CannotOpen
from tournaments.bundle import cup_standings
from tournaments.sequential_test import SequentialTest
from tournaments.standings import CountedMatch, win_shares_and_places

# number of deals in the first batch, and the factor by which batches grow, because starting processes takes time
FIRST_DEALS, GROWTH = 32, 1.5


@dataclass(frozen=True)
class ComparisonPlan:
    """The settings of a comparison. Its `plan` has no bots and no rounds yet.

    If `field` names opponents, one of the two bots plays against them in each match; without it, the two bots play each
    other. At most `most` deals are played, and at least one round.

    Without `elo0` and `elo1` the question is which of the two bots is better. With both, which are differences of
    strength on the Elo scale, the question is whether the new bot is better by more than `elo0`. The answer is "no
    better" as soon as it is certainly less than `elo1` ahead.
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
    def share_bounds(self) -> tuple[float, float] | None:
        """`elo0` and `elo1` as differences between the two bots' shares of the win; None if they are not set. All other
        players at a table count as equally strong."""
        if self.elo0 is None or self.elo1 is None:
            return None
        return self._difference(self.elo0), self._difference(self.elo1)

    def _difference(self, elo: float) -> float:
        strength, seats = 10 ** (elo / 400), self.plan.seats
        if self.field:
            return strength / (strength + seats - 1) - 1 / seats
        # numbers of seats that the two bots have at a table, because they sit alternately
        few, many = seats // 2, -(-seats // 2)
        return sum((own * strength - rest) / (own * strength + rest) for own, rest in ((few, many), (many, few))) / 2

    def answer_to(self, comparison: SequentialTest) -> str:
        """Returns the answer once it is certain: `better`, `worse`, or with bounds `no_better`. Returns "" while it is
        open."""
        if self.share_bounds is None:
            return {1: "better", -1: "worse", 0: ""}[comparison.verdict(self.error)]
        if comparison.is_above(self.share_bounds[0], self.error):
            return "better"
        return "no_better" if comparison.is_below(self.share_bounds[1], self.error) else ""

    def expected_deals(self, comparison: SequentialTest, size: int) -> int:
        """Returns the number of deals expected until the answer is certain, rounded up to whole batches, if the results
        go on as so far. `size` is the number of deals in the next batch. Returns 0 before the first deal."""
        if not comparison.deal_count:
            return 0
        sure, played = (
            comparison.expected_deals(lambda one: bool(self.answer_to(one)), self.most),
            comparison.deal_count,
        )
        while played < sure:
            played, size = played + size, int(size * GROWTH)
        return min(played, self.most)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The opponents of the two bots: the field, repeated if it is too small for one table."""
        company = len(self.field)
        return tuple(
            self.field[place % company] for place in range(max(company, self.plan.seats - 1) if company else 0)
        )

    @property
    def deals_per_round(self) -> int:
        """The number of deals in a round, in which each of the two bots has each seat and meets all opponents."""
        return -(-len(self.opponents) // (self.plan.seats - 1)) if self.field else 2

    def batch_plans(self, number: int, deals: int) -> tuple[TournamentPlan, TournamentPlan]:
        """Returns two plans with the same deals, seats and opponents: one for the new bot, and one with the old bot in
        its place. Each has at most `deals` deals, in whole rounds."""
        others = self.opponents
        sides = ((self.new, *others), (self.old, *others)) if others else ((self.new, self.old), (self.old, self.new))
        first, second = (
            replace(
                self.plan,
                bots=bots,
                format="gauntlet" if others else "round_robin",
                deals="fresh",
                rounds=max(1, deals // self.deals_per_round),
                seed=self.plan.seed + number,
                secret=hmac.new(self.plan.secret, b"batch %d" % number, hashlib.sha256).digest(),
            )
            for bots in sides
        )
        return first, second


@dataclass
class Verdict:
    """The result of a comparison. `better` is 1 if the new bot is certainly better, -1 if the old one is, and 0 if it
    is uncertain. `no_better` is true if the new bot is certainly no better by the bounds.

    `failed` is the tournament in which no match could be played. `forfeits` has, for each bot, the number of seats that
    it did not play to the end, and `troubles` its last output on stderr, both by label. `alone` is the number of deals
    of an interrupted batch that only the new bot has played.
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
        """The answer once it is certain; see ComparisonPlan.answer_to."""
        return "no_better" if self.no_better else {1: "better", -1: "worse", 0: ""}[self.better]

    def update_answer(self, duel: ComparisonPlan) -> None:
        """Updates `better` and `no_better` from the results so far."""
        answer = duel.answer_to(self.comparison)
        self.better, self.no_better = {"better": 1, "worse": -1}.get(answer, 0), answer == "no_better"


class PlayedBatches(Protocol):
    """The results of earlier batches, and the folder for new ones; see kept_comparison."""

    batches: list[list[float]]
    forfeits: dict[str, int]

    def tournament_folder(self, batch: int, side: int) -> Path:
        """Returns the folder of one tournament of a batch: that of the new bot if `side` is 0, of the old bot if it is
        1."""
        ...

    def add_batch(self, differences: Sequence[float], forfeits: dict[str, int]) -> None:
        """Adds the results of a finished batch: the difference in each deal, and the forfeits of each bot so far.
        Raises OSError."""
        ...


async def play_comparison(
    duel: ComparisonPlan,
    on_deal: Callable[[int, int], None] = lambda _done, _all: None,
    kept: PlayedBatches | None = None,
) -> Verdict:
    """Plays batches until the answer is certain, or all deals are played. `on_deal` receives the number of finished
    deals and the number expected in all.

    Raises:
        OSError, CannotOpen, CannotGoOn: If results cannot be stored, or the comparison cannot continue from the stored
            ones.
    """
    verdict = Verdict()
    number, size = 0, FIRST_DEALS
    for differences_ in kept.batches if kept is not None else ():
        number, size = number + 1, int(size * GROWTH)
        for difference in differences_:
            verdict.comparison.add_difference(difference)
    verdict.forfeits += Counter(kept.forfeits if kept is not None else {})
    verdict.update_answer(duel)
    while not verdict.answer and verdict.comparison.deal_count + duel.deals_per_round <= duel.most:
        before = verdict.comparison.deal_count
        number += 1
        expected = duel.expected_deals(verdict.comparison, size)
        on_deal(before, expected)
        sides: list[list[CountedMatch]] = []
        for side, plan in enumerate(duel.batch_plans(number, min(size, duel.most - before))):

            def note(done: int, planned: int, before: int = before, side: int = side) -> None:
                on_deal(before + (side * planned + done) // 2, expected)  # noqa: B023 (called within this batch only)

            result = await (
                run_tournament(plan, note) if kept is None else _go_on(plan, note, kept.tournament_folder(number, side))
            )
            verdict.forfeits += count_forfeits(plan.bots, result.matches)
            verdict.troubles |= result.troubles
            if result.not_started:
                verdict.interrupted, verdict.failed = result.interrupted, result
                return verdict
            sides.append(result.matches)
            if result.interrupted:  # short matches finish first, so counting all finished matches would favour them
                verdict.interrupted = True
                sides[side] = [match for place, match in enumerate(result.matches, 1) if match.pairing.number == place]
                break
        if len(sides) == 2:
            found = [float(difference) for difference in share_differences(*sides, duels=not duel.field)]
            for difference in found:
                verdict.comparison.add_difference(difference)
            if kept is not None and found and not verdict.interrupted:
                kept.add_batch(found, dict(verdict.forfeits))
        verdict.update_answer(duel)
        if verdict.interrupted:
            verdict.alone = len(sides[0]) - (verdict.comparison.deal_count - before)
            return verdict
        if verdict.comparison.deal_count == before:  # all matches of the batch were aborted, and would be again
            return verdict
        size = int(size * GROWTH)
    return verdict


async def _go_on(plan: TournamentPlan, on_match: OnMatch, folder: Path) -> TournamentResult:
    """Returns the result of the tournament in that folder: plays it, continues it, or reads it if it is finished."""
    plan = replace(plan, folder=folder)
    try:
        save_plan(plan)
    except FileExistsError:
        plan = replace(load_plan(folder), concurrency=plan.concurrency)
        with suppress(CupUnreadable, CannotOpen):  # an earlier run was killed before it stored anything
            cup = read_stored_cup(folder, plan.cup_settings().cup)
            if cup.is_over:
                matches, rows = cup.finished_matches(), cup_standings(cup)
                planned = cup.planned_match_count or len(matches)
                return TournamentResult(
                    plan.bots, cup.entrant_names, planned, matches, rows, {}, False, begun=True, over=True
                )
    return await run_tournament(plan, on_match)


def count_forfeits(bots: Sequence[str], matches: Iterable[CountedMatch]) -> Counter[str]:
    """Returns, by bot, the number of seats that it did not play to the end. `bots` are the entrants in order."""
    return Counter(
        bots[entrant]
        for match in matches
        for entrant, seat in zip(match.pairing.entrants, match.results, strict=False)
        if seat.how != "played"
    )


def share_differences(first: list[CountedMatch], second: list[CountedMatch], *, duels: bool) -> list[Fraction]:
    """Returns for each deal that both sides have played by how much the new bot's share of the win exceeds the old
    bot's.

    The new bot is entrant 0 of the first side. In the second side the old bot is entrant 0; in duels the new bot is
    then entrant 1.
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
    """Returns the entrant's share of the win in one match, summed over all its seats."""
    seats = zip(match.pairing.entrants, win_shares_and_places(match.results), strict=True)
    return sum((share for one, (share, _place) in seats if one == entrant), Fraction(0))
