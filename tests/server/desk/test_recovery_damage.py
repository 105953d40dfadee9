"""Names and cups of which nothing can be read: they are kept as they are, and nobody gets what belongs to them."""

from __future__ import annotations

import pytest

from protocol.proof import make_proof
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import resume, running
from tests.server.desk.test_operator import code_of_hello, orders, refusal

CUP = {"cup": "friday", "game": "toy", "seats": 2}


async def code_of_proof(hall: Hall, name: str, token: str) -> str:
    peer = await hall.connect()
    answer = await peer.ask("hello", name=name, proof=make_proof(token, peer.challenge, name))
    return str(answer.get("code", ""))


@pytest.mark.parametrize("gone", [False, True])
async def test_f06_a_name_that_cannot_be_read_and_its_seats_are_nobody_s(gone: bool) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.table_of("ann", "bob")
    if gone:
        del disk.rows["name:ann"]
    else:
        disk.rows["name:ann"][0] = b"\xc1"
    kept = dict(disk.rows.get("name:ann", {}))
    for _restart in range(2):
        async with running(disk) as hall:
            assert await code_of_hello(hall, "Ann") == "name_taken"
            assert await code_of_proof(hall, "ann", ann.token) == "name_taken", "so that nobody throws a token away"
            assert "still at t1" in await refusal(hall, "forget", "ann")
            await resume(hall, bob, "bob")
    assert disk.rows.get("name:ann", {}) == kept


async def test_f06_the_operator_makes_a_name_free_that_cannot_be_read() -> None:
    disk = Disk()
    async with running(disk) as hall:
        await hall.player("ann")
    disk.rows["name:ann"][0] = b"\xc1"
    async with running(disk) as hall:
        assert "cannot be read" in await refusal(hall, "code", "ann")
        disk.full = True
        assert "cannot write" in await refusal(hall, "forget", "ann")
    disk.full = False
    async with running(disk) as hall:
        assert await orders(hall, "forget", "Ann") == ["Ann is forgotten; the name is free."]
        await hall.player("ann")
    async with running(disk) as hall:
        assert await code_of_proof(hall, "ann", "the token of ann") == ""


async def test_f06_no_cup_is_written_over_one_that_cannot_be_read() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("cup_open", **CUP)
        await ann.ask("cup_enter", cup="friday")
    (subject,) = [subject for subject in disk.rows if subject.startswith("cup:")]
    disk.rows[subject][0] = b"\xc1"
    kept = dict(disk.rows[subject])
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("cup_open", **CUP))["code"] == "cup_taken"
        assert (await ann.ask("cup_open", **{**CUP, "cup": "monday"}))["type"] == "cup_info"
    assert disk.rows[subject] == kept


async def test_f06_where_something_was_lost_no_id_comes_again_that_may_have_been_in_it() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("open", game="toy", seats=2)
    disk.lost = True
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("open", game="toy", seats=2))["info"]["table"] == "t10002"
