"""JSON lines and msgpack frames: what is a request, and what is said about everything else."""

import string
import time
import tracemalloc
from typing import Any

import msgpack
import pytest

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.messages import REQUESTS, Act, ClockRule, Open, Ping, Say
from protocol.requests import BY_TYPE, parse_request
from protocol.values import decode_msgpack
from tests.helpers.wire import frame, framed
from tests.protocol.driver import END, bytewise, codes, every_cut, heard, in_json, in_msgpack

ACT: dict[str, Any] = {"type": "act", "id": 5, "table": "t1", "turn": 3, "action": {"do": "bet", "on": [2, 5]}}
TYPED = Act(id=5, table="t1", turn=3, action={"do": "bet", "on": [2, 5]})
PING = {"type": "ping", "id": 1}


def both(*messages: Any) -> list[Any]:
    """What both faces hear, which must be the same."""
    assert in_json(*messages) == in_msgpack(*messages)
    return in_json(*messages)


def act_with(**fields: Any) -> dict[str, Any]:
    return {**ACT, **fields}


def test_a_request_is_the_same_in_both_faces() -> None:
    assert both(ACT, PING) == [TYPED, Ping(id=1)]


def test_every_request_type_is_known_by_its_word() -> None:
    assert {BY_TYPE[word] for word in BY_TYPE} == set(REQUESTS)
    assert BY_TYPE["act"] is Act


LETTERS = string.ascii_letters


def nested(depth: int, innermost: int = 0) -> dict[str, Any]:
    """A request with maps and lists nested so deep, itself included; `innermost` is 1 for a list, 0 for a map."""
    value: Any = 1
    for level in range(innermost, depth - 2 + innermost):
        value = [value] if level % 2 else {"x": value}
    return act_with(action={"x": value})


@pytest.mark.parametrize("innermost", [0, 1])
@pytest.mark.parametrize(("depth", "fits"), [(8, True), (9, False), (60, False)])
def test_a10_nesting_ends_at_eight(depth: int, fits: bool, innermost: int) -> None:
    request = nested(depth, innermost)
    assert isinstance(in_json(request)[0], Act) is fits
    assert isinstance(in_msgpack(request)[0], Act) is fits
    if not fits:
        assert both(request) == [("too_deep", 0, "")]


@pytest.mark.parametrize(
    ("largest", "more", "code"),
    [
        ([1] * limits.LIST_ITEMS, [1] * (limits.LIST_ITEMS + 1), "too_big"),
        (dict.fromkeys(LETTERS[: limits.MAP_ITEMS], 1), dict.fromkeys(LETTERS[: limits.MAP_ITEMS + 1], 1), "too_big"),
        ("x" * limits.STRING_BYTES, "x" * (limits.STRING_BYTES + 1), "too_big"),
        ("\xe9" * (limits.STRING_BYTES // 2), "\xe9" * (limits.STRING_BYTES // 2) + "x", "too_big"),
        (["x" * limits.STRING_BYTES], ["x" * (limits.STRING_BYTES + 1)], "too_big"),
        ({"x" * limits.STRING_BYTES: 1}, {"x" * (limits.STRING_BYTES + 1): 1}, "too_big"),
        (limits.INTEGER, limits.INTEGER + 1, "bad_number"),
        (-limits.INTEGER, -limits.INTEGER - 1, "bad_number"),
        ([limits.INTEGER], [limits.INTEGER + 1], "bad_number"),
        ([-limits.INTEGER], [-limits.INTEGER - 1], "bad_number"),
    ],
)
def test_what_is_as_large_as_a_limit_fits_and_what_is_larger_does_not(largest: Any, more: Any, code: str) -> None:
    assert [type(one) for one in both(act_with(action={"x": largest}))] == [Act]
    ((refused, *_),) = both(act_with(action={"x": more}))
    assert refused == code


def test_a10_abysses_are_refused_without_falling_in() -> None:
    for opening in (b"[", b'{"x":', b'[{"x":'):
        assert in_json(opening * (limits.LINE_BYTES // len(opening)) + b"\n") == [("too_deep", 0, "")]
    for opening in (b"\x91", b"\x81\xa1x", b"\x91\x81\xa1x"):
        body = (b"\x81\xa1x" + opening * limits.FRAME_BYTES)[: limits.FRAME_BYTES]
        assert in_msgpack(body) == [("too_deep", 0, "")]
    closed = b"\x81\xa1x" + b"\x91" * 1_000 + b"\x01"  # as deep as the library goes
    assert in_msgpack(closed) == [("too_deep", 0, "")]


def test_a10_brackets_inside_strings_do_not_nest() -> None:
    assert both({"type": "say", "id": 2, "text": '[[[[[[[[[[{{{{"\\"[['}) == [Say(id=2, text='[[[[[[[[[[{{{{"\\"[[')]


HUGE = b"\xff\xff\xff\xff"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"\xdd" + HUGE, "too_big"),
        (b"\xdf" + HUGE, "too_big"),
        (b"\xdb" + HUGE, "bad_msgpack"),
        (b"\xc6" + HUGE, "bad_msgpack"),
        (b"\xc9" + HUGE + b"\x01", "too_big"),
        (b"\x81\xa1x\xdd" + HUGE, "too_big"),
        (b"\x81\xa1x\xdb" + HUGE, "bad_msgpack"),
    ],
)
def test_a11_declared_sizes_are_refused_at_once(body: bytes, code: str) -> None:
    assert codes(framed(body)) == [code]


def test_a12_a_preallocation_bomb_costs_nothing() -> None:
    bomb = framed((b"\xdd\x00\x00\xff\xff" * 4_000)[: limits.FRAME_BYTES])
    assert codes(bomb) == ["too_big"]
    tracemalloc.start()
    began = time.perf_counter()
    codes(bomb)
    seconds, (_now, peak) = time.perf_counter() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2**20
    assert seconds < 0.5


def test_a12_lists_within_the_limits_cannot_multiply() -> None:
    body = b"\x81\xa1x" + b"\xdc\x00\x40" * 5_000
    assert codes(framed(body)) in (["too_deep"], ["bad_msgpack"])


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("turn", 2**53, "bad_number"),
        ("turn", 2**64 - 1, "bad_number"),
        ("turn", -(2**63), "bad_number"),
        ("turn", -1, "bad_field"),
        ("turn", True, "bad_field"),
        ("turn", 3.0, "bad_field"),
        ("turn", "3", "bad_field"),
        ("turn", None, "bad_field"),
        ("turn", [3], "bad_field"),
        ("turn", float("nan"), "bad_number"),
        ("turn", float("inf"), "bad_number"),
        ("turn", float("-inf"), "bad_number"),
        ("table", 1, "bad_field"),
        ("table", "t" * 33, "bad_field"),
        ("table", "t" * 1_025, "too_big"),
        ("action", [], "bad_field"),
        ("action", "pass", "bad_field"),
    ],
)
def test_a13_wrong_values_are_named_by_code_id_and_path(field: str, value: object, code: str) -> None:
    assert both(act_with(**{field: value})) == [(code, 5, f"$.{field}")]


@pytest.mark.parametrize(
    ("field", "value", "where", "words"),
    [
        ("hear", "never", "$.hear", "live, with_turn, all_with_turn, turns"),
        ("wants", ["view", "views"], "$.wants[1]", "view, legal, knowledge"),
    ],
)
def test_a_word_that_is_none_of_a_fields_words_is_answered_with_those(
    field: str, value: object, where: str, words: str
) -> None:
    with pytest.raises(RemoteProtocolError) as found:
        parse_request({"type": "hello", "id": 5, "name": "ann", field: value})
    assert (found.value.code.name, found.value.where) == ("bad_field", where)
    assert found.value.text.endswith(f"It is one of: {words}.")


def test_a13_the_same_goes_for_what_lies_deeper() -> None:
    assert both(act_with(action={"x": [1, {"y": 2**53}]})) == [("bad_number", 5, "$.action.x[1].y")]
    assert both(act_with(action={"x": [1, {"y": float("nan")}]})) == [("bad_number", 5, "$.action.x[1].y")]
    assert both(act_with(action={"x": [0.5, True, None, -1, "é"]}))[0].action == {"x": [0.5, True, None, -1, "é"]}
    assert both(act_with(action={"x": [1] * 65})) == [("too_big", 5, "$.action.x")]
    assert both(act_with(action={str(i): i for i in range(33)})) == [("too_big", 5, "$.action")]
    ones: dict[str, Any] = {str(i): [1] * 60 for i in range(18)}
    maps: dict[str, Any] = {str(i): [{}] * 60 for i in range(18)}
    assert in_json(act_with(action=ones)) == in_msgpack(act_with(action=ones)) == [("too_big", 0, "")]
    assert in_msgpack(act_with(action=maps)) == [("too_big", 0, "")]
    for action in (ones, {"deeper": ones}, {"a": {"b": {"c": ones}}}):  # what is counted is counted at every depth
        assert in_json(act_with(action=action)) == in_msgpack(act_with(action=action)) == [("too_big", 0, "")]
    assert in_json(b'{"type":"act","id":5,"table":"t","turn":1,"action":{"x":1e999}}\n') == [
        ("bad_number", 5, "$.action.x")
    ]


@pytest.mark.parametrize("value", [b"", b"pass", msgpack.ExtType(5, b"x"), msgpack.Timestamp(1, 2)])
def test_a13_binary_and_ext_values_are_refused(value: object) -> None:
    assert in_msgpack(act_with(table=value)) == [("bad_field", 5, "$.table")]
    assert in_msgpack(act_with(action={"x": [value]})) == [("bad_field", 5, "$.action.x[0]")]


def test_a13_a_timestamp_out_of_range_is_no_crash() -> None:
    for ext in (b"\xc7\x0c\xff" + b"\xff" * 12, b"\xd7\xff" + b"\xff" * 8, b"\xc7\x0c\xff\0\0\0\0\x7f" + b"\xff" * 7):
        assert len(codes(framed(b"\x81\xa1x" + ext))) == 1


@pytest.mark.parametrize("key", [1, 1.5, True, None, b"id"])
def test_a13_keys_are_strings(key: object) -> None:
    assert codes(frame({key: 1})) == ["not_a_map"]
    assert codes(frame(act_with(action={key: 1}))) == ["not_a_map"]


def test_a13_a_key_stands_once() -> None:
    assert in_json(b'{"type":"ping","id":1,"id":2}\n') == [("duplicate_key", 0, "$.id")]
    assert in_json(b'{"type":"say","id":3,"text":"a","text":"a"}\n') == [("duplicate_key", 3, "$.text")]
    twice = b"\x83\xa4type\xa4ping\xa2id\x01\xa2id\x01"
    assert in_msgpack(twice) == [("duplicate_key", 0, "$.id")]
    inner = b'{"type":"act","id":4,"table":"t","turn":1,"action":{"a":[{"b":1,"b":2}]}}\n'
    assert in_json(inner) == [("duplicate_key", 4, "$.action.a[0].b")]


def test_a13_bytes_after_the_map_are_refused() -> None:
    assert in_msgpack(msgpack.packb(PING) + b"\0", PING) == [("bad_msgpack", 0, ""), Ping(id=1)]
    assert in_json(b'{"type":"ping","id":1}{}\n')[0][0] == "bad_json"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"\x81\xa1x", "The frame ends inside a value."),
        (b"\x81\xa1x\xa5ab", "The frame ends inside a value."),
        (b"\x80\x80", "There are bytes after the map in the frame."),
        (b"\xc1", "That is not msgpack."),
    ],
)
def test_a13_it_is_told_what_is_wrong_with_a_frame(body: bytes, text: str) -> None:
    with pytest.raises(RemoteProtocolError) as refused:
        decode_msgpack(body)
    assert (refused.value.code.name, refused.value.text) == ("bad_msgpack", text)


@pytest.mark.parametrize("message", [1, "ping", None, True, [], [1, 2], 1.5])
def test_a13_a_message_is_a_map(message: object) -> None:
    assert both(message, PING) == [("not_a_map", 0, ""), Ping(id=1)]


def test_a14_frame_lengths_outside_the_limits_end_the_connection() -> None:
    for length in (0, limits.FRAME_BYTES + 1, 2**24 - 1):
        data = length.to_bytes(4, "big")
        assert codes(data) == codes(*bytewise(data)) == ["frame_too_big"]
    assert codes(frame(PING) + b"\xff\xff\xff\xff") == [Ping(id=1), "frame_too_big"]


def test_a14_a_frame_of_the_largest_size_is_read() -> None:
    body = msgpack.packb(act_with(action={str(i): "x" * 500 for i in range(32)}))
    data = framed(body + b"\xc0" * (limits.FRAME_BYTES - len(body)))
    assert codes(data, frame(PING)) == ["bad_msgpack", Ping(id=1)]


def test_a14_the_end_inside_a_frame_carries_nothing_out() -> None:
    data = frame(PING) + frame(ACT)
    first = len(frame(PING))
    for length in range(first + 1, len(data)):
        assert codes(data[:length], END) == [Ping(id=1), "truncated"]
    assert codes(data[:first], END) == [Ping(id=1)]
    assert codes(b'{"type":"ping","id":1}', END) == ["truncated"]


def test_a15_the_first_byte_decides_the_face_for_good() -> None:
    assert in_json(frame(PING) + b"\n" + b"help\n", PING)[-2:] == [("bad_json", 0, "column 1"), Ping(id=1)]
    assert codes(frame(PING), b"help\n") == [Ping(id=1), "frame_too_big"]
    assert codes(b'help\n{"type":"ping","id":1}\n')[1].text == '{"type":"ping","id":1}'
    assert codes(b"\x82\xa4type") == []  # map bytes without a length are typed text


def test_a15_everything_pipelined_behind_the_first_byte_is_read_in_its_face() -> None:
    for data in (frame(PING) + frame(ACT), b'{"type":"ping","id":1}\n' + b'{"type":"ping","id":2}\r\n'):
        whole = heard(data)
        assert len(whole) == 2
        assert all(heard(*cut) == whole for cut in every_cut(data))
        assert heard(*bytewise(data)) == whole


def test_d02_no_message_names_a_seat_or_player_to_act_for() -> None:
    for field in ("seat", "player", "name", "as"):
        assert both(act_with(**{field: 2})) == [("unknown_field", 5, f"$.{field}")]


@pytest.mark.parametrize("number", [0, -1, 2**53, 2**63, True, 1.0, "1", None, [], {}, float("nan")])
def test_d06_ids_are_whole_numbers_from_1_to_2_to_the_53rd_less_1(number: object) -> None:
    assert both({"type": "ping", "id": number}) == [("bad_id", 0, "$.id")]


def test_d06_the_largest_id_is_taken_and_a_missing_one_is_missed() -> None:
    assert both({"type": "ping", "id": 2**53 - 1}) == [Ping(id=2**53 - 1)]
    assert both({"type": "ping"}) == [("missing_field", 0, "$.id")]


@pytest.mark.parametrize("card", [-1, 10**9, True, 0.0, "x", None])
def test_d08_an_action_is_carried_as_it_is_for_its_game_to_judge(card: object) -> None:
    assert both(act_with(action={"do": "play", "card": card}))[0].action == {"do": "play", "card": card}


def test_d11_a_client_cannot_send_card_data() -> None:
    for field in ("cards", "power", "cost", "view", "legal"):
        assert both(act_with(**{field: {}})) == [("unknown_field", 5, f"$.{field}")]


def test_a20_unknown_and_missing_things_are_named() -> None:
    assert both({"type": "acts", "id": 1}) == [("unknown_type", 1, "$.type")]
    assert both({"type": 5, "id": 1}) == [("bad_field", 1, "$.type")]
    assert both({"id": 1}) == [("missing_field", 1, "$.type")]
    assert both({"type": "act", "id": 1, "table": "t"}) == [("missing_field", 1, "$.turn")]
    assert both({}) == [("missing_field", 0, "$.type")]
    assert both({"type": "turn", "id": 1}) == [("unknown_type", 1, "$.type")]  # only servers say that


def test_parts_of_messages_are_checked_too() -> None:
    opening = {"type": "open", "id": 1, "game": "ikasamage", "clock": {"main": 10, "increment": 0.5}}
    assert both(opening) == [Open(id=1, game="ikasamage", clock=ClockRule(main=10.0, increment=0.5))]
    assert both({**opening, "clock": {"mian": 1}}) == [("unknown_field", 1, "$.clock.mian")]
    assert both({**opening, "clock": {"main": -1}}) == [("bad_field", 1, "$.clock.main")]
    assert both({**opening, "clock": {"increment": 0}}) == [("bad_field", 1, "$.clock.increment")]
    assert both({**opening, "seats": 17}) == [("bad_field", 1, "$.seats")]
    assert both({"type": "hello", "id": 1, "name": ""}) == [("bad_field", 1, "$.name")]
    assert both({"type": "hello", "id": 1, "name": "a", "games": [1]})[0][:2] == ("bad_field", 1)


def test_errors_repeat_little_of_the_input_and_nothing_raw() -> None:
    hostile = "\x1b[2J" * 100
    for message in ({"type": hostile, "id": 1}, {**PING, hostile: 1}, act_with(action={hostile: 2**60})):
        assert len(both(message)) == 1  # the driver measures texts and looks for control characters


def test_lone_surrogates_and_bad_bytes_are_no_strings() -> None:
    assert in_json(b'{"type":"say","id":1,"text":"\\ud800"}\n') == [("bad_utf8", 1, "$.text")]
    assert in_json(b'{"type":"say","id":1,"text":"\\ud83c\\udfb2"}\n') == [Say(id=1, text="\U0001f3b2")]
    assert in_json(b'{"type":"say","id":1,"text":"\xff"}\n') == [("bad_utf8", 0, "")]
    assert in_msgpack(b"\x81\xa1x\xa1\xff") == [("bad_utf8", 0, "")]


def test_control_characters_between_json_are_named() -> None:
    assert in_json(b'{"type":"ping",\x00"id":1}\n', b'{"type":"say","id":1,"text":"\x07"}\n', PING) == [
        ("bad_char", 0, ""),
        ("bad_char", 0, ""),
        Ping(id=1),
    ]
    assert in_json(b'{"type":"say","id":1,"text":"\\u0007"}\n') == [Say(id=1, text="\x07")]


def test_numbers_of_any_length_are_refused_without_effort() -> None:
    digits = b"9" * 4_000
    assert in_json(b'{"type":"act","id":5,"table":"t","turn":' + digits + b',"action":{}}\n') == [
        ("bad_number", 5, "$.turn")
    ]


@pytest.mark.parametrize("text", [b"", b"{", b"nul", b"{'a':1}", b'{"a":01}', b'{"a":1,}', b"help", b"\xef\xbb\xbf{}"])
def test_other_text_in_the_json_face_is_no_json(text: bytes) -> None:
    assert in_json(text + b"\n", PING)[0][0] == "bad_json"
    assert in_json(text + b"\n", PING)[1] == Ping(id=1)


@pytest.mark.parametrize("body", [b"\xc1", b"\x81", b"\x81\xa1x", b"\x82\xa1x\x01", b"\xa5ab", b"\xcd\x01"])
def test_broken_msgpack_is_refused_and_the_next_frame_read(body: bytes) -> None:
    assert codes(framed(body), frame(PING)) == ["bad_msgpack", Ping(id=1)]
