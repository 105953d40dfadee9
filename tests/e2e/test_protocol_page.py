"""PROTOCOL.md is executed: every conversation in it runs against a live server, in every face that it is meant for."""

import json
import re
from typing import Any

import pytest
import trio

from games.registry import all_games
from protocol.exchanges import EXCHANGES
from protocol.messages import REPLIES, REQUESTS, TOLD
from protocol.page.tables import PAGE, rewritten, word
from protocol.page.tables import blocks as page_blocks
from server.page import game_blocks
from tests.e2e.conversation import Block, Stage, blocks
from tests.helpers.chance import secrets_of_the_page
from tests.helpers.hall import open_hall
from tests.helpers.wire import Face

TEXT = PAGE.read_text(encoding="utf-8")
FACES_OF: dict[str, tuple[Face, ...]] = {"json": ("json", "msgpack"), "text": ("text",), "hex": ("msgpack",)}
RUNS = [(block, face) for block in blocks(TEXT) for face in FACES_OF[block.notation]]


@pytest.fixture
async def port(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> int:
    """A server whose deals, tokens and challenges are those on the page."""
    secrets_of_the_page(monkeypatch)
    return (await open_hall(nursery)).port


@pytest.mark.parametrize(("block", "face"), RUNS, ids=[f"{block.name} in {face}" for block, face in RUNS])
async def test_what_the_page_shows_happens(block: Block, face: Face, port: int) -> None:
    with trio.fail_after(20):
        await Stage(port, face).run(block)


def test_every_fence_that_claims_to_be_a_conversation_is_one() -> None:
    assert TEXT.count("```wire") == len(list(blocks(TEXT))) > 10


def shown(sent: bool) -> list[dict[str, Any]]:
    """Every message in JSON on the page."""
    steps = [step for block in blocks(TEXT) if block.notation == "json" for step in block.steps if step.sent is sent]
    return [json.loads(step.text) for step in steps if step.text.startswith("{")]


def test_every_message_stands_in_a_conversation() -> None:
    assert {message["type"] for message in shown(sent=True)} >= {word(kind) for kind in REQUESTS}
    assert {message["type"] for message in shown(sent=False)} >= {word(kind) for kind in (*REPLIES, *TOLD)}


def test_requests_are_answered_as_the_table_says() -> None:
    answered: dict[str, set[str]] = {}
    for block in blocks(TEXT):
        asked: dict[tuple[str, int], str] = {}
        for step in block.steps:
            message = json.loads(step.text) if block.notation == "json" and step.text.startswith("{") else {}
            if step.sent and message:
                asked[step.who, message["id"]] = message["type"]
            elif "re" in message and (step.who, message["re"]) in asked:
                answered.setdefault(asked[step.who, message["re"]], set()).add(message["type"])
    for kind, row in EXCHANGES.items():
        assert answered[word(kind)] - {"error"} == {word(row.answer)}


def test_the_generated_parts_are_up_to_date() -> None:
    made = {**page_blocks(), **game_blocks(all_games())}
    assert set(re.findall("<!-- generated: ([a-z-]+) -->", TEXT)) == set(made)
    assert rewritten(TEXT, made) == TEXT, "run python -m server.page"


def test_links_within_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    links = re.findall(r"\]\(#(.*?)\)", TEXT)
    assert {re.sub("[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings} >= set(links)
