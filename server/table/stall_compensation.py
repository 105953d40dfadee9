"""Stall compensation: how much of the time for which the server was stalled each seat gets back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

A_DECISION = 2.0  # seconds, if the server was busy: otherwise a flood could prolong a decision forever
A_MATCH = 20.0


class StallCompensation:
    """The stall compensation of one match.

    A server that did not run (stopped, suspended) gives all time back, however often it happens. A busy server gives a
    bounded time back, and none to the seats of the address that kept it busy.
    """

    def __init__(self) -> None:
        self._decisions: dict[tuple[int, int], float] = {}  # by seat and turn: seconds given back
        self._match = 0.0

    def after(
        self, seconds: float, turns: Sequence[int], asked: Collection[int], guilty: Collection[int] | None
    ) -> Mapping[int, float]:
        """Returns the seconds for each seat that is asked, and for 0, which stands for absences.

        `guilty` are the seats of the address that kept the server busy; None if the server did not run at all.
        """
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
