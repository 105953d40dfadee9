"""Who may do what, when: D01-D11 of the abuse list, G01 for refusals. The state is compared before and after."""

import json

import pytest
import trio
import trio.testing

from games.api import State
from protocol.entries import ActionRefused
from server.table.table import Table
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer

PLAY = {"do": "play", "card": 1}


def table(hall: Hall) -> Table:
    return hall.lobby.tables["t1"]


def frozen(hall: Hall) -> tuple[State, int]:
    """The truth at the table and how much was done; what was tried and refused is in the log too."""
    done = [entry for entry in table(hall).entries if not isinstance(entry, ActionRefused)]
    return table(hall).require_match().state.clone(), len(done)


async def act(peer: Peer, **fields: object) -> Message:
    return await peer.ask("act", **{"table": "t1", "turn": 1, "action": PLAY, **fields})


async def test_d01_an_act_before_the_match_begins_is_not_started(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("open", game="toy")
    assert (await act(ann))["code"] == "not_started"
    for kind in ("look", "legal", "clock", "log", "resume", "resign"):
        assert (await ann.ask(kind, table="t1"))["code"] == "not_started", kind
    assert (await ann.ask("why", table="t1", action=PLAY))["code"] == "not_started"


async def test_d01_an_act_out_of_turn_changes_nothing(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    assert (await act(ann, action=legal[0]))["type"] == "accepted"
    before = frozen(hall)
    for turn in (0, 1, 2, 9, 2**53 - 1):
        refused = await act(ann, turn=turn, action=legal[1])
        assert (refused["code"], refused.get("clock_runs")) == ("not_your_turn", None)
    assert frozen(hall) == before
    assert [message["event"]["what"] for message in await bob.heard() if message["type"] == "event"] == [
        "dealt",
        "chose",
    ]


async def test_d01_nothing_can_be_done_in_a_match_that_is_over(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob", options={"rounds": 1})
    for peer in (ann, bob):
        await act(peer, action=(await peer.next("turn"))["legal"][0])
    assert (await ann.next("over"))["reason"] == "points"
    before = frozen(hall)
    assert (await act(ann))["code"] == "game_over"
    assert (await ann.ask("why", table="t1", action=PLAY))["code"] == "game_over"
    assert (await ann.ask("resign", table="t1"))["code"] == "game_over"
    assert (await ann.ask("legal", table="t1"))["code"] == "game_over", "the same will not succeed later"
    assert (await ann.ask("start", table="t1"))["code"] == "already_started"
    late = await hall.player("cid")
    assert (await late.ask("join", table="t1"))["code"] == "already_started"
    assert (await ann.ask("look", table="t1"))["type"] == "position"
    assert frozen(hall) == before


@pytest.mark.parametrize("extra", ["seat", "player", "name", "as", "you", "owner", "token"])
async def test_d02_an_act_for_another_seat_cannot_be_written(hall: Hall, extra: str) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    before = frozen(hall)
    legal = (await ann.next("turn"))["legal"]
    refused = await act(ann, action=legal[0], **{extra: 2})
    assert (refused["code"], refused["where"]) == ("unknown_field", f"$.{extra}")
    refused = await act(ann, action={**legal[0], extra: 2})
    assert refused["code"] == "bad_action"
    assert frozen(hall) == before


async def test_d03_spectators_and_strangers_cannot_act(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    spectator, other = await hall.player("wanda"), await hall.player("eve")
    await spectator.ask("watch", table="t1")
    legal = (await ann.next("turn"))["legal"]
    before = frozen(hall)
    texts = set()
    for peer in (spectator, other):
        for kind in ("legal", "resume", "resign"):
            assert (await peer.ask(kind, table="t1"))["code"] == "not_seated"
        assert (await peer.ask("why", table="t1", action=legal[0]))["code"] == "not_seated"
        refused = await act(peer, action=legal[0])
        texts.add((refused["code"], refused["text"]))
    assert texts == {("not_seated", "You have no seat at that table.")}
    assert frozen(hall) == before


async def test_d04_the_same_request_again_gives_the_same_answer_and_one_effect(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    first = await act(ann, id=50, action=legal[0])
    before = frozen(hall)
    for _ in range(3):
        assert await act(ann, id=50, action=legal[0]) == first
    assert frozen(hall) == before
    assert sum(message.get("event", {}).get("what") == "chose" for message in await bob.heard()) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "open", "game": "toy"},
        {"kind": "say", "text": "once"},
        {"kind": "tell", "to": "bob", "text": "once"},
        {"kind": "join", "table": "t9"},
        {"kind": "act", "table": "t9", "turn": 1, "action": {}},
    ],
)
async def test_d04_every_request_repeated_under_its_id_is_done_once(hall: Hall, fields: Message) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    first = await ann.ask(**fields, id=7)
    assert await ann.ask(**fields, id=7) == first
    assert len(hall.lobby.tables) <= 1
    assert len(await bob.heard()) <= 1


async def test_d05_the_same_id_with_another_request_does_nothing(hall: Hall) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    assert (await act(ann, id=50, action=legal[0], turn=7))["code"] == "stale_turn"
    before = frozen(hall)
    refused = await act(ann, id=50, action=legal[1])
    assert (refused["code"], refused["re"]) == ("id_reused", 50)
    assert (await ann.ask("ping", id=50))["code"] == "id_reused"
    assert frozen(hall) == before
    assert (await act(ann, id=51, action=legal[0]))["type"] == "accepted"


async def test_d05_the_id_of_hello_is_used_up_like_any_other(hall: Hall) -> None:
    peer = await hall.connect()
    assert (await peer.ask("hello", id=5, name="ann"))["type"] == "welcome"
    assert (await peer.ask("ping", id=5))["code"] == "id_reused"
    assert (await peer.ask("ping", id=3))["code"] == "bad_id"
    assert (await peer.ask("ping", id=6))["type"] == "pong"


@pytest.mark.parametrize("number", [0, -1, 2**53, 2**64, 1.5, 2.0, True, "7", None, [1]])
async def test_d06_an_id_that_is_no_counting_number_is_refused(hall: Hall, number: object) -> None:
    ann = await hall.player("ann")
    await ann.send({"type": "open", "id": number, "game": "toy"})
    refused = await ann.message()
    assert refused["code"] == "bad_id"
    assert "re" not in refused
    assert not hall.lobby.tables


async def test_d06_an_id_that_goes_back_is_refused_with_its_number(hall: Hall) -> None:
    ann = await hall.player("ann")
    for number in range(100, 140):
        assert (await ann.ask("ping", id=number))["type"] == "pong"
    assert (await ann.ask("ping", id=99))["code"] == "bad_id"
    assert (await ann.ask("ping", id=100))["code"] == "bad_id"  # its answer is no longer kept
    assert (await ann.ask("ping", id=139))["type"] == "pong"
    assert (await ann.ask("ping", id=2**53 - 1))["type"] == "pong"


async def test_d07_an_answer_to_an_older_turn_is_refused_with_the_current_turn(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    await act(ann, action=legal[0])
    await act(bob, action=(await bob.next("turn"))["legal"][0])
    current = await ann.next("turn")
    before = frozen(hall)
    for turn in (1, 0, 3, 2**53 - 1):
        refused = await act(ann, action=legal[1], turn=turn)
        assert refused["code"] == "stale_turn"
        assert refused["clock_runs"] is True
        assert {**refused["turn"], "left": 0} == {**current, "left": 0}
    assert frozen(hall) == before
    assert (await act(ann, action=refused["turn"]["legal"][0], turn=refused["turn"]["turn"]))["type"] == "accepted"


async def test_d08_a_card_one_does_not_hold_is_refused_alike_wherever_it_is(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    mine = {action["card"] for action in (await ann.next("turn"))["legal"]}
    theirs = {action["card"] for action in (await bob.next("turn"))["legal"]}
    before = frozen(hall)
    answers = set()
    for card in [*sorted(theirs), *(set(range(1, 13)) - mine - theirs), -1, 0, 10**9, 2**53 - 1, -(2**53) + 1]:
        refused = await act(ann, action={"do": "play", "card": card})
        refused.pop("re")
        answers.add(json.dumps(refused))
    assert len(answers) == 1
    assert json.loads(answers.pop())["rule"] == "no_such_card"
    assert frozen(hall) == before


@pytest.mark.parametrize("card", [True, False, 0.0, 3.0, "3", None, [], {}, [3]])
async def test_d08_d09_what_is_no_number_is_no_card(hall: Hall, card: object) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    before = frozen(hall)
    refused = await act(ann, action={"do": "play", "card": card})
    assert (refused["code"], refused["where"], refused["clock_runs"]) == ("bad_action", "$.action", True)
    assert frozen(hall) == before


@pytest.mark.parametrize("card", [2**53, 2**63, 2**64, -(2**63)])
async def test_d09_numbers_that_not_every_language_has_are_refused(hall: Hall, card: int) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    refused = await act(ann, action={"do": "play", "card": card})
    assert (refused["code"], refused["where"]) == ("bad_number", "$.action.card")


async def test_d09_nobody_else_hears_of_a_refused_action(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    spectator = await hall.player("wanda")
    await spectator.ask("watch", table="t1")
    await bob.heard()
    for card in (99, -1, 0):
        assert (await act(ann, action={"do": "play", "card": card}))["code"] == "illegal_action"
    assert await bob.heard() == []
    assert await spectator.heard() == []


async def test_d10_choices_in_the_same_moment_are_taken_in_the_order_of_the_log(hall: Hall) -> None:
    orders = set()
    for number in range(12):
        peers = [await hall.player(f"p{number}x{seat}") for seat in "abcd"]
        opened = await peers[0].ask("open", game="toy", seats=4)
        name = opened["info"]["table"]
        for peer in peers[1:]:
            await peer.ask("join", table=name)
        await peers[0].ask("start", table=name)
        turns = [await peer.next("turn") for peer in peers]
        async with trio.open_nursery() as nursery:
            for peer, turn in zip(peers, turns, strict=True):
                request = {"type": "act", "id": 90, "table": name, "turn": 1, "action": turn["legal"][0]}
                nursery.start_soon(peer.send, request)
        await trio.testing.wait_all_tasks_blocked()
        logged = [entry.seat for entry in hall.done(name)]
        assert sorted(logged) == [1, 2, 3, 4]
        orders.add(tuple(logged))
        for seat, peer in enumerate(peers, 1):
            told = await peer.heard()
            chose = [message["event"]["seat"] for message in told if message.get("event", {}).get("what") == "chose"]
            assert chose == logged
            mine = next(index for index, message in enumerate(told) if message["type"] == "accepted")
            assert told[mine + 1]["event"] == {"what": "chose", "seat": seat}
    assert len(orders) > 1  # trio shuffles its tasks, so that the test means something


@pytest.mark.parametrize("extra", ["power", "cost", "text", "cards", "owner", "hand", "target"])
async def test_d11_data_about_cards_from_a_client_is_refused(hall: Hall, extra: str) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    before = frozen(hall)
    assert (await act(ann, action={**legal[0], extra: 99}))["code"] == "bad_action"
    assert (await act(ann, action=legal[0], **{extra: 99}))["code"] == "unknown_field"
    assert (await act(ann, action=legal))["code"] == "bad_field"
    assert (await act(ann, action={}))["code"] == "bad_action"
    assert frozen(hall) == before


async def test_why_says_what_the_rules_say_and_does_nothing(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    legal = (await ann.next("turn"))["legal"]
    before = frozen(hall)
    assert (await ann.ask("why", table="t1", action=legal[0]))["legal"] is True
    refused = await ann.ask("why", table="t1", action={"do": "play", "card": 99})
    assert (refused["legal"], refused["rule"]) == (False, "no_such_card")
    assert frozen(hall) == before
    await act(ann, action=legal[0])
    assert (await ann.ask("why", table="t1", action=legal[0]))["rule"] == "not_now"
    assert (await bob.ask("why", table="t1", action={"do": "fly"}))["code"] == "bad_action"
