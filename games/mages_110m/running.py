"""Movement on the track: squares, hurdles and the finish line."""

from __future__ import annotations

from games.mages_110m import events
from games.mages_110m.addressed_events import moved_event
from games.mages_110m.truth import MageState, RaceTruth


def advance_mage(race: RaceTruth, mage: MageState, squares: int) -> None:
    """Advances a mage. A hurdle stops the mage unless it floats. Crossing the finish line ends the race (rules 5.1 to
    5.3)."""
    floats = mage.is_floating(race.deck)
    square, end = mage.square, race.deck.track.squares + 1
    for _ in range(squares):
        if square == end or (not floats and mage.hurdles >> square & 1):
            break
        square += 1
    _stand(race, mage, square, ())


def charge_mage(race: RaceTruth, mage: MageState, squares: int) -> None:
    """Advances a mage and breaks the hurdles in its way. Crossing the finish line ends the race (rule 5.4)."""
    square, end = mage.square, race.deck.track.squares + 1
    broken = []
    for _ in range(squares):
        if square == end:
            break
        if mage.hurdles >> square & 1:
            mage.hurdles ^= 1 << square
            broken.append(square)
        square += 1
    _stand(race, mage, square, tuple(broken))


def move_back(race: RaceTruth, mage: MageState, squares: int) -> None:
    """Moves a mage back, at most to the first square. Hurdles do not stop it (rule 5.6)."""
    _stand(race, mage, max(1, mage.square - squares), ())


def smash_hurdles(race: RaceTruth, mage: MageState, count: int) -> None:
    """Destroys the next `count` hurdles in the mage's lane, however far away they are (rule 5.5)."""
    ahead = [square for square in _ahead(race, mage) if mage.hurdles >> square & 1][:count]
    for square in ahead:
        mage.hurdles ^= 1 << square
    if ahead:
        mage.invalidate_view()
        race.add_event_to_all(events.Cleared(mage.seat, tuple(ahead)))


def raise_hurdles(race: RaceTruth, mage: MageState, count: int) -> None:
    """Puts up to `count` hurdles up again, at the nearest places ahead where the track has a hurdle but none stands
    (rule 5.7)."""
    places = [square for square in _ahead(race, mage) if not mage.hurdles >> square & 1]
    gaps = [square for square in places if square in race.deck.track.hurdles][:count]
    for square in gaps:
        mage.hurdles |= 1 << square
    if gaps:
        mage.invalidate_view()
        race.add_event_to_all(events.Raised(mage.seat, tuple(gaps)))


def _ahead(race: RaceTruth, mage: MageState) -> range:
    return range(mage.square, race.deck.track.squares)  # there is no hurdle behind the last square


def _stand(race: RaceTruth, mage: MageState, square: int, broken: tuple[int, ...]) -> None:
    if square == mage.square:
        return
    mage.square = square
    mage.invalidate_view()
    race.told.append(moved_event(mage.seat, square, broken))
    if square > race.deck.track.squares:
        race.end_race(crossed=True)
