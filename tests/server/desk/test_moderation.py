"""Who is sent away, who is not heard, which table ends: by the table's owner, who ends nobody else's match, and
everywhere by the operator."""

from __future__ import annotations

import pytest
import trio

from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer

OPERATED = pytest.mark.parametrize("config", [{"operator_word": "xyzzy"}], indirect=True)


def test_a_configuration_that_is_printed_does_not_tell_the_operators_word() -> None:
    assert "xyzzy" not in repr(Config(operator_word="xyzzy"))


async def open_table(hall: Hall) -> tuple[Peer, Peer]:
    """Ann's open table for three, where bob sits."""
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    await bob.ask("join", table="t1")
    await bob.heard()
    await ann.heard()
    return ann, bob


async def operator(hall: Hall) -> Peer:
    """Somebody who knows the word."""
    peer = await hall.player("oskar")
    assert (await peer.ask("operator", word="xyzzy"))["type"] == "done"
    return peer


async def test_who_is_kicked_from_an_open_table_is_told_and_the_seat_is_empty(hall: Hall) -> None:
    ann, bob = await open_table(hall)
    assert (await ann.ask("kick", table="t1", player="bob"))["text"] == "bob was removed from t1."
    assert await bob.heard() == [{"type": "sent_away", "table": "t1", "why": "kicked", "by": "ann"}]
    changed = await ann.next("table_changed")
    assert changed["info"]["seats"][1:] == [{"seat": 2}, {"seat": 3}]
    assert (await bob.ask("join", table="t1"))["code"] == "kicked"
    assert (await bob.ask("watch", table="t1"))["code"] == "kicked"
    assert "tables" not in (await ann.ask("who"))["players"][1]


async def test_a_house_bot_is_kicked_before_the_match_and_not_in_it(hall: Hall) -> None:
    ann, _bob = await open_table(hall)
    await ann.ask("add", table="t1", bot="first")
    assert (await ann.ask("kick", table="t1", player="first"))["type"] == "done"
    assert (await ann.ask("kick", table="t1", player="first"))["code"] == "no_such_player"
    await ann.ask("add", table="t1", bot="first")
    assert (await ann.ask("kick", table="t1", player="second"))["code"] == "no_such_player"
    await ann.ask("start", table="t1")
    assert (await ann.ask("kick", table="t1", player="first"))["code"] == "no_such_player"


async def test_b14_a_table_remembers_only_so_many_who_were_sent_away_or_muted(hall: Hall) -> None:
    hall.limit(out_a_table=2)
    ann, _bob = await open_table(hall)
    others = {name: await hall.player(name) for name in ("cid", "dan", "eve")}
    for name, peer in others.items():
        await peer.ask("watch", table="t1")
        await ann.ask("mute", table="t1", player=name)
        assert (await ann.ask("kick", table="t1", player=name))["type"] == "done"
    answers = [(await peer.ask("watch", table="t1")).get("code") for peer in others.values()]
    assert answers == [None, "kicked", "kicked"]
    assert [player.name for player in hall.lobby.tables["t1"].muted] == ["dan", "eve"]


@OPERATED
async def test_for_who_is_kicked_from_a_match_a_house_bot_plays_on_at_once(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    oskar = await operator(hall)
    await bob.heard()
    assert (await oskar.ask("kick", table="t1", player="bob"))["type"] == "done"
    assert [told["type"] for told in await bob.heard()] == ["sent_away"]
    left = await ann.next("presence")
    assert (left["name"], left["how"], left["by"]) == ("bob", "kicked", "first")
    for kind in ("look", "say", "resume"):
        assert (await bob.ask(kind, table="t1", **({"text": "hm"} if kind == "say" else {})))["code"] == "not_seated"
    over = await ann.play_on()
    assert [result["how"] for result in over["results"]] == ["played", "kicked"]
    assert (await ann.ask("kick", table="t1", player="bob"))["code"] == "game_over"


@OPERATED
async def test_who_is_kicked_while_away_does_not_find_the_seat_again(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    oskar = await operator(hall)
    await bob.cut()
    assert (await oskar.ask("kick", table="t1", player="bob"))["type"] == "done"
    bob = await hall.again("bob", bob.token)
    assert (await bob.ask("resume", table="t1"))["code"] == "not_seated"
    assert [result["how"] for result in (await ann.play_on())["results"]] == ["played", "kicked"]


async def test_a_spectator_is_kicked(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    assert (await ann.ask("kick", table="t1", player="eve"))["code"] == "no_such_player"
    await eve.ask("watch", table="t1")
    await ann.ask("kick", table="t1", player="eve")
    assert [told["type"] for told in await eve.heard()] == ["sent_away"]
    await ann.ask("say", table="t1", text="at last")
    assert await eve.heard() == []


async def test_who_is_muted_at_a_table_is_told_and_heard_nowhere_but_elsewhere(hall: Hall) -> None:
    ann, bob = await open_table(hall)
    assert (await ann.ask("mute", table="t1", player="bob"))[
        "text"
    ] == "bob is muted at t1, and may still talk elsewhere."
    assert (await bob.ask("say", table="t1", text="hm"))["code"] == "muted"
    assert (await bob.ask("say", text="hm"))["heard"] == 1
    await ann.next("chat")
    assert (await ann.ask("mute", table="t1", player="bob", off=True))["text"] == "bob may talk at t1 again."
    assert (await bob.ask("say", table="t1", text="hm"))["type"] == "said"


async def test_an_owner_closes_an_open_table(hall: Hall) -> None:
    ann, bob = await open_table(hall)
    assert (await ann.ask("close", table="t1"))["type"] == "done"
    assert await bob.heard() == [{"type": "sent_away", "table": "t1", "why": "closed", "by": "ann"}]
    assert (await bob.ask("tables"))["tables"] == []
    assert [player.get("tables", []) for player in (await bob.ask("who"))["players"]] == [[], []]


@OPERATED
async def test_a_match_that_is_closed_is_aborted_with_a_sentence(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    oskar = await operator(hall)
    await oskar.ask("close", table="t1")
    over = await bob.next("over")
    assert (over["aborted"], over["text"]) == (True, "oskar closed the table; the match does not count.")
    assert (await ann.ask("close", table="t1"))["code"] == "game_over"
    told = await bob.ask("log", table="t1")
    assert told["messages"][-1] == over


async def test_e11_an_owner_ends_no_match_that_others_play(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await bob.heard()
    refused = await ann.ask("close", table="t1")
    assert (refused["code"], refused["text"]) == (
        "not_operator",
        "Others play there. Only the operator may end their match.",
    )
    await bob.cut()
    assert (await ann.ask("close", table="t1"))["code"] == "not_operator"  # bob's seat is held for him
    assert hall.lobby.tables["t1"].state == "playing"


@pytest.mark.parametrize("player", ["bob", "ann"])
async def test_e11_an_owner_sends_nobody_away_from_a_running_match(hall: Hall, player: str) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await bob.heard()
    refused = await ann.ask("kick", table="t1", player=player)
    assert (refused["code"], refused["text"]) == (
        "not_operator",
        "Only the operator may remove players from a running match.",
    )
    assert await bob.heard() == []
    assert (await bob.ask("look", table="t1"))["type"] == "position"
    await bob.cut()
    assert (await ann.ask("kick", table="t1", player=player))["code"] == "not_operator"
    bob = await hall.again("bob", bob.token)
    assert (await bob.ask("resume", table="t1"))["type"] == "resumed"


async def test_e11_an_owner_who_gave_up_cannot_end_the_match_of_the_others(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await ann.ask("resign", table="t1")
    assert (await ann.ask("close", table="t1"))["code"] == "not_operator"
    over = await bob.play_on()
    assert [result["how"] for result in over["results"]] == ["resigned", "played"]


async def test_an_owner_whose_rivals_are_all_gone_ends_the_match(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await bob.ask("resign", table="t1")
    await bob.heard()
    assert (await ann.ask("kick", table="t1", player="bob"))["type"] == "done"  # who looks on from a lost seat
    assert [told["type"] for told in await bob.heard()] == ["sent_away"]
    assert (await ann.ask("close", table="t1"))["type"] == "done"
    over = await ann.next("over")
    assert (over["aborted"], over["text"]) == (True, "ann closed the table; the match does not count.")


@pytest.mark.parametrize("request_", [("kick", {"player": "ann"}), ("mute", {"player": "ann"}), ("close", {})])
async def test_other_players_keep_no_order_at_a_table(hall: Hall, request_: tuple[str, dict[str, str]]) -> None:
    _ann, bob = await open_table(hall)
    kind, fields = request_
    assert (await bob.ask(kind, table="t1", **fields))["code"] == "not_owner"


@OPERATED
async def test_the_operator_keeps_order_at_every_table(hall: Hall) -> None:
    _ann, bob = await open_table(hall)
    oskar = await operator(hall)
    assert (await oskar.ask("mute", table="t1", player="bob"))["type"] == "done"
    assert (await oskar.ask("kick", table="t1", player="bob"))["type"] == "done"
    assert (await bob.next("sent_away"))["by"] == "oskar"
    assert (await oskar.ask("close", table="t1"))["type"] == "done"


@OPERATED
async def test_who_is_muted_by_the_operator_is_heard_nowhere(hall: Hall) -> None:
    ann, bob = await open_table(hall)
    oskar = await operator(hall)
    await bob.ask("cup_open", cup="friday", game="toy")
    assert (await oskar.ask("mute", player="bob"))["text"] == "bob is muted everywhere."
    assert (await bob.ask("cup_open", cup="Ann-is-a-fool", game="toy"))["code"] == "muted"
    assert (await bob.ask("cup_invite", cup="friday", player="ann"))["code"] == "muted"
    assert (await bob.ask("say", text="hm"))["code"] == "muted"
    assert (await bob.ask("say", table="t1", text="hm"))["code"] == "muted"
    assert (await bob.ask("tell", to="ann", text="hm"))["code"] == "muted"
    assert await ann.heard() == []
    await oskar.ask("mute", player="bob", off=True)
    assert (await bob.ask("tell", to="ann", text="hm"))["heard"] == 1


@OPERATED
async def test_g12_an_operator_sees_no_more_than_others(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    oskar = await operator(hall)
    for kind in ("look", "log", "legal", "resume", "leave"):
        assert (await oskar.ask(kind, table="t1"))["code"] == "not_seated"
    assert (await oskar.ask("start", table="t1"))["code"] == "not_owner"
    watching = await oskar.ask("watch", table="t1")
    assert watching["view"]["hand"] == []


@OPERATED
async def test_g12_three_wrong_words_end_the_connection_and_the_word_holds_for_one(hall: Hall) -> None:
    bob = await operator(hall)
    bob = await hall.again("oskar", bob.token)
    assert (await bob.ask("mute", player="oskar"))["code"] == "not_operator"
    for _ in range(2):
        assert (await bob.ask("operator", word="guess"))["code"] == "bad_proof"
    await bob.ask("operator", word="guess")
    assert (await bob.next("bye"))["reason"] == "error"


async def test_g12_where_there_is_no_word_there_is_no_operator(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert (await ann.ask("operator", word="x"))["code"] == "bad_proof"


@OPERATED
async def test_order_is_kept_by_people_who_type(hall: Hall) -> None:
    ann, bob, oskar = await hall.typist(), await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 2")
    await bob.types("hello bob", "join t1")
    await oskar.types("hello oskar")
    assert await oskar.types("operator xyzzy") == "You are the operator on this connection.\n"
    assert await oskar.types("mute bob all") == "bob is muted everywhere.\n"
    assert await bob.types("say hm") == "! You are muted; your message was not sent.\n"
    assert await oskar.types("unmute bob") == "bob may talk again.\n"
    await ann.heard()
    assert await ann.types("mute bob") == "bob is muted at t1, and may still talk elsewhere.\n"
    assert "bob was removed from t1.\n" in await ann.types("kick bob")
    assert await bob.heard() == "- ann sent you away from t1.\n"
    assert await bob.types("say hm") == "bob: hm\n"
    await oskar.heard()
    assert await oskar.types("close t1") == "t1 is closed.\n"
    assert "- oskar closed t1.\n" in await ann.heard()
    assert await ann.types("look") == "! You are at no table; open, join or watch one.\n"


@OPERATED
async def test_the_operator_s_word_said_again_under_its_id_holds_on_another_connection_too(hall: Hall) -> None:
    await hall.player("bob")
    first = await hall.player("oskar", session="one")
    said = await first.ask("operator", id=10, word="xyzzy")
    assert said["type"] == "done"
    again = await hall.again("oskar", first.token, session="one", id=11)
    assert (await again.ask("mute", player="bob", id=12))["type"] == "error"
    assert await again.ask("operator", id=10, word="xyzzy") == said
    assert (await again.ask("mute", player="bob", id=13))["type"] == "done"


@pytest.mark.parametrize("config", [{"idle_seconds": 100.0}], indirect=True)
async def test_who_is_at_an_open_table_is_told_when_it_is_gone_since_nothing_happened(hall: Hall) -> None:
    ann, bob = await open_table(hall)
    cleo = await hall.player("cleo")
    await cleo.ask("watch", table="t1")
    for peer in (ann, bob, cleo):
        await peer.heard()
    await trio.sleep(101)
    hall.lobby.tables.remove_stale_tables()
    gone = [{"type": "sent_away", "table": "t1", "why": "closed", "by": ""}]
    assert [await peer.heard() for peer in (ann, bob, cleo)] == [gone] * 3
    assert (await ann.ask("look", table="t1"))["code"] == "no_such_table"
    await ann.ask("open", game="toy", seats=3)
    await cleo.ask("watch", table="t2")
    await ann.ask("leave", table="t2")
    await trio.sleep(2)
    hall.lobby.tables.remove_stale_tables()
    assert (await cleo.heard())[-1] == {"type": "sent_away", "table": "t2", "why": "closed", "by": ""}
