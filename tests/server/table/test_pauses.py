"""A match pauses while all people with a seat want it: no clock runs, no house bot plays, nobody loses a seat."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from matches.record import verify_replay
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer


async def pause(peer: Peer, *, on: bool = True) -> dict[str, Any]:
    return await peer.ask("pause", table="t1", on=on)


async def clock(peer: Peer, seat: int = 1) -> float:
    clocks = await peer.ask("clock", table="t1")
    return float(clocks["clocks"][seat - 1]["left"])


async def test_a_pause_begins_with_the_last_person_who_wants_it_and_stops_the_clocks(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await trio.sleep(10)
    assert (await pause(ann))["type"] == "done"
    assert (await bob.next("paused"))["wanting"] == [1]
    assert (await pause(ann))["code"] == "no_pause"
    await trio.sleep(10)
    assert await clock(ann) == 310.0
    await pause(bob)
    told = await ann.until(lambda message: message["type"] == "paused" and message["on"])
    assert told["wanting"] == [1, 2]
    await trio.sleep(1_000)
    clocks = await ann.ask("clock", table="t1")
    assert clocks["paused"] is True
    assert clocks["clocks"][0]["left"] == 310.0
    assert not hall.done()


async def test_the_first_decision_ends_a_pause_and_costs_what_was_thought_without_it(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 100, "increment": 10})
    turn = await ann.next("turn")
    await trio.sleep(20)
    await pause(ann)
    await pause(bob)
    await trio.sleep(500)
    assert (await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0]))["type"] == "accepted"
    ended = await bob.until(lambda message: message["type"] == "paused" and not message["on"])
    assert (ended["seat"], ended["wanting"]) == (1, [])
    report = (await ann.ask("clock", table="t1"))["clocks"]
    assert report[0]["main"] == 90.0  # 20 seconds, of which the increment pays 10
    assert report[1]["left"] == 90.0  # bob's clock has run for 20 seconds, too


async def test_anybody_ends_a_pause_or_takes_a_wish_back(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert (await pause(bob, on=False))["code"] == "no_pause"
    await pause(ann)
    assert (await pause(ann, on=False))["type"] == "done"
    await pause(bob)
    assert not (await ann.ask("clock", table="t1")).get("paused", False)
    await pause(ann)
    assert (await ann.ask("clock", table="t1")).get("paused", False)
    await pause(bob, on=False)
    assert not (await ann.ask("clock", table="t1")).get("paused", False)
    await trio.sleep(30)
    assert await clock(ann) == 300.0


async def test_who_goes_away_during_a_pause_keeps_the_seat_and_house_bots_wait(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await pause(ann)
    await pause(bob)
    await bob.close()
    await trio.sleep(600)
    assert not [one for one in await ann.heard() if one["type"] == "presence" and one.get("by")]
    await pause(ann, on=False)
    await trio.sleep(30)
    assert not [one for one in await ann.heard() if one["type"] == "presence" and one.get("by")]
    await trio.sleep(120)  # the grace of a seat
    assert [one for one in await ann.heard() if one["type"] == "presence" and one.get("by")]


@pytest.mark.parametrize("config", [{"house_seconds": 5.0}], indirect=True)
async def test_alone_against_house_bots_one_pauses_by_oneself_and_no_bot_plays_on(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=3)
    for _bot in range(2):
        await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    turn = await ann.next("turn")
    await pause(ann)
    await trio.sleep(100)
    assert not hall.done()
    await ann.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    await trio.sleep(20)
    assert len(hall.done()) >= 3


@pytest.mark.parametrize(("in_cup", "seconds"), [(False, 3_600), (True, 120)])
async def test_the_pauses_of_a_match_have_a_limit_which_is_short_in_cups(
    hall: Hall, in_cup: bool, seconds: int
) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    if in_cup:
        match = hall.lobby.tables["t1"].require_match()
        match.header = type(match.header)(
            **{name: getattr(match.header, name) for name in match.header.__struct_fields__ if name != "word"}, word="w"
        )
    await pause(ann)
    await pause(bob)
    await trio.sleep(seconds - 1)
    assert (await ann.ask("clock", table="t1")).get("paused", False)
    await trio.sleep(2)
    assert not (await ann.ask("clock", table="t1")).get("paused", False)
    assert (await bob.until(lambda message: message["type"] == "paused" and message["seat"] == 0))["wanting"] == []
    assert (await pause(ann))["text"] == "The pauses of this match are used up."


async def test_only_seats_that_are_played_by_their_people_are_asked(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await pause(ann)
    await bob.ask("resign", table="t1")
    refused = await pause(bob)
    assert (refused["code"], refused["text"]) == ("no_pause", "first plays your seat now.")
    await pause(ann, on=False)
    await pause(ann)
    assert (await ann.ask("clock", table="t1")).get("paused", False)
    eve = await hall.player("eve")
    assert (await pause(eve))["code"] == "not_seated"


async def test_nobody_asks_for_a_pause_without_end(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    answers = []
    for _time in range(25):
        answers.append((await pause(ann))["type"])
        await pause(ann, on=False)
        await trio.sleep(1)
    assert answers == ["done"] * 20 + ["error"] * 5


async def test_a_match_with_a_pause_is_read_and_verified_like_any_other(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    await trio.sleep(5)
    await pause(ann)
    await pause(bob)
    await trio.sleep(300)
    for peer in (ann, bob):
        turn = await peer.next("turn")
        await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    await ann.next("over")
    lines = (await ann.ask("replay", table="t1"))["lines"]
    assert sum('"line":"pause"' in line for line in lines) == 2
    verify_replay("".join(f"{line}\n" for line in lines).encode(), {"toy": hall.lobby.games["toy"]})


async def test_a_pause_uses_up_no_grace_of_who_goes_and_comes_back_in_it(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await pause(ann)
    await pause(bob)
    await bob.close()
    await trio.sleep(1_000)
    bob = await hall.again("bob", bob.token)
    await bob.ask("resume", table="t1")
    await pause(ann, on=False)
    await bob.close()
    await trio.sleep(100)
    assert not [one for one in await ann.heard() if one.get("by")]
    await trio.sleep(30)
    assert [one for one in await ann.heard() if one.get("by")]


async def test_a_pause_adds_only_its_length_to_the_grace_of_who_left_before_it(hall: Hall) -> None:
    ann, bob, cid = await hall.table_of("ann", "bob", "cid")
    await cid.close()
    await trio.sleep(60)
    match = hall.lobby.tables["t1"].require_live_match().match
    match.pauses.people.discard(3)  # else nobody can pause while cid is away
    await pause(ann)
    await pause(bob)
    await trio.sleep(500)
    await pause(ann, on=False)
    await ann.heard()
    await trio.sleep(50)
    assert not [one for one in await ann.heard() if one.get("by")]
    await trio.sleep(15)
    assert [one for one in await ann.heard() if one.get("by")]


async def test_the_server_standing_still_in_a_pause_gives_no_time_twice(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await pause(ann)
    await pause(bob)
    await trio.sleep(200)
    hall.lobby.tables["t1"].compensate_stall(100.0)
    await pause(ann, on=False)
    assert await clock(ann) == 330.0


@pytest.mark.parametrize("config", [{"house_seconds": 5.0}], indirect=True)
async def test_two_pause_once_the_third_who_did_not_want_to_has_lost_the_seat(hall: Hall) -> None:
    ann, bob, cid = await hall.table_of("ann", "bob", "cid")
    await pause(ann)
    await pause(bob)
    await cid.ask("resign", table="t1")
    assert (await pause(bob))["type"] == "done"
    assert (await ann.ask("clock", table="t1")).get("paused", False)


async def test_a_program_ends_no_pause_by_asking_for_it(hall: Hall) -> None:
    ann, rob = await hall.player("ann"), await hall.player("rob", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="rob")
    await ann.ask("start", table="t1")
    await pause(ann)
    assert (await pause(rob, on=False))["code"] == "no_pause"
    assert (await ann.ask("clock", table="t1")).get("paused", False)
