"""A bot in more than one match: at the same time, or one after the other."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from bots.sdk.link import Identity, open_link
from bots.sdk.runner import Finished, Runner
from bots.sdk.seat import take_seat
from games.api import Game
from tests.bots.notes import Notes
from tests.helpers.hall import Hall
from tests.helpers.scissors import dial_to
from tests.helpers.toy import TOY

GAMES: dict[str, Game] = {TOY.id: TOY}


async def test_who_waits_for_more_matches_than_are_over_leaves_the_time_to_others(
    hall: Hall, autojump_clock: MockClock
) -> None:
    heard: list[Finished] = []
    runner = Runner(Notes, GAMES, 7, on_finish=heard.append)
    async with open_link(dial_to(hall), Identity("ann", bot=True), hearer=runner) as link:
        await take_seat(link, "toy", seats=2, bots=["first"])
        with trio.move_on_after(60) as waiting:  # time goes on only where nobody has anything to do
            await runner.wait_until_finished(2)
        assert waiting.cancelled_caught
        assert heard == runner.finished
        await take_seat(link, "toy", seats=2, bots=["first"])
        await runner.wait_until_finished(2)
    assert [done.how for done in heard] == ["played", "played"]


async def test_one_runner_plays_many_tables_at_once(hall: Hall, autojump_clock: MockClock) -> None:
    runner = Runner(Notes, GAMES, 7)
    async with open_link(dial_to(hall), Identity("ann", bot=True), hearer=runner) as link:
        for _ in range(20):
            await take_seat(link, "toy", seats=2, bots=["first"])  # now it is full, and starts
        await runner.wait_until_finished(20)
    assert {(done.how, done.seat) for done in runner.finished} == {("played", 1)}
    assert len({done.table for done in runner.finished}) == 20
