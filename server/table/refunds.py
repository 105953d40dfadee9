"""How much of the time for which the server stood still is given back to whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

A_DECISION = 2.0  # seconds, where the server itself was busy: else a flood could make a decision last for ever
A_MATCH = 20.0


class Refunds:
    """One a match. A server that did not run (stopped, suspended) gives everything back, as often as it happens; one
    that was too busy gives back a bounded time, and none to those whose address kept it busy."""

    def __init__(self) -> None:
        self._decisions: dict[tuple[int, int], float] = {}  # by seat and turn: what was given back for it
        self._match = 0.0

    def after(
        self, seconds: float, turns: Sequence[int], asked: Collection[int], guilty: Collection[int] | None
    ) -> Mapping[int, float]:
        """Seconds for each seat that is asked, and for 0, which stands for absences. `guilty`: the seats of the address
        that kept the server busy; None if it did not run at all."""
        if guilty is None:
            return dict.fromkeys((0, *sorted(asked)), seconds)
        most = min(seconds, A_DECISION, A_MATCH - self._match)
        given = {}
        for seat in sorted(asked):
            decision = seat, turns[seat]
            before = self._decisions.get(decision, 0.0)
            given[seat] = 0.0 if seat in guilty else max(0.0, min(most, A_DECISION - before))
            self._decisions[decision] = before + given[seat]
        given[0] = max(0.0, most)
        self._match += max(given.values())
        return given
