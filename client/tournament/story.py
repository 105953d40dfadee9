"""A finished match for the report: what happened decision by decision in lines of text, and where its time went."""

from __future__ import annotations

from dataclasses import dataclass

from client.person.pages import Pages
from client.person.render import plain_text, rows
from client.tournament.times import Timed, timed
from matches.fold import SPECTATORS
from matches.moments import moments
from matches.record import Record

WIDTH = 60  # columns: a phone shows them without scrolling


@dataclass(frozen=True)
class Story:
    """`moments` are numbers of lines in `lines`, each of which stands there once. `reason` is the word for how the
    match ended."""

    lines: list[str]
    moments: list[list[int]]
    timed: Timed
    reason: str

    @property
    def size(self) -> int:
        """About how many bytes it takes in a page."""
        return sum(map(len, self.lines)) + 4 * sum(map(len, self.moments))


def story_of(record: Record, *, shown: bool = True) -> Story:
    """The match with everything open; without lines if it is not to be `shown`. Raises IllegalAction where the rules
    refuse what the record says."""
    pages = Pages(record.game, [seat.name for seat in record.header.seats], SPECTATORS, True, WIDTH)
    numbers: dict[str, int] = {}
    steps: list[list[int]] = []
    reason = ""
    for moment in moments(record):
        if shown:
            told = [plain_text(row) for row in rows(pages.page(moment), WIDTH)]
            steps.append([numbers.setdefault(line, len(numbers)) for line in told])
        if moment.match.over is not None:
            reason = moment.match.over.reason
    return Story(list(numbers), steps, timed(record), reason)
