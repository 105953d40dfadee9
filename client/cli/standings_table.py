"""Standings as a table for people."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from client.language import _
from client.tournament.report_page import FORFEITS
from games.columns import wrapped
from protocol.text.standings import standings_table
from server.tournament.standings import Row, as_told


def table(rows: Sequence[Row], seats: int) -> list[str]:
    """Lines: a head, one for each entrant, and what the columns mean. In a terminal they are no wider than that."""
    told = [as_told(row) for row in rows]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    lines = standings_table(told, width)
    notes = [
        _(
            "score: share of the win a seat, {fair:.3f} if all were equal; +-: its standard error over the deals",
            fair=1 / seats,
        ),
        _("lead: points ahead of the mean of the others at the table, over the seats that played to the end"),
        _("rating: on the scale of Elo, from finishing orders"),
        _("the number in front counts who is surely better; before eight deals, and in a knockout, who came before"),
        *([_(FORFEITS)] if any(set(row.ended) - {"played", "aborted"} for row in rows) else []),
    ]
    if lines != standings_table(told):
        notes.insert(0, _("A wider terminal, a file or a pipe has all columns."))
    return [*lines, *(row for note in notes for row in (wrapped(note, width, later="  ") if width else [note]))]
