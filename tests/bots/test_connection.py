"""One connection of a player: what is sent, in which order, and how it ends."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from bots.sdk.connection import Connection, Ended, Identity, LinkFailed, Refused, plainly
from bots.sdk.tokens import Tokens
from languages import speaking
from protocol import VERSION
from protocol import messages as m
from protocol.proof import key, proof


class Slow(trio.abc.Stream):
    """Takes nothing until it is let go on; gives what is there to be heard."""

    def __init__(self, *heard: bytes) -> None:
        self.sent: list[bytes] = []
        self.goes_on = trio.Event()
        self.is_broken = False
        self.is_closed = False
        self._heard = list(heard)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.sent.append(bytes(data))
        await self.goes_on.wait()
        if self.is_broken:
            raise trio.BrokenResourceError

    async def wait_send_all_might_not_block(self) -> None:
        await self.goes_on.wait()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if not self._heard:
            raise trio.BrokenResourceError
        return self._heard.pop(0)

    async def aclose(self) -> None:
        self.is_closed = True


def ping(number: int) -> bytes:
    return b'{"type":"ping","id":%d}\n' % number


async def test_what_is_put_while_something_is_sent_follows_it_in_one_piece() -> None:
    stream = Slow()
    connection = Connection(stream, "json", unread_turns=False)
    async with trio.open_nursery() as nursery:
        connection.put(m.Ping(id=1))
        nursery.start_soon(connection.flush)
        await wait_all_tasks_blocked()
        connection.put(m.Ping(id=2))
        connection.put(m.Ping(id=3))
        await connection.flush()
        assert stream.sent == [ping(1)], "one sends for all"
        stream.goes_on.set()
    assert stream.sent == [ping(1), ping(2) + ping(3)]
    connection.put(m.Ping(id=4))
    await connection.flush()
    assert stream.sent[2:] == [ping(4)]


async def test_who_is_woken_sends_what_was_put_each_time() -> None:
    stream = Slow()
    stream.goes_on.set()
    connection = Connection(stream, "json", unread_turns=False)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        for number in (1, 2):
            connection.put(m.Ping(id=number))
            await wait_all_tasks_blocked()
            assert len(stream.sent) == number - 1
            connection.wake()
            await wait_all_tasks_blocked()
            assert stream.sent[-1] == ping(number)
        nursery.cancel_scope.cancel()


async def test_what_cannot_be_sent_closes_the_stream_and_is_left_to_the_reader_to_find() -> None:
    stream = Slow()
    stream.is_broken = True
    stream.goes_on.set()
    connection = Connection(stream, "json", unread_turns=False)
    connection.put(m.Ping(id=1))
    await connection.flush()
    assert stream.is_closed
    with pytest.raises(Ended, match="the connection broke"):
        await connection.receive()


async def test_how_a_connection_ends_is_said() -> None:
    connection = Connection(Slow(b"magehall 2 x challenge=00; type help\r\n", b"[]\n", b""), "json", unread_turns=False)
    assert connection.next() is None
    await connection.receive()
    assert connection.next() is not None
    await connection.receive()
    with pytest.raises(Ended, match="the server broke the protocol: "):
        connection.next()
    await connection.receive()
    with pytest.raises(Ended, match="the server closed the connection"):
        connection.next()


def test_a_refusal_says_what_the_server_said() -> None:
    assert str(Refused(m.Error(code="bad_name", text="No such name."))) == "No such name."


def test_of_an_error_that_has_others_within_the_system_s_words_are_told() -> None:
    inner = OSError(111, "Connection refused")
    other = OSError(113, "No route to host")
    assert plainly(inner) == "Connection refused"
    outer = OSError("all attempts to connect failed")
    outer.__cause__ = ExceptionGroup("many", [other, inner])
    assert plainly(outer) == "Connection refused"
    assert plainly(OSError(-2, "Name or service not known")) == "Name or service not known"
    assert plainly(OSError("just this")) == "just this"


HERE = "here:1"


def said(*replies: m.Message, version: int = VERSION) -> list[bytes]:
    """What a server says, from its greeting on."""
    greeting = f"magehall {version} x challenge=00ff; type help\r\n".encode()
    return [greeting, *(msgspec.json.encode(reply) + b"\n" for reply in replies)]


def welcome(name: str = "ann") -> m.Welcome:
    return m.Welcome(re=1, name=name, version=VERSION, server="x", limits={})


def refusal(code: str, *, again: bool = False) -> m.Error:
    return m.Error(re=1, code=code, text=f"No: {code}.", again=again)


class Caller:
    """Says hello as ann, with what it holds of tokens."""

    def __init__(self, token: str = "", code: str = "", folder: Path | None = None) -> None:
        self.me = Identity("ann", HERE, bot=True, code=code)
        self.tokens = Tokens(folder)
        if token:
            self.tokens.put(HERE, "ann", token)
        self.hellos: list[dict[str, Any]] = []
        self.took_name = False

    async def hello(self, *lines: bytes, known: bool = False) -> m.Welcome:
        stream = Slow(*lines)
        stream.goes_on.set()
        connection, numbers = Connection(stream, "json", unread_turns=False), count(7)

        def number(request: m.Request) -> None:
            request.id = next(numbers)

        try:
            return await connection.say_hello(self.me, "5e55", self.tokens, number, known=known)
        finally:
            self.hellos = [json.loads(sent) for sent in stream.sent]
            self.took_name = getattr(connection, "took_name", False)

    @property
    def token(self) -> str:
        return self.tokens.get(HERE, "ann")


async def test_a_new_name_is_taken_with_the_key_of_a_new_token() -> None:
    ann = Caller()
    assert (await ann.hello(*said(welcome()))).name == "ann"
    (sent,) = ann.hellos
    assert len(ann.token) == 32
    assert (sent["key"], sent.get("proof", "")) == (key(ann.token).hex(), "")
    assert (sent["id"], sent["session"], sent["bot"]) == (7, "5e55", True)
    assert ann.took_name


async def test_a_known_name_is_proved_and_taken_anew_with_the_same_token_where_the_server_forgot_it() -> None:
    ann = Caller("70ken0")
    await ann.hello(*said(welcome()))
    assert [(one.get("key", ""), one["proof"]) for one in ann.hellos] == [("", proof("70ken0", "00ff", "ann"))]
    assert not ann.took_name
    await ann.hello(*said(refusal("unknown_name"), welcome()))
    assert [one["id"] for one in ann.hellos] == [7, 8]
    assert [(one.get("key", ""), one.get("proof", "")) for one in ann.hellos[1:]] == [(key("70ken0").hex(), "")]
    assert ann.took_name
    assert ann.token == "70ken0"


async def test_a_code_gives_the_name_a_new_token_once(tmp_path: Path) -> None:
    ann = Caller("70ken0", code="c0de", folder=tmp_path)
    with pytest.raises(Refused):
        await ann.hello(*said(refusal("bad_proof")))
    assert ann.token == "70ken0", "it was not taken"
    await ann.hello(*said(welcome()))
    assert len(ann.token) == 32
    assert (ann.hellos[0]["code"], ann.hellos[0]["key"]) == ("c0de", key(ann.token).hex())
    new = ann.token
    await ann.hello(*said(welcome()), known=True)
    assert ("code" in ann.hellos[0], ann.token) == (False, new)


@pytest.mark.parametrize(
    ("token", "code", "kept"),
    [("", "name_taken", False), ("", "storage", True), ("70ken0", "bad_proof", True), ("70ken0", "storage", True)],
)
async def test_a_token_that_no_server_took_is_not_kept(token: str, code: str, kept: bool) -> None:
    ann = Caller(token)
    with pytest.raises(Refused, match=f"No: {code}"):
        await ann.hello(*said(refusal(code)))
    assert bool(ann.token) == kept


@pytest.mark.parametrize(
    ("known", "again", "raised"),
    [(True, True, Ended), (True, False, Refused), (False, True, Refused), (False, False, Refused)],
)
async def test_who_was_welcomed_before_and_is_turned_away_for_the_moment_tries_again(
    known: bool, again: bool, raised: type[Exception]
) -> None:
    with pytest.raises(raised, match="No: server_full"):
        await Caller("70ken0").hello(*said(refusal("server_full", again=again)), known=known)


@pytest.mark.parametrize(
    ("lines", "raised", "why"),
    [
        ([b"HTTP/1.1 400 Bad Request\r\n"], Ended, "does not greet as magehall does"),
        (said(version=VERSION + 1), LinkFailed, f"speaks version {VERSION + 1} of the protocol, this client {VERSION}"),
        (said(welcome("bob")), Ended, "name bob"),
        (said(m.Pong(re=1)), Ended, "the server did not answer hello"),
        (said(), Ended, "the connection broke"),
    ],
)
async def test_what_is_no_server_of_ours_is_found_out(lines: list[bytes], raised: type[Exception], why: str) -> None:
    with pytest.raises(raised, match=why):
        await Caller().hello(*lines)


async def test_a_person_s_language_is_asked_for_first() -> None:
    ann = Caller()
    ann.me = Identity("ann", HERE)
    with speaking("fr"):
        await ann.hello(*said(m.Done(re=7, text="ok"), welcome()))
    assert [(one["type"], one["id"]) for one in ann.hellos] == [("lang", 7), ("hello", 8)]
    assert ann.hellos[0]["lang"] == "fr"
