"""All hands for spectators, later: with the consent of all players, never before the delay; G22 of the abuse list."""

from __future__ import annotations

import json
from typing import Any

import pytest
import trio

from bots.sdk.bot import Turn
from bots.sdk.registry import all_bots
from games.registry import get_game
from matches.fold import Entry, Match, MatchHeader
from protocol import limits
from protocol.entries import ActionTaken
from protocol.messages import ClockRule, SeatInfo
from server.desk.moderation import remove_from_table
from server.table.delayed_view import DelayedView
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer
from tests.helpers.restarts import resume, running
from tests.helpers.wire import asked

DELAY = 60


ROUNDS = 6
SLOW = {"main": 10_000, "increment": 30}
EACH = 3  # decisions, as a match of the toy game has but six


@pytest.fixture(autouse=True)
def few_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPEN_HANDS_DECISIONS", EACH)


async def open_table(hall: Hall, *, start: bool = True) -> list[Peer]:
    """Ann and Bob at t1, whose spectators see all hands a minute later, and Eve, who watches."""
    ann, bob, eve = [await hall.player(name) for name in ("ann", "bob", "eve")]
    await ann.ask("open", game="toy", seats=2, delay=DELAY, options={"rounds": ROUNDS}, clock=SLOW)
    await bob.ask("join", table="t1", delay=DELAY)
    await eve.ask("watch", table="t1")
    if start:
        await ann.ask("start", table="t1")
    return [ann, bob, eve]


def held(answer: Message) -> list[list[int]]:
    """The hands in an answer, seat by seat."""
    assert answer["type"] == "open_hands", answer
    return [view.get("hand", []) for view in answer.get("views", ())]


async def act(hall: Hall, peer: Peer) -> None:
    turn = await peer.next("turn")
    assert (await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0]))["type"] == "accepted"


async def act_in_vain(peer: Peer) -> None:
    turn = await peer.next("turn")
    assert (await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0]))["code"] == "storage"


async def test_a_table_says_that_hands_are_shown_later_and_who_does_not_agree_gets_no_seat(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    opened = await ann.ask("open", game="toy", seats=2, delay=DELAY)
    assert opened["info"]["delay"] == DELAY
    (listed,) = (await bob.ask("tables"))["tables"]
    assert listed["delay"] == DELAY
    assert (await bob.ask("join", table="t1"))["code"] == "not_agreed"
    assert (await bob.ask("join", table="t1", delay=DELAY - 1))["code"] == "not_agreed"
    assert (await bob.ask("join", table="t1", delay=DELAY))["seat"] == 2
    assert (await bob.ask("join", table="t1"))["code"] == "already_seated", "and is not asked to agree once more"
    await ann.ask("start", table="t1")
    assert [(await one.next("started"))["delay"] for one in (ann, bob)] == [DELAY, DELAY]


async def test_who_agrees_to_open_hands_gets_no_seat_where_there_are_none(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    assert "delay" not in (await ann.ask("open", game="toy", seats=2))["info"]
    assert (await bob.ask("join", table="t1", delay=DELAY))["code"] == "not_agreed"


async def test_a_program_is_not_given_a_seat_to_which_it_did_not_agree(hall: Hall) -> None:
    ann, deep = await hall.player("ann"), await hall.player("deep", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=3, delay=DELAY)
    refused = await ann.ask("add", table="t1", bot="deep")
    assert (refused["code"], "a program has to join it by itself" in refused["text"]) == ("no_such_bot", True)
    mistyped = await ann.ask("add", table="t1", bot="frist")
    assert mistyped["text"].startswith("The bots for toy are: first"), "which is no program that is here"
    assert (await ann.ask("add", table="t1", bot="first"))["type"] == "table"
    assert (await deep.ask("join", table="t1", delay=DELAY))["seat"] == 3


async def test_hands_are_shown_no_sooner_than_half_a_minute_later(hall: Hall) -> None:
    ann = await hall.player("ann")
    refused = await ann.ask("open", game="toy", delay=limits.LEAST_DELAY - 1)
    assert (refused["code"], refused["where"]) == ("bad_field", "$.delay")
    assert (await ann.ask("open", game="toy", delay=limits.LEAST_DELAY))["type"] == "table"


async def test_g22_a_hand_is_seen_after_the_delay_and_not_a_moment_before(hall: Hall) -> None:
    ann, bob, eve = await open_table(hall, start=False)
    await ann.ask("start", table="t1")
    began = trio.current_time()
    was: list[tuple[float, list[list[int]]]] = [(0.0, [hand.copy() for hand in hall.toy().hands])]
    for number in range(4 + 2 * EACH):
        await trio.sleep(5)
        await act(hall, (ann, bob)[number % 2])
        was.append((trio.current_time() - began, [hand.copy() for hand in hall.toy().hands]))
    moments = list[float]()
    for at, hands in was[:5]:
        for moment in (at + DELAY - 0.01, at + DELAY):
            await trio.sleep_until(began + moment)
            answer = await eve.ask("hands", table="t1")
            expected = [then for since, then in was if since <= moment - DELAY]
            assert held(answer) == (expected[-1] if expected else [])
            assert answer["at"] == round(moment - DELAY, 3)
            moments.append(moment)
        assert held(answer) == hands
    assert was[0][1] != was[-1][1]
    assert len(moments) == 10


async def test_g21_who_thinks_for_longer_than_the_delay_sees_no_current_hand_under_a_second_name(hall: Hall) -> None:
    ann, bob, eve = await open_table(hall)
    was = [[hand.copy() for hand in hall.toy().hands]]
    for number in range(2 * ROUNDS - 1):
        await trio.sleep(2 * DELAY)
        shown = held(await eve.ask("hands", table="t1"))
        assert shown == (was[number - 2 * EACH] if number >= 2 * EACH else [])
        await act(hall, (ann, bob)[number % 2])
        was.append([hand.copy() for hand in hall.toy().hands])


async def test_g22_who_plays_or_only_asks_sees_no_hand_and_nowhere_is_the_seed(hall: Hall) -> None:
    ann, bob, eve = await open_table(hall)
    stranger = await hall.player("zoe")
    await trio.sleep(2 * DELAY)
    assert (await ann.ask("hands", table="t1"))["code"] == "hidden_hands"
    assert (await stranger.ask("hands", table="t1"))["code"] == "not_seated"
    await bob.cut()
    again = await hall.again("bob", bob.token)
    assert (await again.ask("watch", table="t1"))["code"] == "already_seated"
    assert (await again.ask("hands", table="t1"))["code"] == "hidden_hands"
    await again.ask("resume", table="t1", after=0)
    for peer in (ann, again) * EACH:
        await act(hall, peer)
    await trio.sleep(2 * DELAY)
    shown = json.dumps(await eve.ask("hands", table="t1"))
    table = hall.lobby.tables["t1"]
    assert "hand" in shown
    assert table.seed.hex() not in shown
    assert table.salt.hex() not in shown


async def test_g22_where_nobody_agreed_no_hand_is_ever_shown(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    await trio.sleep(100)
    assert (await eve.ask("hands", table="t1"))["code"] == "hidden_hands"


async def test_g22_a_restart_forgets_neither_the_delay_nor_who_agreed() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob, eve = await open_table(hall, start=False)
    async with running(disk) as hall:
        assert hall.lobby.tables["t1"].delay == DELAY
        ann, bob = await hall.again("ann", ann.token), await hall.again("bob", bob.token)
        await ann.ask("start", table="t1")
        await trio.sleep(DELAY / 2)
        hands = [hand.copy() for hand in hall.toy().hands]
        for peer in (ann, bob) * EACH:
            await act(hall, peer)
    async with running(disk) as hall:
        ann = await resume(hall, ann, "ann")
        eve = await hall.again("eve", eve.token)
        await eve.ask("watch", table="t1")
        await trio.sleep(DELAY / 2 - 1)  # as long as the match was going on when it stopped, but for a second
        assert held(await eve.ask("hands", table="t1")) == []
        await trio.sleep(1)
        assert held(await eve.ask("hands", table="t1")) == hands


async def test_a_person_is_told_before_sitting_down_and_joins_once_more_to_agree(hall: Hall) -> None:
    ann, bob, eve = [await hall.typist() for _ in range(3)]
    shown = await ann.types("hello ann", f"open toy 2 rounds={ROUNDS} --delay 1m")
    assert "t1   toy rounds=6, open, all hands shown 1:00 later: 1 ann, 2 (empty)" in shown
    assert "all hands shown 1:00 later" in await bob.types("hello bob", "tables")
    assert await bob.types("join") == (
        "Spectators of t1 see all hands, 1:00 later, and not before each player has made 3 more decisions. "
        "Join once more to agree.\n"
    )
    assert "You have seat 2." in await bob.types("join t1")
    assert "Spectators of t1 see all hands, 1:00 later, and not" in await ann.types("start")
    await eve.types("hello eve", "watch")
    assert await eve.types("hands") == "All hands are shown with a delay here; the first ones in 0:59.\n"
    hands = [hand.copy() for hand in hall.toy().hands]
    await trio.sleep(75)
    shown = await eve.types("hands")
    assert shown == "All hands are shown with a delay here, once each player has made 3 more decisions.\n"
    for typist in (ann, bob) * EACH:
        await typist.types("?", "1")
    await trio.sleep(75)
    await eve.heard()
    lines = (await eve.types("hands")).splitlines()
    assert lines[0] == "All hands at t1, as they were 1:15 after the beginning:"
    for name, hand in zip(("ann", "bob"), hands, strict=True):
        where = lines.index(f"Only {name} sees:")
        assert lines[where + 1] == f"  Hand: {' '.join(map(str, hand))}"
    assert "! You have a seat at that table, so you may not see other hands." in await bob.types("hands")


async def test_who_agreed_to_one_delay_is_told_of_another_and_who_sits_there_is_told_nothing(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3 delay=30s", "open toy 3 delay=40s")
    assert "Spectators of t1 see all hands, 0:30 later, and not" in await bob.types("hello bob", "join t1")
    assert "Spectators of t2 see all hands, 0:40 later, and not" in await bob.types("join t2")
    assert "You have seat 2." in await bob.types("join t2")
    assert "Spectators" not in await bob.types("join t2 3")
    assert "Spectators" not in await ann.types("join t1 3")
    assert "Spectators of t1 see all hands, 0:30 later, and not" in await bob.types("join t1")


async def test_who_agreed_to_a_delay_is_told_of_the_next_one_at_that_table(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3 delay=30s")
    await bob.types("hello bob", "join t1")
    hall.lobby.tables["t1"].delay = 40
    assert "0:40 later, and not before" in await bob.types("join t1")


async def test_f04_hands_of_a_match_that_is_made_again_meanwhile_are_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk, grow, pauses = Disk(), DelayedView.advance, iter([True] * 99)

    def slowly(delayed: DelayedView, *until: Any) -> bool:
        return not next(pauses, False) and grow(delayed, *until)

    monkeypatch.setattr(DelayedView, "advance", slowly)
    async with running(disk) as hall:
        ann, _bob, eve = await open_table(hall)
        await trio.sleep(2 * DELAY)
        before, disk.full = hall.lobby.tables["t1"], True
        await eve.send_bytes(asked("hands", 9, table="t1"))
        await act_in_vain(ann)
        assert hall.lobby.tables["t1"] is not before
        assert (await eve.next("error"))["code"] == "storage"


async def test_delays_are_typed_as_times_and_everything_else_is_explained(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    assert "all hands shown 3:00 later" in await ann.types("open toy delay=3m")
    assert "not '3'" in await ann.types("open toy delay=3")
    assert "30 seconds to 24 hours later, not 5s" in await ann.types("open toy --delay 5s")


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
def test_g21_whoever_thinks_for_long_sees_nothing_of_the_running_round(
    game_id: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long, and at whatever decision: neither the bets of others nor what they hold."""
    monkeypatch.undo()
    game = get_game(game_id)
    players = tuple(SeatInfo(seat, f"p{seat}", "bot") for seat in range(1, seats + 1))
    bots = [all_bots()["greedy"](seat) for seat in range(seats)]
    shown = 0
    for number in range(4):
        seed = bytes([number]) * 32
        header = MatchHeader("t1", game_id, {}, players, ClockRule(), seed, bytes(16), ("",) * seats, 5.0)
        match, entries = Match(game, header), list[Entry]()
        match.begin({})
        delayed = DelayedView(game, header, entries)
        while movers := match.state.to_move():
            seat = min(movers)
            view: Any = match.state.view(seat)
            turn = Turn(game, seat, view, match.state.legal_actions(seat), len(entries), seats=seats)
            while not delayed.advance(float("inf"), range(1, seats + 1)):
                pass
            told: Any = delayed.open_hands_message(1, float("inf"))
            assert not told.views or told.view.table.round < view.table.round
            shown += bool(told.views)
            entries.append(ActionTaken(float(len(entries)), seat, bots[seat - 1].choose(turn)))
            match.apply(entries[-1], {})
    assert shown > 20


async def test_who_was_sent_away_from_a_match_is_refused_a_seat_once_it_is_over(hall: Hall) -> None:
    ann, bob, ops = await hall.typist(), await hall.typist(), await hall.player("ops")
    await ann.types("hello ann", "open toy 2 delay=1m rounds=6")
    await bob.types("hello bob", "join t1", "join t1")
    await ann.types("start")
    table = hall.lobby.tables["t1"]
    player = hall.lobby.people.find_player("bob")
    assert player is not None
    remove_from_table(table, player, "the operator")
    await ann.types(*"?1" * 6)
    assert table.state == "over"
    await bob.heard()
    assert (await bob.types("join t1")).startswith("! ")
    assert (await ops.ask("join", table="t1"))["code"] != "not_agreed"
