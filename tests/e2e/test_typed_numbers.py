"""Numbers that a person types at a live server: one to nine ASCII digits, and nothing that merely looks like it."""

from collections.abc import AsyncIterator

import pytest
import trio

from server.config import Config
from tests.e2e.conversation import READY, Stage
from tests.helpers.chance import secrets_of_the_page
from tests.helpers.hall import open_hall
from tests.helpers.peer import Peer

ODD = ["\u00b2", "\u0663", "\uff11", "1_0", "+5", "-0", "-1", "0x5", "1e9", "1\u00a0", "1\u3000"]
LONG = ["9" * 10, "9" * 4_000]


@pytest.fixture
async def ada(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Peer]:
    """Ada at a running match, asked for her bet."""
    secrets_of_the_page(monkeypatch)
    config = Config(port=0, house_seconds=0.0, requests_a_second=10_000)  # the server waits for nobody who mistypes
    stage = Stage((await open_hall(nursery, config)).port, "text")
    async with stage.played("playing"):
        yield stage.clients["Ada"]


async def answer(client: Peer, line: str) -> list[str]:
    await client.send(line)
    return await client.flush(READY)


async def test_a07_what_only_looks_like_a_number_is_none(ada: Peer) -> None:
    for odd in (*ODD, *LONG):
        what = "of at most nine digits" if odd in LONG else "a whole number"
        assert await answer(ada, f"log {odd}") == [f"! Expected a message number, {what}."]
        assert (await answer(ada, f"bet {odd}"))[0].startswith("! ")
        assert (await answer(ada, odd))[0].startswith("! ")
    assert await answer(ada, "bet 2") == ["* Your bet is on 2."]  # nothing was done before


async def test_a08_only_the_ascii_space_parts_words(ada: Peer) -> None:
    for space in ("\u00a0", "\u3000", "\u2003", "\u0085", "\x1f"):
        assert (await answer(ada, f"bet{space}2"))[0].startswith("! ")
    assert await answer(ada, "  bet   2  5 ") == ["* Your bet is on 2 5."]
