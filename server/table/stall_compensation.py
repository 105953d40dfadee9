"""Stall compensation: how much time each seat gets back after the server was stalled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

# most seconds that one decision gets back while the server is busy, because a flood could otherwise prolong it forever
A_DECISION = 2.0
A_MATCH = 20.0


class StallCompensation:
    """The stall compensation in one match.

    If the server did not run, because it was stopped or suspended, seats get back all of the time, any number of times.
    If it was busy, they get back a limited time, and the seats of the player that kept it busy get nothing.
    """

    def __init__(self) -> None:
        self._decisions: dict[tuple[int, int], float] = {}  # by seat and turn: the seconds that were given back
        self._match = 0.0

    def seconds_to_refund(
        self, seconds: float, turns: Sequence[int], asked: Collection[int], guilty: Collection[int] | None
    ) -> Mapping[int, float]:
        """Returns the seconds to give back to each seat that has a decision to make, and to 0, which stands for all
        absences.

        `guilty` has the seats of the player that kept the server busy; None means that the server did not run at all.
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
