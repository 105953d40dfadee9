"""Cups in the hands of those who wish the server, or each other, ill."""

from __future__ import annotations

import time
from typing import Any

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import ClockRule
from protocol.proof import token_key
from server.config import Config
from server.desk.operator import OperatorCommand, OperatorCommands
from tests.helpers.hall import Hall
from tests.server.desk.test_cup_requests import finish, opened
from tournaments.cup import Cup, CupSettings, CupStateChanged, CupStateError, EntrantEntered
from tournaments.formats.knockout import NEAR
from tournaments.formats.registry import make_format
from tournaments.standings import StandingsRow, compute_standings


@pytest.mark.parametrize("kind", ["gauntlet", "knockout"])
def test_d26_a_cup_of_too_many_matches_is_refused_before_any_is_drawn(kind: str) -> None:
    cup = Cup(CupSettings("c", "o", "toy", 2, ClockRule(), kind, "fresh", limits.CUP_ROUNDS, 1, bytes(32)))
    for number in range(limits.ENTRANTS_A_CUP):
        cup.apply(EntrantEntered(0.0, f"e{number}", (f"e{number}",)))
    began = time.process_time()
    with pytest.raises(CupStateError, match="matches; a cup has at most"):
        cup.apply(CupStateChanged(0.0, "running"))
    assert time.process_time() - began < 0.5


def test_d26_a_gauntlet_draws_no_more_rounds_than_are_near() -> None:
    made = make_format("gauntlet", "fresh", 128, 2, 150, 1)
    assert (made.planned, len(made.known_pairings({}))) == (150 * 127, 2 * 127)


def test_d26_a_knockout_draws_no_more_matches_than_are_near() -> None:
    made = make_format("knockout", "fresh", 128, 2, 157, 1)
    assert (made.planned, len(made.known_pairings({}))) == (157 * 127, NEAR)


@pytest.mark.parametrize("least", [1, 3])
async def test_d26_cups_of_one_address_share_the_tables_that_one_may_have(hall: Hall, least: int) -> None:
    hall.limit(tables_a_cup=4)
    hall.limit(tables_a_cup_least=least)
    entrants = [await hall.player(name, bot=True) for name in ("dan", "eve")]
    for owner, address in (("ann", "10.0.0.1"), ("bob", "10.0.0.1"), ("cid", "10.0.0.2")):
        peer = await hall.player(owner, address)
        await peer.ask("cup_open", cup=f"cup-{owner}", game="toy", seats=2, rounds=9, format="knockout")
        for entrant in entrants:
            await entrant.ask("cup_enter", cup=f"cup-{owner}", tables=8)
        await peer.ask("cup_start", cup=f"cup-{owner}")
        await trio.testing.wait_all_tasks_blocked()
    assert [len(live.cup.running_pairings()) for live in hall.lobby.cups.list_cups()] == [4, max(2, least), 4]


async def test_d26_matches_of_cups_begin_when_it_is_their_turn_among_all_that_can_wait(hall: Hall) -> None:
    ann, _peers = await opened(hall, "bob", "carl", seats=2, rounds=1)
    async with hall.lobby.queue:
        await ann.ask("cup_start", cup="friday")
        await trio.testing.wait_all_tasks_blocked()
        assert hall.lobby.tables == {}
    await trio.testing.wait_all_tasks_blocked()
    assert len(hall.lobby.tables.running_tables()) == 1


async def test_d26_matches_that_nobody_plays_do_not_fill_the_server(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=2 * limits.TABLES_A_CUP, format="knockout")
    await ann.ask("cup_start", cup="friday")
    for peer in peers:
        await peer.ask("cup_drop", cup="friday")
    await trio.testing.wait_all_tasks_blocked()
    assert len(hall.lobby.tables.running_tables()) <= limits.TABLES_A_CUP


@pytest.mark.parametrize("config", [Config(tables=1)])
async def test_d26_a_cup_waits_where_the_server_is_full_and_says_so_once(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    ann, peers = await opened(hall, "bob", "carl", "dora", "eve", seats=2, rounds=1)
    await ann.ask("cup_start", cup="friday")
    await trio.sleep(5)
    said = [record.getMessage() for record in caplog.records]
    assert sum(line.startswith("cup friday waits: The server is full: it has 1 tables") for line in said) == 1
    assert len(hall.lobby.tables.running_tables()) == 1
    await finish(hall, peers)
    assert (await ann.ask("cup", cup="friday"))["info"]["played"] == 4


async def test_d26_entering_and_dropping_again_and_again_comes_to_an_end(hall: Hall) -> None:
    _ann, (bob, _carl) = await opened(hall, "bob", "carl")
    answers = []
    for _ in range(limits.CHANGES_AN_ENTRANT):
        answers.append(await bob.ask("cup_drop", cup="friday"))
        answers.append(await bob.ask("cup_enter", cup="friday"))
    assert (answers[-1]["type"], answers[-1]["code"]) == ("error", "cup_state")
    assert len(hall.lobby.cups.get("friday").cup.entries) <= 2 * limits.CHANGES_AN_ENTRANT + 1


async def test_d26_nothing_is_changed_in_a_cup_that_is_over(hall: Hall) -> None:
    ann, (bob, _carl) = await opened(hall, "bob", "carl")
    await ann.ask("cup_stop", cup="friday")
    entries = len(hall.lobby.cups.get("friday").cup.entries)
    for word in ("cup_enter", "cup_drop"):
        assert (await bob.ask(word, cup="friday"))["code"] == "cup_state"
    assert (await ann.ask("cup_replace", cup="friday", entrant="bob", player="ann"))["code"] == "cup_state"
    assert len(hall.lobby.cups.get("friday").cup.entries) == entries


async def test_d26_cups_that_are_over_make_room(hall: Hall) -> None:
    ann = await hall.player("ann")
    for number in range(limits.CUPS + 5):
        assert (await ann.ask("cup_open", cup=f"c{number}", game="toy"))["type"] == "cup_info"
        await ann.ask("cup_stop", cup=f"c{number}")
    assert len(hall.lobby.cups.list_cups()) == limits.CUPS
    assert (await ann.ask("cup", cup="c0"))["code"] == "no_such_cup"


async def test_d26_one_address_holds_only_so_many_cups(hall: Hall) -> None:
    codes = []
    for number in range(limits.CUPS_AN_ADDRESS):
        peer = await hall.player(f"own{number}", "10.0.0.1")
        codes.append((await peer.ask("cup_open", cup=f"c{number}", game="toy")).get("code"))
    assert codes == [None] * limits.CUPS_AN_ADDRESS
    refused = await peer.ask("cup_open", cup="more", game="toy")
    assert (refused["code"], refused["text"][:67]) == (
        "too_many_cups",
        "Your address has 16 cups of 16 that it may have, 1 of them yours. S",
    )
    for number in range(limits.CUPS_AN_ADDRESS, limits.CUPS // 2 + 1):
        peer = await hall.player(f"own{number}", "10.0.0.1")
        codes.append((await peer.ask("cup_open", cup=f"c{number}", game="toy")).get("code"))
    assert codes == [None] * (limits.CUPS // 2) + ["too_many_cups"], "each name has one while there is room"


@pytest.mark.parametrize("config", [Config(name_seconds=10.0)])
async def test_d26_nobody_takes_the_name_of_an_owner_or_entrant_who_is_away(hall: Hall) -> None:
    ann, (bob,) = await opened(hall, "bob")
    await ann.ask("quit")
    await bob.ask("quit")
    await trio.sleep(60)
    eve = await hall.player("eve")
    await eve.ask("tables")
    for name in ("ann", "bob"):
        stranger = await hall.connect()
        assert (await stranger.ask("hello", name=name))["code"] == "name_taken"


async def test_d26_the_operator_forgets_nobody_whom_a_cup_needs(hall: Hall) -> None:
    ann, (bob,) = await opened(hall, "bob")
    await ann.ask("quit")
    await bob.ask("quit")
    await trio.sleep(1)
    for name in ("ann", "bob"):
        with pytest.raises(Refusal, match="is in the cup friday"):
            await OperatorCommands(hall.lobby, hall.nursery, lambda: None).execute(OperatorCommand("forget", who=name))


async def test_d26_who_gave_up_is_not_put_on_another_seat_of_the_cup(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("cup_open", cup="friday", game="toy", seats=2, rounds=2)
    for name in ("bob", "carl"):
        peer = await hall.player(name, bot=True, tables=4)
        await peer.ask("cup_enter", cup="friday")
    await ann.ask("cup_start", cup="friday")
    bob = await hall.again("bob", "the token of bob", bot=True, tables=4)
    await bob.ask("cup_drop", cup="friday")
    assert (await ann.ask("cup_replace", cup="friday", entrant="carl", player="bob"))["code"] == "cup_state"
    assert (await ann.ask("cup_replace", cup="friday", entrant="bob", player="bob"))["type"] == "cup_info"


async def test_d20_nobody_meets_a_deal_twice_by_playing_for_somebody_else(hall: Hall) -> None:
    """The same cards lie at both tables of a round; whoever plays quickly at one would know all hands at the other."""
    ann = await hall.player("ann")
    await ann.ask("cup_open", cup="friday", game="toy", seats=2, rounds=2, deals="duplicate")
    names = ("bob", "carl", "dora", "emil")
    peers = {name: await hall.player(name, bot=True, tables=4) for name in names}
    for peer in peers.values():
        await peer.ask("cup_enter", cup="friday")
    first, second = hall.lobby.cups.get("friday").cup.planned_format().known_pairings({})[:2]
    quick, slow = (names[one.entrants[0]] for one in (first, second))
    await peers[slow].ask("quit")  # so that the others are waited for, and the one match begins alone
    await ann.ask("cup_start", cup="friday")
    await peers[quick].next("started")
    assert [table.state for table in hall.lobby.tables.values()] == ["playing"]
    await hall.player("eve", bot=True, tables=4)
    replaced = {"cup": "friday", "entrant": quick, "player": "eve"}
    assert (await ann.ask("cup_replace", **replaced))["type"] == "cup_info"
    refused = await ann.ask("cup_replace", cup="friday", entrant=slow, player=quick)
    assert (refused["code"], refused["text"]) == (
        "cup_state",
        f"{quick} knows a deal that {slow} still has to play. Ask again when it is over.",
    )
    assert (await ann.ask("cup_replace", **{**replaced, "player": quick}))["type"] == "cup_info"


async def test_d26_whoever_asks_for_standings_hears_them_though_matches_go_on_ending(hall: Hall) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=2)
    live = hall.lobby.cups.get("friday")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    played, results = dict(live.cup.results), live.cup.results
    del results[3], results[4]
    steps = live.tally.update_rows(live.cup)
    live.tally._counting = True  # the thread takes its time
    next(steps)
    results.update(played)
    live.tally._counted, live.tally._counting = 2, False  # what it began with is counted
    assert next(steps, None) is None


async def test_d26_between_standings_that_take_long_the_server_rests(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, peers = await opened(hall, "bob", "carl", seats=2, rounds=2)
    live = hall.lobby.cups.get("friday")
    await ann.ask("cup_start", cup="friday")
    await finish(hall, peers)
    took = list[int]()
    monkeypatch.setattr("server.cups.standings_worker.perf_counter", lambda: 2.0 * sum(took))
    real = compute_standings

    def counted(*args: Any, **kwargs: Any) -> list[StandingsRow]:
        took.append(1)
        assert kwargs["duplicate"] is False, "its deals are fresh"
        return real(*args, **kwargs)

    monkeypatch.setattr("server.cups.standings_worker.compute_standings", counted)
    assert len((await ann.ask("standings", cup="friday"))["rows"]) == 2
    begun = trio.current_time()
    live.tally._counted = 0  # another match is over
    assert len((await ann.ask("standings", cup="friday"))["rows"]) == 2
    assert len(took) == 2
    assert (
        trio.current_time() - begun > 5.9
    )  # three times as long as the first took, but for looking whether it is there


@pytest.mark.parametrize("config", [Config(only_play=True)])
async def test_d26_where_programs_are_only_to_play_nobody_takes_a_name_or_speaks(hall: Hall) -> None:
    hall.lobby.people.register_name("bob", token_key("the token of bob"))
    thief = await hall.connect()
    for name, code in (("bob", "name_taken"), ("eve", "server_full")):
        assert (await thief.ask("hello", name=name))["code"] == code
    bob = await hall.again("bob", "the token of bob", bot=True)
    asked = [
        await bob.ask("say", text="I hold a 7"),
        await bob.ask("tell", to="bob", text="I hold a 7"),
        await bob.ask("open", game="toy"),
        await bob.ask("cup_open", cup="I-hold-a-7", game="toy"),
        await bob.ask("tables"),
        await bob.ask("cups"),
    ]
    assert {answer["code"] for answer in asked} == {"not_operator"}
    assert (await bob.ask("games"))["type"] == "game_list"


async def test_d20_programs_that_play_in_a_cup_cannot_tell_each_other_anything(hall: Hall) -> None:
    ann, (bob, carl) = await opened(hall, "bob", "carl", seats=2, rounds=1)
    assert (await bob.ask("say", text="before"))["type"] == "said"
    assert (await carl.ask("cup_open", cup="sunday", game="toy"))["type"] == "cup_info"
    await ann.ask("cup_start", cup="friday")
    await trio.testing.wait_all_tasks_blocked()
    (table,) = (running.id for running in hall.lobby.tables.running_tables())
    for asked in ({"kind": "say", "text": "x"}, {"kind": "say", "text": "x", "table": table}):
        assert (await bob.ask(**asked))["code"] == "in_cup"
    assert (await carl.ask("tell", to="bob", text="x"))["code"] == "in_cup"
    assert (await carl.ask("cup_open", cup="I-hold-a-7", game="toy"))["code"] == "in_cup"
    assert (await carl.ask("cup_invite", cup="sunday", player="bob"))["code"] == "in_cup"
    assert (await ann.ask("tell", to="bob", text="people may"))["heard"] == 1
    await finish(hall, [bob, carl])
    assert (await bob.ask("say", text="after"))["type"] == "said"
