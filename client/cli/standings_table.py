"""A cup's standings as lines of text."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from client.language import _
from client.tournament.report_page import FORFEITS, RANKED, UNRANKED
from games.columns import wrap_text
from people.text.standings import opponents_table, standings_table
from tournaments.challenge import CHALLENGER, compare_challenger
from tournaments.cup import CupSettings
from tournaments.formats.registry import has_challenger
from tournaments.standings import CountedMatch, StandingsRow, standing_message


def render_standings(
    rows: Sequence[StandingsRow], settings: CupSettings, names: Sequence[str], matches: Sequence[CountedMatch]
) -> list[str]:
    """Returns the lines of a table: a head, a line per entrant, a line per opponent of a gauntlet's challenger, and
    notes on the columns. On a terminal they fit its width."""
    against = compare_challenger(names, matches) if has_challenger(settings.format) else ()
    challenger = names[CHALLENGER] if against else ""
    told = [standing_message(row) for row in rows]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    lines = standings_table(told, width, challenger)
    notes = [
        *([_("*: the challenger")] if challenger else []),
        _("score: share of the win per seat, {fair:.3f} if all were equal", fair=1 / settings.seats),
        _("lead: points ahead of the mean of the others at the table, over the seats that played to the end"),
        _("rating: on the Elo scale, from finishing orders"),
        _(RANKED[settings.rank_by]),
        *([_(UNRANKED)] if any(not row.ranked for row in rows) else []),
        *([_(FORFEITS)] if any(set(row.ended) - {"played", "aborted"} for row in rows) else []),
    ]
    if lines != standings_table(told, 0, challenger):
        notes.insert(0, _("A wider terminal, a file or a pipe has all columns."))
    if against:
        lines += [
            "",
            _("{challenger}, the challenger, against each:", challenger=challenger),
            *opponents_table(against),
            "",
        ]
    return [*lines, *(row for note in notes for row in (wrap_text(note, width, later="  ") if width else [note]))]
