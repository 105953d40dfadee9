"""Describes tables, players, cups and entrants in lines for people."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from people.language import _, ngettext
from people.text.times import format_minutes
from protocol import messages as m
from protocol.messages.parts import Map
from tournaments.formats.registry import format_title


def table_line(info: m.TableInfo) -> str:
    """Returns one line on a table: its id, game, options, state, spectators and seats."""
    seats = ", ".join(f"{seat.seat} {seat.name or _('(empty)')}{_seat_state(seat, info.state)}" for seat in info.seats)
    open_hands = _(", all hands shown {minutes} later", minutes=format_minutes(info.delay)) if info.delay else ""
    spectators = _(", {spectators} watching", spectators=info.spectators) if info.spectators else ""
    return _(
        "{table:<4} {game}, {state}{spectators}: {seats}",
        table=info.table,
        game=_with_options(info.game, info.options),
        state=_(info.state) + open_hands,
        spectators=spectators,
        seats=seats,
    )


def sort_tables(tables: Iterable[m.TableInfo]) -> list[m.TableInfo]:
    """Returns the tables sorted by state: playing, then open, then over."""
    states = ("playing", "open", "over")
    return sorted(tables, key=lambda info: states.index(info.state) if info.state in states else len(states))


def player_line(info: m.PlayerInfo) -> str:
    """Returns a player's name with their kind, the tables where they play or watch, and whether they are away."""
    parts = [_(info.kind)]
    if info.tables:
        parts.append(_("at {tables}", tables=" ".join(info.tables)))
    if info.watches:
        parts.append(_("watches {tables}", tables=" ".join(info.watches)))
    if info.lost:
        parts.append(_("a bot plays on at {tables}", tables=" ".join(info.lost)))
    if not info.here:
        parts.append(_("away"))
    return f"{info.name} ({', '.join(parts)})"


def _seat_state(seat: m.SeatInfo, state: str) -> str:
    """Returns the note after the name of a seat's player: that they are away, or that a bot plays the seat; "" for
    neither."""
    if seat.by:
        return _(" ({by} plays on)", by=seat.by)
    return _(" (away)") if seat.name and not seat.here and state != "over" else ""


def cup_line(info: m.CupInfo) -> str:
    """Returns one line on a cup: its settings, its state and the number of matches played."""
    of = _(" of {planned}", planned=info.planned) if info.planned else ""
    return _(
        "{cup} (by {owner}), {game}, {seats} seats, {format}, {deals} deals, rounds {rounds}, clock {clock}{late}: "
        "{state}, {played}{of} matches played",
        cup=info.cup,
        owner=info.owner,
        game=_with_options(info.game, info.options),
        seats=info.seats,
        format=format_title(info.format),
        deals=_(info.deals),
        rounds=info.rounds,
        clock=_clock(info.clock),
        late=_(", open to late entrants") if info.late_entry else "",
        state=_(info.state),
        played=info.played,
        of=of,
    ) + (_(", ranked by rating") if info.rank_by == "rating" else "")


def _clock(rule: m.ClockRule) -> str:
    return f"{rule.main:g}+{rule.increment:g}"


def entrant_lines(info: m.CupInfo) -> list[str]:
    """Returns one line for each entrant of a cup, and one with the matches that are played now."""
    lines = []
    for one in info.entrants:
        state = _("has left") if one.dropped else _("is ready") if one.here else _("is away")
        if one.house and not one.dropped:
            lines.append(_("  {entrant} is a house bot", entrant=one.entrant))
            continue
        lines.append(
            ngettext(
                "  {entrant} {state}, {n} table at once",
                "  {entrant} {state}, {n} tables at once",
                one.tables,
                entrant=one.entrant,
                state=state,
            )
            + (_(", clock {clock}", clock=_clock(one.clock)) if one.clock else "")
        )
    playing = [_("  played now: {listed}", listed=", ".join(info.playing))] if info.playing else []
    return lines + playing


def _with_options(game: str, options: Map) -> str:
    """Returns the game id and the chosen options as a person would type them after `open`."""
    words = [game]
    for name, value in options.items():
        words.append(f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}")
    return " ".join(words)
