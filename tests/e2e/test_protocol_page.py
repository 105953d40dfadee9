"""PROTOCOL.md is executed: every conversation in it runs against a live server, in every face that it is meant for."""

import secrets

import pytest
import trio

from protocol.page import PAGE
from tests.e2e.conversation import Block, Stage, blocks
from tests.e2e.hall import open_hall

TEXT = PAGE.read_text(encoding="utf-8")
RUNS = [
    (block, face)
    for block in blocks(TEXT)
    for face in {"json": ("json", "msgpack"), "text": ("text",), "hex": ("msgpack",)}[block.notation]
]


@pytest.fixture
async def port(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> int:
    """A server whose secrets are 00 01 02 ..., so that deals, tokens and challenges stand on the page."""
    monkeypatch.setattr(secrets, "token_bytes", lambda count=32: bytes(range(count)))
    return (await open_hall(nursery)).port


@pytest.mark.parametrize(("block", "face"), RUNS, ids=[f"{block.name} in {face}" for block, face in RUNS])
async def test_what_the_page_shows_happens(block: Block, face: str, port: int) -> None:
    with trio.fail_after(20):
        await Stage(port, face).run(block)


def test_every_fence_that_claims_to_be_a_conversation_is_one() -> None:
    assert TEXT.count("```wire") == len(list(blocks(TEXT))) >= 20
