"""A code that was typed proves its name until its successor has surely arrived, wherever a connection is cut."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import trio
import trio.testing

from protocol.proof import make_proof, token_key
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.helpers.wire import CLOSED

HERE, THERE = "192.0.2.1", "192.0.2.2"


def by_text(code: str) -> bytes:
    return f"hello ann {code}".rstrip().encode() + b"\r\n"


def by_json(code: str) -> bytes:
    return b'{"type":"hello","id":1,"name":"ann","code":"%b"}\n' % code.encode()


def code_in(seen: bytes) -> str:
    """The code that was seen whole; "" for none."""
    if seen.startswith(b'{"type":"error"'):
        return ""
    found = re.search(rb'(?:hello ann |"code":")(\w+)["\r]', seen)
    return found[1].decode() if found else ""


async def told(hall: Hall, sent: bytes, *, keep: int = 1_000_000, address: str | None = None) -> bytes:
    """What is seen behind the greeting of a connection that is cut after so many bytes."""
    stream = hall.dial(address)
    seen = b""
    while not seen.endswith(b"\n"):
        seen += await stream.receive_some(1)
    await stream.send_all(sent)
    seen = b""
    with trio.move_on_after(0.001):
        while data := await stream.receive_some(65_536):
            seen += data
    await trio.aclose_forcefully(stream)
    await trio.testing.wait_all_tasks_blocked()
    return seen[:keep]


FACES = pytest.mark.parametrize("hello", [by_text, by_json])


@FACES
async def test_whoever_types_comes_back_wherever_each_welcome_was_cut(
    hall: Hall, hello: Callable[[str], bytes]
) -> None:
    whole = await told(hall, hello(""))
    codes = [code_in(whole)]
    assert codes != [""]
    for keep in range(0, len(whole) + 8, 3):
        seen = await told(hall, hello(codes[-1]), keep=keep)
        assert not seen.startswith((b"!", b'{"type":"error')), (keep, seen)
        if code_in(seen):
            codes.append(code_in(seen))
    assert len(set(codes)) == len(codes) > 2
    assert code_in(await told(hall, hello(codes[-1]))), "though a welcome was seen, the older one was typed once more"
    assert code_in(await told(hall, hello(codes[-2]))) == ""


@FACES
async def test_a_code_of_a_hello_that_was_cut_itself_is_still_good(hall: Hall, hello: Callable[[str], bytes]) -> None:
    code = code_in(await told(hall, hello("")))
    for end in range(len(hello(code))):
        stream = hall.dial()
        await stream.send_all(hello(code)[:end])
        await trio.aclose_forcefully(stream)
        await trio.testing.wait_all_tasks_blocked()
    hall.lobby.people.guesses.__init__()  # type: ignore[misc]  # half a code is a wrong one
    assert code_in(await told(hall, hello(code)))


@pytest.mark.parametrize("command", [b"who\r\n", b"nonsense of the game\r\nping\r\n"])
async def test_after_the_first_command_behind_a_welcome_the_old_code_proves_nothing(hall: Hall, command: bytes) -> None:
    first = code_in(await told(hall, by_text("")))
    ann = await hall.typist()
    second = code_in((await ann.types(f"hello ann {first}")).replace("\n", "\r\n").encode())
    await ann.send_bytes(command)
    await ann.heard()
    assert (await told(hall, by_text(first))).startswith(b"!")
    assert code_in(await told(hall, by_text(second)))


async def test_a_command_that_was_sent_behind_the_hello_tells_nothing_of_the_welcome(hall: Hall) -> None:
    first = code_in(await told(hall, by_text("")))
    assert await told(hall, by_text(first) + b"who\r\ntables\r\n", keep=0) == b""
    assert code_in(await told(hall, by_text(first)))


async def test_a_program_knows_no_better_than_a_person_whether_its_welcome_came(hall: Hall) -> None:
    first = (await (await hall.connect()).ask("hello", name="ann"))["code"]
    lost = await hall.connect()
    await lost.send({"type": "hello", "id": 1, "name": "ann", "code": first})
    await lost.cut()
    peer = await hall.connect()
    second = (await peer.ask("hello", name="ann", code=first))["code"]
    assert (await peer.ask("ping"))["type"] == "pong"
    late = await hall.connect()
    assert (await late.ask("hello", name="ann", code=first))["code"] == "bad_proof"
    assert (await late.ask("hello", name="ann", code=second))["type"] == "welcome"


async def test_a_code_is_good_for_another_token_until_the_welcome_was_seen(hall: Hall) -> None:
    code = (await (await hall.connect()).ask("hello", name="ann"))["code"]
    for token in ("first", "second"):
        lost = await hall.connect()
        await lost.send({"type": "hello", "id": 1, "name": "ann", "code": code, "key": token_key(token).hex()})
        await lost.cut()
    assert (await hall.again("ann", "second")).token
    late = await hall.connect()
    assert (await late.ask("hello", name="ann", code=code, key=token_key("third").hex()))["code"] == "bad_proof"
    assert (await late.ask("hello", name="ann", proof=make_proof("first", late.challenge, "ann")))[
        "code"
    ] == "bad_proof"


@pytest.mark.parametrize("seen", [True, False])
async def test_which_codes_are_good_outlives_the_server(seen: bool) -> None:
    disk = Disk()
    async with running(disk) as hall:
        first = code_in(await told(hall, by_text("")))
        ann = await hall.typist()
        second = code_in((await ann.types(f"hello ann {first}")).replace("\n", "\r\n").encode())
        if seen:
            await ann.types("ping")
    async with running(disk) as hall:
        answer = await told(hall, by_text(first))
        assert code_in(answer) == ("" if seen else second)
        assert code_in(await told(hall, by_text(second))) not in ("", first, second)


async def test_a_name_whose_first_welcome_was_lost_is_taken_again_from_there_alone(hall: Hall) -> None:
    await told(hall, by_text(""), keep=0, address=HERE)
    assert b"That name is taken" in await told(hall, by_text(""), address=THERE)
    stranger = await hall.connect(HERE)
    answer = await stranger.ask("hello", name="ann", key=token_key("thief").hex())
    assert answer["code"] == "name_taken", "a program has a token of its own, which it can prove"
    assert (await stranger.ask("hello", name="Ann"))["code"] == "name_taken"
    code = code_in(await told(hall, by_text(""), address=HERE))
    ann = await hall.connect(HERE)
    assert (await ann.ask("hello", name="ann", code=code))["type"] == "welcome"
    assert b"That name is taken" in await told(hall, by_text(""), address=HERE)
    assert (await ann.ask("ping"))["type"] == "pong"
    await ann.cut()
    assert b"That name is taken" in await told(hall, by_text(""), address=HERE)


async def test_whoever_is_here_is_not_taken_over_though_they_have_typed_nothing_yet(hall: Hall) -> None:
    ann = await hall.connect(HERE)
    await ann.ask("hello", name="ann")
    assert b"That name is taken" in await told(hall, by_text(""), address=HERE)
    assert await ann.heard() == []


async def test_the_newest_connection_has_the_name_also_with_the_older_code(hall: Hall) -> None:
    first = code_in(await told(hall, by_text("")))
    dead = await hall.connect()
    second = (await dead.ask("hello", name="ann", code=first))["code"]
    ann = await hall.connect()
    assert (await ann.ask("hello", name="ann", code=first))["code"] == second
    assert (await dead.next("bye"))["reason"] == "replaced"
    assert await dead.line() == CLOSED
