"""Standings as a table of text."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.language import N_, _
from protocol.messages import Standing

_HEAD = (
    *("", N_("entrant"), N_("score"), "+-", N_("lead"), "95 %", N_("rating"), "95 %", N_("place"), N_("points")),
    *(N_("seats"), N_("ended")),
)
_LEFT = (1, 11)
_ENDED = 11
_BETWEEN = "  "
# What a table does without that would be too wide: the first of these columns first, by what they are called then.
_SPARED = (
    *((_ENDED, N_("ended")), (8, N_("place")), (9, N_("points")), (5, N_("95 % of the lead")), (4, N_("lead"))),
    (7, N_("95 % of the rating")),
)


def standings_table(rows: Sequence[Standing], width: int = 0) -> list[str]:
    """Lines: a head, and one for each entrant; in so many columns, 0 for any number, less is shown and it is said what
    is not. How seats ended stands below then, of those that did not all play to the end."""
    cells = [tuple(map(_, _HEAD)), *map(_cells, rows)]
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


def _cells(row: Standing) -> tuple[str, ...]:
    return (
        str(row.rank),
        row.entrant,
        f"{row.score:.3f}",
        "-" if row.error is None else f"{row.error:.3f}",
        "-" if row.lead is None else f"{row.lead:+.2f}",
        interval(row.lead_low, row.lead_high, 1),
        "-" if row.elo is None else f"{row.elo:+.0f}",
        interval(row.low, row.high),
        f"{row.place:.2f}" if row.place else "-",
        "-" if row.points is None else f"{row.points:.1f}",
        str(row.seats),
        _ended(row),
    )


def _ended(row: Standing) -> str:
    ended = ", ".join(f"{_(how)} {count}" for how, count in row.ended.items())
    return ended + (_("; {late} decisions made for it", late=row.late) if row.late else "")


def interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """A 95 % interval; "-" where there is none."""
    if low is None or high is None:
        return "-"
    return _("{low} to {high}", low=f"{low:+.{digits}f}", high=f"{high:+.{digits}f}")
