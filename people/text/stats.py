"""Writes a player's results on a server as lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from people.language import N_, _, ngettext
from protocol.messages import PlayerStats
from protocol.printable import text_columns

ORDINALS = (N_("1st"), N_("2nd"), N_("3rd"))


def stats_lines(stats: PlayerStats) -> list[str]:
    """Returns a line with a player's totals, then one line for each game and one for each opponent."""
    matches = sum(sum(game.places) for game in stats.games)
    won = sum(game.places[0] for game in stats.games)
    if not matches:
        return [_("{name} has finished no match here.", name=stats.name)]
    lines = [
        _(
            "{name}: {matches}, {won} won",
            name=stats.name,
            matches=ngettext("{n} match", "{n} matches", matches),
            won=won,
        )
    ]
    wide = max(text_columns(game.game) for game in stats.games)
    lines += [f"  {game.game:<{wide}}  {_places(game.places)}" for game in stats.games]
    wide = max((text_columns(other.name) for other in stats.opponents), default=0)
    for other in stats.opponents:
        how_often = _(
            "{times}, {ahead} ahead, {behind} behind",
            times=ngettext("{n} time", "{n} times", other.meetings),
            ahead=other.ahead,
            behind=other.behind,
        )
        lines.append(_("  against {name}  {how_often}", name=f"{other.name:<{wide}}", how_often=how_often))
    return lines


def _places(places: Sequence[int]) -> str:
    """Returns how often each place was reached, as text: `4 matches: 3 times 1st, 1 time 3rd`."""
    listed = [
        f"{ngettext('{n} time', '{n} times', count)} {_ordinal(place)}"
        for place, count in enumerate(places, 1)
        if count
    ]
    matches = ngettext("{n} match", "{n} matches", sum(places))
    return _("{matches}: {listed}", matches=matches, listed=", ".join(listed))


def _ordinal(place: int) -> str:
    return _(ORDINALS[place - 1]) if place <= len(ORDINALS) else _("{place}th", place=place)
