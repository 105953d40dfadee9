"""Spectators: what they see is public, whenever they come; G04, G09-G11 of the abuse list."""

import json
from typing import Any

import pytest
import trio

from tests.helpers.hall import Hall
from tests.helpers.peer import Peer


async def step(peers: list[Peer], turn: int, seat: int) -> None:
    mine = await peers[seat].next("turn")
    assert mine["turn"] == turn
    await peers[seat].ask("act", table="t1", turn=turn, action=mine["legal"][0])


def public(view: dict[str, Any]) -> bool:
    return (view["seat"], view["hand"]) == (0, [])


@pytest.mark.parametrize("when", range(6))
async def test_g09_a_late_spectator_sees_what_an_early_one_has_and_hears_the_same_from_then_on(
    hall: Hall, when: int
) -> None:
    peers = [await hall.player("ann"), await hall.player("bob")]
    await peers[0].ask("open", game="toy", seats=2)
    early = await hall.player("early")
    watching = await early.ask("watch", table="t1")
    assert watching["n"] == 0
    assert "view" not in watching
    await peers[1].ask("join", table="t1")
    await peers[0].ask("start", table="t1")
    for number in range(when):
        await step(peers, 1 + number // 2, number % 2)
    before = [message for message in await early.heard() if "n" in message]
    late = await hall.player("late")
    watching = await late.ask("watch", table="t1")
    assert public(watching["view"])
    assert watching["n"] == len(before) == before[-1]["n"]
    assert (await early.ask("look", table="t1"))["view"] == watching["view"]
    assert (await late.ask("log", table="t1"))["messages"] == before
    assert (await late.ask("watch", table="t1"))["n"] == watching["n"]  # watching twice is watching once
    for number in range(when, 6):
        await step(peers, 1 + number // 2, number % 2)
    after = [message for message in await early.heard() if "n" in message]
    assert [message for message in await late.heard() if "n" in message] == after
    assert [message["n"] for message in before + after] == list(range(1, len(before + after) + 1))
    assert after[-1]["type"] == "over"
    assert not {"turn"} & {message["type"] for message in before + after}
    assert "dealt" not in json.dumps(before + after)


async def test_g04_every_hearer_s_numbers_are_dense(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    first = (await eve.ask("look", table="t1"))["n"]
    await ann.ask("say", table="t1", text="hello")
    await bob.ask("leave", table="t1")
    await bob.ask("resume", table="t1")
    await bob.ask("resign", table="t1")
    await ann.play_on()
    numbers = [message["n"] for message in await eve.heard() if "n" in message]
    assert numbers == list(range(first + 1, first + 1 + len(numbers)))
    assert (await ann.ask("log", table="t1"))["messages"][-1]["n"] == len(
        (await ann.ask("log", table="t1"))["messages"]
    )


async def test_g10_whoever_watched_and_then_sits_down_hears_the_match_once_as_a_seat(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("watch", table="t1")
    joined = await bob.ask("join", table="t1")
    assert "spectators" not in joined["info"]
    await bob.heard()
    await ann.ask("start", table="t1")
    told = await bob.heard()
    assert [(message["type"], message["n"]) for message in told] == [("started", 1), ("event", 2), ("turn", 3)]
    assert told[0]["you"] == 2
    assert (await ann.ask("say", table="t1", text="hi"))["heard"] == 1


async def test_g10_a_seated_player_cannot_watch_the_own_table_and_is_told_what_to_do_instead(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    refused = await ann.ask("watch", table="t1")
    assert (refused["code"], "resume" in refused["text"]) == ("already_seated", True)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bob.play_on)
        await ann.play_on()
    refused = await ann.ask("watch", table="t1")
    assert (refused["code"], refused["text"]) == (
        "already_seated",
        "Your match there is over. Type replay t1 to see it.",
    )


async def test_g10_a_second_name_of_a_player_sees_the_public_view_only(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    puppet = await hall.player("puppet")
    assert (await puppet.ask("look", table="t1"))["code"] == "not_seated"
    assert (await puppet.ask("log", table="t1"))["code"] == "not_seated"
    watching = await puppet.ask("watch", table="t1")
    assert public(watching["view"])
    assert public((await puppet.ask("look", table="t1"))["view"])
    assert [message["type"] for message in (await puppet.ask("log", table="t1"))["messages"]] == ["started"]


async def test_g10_a_spectator_who_leaves_hears_no_more(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    assert (await eve.ask("leave", table="t1")) == {"type": "left", "re": 3, "table": "t1"}
    await ann.ask("say", table="t1", text="psst")
    assert await eve.heard() == []
    assert (await eve.ask("log", table="t1"))["code"] == "not_seated"


async def test_g10_a_player_who_left_may_watch_no_hand_but_the_own(hall: Hall) -> None:
    _ann, bob = await hall.table_of("ann", "bob")
    await bob.ask("resign", table="t1")
    assert (await bob.ask("look", table="t1"))["view"]["seat"] == 2
    await bob.ask("leave", table="t1")
    assert (await bob.ask("watch", table="t1"))["code"] == "already_seated"


async def test_g11_nothing_in_the_lobby_tells_more_of_a_running_match_than_its_seats(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    before = [await eve.ask("tables"), await eve.ask("who"), await eve.ask("bots")]
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    after = [await eve.ask("tables"), await eve.ask("who"), await eve.ask("bots")]
    for one in before + after:
        one.pop("re")
    assert before == after
    text = json.dumps(after)
    table = hall.lobby.tables["t1"]
    assert table.require_match().header.seed.hex() not in text
    assert table.require_match().header.salt.hex() not in text
    assert await bob.ask("ping")


async def test_a_finished_match_can_still_be_watched_and_read(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    over = await ann.play_on()
    eve = await hall.player("eve")
    watching = await eve.ask("watch", table="t1")
    assert public(watching["view"])
    story = (await eve.ask("log", table="t1"))["messages"]
    assert {**story[-1], "n": over["n"]} == over


async def test_a_long_story_comes_in_parts(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    for number in range(120):
        await ann.ask("say", table="t1", text=f"line {number}")
    first = await ann.ask("log", table="t1")
    assert (len(first["messages"]), first["more"]) == (100, True)
    rest = await ann.ask("log", table="t1", after=100)
    assert "more" not in rest
    assert rest["messages"][0]["n"] == 101
    assert rest["messages"][-1]["text"] == "line 119"


async def test_a_match_takes_so_much_talk_from_all_spectators_together_and_from_each_seat(hall: Hall) -> None:
    hall.limit(chats_a_match=3)
    ann, bob = await hall.table_of("ann", "bob")
    eve, fay = await hall.player("eve"), await hall.player("fay")
    for spectator in (eve, fay):
        await spectator.ask("watch", table="t1")
    said = [(await peer.ask("say", table="t1", text="hm"))["type"] for peer in (eve, fay, eve, fay, eve)]
    assert said == ["said", "said", "said", "error", "error"]
    assert [(await peer.ask("say", table="t1", text="hm"))["type"] for peer in (ann, bob)] == ["said", "said"]
    assert (await fay.ask("tell", to="eve", text="hm"))["type"] == "said"
