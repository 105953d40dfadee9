"""Programs that sleep, flood or cheat: D13-D15 of the abuse list. What it costs them is told to them."""

import json

import pytest
import trio

from games.api import to_map
from protocol.entries import ActionRefused, PresenceChanged
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.toy import Play

CLOCK = {"main": 0, "increment": 2}


async def match_of(hall: Hall, rounds: int = 3, **fields: object) -> tuple[Peer, Peer]:
    """A person, ann, and a program, bot, at a running table."""
    ann, bot = await hall.player("ann"), await hall.player("bot", bot=True, tables=1)
    await ann.ask("open", game="toy", seats=2, options={"rounds": rounds}, **fields)
    await ann.ask("add", table="t1", bot="bot")
    await ann.ask("start", table="t1")
    return ann, bot


async def test_d13_a_sleeper_gets_the_default_action_and_the_third_time_loses_the_seat(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock=CLOCK)
    begun = trio.current_time()
    seen: list[tuple[float, str]] = []
    while True:
        message = await ann.until(lambda message: message["type"] in ("turn", "late", "presence", "over"))
        seen.append((trio.current_time() - begun, message["type"]))
        if message["type"] == "over":
            break
        if message["type"] == "turn":
            await ann.ask("act", table="t1", turn=message["turn"], action=message["legal"][0])
    assert seen == [(0, "turn"), (2, "late"), (2, "turn"), (4, "late"), (4, "turn"), (6, "late"), (6, "over")]
    told = await bob.heard()
    assert [(late["seat"], late["count"]) for late in told if late["type"] == "late"] == [(2, 1), (2, 2), (2, 3)]
    assert [entry.why for entry in hall.done(seat=2)] == ["time"] * 3


@pytest.mark.parametrize("config", [{"late_a_match": 2}], indirect=True)
async def test_d13_a_seat_that_is_taken_over_is_told_and_the_house_plays_it_to_the_end(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock=CLOCK)
    over = await ann.play_on()
    told = await bob.heard()
    lost = next(message for message in told if message["type"] == "presence")
    assert (lost["seat"], lost["name"], lost["how"], lost["by"]) == (2, "bob", "late", "first")
    assert told[-1] == {**over, "n": told[-1]["n"]}
    assert [(result["how"], result["place"], result["late"]) for result in over["results"]] == [
        ("played", 1, 0),
        ("late", 2, 2),
    ]
    assert [entry.why for entry in hall.done(seat=2)] == ["time", "time", "house"]
    assert (await bob.ask("act", table="t1", turn=3, action={"do": "play", "card": 1}))["code"] == "game_over"


@pytest.mark.parametrize("config", [{"late_a_match": 1}], indirect=True)
async def test_d13_a_seat_that_was_taken_over_decides_nothing_more_but_hears_on(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 0, "increment": 2})
    turn = await ann.next("turn")
    await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    await bob.next("presence")
    mine = await bob.ask("look", table="t1")
    assert mine["view"]["seat"] == 2
    for kind in ("legal",):
        assert (await bob.ask(kind, table="t1"))["code"] == "not_your_turn"
    assert (await bob.ask("act", table="t1", turn=2, action={"do": "play", "card": 1}))["code"] == "not_your_turn"
    assert (await bob.ask("resign", table="t1"))["code"] == "game_over"
    assert (await bob.ask("say", table="t1", text="I am here again"))["heard"] == 1
    await ann.play_on()
    assert (await bob.heard())[-1]["type"] == "over"


async def test_d13_everybody_asleep_still_ends_the_match_in_time(hall: Hall) -> None:
    ann, _bob, _cid = await hall.table_of("ann", "bob", "cid", clock={"main": 1, "increment": 2})
    begun = trio.current_time()
    over = await ann.next("over")
    assert trio.current_time() - begun == pytest.approx(3 + 2 + 2)
    assert [result["late"] for result in over["results"]] == [3, 3, 3]


async def test_d13_main_time_is_used_up_once_and_increments_are_not_saved(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", clock={"main": 10, "increment": 2})
    turns = []
    for wait in (1, 7, 2):
        for peer in (ann, bob):
            turn = await peer.next("turn")
            if peer is ann:
                turns.append((turn["left"], turn["main"]))
                await trio.sleep(wait)
            await peer.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert turns == [(12, 10), (12, 10), (7, 5)]


async def test_d14_of_a_flood_of_moves_the_first_counts_and_the_others_are_served(hall: Hall) -> None:
    ann, bot = await match_of(hall)
    turn = await bot.next("turn")
    flood = b"".join(
        json.dumps(
            {"type": "act", "id": number, "table": "t1", "turn": 1, "action": turn["legal"][number % 3]}
        ).encode()
        + b"\n"
        for number in range(2, 20_000)
    )
    await bot.stream.send_all(flood)
    begun = trio.current_time()
    mine = await ann.next("turn")
    assert (await ann.ask("act", table="t1", turn=1, action=mine["legal"][0]))["type"] == "accepted"
    assert trio.current_time() == begun
    await trio.sleep(10)
    answers = [message for message in await bot.heard() if "re" in message]
    assert answers[0]["type"] == "accepted"
    assert {answer["code"] for answer in answers[1:]} <= {"not_your_turn", "stale_turn"}
    assert 500 <= len(answers) <= 100 + 10 * 50 + 32
    done = hall.done(seat=2)
    assert [to_map(entry.action)["card"] for entry in done] == [turn["legal"][2]["card"]]
    begun = trio.current_time()
    mine = await ann.next("turn")
    assert (await ann.ask("act", table="t1", turn=2, action=mine["legal"][0]))["type"] == "accepted"
    assert trio.current_time() == begun


async def test_d14_a_bot_that_answers_each_turn_at_once_is_never_slowed(hall: Hall) -> None:
    begun = trio.current_time()
    bot = await hall.player("bot", bot=True)
    for number in range(1, 61):
        await bot.ask("open", game="toy", seats=2)
        await bot.ask("add", table=f"t{number}", bot="first")
        await bot.ask("start", table=f"t{number}")
        while True:
            message = await bot.until(lambda message: message["type"] in ("turn", "over"))
            if message["type"] == "over":
                break
            await bot.ask("act", table=message["table"], turn=message["turn"], action=message["legal"][0])
    spent = trio.current_time() - begun
    assert spent == pytest.approx((3 * 60 + 1 - 100) / 50, abs=0.5)  # opening is charged, 180 actions are not


async def test_d15_a_bot_that_cheats_three_times_loses_the_decision_and_is_told(hall: Hall) -> None:
    ann, bot = await match_of(hall, clock={"main": 600, "increment": 60})
    await bot.next("turn")
    for still in (True, True, False):
        refused = await bot.ask("act", table="t1", turn=1, action={"do": "play", "card": 99})
        assert (refused["code"], refused["rule"]) == ("illegal_action", "no_such_card")
        assert refused.get("clock_runs", False) is still
    late = await bot.next("late")
    assert (late["seat"], late["count"], late["why"]) == (2, 1, "illegal")
    assert (await ann.next("late"))["why"] == "illegal"
    refused = await bot.ask("act", table="t1", turn=1, action={"do": "play", "card": 99})
    assert refused["code"] == "not_your_turn"


@pytest.mark.parametrize("config", [{"illegal_a_match": 5}], indirect=True)
async def test_d15_a_bot_that_always_cheats_loses_its_seat_and_the_match_goes_on(hall: Hall) -> None:
    ann, bot = await match_of(hall)

    async def cheat() -> None:
        while True:
            message = await bot.next("turn")
            for _ in range(3 if message["turn"] == 1 else 2):
                await bot.ask("act", table="t1", turn=message["turn"], action={"do": "steal"})
            if message["turn"] == 2:
                lost = await bot.next("presence")
                assert (lost["how"], lost["by"]) == ("illegal", "first")
                return

    async with trio.open_nursery() as nursery:
        nursery.start_soon(cheat)
        over = await ann.play_on()
    assert [result["how"] for result in over["results"]] == ["played", "illegal"]
    assert [entry.how for entry in hall.lobby.tables["t1"].entries if isinstance(entry, PresenceChanged)] == ["illegal"]


async def test_d15_a_legal_action_wipes_the_slate_of_that_decision(hall: Hall) -> None:
    ann, bot = await match_of(hall)
    for number in (1, 2):
        turn = await bot.next("turn")
        for _ in range(2):
            await bot.ask("act", table="t1", turn=number, action={"do": "play", "card": 99})
        assert (await bot.ask("act", table="t1", turn=number, action=turn["legal"][0]))["type"] == "accepted"
        mine = await ann.next("turn")
        await ann.ask("act", table="t1", turn=number, action=mine["legal"][0])
    assert not [message for message in await bot.heard() if message["type"] == "late"]


async def test_d15_a_person_may_err_as_often_as_the_clock_allows(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    for _ in range(30):
        assert (await ann.ask("act", table="t1", turn=1, action={"do": "play", "card": 99}))["code"] == "illegal_action"
    assert hall.done() == []
    await bob.heard()
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_what_is_refused_is_kept_in_the_log_and_nobody_else_is_told(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    before = (await bob.ask("log", table="t1"))["messages"], (await bob.ask("look", table="t1"))["n"]
    await bob.heard()
    for action in ({"do": "play", "card": 99}, {"do": "steal", "from": "bob"}):
        refused = await ann.ask("act", table="t1", turn=1, action=action)
    assert await bob.heard() == []
    assert ((await bob.ask("log", table="t1"))["messages"], (await bob.ask("look", table="t1"))["n"]) == before
    assert [message["n"] for message in await ann.heard() if "n" in message] == [1, 2, 3]
    assert hall.lobby.tables["t1"].entries == [
        ActionRefused(0.001, 1, "no_such_card", "You do not have that card.", Play(99)),
        ActionRefused(0.001, 1, "", refused["text"]),
    ]


async def test_d16_a_bot_that_answers_before_it_is_asked_is_refused(hall: Hall) -> None:
    _ann, bot = await match_of(hall)
    turn = await bot.next("turn")
    await bot.ask("act", table="t1", turn=1, action=turn["legal"][0])
    assert (await bot.ask("act", table="t1", turn=2, action=turn["legal"][1]))["code"] == "not_your_turn"


@pytest.mark.parametrize("bot", [False, True])
async def test_a_program_that_says_it_crashed_gives_its_seat_up_and_a_person_s_is_held(hall: Hall, bot: bool) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob", bot=bot)
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("start", table="t1")
    left = await bob.ask("leave", table="t1", crashed=True)
    assert (left["held"] > 0) is not bot
    assert [hall.lobby.tables["t1"].require_match().how[2]] == ["crashed" if bot else "played"]
