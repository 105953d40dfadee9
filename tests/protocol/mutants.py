"""Streams that are almost right: valid ones, damaged in structure and in bytes, a pure function of a number."""

import json
import random
from collections.abc import Callable
from typing import Any

import msgpack

from tests.helpers.wire import framed

REQUESTS: list[dict[str, Any]] = [
    {"type": "hello", "id": 1, "name": "Ada", "bot": True, "games": ["ikasamage"]},
    {"type": "ping", "id": 2},
    {"type": "open", "id": 3, "game": "ikasamage", "seats": 4, "clock": {"main": 60.5, "increment": 5}},
    {"type": "act", "id": 4, "table": "t1", "turn": 3, "action": {"do": "bet", "on": [2, 5]}},
    {"type": "log", "id": 5, "table": "t1", "after": 17},
    {"type": "tell", "id": 6, "to": "Bob", "text": 'é \U0001f3b2 [{\\"'},
]
TYPED = [
    b"help\r\n",
    b"bet 2 5\n",
    b"cast fire\x7f\x08ball 3\r\0",
    "say é\r".encode(),
    b"\xff\xf4\xff\xfd\x06",
    b"\r\n\n",
]
MESSAGES: list[dict[str, Any]] = [
    {"type": "pong", "re": 2},
    {"type": "event", "table": "t1", "n": 3, "event": {"what": "bet", "seat": 1}},
    {"type": "error", "re": 4, "code": "stale_turn", "text": "x", "turn": {"turn": 4}},
    {"type": "someday", "new": [1, 2]},
]
GREETING = b"magehall 2 0.1.0 challenge=00ff; type help\r\n"

VALUES: list[Any] = [
    *(0, -1, 1.5, True, None, "", "x" * 40, "\x1b[2J", "é", [], {}, [[[[[[[[[1]]]]]]]]], {"a": {"b": {"c": 1}}}),
    *(
        2**53,
        2**63,
        -(2**63),
        float("nan"),
        float("inf"),
        [0] * 65,
        "y" * 1_025,
        {"seat": 2},
        {str(i): i for i in range(33)},
    ),
]
SPLINTERS = [
    *(
        b"\0",
        b"\n",
        b"\r",
        b"\xff",
        b"\xff\xfa",
        b"\xff\xf0",
        b"\x1b",
        b"\x03",
        b"\x80",
        b"\xc3",
        b'"',
        b"{",
        b"]",
        b"\\",
    ),
    *(b"\x16\x03", b"GET / HTTP/1.1\r\n", b"NaN", b"1e999", b"\xdd\xff\xff\xff\xff", b"\xc1", b"\xc7", b"\x91" * 40),
    *(b"\0\0\0\0", b"\0\0\0\2", b"\0\xff\xff\xff", b"[" * 30, b'"id":1,', b"\\ud800", b"\xe2\x80\xa8"),
]
LOGS = [b"x" * 4_100, b"\xff\xfa" + b"y" * 65, b"z" * 4_096 + b"\r\n"]


def server_stream(number: int) -> bytes:
    """What a damaged client could send; the kind of face and of damage depend on the number."""
    rng = random.Random(number)
    face = number % 3
    if face == 0:
        parts = [rng.choice(TYPED) for _ in range(rng.randint(1, 4))]
    else:
        write = _line if face == 1 else _frame
        parts = [_written(rng, write, rng.choice(REQUESTS)) for _ in range(rng.randint(1, 2))]
    return _bruised(rng, b"".join(parts))


def client_stream(number: int, face: str) -> bytes:
    """What a damaged server could send."""
    rng = random.Random(number)
    write = _line if face == "json" else _frame
    parts = [_written(rng, write, rng.choice(MESSAGES)) for _ in range(rng.randint(1, 3))]
    body = b"".join(parts)
    return _bruised(rng, GREETING + body) if rng.random() < 0.1 else GREETING + _bruised(rng, body)


def chunks(data: bytes, number: int) -> list[bytes]:
    """The stream in packets of random sizes."""
    rng = random.Random(number)
    pieces, at = [], 0
    while at < len(data):
        size = rng.choice((1, 2, 3, 7, 20, 80))
        pieces.append(data[at : at + size])
        at += size
    return pieces


def _line(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def _frame(message: Any) -> bytes:
    return framed(msgpack.packb(message))


def _written(rng: random.Random, write: Callable[[Any], bytes], message: dict[str, Any]) -> bytes:
    if rng.random() < 0.02:
        return _doubled(write(message))
    return write(_mutated(rng, message) if rng.random() < 0.6 else message)


def _doubled(written: bytes) -> bytes:
    """A JSON line or frame whose map has one more `id`."""
    if written.startswith(b"{"):
        return written.replace(b"{", b'{"id":1,', 1)
    return framed(bytes((written[4] + 1,)) + written[5:] + b"\xa2id\x01")


def _mutated(rng: random.Random, message: dict[str, Any]) -> Any:
    """One field gone, changed or added, at the top or inside; or something else in its place."""
    choice = rng.random()
    if choice < 0.05:
        return rng.choice(VALUES)
    changed = dict(message)
    key = rng.choice(list(changed))
    if choice < 0.25:
        del changed[key]
    elif choice < 0.6:
        changed[key] = rng.choice(VALUES)
    elif choice < 0.75:
        changed[rng.choice(("seat", "id", "type", "action", "\x1b", "é", "k" * 60))] = rng.choice(VALUES)
    elif isinstance(changed[key], dict):
        changed[key] = _mutated(rng, changed[key]) if changed[key] else {}
    else:
        changed[key] = [changed[key], rng.choice(VALUES)]
    return changed


def _bruised(rng: random.Random, data: bytes) -> bytes:
    """The bytes with a few wounds, or none."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        at = rng.randint(0, len(data))
        match rng.randrange(5):
            case 0:
                data = data[:at] + (rng.choice(SPLINTERS) if rng.random() < 0.95 else rng.choice(LOGS)) + data[at:]
            case 1:
                data = data[:at] + data[at + rng.randint(1, 5) :]
            case 2:
                data = data[:at]
            case 3 if at < len(data):
                data = data[:at] + bytes((data[at] ^ (1 << rng.randrange(8)),)) + data[at + 1 :]
            case _:
                data = data[:at] + rng.randbytes(rng.randint(1, 6)) + data[at:]
    return data
