"""Whole cups over memory streams: the same for any concurrency, and unmoved by entrants that misbehave."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest
import trio

from bots.sdk import Bot, Turn
from bots.sdk.link import Heard, Identity, Link, open_link
from bots.sdk.runner import Runner
from games.api import Action
from protocol import messages as m
from protocol.messages import ClockRule
from server.config import Config
from server.cups.live_cup import LiveCup
from tests.helpers.hall import Hall
from tests.helpers.scissors import dial_to
from tests.helpers.toy import TOY, Play
from tournaments.cup import CupSettings, Entry, MatchPaired
from tournaments.schedule import deal_seed, max_seats_per_entrant
from tournaments.standings import CountedMatch, compute_standings

SECRET = bytes(range(32))


class Highest(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[-1]


class Lowest(Bot):
    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Any(Bot):
    def choose(self, turn: Turn) -> Action:
        return self.rng.choice(turn.legal)


class Illegal(Bot):
    """Plays a card that nobody holds."""

    def choose(self, turn: Turn) -> Action:
        return Play(99)


class Crashing(Bot):
    """Raises at its second turn."""

    def choose(self, turn: Turn) -> Action:
        if turn.number == 2:
            raise ZeroDivisionError("planted")
        return turn.legal[0]


class NotEvenMade(Bot):
    """Raises when it is made."""

    def __init__(self, seed: int) -> None:
        raise ZeroDivisionError("planted")

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0]


class Wrong(Bot):
    """Returns no action."""

    def choose(self, turn: Turn) -> Action:
        return None  # type: ignore[return-value]  # on purpose: the runner must take it


@asynccontextmanager
async def entered(hall: Hall, names: Sequence[str], kinds: Sequence[type[Bot]]) -> AsyncIterator[None]:
    """The players are here, each on a link of its own."""

    async def play(name: str, kind: type[Bot]) -> None:
        number = sum(name.partition("-")[0].encode())  # one seed for all that play for an entrant
        runner = Runner(kind, {TOY.id: TOY}, number, report=lambda _text: None)
        async with open_link(dial_to(hall), Identity(name, bot=True), hearer=runner) as link:
            await link.closed.wait()

    async with trio.open_nursery() as nursery:
        for name, kind in zip(names, kinds, strict=True):
            nursery.start_soon(play, name, kind)
        yield
        nursery.cancel_scope.cancel()


def settings(entrants: int, **more: object) -> CupSettings:
    """A cup of the toy game, three seats, each deal rotated."""
    told = {
        "cup": "friday",
        "owner": "",
        "game": "toy",
        "seats": 3,
        "clock": ClockRule(1.0, 1.0),
        "format": "round_robin",
        "deals": "rotated",
        "rounds": 2,
        "seed": 5,
        "secret": SECRET,
        **more,
    }
    return CupSettings(**told)  # type: ignore[arg-type]


def opened(hall: Hall, players: Sequence[Sequence[str]], **more: object) -> LiveCup:
    """A cup that these entrants, named after their first players, have entered; it has not started."""
    live = hall.lobby.cups.open_cup(settings(len(players), **more))
    for own in players:
        hall.lobby.cups.enter_entrant(live, own[0], tuple(own), 1 if more.get("at_once", 1) == 1 else 8)
    return live


async def over(live: LiveCup) -> list[CountedMatch]:
    """The results, once the cup is over."""
    while not live.cup.is_over:  # noqa: ASYNC110 (in virtual time)
        await trio.sleep(0.05)
    return live.cup.finished_matches()


async def tournament(hall: Hall, kinds: Sequence[type[Bot]], rounds: int, concurrency: int) -> list[CountedMatch]:
    """Every kind is an entrant; three seats."""
    each = max_seats_per_entrant(len(kinds), 3)
    players = [[f"e{number}-{copy}" for copy in range(each)] for number in range(len(kinds))]
    names = [name for own in players for name in own]
    async with entered(hall, names, [kind for kind in kinds for _ in range(each)]):
        await here(hall, names)
        live = opened(hall, players, rounds=rounds, at_once=concurrency)
        hall.lobby.cups.change_state(live, "running")
        return await over(live)


async def here(hall: Hall, names: Sequence[str]) -> None:
    """Returns when all of these have a connection."""
    while not all((player := hall.lobby.people.find_player(name)) and player.listener for name in names):  # noqa: ASYNC110
        await trio.sleep(0.02)


@pytest.mark.parametrize("kinds", [(Highest, Any), (Any, Lowest, Highest), (Any, Highest, Lowest, Any, Any)])
@pytest.mark.parametrize("concurrency", [1, 7])
async def test_the_same_seed_gives_the_same_results_whatever_the_concurrency(
    config: Config, kinds: Sequence[type[Bot]], concurrency: int
) -> None:
    outcomes = []
    for at_once in (3, concurrency):
        async with trio.open_nursery() as nursery:
            played = await tournament(Hall(nursery, config), kinds, 2, at_once)
            nursery.cancel_scope.cancel()
        assert all(result.how == "played" for match in played for result in match.results)
        outcomes.append(sorted((match.pairing.number, [r.score for r in match.results]) for match in played))
    assert len(outcomes[0]) == 2 * len(kinds)
    assert outcomes[0] == outcomes[1]


async def test_all_seats_of_a_round_hold_the_same_deal(hall: Hall) -> None:
    played = await tournament(hall, (Highest, Highest, Highest), 2, 2)
    scores = {match.pairing.deal: [result.score for result in match.results] for match in played}
    assert all([result.score for result in match.results] == scores[match.pairing.deal] for match in played)


async def test_an_entrant_with_a_clock_of_its_own_is_timed_by_it_and_everybody_sees_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, turns, started = ClockRule(0.0, 0.25), dict[str, set[float]](), list[m.MatchStarted]()
    hear = Runner.on_message

    def listen(runner: Runner, link: Link, message: Heard) -> None:
        if isinstance(message, m.TurnUpdate):
            turns.setdefault(link.welcome.name, set()).add(message.left)
        if isinstance(message, m.MatchStarted):
            started.append(message)
        hear(runner, link, message)

    monkeypatch.setattr(Runner, "on_message", listen)
    names = ("e0", "e1", "e2")
    async with entered(hall, names, (Highest, Lowest, Any)):
        await here(hall, names)
        live = opened(hall, [names[1:2], names[2:]], rounds=1)
        hall.lobby.cups.enter_entrant(live, "e0", ("e0",), 1, clock=own)
        hall.lobby.cups.enter_entrant(live, "e0", ("e0",), 2)  # another number of tables, and nothing else
        hall.lobby.cups.change_state(live, "running")
        await over(live)
    assert turns["e0"] == {0.25}
    assert turns["e1"] == turns["e2"] == {2.0}
    assert {seat.clock for one in started for seat in one.seats if seat.name == "e0"} == {own}
    assert {seat.clock for one in started for seat in one.seats if seat.name != "e0"} == {None}


async def test_nothing_that_an_entrant_is_told_says_which_deal_it_plays_or_gives_a_seed(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[m.Message] = []
    hear = Runner.on_message

    def listen(runner: Runner, link: Link, message: Heard) -> None:
        if isinstance(message, m.Message):
            told.append(message)
        hear(runner, link, message)

    monkeypatch.setattr(Runner, "on_message", listen)
    played = await tournament(hall, (Highest, Highest, Highest), 2, 2)
    started = [message for message in told if isinstance(message, m.MatchStarted)]
    assert len(started) == 3 * len(played)
    assert {message.nonces for message in started} == {("", "", "")}
    assert len({message.word for message in started}) == len({message.commitment for message in started}) == len(played)
    over = [message for message in told if isinstance(message, m.Over)]
    assert {(message.seed, message.salt) for message in over} == {("", "")}
    tables = {match.table: match.pairing.deal for match in played}
    seeds = {match.table: hall.lobby.tables[match.table].seed for match in played}
    assert {(deal, seeds[table]) for table, deal in tables.items()} == {(n, deal_seed(SECRET, n)) for n in (1, 2)}
    everything = b"".join(msgspec.json.encode(message) for message in told)
    assert not any(seed.hex().encode() in everything for seed in seeds.values())
    assert b"deal-" not in everything
    eve = await hall.player("eve")
    (last, *_) = (await eve.ask("replay", table=played[0].table))["lines"][::-1]
    assert seeds[played[0].table].hex() in last, "the replay tells it when the cup is over"


@pytest.mark.parametrize(
    ("kind", "how"), [(Illegal, "illegal"), (Crashing, "crashed"), (NotEvenMade, "crashed"), (Wrong, "crashed")]
)
async def test_an_entrant_that_errs_is_last_and_the_others_play_on(hall: Hall, kind: type[Bot], how: str) -> None:
    played = await tournament(hall, (Highest, kind, Lowest), 2, 6)
    rows = {row.entrant: row for row in compute_standings(("good", "bad", "other"), played)}
    if kind is Illegal:  # three tries a decision, then the default; only twenty in a match cost the seat
        assert (rows["bad"].ended, rows["bad"].late) == ({"played": 6}, 18)
    else:
        assert rows["bad"].ended == {how: 6}
        assert (rows["bad"].rank, rows["bad"].score, rows["bad"].place) == (3, 0.0, 3.0)
    assert rows["good"].ended == rows["other"].ended == {"played": 6}


async def test_an_entrant_that_never_comes_or_falls_asleep_is_told_apart(hall: Hall) -> None:
    await hall.player("asleep", bot=True)
    async with entered(hall, ["good"], [Highest]):
        await here(hall, ["good", "asleep"])
        live = opened(hall, [["good"], ["asleep"], ["absent"]], rounds=1)
        before = trio.current_time()
        hall.lobby.cups.change_state(live, "running")
        played = await over(live)
    rows = {row.entrant: row for row in compute_standings(("good", "asleep", "absent"), played)}
    assert rows["good"].ended == {"played": 3}
    # the third default ends the toy game, so that no seat is left to take over
    assert (rows["asleep"].ended, rows["asleep"].late) == ({"played": 3}, 9)
    assert rows["absent"].ended == {"absent": 3}
    assert (rows["good"].rank, rows["absent"].score) == (1, 0.0)
    assert trio.current_time() - before < 1.5 * hall.lobby.config.grace  # nobody is waited for twice


async def test_a_player_who_vanishes_in_a_match_is_replaced_after_the_grace_time(hall: Hall) -> None:
    peer = await hall.player("gone", bot=True)
    async with entered(hall, ["good", "fine"], [Highest, Lowest]):
        await here(hall, ["good", "fine"])
        live = opened(hall, [["good"], ["gone"], ["fine"]], rounds=1, clock=ClockRule(600.0, 600.0))
        hall.lobby.cups.change_state(live, "running")
        await peer.next("turn")
        await peer.stream.aclose()
        played = await over(live)
    rows = {row.entrant: row for row in compute_standings(("good", "gone", "fine"), played)}
    assert rows["gone"].ended == {"left": 1, "absent": 2}
    assert rows["good"].ended == rows["fine"].ended == {"played": 3}


async def test_a_player_whose_process_ended_is_replaced_at_once(hall: Hall) -> None:
    peer = await hall.player("gone", bot=True)
    before = trio.current_time()
    async with entered(hall, ["good", "fine"], [Highest, Lowest]):
        await here(hall, ["good", "fine"])
        live = opened(hall, [["good"], ["gone"], ["fine"]], rounds=1, clock=ClockRule(600.0, 600.0))
        hall.lobby.cups.change_state(live, "running")
        await peer.next("turn")
        await peer.stream.aclose()
        live.give_up_player("gone")
        live.give_up_player("never seen")
        played = await over(live)
    rows = {row.entrant: row for row in compute_standings(("good", "gone", "fine"), played)}
    assert rows["gone"].ended == {"crashed": 1, "absent": 2}
    assert trio.current_time() - before < 1


async def test_d17_an_entrant_that_seats_its_rivals_and_itself_elsewhere_stops_no_cup(hall: Hall) -> None:
    fine = await hall.player("fine", bot=True, tables=64)
    bad = await hall.player("bad", bot=True, tables=64)
    async with entered(hall, ["good"], [Highest]):
        await here(hall, ["good"])
        for number in range(1, 65):
            await bad.ask("open", game="toy", seats=3)
            assert (await bad.ask("add", table=f"t{number}", bot="fine"))["type"] == "table"
        object.__setattr__(hall.app.config, "tables", 64)
        live = opened(hall, [["good"], ["fine"], ["bad"]], rounds=1)
        hall.lobby.cups.change_state(live, "running")
        await fine.next("turn")
        assert [bot["name"] for bot in (await fine.ask("bots"))["bots"]] == ["first"]
        assert (await bad.ask("add", table="t64", bot="good"))["code"] == "no_such_bot"
        for peer in (bad, fine):
            assert (await peer.ask("open", game="toy"))["code"] == "in_cup"
            assert (await peer.ask("join", table="t1"))["code"] == "in_cup"
        assert (await bad.ask("add", table="t1", bot="first"))["type"] == "table"
        started = await bad.ask("start", table="t1")
        assert (started["code"], started["text"][:14]) == ("in_cup", "bad plays in a")
        played = await over(live)
    rows = {row.entrant: row for row in compute_standings(("good", "fine", "bad"), played)}
    assert rows["good"].ended == {"played": 3}
    object.__setattr__(hall.app.config, "tables", 2_000)
    assert (await bad.ask("leave", table="t1"))["type"] == "left"
    assert (await bad.ask("open", game="toy"))["type"] == "table"


async def test_d26_a_cup_of_many_entrants_lets_others_have_their_turn(hall: Hall) -> None:
    names = [f"e{number}" for number in range(60)]
    begun: Counter[float] = Counter()
    async with entered(hall, names, [Highest] * len(names)), trio.open_nursery() as nursery:
        await here(hall, names)
        live = opened(hall, [[name] for name in names], format="swiss", deals="fresh", at_once=0)
        rounds = [0]

        async def count() -> None:
            while True:
                rounds[0] += 1
                await trio.lowlevel.checkpoint()

        def note(entry: Entry) -> None:
            begun[rounds[0]] += isinstance(entry, MatchPaired)

        live.on_entry = note
        nursery.start_soon(count)
        hall.lobby.cups.change_state(live, "running")
        while len(live.cup.tables) < 20:  # all of the first round
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert max(begun.values()) == 1
