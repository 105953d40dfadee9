"""Formats the standings of a cup or tournament as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from people.language import N_, _
from protocol.messages import Against, CupStandings, Standing

_HEAD = (
    *(N_("rank"), N_("entrant"), N_("score"), "95 %", N_("lead"), "95 %", N_("rating"), "95 %"),
    *(N_("place"), N_("points")),
    *(N_("seats"), N_("ended")),
)
_LEFT = (1, 11)
_ENDED = 11
_BETWEEN = "  "
# The columns that are left out, in this order, if the table is too wide, and their names in the note below the table.
_SPARED = (
    *((_ENDED, N_("ended")), (8, N_("place")), (9, N_("points")), (5, N_("95 % of the lead")), (4, N_("lead"))),
    (7, N_("95 % of the rating")),
)


def full_standings(message: CupStandings, width: int = 0) -> list[str]:
    """Returns the standings table and the legend of its marks. For a gauntlet, a second table has the challenger's
    results against each other entrant."""
    lines = [*standings_table(message.rows, width, message.challenger), *mark_legend(message.rows, message.challenger)]
    if message.rank_by == "rating":
        lines.append(_("Ranked by the rating."))
    if message.against:
        lines += [
            _("{challenger}, the challenger, against each:", challenger=message.challenger),
            *opponents_table(message.against),
        ]
    return lines


def mark_legend(rows: Sequence[Standing], challenger: str = "") -> list[str]:
    """Returns the lines that explain the marks in these rows: brackets around a rank, and the star of the
    challenger."""
    lines = []
    if any(not row.ranked for row in rows):
        lines.append(_("(1): too few deals for a rank, fewer than eight; the place in the list."))
    if any(row.entrant == challenger for row in rows):
        lines.append(_("*: the challenger"))
    return lines


def opponents_table(rows: Sequence[Against]) -> list[str]:
    """Returns a table of the challenger's results with one line for each other entrant: how often the challenger
    finished ahead, and the scores of both."""
    surely = {1: _("better"), -1: _("worse"), 0: _("not known")}
    head = (_("entrant"), _("matches"), _("ahead"), "95 %", _("score"), _("its score"), _("the challenger is"))
    cells = [
        head,
        *(
            (
                row.entrant,
                str(row.matches),
                f"{100 * row.ahead:.0f} %",
                percent_interval_text(row.low, row.high),
                f"{row.score:.3f}",
                f"{row.theirs:.3f}",
                surely[row.surely],
            )
            for row in rows
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    last = len(head) - 1
    return [
        _BETWEEN.join(
            cell.ljust(wide) if place in (0, last) else cell.rjust(wide)
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def standings_table(rows: Sequence[Standing], width: int = 0, challenger: str = "") -> list[str]:
    """Returns a head line and a line for each entrant, in at most `width` columns (0: any number). A note below names
    the columns that were left out.

    If the column on how seats ended is left out, lines below name the entrants that did not play all matches to the
    end. An entrant without a rank has its place in the list in brackets.
    """
    cells = standings_cells(rows, challenger)
    widths = [max(len(row[column]) for row in cells) for column in range(len(_HEAD))]
    shown, spared = list(range(len(_HEAD))), list[str]()
    for column, name in _SPARED:
        if not width or sum(widths[one] for one in shown) + len(_BETWEEN) * (len(shown) - 1) <= width:
            break
        shown.remove(column)
        spared += [_(name)] if column != _ENDED else []
    lines = []
    for row in cells:
        padded = [row[one].ljust(widths[one]) if one in _LEFT else row[one].rjust(widths[one]) for one in shown]
        lines.append(_BETWEEN.join(padded).rstrip())
    if _ENDED not in shown:
        lines += [f"{row.entrant}: {_ended(row)}" for row in rows if row.late or set(row.ended) - {"played"}]
    return lines + ([_("Not in {width} columns: {listed}.", width=width, listed=", ".join(spared))] if spared else [])


def standings_cells(rows: Sequence[Standing], challenger: str = "") -> list[tuple[str, ...]]:
    """Returns the texts of all columns of the standings table: first those of its head, then those of each row."""
    return [tuple(map(_, _HEAD)), *(_cells(row, challenger) for row in rows)]


def _cells(row: Standing, challenger: str) -> tuple[str, ...]:
    return (
        rank_text(row.rank, ranked=row.ranked),
        f"{row.entrant} *" if row.entrant == challenger else row.entrant,
        f"{row.score:.3f}",
        share_interval_text(row.score_low, row.score_high),
        "-" if row.lead is None else f"{row.lead:+.2f}",
        interval_text(row.lead_low, row.lead_high, 1),
        "-" if row.elo is None else f"{row.elo:+.0f}",
        interval_text(row.low, row.high),
        f"{row.place:.2f}" if row.place else "-",
        "-" if row.points is None else f"{row.points:.1f}",
        str(row.seats),
        _ended(row),
    )


def _ended(row: Standing) -> str:
    ended = ", ".join(f"{_(how)} {count}" for how, count in row.ended.items())
    return ended + (_("; {late} decisions made for it", late=row.late) if row.late else "")


def rank_text(number: int, *, ranked: bool) -> str:
    """Returns the rank as text; in brackets if it is only the place in the list, because there are too few deals for a
    rank."""
    return str(number) if ranked else f"({number})"


def share_interval_text(low: float | None, high: float | None) -> str:
    """Returns the 95 % interval of a share of the win, each bound from 0 to 1; "-" if there is no interval."""
    if low is None or high is None:
        return "-"
    return _("{low} to {high}", low=f"{low:.2f}", high=f"{high:.2f}")


def percent_interval_text(low: float | None, high: float | None) -> str:
    """Returns a 95 % interval in percent, from bounds between 0 and 1; "-" if there is no interval."""
    if low is None or high is None:
        return "-"
    return _("{low} to {high}", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")


def interval_text(low: float | None, high: float | None, digits: int = 0) -> str:
    """Returns a 95 % interval, with signs and that many digits after the point; "-" if there is no interval."""
    if low is None or high is None:
        return "-"
    return _("{low} to {high}", low=f"{low:+.{digits}f}", high=f"{high:+.{digits}f}")
