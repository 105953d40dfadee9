"""Bytes that are no request: what terminals send between lines, and messages that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from tests.attacks.scene import Scene, attack

TERMINALS = 4
BLOCK = 65_536


def _typed(scene: Scene, data: bytes) -> None:
    """The same bytes over and over from a few terminals."""
    block = data * (BLOCK // len(data))
    scene.ready()
    scene.flood(TERMINALS, lambda _number: repeat(block), {})


@attack()
def interrupts(scene: Scene) -> None:
    """Terminals that send nothing but Ctrl-C."""
    _typed(scene, b"\x03")


@attack()
def backspaces(scene: Scene) -> None:
    """Terminals that send nothing but backspaces."""
    _typed(scene, b"\x08")


@attack()
def telnet_nops(scene: Scene) -> None:
    """Terminals that send nothing but telnet's IAC NOP."""
    _typed(scene, b"\xff\xf1")


@attack()
def empty_lines(scene: Scene) -> None:
    """Terminals that send nothing but empty lines."""
    _typed(scene, b"\r\n")


@attack()
def typed_and_taken_back(scene: Scene) -> None:
    """Terminals that type a letter and take it back."""
    _typed(scene, b"a\x08")


JUNK_LINES = (
    b'{"type":"ping","id":1,"x":[' + b"0," * 2_000 + b"0]}\n",  # too long a list
    b'{"type":' * 400 + b"1\n",  # torn, and too deep
    b'{"a":"' + b'\\"' * 2_000 + b'"}\n',  # escapes
    b"{" + b'"k":1,' * 600 + b'"k":1}\n',  # one key many times
    b"{" + b"[]" * 2_000 + b"\n",
    b'{"type":"act","id":2,"table":"t1","turn":1,"action":{"do":"' + b"\xff" * 3_000 + b'"}}\n',
)
JUNK_FRAMES = (
    b"\xdc\x00\x40" + b"\xdc\x00\x40" * 5_000,  # lists in lists, torn
    b"\xde\x00\x20" + b"\xa1k\x01" * 32,  # one key many times
    b"\x81\xa1x" + (b"\xdc\x00\x40" + b"\x80" * 64) * 20,  # maps, then more than the map
    b"\xc1" * 16_000,
    b"\x81\xa1x\xda\x3e\x00" + b"x" * 15_872,  # too long a text
)


@attack(processes=2)
def junk_json(scene: Scene) -> None:
    """JSON lines that cannot be read, from 16 connections that come again as soon as they are thrown out."""
    block = b"".join(JUNK_LINES) * 2

    def script(_number: int) -> Iterator[bytes]:
        yield block

    scene.ready()
    scene.flood(16, script, {"errors": b'"type":"error"'})


@attack(processes=2)
def junk_msgpack(scene: Scene) -> None:
    """The same in msgpack."""
    block = b"".join(len(each).to_bytes(4, "big") + each for each in JUNK_FRAMES) * 2

    def script(_number: int) -> Iterator[bytes]:
        yield block

    scene.ready()
    scene.flood(16, script, {"errors": b"\xa4type\xa5error"})
