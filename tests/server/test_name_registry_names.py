"""Names and what proves them: C01-C07 and C10 of the abuse list, and H01, H02 for every field that takes a name."""

import json

import pytest
import trio
import trio.testing

from protocol.messages.exchanges import EXCHANGES, Permission
from protocol.page.markdown import message_tag
from protocol.proof import make_proof
from tests.helpers.hall import Hall
from tests.helpers.peer import Message, Peer
from tests.helpers.wire import CLOSED

FILL: dict[str, Message] = {
    "hello": {"name": "zoe"},
    "lang": {"lang": "fr"},
    "rules": {"game": "toy"},
    "cards": {"game": "toy"},
    "open": {"game": "toy"},
    "join": {"table": "t1"},
    "add": {"table": "t1", "bot": "first"},
    "start": {"table": "t1"},
    "watch": {"table": "t1"},
    "leave": {"table": "t1"},
    "act": {"table": "t1", "turn": 1, "action": {"do": "play", "card": 1}},
    "look": {"table": "t1"},
    "legal": {"table": "t1"},
    "why": {"table": "t1", "action": {"do": "play", "card": 1}},
    "clock": {"table": "t1"},
    "log": {"table": "t1"},
    "replay": {"table": "t1"},
    "hands": {"table": "t1"},
    "resume": {"table": "t1"},
    "resign": {"table": "t1"},
    "pause": {"table": "t1"},
    "undo": {"table": "t1"},
    "operator": {"word": "guess"},
    "password": {"word": "horse-battery"},
    "kick": {"table": "t1", "player": "ann"},
    "mute": {"table": "t1", "player": "ann"},
    "close": {"table": "t1"},
    "say": {"text": "hi", "table": "t1"},
    **{kind: {"cup": "friday"} for kind in ("cup", "cup_enter", "cup_drop", "standings", "follow")},
    **{kind: {"cup": "friday"} for kind in ("cup_start", "cup_pause", "cup_stop")},
    "cup_open": {"cup": "friday", "game": "toy"},
    "cup_invite": {"cup": "friday", "player": "ann"},
    "cup_clock": {"cup": "friday", "entrant": "ann"},
    "cup_kick": {"cup": "friday", "entrant": "ann"},
    "cup_add": {"cup": "friday", "bot": "first"},
    "cup_log": {"cup": "friday"},
    "ban": {"player": "ann"},
    "announce": {"text": "hi"},
    "cup_replace": {"cup": "friday", "entrant": "ann", "player": "bob"},
    "tell": {"to": "ann", "text": "hi"},
    "pace": {"table": "t1", "seconds": 1.0},
}
ROWS, NO_SEAT = (
    EXCHANGES.values(),
    (Permission.ANYBODY, Permission.STRANGER, Permission.PLAYER, Permission.CUP_OWNER, Permission.OPERATOR),
)
KINDS = [message_tag(kind) for kind in EXCHANGES]
FREE = {message_tag(row.request) for row in ROWS if row.asker in (Permission.ANYBODY, Permission.STRANGER)}


async def refused(hall: Hall, **hello: object) -> str:
    """The code that this hello gets."""
    stranger = await hall.connect()
    answer = await stranger.ask("hello", **hello)
    assert answer["type"] == "error", answer
    await stranger.cut()
    return str(answer["code"])


async def test_the_empty_code_proves_nothing(hall: Hall) -> None:
    await hall.player("ann")
    assert await refused(hall, name="ann", code="") == "name_taken"
    assert await refused(hall, name="ann", proof="0" * 64) == "bad_proof"
    assert await refused(hall, name="ann", code="x") == "bad_proof"


@pytest.mark.parametrize("when", range(8))
async def test_c01_a_second_login_replaces_the_first_at_any_moment_of_a_match(hall: Hall, when: int) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    played = 0
    while played < when and hall.lobby.tables["t1"].state == "playing":
        mover = (ann, bob)[played % 2]
        turn = await mover.next("turn")
        assert (await mover.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0]))["type"] == "accepted"
        played += 1
    left_before = hall.lobby.tables["t1"].seat_clocks()[0] if played < 6 else None
    second = await hall.connect()
    welcome = await second.ask("hello", name="ann", proof=make_proof(ann.token, second.challenge, "ann"))
    assert second.told == []  # no state before resume
    farewell = (await ann.heard())[-1]
    assert (farewell["type"], farewell["reason"]) == ("bye", "replaced")
    assert await ann.line() == CLOSED
    assert [info["table"] for info in welcome["seats"]] == ["t1"]
    resumed = await second.ask("resume", table="t1", after=0)
    story = await second.heard()
    assert [message["n"] for message in story[: resumed["n"]]] == list(range(1, resumed["n"] + 1))
    turns = [message for message in story if message["type"] == "turn"]
    if played < 6:
        assert len(turns) == 1 + played // 2
        after = hall.lobby.tables["t1"].seat_clocks()[0]
        assert left_before is not None
        assert after.main == left_before.main
        assert after.running == left_before.running
    else:
        assert story[-1]["type"] == "over"
    gone = [message["how"] for message in await bob.heard() if message["type"] == "presence"]
    assert gone == (["away", "back"] if played < 6 else [])


async def test_c01_the_old_connection_cannot_act_any_more(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    turn = await ann.next("turn")
    await hall.again("ann", ann.token)
    assert (await ann.heard())[-1]["reason"] == "replaced"
    with pytest.raises((trio.BrokenResourceError, AssertionError)):
        await ann.ask("act", table="t1", turn=1, action=turn["legal"][0])
    assert hall.lobby.tables["t1"].require_match().asked == {1, 2}
    assert not [message for message in await bob.heard() if message.get("event", {}).get("what") == "chose"]


@pytest.mark.parametrize("name", ["ann", "Ann", "ANN", "a-nn", "an_n"])
async def test_c02_a_name_in_use_is_taken_also_in_other_case(hall: Hall, name: str) -> None:
    ann = await hall.player("ann")
    assert await refused(hall, name=name) == "name_taken"
    assert (await ann.ask("ping"))["type"] == "pong"
    assert [player["name"] for player in (await ann.ask("who"))["players"]] == ["ann"]


async def test_c02_a_name_stays_owned_after_its_player_has_gone(hall: Hall) -> None:
    ann = await hall.player("ann")
    assert (await ann.ask("quit"))["reason"] == "quit"
    assert await refused(hall, name="ann") == "name_taken"
    assert (await hall.again("ann", ann.token)).token


async def test_b15_a_flood_of_new_names_pushes_out_no_name_that_was_used(hall: Hall) -> None:
    object.__setattr__(hall.lobby.config, "players", 10)
    ann = await hall.player("ann")
    await ann.ask("quit")
    for number in range(30):
        flooder = await hall.player(f"flood{number}")
        await flooder.cut()
    assert len(hall.lobby.people._known) <= 10
    assert await refused(hall, name="ann") == "name_taken"
    assert (await hall.again("ann", ann.token)).token


async def test_b15_names_that_are_used_can_fill_the_server_and_it_says_so(hall: Hall) -> None:
    object.__setattr__(hall.lobby.config, "players", 3)
    for number in range(3):
        player = await hall.player(f"player{number}")
        await player.ask("quit")
    assert await refused(hall, name="ann") == "server_full"


async def test_c02_of_two_strangers_the_first_to_say_hello_has_the_name(hall: Hall) -> None:
    first, second = await hall.connect(), await hall.connect()
    assert (await second.ask("hello", name="ann"))["type"] == "welcome"
    assert (await first.ask("hello", name="ann"))["code"] == "name_taken"
    assert (await first.ask("hello", name="anna"))["type"] == "welcome"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "аnn",
            "ａｎｎ",
            "a\u200bnn",
            "a\u202enn",
            "a\u0301nn",
            "ann ",
            " ann",
            "a nn",
            "é",
            "1ann",
            "-ann",
            "_a",
            "a",
        ),
        *("x" * 17, "a\x1bb", "a\x9bb", "a\x7fb", "a\rb", "a\nb", "a\x00b", "*", "..", "a/b"),
        *("\u3164\u3164", "\u2800\u2800", "a\u00adnn", "a\u20dd", "ann\ufe0f", "ann\U000e0041", "\u200b\u200b"),
    ],
)
async def test_c03_c06_names_have_letters_of_one_script_and_nothing_unseen(hall: Hall, name: str) -> None:
    assert await refused(hall, name=name) == "bad_name"


@pytest.mark.parametrize(
    "name",
    [
        *("server", "Admin", "all", "h0use", "MAGEHALL", "operator", "spectators", "everyone", "house2"),
        *("first", "First", "f1rst", "first-2", "first2", "FIRST_17", "firstz", "fir5t-2"),
    ],
)
async def test_c06_the_names_of_the_server_s_voices_and_of_house_bots_are_nobody_s(hall: Hall, name: str) -> None:
    assert await refused(hall, name=name) == "name_taken"
    assert await refused(hall, name=name, proof="0" * 64) == "name_taken"


@pytest.mark.parametrize("name", ["first-ann", "firsty", "an-first", "operatic", "alla"])
async def test_a_name_may_begin_like_one_of_the_house_s(hall: Hall, name: str) -> None:
    assert (await hall.player(name)).token


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Il1", "lI1"), ("oO0", "Oo0"), ("mole", "m0ie"), ("sam5", "sams"), ("bob", "B08"), ("zoe", "Z0e")),
        *(
            ("max2", "maxz"),
            ("marnie", "mamie"),
            ("vvanda", "wanda"),
            ("clan", "dan"),
            ("c1an", "Dan"),
            ("r_nax", "Max"),
        ),
    ],
)
async def test_c03_two_names_that_look_alike_are_one_name(hall: Hall, name: str, other: str) -> None:
    await hall.player(name)
    assert await refused(hall, name=other) == "name_taken"


@pytest.mark.parametrize("bad", ["\x1b[2J", "\u202e", "\x9b"])
async def test_c04_no_error_repeats_what_a_terminal_could_obey(hall: Hall, bad: str) -> None:
    ann, _bob = await hall.table_of("ann", "bob")
    for fields in (
        {"kind": "act", "table": "t1", "turn": 1, "action": {"do": f"play{bad}"}},
        {"kind": "act", "table": "t1", "turn": 1, "action": {"do": "play", "card": 1, f"x{bad}": 1}},
        {"kind": "why", "table": "t1", "action": {"do": f"{bad}"}},
        {"kind": f"pi{bad}ng"},
        {"kind": "ping", f"x{bad}": 1},
        {"kind": "hello", "name": bad},
    ):
        answer = await ann.ask(**fields)
        assert answer["type"] == "error", fields
        assert (answer["text"] + answer.get("where", "")).isprintable(), answer
        assert len(answer["text"]) <= 200


async def test_c07_three_wrong_proofs_end_the_connection(hall: Hall) -> None:
    await hall.player("ann")
    thief = await hall.connect()
    for _ in range(2):
        answer = await thief.ask("hello", name="ann", code="guess")
        assert (answer["code"], "closes" in answer) == ("bad_proof", False)
        assert not await thief.heard()
    answer = await thief.ask("hello", name="ann", code="guess")
    assert (answer["code"], answer["closes"]) == ("bad_proof", True)
    assert [message["reason"] for message in await thief.heard()] == ["error"]
    assert await thief.line() == CLOSED


@pytest.mark.parametrize("kind", KINDS)
async def test_c10_a_stranger_gets_nothing_of_a_running_match(hall: Hall, kind: str) -> None:
    await hall.table_of("ann", "bob")
    stranger = await hall.connect()
    answer = await stranger.ask(kind, **FILL.get(kind, {}))
    if kind in FREE:
        assert answer["type"] != "error"
    else:
        assert answer["code"] == "login_first"
    assert stranger.told == []


@pytest.mark.parametrize(
    "kind", ["join", *sorted(message_tag(row.request) for row in ROWS if row.asker not in NO_SEAT)]
)
async def test_c10_d03_who_has_no_seat_is_refused_at_a_table_that_is_there_as_at_one_that_is_not(
    hall: Hall, kind: str
) -> None:
    await hall.table_of("ann", "bob")
    other = await hall.player("eve")
    answer = await other.ask(kind, **FILL[kind])
    for_owners = dict.fromkeys(("add", "start", "pace", "kick", "mute", "close"), "not_owner")
    assert answer["code"] == {"join": "already_started", **for_owners}.get(kind, "not_seated")
    assert (await other.ask(kind, **{**FILL[kind], "table": "t9"}))["code"] == "no_such_table"
    assert await other.heard() == []


async def test_c10_whoever_left_hears_nothing_until_they_come_back(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    await ann.heard()
    held = await ann.ask("leave", table="t1")
    assert held["held"] == 120
    turn = await bob.next("turn")
    await bob.ask("act", table="t1", turn=turn["turn"], action=turn["legal"][0])
    assert await ann.heard() == []
    await ann.ask("resume", table="t1", after=3)
    assert [message["type"] for message in await ann.heard()] == ["presence", "event", "presence"]


async def test_c10_the_seat_of_an_open_table_is_free_again_for_others(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    await ann.ask("open", game="toy", seats=2)
    await bob.ask("join", table="t1")
    await ann.ask("leave", table="t1")
    eve = await hall.player("eve")
    assert (await eve.ask("join", table="t1", seat=1))["seat"] == 1
    assert (await ann.ask("log", table="t1"))["code"] == "not_seated"
    await ann.heard()
    await bob.ask("start", table="t1")
    assert await ann.heard() == []


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "a\0b",
        "CON",
        "x" * 60,
        "'; DROP TABLE players; --",
        "$(id)",
        "%s%n",
        "{0.__class__}",
    ],
)
async def test_h01_h02_a_hostile_name_in_any_field_is_an_unknown_name(hall: Hall, name: str) -> None:
    ann = await hall.player("ann")
    expected = {"no_such_game", "no_such_card", "no_such_table", "no_such_bot", "no_such_player", "bad_field"}
    await ann.ask("open", game="toy")
    for fields in (
        {"kind": "rules", "game": name},
        {"kind": "cards", "game": name},
        {"kind": "cards", "game": "toy", "name": name},
        {"kind": "open", "game": name},
        {"kind": "bots", "game": name},
        {"kind": "join", "table": name},
        {"kind": "watch", "table": name},
        {"kind": "log", "table": name},
        {"kind": "add", "table": "t1", "bot": name},
        {"kind": "tell", "to": name, "text": "hi"},
    ):
        answer = await ann.ask(**fields)
        assert answer.get("code") in expected, (fields, answer)
        assert "root:" not in answer["text"]
    assert (await ann.ask("help", topic=name))["type"] == "page"
    await hall.player("bob")
    assert (await ann.ask("say", text=name.replace("\0", "")[:300]))["heard"] == 1


async def test_requests_of_a_replaced_peer_are_not_done(hall: Hall) -> None:
    ann = await hall.player("ann")
    data = b"".join(
        json.dumps({"type": "say", "id": number, "text": f"line {number}"}).encode() + b"\n" for number in range(2, 300)
    )
    bob = await hall.player("bob")
    await ann.stream.send_all(data)
    new: Peer = await hall.again("ann", ann.token)
    await trio.sleep(20)
    said = [message for message in await bob.heard() if message["type"] == "chat"]
    assert len(said) <= 117
    assert (await new.ask("ping"))["type"] == "pong"
