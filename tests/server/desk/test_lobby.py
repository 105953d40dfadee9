"""The lobby and the table before, beside and after the match: each request with its success."""

import pytest
import trio
import trio.testing

from games.api import to_map
from games.chance import Chance, deal_key, seed_commitment
from protocol import limits
from server.config import Config
from server.desk import lobby_requests
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse
from tests.helpers.toy import TOY, ToyOptions
from tests.helpers.wire import CLOSED


async def test_welcome_tells_limits_version_and_running_matches(hall: Hall) -> None:
    ann = await hall.connect()
    welcome = await ann.ask("hello", name="ann", client="tests")
    assert (welcome["name"], welcome["version"]) == ("ann", 2)
    assert welcome["limits"]["line_bytes"] == 4_096
    assert set(welcome["limits"]) == set(limits.all_limits())
    assert "seats" not in welcome
    await ann.ask("open", game="toy")
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await ann.cut()
    back = await hall.connect()
    code = welcome["code"]
    again = await back.ask("hello", name="ann", code=code)
    assert [info["table"] for info in again["seats"]] == ["t1"]
    assert again["code"] != code


async def test_who_bots_games_rules_and_cards_answer(hall: Hall) -> None:
    ann = await hall.player("ann")
    await hall.player("robo", bot=True, games=["toy"], tables=1)
    await hall.player("other", bot=True, games=["chess"], tables=1)
    assert (await ann.ask("who"))["players"] == [
        {"name": "ann", "kind": "person"},
        {"name": "other", "kind": "bot"},
        {"name": "robo", "kind": "bot"},
    ]
    bots = [bot["name"] for bot in (await ann.ask("bots", game="toy"))["bots"]]
    assert bots == ["first", "robo"]
    assert [game["game"] for game in (await ann.ask("games"))["games"]] == ["toy"]
    assert "class ToyGame" in (await ann.ask("rules", game="toy"))["text"]
    assert len((await ann.ask("cards", game="toy"))["cards"]) == 12
    assert [card["title"] for card in (await ann.ask("cards", game="toy", name="Card 7"))["cards"]] == ["Card 7"]
    assert [card["name"] for card in (await ann.ask("cards", game="toy", name="card-1"))["cards"]] == ["1"]
    assert len((await ann.ask("cards", game="toy", name="card"))["cards"]) == 12
    assert "open GAME" in (await ann.ask("help"))["text"]
    assert (await ann.ask("help", topic="join"))["text"].startswith("join [TABLE [SEAT]]")
    assert "play N" in (await ann.ask("help", topic="toy"))["text"]


async def test_people_at_an_open_table_see_who_comes_and_goes(hall: Hall) -> None:
    ann, bob, cid = [await hall.player(name) for name in ("ann", "bob", "cid")]
    await ann.ask("open", game="toy", seats=3)
    assert (await bob.ask("join", table="t1", seat=3))["seat"] == 3
    assert (await cid.ask("join", table="t1"))["seat"] == 2
    await bob.ask("leave", table="t1")
    seats = [
        [seat.get("name", "") for seat in message["info"]["seats"]]
        for message in await ann.heard()
        if message["type"] == "table_changed"
    ]
    assert seats == [["ann", "", "bob"], ["ann", "cid", "bob"], ["ann", "cid", ""]]
    await cid.ask("quit")
    assert (await ann.next("table_changed"))["info"]["seats"][1] == {"seat": 2}


async def test_when_the_owner_leaves_an_open_table_another_player_owns_it(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("leave", table="t1")
    assert (await bob.next("table_changed"))["info"]["owner"] == "bob"
    assert (await bob.ask("add", table="t1", bot="first"))["type"] == "table"
    assert (await bob.ask("start", table="t1"))["type"] == "table"


async def test_an_empty_table_is_gone_soon(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("leave", table="t1")
    await trio.sleep(5)
    assert (await ann.ask("tables"))["tables"] == []


async def test_a_finished_table_can_be_asked_for_a_while_and_is_then_forgotten(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await ann.play_on()
    await trio.sleep(590)
    assert (await ann.ask("tables"))["tables"][0]["state"] == "over"
    assert (await ann.ask("log", table="t1"))["messages"][-1]["type"] == "over"
    await trio.sleep(20)
    assert (await ann.ask("tables"))["tables"] == []
    assert (await ann.ask("log", table="t1"))["code"] == "no_such_table"
    assert (await ann.ask("who"))["players"] == [{"name": "ann", "kind": "person"}]


async def test_a_new_table_takes_the_place_of_its_owners_oldest_finished_one_and_of_nobody_elses(hall: Hall) -> None:
    hall.limit(finished_a_player=2)
    ann, bob = await hall.player("ann"), await hall.player("bob")
    for number in (1, 2, 3):
        await ann.ask("open", game="toy", seats=2)
        assert len((await ann.ask("tables"))["tables"]) == min(number, 2)
        await ann.ask("add", table=f"t{number}", bot="first")
        await ann.ask("start", table=f"t{number}")
        await ann.play_on()
    await bob.ask("open", game="toy", seats=2)
    assert [table["table"] for table in (await bob.ask("tables"))["tables"]] == ["t2", "t3", "t4"]


async def test_a_program_can_be_seated_by_the_owner_and_is_told(hall: Hall) -> None:
    ann, robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=3)
    await ann.ask("add", table="t1", bot="robo")
    seated = await robo.next("seated")
    assert (seated["seat"], seated["info"]["seats"][1]["kind"]) == (2, "bot")
    assert (await ann.ask("add", table="t1", bot="robo"))["code"] == "already_seated"
    assert (await robo.ask("start", table="t1"))["code"] == "not_owner"
    await robo.cut()
    assert (await ann.ask("add", table="t1", bot="robo"))["code"] == "no_such_bot"


async def test_whoever_opens_a_table_says_who_sits_where(hall: Hall) -> None:
    ann, _robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=1)
    beyond = await ann.ask("open", game="toy", seats=3, seat=4)
    assert (beyond["code"], beyond["where"], (await ann.ask("tables"))["tables"]) == ("bad_field", "$.seat", [])
    assert (await ann.ask("open", game="toy", seats=3, seat=2))["seat"] == 2
    assert (await ann.ask("add", table="t1", bot="first", seat=2))["code"] == "seat_taken"
    assert (await ann.ask("add", table="t1", bot="robo", seat=4))["where"] == "$.seat"
    await ann.ask("add", table="t1", bot="first", seat=3)
    added = await ann.ask("add", table="t1", bot="robo", seat=1)
    assert [seat["name"] for seat in added["info"]["seats"]] == ["robo", "ann", "first"]


async def test_people_cannot_be_seated_against_their_will(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    assert (await ann.ask("add", table="t1", bot="bob"))["code"] == "no_such_bot"
    assert await bob.heard() == []


async def test_two_house_bots_of_one_kind_have_two_names(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=4)
    for _ in range(3):
        info = (await ann.ask("add", table="t1", bot="first"))["info"]
    assert [seat["name"] for seat in info["seats"]] == ["ann", "first", "first-2", "first-3"]
    assert (await ann.ask("add", table="t1", bot="first"))["code"] == "table_full"


async def test_a_house_bot_s_level_is_part_of_its_name(nursery: trio.Nursery) -> None:
    hall = Hall(nursery, Config(house_seconds=0.0), house=FirstHouse("first", "first:easy"))
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=4)
    for bot in ("first", "first:easy", "first:easy"):
        info = (await ann.ask("add", table="t1", bot=bot))["info"]
    assert [seat["name"] for seat in info["seats"]] == ["ann", "first", "first:easy", "first:easy-2"]
    await ann.ask("kick", table="t1", player="first:easy")
    assert (await ann.ask("tables"))["tables"][0]["seats"][2].get("name", "") == ""
    wanted = await ann.ask("add", table="t1", bot="first:hard")
    assert (wanted["code"], wanted["text"]) == ("no_such_bot", "The bots for toy are: first, first:easy.")
    for like in ("first-easy", "FirstEasy", "f1rst_easy2"):
        stranger = await hall.connect()
        assert (await stranger.ask("hello", name=like))["code"] == "name_taken"


async def test_seats_options_clock_and_nonces_are_as_asked(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    assert (await ann.ask("open", game="toy", seats=5))["where"] == "$.seats"
    assert (await ann.ask("open", game="toy", seats=1))["where"] == "$.seats"
    assert (await ann.ask("open", game="toy", seats=17))["code"] == "bad_field"
    assert (await ann.ask("open", game="toy", clock={"main": -1, "increment": 1}))["code"] == "bad_field"
    assert (await ann.ask("open", game="toy", options={"speed": 1}))["code"] == "bad_option"
    opened = await ann.ask("open", game="toy", seats=2, options={"rounds": 2}, clock={"main": 7, "increment": 3})
    assert opened["info"]["options"] == {"rounds": 2}
    assert (await bob.ask("join", table="t1", seat=3))["where"] == "$.seat"
    await bob.ask("join", table="t1", nonce="more-luck")
    await ann.ask("start", table="t1", nonce="luck")
    started = await bob.next("started")
    assert started["nonces"] == ["luck", "more-luck"]
    assert started["clock"] == {"main": 7.0, "increment": 3.0}
    assert started["options"] == {"rounds": 2}
    assert (await bob.next("turn"))["left"] == 10


async def test_a_table_tells_which_of_its_options_are_not_the_usual_ones(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert (await ann.ask("open", game="toy", options={"rounds": 3}))["info"]["options"] == {}
    assert (await ann.ask("open", game="toy", options={"rounds": 2}))["info"]["options"] == {"rounds": 2}
    typist = await hall.typist()
    told = await typist.types("hello bob", "tables")
    assert "t1   toy, open: 1 ann" in told
    assert "t2   toy rounds=2, open: 1 ann" in told


async def test_a_table_opened_without_a_clock_has_the_clock_of_the_server(hall: Hall) -> None:
    rule = {"main": 20.0, "increment": 4.0}
    object.__setattr__(hall.app.config, "clock", type(hall.app.config.clock)(**rule))
    ann = await hall.player("ann")
    assert (await ann.ask("open", game="toy"))["info"]["clock"] == rule


async def test_clocks_can_be_asked_for_by_anybody_and_run_on(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob", clock={"main": 10, "increment": 5})
    eve = await hall.player("eve")
    await trio.sleep(2)
    assert (await eve.ask("clock", table="t1"))["clocks"] == [
        {"seat": 1, "main": 10.0, "running": True, "left": 13.0},
        {"seat": 2, "main": 10.0, "running": True, "left": 13.0},
    ]
    await ann.ask("act", table="t1", turn=1, action=(await ann.next("turn"))["legal"][0])
    assert (await ann.ask("clock", table="t1"))["clocks"][0] == {"seat": 1, "main": 10.0}
    hall.lobby.tables.close_table(
        hall.lobby.tables["t1"], "The operator"
    )  # while bob decides: nothing is awaited any more
    still = [{"seat": 1, "main": 10.0}, {"seat": 2, "main": 10.0}]
    assert (await eve.ask("clock", table="t1"))["clocks"] == still
    assert (await ann.ask("resume", table="t1"))["clocks"] == still


async def test_e06_resigning_hands_the_seat_to_the_house_and_places_it_last(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert (await bob.ask("resign", table="t1"))["type"] == "resigned"
    assert (await bob.ask("resign", table="t1"))["code"] == "game_over"
    told = await ann.next("presence")
    assert (told["seat"], told["how"], told["by"]) == (2, "resigned", "first")
    over = await ann.play_on()
    assert [(result["how"], result["place"]) for result in over["results"]] == [("played", 1), ("resigned", 2)]


async def test_a_seat_that_was_left_is_held_for_the_grace_time_and_then_played_by_the_house(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 3_600, "increment": 60})
    begun = trio.current_time()
    assert (await bob.ask("leave", table="t1"))["held"] == 120
    assert (await ann.next("presence"))["how"] == "left"
    await trio.sleep(119)
    await bob.ask("resume", table="t1", after=3)
    assert (await ann.next("presence"))["how"] == "back"
    assert (await bob.ask("leave", table="t1"))["held"] == 1
    await ann.next("presence")
    lost = await ann.next("presence")
    assert (lost["how"], lost["by"]) == ("left", "first")
    assert trio.current_time() - begun == 120


async def test_the_game_s_own_house_bot_takes_over() -> None:
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, house_seconds=0.0), house=FirstHouse("other", TOY.house_bot, "third"))
        ann, bob = await hall.table_of("ann", "bob")
        await bob.ask("resign", table="t1")
        assert (await ann.next("presence"))["by"] == TOY.house_bot
        nursery.cancel_scope.cancel()


async def test_quitting_in_a_match_holds_the_seat_too(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    assert (await bob.ask("quit"))["reason"] == "quit"
    assert (await ann.next("presence"))["how"] == "left"
    back = await hall.again("bob", bob.token)
    assert (await back.ask("resume", table="t1"))["seat"] == 2
    assert (await ann.next("presence"))["how"] == "back"


async def test_talk_reaches_the_hall_the_table_or_one_player(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    for peer in (ann, bob, eve):
        await peer.ask("lobby", hear="on")
        await peer.heard()
    assert (await ann.ask("say", text="all"))["heard"] == 2
    assert (await ann.ask("say", text="table", table="t1"))["heard"] == 1
    assert (await ann.ask("tell", to="eve", text="one"))["heard"] == 1
    assert [message["text"] for message in await bob.heard()] == ["all", "table"]
    assert await eve.heard() == [
        {"type": "chat", "sender": "ann", "text": "all"},
        {"type": "chat", "sender": "ann", "text": "one", "private": True},
    ]
    assert (await eve.ask("say", text="hi", table="t1"))["code"] == "not_seated"
    assert (await eve.ask("tell", to="zoe", text="hi"))["code"] == "no_such_player"
    assert (await eve.ask("say", text="x" * 300))["heard"] == 2
    assert (await eve.ask("say", text="x" * 301))["code"] == "bad_field"
    assert (await eve.ask("say", text=""))["code"] == "bad_field"


async def test_what_is_said_at_a_running_table_is_numbered_and_in_the_story(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await ann.ask("say", text="good luck", table="t1")
    assert (await bob.next("chat"))["n"] == 4
    story = (await bob.ask("log", table="t1", after=3))["messages"]
    assert story == [{"type": "chat", "sender": "ann", "text": "good luck", "table": "t1", "n": 4}]


async def test_the_server_stops_in_good_order(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    stranger = await hall.connect()
    await ann.heard()
    begun = trio.current_time()
    await hall.app.end_all_sessions()
    assert trio.current_time() - begun <= 2
    for peer in (ann, bob):
        bye = await peer.next("bye")
        assert (bye["reason"], await peer.line()) == ("shutdown", CLOSED)
    assert await stranger.line() == "Goodbye. The server is stopping."
    late = await hall.connect()
    assert (await late.ask("hello", name="cid"))["code"] == "server_full"
    assert "over" not in [message["type"] for message in ann.told]


async def test_g19_after_the_end_seed_salt_and_nonces_open_the_commitment_told_before_any_nonce(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    told = (await ann.ask("open", game="toy", seats=2))["info"]["commitment"]
    await bob.ask("join", table="t1", nonce="y2")
    await ann.ask("start", table="t1", nonce="x1")
    assert (await ann.next("started"))["commitment"] == told
    dealt = (await bob.next("event"))["event"]["cards"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(bob.play_on)
        over = await ann.play_on()
    seed, salt = bytes.fromhex(over["seed"]), bytes.fromhex(over["salt"])
    assert seed_commitment(seed, salt) == told
    state, _told = TOY.start(2, ToyOptions(), Chance(deal_key(seed, ["x1", "y2"])))
    assert to_map(state.view(2))["hand"] == dealt


async def test_long_lists_come_in_parts(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_requests, "ROWS", 3)
    ann = await hall.player("ann")
    for name in ("bob", "cid", "dan", "eve"):
        await (await hall.player(name)).ask("open", game="toy")
    for kind, rows, key in (("who", "players", "name"), ("tables", "tables", "table")):
        first = await ann.ask(kind)
        last = first[rows][-1][key]
        second = await ann.ask(kind, after=last)
        assert (len(first[rows]), first["more"], "more" in second) == (3, True, False)
        found = [row[key] for part in (first, second) for row in part[rows]]
        assert "more" not in await ann.ask(kind, after=found[-4])  # three are left, and three have room
        assert found == {"who": ["ann", "bob", "cid", "dan", "eve"], "tables": ["t1", "t2", "t3", "t4"]}[kind]
    assert (await ann.ask("tables", after="t99")).get("tables", []) == []
    assert (await ann.ask("tables", after="x"))["code"] == "no_such_table"
    typist = await hall.typist()
    assert (await typist.types("hello tim", "tables")).endswith("(more: tables after t3)\n")
    assert (await typist.types("tables after t3")).startswith("t4")


async def test_who_is_here_is_told_in_alphabetical_order_however_names_and_the_one_before_are_written(
    hall: Hall,
) -> None:
    ann, *_ = [await hall.player(name) for name in ("ann", "Zoe", "Bob", "cid")]
    assert [one["name"] for one in (await ann.ask("who"))["players"]] == ["ann", "Bob", "cid", "Zoe"]
    assert [one["name"] for one in (await ann.ask("who", after="CID"))["players"]] == ["Zoe"]


async def test_a_table_that_everybody_left_belongs_to_who_comes_next(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("leave", table="t1")
    joined = await bob.ask("join", table="t1")
    assert joined["info"]["owner"] == "bob"
    assert (await bob.ask("start", table="t1"))["type"] == "table"
