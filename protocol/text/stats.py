"""How somebody's matches came out, as lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.messages import PlayerStats
from protocol.printable import columns_of

ORDINALS = ("1st", "2nd", "3rd")


def stats_lines(stats: PlayerStats) -> list[str]:
    """All matches, then game by game, then opponent by opponent."""
    matches = sum(sum(game.places) for game in stats.games)
    won = sum(game.places[0] for game in stats.games)
    if not matches:
        return [f"{stats.name} has finished no match here."]
    lines = [f"{stats.name}: {_times(matches, 'match', 'matches')}, {won} won"]
    wide = max(columns_of(game.game) for game in stats.games)
    lines += [f"  {game.game:<{wide}}  {_places(game.places)}" for game in stats.games]
    wide = max((columns_of(other.name) for other in stats.opponents), default=0)
    for other in stats.opponents:
        how_often = f"{_times(other.meetings, 'time', 'times')}, {other.ahead} ahead, {other.behind} behind"
        lines.append(f"  against {other.name:<{wide}}  {how_often}")
    return lines


def _places(places: Sequence[int]) -> str:
    """`4 matches: 3 times 1st, 1 time 3rd`."""
    listed = [f"{_times(count, 'time', 'times')} {_ordinal(place)}" for place, count in enumerate(places, 1) if count]
    return f"{_times(sum(places), 'match', 'matches')}: {', '.join(listed)}"


def _ordinal(place: int) -> str:
    return ORDINALS[place - 1] if place <= len(ORDINALS) else f"{place}th"


def _times(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"
