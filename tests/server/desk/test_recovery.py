"""The server is killed and started again on the same data: everything that was acknowledged is there."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import trio
import trio.testing

from client.house import BotHouse
from games.registry import all_games
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import CONFIG, resume, running
from tests.helpers.toy import TOY, ToyGame


async def test_f01_a_match_goes_on_where_it_was_for_each_player() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        turn = await ann.next("turn")
        await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
        view = (await ann.ask("look", table="t1"))["view"]
        told = [message for message in [*ann.told, turn] if message.get("n")]
    async with running(disk) as hall:
        ann = await resume(hall, ann, "ann")
        again = await ann.heard()
        assert [message["n"] for message in again] == list(range(1, len(again) + 1))
        for message in told:
            assert message in again
        assert (await ann.ask("look", table="t1"))["view"] == view
        assert (await ann.ask("act", table="t1", turn=1, action=turn["legal"][0]))["code"] == "not_your_turn"
        bob = await resume(hall, bob, "bob")
        over = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.play_on)
            over = await bob.play_on()
        assert over["reason"] == "points"


async def test_d04_e02_a_request_repeated_after_a_restart_gets_its_first_answer() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann", session="s")
        opened = await ann.ask("open", game="toy", seats=2)
        await ann.ask("games")
        started = await ann.ask("add", table="t1", bot="first")
        started = await ann.ask("start", table="t1")
        turn = await ann.next("turn")
        act = {"table": "t1", "turn": 1, "action": turn["legal"][0]}
        accepted = await ann.ask("act", **act)
        last = ann.last_id
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token, session="s", id=last + 1)
        assert await ann.ask("act", id=last, **act) == accepted
        assert await ann.ask("start", id=last - 1, table="t1") == started
        assert await ann.ask("open", id=2, game="toy", seats=2) == opened
        assert (await ann.ask("games", id=3))["type"] == "game_list", "a question is answered anew"
        assert (await ann.ask("ping", id=3))["code"] == "id_reused"
        assert len(hall.done(seat=1)) == 1
        assert list(hall.lobby.tables) == ["t1"]


async def test_d04_e02_a_question_repeated_over_two_connections_and_a_restart_is_answered() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann", session="s")
        await ann.ask("open", game="toy", seats=2)
        asked = ann.last_id + 1
        await ann.ask("tables", id=asked)
        ann = await hall.again("ann", ann.token, session="s", id=asked + 1)
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token, session="s", id=asked + 2)
        assert (await ann.ask("tables", id=asked))["type"] == "table_list"
        assert (await ann.ask("open", id=asked - 1, game="toy", seats=2))["info"]["table"] == "t1"
        assert (await ann.ask("open", id=asked - 2, game="toy", seats=2))["code"] == "bad_id"


async def test_d04_a_session_word_that_comes_again_begins_anew_after_a_restart_too() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann", session="s")
        for _ in range(3):
            await ann.ask("open", game="toy", seats=2)
        await hall.again("ann", ann.token, session="other")
        ann = await hall.again("ann", ann.token, session="s", id=1)
        assert (await ann.ask("open", id=2, game="toy", seats=2))["info"]["table"] == "t4"
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token, session="s", id=3)
        assert (await ann.ask("open", id=3, game="toy", seats=2))["info"]["table"] == "t5"


async def test_names_tokens_and_codes_are_there_after_a_restart() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        typist = await hall.typist()
        shown = await typist.types("hello carl")
        code = shown.split("hello carl ")[1].split()[0]
    async with running(disk) as hall:
        assert (await (await hall.connect()).ask("hello", name="ann"))["code"] == "name_taken"
        await hall.again("ann", ann.token)
        typist = await hall.typist()
        assert "Welcome, carl" in await typist.types(f"hello carl {code}")
        await typist.types("who")
        typist = await hall.typist()
        assert "does not prove" in await typist.types(f"hello carl {code}"), "a code works until the next one was seen"


async def test_an_open_table_keeps_its_seats_for_those_who_come_back() -> None:
    disk = Disk()
    config = Config(port=0, grace=30.0)
    async with running(disk, config) as hall:
        ann, bob = await hall.player("ann"), await hall.player("bob")
        await ann.ask("open", game="toy", seats=3)
        await bob.ask("join", table="t1", seat=3)
        await ann.ask("add", table="t1", bot="first")
    async with running(disk, config) as hall:
        ann = await hall.again("ann", ann.token)
        listed = (await ann.ask("tables"))["tables"]
        assert [seat["name"] for seat in listed[0]["seats"]] == ["ann", "first", "bob"]
        await trio.sleep(31)
        listed = (await ann.ask("tables"))["tables"]
        assert [seat.get("name", "") for seat in listed[0]["seats"]] == ["ann", "first", ""]
        bob = await hall.again("bob", bob.token)
        await bob.ask("join", table="t1")
        assert (await ann.ask("start", table="t1"))["type"] == "table"
        assert (await bob.next("started"))["you"] == 3


async def test_neither_a_table_that_was_closed_nor_its_id_comes_again() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("open", game="toy", seats=2)
        await ann.ask("close", table="t1")
    async with running(disk) as hall:
        assert list(hall.lobby.tables) == []
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t2"


async def test_ids_of_tables_that_are_gone_do_not_come_again_where_their_number_was_lost() -> None:
    disk = Disk()
    async with running(disk, Config(port=0, keep_seconds=10.0)) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.play_on)
            await bob.play_on()
        await trio.sleep(11)
        assert (await ann.ask("tables"))["tables"] == []
        await ann.ask("ping")
    assert 0 not in disk.rows["t1"]
    match = dict(disk.rows["t1"])
    disk.rows["lobby"] = {1: b"?"}
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t2"
    assert disk.rows["t1"] == match


async def test_what_an_owner_and_the_operator_decided_holds_after_a_restart() -> None:
    disk = Disk()
    config = Config(port=0, operator_word="abracadabra")
    async with running(disk, config) as hall:
        ann, bob, eve = [await hall.player(name) for name in ("ann", "bob", "eve")]
        await ann.ask("open", game="toy", seats=3)
        await bob.ask("join", table="t1")
        await ann.ask("kick", table="t1", player="bob")
        await ann.ask("operator", word="abracadabra")
        await ann.ask("mute", player="eve")
    async with running(disk, config) as hall:
        bob, eve = await hall.again("bob", bob.token), await hall.again("eve", eve.token)
        assert (await bob.ask("join", table="t1"))["code"] == "kicked"
        assert (await eve.ask("say", text="hello"))["code"] == "muted"


async def test_talk_strikes_and_lateness_are_not_forgotten() -> None:
    disk = Disk()
    config = Config(port=0, illegal_a_match=3, chats_a_match=1)
    async with running(disk, config) as hall:
        ann, bob = await hall.player("ann", bot=True), await hall.player("bob")
        await ann.ask("open", game="toy", seats=2, clock={"main": 0, "increment": 10})
        await bob.ask("join", table="t1")
        await ann.ask("start", table="t1")
        await trio.sleep(11)
        await bob.ask("say", table="t1", text="are you asleep?")
        for _ in range(2):
            await ann.ask("act", table="t1", turn=2, action={"do": "play", "card": 99})
    async with running(disk, config) as hall:
        ann, bob = await resume(hall, ann, "ann", bot=True), await resume(hall, bob, "bob")
        told = await ann.heard()
        assert [message["text"] for message in told if message["type"] == "chat"] == ["are you asleep?"]
        assert (await bob.ask("say", table="t1", text="still?"))["code"] == "too_much_chat"
        assert (await ann.ask("say", table="t1", text="no"))["type"] == "said"
        assert hall.lobby.tables["t1"].require_match().late[1:] == [1, 1]
        await ann.ask("act", table="t1", turn=2, action={"do": "play", "card": 99})
        assert (await ann.next("presence"))["how"] == "illegal"


async def test_what_a_table_remembers_of_its_seats_is_the_same_after_a_restart() -> None:
    def remembered(hall: Hall) -> list[tuple[object, ...]]:
        seat_states = hall.lobby.tables["t1"].seating.seat_states
        away = seat_states[1].away  # who is connected is away after a restart
        return [(one.house_name, one.house is not None, one.illegal_now, one.illegal_all, away) for one in seat_states]

    disk, wrong = Disk(), {"do": "play", "card": 99}
    async with running(disk) as hall:
        ann, bob, cid = await hall.table_of("ann", "bob", "cid")
        await cid.ask("resign", table="t1")
        for peer in (ann, bob):
            assert (await peer.ask("act", table="t1", turn=1, action=wrong))["code"] == "illegal_action"
        turn = await ann.next("turn")
        await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
        await trio.sleep(3)
        await bob.cut()
        await trio.testing.wait_all_tasks_blocked()
        hall.lobby.tables["t1"].compensate_stall(5.0)
        await trio.testing.wait_all_tasks_blocked()  # it is on disk
        kept = remembered(hall)
    away = pytest.approx(8.0)
    assert kept == [("", False, 0, 1, away), ("", False, 1, 1, away), ("first", True, 0, 0, away)]
    async with running(disk) as hall:
        assert remembered(hall) == kept


async def test_a_seat_that_was_left_counts_among_nobodys_tables_after_a_restart_either() -> None:
    disk = Disk()
    async with running(disk) as hall:
        _ann, bob = await hall.table_of("ann", "bob")
        await bob.ask("resign", table="t1")
        await bob.ask("leave", table="t1")
    async with running(disk) as hall:
        seats = {name: [*player.tables] for name in ("ann", "bob") if (player := hall.lobby.people.find_player(name))}
        assert seats == {"ann": ["t1"], "bob": []}


async def test_a_finished_match_can_still_be_asked_for_its_result() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ann.play_on)
            over = await bob.play_on()
    async with running(disk) as hall:
        bob = await resume(hall, bob, "bob", after=over["n"] - 1)
        assert await bob.next("over") == over
        await trio.sleep(CONFIG.keep_seconds + 1)
        assert (await bob.ask("tables"))["tables"] == []
    assert 0 not in disk.rows["t1"]
    assert 1 in disk.rows["t1"], "what was played is kept"
    async with running(disk) as hall:
        assert hall.lobby.tables == {}


async def test_house_bots_are_there_after_every_restart() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("open", game="toy", seats=3)
        await ann.ask("add", table="t1", bot="first")
    for name in ("bob", "cid"):
        async with running(disk) as hall:
            peer = await hall.player(name)
            await peer.ask("join", table="t1")
            (info,) = (await peer.ask("tables"))["tables"]
            assert info["seats"][1]["name"] == "first"
            houses = [seat_state.house is not None for seat_state in hall.lobby.tables["t1"].seating.seat_states]
            assert houses == [False, True, False]
            await peer.ask("leave", table="t1")


@pytest.mark.parametrize("game", sorted(all_games()))
async def test_house_bots_go_on_with_the_same_chance(game: str) -> None:
    async def played(*, cut: int) -> Any:
        disk, bots = Disk(), BotHouse()
        config = Config(port=0, house_seconds=1.0)
        async with running(disk, config, all_games(), bots) as hall:
            table = hall.lobby.open_table(game, 0, "", {}, config.clock, bytes(32))
            for seat_state in list(table.seating.seat_states):
                table.add_house_bot("random" if seat_state.number % 2 else all_games()[game].house_bot)
            hall.lobby.start_match(table)
            if not cut:
                await table.done.wait()
                return list(table.entries)
            await trio.sleep(cut + 0.5)
        async with running(disk, config, all_games(), bots) as hall:
            table = hall.lobby.tables["t1"]
            assert len(table.entries) >= cut
            await table.done.wait()
            return table.entries

    whole, mended = await played(cut=0), await played(cut=17)
    assert [(one.seat, one.action) for one in mended] == [(one.seat, one.action) for one in whole]


class OtherToy(ToyGame):
    rules_version = "2"


async def test_f11_a_match_of_other_rules_is_kept_and_shown_and_not_played_on(caplog: pytest.LogCaptureFixture) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, _bob = await hall.table_of("ann", "bob")
    kept = {part: data for part, data in disk.rows["t1"].items() if part}
    caplog.set_level(logging.INFO)
    async with running(disk, games={TOY.id: OtherToy()}) as hall:
        assert "other rules" in caplog.text
        assert "0 matches continue" in caplog.text
        ann = await hall.again("ann", ann.token)
        info = (await ann.ask("tables"))["tables"][0]
        assert (info["state"], info["seats"][0]["name"]) == ("playing", "ann")
        assert (await ann.ask("resume", table="t1", after=0))["code"] == "other_rules"
        assert (await ann.ask("clock", table="t1"))["code"] == "other_rules"
        assert (await ann.ask("leave", table="t1"))["type"] in ("left", "error")
        assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t2"
        await trio.sleep(1_000)
    assert {part: data for part, data in disk.rows["t1"].items() if part} == kept
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("look", table="t1"))["type"] == "position"


async def test_f06_a_damaged_match_is_left_as_it_is_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        await ann.ask("open", game="toy", seats=2)
        await bob.ask("join", table="t2")
        await ann.ask("start", table="t2")
        turn = await ann.next("turn")
        await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    disk.rows["t1"][2] = disk.rows["t1"][2][:-3]
    kept = dict(disk.rows["t1"])
    async with running(disk) as hall:
        assert list(hall.lobby.tables) == ["t2"]
        assert "table t1 cannot be read" in caplog.text
        ann = await resume(hall, ann, "ann", "t2")
    assert disk.rows["t1"] == kept


async def test_f06_a_row_of_nothing_known_is_left_as_it_is_and_all_others_are_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("open", game="toy", seats=2)
    for subject in ("tq", "t01", "x"):
        disk.rows[subject] = dict(disk.rows["t1"])
    async with running(disk) as hall:
        assert list(hall.lobby.tables) == ["t1"]
        assert caplog.text.count("is of an unknown kind") == 3
    assert disk.rows["tq"] == disk.rows["t1"]


async def test_g13_the_log_of_a_restart_holds_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    disk = Disk()
    async with running(disk) as hall:
        ann, _bob = await hall.table_of("ann", "bob")
        seed = hall.lobby.tables["t1"].seed
    assert any(seed in data for data in disk.rows["t1"].values())
    assert not any(ann.token.encode() in data for parts in disk.rows.values() for data in parts.values())
    disk.rows["t1"][1] = disk.rows["t1"][1].replace(b"ann", b"\xff\xff\xff")
    async with running(disk):
        pass
    assert seed.hex() not in caplog.text
    assert repr(seed)[2:-1] not in caplog.text


async def test_g09_after_a_restart_every_observer_is_told_what_was_told_live() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
        eve = await hall.player("eve")
        await eve.ask("watch", table="t1")
        live: dict[str, list[dict[str, Any]]] = {"ann": [], "bob": []}
        for _ in range(2):
            for name, peer in (("ann", ann), ("bob", bob)):
                turn = await peer.next("turn")
                await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
                live[name].append(turn)
        for name, peer in (("ann", ann), ("bob", bob)):
            live[name] += [one for one in await peer.heard() if one.get("n")]
            live[name].sort(key=lambda one: int(one["n"]))
        public = (await eve.ask("log", table="t1", after=0))["messages"]
    async with running(disk) as hall:
        for name, old in (("ann", ann), ("bob", bob)):
            peer = await resume(hall, old, name)
            again = [one for one in await peer.heard() if one.get("n")]
            assert again[: len(live[name])] == live[name]
        eve = await hall.again("eve", eve.token)
        await eve.ask("watch", table="t1")
        assert (await eve.ask("log", table="t1", after=0))["messages"][: len(public)] == public
