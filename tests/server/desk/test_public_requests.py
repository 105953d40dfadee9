"""`who` and `tables`: who plays, watches, is away or has lost a seat comes first, and what is over on request."""

from __future__ import annotations

import pytest
import trio

from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse


async def a_busy_hall(hall: Hall) -> None:
    """t1 is over; at t2 ann plays, bob is away, and carl has given his seat up; eve watches; t3 is open."""
    ann, bob, carl, dan, eve = [await hall.player(name) for name in ("ann", "bob", "carl", "dan", "eve")]
    await dan.ask("open", game="toy", seats=2)
    await dan.ask("add", table="t1", bot="first")
    await dan.ask("start", table="t1")
    await dan.play_on()
    await ann.ask("open", game="toy", seats=3)
    for peer in (bob, carl):
        await peer.ask("join", table="t2")
    await ann.ask("start", table="t2")
    await carl.ask("resign", table="t2")
    await eve.ask("watch", table="t2")
    await dan.ask("open", game="toy", seats=2)
    await bob.cut()
    hall.nursery.start_soon(trio.sleep_forever)
    hall.keep = (ann, carl, dan, eve)  # type: ignore[attr-defined]  # their connections stay


async def test_who_says_who_plays_watches_is_away_or_has_lost_a_seat(hall: Hall) -> None:
    await a_busy_hall(hall)
    zoe = await hall.typist()
    await zoe.types("hello zoe")
    assert await zoe.types("who") == (
        "Here are: ann (person, at t2), bob (person, at t2, away), carl (person, a bot plays on at t2), "
        "dan (person, at t3), eve (person, watches t2), zoe (person)\n"
    )
    assert await zoe.types("who CARL") == "Here are: carl (person, a bot plays on at t2)\n"
    assert await zoe.types("who bob") == "Here are: bob (person, at t2, away)\n"
    assert await zoe.types("who nick") == "! No one with that name is here.\n"
    assert (await zoe.types("who after dan")).startswith("Here are: eve")
    asked = await (await hall.player("zack")).ask("who", after="c")
    assert asked["players"][0] == {"name": "carl", "kind": "person", "lost": ["t2"]}


async def test_tables_shows_what_is_played_then_what_is_open_and_what_is_over_on_request(hall: Hall) -> None:
    await a_busy_hall(hall)
    zoe = await hall.typist()
    await zoe.types("hello zoe")
    assert await zoe.types("tables") == (
        "t2   toy, playing, 1 watching: 1 ann, 2 bob (away), 3 carl (first plays on)\n"
        "t3   toy, open: 1 dan, 2 (empty)\n"
    )
    assert await zoe.types("tables finished") == "t1   toy, over: 1 dan, 2 first\n"
    assert await zoe.types("tables t1") == "t1   toy, over: 1 dan, 2 first\n"
    assert await zoe.types("tables t999") == "! There is no such table; try tables.\n"
    assert await zoe.types("tables after t2") == "t3   toy, open: 1 dan, 2 (empty)\n"
    assert await zoe.types("tables finished after t1") == "No match has ended lately.\n"
    assert await zoe.types("tables after t999") == "There are no tables; open one.\n"


async def test_a_match_is_listed_before_a_table_that_was_opened_earlier(hall: Hall) -> None:
    zoe, ann = await hall.typist(), await hall.player("ann")
    await zoe.types("hello zoe", "open toy 2")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t2", bot="first")
    await ann.ask("start", table="t2")
    assert [row[:2] for row in (await zoe.types("tables")).split("\n")[:2]] == ["t2", "t1"]


async def test_who_was_sent_away_is_shown_as_a_seat_that_a_bot_plays(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for session in hall.app.sessions:
        session.is_operator = True
    await ann.ask("kick", table="t1", player="bob")
    await bob.heard()
    zoe = await hall.typist()
    await zoe.types("hello zoe")
    assert "2 bob (first plays on)" in await zoe.types("tables")
    assert "bob (person)" in await zoe.types("who")


async def test_watching_ones_own_table_names_no_word_that_cannot_be_typed(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2")
    for line in ("watch t1", "join t1", "add first", "start", "watch t1", "join t1"):
        told = await ann.types(line)
        assert "t1" not in line or told == "You have a seat at t1; look shows it.\n"
    assert "resume" not in await ann.types("watch")


@pytest.mark.parametrize(
    ("typed", "bot"),
    [("ran", "random"), ("RANDOM", "random"), ("g", "greedy"), ("Greedy:H", "greedy:hard"), ("gre:e", "greedy:easy")],
)
async def test_names_of_bots_may_be_shortened_and_written_in_any_case(hall: Hall, typed: str, bot: str) -> None:
    known_bots(hall)
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2")
    assert f"2 {bot}" in await ann.types(f"ADD {typed}")


async def test_a_name_that_begins_several_bots_is_asked_about_and_one_that_begins_none_is_refused(hall: Hall) -> None:
    known_bots(hall)
    ann, rob = await hall.typist(), await hall.player("Random-Rob", bot=True, tables=1)
    await ann.types("hello ann", "open toy 3")
    assert await ann.types("add ra") == "! Say which bot: random, Random-Rob.\n"
    assert await ann.types("add gre:") == "! Say which bot: greedy:easy, greedy:hard.\n"
    assert (await ann.types("add zz")).startswith("! The bots for toy are: ")
    assert "2 Random-Rob" in await ann.types("add RANDOM-R")
    assert (await rob.next("seated"))["seat"] == 2
    assert "3 random" in await ann.types("add random")


def known_bots(hall: Hall) -> None:
    """The house has bots of these names."""
    hall.lobby.house = FirstHouse("greedy", "greedy:easy", "greedy:hard", "random")
