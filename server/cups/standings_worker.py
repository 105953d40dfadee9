"""The standings of a cup, computed in a worker thread, because ratings with intervals take long."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter

import trio

from protocol.messages import Against
from tournaments.challenge import challenge
from tournaments.cup import Cup
from tournaments.formats.registry import has_challenger
from tournaments.standings import StandingsRow, standings

LOOK_SECONDS = 0.02  # between two checks whether the standings are ready
REST = 3  # pause after a computation, as a multiple of its duration: hundreds of results take a second


class StandingsWorker:
    """One per cup. `rows` are the standings that were computed last."""

    def __init__(self, nursery: trio.Nursery, turns: trio.Lock) -> None:
        self.rows: list[StandingsRow] = []
        self.against: tuple[Against, ...] = ()  # the challenger of a gauntlet against each other entrant
        self._nursery = nursery
        self._turns = turns  # one cup at a time, because the server needs the other processor
        self._counted, self._counting = 0, False  # number of results in the rows

    def work(self, cup: Cup) -> Iterator[float]:
        """Brings the rows up to date. Yields the seconds until the next check."""
        wanted = len(cup.results)  # later results need not be counted by this call
        while self._counted < wanted:
            if not self._counting:
                self._counting = True
                self._nursery.start_soon(self._count, cup)
            yield LOOK_SECONDS

    async def _count(self, cup: Cup) -> None:
        async with self._turns:
            began = perf_counter()
            try:
                matches = cup.matches()
                told, names, reached = cup.settings, cup.names, cup.reached()
                duplicate = told.deals == "duplicate"
                work = partial(standings, names, matches, duplicate=duplicate, reached=reached, rank_by=told.rank_by)
                self.rows = await trio.to_thread.run_sync(work)
                self.against = challenge(names, matches) if has_challenger(told.format) else ()
                self._counted = len(matches)
            finally:
                self._counting = False
            await trio.sleep(REST * (perf_counter() - began))
