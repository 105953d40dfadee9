"""A bot in more than one match: at the same time, or one after the other."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from bots.sdk.link import Identity, open_link
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from games.api import Game
from protocol.messages import CupEnter, CupReply
from tests.bots.notes import Notes
from tests.helpers.hall import Hall
from tests.helpers.scissors import dial_to
from tests.helpers.toy import TOY

GAMES: dict[str, Game] = {TOY.id: TOY}


async def test_one_runner_plays_many_tables_at_once(hall: Hall, autojump_clock: MockClock) -> None:
    runner = Runner(Notes, GAMES, 7)
    async with open_link(dial_to(hall), Identity("ann", bot=True), hearer=runner) as link:
        for _ in range(20):
            await take_seat(link, "toy", seats=2, bots=["first"])  # now it is full, and starts
        await runner.wait_until_finished(20)
    assert {(done.how, done.seat) for done in runner.finished} == {("played", 1)}
    assert len({done.table for done in runner.finished}) == 20


async def test_a_bot_in_a_cup_is_done_with_it_when_it_hears_that_it_was_stopped(
    hall: Hall, autojump_clock: MockClock
) -> None:
    ann, reports = await hall.player("ann"), list[str]()
    runner = Runner(Notes, GAMES, 7, report=reports.append)
    await ann.ask("cup_open", cup="friday", game="toy")
    async with open_link(dial_to(hall), Identity("bob", bot=True), hearer=runner) as link:
        await link.ask(CupEnter(id=1, cup="friday"), CupReply)
        await ann.ask("cup_stop", cup="friday")
        with trio.fail_after(60):
            await runner.wait_until_over("friday")
    assert reports == ["cup friday: stopped, 0 matches played."]
