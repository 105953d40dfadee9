"""House bots that think: nobody waits for them but their own table, and they are few."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import pytest
import trio

from games.api import Action, Game
from matches.house import Answer, HouseBot, HouseQuestion
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running

CONFIG = Config(port=0, house_seconds=0.02, late_house_seconds=10.0, thinkers=2)


class Brooder:
    """A house bot that answers when the test says so."""

    seconds = 0.6

    def __init__(self) -> None:
        self.asked: list[tuple[HouseQuestion, Answer]] = []
        self.closed = 0

    def ask(self, question: HouseQuestion, answer: Answer) -> None:
        self.asked.append((question, answer))

    def close(self) -> None:
        self.closed += 1

    def say(self, place: int = -1, action: Action | None = None) -> None:
        """Answers the latest question with that action, or with that place in what is legal."""
        question, answer = self.asked[-1]
        answer(action or question.legal[place])


class Brooders:
    """A house of them, in the order in which they were made."""

    def __init__(self) -> None:
        self.made: list[Brooder] = []

    def names(self, game: Game) -> Sequence[str]:
        return ["brooder"]

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        self.made.append(Brooder())
        return self.made[-1]


@pytest.fixture
def house() -> Brooders:
    return Brooders()


@pytest.fixture
async def hall(house: Brooders) -> AsyncIterator[Hall]:
    async with trio.open_nursery() as nursery:
        yield Hall(nursery, CONFIG, house=house)
        nursery.cancel_scope.cancel()


async def against_a_brooder(hall: Hall, name: str = "ann", table: str = "t1") -> Any:
    peer = await hall.player(name)
    await peer.ask("open", game="toy", seats=2)
    await peer.ask("add", table=table, bot="brooder")
    await peer.ask("start", table=table)
    await trio.testing.wait_all_tasks_blocked()
    return peer


async def test_while_a_house_bot_thinks_everybody_else_goes_on(hall: Hall, house: Brooders) -> None:
    ann = await against_a_brooder(hall)
    turn = await ann.next("turn")
    assert (await ann.ask("act", table="t1", turn=1, action=turn["legal"][0]))["type"] == "accepted"
    await trio.sleep(5)
    assert [done.seat for done in hall.done()] == [1]
    house.made[0].say()
    await trio.sleep(0.01)
    assert [done.seat for done in hall.done()] == [1, 2]


@pytest.mark.parametrize("thinks", [0.0, 0.3, 0.6])
async def test_a_house_bot_is_as_slow_when_it_thinks_little(hall: Hall, house: Brooders, thinks: float) -> None:
    await against_a_brooder(hall)
    await trio.sleep(thinks)
    house.made[0].say()
    await trio.sleep(1)
    assert [round(done.at, 6) for done in hall.done(seat=2)] == [0.62]


async def test_a_house_bot_that_hangs_gets_the_default_and_is_ended(
    hall: Hall, house: Brooders, caplog: pytest.LogCaptureFixture
) -> None:
    await against_a_brooder(hall)
    await trio.sleep(11)
    assert [round(done.at, 6) for done in hall.done(seat=2)] == [10.62]
    assert house.made[0].closed == 1
    assert "house bot brooder took too long" in caplog.text


@pytest.mark.parametrize("says", ["nothing", "what is illegal"])
async def test_for_a_house_bot_that_has_no_answer_the_default_is_done(hall: Hall, house: Brooders, says: str) -> None:
    ann = await against_a_brooder(hall)
    question, answer = house.made[0].asked[0]
    other = hall.toy().legal_actions(1)[0]
    answer(None if says == "nothing" else other)
    await trio.sleep(1)
    assert [done.action for done in hall.done(seat=2)] == [question.legal[0]]
    assert (await ann.next("turn"))["turn"] == 1


async def test_an_answer_that_comes_when_nobody_waits_for_it_changes_nothing(
    hall: Hall, house: Brooders, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await against_a_brooder(hall)
    await trio.sleep(11)
    house.made[0].say(place=1)
    await ann.ask("act", table="t1", turn=1, action=(await ann.next("turn"))["legal"][0])
    await trio.sleep(1)
    house.made[0].asked[0][1](house.made[0].asked[0][0].legal[0])
    await trio.sleep(1)
    assert [done.seat for done in hall.done()] == [2, 1]
    assert "illegal" not in caplog.text


async def test_a_house_bot_is_told_what_its_seat_knows_and_ends_with_its_match(hall: Hall, house: Brooders) -> None:
    ann = await against_a_brooder(hall)
    brooder = house.made[0]
    question = brooder.asked[0][0]
    assert question.seat == 2
    assert question.view == hall.toy().view(2)
    assert question.knowledge() == hall.toy().knowledge(2)
    assert question.clock == hall.lobby.tables["t1"].require_match().clocks.max_decision_time(2)  # it was asked at once
    for number in range(1, 4):
        turn = await ann.next("turn")
        assert not brooder.closed
        brooder.say()
        await trio.sleep(1)
        await ann.ask("act", table="t1", turn=number, action=turn["legal"][0])
        await trio.testing.wait_all_tasks_blocked()
    await ann.next("over")
    await trio.testing.wait_all_tasks_blocked()
    assert brooder.closed


async def test_b19_only_so_many_bots_may_think_at_all_tables_together(hall: Hall, house: Brooders) -> None:
    await against_a_brooder(hall, "ann", "t1")
    bob = await hall.player("bob")
    await bob.ask("open", game="toy", seats=3)
    await bob.ask("add", table="t2", bot="brooder")
    refused = await bob.ask("add", table="t2", bot="brooder")
    assert (refused["code"], "brooder has to wait" in refused["text"]) == ("no_such_bot", True)
    hall.lobby.tables["t1"].require_live_match().abort("The test ends it.")
    assert (await bob.ask("add", table="t2", bot="brooder"))["type"] == "table"


async def test_after_a_restart_another_one_is_asked_the_same(house: Brooders) -> None:
    disk = Disk()
    async with running(disk, CONFIG, house=house) as hall:
        await against_a_brooder(hall)
    async with running(disk, CONFIG, house=house) as hall:
        await trio.testing.wait_all_tasks_blocked()
        first, second = house.made
        assert first.closed
        assert [(one.view, one.number) for one, _ in first.asked] == [(one.view, one.number) for one, _ in second.asked]
        second.say()
        await trio.sleep(1)
        assert [done.seat for done in hall.done()] == [2]
