"""A cup's standings, worked out beside the server's loop: ratings with their intervals take their time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter

import trio

from protocol.messages import Against
from tournaments.challenge import challenge
from tournaments.cup import Cup
from tournaments.formats.registry import has_challenger
from tournaments.standings import Row, standings

LOOK_SECONDS = 0.02  # between two looks whether they are worked out
REST = 3  # times as long as the last ones took nobody works any out: hundreds of results take a second, and each is new


class Tally:
    """One a cup. `rows` are those of when they were last worked out."""

    def __init__(self, nursery: trio.Nursery, turns: trio.Lock) -> None:
        self.rows: list[Row] = []
        self.against: tuple[Against, ...] = ()  # a gauntlet's challenger against each of the others
        self._nursery = nursery
        self._turns = turns  # one cup's at a time: the server needs the other processor
        self._counted, self._counting = 0, False  # results that the rows are of

    def work(self, cup: Cup) -> Iterator[float]:
        """Brings the rows up to now: yields the seconds until another look is worth while."""
        wanted = len(cup.results)  # there may be more before these are counted
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
