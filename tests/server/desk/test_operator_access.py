"""The operator's word never crosses a network as plain text, and a code that was printed for it works once."""

from __future__ import annotations

import dataclasses
import logging

import pytest
import trio

from protocol.proof import OPERATOR, make_proof
from server.address import group_address, is_local_address
from server.desk.operator_access import CODE_SECONDS
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.helpers.restarts import CONFIG, running
from tests.server.desk.test_operator import orders

WORD, HERE, THERE = "xyzzy-plugh", "127.0.0.1", "192.0.2.1"
OPERATED = pytest.mark.parametrize("config", [{"operator_word": WORD}], indirect=True)


async def is_operator(hall: Hall, peer: Peer) -> bool:
    """Whether the peer may do what only the operator may."""
    if hall.lobby.people.find_player("bob") is None:
        await hall.player("bob")
    return bool((await peer.ask("mute", player="bob"))["type"] == "done")


async def asks(peer: Peer, **fields: str) -> str:
    """What the answer is: `done`, or the code of the error."""
    answer = await peer.ask("operator", **fields)
    return str(answer.get("code", answer["type"]))


@OPERATED
@pytest.mark.parametrize("address", [HERE, THERE, None])
async def test_c19_a_proof_of_the_operator_s_word_is_taken_from_anywhere(hall: Hall, address: str | None) -> None:
    ann = await hall.player("ann", address)
    assert await asks(ann, proof=make_proof("guess", ann.challenge, OPERATOR)) == "bad_proof"
    assert not await is_operator(hall, ann)
    assert await asks(ann, proof=make_proof(WORD, ann.challenge, OPERATOR)) == "done"
    assert await is_operator(hall, ann)


@OPERATED
async def test_c19_a_proof_of_the_word_that_was_overheard_is_worth_nothing_on_another_connection(hall: Hall) -> None:
    ann, eve = await hall.player("ann", THERE), await hall.player("eve", THERE)
    overheard = make_proof(WORD, ann.challenge, OPERATOR)
    assert await asks(ann, proof=overheard) == "done"
    assert await asks(eve, proof=overheard) == "bad_proof"
    assert await asks(eve, proof=make_proof(WORD, eve.challenge, "eve")) == "bad_proof", (
        "it is no proof of a name either"
    )


@OPERATED
@pytest.mark.parametrize("address", [HERE, "127.8.9.1", group_address("::1"), None])
async def test_c19_the_word_itself_is_taken_from_the_servers_own_machine(hall: Hall, address: str | None) -> None:
    ann = await hall.player("ann", address)
    assert await asks(ann, word="guess") == "bad_proof"
    assert await asks(ann, word=WORD) == "done"


@OPERATED
@pytest.mark.parametrize("address", [THERE, group_address("2001:db8::1"), group_address("fe80::1"), "10.0.0.1"])
async def test_c19_a_word_that_crossed_the_network_is_refused_and_good_no_more(
    hall: Hall, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    eve, ann = await hall.player("eve", address), await hall.player("ann", HERE)
    guess = await eve.ask("operator", word="guess")
    right = await eve.ask("operator", word=WORD)
    assert (guess["code"], guess["text"]) == (right["code"], right["text"])
    assert "magehall admin operator" in right["text"]
    assert not await is_operator(hall, eve)
    assert await asks(ann, word=WORD) == "bad_proof"
    assert await asks(ann, proof=make_proof(WORD, ann.challenge, OPERATOR)) == "bad_proof"
    assert "no longer works" in caplog.text
    assert WORD not in caplog.text
    code = (await orders(hall, "operator"))[1].split()[-1]
    trent = await hall.player("trent", HERE)
    assert await asks(trent, word=code) == "done"


@pytest.mark.parametrize("config", [{}, {"operator_word": WORD}], indirect=True)
@pytest.mark.parametrize("proved", [True, False])
async def test_c19_a_code_makes_one_connection_the_operators_from_anywhere(hall: Hall, proved: bool) -> None:
    ann, eve = await hall.player("ann", THERE), await hall.player("eve", THERE)
    lines = await orders(hall, "operator")
    assert lines[0] == "Type this within 10 minutes to make one connection the operator's. It works once:"
    code = lines[1].split()[-1]

    def fields(peer: Peer) -> dict[str, str]:
        return {"proof": make_proof(code, peer.challenge, OPERATOR)} if proved else {"word": code}

    assert await asks(ann, **fields(ann)) == "done"
    assert await is_operator(hall, ann)
    assert await asks(eve, **fields(eve)) == "bad_proof"
    assert not await is_operator(hall, eve)


async def test_c19_codes_for_operators_expire_and_only_a_few_wait(hall: Hall) -> None:
    ann = await hall.player("ann")
    late = (await orders(hall, "operator"))[1].split()[-1]
    await trio.sleep(CODE_SECONDS + 1)
    assert await asks(ann, word=late) == "bad_proof"
    codes = [(await orders(hall, "operator"))[1].split()[-1] for _ in range(20)]
    assert len(hall.lobby.operator_access._codes) == 8
    assert await asks(ann, word=codes[0]) == "bad_proof"
    assert await asks(ann, word=codes[-1]) == "done"


async def test_c19_neither_the_word_nor_a_code_is_logged_or_stands_on_the_disk(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    disk = Disk()

    async with running(disk, dataclasses.replace(CONFIG, operator_word=WORD)) as hall:
        ann = await hall.player("ann", session="one")
        code = (await orders(hall, "operator"))[1].split()[-1]
        for word in (WORD, code):
            assert await asks(ann, word=word) == "done"
            assert (await ann.ask("open", game="toy"))["type"] == "table"
        stored = b"".join(data for parts in disk.rows.values() for data in parts.values())
        for secret in (WORD, code):
            assert secret.encode() not in stored
            assert secret not in caplog.text
    assert "ann is the operator on a connection from here" in caplog.text
    assert "the operator: operator" in caplog.text


async def test_without_word_or_proof_there_is_no_operator(hall: Hall) -> None:
    ann = await hall.player("ann")
    await orders(hall, "operator")
    for fields in ({}, {"word": ""}):
        assert await asks(ann, **fields) == "bad_proof"
    assert not await is_operator(hall, ann)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        *((address, True) for address in ("127.0.0.1", "127.255.0.9", "::/64", None)),
        *((address, False) for address in ("128.0.0.1", "x", "2001:db8::/64", "0.0.0.0", "192.168.0.1")),
    ],
)
def test_only_loopback_is_this_machine(address: str | None, here: bool) -> None:
    assert is_local_address(address) is here
