"""Talk that comes too fast, and what each player may do about talk they do not want: B13 of the abuse list."""

from __future__ import annotations

import pytest
import trio

from protocol import limits
from server.config import Config
from server.player import Player
from tests.helpers.hall import Hall, seated
from tests.helpers.peer import Peer

pytestmark = pytest.mark.parametrize("config", [{"talk_at_once": limits.TALK_AT_ONCE}], indirect=True)


async def chats(peer: Peer) -> list[str]:
    return [message["text"] for message in await peer.heard() if message["type"] == "chat"]


def test_a_server_has_the_limits_that_the_page_tells(config: Config) -> None:
    assert config.talk_at_once == Config().talk_at_once
    assert (config.talk_at_once, config.talk_seconds) == (limits.TALK_AT_ONCE, limits.TALK_SECONDS)


async def test_b13_of_a_thousand_pasted_lines_a_few_are_heard_and_the_sender_goes_on(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann")
    await trio.sleep(1)
    pasted = "".join(f"say line {number}\n" for number in range(1_000))
    began = trio.current_time()
    await ann.send_bytes(pasted.encode() + b"ping\n")
    shown = ""
    while "pong" not in shown:
        shown += await ann.heard()
    assert trio.current_time() - began < 5
    heard = await chats(bob)
    assert heard[: limits.TALK_AT_ONCE] == [f"line {number}" for number in range(limits.TALK_AT_ONCE)]
    assert len(heard) <= limits.TALK_AT_ONCE + 3
    assert shown.count("! You talk too fast. Your message was not sent; wait 2 s. You may send") <= 4
    assert sum(int(row.split()[1]) for row in shown.split("\n") if "more line" in row) > 980
    await trio.sleep(60)
    assert await chats(bob) == [], "nothing was queued"


async def test_b13_what_was_pasted_goes_with_its_sender(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann")
    await ann.send_bytes(b"say hi\n" * 1_000)
    await ann.close()
    await trio.sleep(120)
    assert len(await chats(bob)) <= limits.TALK_AT_ONCE + 3


@pytest.mark.parametrize("where", ["lobby", "tell", "table", "watching"])
async def test_b13_each_player_has_one_allowance_wherever_they_talk(hall: Hall, where: str) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    if where == "watching":
        await eve.ask("watch", table="t1")
    talker = ann if where == "table" else eve
    fields = {
        "lobby": {"kind": "say"},
        "tell": {"kind": "tell", "to": "bob"},
        "table": {"kind": "say", "table": "t1"},
        "watching": {"kind": "say", "table": "t1"},
    }[where]
    for _line in range(limits.TALK_AT_ONCE):
        assert (await talker.ask(**fields, text="hi"))["type"] == "said"
    for elsewhere in (fields, {"kind": "say"}, {"kind": "tell", "to": "bob"}):
        refused = await talker.ask(**elsewhere, text="hi")
        assert (refused["code"], refused["again"]) == ("talk_too_fast", True)
        assert refused["text"].startswith(
            "You talk too fast. Your message was not sent; wait 2 s. You may send 5 lines at once, then"
        )
    await trio.sleep(limits.TALK_SECONDS + 0.1)
    assert (await talker.ask(**fields, text="hi"))["type"] == "said"
    assert (await talker.ask(**fields, text="hi"))["code"] == "talk_too_fast"


async def test_b13_a_new_connection_or_name_brings_no_more_than_its_address_has(hall: Hall) -> None:
    bob = await hall.player("bob", address="10.0.0.9")
    for number in range(40):
        eve = await hall.player(f"eve{number}x", address="10.0.0.1")
        for _line in range(limits.TALK_AT_ONCE + 1):
            await eve.ask("say", text="buy now")
        await eve.cut()
    passed = limits.TALK_AT_ONCE * limits.TALK_AN_ADDRESS + trio.current_time() * limits.TALK_AN_ADDRESS / 2
    assert 5 < len(await chats(bob)) <= passed + 1
    assert (await bob.ask("say", text="others are heard all the same"))["type"] == "said"


async def test_b13_who_sits_at_the_table_waits_for_no_neighbour(hall: Hall) -> None:
    ann, bob = await hall.player("ann", address="10.0.0.1"), await hall.player("bob", address="10.0.0.1")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    for meter in hall.lobby.limits.talk_buckets(Player("x"), of_address=False):
        meter.charge(0)
    for number in range(20):
        eve = await hall.player(f"eve{number}x", address="10.0.0.1")
        for _line in range(limits.TALK_AT_ONCE):
            await eve.ask("say", text="buy now")
    assert (await eve.ask("say", text="more"))["code"] == "talk_too_fast"
    assert (await ann.ask("say", text="well played", table="t1"))["type"] == "said"


async def test_an_invitation_to_a_cup_counts_as_talk(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("cup_open", cup="spring", game="toy")
    answers = [await ann.ask("cup_invite", cup="spring", player="bob") for _time in range(limits.TALK_AT_ONCE + 1)]
    assert [answer["type"] for answer in answers] == ["cup_info"] * limits.TALK_AT_ONCE + ["error"]
    assert len(await bob.heard()) == limits.TALK_AT_ONCE
    await bob.ask("ignore", player="ann")
    await trio.sleep(10)
    assert (await ann.ask("cup_invite", cup="spring", player="bob"))["code"] == "ignored"


async def test_who_is_ignored_is_heard_neither_by_all_nor_alone_nor_in_rows_of_a_match(hall: Hall) -> None:
    ann = await seated(hall)
    bob, carl = await hall.player("bob"), await hall.player("carl")
    assert await ann.types("ignore") == "You ignore no player.\n"
    assert await ann.types("ignore nobody-here") == "! nobody-here is not known here.\n"
    assert await ann.types("ignore ANN") == "! You cannot ignore yourself.\n"
    assert await ann.types("ignore bob") == "You ignore bob.\n"
    await ann.types("lobby on")
    for peer in (bob, carl):
        await peer.ask("watch", table="t1")
        await peer.ask("say", text="to all")
        await peer.ask("say", text="at the table", table="t1")
    assert await ann.heard() == "carl: to all\ncarl: at the table\n"
    assert (await bob.ask("tell", to="ann", text="psst"))["text"] == "ann ignores you."
    log = await ann.types("log")
    assert "carl: at the table" in log
    assert "bob:" not in log
    assert await ann.types("unignore bob") == "You ignore no player.\n"
    assert (await bob.ask("tell", to="ann", text="psst"))["type"] == "said"
    assert await ann.heard() == "bob (to you): psst\n"


async def test_who_is_ignored_is_kept_with_the_name_and_told_at_the_next_hello(hall: Hall) -> None:
    ann = await hall.player("ann")
    for number in range(limits.IGNORED_A_PLAYER + 1):
        await hall.player(f"bob{number}x")
        answer = await ann.ask("ignore", player=f"Bob{number}X")
    assert answer["players"] == [f"bob{number}x" for number in range(1, limits.IGNORED_A_PLAYER + 1)]
    await ann.cut()
    ann = await hall.again("ann", ann.token)
    assert (await ann.ask("ignore"))["players"] == answer["players"]


async def test_lobby_talk_reaches_no_table_that_plays_unless_it_is_wanted(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve, carl, dan = await hall.player("eve"), await hall.player("carl"), await hall.typist()
    await eve.ask("watch", table="t1")
    await dan.types("hello dan")
    for peer in (ann, eve, carl):
        await peer.heard()
    assert (await carl.ask("say", text="one"))["heard"] == 1
    assert await chats(ann) == await chats(eve) == []
    assert await dan.heard() == "carl: one\n"
    assert (await ann.ask("lobby", hear="on"))["text"] == "You receive lobby talk."
    assert (await dan.types("lobby off")).startswith("You receive no lobby talk")
    assert (await carl.ask("say", text="two"))["heard"] == 1
    assert (await chats(ann), await chats(eve), await dan.heard()) == (["two"], [], "")
    assert (await dan.types("lobby auto")).startswith("You receive lobby talk while you neither play")
    assert await dan.types("lobby") == await dan.types("lobby auto")
    assert await dan.types("lobby maybe") == "! Type lobby on, lobby off or lobby auto.\n"
    assert await dan.types("say I hear  myself") == "dan: I hear myself\n"


async def test_who_is_muted_at_a_table_is_told_where(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.player("bob")
    await ann.types("hello ann", "open toy 2")
    await bob.ask("join", table="t1")
    await ann.heard()
    assert await ann.types("mute bob") == "bob is muted at t1, and may still talk elsewhere.\n"
    refused = await bob.ask("say", text="hi", table="t1")
    assert (refused["code"], refused["text"]) == (
        "muted",
        "You are muted at t1. You may still use the lobby and `tell`.",
    )
    assert (await bob.ask("tell", to="ann", text="hi"))["type"] == "said"
    assert await ann.heard() == "bob (to you): hi\n"
    assert await ann.types("unmute bob") == "bob may talk at t1 again.\n"
    hall.lobby.people.find_player("bob").muted = True  # type: ignore[union-attr]
    assert await ann.types("unmute bob") == "bob may talk at t1 again, but the operator has muted bob everywhere.\n"
    assert (await bob.ask("say", text="hi", table="t1"))["text"] == "You are muted; your message was not sent."
