"""Tokens, which never leave the player's machine: keys, proofs and codes; C08 and C09 of the abuse list."""

from __future__ import annotations

import hashlib
import logging
import re

import pytest
import trio

from bots.sdk.connection import Face
from bots.sdk.link import Identity, open_link
from bots.sdk.tokens import Tokens
from protocol import messages as m
from protocol.proof import make_proof, token_key
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.server.test_name_registry_names import refused

TOKEN = "correct-horse"


async def test_a_name_that_is_taken_with_a_key_is_proved_by_the_token_of_that_key(hall: Hall) -> None:
    ann = await hall.connect()
    welcome = await ann.ask("hello", name="ann", key=token_key(TOKEN).hex())
    assert (welcome["type"], "code" in welcome) == ("welcome", False)
    again = await hall.connect()
    welcome = await again.ask("hello", name="ann", proof=make_proof(TOKEN, again.challenge, "ann"))
    assert (welcome["type"], "code" in welcome) == ("welcome", False)
    other = await hall.connect()
    assert (await other.ask("hello", name="ann", proof=make_proof("x", other.challenge, "ann")))["code"] == "bad_proof"


async def test_who_says_hello_without_a_key_gets_a_code_that_proves_the_name_once(hall: Hall) -> None:
    ann = await hall.connect()
    welcome = await ann.ask("hello", name="ann")
    second = await hall.connect()
    newer = await second.ask("hello", name="ann", code=welcome["code"])
    assert newer["code"] != welcome["code"]
    assert (await second.ask("ping"))["type"] == "pong"
    assert await refused(hall, name="ann", code=welcome["code"]) == "bad_proof"
    third = await hall.connect()
    assert (await third.ask("hello", name="ann", code=newer["code"]))["type"] == "welcome"
    assert await refused(hall, name="ann", proof="0" * 64) == "bad_proof"


async def test_a_right_code_gives_the_name_a_new_key(hall: Hall) -> None:
    ann = await hall.connect()
    code = (await ann.ask("hello", name="ann"))["code"]
    assert await refused(hall, name="ann", code="wrong", key=token_key("thief").hex()) == "bad_proof"
    second = await hall.connect()
    welcome = await second.ask("hello", name="ann", code=code, key=token_key(TOKEN).hex())
    assert (welcome["type"], "code" in welcome) == ("welcome", False)
    assert (await hall.again("ann", TOKEN)).token


async def test_a_first_welcome_that_was_lost_burns_no_name(hall: Hall) -> None:
    ann = await hall.connect()
    await ann.send({"type": "hello", "id": 1, "name": "ann", "key": token_key(TOKEN).hex()})
    await ann.cut()
    assert (await hall.again("ann", TOKEN)).token


async def test_a_name_that_nobody_has_is_unknown_and_the_error_says_what_to_do(hall: Hall) -> None:
    for hello in ({"proof": "0" * 64}, {"code": "guess"}):
        stranger = await hall.connect()
        answer = await stranger.ask("hello", name="ann", **hello)
        assert (answer["code"], answer["text"]) == (
            "unknown_name",
            "No such name is known here; say hello with a key, or without proof and code, to take it.",
        )
        for _ in range(3):
            assert (await stranger.ask("hello", name="ann", **hello))["code"] == "unknown_name", "it is no guess"
    typist = await hall.typist()
    assert await typist.types("hello ann guess") == f"! {answer['text']}\n"
    assert (await stranger.ask("hello", name="ann", key=token_key(TOKEN).hex()))["type"] == "welcome"


@pytest.mark.parametrize("bad", ["00", "0" * 63, "0" * 63 + "G", "AB" * 32])
async def test_a_key_that_no_proof_fits_takes_no_name(hall: Hall, bad: str) -> None:
    assert await refused(hall, name="ann", key=bad) == "bad_field"
    assert hall.lobby.people.name_count == 0


async def test_c09_a_key_beside_a_proof_is_refused_since_together_they_give_the_secret_away(hall: Hall) -> None:
    stranger = await hall.connect()
    both = {"key": token_key(TOKEN).hex(), "proof": make_proof(TOKEN, stranger.challenge, "ann")}
    answer = await stranger.ask("hello", name="ann", **both)
    assert (answer["code"], answer["where"]) == ("bad_field", "$.key")


async def test_c09_a_first_hello_that_was_overheard_takes_no_name_over(hall: Hall) -> None:
    ann = await hall.player("ann")
    overheard = token_key(ann.token).hex()
    assert await refused(hall, name="ann", key=overheard) == "name_taken"
    thief = await hall.connect()
    assert (await thief.ask("hello", name="ann", proof=overheard))["code"] == "bad_proof"
    assert (await thief.ask("hello", name="ann", proof=make_proof(overheard, thief.challenge, "ann")))[
        "code"
    ] == "bad_proof"
    assert (await ann.ask("ping"))["type"] == "pong"


async def test_c08_tokens_codes_and_proofs_are_in_no_log_record(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stranger = await hall.connect()
    code = (await stranger.ask("hello", name="zoe"))["code"]
    ann = await hall.player("ann")
    again = await hall.again("ann", ann.token)
    given = make_proof(ann.token, again.challenge, "ann")
    await again.ask("quit")
    await trio.sleep(1)
    assert "ann" in caplog.text
    for secret in (token_key(ann.token).hex(), code, given):
        assert secret not in caplog.text


class Overheard(trio.abc.Stream):
    """A stream of which somebody writes down every byte."""

    def __init__(self, stream: trio.abc.Stream, crossed: bytearray) -> None:
        self._stream, self._crossed = stream, crossed

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._crossed += data
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        data = bytes(await self._stream.receive_some(max_bytes))
        self._crossed += data
        return data

    async def aclose(self) -> None:
        await self._stream.aclose()


@pytest.mark.parametrize("face", ["json", "msgpack"])
async def test_c08_a_token_crosses_no_wire_and_reaches_no_disk(face: Face) -> None:
    disk, tokens, crossed = Disk(), Tokens(), bytearray()
    for _time in range(2):
        async with running(disk) as hall:

            async def dial(hall: Hall = hall) -> trio.abc.Stream:
                return Overheard(hall.dial(), crossed)

            async with open_link(dial, Identity("ann", "here:1"), tokens, face=face) as link:
                await link.ask(m.Open(id=1, game="toy"), m.TableReply)
    token = tokens.get("here:1", "ann")
    secret = hashlib.sha256(token.encode()).digest()
    stored = b"".join(data for parts in disk.rows.values() for data in parts.values())
    assert token_key(token) in stored
    assert token_key(token).hex().encode() in crossed
    for piece in (token.encode(), bytes.fromhex(token), secret, secret.hex().encode()):
        assert piece not in crossed
        assert piece not in stored


async def test_c09_a_proof_that_was_overheard_is_worth_nothing_on_another_connection(hall: Hall) -> None:
    ann = await hall.player("ann")
    second = await hall.connect()
    overheard = make_proof(ann.token, second.challenge, "ann")
    assert (await second.ask("hello", name="ann", proof=overheard))["type"] == "welcome"
    third = await hall.connect()
    assert third.challenge != second.challenge
    assert (await third.ask("hello", name="ann", proof=overheard))["code"] == "bad_proof"
    assert (await second.ask("ping"))["type"] == "pong"


async def test_each_connection_is_given_a_challenge_of_its_own_that_nobody_can_guess(hall: Hall) -> None:
    challenges = [(await hall.connect()).challenge for _ in range(3)]
    assert all(re.fullmatch("[0-9a-f]{32}", challenge) for challenge in challenges)
    assert len(set(challenges)) == 3
