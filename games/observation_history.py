"""Information states as text: everything that each seat has done and seen, for programs that compare or store such
states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from games.api import Action, AddressedEvent, Game, Seat, State


class ObservationHistory:
    """Collects what each seat has done and seen in a match.

    A seat's text has a line `< play 3` for each of its own actions, and a line `> {"what":...}` for each event that it
    received. A seat cannot tell two positions with the same text apart. None is a spectator.

    Args:
        game: The game.
        before: For each seat, the text with which its text begins.
    """

    __slots__ = ("_game", "_log", "_texts")

    def __init__(self, game: Game, before: Mapping[Seat | None, str] | None = None) -> None:
        self._game = game
        self._log: list[tuple[Sequence[AddressedEvent], Seat | None, Action | None]] = []
        # The text of each seat so far, with the number of log entries that it covers.
        self._texts = {seat: (0, text) for seat, text in (before or {}).items()}

    def note(self, told: Sequence[AddressedEvent], seat: Seat | None = None, action: Action | None = None) -> None:
        """Adds events, and the action that caused them.

        Args:
            told: The events with their receivers, from `Game.start` or `State.apply`.
            seat: The seat that acted; None for the deal.
            action: Its action; None for the deal.
        """
        self._log.append((told, seat, action))

    def text(self, seat: Seat | None) -> str:
        """Returns everything that a seat has done and seen, as text.

        Args:
            seat: The seat; None is a spectator.

        Returns:
            Lines of text. Later calls format only the new entries.
        """
        done, text = self._texts.get(seat, (0, ""))
        text += "".join([self._lines(seat, *entry) for entry in self._log[done:]])
        self._texts[seat] = len(self._log), text
        return text

    def _lines(
        self, hearer: Seat | None, told: Sequence[AddressedEvent], seat: Seat | None, action: Action | None
    ) -> str:
        mine = "" if action is None or seat != hearer else f"< {self._game.words.format_action(action)}\n"
        heard = [one.event for one in told if one.is_for(hearer)]
        return mine + "".join([f"> {msgspec.json.encode(event).decode()}\n" for event in heard])

    def clone(self) -> ObservationHistory:
        """Returns an independent copy."""
        copy = ObservationHistory(self._game)
        copy._log, copy._texts = self._log[:], self._texts.copy()
        return copy

    def imagined(self, seat: Seat, world: State) -> ObservationHistory:
        """Returns the history for a state that a seat imagined.

        Args:
            seat: The seat that imagined it. Its text stays the same.
            world: The imagined state, from `State.redeal`.

        Returns:
            A new history. The text of every other seat is the spectators' text, and then a line with `= ` and that
                seat's knowledge in `world` as JSON.
        """
        heard = self.text(None)
        before: dict[Seat | None, str] = {None: heard}
        for other in range(1, world.seats + 1):
            before[other] = f"{heard}= {msgspec.json.encode(world.knowledge(other)).decode()}\n"
        before[seat] = self.text(seat)
        return ObservationHistory(self._game, before)
