"""The report of a cup as figures for JSON, and as a CSV table."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from client.tournament.match_text import MatchText
from client.tournament.thinking_time import ThinkingTime, thinking_times
from matches.results import with_computed_places
from tournaments.challenge import CHALLENGER, compare_challenger
from tournaments.cup import FINISHED, STOPPED, CupSettings, rank_entrants
from tournaments.figures import crosstable, win_shares_by_seat
from tournaments.formats.registry import has_challenger
from tournaments.standings import CountedMatch, StandingsRow, variance_reduction

_TIMES = {
    "decisions": "decisions",
    "mean seconds": "mean",
    "median seconds": "median",
    "most seconds": "most",
    "thinking seconds": "thinking",
    "thinking share": "share",
    "seconds in our hands": "ours",
}

# most bytes of match texts in a page, because more make it slow to open; the other matches are only in the bundle
STORY_BYTES = 24_000_000


@dataclass
class CupReport:
    """A cup, as far as it is played. `bots` has each entrant's bot, if known; `command` is the command that repeats the
    cup."""

    settings: CupSettings
    names: Sequence[str]
    matches: Sequence[CountedMatch]
    planned: int | None
    state: str
    reached: Mapping[int, int] = field(default_factory=dict)
    bots: Sequence[str] = ()
    command: str = ""
    out: Mapping[str, str] = field(default_factory=dict)  # by entrant: the reason why it was dropped
    confined_by: Sequence[str] = ()  # how the bots that ran on this machine were confined, if known
    commitment: str = ""  # the cup's commitment, if its secret is not known on this machine
    stories: Mapping[str, MatchText] = field(default_factory=dict)  # the rendered matches, by table

    @property
    def is_over(self) -> bool:
        """Whether the cup is over, so that its secret is public."""
        return self.state in (FINISHED, STOPPED)

    def figures(self) -> dict[str, Any]:
        """Returns all figures of the report as plain data, without the rendered matches."""
        told, matches = self.settings, self.matches
        duplicate = told.deals == "duplicate"
        count = len(self.names)
        return {
            "cup": told.cup,
            "game": told.game,
            "options": told.options,
            "seats": told.seats,
            "clock": msgspec.to_builtins(told.clock),
            "format": told.format,
            "deals": told.deals,
            "rounds": told.rounds,
            "seed": told.seed,
            "commitment": self.commitment or told.commitment,
            "secret": told.secret.hex() if self.is_over else None,
            "state": self.state,
            "planned": self.planned,
            "played": len(matches),
            "command": self.command,
            "confined_by": ", ".join(self.confined_by),
            "out": dict(self.out),
            "entrants": list(self.names),
            "bots": list(self.bots),
            "rank_by": told.rank_by,
            "standings": msgspec.to_builtins(rank_entrants(told, self.names, matches, self.reached)),
            "challenger": self.names[CHALLENGER] if has_challenger(told.format) and self.names else None,
            "against": msgspec.to_builtins(compare_challenger(self.names, matches))
            if has_challenger(told.format)
            else [],
            "crosstable": crosstable(count, matches),
            "by_seat": win_shares_by_seat(count, told.seats, matches),
            "luck_removed": variance_reduction(matches, duplicate=duplicate) if told.deals != "fresh" else None,
            "reasons": dict(Counter(story.reason for story in self._told().values()).most_common()),
            "thinking": msgspec.to_builtins(self._times()),
            "matches": [
                {
                    "match": match.pairing.number,
                    "deal": match.pairing.deal,
                    "table": match.table,
                    "seats": [
                        {"entrant": self.names[entrant], "score": one.score, "place": one.place, "how": one.how}
                        for entrant, one in zip(
                            match.pairing.entrants, with_computed_places(match.results), strict=False
                        )
                    ],
                }
                for match in matches
            ],
        }

    def _told(self) -> dict[str, MatchText]:
        return {match.table: self.stories[match.table] for match in self.matches if match.table in self.stories}

    def _times(self) -> list[ThinkingTime | None]:
        told = self._told()
        return thinking_times(
            len(self.names),
            ((match.pairing.entrants, told[match.table].timed) for match in self.matches if match.table in told),
        )

    def embedded_matches(self) -> dict[str, dict[str, Any]]:
        """Returns the rendered matches that fit into the page, by match number."""
        found: dict[str, dict[str, Any]] = {}
        size = 0
        for match in self.matches:
            story = self.stories.get(match.table)
            if story is not None and story.moments:
                size += story.approximate_bytes
                if size > STORY_BYTES:
                    break
                found[str(match.pairing.number)] = {"lines": story.lines, "moments": story.moments}
        return found


def render_csv(figures: Mapping[str, Any]) -> str:
    """Returns the standings as CSV: one row per entrant, with all its figures."""
    seats, names = figures["seats"], figures["entrants"]
    place = {name: number for number, name in enumerate(names)}
    rows = [msgspec.convert(row, StandingsRow) for row in figures["standings"]]
    ended = sorted({how for row in rows for how in row.ended})
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(
        ["rank", "entrant", "seats", "score", "error", "lead", "lead low", "lead high", "elo", "low", "high"]
        + ["place", "points", "late", "ranked", "score low", "score high"]
        + [f"ended {how}" for how in ended]
        + [f"score in seat {seat}" for seat in range(1, seats + 1)]
        + [f"before {name}" for name in names]
        + list(_TIMES)
    )
    for row in rows:
        number, rating, lead = place[row.entrant], row.rating, row.lead
        thought = figures["thinking"][number] or {}
        write(
            [row.rank, _harmless(row.entrant), row.seats, row.score, row.error]
            + ([lead.value, lead.low, lead.high] if lead else [None] * 3)
            + ([rating.elo, rating.low, rating.high] if rating else [None] * 3)
            + [row.place, row.points, row.late, row.ranked, row.score_low, row.score_high]
            + [*(row.ended.get(how, 0) for how in ended)]
            + [*figures["by_seat"][number], *figures["crosstable"][number]]
            + [thought.get(name) for name in _TIMES.values()]
        )
    return out.getvalue()


def _harmless(name: str) -> str:
    """Returns the name, quoted if a spreadsheet would take it for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name
