"""Bytes that no honest client sends: A09, A15, A16, A17 of the abuse list, on memory streams."""

import json
import random
from collections.abc import Sequence
from contextlib import suppress

import msgpack
import pytest
import trio

from matches.house import HouseBots
from protocol import limits
from server.config import Config
from tests.helpers.chance import known_secrets
from tests.helpers.hall import Hall
from tests.helpers.peer import Message
from tests.helpers.wire import frame


async def output(hall: Hall, chunks: list[bytes], *, finish: bool = True) -> bytes:
    """All bytes after the greeting that a stranger gets for these, whatever the face."""
    wire = await hall.wire("text")
    with suppress(trio.BrokenResourceError):  # the server may have closed already
        for chunk in chunks:
            await wire.send_bytes(chunk)
            await trio.testing.wait_all_tasks_blocked()
        if finish:
            await wire.end()
    shown = wire.buffer
    with trio.move_on_after(1_000):
        while data := await wire.stream.receive_some(65_536):
            shown += data
    await trio.testing.wait_all_tasks_blocked()
    return shown


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: mages\r\n\r\n",
        b"POST /login HTTP/1.0\r\nHost: mages\r\n\r\n{}",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
)
async def test_a09_browsers_and_tls_clients_are_told_once_and_sent_away(hall: Hall, data: bytes) -> None:
    shown = await output(hall, [data], finish=False)
    assert shown.count(b"not HTTP or TLS") == 1
    assert shown.endswith(b"The previous error ends the connection.\r\n")
    assert not hall.app.sessions


async def test_a15_msgpack_in_the_json_face_is_one_error_a_line_and_changes_no_face(hall: Hall) -> None:
    ping = frame({"type": "ping", "id": 1})
    shown = await output(hall, [b'{"type":"ping","id":1}\n' + ping + b'\n{"type":"ping","id":2}\n'])
    kinds = [json.loads(line)["type"] for line in shown.splitlines()]
    assert kinds == ["pong", "error", "pong", "bye"]


async def test_a15_text_in_the_msgpack_face_is_a_frame_too_big_and_closes(hall: Hall) -> None:
    ping = frame({"type": "ping", "id": 1})
    shown = await output(hall, [ping + b'{"type":"ping","id":2}\n' + ping])
    messages = []
    while shown:
        size = int.from_bytes(shown[:4], "big")
        messages.append(msgpack.unpackb(shown[4 : 4 + size]))
        shown = shown[4 + size :]
    assert [message["type"] for message in messages] == ["pong", "error", "bye"]
    assert messages[1]["code"] == "frame_too_big"


async def test_a15_json_in_the_text_face_is_an_unknown_word_and_the_person_stays(hall: Hall) -> None:
    shown = await output(hall, [b'ping\n{"type":"ping","id":2}\nping\n'])
    assert shown.split(b"\r\n") == [
        b"pong",
        b"! That is not a command here; try help.",
        b"pong",
        b"Goodbye. You closed your side, and all your requests were answered.",
        b"",
    ]


def pack(plain: Sequence[Message]) -> bytes:
    return b"".join(frame(one) for one in plain)


def lines(plain: Sequence[Message]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\r\n" for one in plain)


REQUESTS = (
    {"type": "ping", "id": 1},
    {"type": "hello", "id": 2, "name": "ann"},
    {"type": "open", "id": 3, "game": "toy", "seats": 2},
    {"type": "add", "id": 4, "table": "t1", "bot": "bob"},
    {"type": "start", "id": 5, "table": "t1"},
    {"type": "say", "id": 6, "table": "t1", "text": "é — ſ"},
    {"type": "nonsense", "id": 7},
    {"type": "why", "id": 8, "table": "t1", "action": {"do": "play", "card": 1}},
    {"type": "act", "id": 9, "table": "t1", "turn": 1, "action": {"do": "play", "card": 99}},
    {"type": "legal", "id": 10, "table": "t1", "seat": 2},
    {"type": "quit", "id": 11},
)
STREAMS = {
    "json": lines(REQUESTS) + b"never read",
    "msgpack": pack(REQUESTS) + b"never read",
    "text": b"hello ann\r\nopen toy 2\nadd bob\rsta\x08art\r\n\xff\xfd\x06sa \xc3\xa9 \xe2\x80\x94\n"
    b"why play 99\r\0l\xff\xfb\x1fegal\n\xe9\n\x1b[2J\nlog\nbro\x03quit\n",
}


async def served(config: Config, house: HouseBots, chunks: list[bytes]) -> bytes:
    """What a fresh server says to these chunks."""
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, config)
        hall.lobby.house = house
        await hall.player("bob", bot=True, tables=1)
        shown = await output(hall, chunks)
        nursery.cancel_scope.cancel()
    return shown


@pytest.mark.parametrize("face", STREAMS)
async def test_a16_however_the_bytes_are_cut_the_answers_are_the_same(
    hall: Hall, config: Config, face: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_secrets(monkeypatch, 1)
    data, house = STREAMS[face], hall.lobby.house
    whole = await served(config, house, [data])
    assert len(whole) > 800
    assert b"You said quit" in whole
    assert await served(config, house, [data[at : at + 1] for at in range(len(data))]) == whole
    for seed in range(20):
        cuts = sorted(random.Random(seed).sample(range(1, len(data)), 12))
        chunks = [data[start:end] for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        assert await served(config, house, chunks) == whole


@pytest.mark.parametrize("face", ["json", "msgpack", "text"])
async def test_a17_of_ten_thousand_requests_before_hello_sixteen_are_handled(hall: Hall, face: str) -> None:
    plain = [{"type": "ping", "id": number} for number in range(1, 10_001)]
    data = {"json": lines(plain), "msgpack": pack(plain), "text": b"ping\n" * 10_000}[face]
    shown = await output(hall, [data], finish=False)
    assert shown.count(b"pong") == 16
    assert shown.count(b"requests came before a hello") == 1
    assert not hall.app.sessions


async def test_a17_ten_thousand_acts_before_hello_reach_no_table(hall: Hall) -> None:
    plain = [{"type": "act", "id": n, "table": "t1", "turn": 1, "action": {}} for n in range(1, 10_001)]
    shown = await output(hall, [lines(plain)], finish=False)
    assert [json.loads(one).get("code") for one in shown.splitlines()] == ["login_first"] * 16 + [
        "too_many_errors",
        None,
    ]


async def test_what_cannot_be_read_counts_also_after_what_could_be(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("ping")
    told = await ann.raw(b"{]\n" * 2 * limits.PROTOCOL_ERRORS)
    assert [one.get("code", one["type"]) for one in told] == ["bad_json"] * limits.PROTOCOL_ERRORS + [
        "too_many_errors",
        "bye",
    ]
    assert [one.get("re") for one in told[:-1]] == [None] * (limits.PROTOCOL_ERRORS + 1)
