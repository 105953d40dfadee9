"""How a match ends: by score, by life, or by the limit of rounds."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Outcome, Seat
from games.magecraft.mage import Mage

WINNING_SCORE = 20


def outcome_of(mages: Sequence[Mage], fallen: Sequence[Seat], reason: str) -> Outcome:
    """Who stands where (rules 7.1 to 7.5). `fallen` are the eliminated seats, the first to fall first."""
    scores = tuple(sum(mage.score) for mage in mages)
    ranks = [_rank(mage, fallen, reason) for mage in mages]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    winners = [f"seat {seat}" for seat, place in enumerate(places, 1) if place == 1]
    who = " and ".join(winners)
    if reason == "score":
        text = f"{who} wins with {max(scores)} gems in the score."
    elif reason == "life":
        text = f"{who} wins as the last mage standing."
    else:
        text = f"The last round is over; {who} {'share the win' if len(winners) > 1 else 'wins'} with the best score."
    return Outcome(scores, places, reason, text[0].upper() + text[1:])


def _rank(mage: Mage, fallen: Sequence[Seat], reason: str) -> tuple[int, ...]:
    """Greater is better. Twenty in the score come before life, since that ending is looked at first."""
    score, life = sum(mage.score), sum(mage.life)
    won = reason == "score" and score >= WINNING_SCORE
    if mage.alive or won:
        return (1 + won, score, life)
    return (0, fallen.index(mage.seat), 0)
