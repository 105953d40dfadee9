"""The track: squares, hurdles and the line."""

from __future__ import annotations

from games.mages_110m import events
from games.mages_110m.telling import moved
from games.mages_110m.truth import RaceTruth, Runner


def advance(race: RaceTruth, mage: Runner, squares: int) -> None:
    """Rules 5.1 to 5.3: a hurdle stops a mage, unless it floats. Crossing the line ends the race."""
    floats = mage.floats(race.deck)
    square, end = mage.square, race.deck.track.squares + 1
    for _ in range(squares):
        if square == end or (not floats and mage.hurdles >> square & 1):
            break
        square += 1
    _stand(race, mage, square, ())


def charge(race: RaceTruth, mage: Runner, squares: int) -> None:
    """Rule 5.4: advance, and break what stands in the way."""
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


def back(race: RaceTruth, mage: Runner, squares: int) -> None:
    """Rule 5.6: never behind the first square; hurdles do not matter on the way back."""
    _stand(race, mage, max(1, mage.square - squares), ())


def smash(race: RaceTruth, mage: Runner, count: int) -> None:
    """Rule 5.5: the next hurdles ahead in the mage's lane, however far they are."""
    ahead = [square for square in _ahead(race, mage) if mage.hurdles >> square & 1][:count]
    for square in ahead:
        mage.hurdles ^= 1 << square
    if ahead:
        mage.touch()
        race.tell_all(events.Cleared(mage.seat, tuple(ahead)))


def raise_hurdles(race: RaceTruth, mage: Runner, count: int) -> None:
    """Rule 5.7: the nearest places ahead where the track has a hurdle and none stands."""
    places = [square for square in _ahead(race, mage) if not mage.hurdles >> square & 1]
    gaps = [square for square in places if square in race.deck.track.hurdles][:count]
    for square in gaps:
        mage.hurdles |= 1 << square
    if gaps:
        mage.touch()
        race.tell_all(events.Raised(mage.seat, tuple(gaps)))


def _ahead(race: RaceTruth, mage: Runner) -> range:
    return range(mage.square, race.deck.track.squares)  # behind the last one stands no hurdle


def _stand(race: RaceTruth, mage: Runner, square: int, broken: tuple[int, ...]) -> None:
    if square == mage.square:
        return
    mage.square = square
    mage.touch()
    race.told.append(moved(mage.seat, square, broken))
    if square > race.deck.track.squares:
        race.end(crossed=True)
