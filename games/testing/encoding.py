"""The part of the exam that checks the numeric encoding: vectors stay in bounds and contain everything on which the
rules depend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import le
from typing import Any

import msgspec

from games.api import Action, Game, Options, Seat, State, View, to_map
from games.chance import Chance
from games.encoding import NumericEncoding
from games.testing.failed import require
from games.unions import convert_union

SOME_LOOKED_AT = 4  # the encoding is checked at one position in this many
SOME_CHANGED = 3  # changes are tried at one checked position in this many
MOST_CHANGES = 5  # the largest number of changes tried at one position


class EncodingExam:
    """Checks the numeric encoding at positions of one match."""

    def __init__(self, game: Game, seats: int, options: Options, where: str) -> None:
        self._game, self._where = game, where
        self._numbers = numbers = NumericEncoding(game, seats, options)
        self._least, self._most = numbers.layout.bounds()
        self._longest = game.max_game_length(seats, options)
        self._before: dict[Seat | None, tuple[View, bytes]] = {}
        self._allowed: dict[bytes, Sequence[Action]] = {}
        names = [field.name for field in numbers.layout.fields]
        require(len(set(names)) == len(names), f"{where}: two fields of the layout have one name")
        require(
            all(map(le, self._least, self._most)), f"{where}: a field of the layout has its bounds the wrong way round"
        )

    def check_position(self, state: State, count: int, chance: Chance, spot: str) -> None:
        """Checks the encoding at a position of the match; `count` is the number of decisions before it."""
        require(count <= self._longest, f"{spot}: longer than {self._longest} decisions")
        if chance.below("look", SOME_LOOKED_AT):
            return
        for seat in (*sorted(state.to_move()), chance.choice("looker", [None, *range(1, state.seats + 1)])):
            view = state.view(seat)
            vector = self._vector(view, f"{spot}, seen by {seat or 'a spectator'}")
            if seat is not None:
                legal = state.legal_actions(seat)
                same = list(self._allowed.setdefault(vector, legal)) == list(legal)
                require(same, f"{spot}: seat {seat} may do something else, but the numbers are the same")
            if seat in self._before and not chance.below("change", SOME_CHANGED):
                self._check_changes(view, vector, *self._before[seat], chance, spot)
            self._before[seat] = view, vector

    def _vector(self, view: View, spot: str) -> bytes:
        size = self._numbers.layout.size
        out = [-1] * (size + 1)  # an invalid value, which stays in every place that the game does not write
        self._game.encode(view, out)
        require(len(out) == size + 1 and out.pop() == -1, f"{spot}: more numbers than the layout has")
        if not (all(map(le, self._least, out)) and all(map(le, out, self._most))):
            slices = self._numbers.layout.slices.items()
            wrong = [(name, out[at]) for name, at in slices if not self._is_within(out, at)]
            require(False, f"{spot}: numbers out of bounds: {wrong}")
        vector = self._numbers.vector(view)
        require(all(map(float.is_integer, vector)), f"{spot}: numbers that are not whole")
        require(list(vector) == out, f"{spot}: the same view gave other numbers")
        return vector.tobytes()

    def _is_within(self, out: list[int], at: slice) -> bool:
        return all(map(le, self._least[at], out[at])) and all(map(le, out[at], self._most[at]))

    def _check_changes(
        self, now: View, vector: bytes, before: View, vector_before: bytes, chance: Chance, spot: str
    ) -> None:
        """Swaps single facts between this view and an earlier one of the same seat, and demands that the numbers
        change."""
        here, there = to_map(now), to_map(before)
        require(self._of_map(here) == vector, f"{spot}: a view from the wire gave other numbers")
        changes = [
            change for change in _differences(here, there) if not self._game.unsaid.intersection(map(str, change))
        ]
        for path in chance.shuffle("changes", changes)[:MOST_CHANGES]:
            mine, theirs = to_map(now), to_map(before)
            _swap(mine, theirs, path)
            told = self._of_map(mine) != vector or self._of_map(theirs) != vector_before
            require(told, f"{spot}: the numbers do not tell {'.'.join(map(str, path))}")

    def _of_map(self, plain: Any) -> bytes:
        """Returns the vector of a view decoded from plain data, or b"" if the data is not a view."""
        try:
            view = convert_union(plain, self._game.view_type)
        except msgspec.ValidationError:
            return b""
        return self._numbers.vector(view).tobytes()


def _differences(here: Any, there: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yields the paths of the smallest parts in which two views differ. The order of a list does not matter."""
    if here == there:
        return
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            yield from _differences(here[key], there[key], (*path, key))
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        if sorted(map(repr, here)) != sorted(map(repr, there)):
            for at in range(len(here)):
                yield from _differences(here[at], there[at], (*path, at))
    else:
        yield path


def _swap(one: Any, other: Any, path: tuple[str | int, ...]) -> None:
    for step in path[:-1]:
        one, other = one[step], other[step]
    one[path[-1]], other[path[-1]] = other[path[-1]], one[path[-1]]
