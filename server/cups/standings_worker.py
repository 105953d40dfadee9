"""Computes the standings of a cup in a worker thread, because ratings with intervals take long."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter

import trio

from protocol.messages import Against
from tournaments.challenge import compare_challenger
from tournaments.cup import Cup
from tournaments.formats.registry import has_challenger
from tournaments.standings import StandingsRow, compute_standings

LOOK_SECONDS = 0.02  # interval between two checks whether the standings are computed
REST = 3  # pause after a computation, as a multiple of its duration; with hundreds of results it takes a second


class StandingsWorker:
    """The standings of one cup. `rows` has the standings that were computed last."""

    def __init__(self, nursery: trio.Nursery, turns: trio.Lock) -> None:
        self.rows: list[StandingsRow] = []
        self.against: tuple[Against, ...] = ()  # results of a gauntlet's challenger against each other entrant
        self._nursery = nursery
        self._turns = turns  # only one cup computes at a time, so that the server keeps a processor
        self._counted, self._counting = 0, False  # number of results in `rows`, and whether a computation is running

    def update_rows(self, cup: Cup) -> Iterator[float]:
        """Makes `rows` include all results that the cup has now. Yields the seconds until the next check."""
        wanted = len(cup.results)  # results that arrive later need not be in the rows when this generator ends
        while self._counted < wanted:
            if not self._counting:
                self._counting = True
                self._nursery.start_soon(self._count, cup)
            yield LOOK_SECONDS

    async def _count(self, cup: Cup) -> None:
        async with self._turns:
            began = perf_counter()
            try:
                matches = cup.finished_matches()
                told, names, reached = cup.settings, cup.entrant_names, cup.stages_reached()
                duplicate = told.deals == "duplicate"
                work = partial(
                    compute_standings, names, matches, duplicate=duplicate, reached=reached, rank_by=told.rank_by
                )
                self.rows = await trio.to_thread.run_sync(work)
                self.against = compare_challenger(names, matches) if has_challenger(told.format) else ()
                self._counted = len(matches)
            finally:
                self._counting = False
            await trio.sleep(REST * (perf_counter() - began))
