"""Damaged streams: nothing but RemoteProtocolError comes out, and the packets make no difference."""

import random
import sys
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.connection import ClientConnection, ServerConnection
from tests.protocol.driver import END, bytewise, happen
from tests.protocol.mutants import chunks, client_stream, server_stream

FRAMING_CODES = {
    *("line_too_long", "frame_too_big", "truncated", "bad_char", "bad_utf8", "bad_json", "bad_msgpack", "too_deep"),
    *("too_big", "bad_number", "duplicate_key", "not_a_map", "telnet_abuse", "wrong_protocol"),
    *("unknown_type", "unknown_field", "missing_field", "bad_field", "bad_id"),
}


def campaign(numbers: range) -> Counter[str]:
    """Runs the streams with these numbers, each delivered whole, byte by byte and in random packets."""
    seen: Counter[str] = Counter()
    for number in numbers:
        if number % 5 < 4:
            data = server_stream(number)
            events = alike(data, number, ServerConnection)
        else:
            face = "json" if number % 2 else "msgpack"
            data = client_stream(number, face)
            events = alike(data, number, ClientConnection, face)
        for event in events:
            seen[event[0] if isinstance(event, tuple) else type(event).__name__] += 1
    return seen


def alike(data: bytes, number: int, kind: type, *arguments: str) -> list[Any]:
    """The events of a stream, the same in three deliveries."""
    whole = happen(kind(*arguments), [data, END] if data else [END])
    for packets in (bytewise(data), chunks(data, number)):
        assert repr(happen(kind(*arguments), [*packets, END])) == repr(whole), (number, data)  # as text: NaN is not NaN
    return whole


def judge(seen: Counter[str]) -> None:
    """The campaign must have reached good requests of all kinds and every error of the framing."""
    good = {
        "TypedLine",
        "TelnetAnswer",
        "Hello",
        "Ping",
        "Open",
        "Act",
        "Log",
        "Tell",
        "Greeting",
        "Pong",
        "Happened",
        "Error",
    }
    assert set(seen) >= good
    assert set(seen) >= FRAMING_CODES


def test_damaged_streams_give_the_same_events_in_any_packets() -> None:
    judge(campaign(range(3_000)))


@pytest.mark.soak
def test_a_million_damaged_streams() -> None:
    began, step, total = time.monotonic(), 100_000, 1_000_000
    seen: Counter[str] = Counter()
    for start in range(10_000, 10_000 + total, step):
        seen += campaign(range(start, start + step))
        done = start + step - 10_000
        print(f"{done:,} streams, {sum(seen.values()):,} events, {time.monotonic() - began:.0f} s", file=sys.stderr)
    for name, count in seen.most_common():
        print(f"{count:>10,} {name}", file=sys.stderr)
    judge(seen)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(first=st.sampled_from([b"", b"{", b"\0", b"\0\0\0\x05"]), rest=st.binary(max_size=60), number=st.integers(0, 99))
def test_junk_raises_nothing_but_protocol_errors(first: bytes, rest: bytes, number: int) -> None:
    alike(first + rest, number, ServerConnection)


@pytest.mark.parametrize("most", [0x7F, 0x3000, 0x110000])
def test_any_text_without_controls_is_one_typed_line(most: int) -> None:
    """Letters that all know, that most of a continent know, and any; hypothesis would first sort them all."""
    rng = random.Random(most)
    found = rng.choices([*range(0x20, 0x7F), *range(0x80, 0xD800), *range(0xE000, 0x110000)][: most - 0x20], k=1_000)
    letters = "".join(map(chr, found))
    for at in range(0, len(letters), 30):
        clean = letters[at : at + 30]
        events = happen(ServerConnection(), [b"." + clean.encode() + b"\n"])
        assert [event.text for event in events] == ["." + clean]
