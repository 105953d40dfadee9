"""What everybody did and heard in a match, as text: information states, for programs that compare or keep such."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from games.api import Action, Game, Seat, State, Told


class Memory:
    """Grows with a match. What a seat remembers is one line for each action of its own, `< play 3`, and one for each
    event that it heard, `> {"what":...}`. In two positions with the same text it cannot tell them apart; None is a
    spectator."""

    __slots__ = ("_game", "_log", "_texts")

    def __init__(self, game: Game, before: Mapping[Seat | None, str] | None = None) -> None:
        self._game = game
        self._log: list[tuple[Sequence[Told], Seat | None, Action | None]] = []
        self._texts = {seat: (0, text) for seat, text in (before or {}).items()}  # so much of the log, as text

    def note(self, told: Sequence[Told], seat: Seat | None = None, action: Action | None = None) -> None:
        """What was told, at the deal or when that seat did that."""
        self._log.append((told, seat, action))

    def text(self, seat: Seat | None) -> str:
        """All that the seat did and heard."""
        done, text = self._texts.get(seat, (0, ""))
        text += "".join([self._lines(seat, *entry) for entry in self._log[done:]])
        self._texts[seat] = len(self._log), text
        return text

    def _lines(self, hearer: Seat | None, told: Sequence[Told], seat: Seat | None, action: Action | None) -> str:
        mine = "" if action is None or seat != hearer else f"< {self._game.words.write(action)}\n"
        heard = [one.event for one in told if one.heard_by(hearer)]
        return mine + "".join([f"> {msgspec.json.encode(event).decode()}\n" for event in heard])

    def clone(self) -> Memory:
        """An independent copy."""
        copy = Memory(self._game)
        copy._log, copy._texts = self._log[:], self._texts.copy()
        return copy

    def imagined(self, seat: Seat, world: State) -> Memory:
        """The memory of a world that this seat imagined: its own text, and for every other seat what spectators heard
        and then, behind `= `, what that seat would know there."""
        heard = self.text(None)
        before: dict[Seat | None, str] = {None: heard}
        for other in range(1, world.seats + 1):
            before[other] = f"{heard}= {msgspec.json.encode(world.knowledge(other)).decode()}\n"
        before[seat] = self.text(seat)
        return Memory(self._game, before)
