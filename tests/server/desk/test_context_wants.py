"""What comes with a turn: what the hello wanted, by every way on which a turn is told."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock

from bots.sdk import Bot, Turn
from bots.sdk.link import Face, Identity, open_link
from bots.sdk.runner import Runner
from bots.sdk.seat import take_seat
from games.api import Action, State, to_map
from games.registry import all_games
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import running
from tests.helpers.scissors import dial_to
from tests.helpers.toy import TOY, ToyOptions

THINKER = ("view", "legal", "knowledge")


async def table_for(hall: Hall, **hello: Any) -> tuple[Peer, Peer]:
    """ann, who says that hello, and bob, at a table of which both turns are awaited."""
    ann, bob = await hall.player("ann", **hello), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    return ann, bob


async def test_a_turn_brings_view_and_legal_actions_unless_something_else_is_wanted(hall: Hall) -> None:
    _ann, bob = await table_for(hall, wants=THINKER)
    turn = await bob.next("turn")
    assert turn["view"]["seat"] == 2
    assert len(turn["legal"]) == 3
    assert "knowledge" not in turn


@pytest.mark.parametrize("wants", [(), ("knowledge",), ("legal",), ("view", "knowledge"), THINKER])
async def test_a_turn_brings_what_is_wanted_and_nothing_else(hall: Hall, wants: tuple[str, ...]) -> None:
    ann, _bob = await table_for(hall, wants=wants)
    turn = await ann.next("turn")
    assert {"view", "legal", "knowledge"} & set(turn) == set(wants)
    if "knowledge" in wants:
        assert turn["knowledge"] == to_map(hall.toy().knowledge(1))


async def test_an_unknown_want_is_refused_by_its_name(hall: Hall) -> None:
    stranger = await hall.connect()
    answer = await stranger.ask("hello", name="ann", wants=["view", "cards of the others"])
    assert (answer["code"], answer["where"]) == ("bad_field", "$.wants[1]")


async def test_what_is_missed_comes_again_with_knowledge(hall: Hall) -> None:
    ann, _bob = await table_for(hall, wants=THINKER)
    asked = await ann.next("turn")
    await ann.cut()
    ann = await hall.again("ann", ann.token, wants=THINKER)
    await ann.ask("resume", table="t1", after=0)
    assert await ann.next("turn") == asked
    story = await ann.ask("log", table="t1")
    assert [message for message in story["messages"] if message["type"] == "turn"] == [asked]
    assert (await ann.ask("legal", table="t1"))["turn"]["knowledge"] == asked["knowledge"]
    late = await ann.ask("act", table="t1", turn=99, action=asked["legal"][0])
    assert (late["code"], late["turn"]["knowledge"]) == ("stale_turn", asked["knowledge"])


async def test_who_wants_something_else_after_coming_back_gets_that(hall: Hall) -> None:
    ann, _bob = await table_for(hall, wants=THINKER)
    for wants in ((), THINKER, ("view", "legal")):
        await ann.cut()
        ann = await hall.again("ann", ann.token, wants=wants)
        await ann.ask("resume", table="t1", after=0)
        assert {"view", "legal", "knowledge"} & set(await ann.next("turn")) == set(wants)


async def test_after_a_restart_of_the_server_turns_are_told_as_the_new_hello_wants() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, _bob = await table_for(hall, wants=THINKER)
        asked = await ann.next("turn")
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token, wants=THINKER)
        await ann.ask("resume", table="t1", after=0)
        assert await ann.next("turn") == asked


class Seer(Bot):
    """Imagines a world at each turn, and looks at it from its own seat."""

    wants = ("view", "legal", "knowledge")
    worlds: list[tuple[State, Any]]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.rng.seed(seed)

    def choose(self, turn: Turn) -> Action:
        world = turn.determinize(self.rng)
        SEEN.append((msgspec.structs.asdict(turn.view), msgspec.structs.asdict(world.view(turn.seat))))
        assert world.legal_actions(turn.seat) == list(turn.legal)
        assert turn.options == ToyOptions(rounds=2)
        return turn.legal[0]


SEEN: list[tuple[Any, Any]] = []


@pytest.mark.parametrize("face", ["json", "msgpack"])
async def test_a_bot_on_the_wire_imagines_worlds_that_look_as_its_own(
    hall: Hall, face: Face, autojump_clock: MockClock
) -> None:
    SEEN.clear()
    reports: list[str] = []
    runner = Runner(Seer, {"toy": TOY}, 7, report=reports.append)
    me = Identity(f"seer-{face}", bot=True, wants=Seer.wants)
    async with open_link(dial_to(hall), me, face=face, hearer=runner) as link:
        await take_seat(link, "toy", seats=2, bots=["first"], options={"rounds": 2})
        await runner.wait_until_finished(1)
    assert not reports
    assert [mine == imagined for mine, imagined in SEEN] == [True] * 2


class Sampler(Bot):
    """Plays any game, and demands of each world that it looks like its own."""

    wants = ("view", "legal", "knowledge")

    def choose(self, turn: Turn) -> Action:
        world = turn.determinize(self.rng)
        assert world.view(turn.seat) == turn.view
        assert list(world.legal_actions(turn.seat)) == list(turn.legal)
        assert world.knowledge(turn.seat) == turn.knowledge
        return self.rng.choice(turn.legal)


@pytest.mark.parametrize("game_id", sorted(all_games()))
async def test_in_every_game_a_bot_imagines_worlds_from_what_it_is_sent(
    game_id: str, autojump_clock: MockClock
) -> None:
    game, reports = all_games()[game_id], list[str]()
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, house_seconds=0.0, requests_at_once=10**9), {game_id: game})
        runner = Runner(Sampler, {game_id: game}, 7, report=reports.append)
        me = Identity("sampler", bot=True, wants=Sampler.wants)
        async with open_link(dial_to(hall), me, hearer=runner) as link:
            await take_seat(link, game_id, bots=["first"] * (game.min_seats - 1))
            await runner.wait_until_finished(1)
        nursery.cancel_scope.cancel()
    assert not reports
