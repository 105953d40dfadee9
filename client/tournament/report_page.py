"""The report of a cup as one self-contained HTML page, without network access or other files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from bots.sdk.lab.deals import label_translator
from client.language import N_, _
from client.tournament.report import CupReport
from games.registry import all_games
from languages import current_language
from matches.intervals import Estimate
from people.text.sentences import GONE, translate_word
from people.text.standings import interval_text, percent_interval_text, rank_text, share_interval_text
from protocol.messages import Against
from server.web.scripts import stepper_script
from tournaments.formats.registry import format_title
from tournaments.standings import StandingsRow

FORFEITS = N_("A seat that was not played to the end counts as last, in the score and in the rating.")
RANKED = {
    "score": N_(
        "Ranked by score: 1 plus the number of entrants that are certainly better in the deals that "
        "both played. In a knockout, 1 plus the number that got further, or as far with a better score."
    ),
    "rating": N_(
        "Ranked by rating: 1 plus the number of entrants that are certainly better. In a knockout, 1 "
        "plus the number that got further."
    ),
}
UNRANKED = N_(
    "A number in brackets is not a rank but only the place in the list, because there are fewer than eight deals."
)
_ENDED = {
    "played": N_("played to the end"),
    "absent": N_("was absent"),
    "aborted": N_("was aborted"),
}
PAPER_COLUMNS = 12  # most columns of a crosstable that fit on paper
_FOLDER = Path(__file__).parent / "page"


def render_page(report: CupReport) -> str:
    """Returns the report as one HTML page that contains its styles, scripts and data."""
    figures = report.figures()
    stories = report.embedded_matches()
    rows = [msgspec.convert(row, StandingsRow) for row in figures["standings"]]
    number = {name: place for place, name in enumerate(report.names)}
    order = [number[row.entrant] for row in rows]
    planned = _(" of {planned}", planned=report.planned) if report.planned else ""
    parts = [
        f"<h1>{escape(_title(report))}</h1>",
        _paragraph(
            _(
                "{seats} seats, {format}, {deals} deals: {matches}{planned} matches, {state}.",
                seats=figures["seats"],
                format=format_title(figures["format"]),
                deals=translate_word(figures["deals"]),
                matches=len(report.matches),
                planned=planned,
                state=translate_word(report.state),
            )
        ),
        _confined(report),
        _heading(_("Standings")),
        _standings(rows, figures["seats"], figures["rank_by"], figures["challenger"]),
        *_challenge(figures["challenger"], figures["against"]),
        *map(_paragraph, dropped_entrant_lines(report.out)),
        _paragraph(said) if (said := luck_text(figures["luck_removed"])) else "",
        _heading(_("Head to head")),
        _note(
            _(
                "How often, in percent, the entrant of the row finished ahead of the entrant of the "
                "column. A tie counts as half."
            )
        ),
        *_crosstable([(report.names[one], [figures["crosstable"][one][other] for other in order]) for one in order]),
        _heading(_("Share of the win by seat")),
        _table(
            ["", *(_("seat {seat}", seat=seat) for seat in range(1, figures["seats"] + 1))],
            [[report.names[one], *map(_percent, figures["by_seat"][one])] for one in order]
            + [[_("all"), *map(_percent, figures["by_seat"][-1])]],
        ),
        _heading(_("How matches and seats ended")),
        _endings(rows, {_reason(figures["game"], code): count for code, count in figures["reasons"].items()}),
        _heading(_("Thinking times")),
        _thinking([(report.names[one], figures["thinking"][one]) for one in order]),
        f"<h2 id=matches>{escape(_('Matches'))}</h2>",
        _viewer(),
        _matches(figures["matches"], stories),
        _left_out(report, stories),
        _heading(_("How to repeat it")),
        "<p>"
        + escape(_("All deals come from a secret. Its SHA-256 was announced before the first match:"))
        + f" <code>{figures['commitment']}</code>."
        + (f" {escape(_('The secret is'))} <code>{figures['secret']}</code>.</p>" if figures["secret"] else "</p>"),
        f"<pre class=command>{escape(report.command)}</pre>" if report.command else "",
    ]
    css, js = _part("report.css"), stepper_script() + _part("report.js")
    return (
        '<!doctype html>\n<html lang="' + current_language() + '"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(_title(report))}</title><style>{css}</style></head><body>\n"
        + "\n".join(part for part in parts if part)
        + f'\n<script type="application/json" id="figures">{_data(figures)}</script>'
        + f'\n<script type="application/json" id="stories">{_data(stories)}</script>'
        + f"\n<script>{js}</script></body></html>\n"
    )


def _title(report: CupReport) -> str:
    told = report.settings
    return f"{told.cup}: {told.game}" if told.owner else _("A tournament of {game}", game=told.game)


def _confined(report: CupReport) -> str:
    """Returns a paragraph that says how the bots were confined. Each different confinement is named once."""
    words = ", ".join(_(word) for word in report.confined_by)
    return _paragraph(_("Confinement of the bots: {words}.", words=words)) if words else ""


def dropped_entrant_lines(out: Mapping[str, str]) -> list[str]:
    """Returns, for each entrant that was dropped, a sentence with the reason."""
    return [_("{entrant} is out: {why}.", entrant=entrant, why=why) for entrant, why in out.items()]


def _heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _note(text: str) -> str:
    return f"<p class=note>{escape(text)}</p>"


@cache
def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _data(value: Any) -> str:
    """Returns the value as JSON in which no text can close the script element around it."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, kind: str = "") -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td>{_cell(cell)}</td>' for cell in row[1:])}</tr>" for row in rows
    )
    return f'<div class="wide"><table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


class Html(str):
    """Text that is already HTML."""


def _cell(text: str) -> str:
    return text if isinstance(text, Html) else escape(text)


def _challenge(challenger: str | None, against: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yields the HTML of a table with the results of a gauntlet's challenger against each other entrant."""
    if challenger is None or not against:
        return
    surely = {1: _("better"), -1: _("worse"), 0: _("not known")}
    yield _heading(_("{challenger}, the challenger, against each", challenger=challenger))
    head = [
        "",
        _("matches"),
        _("finished ahead"),
        _("95 % interval"),
        _("score"),
        _("its score"),
        _("the challenger is"),
    ]
    rows = [msgspec.convert(row, Against) for row in against]
    yield _table(
        head,
        [
            [
                row.entrant,
                f"{row.matches}",
                _percent(row.ahead),
                "-" if row.low is None else _("{interval} %", interval=percent_interval_text(row.low, row.high)),
                f"{row.score:.3f}",
                f"{row.theirs:.3f}",
                surely[row.surely],
            ]
            for row in rows
        ],
    )
    yield _note(
        _(
            "Over the matches that both played. A tie counts as half ahead. Better and worse are stated "
            "only where the deals make it sure."
        )
    )


def _standings(rows: Sequence[StandingsRow], seats: int, rank_by: str, challenger: str | None) -> str:
    if not rows:
        return _paragraph(_("No match is over yet."))
    rated = [row.rating for row in rows if row.rating is not None]
    bounds = [bound for one in rated for bound in (one.low, one.high) if bound is not None]
    low, high = min(bounds, default=0.0), max(bounds, default=0.0)
    shown = [
        [
            _("{entrant} (challenger)", entrant=row.entrant) if row.entrant == challenger else row.entrant,
            rank_text(row.rank, ranked=row.ranked),
            f"{row.score:.3f}",
            share_interval_text(row.score_low, row.score_high),
            *_lead(row.lead),
            "-" if row.rating is None else f"{row.rating.elo:+.0f}",
            _interval(row, low, high),
            "-" if row.place is None else f"{row.place:.2f}",
            "-" if row.points is None else f"{row.points:.1f}",
            f"{row.seats}",
        ]
        for row in rows
    ]
    head = ["", _("rank"), _("score"), _("95 % interval"), _("lead"), _("95 % interval"), _("rating")]
    head.append(_("95 % interval"))
    return _table([*head, _("place"), _("points"), _("seats")], shown, kind="standings") + (
        _note(
            _(
                "Score: share of the win per seat, {fair:.3f} if all were equal. Lead: points ahead of the "
                "mean of the others at the table, over the seats that played to the end. Rating: on the Elo "
                "scale, from finishing orders.",
                fair=1 / seats,
            )
        )
        + _note(_(RANKED[rank_by]))
        + (_note(_(UNRANKED)) if any(not row.ranked for row in rows) else "")
    )


def _crosstable(shares: Sequence[tuple[str, Sequence[float | None]]]) -> Iterator[str]:
    """Yields the HTML of one scrollable crosstable for screens and, if it is wide, several narrower ones for paper."""

    def part(first: int, last: int, kind: str) -> str:
        rows = [
            [f"{column_letters(place)}  {name}", *map(_percent, row[first:last])]
            for place, (name, row) in enumerate(shares)
        ]
        return _table(["", *map(column_letters, range(first, last))], rows, kind=kind)

    count = len(shares)
    yield part(0, count, "screen" if count > PAPER_COLUMNS else "")
    if count > PAPER_COLUMNS:
        for first in range(0, count, PAPER_COLUMNS):
            yield part(first, min(first + PAPER_COLUMNS, count), "paper")


def column_letters(place: int) -> str:
    """Returns the letters that name a column: A, B, ... Z, AA, AB, ..."""
    return (column_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def _lead(lead: Estimate | None) -> tuple[str, str]:
    return ("-", "-") if lead is None else (f"{lead.value:+.2f}", interval_text(lead.low, lead.high, 1))


def _interval(row: StandingsRow, low: float, high: float) -> str:
    rating = row.rating
    if rating is None or rating.low is None or rating.high is None:
        return "-"
    span = (high - low) or 1.0
    left, width = 100 * (rating.low - low) / span, 100 * (rating.high - rating.low) / span
    dot = 100 * (rating.elo - low) / span
    return Html(
        escape(interval_text(rating.low, rating.high))
        + f'<span class="bar"><i style="left:{left:.1f}%;width:{width:.1f}%"></i><b style="left:{dot:.1f}%"></b></span>'
    )


def luck_text(removed: float | None) -> str:
    """Returns a sentence on how much playing each deal at several tables changed the variance of the scores; "" for
    None."""
    if removed is None:
        return ""
    share = _percent(abs(removed))
    if removed < 0:
        return _(
            "Playing the same deal at several tables added {share} to the variance of the scores, compared "
            "with one deal per match.",
            share=share,
        )
    return _(
        "Playing the same deal at several tables removed {share} of the variance of the scores, "
        "compared with one deal per match.",
        share=share,
    )


def _endings(rows: Sequence[StandingsRow], reasons: Mapping[str, int]) -> str:
    kinds = list(dict.fromkeys(how for row in rows for how in row.ended))
    seats = _table(
        ["", *map(_ended, kinds), _("decided by the server")],
        [[row.entrant, *(f"{row.ended.get(how, 0)}" for how in kinds), f"{row.late}"] for row in rows],
    )
    listed = "".join(f"<li>{escape(reason)} <b>{count}</b></li>" for reason, count in reasons.items())
    return seats + _note(_(FORFEITS)) + (f"<ul>{listed}</ul>" if listed else "")


def _ended(how: str) -> str:
    """Returns in words how the match ended for a player, such as played to the end or resigned."""
    return _(_ENDED[how]) if how in _ENDED else translate_word(GONE.get(how, how))


def _reason(game_id: str, code: str) -> str:
    """Returns in words why a match ended, as the game says it."""
    game = all_games().get(game_id)
    return label_translator(game)(game.reasons.get(code, code)) if game else code


def _thinking(rows: Sequence[tuple[str, Mapping[str, Any] | None]]) -> str:
    return _table(
        [
            "",
            _("decisions"),
            _("median s"),
            _("mean s"),
            _("slowest s"),
            _("thinking s"),
            _("share of the time"),
            _("server delay s"),
        ],
        [
            [
                name,
                f"{own['decisions']:.0f}",
                *("-" if own[key] is None else f"{own[key]:.3f}" for key in ("median", "mean", "most")),
                f"{own['thinking']:.1f}",
                _percent(own["share"]),
                f"{own['ours']:.3f}",
            ]
            for name, own in rows
            if own
        ],
    ) + _note(
        _(
            "Median, mean and slowest are of the entrant's own decisions. Thinking is all the time that it "
            "was charged, and its share of the time of its matches. Server delay is the time in which the "
            "server was stalled or its disk was slow; no entrant is charged for it."
        )
    )


def _viewer() -> str:
    return (
        '<section id="viewer" hidden><div>'
        '<h3></h3><div class="steps">'
        f'<button data-step="-1">{escape(_("back"))}</button>'
        f'<input type="range" min="1" value="1" data-match="{escape(_("Match"))}" aria-label="{escape(_("decision"))}">'
        f'<button data-step="1">{escape(_("next"))}</button>'
        f'<button data-step="0">{escape(_("close"))}</button></div><pre></pre></div></section>'
    )


def _matches(matches: Sequence[Mapping[str, Any]], stories: Mapping[str, Any]) -> str:
    rows = []
    for match in matches:
        number = str(match["match"])
        link = Html(f'<a href="#m{number}">{escape(_("step through"))}</a>') if number in stories else "-"
        ranked = sorted(match["seats"], key=lambda seat: seat["place"])
        came = ", ".join(_came_out(seat) for seat in ranked)
        rows.append([number, f"{match['deal']}", came or _("aborted"), link])
    head = [_("match"), _("deal"), _("place in the match, entrant, points"), ""]
    return _table(head, rows, kind="matches")


def _left_out(report: CupReport, stories: Mapping[str, Any]) -> str:
    """Returns a note if the page has no room for all matches that are public, otherwise ""."""
    told = sum(match.table in report.stories for match in report.matches)
    if told <= len(stories):
        return ""
    return _note(
        _(
            "The page has room to step through the first {count} of its {told} matches; all of them are in the file"
            " that `tournament export` writes.",
            count=len(stories),
            told=told,
        )
    )


def _came_out(seat: Mapping[str, Any]) -> str:
    how = "" if seat["how"] == "played" else f" ({_ended(seat['how'])})"
    return f"{seat['place']}. {seat['entrant']} {seat['score']}{how}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"
