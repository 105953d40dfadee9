"""The pages of the protocol are executed: each conversation runs against a live server, in each of its faces."""

import json
import re
from typing import Any

import msgspec
import pytest
import trio

from games.api import Game
from games.registry import all_games
from protocol import limits
from protocol.messages import PARTS, REPLIES, REQUESTS, TOLD
from protocol.messages.exchanges import EXCHANGES
from protocol.page.fields import COMMON, own_fields
from protocol.page.markdown import block_names, docstring_line, message_tag
from server.config import Config
from server.page import files
from server.page.comments import field_comments
from server.page.files import PAGES, REFERENCE
from server.page.maps import nested_structs, union_members
from server.page.schemas import game_schema
from tests.e2e.conversation import Block, Stage, blocks
from tests.e2e.schemas import faults
from tests.helpers.chance import secrets_of_the_page
from tests.helpers.hall import open_hall
from tests.helpers.variants import OURS
from tests.helpers.wire import Face

TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
TEXT = "\n".join(TEXTS.values())
COUNTS = {"Gems", "Icons"}  # a number of each kind; the names say it all
FORM = {"unknown_type", "unknown_field"}  # what the schema refuses as the server does
FACES_OF: dict[str, tuple[Face, ...]] = {"json": ("json", "msgpack"), "text": ("text",), "hex": ("msgpack",)}
CONVERSATIONS = [(page, block) for page, text in TEXTS.items() for block in blocks(text)]
RUNS = [(page, block, face) for page, block in CONVERSATIONS for face in FACES_OF[block.notation]]
IDS = [f"{page}, {block.name} in {face}" for page, block, face in RUNS]


@pytest.fixture
async def port(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> int:
    """A server whose deals, tokens and challenges are those on the page."""
    secrets_of_the_page(monkeypatch)
    config = Config(port=0, operator_word="lantern", house_seconds=0.0)
    return (
        await open_hall(
            nursery, config, {name: game for name, game in all_games().items() if f'"game":"{name}"' in TEXT}
        )
    ).port


@pytest.mark.parametrize(("page", "block", "face"), RUNS, ids=IDS)
async def test_a_live_server_answers_as_the_page_shows(page: str, block: Block, face: Face, port: int) -> None:
    stage = Stage(port, face)
    with trio.fail_after(20):
        await stage.run(block)
    for client in stage.everybody:
        for message in client.received:
            assert faults("messages", "message", message) == []
            if message["type"] == "error" and message["code"] in FORM:
                client.sent = [request for request in client.sent if request["id"] != message.get("re")]
        for request in client.sent:
            assert faults("messages", "request", request) == []


def test_every_fence_that_claims_to_be_a_conversation_is_one() -> None:
    assert TEXT.count("```wire") == len(CONVERSATIONS) >= 27


def shown(sent: bool) -> list[dict[str, Any]]:
    """Every message in JSON on the pages."""
    json_blocks = [block for _page, block in CONVERSATIONS if block.notation == "json"]
    steps = [step for block in json_blocks for step in block.steps if step.sent is sent]
    return [json.loads(step.text) for step in steps if step.text.startswith("{")]


def test_every_message_stands_in_a_conversation() -> None:
    assert {message["type"] for message in shown(sent=True)} >= {message_tag(kind) for kind in REQUESTS}
    said = {message_tag(kind) for kind in (*REPLIES, *TOLD)} - {"are_you_there"}  # comes after minutes of silence
    said -= {"service"}  # comes of an order in the server's data folder
    assert {message["type"] for message in shown(sent=False)} >= said


def test_requests_are_answered_as_the_table_says() -> None:
    answered: dict[str, set[str]] = {}
    for _page, block in CONVERSATIONS:
        asked: dict[tuple[str, int], str] = {}
        for step in block.steps:
            message = json.loads(step.text) if block.notation == "json" and step.text.startswith("{") else {}
            if step.sent and message:
                asked[step.who, message["id"]] = message["type"]
            elif "re" in message and (step.who, message["re"]) in asked:
                answered.setdefault(asked[step.who, message["re"]], set()).add(message["type"])
    for kind, row in EXCHANGES.items():
        assert answered[message_tag(kind)] - {"error"} == {message_tag(row.answer)}


def test_the_protocol_page_has_at_most_9000_words() -> None:
    assert len(TEXTS["PROTOCOL.md"].split()) <= 9000


def test_every_limit_is_in_the_reference_with_a_remark() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for name in limits.all_limits():
        assert re.search(rf"^\| `{name}` \| \S+ \| ([\w.,]+ to [\w,]+)? ?\| \w.* \|$", text, re.MULTILINE), name


def test_every_generated_file_is_up_to_date() -> None:
    old = [path.name for path, text in files.render_files().items() if path.read_text(encoding="utf-8") != text]
    assert old == [], "run python -m server.page"


def test_every_generated_part_has_its_place_on_a_page() -> None:
    places = [block_names(path.read_text(encoding="utf-8")) for path in (*PAGES, REFERENCE)]
    assert set().union(*places) == set(files.render_blocks())


def test_every_field_of_a_message_has_a_type() -> None:
    rows = [row.split(" | ") for row in REFERENCE.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in rows if "anything" in row[1:2]] == []


def test_every_field_has_a_meaning_and_every_meaning_a_field() -> None:
    for kind in (*REQUESTS, *REPLIES, *TOLD, *PARTS):
        described = own_fields(kind)
        fields = [field.name for field in msgspec.structs.fields(kind)]
        assert {*COMMON, *described} >= set(fields), kind


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_field_that_a_seat_sees_has_words_in_the_reference_and_in_the_schema(game: Game) -> None:
    roots = [*union_members(game.view_type), *union_members(game.knowledge_type)]
    described = game_schema(game)["$defs"]
    for kind in (*roots, *nested_structs(roots)):
        if kind.__name__ in COUNTS:
            continue
        for field in kind.__struct_fields__:
            assert described[kind.__name__]["properties"][field].get("description"), f"{kind.__name__}.{field}"
            if game in OURS:
                assert f": {field_comments(kind)[field]}\n" in REFERENCE.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_action_and_event_has_a_meaning_in_the_reference(game: Game) -> None:
    silent = [
        kind.__name__
        for kind in union_members(game.action_type) + union_members(game.event_type)
        if not docstring_line(kind)
    ]
    assert silent == []


def test_a_common_field_has_the_same_default_everywhere() -> None:
    for name in COMMON:
        defaults = {
            str(field.default)
            for kind in (*REQUESTS, *REPLIES, *TOLD, *PARTS)
            for field in msgspec.structs.fields(kind)
            if field.name == name and name not in own_fields(kind)
        }
        assert len(defaults) == 1, name
