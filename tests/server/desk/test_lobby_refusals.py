"""What is refused to who opens, joins, watches and starts tables, in its words; and what is nearly the same is not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import ClockRule
from server.desk.for_all import seats_of
from server.house import HouseBot
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer

OPENS: tuple[str, dict[str, Any]] = ("ann open", {"game": "toy", "seats": 2})
BEGUN: list[tuple[str, dict[str, Any]]] = [OPENS, ("bob join", {}), ("ann start", {})]
AFTER_ITS_LEAST = {"game": "toy", "seats": 2, "delay": limits.LEAST_DELAY}


async def done(hall: Hall, peers: dict[str, Peer], *steps: tuple[str, dict[str, Any]]) -> Message:
    """Everybody takes these steps; returns the last answer. They are about t1 where no table is named."""
    answer: Message = {}
    for step, fields in steps:
        name, _blank, kind = step.partition(" ")
        if name not in peers:
            peers[name] = await hall.player(name)
        about = {} if kind == "open" or kind.startswith("cup_") else {"table": "t1"}
        answer = await peers[name].ask(kind, **{**about, **fields})
    return answer


@pytest.mark.parametrize(
    ("before", "last", "code", "says", "where"),
    [
        ([], ("ann open", {"game": "chess"}), "no_such_game", "The games here are: toy.", ""),
        ([], ("ann open", {"game": "toy", "seats": 5}), "bad_field", "", "$.seats"),
        ([], ("ann open", {"game": "toy", "seats": 2, "seat": 3}), "bad_field", "1 to 2", "$.seat"),
        ([], ("ann open", {"game": "toy", "delay": 1}), "bad_field", f"{limits.LEAST_DELAY} seconds", "$.delay"),
        ([], ("ann open", {"game": "toy", "delay": limits.LEAST_DELAY - 1}), "bad_field", "at least 30", "$.delay"),
        ([], ("ann open", {"game": "toy", "options": {"odd": 1}}), "bad_option", "odd", "$.options"),
        ([OPENS], ("bob join", {"nonce": "a b"}), "bad_field", "printable ASCII", "$.nonce"),
        ([OPENS], ("bob join", {"seat": 3}), "bad_field", "1 to 2", "$.seat"),
        ([OPENS], ("ann start", {"nonce": "a b"}), "bad_field", "printable ASCII", "$.nonce"),
        ([OPENS], ("bob start", {}), "not_owner", "", ""),
        ([OPENS], ("bob add", {"bot": "first"}), "not_owner", "", ""),
        ([OPENS], ("ann add", {"bot": "odd"}), "no_such_bot", "The bots for toy are: first.", ""),
        ([OPENS], ("ann add", {"bot": "bob"}), "no_such_bot", "The bots for toy are: first.", ""),
        ([OPENS], ("ann legal", {}), "not_started", "", ""),
        ([OPENS], ("ann watch", {}), "already_seated", "", ""),
        (BEGUN, ("bob join", {}), "already_seated", "", ""),
        (BEGUN, ("eve join", {}), "already_started", "watch t1 shows it", ""),
        (BEGUN, ("ann start", {}), "already_started", "", ""),
        (BEGUN, ("ann watch", {}), "already_seated", "", ""),
        (BEGUN, ("eve act", {"turn": 1, "action": {}}), "not_seated", "", ""),
        ([("ann open", AFTER_ITS_LEAST)], ("bob join", {}), "not_agreed", "", ""),
    ],
)  # fmt: skip
async def test_what_is_refused_at_a_table_is_said_and_changes_nothing(
    hall: Hall,
    before: list[tuple[str, dict[str, Any]]],
    last: tuple[str, dict[str, Any]],
    code: str,
    says: str,
    where: str,
) -> None:
    peers: dict[str, Peer] = {}
    await hall.player("bob") if last[1].get("bot") == "bob" else None
    assert (await done(hall, peers, *before)).get("type") != "error"
    kept = [table.info() for table in hall.lobby.tables.values()]
    answer = await done(hall, peers, last)
    assert (answer.get("code"), answer.get("where", "")) == (code, where), answer
    assert says in answer["text"]
    assert [table.info() for table in hall.lobby.tables.values()] == kept


async def test_who_opens_or_joins_has_the_seat_that_was_asked_for_or_the_first(hall: Hall) -> None:
    peers: dict[str, Peer] = {}
    assert (await done(hall, peers, ("ann open", {"game": "toy"})))["seat"] == 1
    assert (await done(hall, peers, ("bob open", {"game": "toy", "seats": 3, "seat": 3})))["seat"] == 3
    assert (await done(hall, peers, ("eve join", {"table": "t2", "seat": 2})))["seat"] == 2
    assert (await done(hall, peers, ("ann join", {"table": "t2"})))["seat"] == 1
    assert (await done(hall, peers, ("zoe open", AFTER_ITS_LEAST)))["seat"] == 1
    assert (await done(hall, peers, ("eve join", {"table": "t3", "delay": limits.LEAST_DELAY})))["seat"] == 2
    assert (await done(hall, peers, ("eve join", {"table": "t3"})))["code"] == "already_seated", "and has agreed"


async def test_a_match_that_has_begun_keeps_the_nonces_it_began_with(hall: Hall) -> None:
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS, ("bob join", {"nonce": "b1"}), ("ann start", {"nonce": "a1"}))
    assert (await done(hall, peers, ("ann start", {"nonce": "a2"})))["code"] == "already_started"
    assert [chair.nonce for chair in hall.lobby.tables["t1"].seating.chairs] == ["a1", "b1"]


async def test_who_said_a_language_before_the_name_reads_it_from_then_on(hall: Hall) -> None:
    stranger = await hall.connect()
    await stranger.ask("lang", lang="fr")
    await stranger.ask("hello", name="ann")
    assert getattr(hall.lobby.people.find("ann"), "language", "") == "fr"


async def test_a_person_reads_on_in_the_language_chosen_before_and_a_program_in_the_one_it_says(hall: Hall) -> None:
    ann, said = await hall.player("ann"), dict[str, str]()
    english = (await ann.ask("watch", table="t9"))["text"]
    await ann.ask("lang", lang="fr")
    for client in ("text", "some-bot"):
        again = await hall.again("ann", ann.token, client=client)
        said[client] = (await again.ask("watch", table="t9"))["text"]
    assert said["some-bot"] == english != said["text"]


async def test_a_hello_that_is_said_twice_is_answered_with_the_seats_of_now(hall: Hall) -> None:
    ann = await hall.connect()
    first = await ann.ask("hello", name="ann", id=1)
    await ann.ask("open", game="toy", id=2)
    again = await ann.ask("hello", name="ann", id=1)
    assert (first["type"], first.get("seats", [])) == (again["type"], []) == ("welcome", [])
    assert [info["table"] for info in again["seats"]] == ["t1"]
    assert (await ann.ask("hello", name="ann", id=3))["code"] == "already_logged_in"


async def test_a_welcome_names_where_one_plays_and_of_what_is_over_the_latest(hall: Hall) -> None:
    ann, player = await hall.player("ann"), hall.lobby.people.find("ann")
    assert player is not None
    for table in ("t1", "t2", "t3", "t4"):
        await ann.ask("open", game="toy", seats=2)
        await ann.ask("add", table=table, bot="first")
        await ann.ask("start", table=table)
    for table in ("t1", "t3", "t4"):
        await ann.ask("close", table=table)
    for most, named in ((1, ["t2", "t4"]), (2, ["t2", "t3", "t4"]), (9, ["t1", "t2", "t3", "t4"])):
        hall.limit(tables_a_player=most)
        assert [info.table for info in seats_of(hall.lobby, player)] == named


async def test_a_player_has_so_many_tables_whether_opened_or_joined(hall: Hall) -> None:
    hall.limit(tables_a_player=2)
    peers: dict[str, Peer] = {}
    for _ in range(2):
        assert (await done(hall, peers, OPENS))["type"] == "table"
    assert (await done(hall, peers, OPENS))["code"] == "too_many_tables"
    assert (await done(hall, peers, ("bob open", OPENS[1])))["type"] == "table"
    assert (await done(hall, peers, ("ann join", {"table": "t3"})))["code"] == "too_many_tables"
    await done(hall, peers, ("ann leave", {"table": "t2"}))
    assert (await done(hall, peers, ("ann join", {"table": "t3"})))["type"] == "table"


async def test_no_match_begins_while_none_may_or_with_somebody_whom_a_cup_seats_by_now(hall: Hall) -> None:
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS, ("bob join", {}))
    hall.lobby.let_in(False)
    assert (await done(hall, peers, ("ann start", {})))["code"] == "shutting_down"
    assert (await done(hall, peers, ("ann open", {"game": "toy"})))["code"] == "shutting_down"
    hall.lobby.let_in(True)
    await done(hall, peers, ("ann cup_open", {"cup": "friday", "game": "toy", "seats": 2}))
    for name in ("bob", "eve"):
        await done(hall, peers, (f"{name} cup_enter", {"cup": "friday"}))
    assert (await done(hall, peers, ("ann cup_start", {"cup": "friday"})))["type"] == "cup_info"
    refused = await done(hall, peers, ("ann start", {}))
    assert (refused["code"], refused["text"]) == ("in_cup", "bob plays in a cup, which alone seats them for now.")
    await done(hall, peers, ("ann cup_stop", {"cup": "friday"}))
    assert (await done(hall, peers, ("ann start", {})))["type"] == "table"


async def test_only_so_many_seats_are_given_to_bots_that_may_think(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    may: list[bool] = []
    monkeypatch.setattr(
        "server.table.table.Table.add_house", lambda _table, _name, _seat, may_think: may.append(may_think)
    )
    peers: dict[str, Peer] = {}
    await done(hall, peers, OPENS)
    table, lobby = hall.lobby.tables["t1"], hall.lobby
    for thinking in (3, 4):
        monkeypatch.setattr(lobby, "_thinkers", lambda count=thinking: count)
        lobby.add_bot(table, "first")
    assert may == [True, False]


async def test_a_server_begins_with_its_doors_open_and_without_an_end_in_sight(hall: Hall) -> None:
    assert (hall.lobby.accepting, hall.lobby.draining, hall.lobby.closing) == (True, False, False)
    for everybody in (False, True):
        hall.lobby.let_in(everybody)
        assert (hall.lobby.accepting, hall.lobby.draining) == (everybody, False)
    stranger = await hall.connect("192.0.2.1")
    await stranger.cut()
    await trio.testing.wait_all_tasks_blocked()
    assert hall.lobby.strangers.times("192.0.2.1", trio.current_time()) == 0, "that one came is in the log by now"


async def test_programs_that_play_in_a_cup_or_do_not_agree_are_not_listed(hall: Hall) -> None:
    for name, tables in (("bob", 2), ("carl", 2), ("dora", 1), ("emil", 0)):
        peer = await hall.player(name, bot=True, tables=tables)
        if name in ("bob", "carl"):
            await done(hall, {"ann": peer}, ("ann cup_open", {"cup": "friday", "game": "toy", "seats": 2}))
            await peer.ask("cup_enter", cup="friday")
    owner = await hall.again("bob", "the token of bob", bot=True, tables=2)
    assert [bot["name"] for bot in (await owner.ask("bots"))["bots"]] == ["first", "bob", "carl", "dora"]
    assert (await owner.ask("cup_start", cup="friday"))["type"] == "cup_info"
    assert [bot["name"] for bot in (await owner.ask("bots", game="toy"))["bots"]] == ["first", "dora"]


async def test_what_happens_to_tables_that_nobody_needs_depends_on_the_time_alone(hall: Hall) -> None:
    config, peers = hall.lobby.config, dict[str, Peer]()
    await trio.sleep(2 * config.idle_seconds)
    await done(hall, peers, OPENS, ("bob open", OPENS[1]), ("bob add", {"table": "t2", "bot": "first"}))
    await done(hall, peers, ("bob start", {"table": "t2"}), ("eve open", OPENS[1]), ("eve leave", {"table": "t3"}))
    await peers["bob"].play_on()

    async def here(seconds: float) -> list[str]:
        await trio.sleep(seconds)
        return [one["table"] for one in (await peers["ann"].ask("tables"))["tables"]]

    begun = trio.current_time()
    assert await here(0.9) == ["t1", "t2", "t3"]
    assert await here(1.05) == ["t1", "t2"], "where nobody sits"
    assert await here(begun + config.keep_seconds - 1 - trio.current_time()) == ["t1", "t2"]
    assert await here(2.1) == ["t1"], "what is over"
    assert await here(begun + config.idle_seconds - 1 - trio.current_time()) == ["t1"]
    await trio.sleep(3.1)
    await peers["eve"].ask("open", game="toy")
    assert list(hall.lobby.tables) == ["t4"], "where nothing happens"


async def test_bots_that_think_are_counted_where_a_match_is_not_over(hall: Hall) -> None:
    opened(hall, "ann", "bob")
    for table in hall.lobby.tables.values():
        table.seating.chairs[0].house = cast(HouseBot, SimpleNamespace(seconds=1.0))
        table.seating.chairs[1].house = cast(HouseBot, SimpleNamespace(seconds=0.0))
    assert hall.lobby._thinkers() == 2
    over = hall.lobby.tables["t1"]
    over.stopped = True
    over.done.set()
    assert (over.state, hall.lobby._thinkers()) == ("over", 1)


def opened(hall: Hall, *owners: str) -> list[str]:
    """These have opened a table each, one after the other; returns all that are there."""
    for owner in owners:
        hall.lobby.open("toy", 2, owner, {}, ClockRule())
    return list(hall.lobby.tables)


@pytest.mark.parametrize("config", [{"tables": 3}], indirect=True)
async def test_on_a_full_server_what_is_over_makes_room_before_what_never_started_and_a_cup_has_its_own(
    hall: Hall,
) -> None:
    await trio.sleep(10 * limits.UNSTARTED_SECONDS)
    tables = hall.lobby.tables
    assert opened(hall, "ann", "bob", "eve") == ["t1", "t2", "t3"]
    with pytest.raises(Refusal, match=r"The server is full \(3 tables, as many as it takes\)"):
        opened(hall, "zoe")
    assert opened(hall, "", "", "")[3:] == ["t4", "t5", "t6"], "players leave cups their room"
    with pytest.raises(Refusal, match="as many as it takes"):
        opened(hall, "")
    for table_id in ("t4", "t5", "t6"):
        tables.pop(table_id)
    tables["t1"].touched -= limits.UNSTARTED_SECONDS
    with pytest.raises(Refusal, match="as many as it takes"):
        opened(hall, "zoe")
    tables["t1"].touched -= 2
    tables["t2"].touched -= 1
    tables["t2"].done.set()
    tables["t3"].done.set()
    assert opened(hall, "zoe") == ["t1", "t3", "t7"], "of what is over the one that was over first"
    assert opened(hall, "zoe") == ["t1", "t7", "t8"]
    assert opened(hall, "zoe") == ["t7", "t8", "t9"], "nobody began there for long"
    with pytest.raises(Refusal, match="as many as it takes"):
        opened(hall, "zoe")


async def test_of_their_own_tables_that_are_over_a_player_keeps_the_latest(hall: Hall) -> None:
    hall.limit(finished_a_player=2)
    for table_id in opened(hall, "bob", "bob", "ann", "ann"):
        hall.lobby.tables[table_id].done.set()
    assert opened(hall, "ann") == ["t1", "t2", "t4", "t5"]
    assert opened(hall, "ann") == ["t1", "t2", "t4", "t5", "t6"]
    hall.lobby.tables["t5"].done.set()
    hall.lobby.tables["t6"].done.set()
    assert opened(hall, "ann") == ["t1", "t2", "t6", "t7"]
    assert opened(hall, "")[:2] == ["t1", "t2"]
