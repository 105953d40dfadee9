"""Compares a gauntlet's challenger with each other entrant. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from matches.intervals import estimate_share
from protocol.messages import Against
from tournaments.significance import FEWEST_DEALS, EntrantScore
from tournaments.standings import CountedMatch, win_shares_and_places

CHALLENGER = 0  # number of the entrant that plays in every match


def compare_challenger(names: Sequence[str], matches: Sequence[CountedMatch]) -> tuple[Against, ...]:
    """Compares the challenger with each other entrant, in order of entry."""
    ahead: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    mine: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    theirs: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    for match in matches:
        if not match.results or CHALLENGER not in match.pairing.entrants:
            continue
        deal = match.pairing.deal
        seats = dict(zip(match.pairing.entrants, win_shares_and_places(match.results), strict=True))
        own, place = seats.pop(CHALLENGER)
        for rival, (got, behind) in seats.items():
            ahead[rival].append((deal, Fraction((place < behind) + (place <= behind), 2)))
            mine[rival].append((deal, own))
            theirs[rival].append((deal, got))
    return tuple(_against(names[rival], ahead[rival], mine[rival], theirs[rival]) for rival in sorted(ahead))


def _against(
    name: str,
    ahead: Sequence[tuple[int, Fraction]],
    mine: Sequence[tuple[int, Fraction]],
    theirs: Sequence[tuple[int, Fraction]],
) -> Against:
    deals: dict[int, list[Fraction]] = defaultdict(list)
    for deal, part in ahead:
        deals[deal].append(part)
    pairs = [(float(sum(parts)), float(len(parts))) for parts in deals.values()]
    came = estimate_share(pairs, fewest=FEWEST_DEALS)
    own, other = EntrantScore(mine), EntrantScore(theirs)
    return Against(
        entrant=name,
        matches=len(ahead),
        ahead=came.value,
        low=came.low,
        high=came.high,
        score=own.mean.value,
        theirs=other.mean.value,
        surely=1 if own.is_better_than(other) else -1 if other.is_better_than(own) else 0,
    )
