"""A person who types loses the connection and comes back with the code."""

from __future__ import annotations

import re
from functools import partial

import pytest
import trio

from protocol import limits
from protocol.errors import CODES
from tests.helpers.hall import Hall


async def test_a_lost_connection_comes_back_with_the_code_and_plays_on(hall: Hall) -> None:
    ann = await hall.typist()
    code = re.search(r"hello ann (\w+)", await ann.types("hello ann"))
    assert code
    await ann.types("open toy 2", "add first", "start", "?", "1")
    await trio.aclose_forcefully(ann.stream)
    await trio.sleep(5)
    back = await hall.typist()
    assert await back.types("hello ann wrong") == f"! {CODES['bad_proof'].translated_text}\n"
    shown = await back.types(f"hello ann {code[1]}")
    assert "You are back at t1, seat 1." in shown
    assert "> Play a card" in shown
    assert "* ann has chosen." in await back.types("?", "1")
    assert "The match is over." in await back.types("?", "1")


async def test_who_lost_the_connection_at_an_open_table_is_there_again(hall: Hall) -> None:
    ann = await hall.typist()
    code = re.search(r"hello ann (\w+)", await ann.types("hello ann"))
    assert code
    await ann.types("open toy 2")
    await trio.aclose_forcefully(ann.stream)
    await trio.sleep(5)
    back = await hall.typist()
    assert "t1   toy, open: 1 ann, 2 (empty)" in await back.types(f"hello ann {code[1]}")
    assert "2 first" in await back.types("add first")
    assert "> Play a card" in await back.types("start")


async def test_who_comes_back_is_asked_only_for_what_is_still_to_be_decided_in_the_time_left(
    hall: Hall,
) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    code = re.search(r"hello ann (\w+)", await ann.types("hello ann"))
    assert code
    await bob.types("hello bob")
    await ann.types("open toy 2")
    await bob.types("join t1")
    await ann.types("start", "?", "1")
    await bob.heard()
    for decided in (True, False):
        await trio.aclose_forcefully(ann.stream)
        await trio.sleep(40)
        ann = await hall.typist()
        shown = await ann.types(f"hello ann {code[1]}")
        code = re.search(r"hello ann (\w+)", shown)
        assert code
        missed = shown[shown.index("This is what you missed") :]
        assert missed.count("> Play a card") == (0 if decided else 1), "not the turn that was decided"
        if decided:
            await bob.types("?", "1")
            await ann.heard()
        else:
            assert re.search(r"> Play a card.*\((28|29)\d s\)", missed), missed


async def test_what_is_put_off_for_somebody_is_all_done_in_order(hall: Hall) -> None:
    await hall.player("ann")
    player, done = hall.lobby.people.find_player("ann"), list[int]()
    assert player is not None
    for number in range(3):
        player.listener.call_soon(partial(done.append, number))  # type: ignore[union-attr]  # a session is more
    await trio.sleep(1)
    assert done == [0, 1, 2]


async def test_what_is_put_off_for_somebody_waits_until_they_may_ask_again(hall: Hall) -> None:
    await hall.player("ann")
    player, done = hall.lobby.people.find_player("ann"), list[float]()
    assert player is not None
    began, session = trio.current_time(), player.listener
    session.charge(limits.REQUESTS_AT_ONCE + limits.REQUESTS_A_SECOND)  # type: ignore[union-attr]
    for _ in range(2):
        session.call_soon(lambda: done.append(trio.current_time() - began))  # type: ignore[union-attr]
    await trio.sleep(5)
    assert done == pytest.approx([1, 1], abs=0.1)
