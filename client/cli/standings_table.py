"""Standings as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from client.language import _
from client.tournament.report_page import FORFEITS
from protocol.text.standings import standings_table
from server.tournament.standings import Row, as_told


def table(rows: Sequence[Row], seats: int) -> list[str]:
    """Lines: a head, one for each entrant, and what the columns mean."""
    return [
        *standings_table([as_told(row) for row in rows]),
        _(
            "score: share of the win a seat, {fair:.3f} if all were equal; +-: its standard error over the deals",
            fair=1 / seats,
        ),
        _("lead: points ahead of the mean of the others at the table, over the seats that played to the end"),
        _("rating: on the scale of Elo, from finishing orders"),
        _("the number in front counts who is surely better; before eight deals, and in a knockout, who came before"),
        *([_(FORFEITS)] if any(set(row.ended) - {"played", "aborted"} for row in rows) else []),
    ]
