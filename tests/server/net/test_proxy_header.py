"""Headers of the PROXY protocol, version 1 and 2, as bytes."""

from __future__ import annotations

import struct

import pytest

from server.net.proxy_header import LONGEST, V2, InvalidProxyHeader, ProxyHeader, parse_proxy_header
from tests.helpers.proxy import v1, v2

HERE = "192.0.2.1"


@pytest.mark.parametrize(
    ("data", "source"),
    [
        (v1(HERE), HERE),
        (v1("2001:db8::7", "TCP6"), "2001:db8::7"),
        (b"PROXY UNKNOWN\r\n", ""),
        (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", ""),
        (v2(HERE), HERE),
        (v2("2001:db8::7"), "2001:db8::7"),
        (v2(HERE, more=b"\x04\x00\x01\x00"), HERE),
        (v2(HERE, command=0x20), ""),
        (v2(HERE, family=0x00), ""),
        (V2 + b"\x20\x00\x00\x00", ""),
        (V2 + b"\x21\x31\x00\xd8" + bytes(216), ""),
    ],
)
def test_a_header_is_read_whole_and_never_before_its_last_byte(data: bytes, source: str) -> None:
    assert parse_proxy_header(data) == parse_proxy_header(data + b"hello ann\n") == ProxyHeader(len(data), source)
    assert all(parse_proxy_header(data[:length]) is None for length in range(len(data)))


@pytest.mark.parametrize(
    "data",
    [
        b"hello ann\n",
        b"GET / HTTP/1.1\r\n",
        b"PROXY \n",
        b"PROXY TCP4\r\n",
        b"PROXY TCP5 192.0.2.1 192.0.2.9 1 2\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.9 1\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.9 1 2 3\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.9 1 65536\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.9 -1 2\r\n",
        b"PROXY TCP4 192.0.2.1  192.0.2.9 1 2\r\n",
        b"PROXY TCP4 192.0.2.999 192.0.2.9 1 2\r\n",
        b"PROXY TCP4 \xff\xff 192.0.2.9 1 2\r\n",
        b"PROXY TCP4 2001:db8::7 192.0.2.9 1 2\r\n",
        b"PROXY TCP6 fe80::7%eth0 ::1 1 2\r\n",
        b"PROXY TCP4 192.0.2.1 192.0.2.9 1 2" + b" " * 100,
        v2(HERE, command=0x22),
        v2(HERE, command=0x11),
        v2(HERE, family=0x21),
        V2 + b"\x21\x11\x00\x00",
        V2 + struct.pack("!BBH", 0x21, 0x11, LONGEST),
        V2[:5] + b"help\r\n",
    ],
)
def test_bytes_that_are_no_header_are_refused_as_soon_as_that_is_seen(data: bytes) -> None:
    with pytest.raises(InvalidProxyHeader):
        parse_proxy_header(data)
