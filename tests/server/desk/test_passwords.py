"""Passwords of names, for clients that log in by themselves: what they prove, where they are kept, what they cost."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Generator, Iterator

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.errors import Refusal
from protocol.proof import token_key
from server.desk import passwords
from server.desk.passwords import HASH_WORK, WAITING, Passwords
from server.failed_logins import FREE
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Typist
from tests.helpers.restarts import running
from tests.server.desk.test_operator import orders

WORD, HERE = "correct-horse", "192.0.2.1"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Virtual time does not wait for threads, so there are none, unless a test asks for `threads`."""
    monkeypatch.setattr(passwords, "DOUBLINGS", 1)
    monkeypatch.setattr(passwords, "in_thread", _at_once)


async def _at_once(do: Callable[..., bytes], *args: object) -> bytes:
    await trio.lowlevel.checkpoint()
    return do(*args)


@pytest.fixture
def threads(cheap: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes are computed in threads, as in a server."""
    monkeypatch.setattr(passwords, "in_thread", trio.to_thread.run_sync)


async def says(typist: Typist, line: str) -> str:
    """What is printed for a line that takes a while."""
    await typist.send(line)
    await trio.sleep(1)
    return await typist.heard()


async def answered(hall: Hall, code: str, **more: str) -> str:
    """What a hello of Ann's with that code gets: `welcome`, or the code of the error."""
    stranger = await hall.connect()
    answer = await stranger.ask("hello", name="ann", code=code, **more)
    await stranger.cut()
    return str(answer.get("code", "") if answer["type"] == "error" else answer["type"])


async def test_a_password_proves_a_name_for_ever_beside_the_codes(hall: Hall) -> None:
    ann = await hall.typist()
    code = re.search(r"hello ann (\w+)", await ann.types("hello ann"))
    assert code
    said = await says(ann, f"password {WORD}")
    assert said.startswith("Come back at any time with: hello ann and your password.")
    assert "others in the network may read the password" in said
    assert WORD not in said
    for _time in range(3):
        ann = await hall.typist()
        assert "Welcome, ann." in await says(ann, f"hello ann {WORD}")
        assert "ann" in await ann.types("who")
    assert await answered(hall, code[1]) == "welcome"
    assert await answered(hall, f"{WORD}!") == "bad_proof"
    assert await answered(hall, WORD[:-1]) == "bad_proof"


async def test_who_comes_with_a_password_is_told_a_code_that_is_good(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("password", word=WORD)
    codes = [(await (await hall.connect()).ask("hello", name="ann", code=WORD))["code"] for _time in range(2)]
    assert codes[0] == codes[1], "it was not used"
    assert await answered(hall, codes[0]) == "welcome"
    assert (await hall.again("ann", ann.token)).token, "the token is as good as before"


async def test_a_password_gives_the_name_a_new_token_as_a_code_does(hall: Hall) -> None:
    ann = await hall.player("ann")
    await ann.ask("password", word=WORD)
    assert await answered(hall, "wrong-word", key=token_key("thief").hex()) == "bad_proof"
    assert await answered(hall, WORD, key=token_key("other").hex()) == "welcome"
    assert (await hall.again("ann", "other")).token


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("", "A password has 8 to 64 characters."),
        ("seven77", "A password has 8 to 64 characters."),
        ("x" * 65, ""),
        ("with space", "A password must be printable ASCII without spaces."),
        ("p\u00e0ssw\u00f6rd", "A password must be printable ASCII without spaces."),
        ("pass\x07word", ""),
        ("Long_Name", "Your password must not be your name."),
        ("l0ngname", "Your password must not be your name."),
    ],
)
async def test_a_password_that_anybody_could_guess_or_nobody_could_type_is_refused(
    hall: Hall, word: str, why: str
) -> None:
    ann = await hall.player("LongName")
    answer = await ann.ask("password", word=word)
    assert (answer["type"], answer["where"]) == ("error", "$.word")
    assert not why or answer["text"] == why
    assert not word or word not in answer["text"]


async def test_only_who_has_a_name_gives_it_a_password(hall: Hall) -> None:
    assert (await (await hall.connect()).ask("password", word=WORD))["code"] == "login_first"


async def test_a_password_is_taken_back_by_its_player_or_with_a_code_of_the_operators(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann")
    await says(ann, f"password {WORD}")
    assert await ann.types("password OFF") == "Your password was removed.\n"
    assert await answered(hall, WORD) == "bad_proof"
    await says(ann, f"password {WORD}")
    await orders(hall, "code", "ann")
    assert await answered(hall, WORD) == "bad_proof"


async def test_a_password_outlives_the_server_and_stands_nowhere_on_its_disk() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann", session="one")
        for word in ("first-word", WORD):
            assert (await ann.ask("password", word=word))["type"] == "done"
            assert (await ann.ask("open", game="toy"))["type"] == "table"
        assert await answered(hall, "first-word") == "bad_proof"
    async with running(disk) as hall:
        assert await answered(hall, WORD) == "welcome"
        stored = b"".join(data for parts in disk.rows.values() for data in parts.values())
        assert b"first-word" not in stored
        assert WORD.encode() not in stored
        await orders(hall, "code", "ann")
    async with running(disk) as hall:
        assert await answered(hall, WORD) == "bad_proof"


async def test_a_password_that_could_not_be_kept_proves_nothing() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        disk.full = True
        assert (await ann.ask("password", word=WORD))["code"] == "storage"
        disk.full = False
        await trio.sleep(5)
        assert await answered(hall, WORD) == "bad_proof"


async def test_a_password_is_in_no_log_record_and_nobody_is_told_it(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ann, bob = await hall.table_of("ann", "bob")
    await ann.ask("password", word=WORD)
    assert await answered(hall, WORD) == "welcome"
    assert await answered(hall, f"{WORD}x") == "bad_proof"
    back = await hall.again("ann", ann.token)
    shown = [await back.ask("log", table="t1"), await back.ask("stats"), await back.ask("who"), *await bob.heard()]
    for text in (caplog.text, str(shown)):
        assert WORD not in text


async def test_wrong_passwords_make_their_address_wait_before_any_is_hashed(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await hall.player("ann", HERE)
    await ann.ask("password", word=WORD)
    hashed = counted(monkeypatch)

    async def guess() -> str:
        stranger = await hall.connect("192.0.2.66")
        code = str((await stranger.ask("hello", name="ann", code="guess-guess"))["code"])
        await stranger.cut()
        return code

    assert [await guess() for _ in range(FREE + 4)] == ["bad_proof"] * FREE + ["slow_down"] * 4
    assert len(hashed) == FREE + 1
    assert await answered(hall, WORD) == "welcome", "from elsewhere"


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that are hashed from now on."""
    hashed: list[str] = []
    scrypt = passwords._scrypt

    def count(password: str, head: bytes) -> bytes:
        hashed.append(password)
        return scrypt(password, head)

    monkeypatch.setattr(passwords, "_scrypt", count)
    return hashed


async def test_what_a_hash_costs_is_charged(hall: Hall) -> None:
    ann = await hall.player("ann")
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    assert player.meter is not None
    began, at_once = trio.current_time(), limits.REQUESTS_AT_ONCE
    for _time in range(10):
        await ann.ask("password", word=WORD)
    least = (10 * HASH_WORK - at_once) / limits.REQUESTS_A_SECOND
    assert trio.current_time() - began >= least - 1


async def test_a_code_is_no_password_and_costs_no_hash(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await hall.connect()
    code = (await first.ask("hello", name="ann"))["code"]
    await first.ask("password", word=WORD)
    hashed = counted(monkeypatch)
    assert await answered(hall, code) == "welcome"
    assert (await (await hall.connect()).ask("hello", name="zoe", code=WORD))["code"] == "unknown_name"
    assert hashed == []


# -- the work, in real threads -----------------------------------------------------------------------------------------


def finished(steps: Generator[float, None, object]) -> Iterator[object]:
    """Goes on with a hash; gives its result once it is there."""
    try:
        next(steps)
    except StopIteration as stop:
        yield stop.value


async def test_one_hash_is_computed_at_a_time_and_each_address_has_its_turn(
    threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    running_now, most, order, lock = [0], [0], list[str](), threading.Lock()

    def slow(password: str, _head: bytes) -> bytes:
        with lock:
            running_now[0] += 1
            most[0] = max(most[0], running_now[0])
            order.append(password)
        time.sleep(0.002)
        with lock:
            running_now[0] -= 1
        return b"hash"

    monkeypatch.setattr(passwords, "_scrypt", slow)
    async with trio.open_nursery() as nursery:
        work = Passwords(nursery)
        many = [work.hash_password(f"many{number}", HERE) for number in range(20)]
        one = work.hash_password("one", "192.0.2.2")
        waiting = [*many, one]
        for steps in waiting:
            next(steps)
        many[10].close()  # its connection is gone
        waiting.remove(many[10])
        with trio.fail_after(100_000):
            while waiting:
                await trio.sleep(0.001)
                waiting = [steps for steps in waiting if not list(finished(steps))]
    assert most == [1]
    assert order.index("one") <= 2
    assert "many10" not in order
    assert len(order) == 20


async def test_hashes_that_wait_are_bounded(threads: None, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def stuck(_password: str, _head: bytes) -> bytes:
        go_on.wait(10)
        return b"hash"

    monkeypatch.setattr(passwords, "_scrypt", stuck)
    async with trio.open_nursery() as nursery:
        work = Passwords(nursery)
        waiting = [work.hash_password("word", HERE) for _ in range(WAITING)]
        for steps in waiting:
            next(steps)
        with pytest.raises(Refusal, match="Too many passwords"):
            next(work.hash_password("word", "192.0.2.2"))
        for steps in waiting:
            steps.close()
        go_on.set()


async def test_the_server_goes_on_while_a_password_is_hashed(threads: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "DOUBLINGS", 14)
    async with trio.open_nursery() as nursery:
        steps, rounds = Passwords(nursery).hash_password(WORD, HERE), 0
        next(steps)
        while not list(finished(steps)):
            await trio.lowlevel.checkpoint()
            rounds += 1
    assert rounds > 20, "a hash takes some 60 ms"


async def test_a_code_or_password_gives_the_name_back_however_its_letters_are_typed(hall: Hall) -> None:
    ann = await hall.typist()
    code = (await ann.types("hello ann")).split()[-1]
    assert "Come back at any time" in await says(ann, "password correcthorse")
    for line in (f"hello ANN {code}", "hello Ann correcthorse"):
        again = await hall.typist()
        assert "Welcome, ann." in await says(again, line)
    again = await hall.typist()
    assert "is taken" in await again.types("hello Ann")
    assert "does not prove" in await says(again, "hello Ann wrongwords")
