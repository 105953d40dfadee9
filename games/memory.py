"""What one seat did and heard in a match, as text: its information state, for programs that compare or keep such."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from games.api import Action, Game, Seat, Told


class Memory:
    """Grows with a match. Its text is one line for each action of the seat, `< play 3`, and one for each event that it
    heard, `> {"what":...}`. Two positions with the same text cannot be told apart by that seat; None is a spectator."""

    __slots__ = ("_game", "_lines", "_seat")

    def __init__(self, game: Game, seat: Seat | None) -> None:
        self._game, self._seat = game, seat
        self._lines: list[str] = []

    def note(self, told: Sequence[Told], seat: Seat | None = None, action: Action | None = None) -> None:
        """What was told, at the deal or when that seat did that."""
        if action is not None and seat == self._seat:
            self._lines.append(f"< {self._game.words.write(action)}\n")
        self._lines += [f"> {msgspec.json.encode(one.event).decode()}\n" for one in told if one.heard_by(self._seat)]

    def clone(self) -> Memory:
        """An independent copy."""
        copy = Memory(self._game, self._seat)
        copy._lines = self._lines[:]
        return copy

    def __str__(self) -> str:
        return "".join(self._lines)
