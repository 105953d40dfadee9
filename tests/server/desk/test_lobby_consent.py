"""Nobody is seated who did not agree to it, nor at more tables than they agreed to."""

from __future__ import annotations

import pytest
import trio

from protocol import limits
from tests.helpers.hall import Hall


async def test_a_program_that_did_not_say_at_how_many_tables_is_never_seated(hall: Hall) -> None:
    ann, robo = await hall.player("ann"), await hall.player("robo", bot=True)
    await ann.ask("open", game="toy", seats=3)
    assert (await ann.ask("add", table="t1", bot="robo"))["code"] == "no_such_bot"
    assert [bot["name"] for bot in (await ann.ask("bots"))["bots"]] == ["first"]
    assert await robo.heard() == []


async def test_d14_a_program_is_seated_at_no_more_tables_than_it_agreed_to(hall: Hall) -> None:
    ann, robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=2)
    for table in ("t1", "t2", "t3"):
        await ann.ask("open", game="toy", seats=3)
        answer = await ann.ask("add", table=table, bot="robo")
    assert (answer["code"], answer["again"]) == ("no_such_bot", True)
    assert answer["text"] == "robo takes no more seats now."
    assert [bot["name"] for bot in (await ann.ask("bots"))["bots"]] == ["first"]
    assert len([told for told in await robo.heard() if told["type"] == "seated"]) == 2


async def test_b18_of_many_programs_the_first_are_listed_and_every_one_can_be_added(hall: Hall) -> None:
    hall.limit(programs_listed=2)
    ann, *_ = [
        await hall.player("ann"),
        *[await hall.player(name, bot=True, tables=1) for name in ("ed", "flo", "gus")],
    ]
    await ann.ask("open", game="toy", seats=3)
    assert [bot["name"] for bot in (await ann.ask("bots", game="toy"))["bots"]] == ["first", "ed", "flo"]
    assert (await ann.ask("add", table="t1", bot="gus"))["type"] == "table"


async def test_an_owner_is_told_by_name_why_a_program_cannot_be_seated(hall: Hall) -> None:
    ann, _robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=2)
    await ann.ask("open", game="toy", seats=3)
    await ann.ask("add", table="t1", bot="robo")
    again = await ann.ask("add", table="t1", bot="robo")
    assert (again["code"], again["text"]) == ("already_seated", "robo already has a seat at that table.")
    await ann.ask("kick", table="t1", player="robo")
    kicked = await ann.ask("add", table="t1", bot="robo")
    assert (kicked["code"], kicked["text"]) == ("kicked", "robo was removed from that table.")


async def test_d14_a_program_plays_in_a_cup_for_somebody_else_at_no_more_tables_than_it_agreed_to(hall: Hall) -> None:
    ann, bob, carl = [await hall.player(name) for name in ("ann", "bob", "carl")]
    robo = await hall.player("robo", bot=True, tables=3)
    replaced = {"cup": "friday", "entrant": "bob", "player": "robo"}
    await ann.ask("cup_open", cup="friday", game="toy", seats=2, rounds=4)
    for peer in (bob, carl):
        await peer.ask("cup_enter", cup="friday", tables=64)
    for table in ("t1", "t2", "t3"):
        await ann.ask("open", game="toy", seats=3)
        await ann.ask("add", table=table, bot="robo")
    assert (await ann.ask("cup_replace", **replaced))["text"] == "robo takes no more seats now."
    for table in ("t1", "t2"):
        await robo.ask("leave", table=table)
    info = (await ann.ask("cup_replace", **replaced))["info"]
    assert info["entrants"][0] == {"entrant": "bob", "tables": 2}
    await robo.heard()
    await ann.ask("cup_start", cup="friday")
    await trio.sleep(1)
    assert len([told for told in await robo.heard() if told["type"] == "seated"]) == 2
    info = (await ann.ask("cup_replace", **{**replaced, "player": "bob"}))["info"]
    assert info["entrants"][0] == {"entrant": "bob", "tables": 64}, "what bob said holds for bob again"


async def test_d14_a_seat_given_up_leaves_room_for_another_one(hall: Hall) -> None:
    ann, robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=1)
    for table in ("t1", "t2"):
        await ann.ask("open", game="toy", seats=2, clock={"main": 86_400, "increment": 3_600})
        assert (await ann.ask("add", table=table, bot="robo"))["type"] == "table"
        await ann.ask("start", table=table)
        await robo.ask("resign", table=table)
    assert [bot["name"] for bot in (await ann.ask("bots"))["bots"]] == ["first", "robo"]


async def test_d14_seats_given_up_do_not_count_against_the_limit_of_a_player(hall: Hall) -> None:
    ann, robo = await hall.player("ann"), await hall.player("robo", bot=True, tables=limits.TABLES_A_PLAYER)
    for number in range(1, limits.TABLES_A_PLAYER + 1):
        await ann.ask("open", game="toy", seats=2, clock={"main": 86_400, "increment": 3_600})
        assert (await ann.ask("add", table=f"t{number}", bot="robo"))["type"] == "table"
        await ann.ask("start", table=f"t{number}")
        await robo.ask("resign", table=f"t{number}")
    assert (await robo.ask("open", game="toy"))["type"] == "table"


@pytest.mark.parametrize("config", [{"illegal_a_decision_person": 5, "illegal_a_match_person": 8}], indirect=True)
async def test_d15_a_program_that_hides_being_one_is_held_to_a_limit_too(hall: Hall) -> None:
    _ann, bob = await hall.table_of("ann", "bob")
    for _ in range(5):
        await bob.ask("act", table="t1", turn=1, action={"do": "play", "card": 99})
    assert (await bob.next("late"))["why"] == "illegal"


async def test_d15_at_last_a_match_has_had_enough_of_a_person_s_errors(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 86_400, "increment": 3_600})
    for number in (1, 2, 3):
        for _ in range(limits.ILLEGAL_A_DECISION_PERSON):
            await bob.ask("act", table="t1", turn=number, action={"do": "steal"})
        turn = await ann.next("turn")
        if number < 3:
            await ann.ask("act", table="t1", turn=number, action=turn["legal"][0])
    lost = await bob.next("presence")
    assert (lost["how"], lost["by"]) == ("illegal", "first")
