"""A finished match as text for a cup's report: the lines after each decision, and thinking times."""

from __future__ import annotations

from dataclasses import dataclass

from client.language import _
from client.tournament.thinking_time import MatchTiming, match_timing
from matches.ledger import Ledger
from matches.moments import moments
from matches.record import Record
from people.replay_text import ReplayText


@dataclass(frozen=True)
class MatchText:
    """A finished match as text. `lines` has each different line once, and each item of `moments` has the indices of the
    lines at that moment. `reason` is the code for the way in which the match ended."""

    lines: list[str]
    moments: list[list[int]]
    timed: MatchTiming
    reason: str

    @property
    def approximate_bytes(self) -> int:
        """The bytes that the match takes in a page, approximately."""
        return sum(map(len, self.lines)) + 4 * sum(map(len, self.moments))


def render_match_text(record: Record, *, shown: bool = True) -> MatchText:
    """Returns the match as text with all hands open; without lines unless `shown`. Raises IllegalAction if the rules
    refuse a recorded action, ValueError if the match is not over."""
    text, made, over = ReplayText(record), Ledger(), None
    for moment in moments(record, apply=made.apply):
        if shown:
            text.add(moment)
        over = moment.match.over
    if over is None:
        raise ValueError(_("the match is not over"))
    return MatchText(text.lines, text.moments, match_timing(record, made.spent), over.reason)
