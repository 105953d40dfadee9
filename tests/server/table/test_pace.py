"""`pace`: how long house bots take at one table, as its owner wants it."""

from __future__ import annotations

import pytest
import trio

from server.table.table import FASTEST
from tests.helpers.hall import Hall, seated

SLOWLY = [{"house_seconds": 5.0}]


@pytest.mark.parametrize("config", SLOWLY, indirect=True)
async def test_pace_holds_from_the_next_decision_on_and_before_the_match(hall: Hall) -> None:
    ann = await seated(hall, "pace 1,5")
    for answer in ("", "House bots take 0 s for a decision here.\n", ""):
        await trio.sleep(10.0)
        if answer:
            assert (await ann.types("pace 0")).endswith(answer)
        await ann.types("?", "1")
    asked = [0.0, *(done.at for done in hall.done(seat=1))]
    took = [done.at - since for done, since in zip(hall.done(seat=2), asked, strict=False)]
    assert took == pytest.approx([1.5, 1.5, FASTEST], abs=0.01)


@pytest.mark.parametrize("config", SLOWLY, indirect=True)
async def test_pace_is_for_the_owner_of_a_table_and_for_that_table_alone(hall: Hall) -> None:
    ann, bob = await hall.typist(), await hall.typist()
    await ann.types("hello ann", "open toy 3")
    await bob.types("hello bob", "join")
    assert (await bob.types("pace 0")).startswith("! Only the player who opened")
    await ann.types("add first", "pace 0", "start")
    await bob.types("open toy 2", "add first", "start")
    await trio.sleep(10.0)
    assert [done.at for done in hall.done("t2", seat=2)] == pytest.approx([5.0], abs=0.1)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("pace", "! Add the seconds that house bots take for a decision, such as pace 1.5.\n"),
        ("pace fast", "! Expected the seconds that house bots take for a decision, such as pace 1.5.\n"),
        ("pace 11", "! At most 10, in seconds.\n"),
    ],
)
async def test_a_wrong_pace_says_what_is_meant(hall: Hall, line: str, answer: str) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2")
    assert await ann.types(line) == answer


async def test_quiet_off_rings_the_bell_before_each_decision_by_telnet(hall: Hall) -> None:
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first")
    assert "\a" not in await ann.types("start")
    assert await ann.types("quiet off") == "The bell rings when it is your turn.\n"
    assert (await ann.types("?", "1")).count("\a") == 1
    await ann.types("quiet")
    assert "\a" not in await ann.types("?", "1")
