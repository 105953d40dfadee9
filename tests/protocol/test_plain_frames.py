"""The short way for nearly all frames: whatever it takes, the long way takes too, and as the same."""

import random
from collections import Counter

import msgpack

from protocol.errors import RemoteProtocolError
from protocol.values import check_message, decode_msgpack, decode_simple_msgpack

ACT = {"type": "act", "id": 70_000, "table": "t12", "turn": 3, "action": {"do": "cast", "card": "might", "fighter": 2}}
VALUES = [
    *(
        0,
        127,
        128,
        255,
        256,
        65_535,
        65_536,
        2**32 - 1,
        2**32,
        2**53,
        2**64 - 1,
        -1,
        -32,
        -33,
        -129,
        -(2**31),
        -(2**63),
    ),
    *(None, True, False, 1.5, "", "a", "x" * 31, "x" * 32, "x" * 300, "é", "日本", b"raw", msgpack.ExtType(1, b"x")),
    *([], [1, [2]], list(range(15)), list(range(16)), {}, {"a": 1}, {str(n): n for n in range(16)}),
]


def long_way(frame: bytes) -> dict[str, object] | None:
    try:
        value = decode_msgpack(frame)
        check_message(value)
    except RemoteProtocolError:
        return None
    return value


def damaged(frame: bytes, chance: random.Random) -> bytes:
    """With bytes changed, put in, left out or given twice."""
    data = bytearray(frame)
    for _ in range(chance.randrange(3)):
        at, end = (chance.randrange(len(data) + 1) for _ in range(2))
        match chance.randrange(4):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                data[at:at] = bytes([chance.randrange(256)])
            case 2:
                del data[at : at + 2]
            case _:
                data[at:at] = data[at:end]
    return bytes(data)


def test_whatever_goes_the_short_way_would_go_the_long_way_and_mean_the_same() -> None:
    chance, seen = random.Random(1), Counter[bool]()
    for _ in range(30_000):
        some = {f"{chance.choice('ab')}{n}": chance.choice(VALUES) for n in range(chance.randrange(5))}
        frame = damaged(msgpack.packb(chance.choice([ACT, some, {"type": "act", "action": some}])), chance)
        plain = decode_simple_msgpack(frame)
        seen[plain is not None] += 1
        if plain is not None:
            assert plain == long_way(frame), frame
            assert repr(plain) == repr(long_way(frame)), frame
    assert min(seen.values()) > 3_000
