"""The standings of a tournament, from the results of its matches. Pure.

Each seat of a match gives its entrant one sample: a share of the win (1 for a single winner, a half for each of two), a
place, and points. A seat whose player did not stay to the end counts as last place without a share, whatever the house
bot achieved, and its points and lead are left out. Errors and intervals combine the samples of one deal, because these
are not independent: all entrants play the same deal in turn.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

import msgspec

from matches.intervals import Estimate, Pair, estimate_mean
from matches.results import compute_lead
from protocol.messages import SeatResult, Standing
from tournaments.ratings import Order, Rating, compute_ratings
from tournaments.schedule import Pairing
from tournaments.significance import FEWEST_DEALS, EntrantScore

RANK_BY = ("score", "rating")
"""How a cup may be ranked: by share of the win, or by rating from finishing orders."""
ENDINGS = ("played", "late", "illegal", "left", "kicked", "crashed", "absent", "resigned", "aborted")


class CountedMatch(msgspec.Struct, frozen=True):
    """A finished match, seat 1 first. Without results it was aborted and does not count."""

    pairing: Pairing
    table: str
    results: tuple[SeatResult, ...]


class StandingsRow(msgspec.Struct, frozen=True):
    """The standings of one entrant. Its samples are the seats that it had in matches that count.

    Attributes:
        rank: 1 plus the number of entrants that are surely better. In a knockout it is 1 plus the number of those that
            came further, or as far with a better score. If not `ranked`, it is the position in the list.
        error: The standard error of the score; None with fewer than two deals, or if the score was the same in all
            deals.
        points: The mean points of the seats that it played to the end; None if there are none, as for `lead`.
        ranked: Whether the entrant has played enough deals.
    """

    rank: int
    entrant: str
    seats: int  # number of samples
    score: float  # mean share of the win
    error: float | None
    rating: Rating | None  # None without counted matches
    place: float | None  # mean place; None without counted matches
    points: float | None
    ended: dict[str, int]  # number of its seats by the words in ENDINGS, without zeros
    late: int  # number of decisions that the server made for its seats
    lead: Estimate | None = None  # mean of a seat's points minus the mean points of the others at its table
    ranked: bool = True
    score_low: float | None = None  # ends of the score's interval; None with too few deals
    score_high: float | None = None


def compute_standings(
    names: Sequence[str],
    matches: Sequence[CountedMatch],
    *,
    duplicate: bool = False,
    reached: Mapping[int, int] | None = None,
    rank_by: str = RANK_BY[0],
) -> list[StandingsRow]:
    """Returns a row for each entrant that has a result, best first.

    Entrants with a higher number in `reached` (such as a knockout's stage) come first, then those with the better score
    or rating. Ties are broken by the better mean place, then by the share of seats played to the end. With `duplicate`
    deals each share of the win is compared with that of the same seat at the other tables of the deal.
    """
    same = _SameDeals(matches) if duplicate else None
    samples: dict[int, list[tuple[int, Fraction, int]]] = defaultdict(list)
    points: dict[int, list[int]] = defaultdict(list)
    leads: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))  # by entrant and deal
    ended: dict[int, Counter[str]] = defaultdict(Counter)
    late: Counter[int] = Counter()
    for match in matches:
        entrants, scores = match.pairing.entrants, [result.score for result in match.results]
        if not match.results:
            for entrant in entrants:
                ended[entrant]["aborted"] += 1
            continue
        deal = match.pairing.deal
        sat = zip(entrants, match.results, win_shares_and_places(match.results), strict=True)
        for seat, (entrant, result, (share, place)) in enumerate(sat, 1):
            if same is not None:
                share = same.corrected_share(deal, seat, share, len(entrants))
            samples[entrant].append((deal, share, place))
            ended[entrant][result.how] += 1
            late[entrant] += result.late
            if result.how == "played":
                points[entrant].append(result.score)
                leads[entrant][deal].append(compute_lead(scores, seat))
    rated = compute_ratings(_orders(matches))
    got = {
        entrant: EntrantScore((deal, share) for deal, share, _place in samples[entrant])
        for entrant in ended
        if samples[entrant]
    }
    merit = {entrant: _mean_merit(samples[entrant]) for entrant in ended}
    came = {
        entrant: (
            -reached[entrant] if reached else 0,
            -rated[entrant].elo if rank_by == "rating" and entrant in rated else 0.0,
            *merit[entrant],
            Fraction(ended[entrant].total() - ended[entrant]["played"], ended[entrant].total()),
        )
        for entrant in merit
    }
    if rank_by == "rating":
        order = sorted(merit, key=lambda entrant: (entrant not in rated, came[entrant], entrant))
    else:
        order = sorted(merit, key=lambda entrant: (came[entrant], entrant))
    ranked = {entrant for entrant in got if reached or got[entrant].has_enough_deals}

    def better(entrant: int) -> int:
        """Returns the number of entrants that are surely better, or of those ordered before it if that is what
        ranks."""
        if reached or entrant not in ranked:
            return sum(came[other] < came[entrant] for other in came)
        if rank_by == "rating":
            return rated[entrant].better
        return sum(got[other].is_better_than(got[entrant]) for other in ranked if other != entrant)

    return [
        StandingsRow(
            rank=1 + better(entrant),
            entrant=names[entrant],
            seats=len(samples[entrant]),
            # a share corrected for duplicate deals may be below 0 or above 1
            score=float(min(max(-merit[entrant][0], Fraction(0)), Fraction(1))),
            error=_error([(deal, share) for deal, share, _place in samples[entrant]]) or None,
            rating=rated.get(entrant),
            place=float(merit[entrant][1]) if samples[entrant] else None,
            points=math.fsum(points[entrant]) / len(points[entrant]) if points[entrant] else None,
            ended={how: ended[entrant][how] for how in ENDINGS if ended[entrant][how]},
            late=late[entrant],
            lead=_mean_lead(leads[entrant]) if leads[entrant] else None,
            ranked=entrant in ranked,
            score_low=got[entrant].mean.low if entrant in got else None,
            score_high=got[entrant].mean.high if entrant in got else None,
        )
        for entrant in order
    ]


def standing_message(row: StandingsRow) -> Standing:
    """Converts a row to the `Standing` that messages contain and tables show."""
    rating, ahead = row.rating, row.lead
    return Standing(
        rank=row.rank,
        entrant=row.entrant,
        seats=row.seats,
        score=row.score,
        error=row.error,
        elo=rating.elo if rating else None,
        low=rating.low if rating else None,
        high=rating.high if rating else None,
        place=row.place or 0.0,
        points=row.points,
        ended=row.ended,
        late=row.late,
        lead=ahead.value if ahead else None,
        lead_low=ahead.low if ahead else None,
        lead_high=ahead.high if ahead else None,
        ranked=row.ranked,
        score_low=row.score_low,
        score_high=row.score_high,
    )


def win_shares_and_places(results: Sequence[SeatResult]) -> list[tuple[Fraction, int]]:
    """Returns the share of the win and the place of each seat. Places count only seats that played to the end."""
    stayed = [result.place for result in results if result.how == "played"]
    merit = []
    for result in results:
        place = 1 + sum(other < result.place for other in stayed)
        if result.how != "played":
            merit.append((Fraction(0), len(results)))
        else:
            merit.append((Fraction(int(place == 1), stayed.count(min(stayed))), place))
    return merit


def mark_absent_seats(results: Sequence[SeatResult], absent: Collection[int]) -> tuple[SeatResult, ...]:
    """Returns the results, in which a seat that was absent at the beginning is marked "absent" instead of "left"."""
    return tuple(
        msgspec.structs.replace(one, how="absent") if one.seat in absent and one.how == "left" else one
        for one in results
    )


class _SameDeals:
    """Corrects shares of the win for the luck of the deal, by what the same seat of the same deal got at other tables.

    The results at the other tables are a control variate (S. Asmussen, P. Glynn, Stochastic Simulation, 2007, chapter
    V.2). Its weight is estimated from all matches.
    """

    def __init__(self, matches: Sequence[CountedMatch]) -> None:
        self._got: dict[tuple[int, int], list[Fraction]] = defaultdict(list)  # shares by deal and seat
        own: dict[int, list[Fraction]] = defaultdict(list)
        seen: list[tuple[int, int, int, Fraction, int]] = []
        for match in matches:
            pairing = match.pairing
            for seat, (entrant, (share, _place)) in enumerate(
                zip(pairing.entrants, win_shares_and_places(match.results), strict=False), 1
            ):
                self._got[pairing.deal, seat].append(share)
                own[entrant].append(share)
                seen.append((pairing.deal, seat, entrant, share, len(pairing.entrants)))
        mean = {entrant: sum(shares, Fraction(0)) / len(shares) for entrant, shares in own.items()}
        both = squares = Fraction(0)
        for deal, seat, entrant, share, seats in seen:
            others = self._others(deal, seat, share, seats)
            both += (share - mean[entrant]) * others
            squares += others**2
        self._weight = min(max(both / squares, Fraction(0)), Fraction(1)) if squares else Fraction(0)

    def corrected_share(self, deal: int, seat: int, share: Fraction, seats: int) -> Fraction:
        """Returns the share, corrected by the weighted luck that the other tables show."""
        return share - self._weight * self._others(deal, seat, share, seats)

    def _others(self, deal: int, seat: int, share: Fraction, seats: int) -> Fraction:
        """Returns the mean share of that seat at the other tables of the deal, minus a fair share; 0 if there are no
        others."""
        got = self._got[deal, seat]
        return (sum(got, Fraction(0)) - share) / (len(got) - 1) - Fraction(1, seats) if len(got) > 1 else Fraction(0)


def variance_reduction(matches: Sequence[CountedMatch], *, duplicate: bool) -> float | None:
    """Returns how much playing the same deal at several tables reduced the variance of a score; None with too few data.

    It is the reduction relative to the variance of as many matches with different deals.
    """
    same = _SameDeals(matches) if duplicate else None
    single: dict[int, list[Fraction]] = defaultdict(list)
    deals: dict[int, dict[int, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    for match in matches:
        pairing = match.pairing
        for seat, (entrant, (share, _place)) in enumerate(
            zip(pairing.entrants, win_shares_and_places(match.results), strict=False), 1
        ):
            single[entrant].append(share)
            compared = share
            if same is not None:
                compared = same.corrected_share(pairing.deal, seat, share, len(pairing.entrants))
            deals[entrant][pairing.deal].append(compared)
    before = after = 0.0
    for entrant, shares in single.items():
        blocks = deals[entrant]
        error = _error([(deal, share) for deal, own in blocks.items() for share in own])
        alone = _error(list(enumerate(shares)))
        if error is None or alone is None:
            return None
        before, after = before + alone**2, after + error**2
    return 1 - after / before if before else None


def _orders(matches: Sequence[CountedMatch]) -> dict[int, list[Order]]:
    """Returns the finishing orders by deal. Seats that were not played to the end share the last place."""
    orders: dict[int, list[Order]] = defaultdict(list)
    for match in matches:
        if match.results:
            places: dict[int, list[int]] = defaultdict(list)
            for entrant, (_share, place) in zip(
                match.pairing.entrants, win_shares_and_places(match.results), strict=True
            ):
                places[place].append(entrant)
            orders[match.pairing.deal].append(tuple(tuple(places[place]) for place in sorted(places)))
    return orders


def _mean_merit(samples: Sequence[tuple[int, Fraction, int]]) -> tuple[Fraction, Fraction]:
    """Returns the mean share, negated so that the best sorts first, and the mean place; without samples the worst
    values."""
    if not samples:
        return Fraction(0), Fraction(99)
    count = len(samples)
    return -sum((share for _deal, share, _place in samples), Fraction(0)) / count, Fraction(
        sum(place for _deal, _share, place in samples), count
    )


def _mean_lead(deals: Mapping[int, Sequence[float]]) -> Estimate:
    """Returns the mean of all leads, which are given by deal."""
    pairs: list[Pair] = [(math.fsum(deals[deal]), len(deals[deal])) for deal in sorted(deals)]
    return estimate_mean(pairs, fewest=FEWEST_DEALS)


def _error(samples: Sequence[tuple[int, Fraction]]) -> float | None:
    """Returns the standard error of a mean of samples that are clustered by deal; None with fewer than two deals.

    With deals of equal size it is the standard error of the mean of the deals' means.
    """
    deals: dict[int, list[Fraction]] = defaultdict(list)
    for deal, share in samples:
        deals[deal].append(share)
    if len(deals) < 2:
        return None
    mean = sum((share for _deal, share in samples), Fraction(0)) / len(samples)
    squares = sum((sum(shares, Fraction(0)) - mean * len(shares)) ** 2 for shares in deals.values())
    return math.sqrt(squares * len(deals) / (len(deals) - 1)) / len(samples)
