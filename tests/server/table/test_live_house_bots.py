"""House bots decide at an even pace: how long one thinks would tell how much it has to think about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest
import trio
from trio.testing import MockClock

from games.api import Action, Game
from games.chance import Chance
from matches.house import HouseBot, HouseQuestion, ImmediateHouseBot
from matches.referee import house_bot_seed
from server.config import Config
from server.table.live import LEISURE_SECONDS
from tests.helpers.hall import Hall


class Ponderer:
    """A house of bots that think the longer the more they may do."""

    def names(self, game: Game) -> Sequence[str]:
        return ["first"]

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        def choose(asked: HouseQuestion) -> Action:
            cast(MockClock, trio.lowlevel.current_clock()).jump(len(asked.legal) / 1_000)
            return asked.legal[0]

        return ImmediateHouseBot(choose)


@pytest.mark.parametrize("pace", [0.01, 0.02])
async def test_a_house_bot_takes_as_long_for_three_choices_as_for_one(config: Config, pace: float) -> None:
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, house_seconds=pace), house=Ponderer())
        ann = await hall.player("ann")
        await ann.ask("open", game="toy", seats=2)
        await ann.ask("add", table="t1", bot="first")
        await ann.ask("start", table="t1")
        for number in range(1, 4):
            await trio.sleep(1)
            turn = await ann.next("turn")
            await ann.ask("act", table="t1", turn=number, action=turn["legal"][0])
        asked = [0.0, *(done.at for done in hall.done(seat=1))]  # a round begins when both have chosen
        took = [round(done.at - since, 6) for done, since in zip(hall.done(seat=2), asked, strict=False)]
        assert took == [pace] * 3
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("config", [{"house_seconds": 5.0}], indirect=True)
async def test_a_pause_to_be_followed_never_makes_a_house_bot_late(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2, clock={"main": 0.0, "increment": 2.0})
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await trio.sleep(1.5)
    assert [(done.at, done.why) for done in hall.done(seat=2)] == [(1.0, "house")]


def test_each_seat_has_a_house_bot_of_its_own_and_the_same_deal_the_same_one() -> None:
    seeds = [house_bot_seed(Chance.of_number(1), seat) for seat in (1, 2, 3)]
    assert len(set(seeds)) == 3
    assert seeds == [house_bot_seed(Chance.of_number(1), seat) for seat in (1, 2, 3)]


def test_g17_the_chance_of_a_house_bot_cannot_be_tried_out_against_what_it_did() -> None:
    """A bot's bets follow from its seed, and so does what it did for all to see."""
    seeds = [house_bot_seed(Chance.of_number(number), seat) for number in range(32) for seat in (1, 2)]
    used = [sum(seed >> bit & 1 for seed in seeds) for bit in range(65)]
    assert all(0 < times < len(seeds) for times in used[:64])
    assert used[64] == 0, "JSON of other languages, and of the bot's own process, takes no more"


@pytest.mark.parametrize("config", [{"house_seconds": 0.02}], indirect=True)
async def test_b19_matches_that_nobody_plays_take_turns_and_others_do_not_wait_for_them(hall: Hall) -> None:
    ann = await hall.player("ann")
    tables = [f"t{number}" for number in range(1, 11)]
    for table in tables:
        await ann.ask("open", game="toy", seats=2)
        await ann.ask("add", table=table, bot="first")
        await ann.ask("start", table=table)
    for table in tables:
        await ann.ask("resign", table=table)
    resigned = trio.current_time()
    bob = await hall.player("bob")
    await bob.ask("open", game="toy", seats=2)
    await bob.ask("add", table="t11", bot="first")
    begun = trio.current_time()
    await bob.ask("start", table="t11")
    await bob.play_on()
    assert trio.current_time() - begun == pytest.approx(3 * 0.02)
    while hall.lobby.tables.running_tables():  # noqa: ASYNC110
        await trio.sleep(0.01)
    decided = sum(len(hall.done(table)) for table in tables)
    steps = 2 * (decided - len(tables))  # to think and to do it; but for the first of each table
    assert trio.current_time() - resigned >= steps * LEISURE_SECONDS
