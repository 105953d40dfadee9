"""The latest decision of a match is taken back while all people agree, if it has shown nothing that was hidden."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from matches.record import verify_replay
from protocol.entries import ActionTaken, UndoWanted
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import resume, running
from tests.helpers.toy import Play

HINT = "Type confirm on, and each decision waits until you type yes."


async def undo(peer: Peer, *, on: bool = True) -> dict[str, Any]:
    return await peer.ask("undo", table="t1", on=on)


async def play(peer: Peer, place: int = 0) -> dict[str, Any]:
    """Decides the next turn that comes."""
    turn = await peer.next("turn")
    accepted = await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][place])
    assert accepted["type"] == "accepted"
    return turn


async def taken_back(peer: Peer) -> dict[str, Any]:
    return await peer.until(lambda message: message["type"] == "undone" and message["done"])


async def refusal(peer: Peer, *, on: bool = True) -> str:
    answer = await undo(peer, on=on)
    assert answer["code"] == "no_undo", answer
    return str(answer["text"])


async def test_a_decision_is_taken_back_once_the_other_agrees_and_is_made_anew(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 2})
    before = hall.toy().clone()
    turn = await play(ann)
    assert (await undo(ann))["text"] == "You ask to take your decision back."
    asked = await bob.next("undone")
    assert (asked["seat"], asked["decided"], asked["wanting"], asked["done"]) == (1, 1, [1], False)
    assert asked["events"] == [{"what": "chose", "seat": 1}]
    assert hall.toy() != before
    await undo(bob)
    for peer in (ann, bob):
        told = await taken_back(peer)
        assert (told["seat"], told["decided"], told["wanting"]) == (2, 1, [1, 2])
        assert told["events"] == [{"what": "chose", "seat": 1}]
    assert hall.toy() == before
    again = await ann.next("turn")
    assert (again["turn"], again["view"], again["legal"]) == (2, turn["view"], turn["legal"])
    stale = await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    assert (stale["code"], stale["turn"]["turn"]) == ("stale_turn", 2)
    await ann.ask("act", table="t1", turn=2, action=again["legal"][1])
    turn = await bob.until(lambda message: message["type"] == "turn" and message["turn"] == 2)
    await bob.ask("act", table="t1", turn=2, action=turn["legal"][0])
    shown = await ann.until(lambda message: message["type"] == "event" and message["event"]["what"] == "shown")
    assert shown["event"]["cards"][0] == again["legal"][1]["card"]


async def test_a_no_drops_the_wish_and_the_decision_stays(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 2})
    assert await refusal(bob, on=False) == "Nobody asks to take a decision back."
    await play(ann)
    await undo(ann)
    assert await refusal(ann) == "You have asked already; bob may type undo, too."
    await undo(bob, on=False)
    told = await ann.until(lambda message: message["type"] == "undone" and message["seat"] == 2)
    assert (told["wanting"], told["done"]) == ([], False)
    assert await refusal(bob) == f"ann decided last; only the latest decision can be taken back. {HINT}"
    assert hall.toy().to_move() == {2}


async def test_the_next_decision_drops_the_wish(hall: Hall) -> None:
    ann, bob, _cid = await hall.table_of("ann", "bob", "cid", options={"rounds": 2})
    await play(ann)
    await undo(ann)
    await play(bob)
    assert await refusal(bob, on=False) == "Nobody asks to take a decision back."
    assert await refusal(ann) == f"bob decided last; only the latest decision can be taken back. {HINT}"
    assert hall.toy().to_move() == {3}


async def test_what_has_shown_something_stays(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 2})
    assert await refusal(ann) == "Nothing has been decided yet."
    await play(ann)
    await play(bob)
    assert await refusal(bob) == f"Your decision has shown something that was hidden, so it stays. {HINT}"


@pytest.mark.parametrize("config", [{"house_seconds": 5.0}], indirect=True)
async def test_alone_with_house_bots_one_takes_a_decision_back_at_once(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=3, options={"rounds": 2})
    for _bot in range(2):
        await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    before = hall.toy().clone()
    for number in (1, 2, 3):
        assert (await play(ann))["turn"] == number
        await undo(ann)
        assert (await taken_back(ann))["seat"] == 1
        assert hall.toy() == before
    await play(ann)
    await trio.sleep(7)
    assert len(hall.done()) == 4 + 2
    assert await refusal(ann) == f"first-2 decided last; only the latest decision can be taken back. {HINT}"


@pytest.mark.parametrize("config", [{"house_seconds": 5.0}], indirect=True)
async def test_house_bots_wait_for_the_answer_but_not_for_ever(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=3)
    await bob.ask("join", table="t1")
    await ann.ask("add", table="t1", bot="first")
    await ann.ask("start", table="t1")
    await play(ann)
    await undo(ann)
    await trio.sleep(29)
    assert hall.done(seat=3) == []
    await trio.sleep(2)
    told = await bob.until(lambda message: message["type"] == "undone" and message["seat"] == 0)
    assert (told["wanting"], told["done"]) == ([], False)
    await trio.sleep(6)
    assert len(hall.done(seat=3)) == 1


async def test_a_program_is_not_asked_and_takes_nothing_back(hall: Hall) -> None:
    ann, rob = await hall.player("ann"), await hall.player("rob", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=2, options={"rounds": 2})
    await ann.ask("add", table="t1", bot="rob")
    await ann.ask("start", table="t1")
    await play(ann)
    assert await refusal(rob) == "Only people take decisions back and agree to that."
    await undo(ann)
    await taken_back(rob)
    assert (await rob.until(lambda message: message["type"] == "turn" and message["turn"] == 2))["legal"]
    late = await rob.ask("act", table="t1", turn=1, action={"do": "play", "card": 1})
    assert late["code"] == "stale_turn"


async def test_clocks_keep_the_time_that_was_used(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 100, "increment": 10})
    await trio.sleep(30)
    await play(ann)
    await trio.sleep(20)
    await undo(ann)
    await undo(bob)
    clocks = (await ann.ask("clock", table="t1"))["clocks"]
    assert [clock["main"] for clock in clocks] == [80.0, 60.0]
    assert [clock["left"] for clock in clocks] == [90.0, 70.0]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"word": "w"}, "In a cup no decision is taken back."),
        ({"delay": 60}, "Where spectators see all hands, no decision is taken back."),
    ],
)
async def test_nothing_is_taken_back_in_cups_or_where_all_hands_are_shown(
    hall: Hall, fields: dict[str, Any], text: str
) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    vars(hall.lobby.tables["t1"]).update(fields)
    await play(ann)
    assert await refusal(ann) == text


async def test_a_default_action_stays(hall: Hall) -> None:
    ann, bob, _cid = await hall.table_of("ann", "bob", "cid")
    await play(bob)
    await trio.sleep(5)
    turn = await ann.next("turn")
    hall.lobby.tables["t1"].require_live_match().record_entry(
        ActionTaken(5.0, 1, Play(turn["legal"][0]["card"]), "time")
    )
    assert await refusal(ann) == "The server decided for you, and that stays."
    assert await refusal(bob) == f"ann decided last; only the latest decision can be taken back. {HINT}"


async def test_in_a_pause_nothing_is_taken_back(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await play(ann)
    for peer in (ann, bob):
        await peer.ask("pause", table="t1")
    assert await refusal(ann) == "The match is paused; type resume first."


async def test_a_seat_that_a_house_bot_takes_over_is_not_asked(hall: Hall) -> None:
    ann, _bob, cid = await hall.table_of("ann", "bob", "cid", options={"rounds": 3})
    await play(ann)
    await undo(ann)
    await cid.ask("resign", table="t1")
    assert await refusal(cid) == "first plays your seat now."
    dropped = await ann.until(lambda message: message["type"] == "undone" and message["seat"] == 0)
    assert dropped["wanting"] == []


async def test_nobody_asks_without_end(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await play(ann)
    answers = []
    for _time in range(25):
        answers.append((await undo(ann))["type"])
        if answers[-1] == "done":
            await undo(bob, on=False)
        await trio.sleep(1)
    assert answers == ["done"] * 20 + ["error"] * 5


async def test_one_takes_back_two_decisions_one_after_the_other(hall: Hall) -> None:
    ann, bob, cid = await hall.table_of("ann", "bob", "cid")
    before = hall.toy().clone()
    await play(ann)
    await play(bob)
    for asking in (bob, ann):
        for peer in (asking, *(one for one in (ann, bob, cid) if one is not asking)):
            assert (await undo(peer))["type"] == "done"
    assert hall.toy() == before
    assert await refusal(ann) == "Nothing has been decided yet."


async def test_spectators_and_who_comes_back_are_told_of_it_like_the_others(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    eve = await hall.player("eve")
    await eve.ask("watch", table="t1")
    assert (await undo(eve))["code"] == "not_seated"
    await play(ann)
    await bob.close()
    await undo(ann)
    bob = await hall.again("bob", bob.token)
    await bob.ask("resume", table="t1", after=0)
    assert (await bob.next("undone"))["wanting"] == [1]
    await undo(bob)
    assert (await taken_back(eve))["events"] == [{"what": "chose", "seat": 1}]
    heard = [one for one in await ann.heard() if one.get("n")]
    story = (await ann.ask("log", table="t1"))["messages"]
    assert story[-2:] == [one for one in heard if one["type"] in ("undone", "turn")][-2:]


async def test_a_match_in_which_a_decision_was_taken_back_is_verified_like_any_other(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    await play(ann)
    await undo(ann)
    await undo(bob)
    await play(ann, 1)
    turn = await bob.until(lambda message: message["type"] == "turn" and message["turn"] == 2)
    await bob.ask("act", table="t1", turn=2, action=turn["legal"][0])
    await ann.next("over")
    lines = (await ann.ask("replay", table="t1"))["lines"]
    assert sum('"line":"undo"' in line for line in lines) == 2
    verify_replay("".join(f"{line}\n" for line in lines).encode(), {"toy": hall.lobby.games["toy"]})


@pytest.mark.parametrize("agreed", [False, True])
async def test_a_killed_server_goes_on_where_the_decision_was_taken_back_or_may_be(
    autojump_clock: trio.testing.MockClock, agreed: bool
) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
        turn = await play(ann)
        await undo(ann)
        if agreed:
            await undo(bob)
    async with running(disk) as hall:
        ann, bob = await resume(hall, ann, "ann"), await resume(hall, bob, "bob")
        if not agreed:
            assert await refusal(ann) == "You have asked already; bob may type undo, too."
            await undo(bob)
        again = await ann.until(lambda message: message["type"] == "turn" and message["turn"] == 2)
        assert again["legal"] == turn["legal"]
        entries = hall.lobby.tables["t1"].entries
        assert [type(entry) for entry in entries if isinstance(entry, ActionTaken | UndoWanted)] == [
            ActionTaken,
            UndoWanted,
            UndoWanted,
        ]
        await ann.ask("act", table="t1", turn=2, action=again["legal"][0])
        turn = await bob.until(lambda message: message["type"] == "turn" and message["turn"] == 2)
        await bob.ask("act", table="t1", turn=2, action=turn["legal"][0])
        await ann.next("over")
