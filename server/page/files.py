"""All generated files and generated parts of pages, with the text that they should have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.registry import all_games
from people.text.help import usage_line
from people.text.lookup import NOT_BY_TELNET, available_commands
from protocol.page.fields import field_tables
from protocol.page.markdown import markdown_table, rewrite_blocks
from protocol.page.overview import ROOT, overview_tables
from protocol.page.replays import replay_lines_table, replay_schema
from protocol.page.schema import message_schema
from server.page.maps import render_game_blocks
from server.page.schemas import game_schema
from tournaments.formats.registry import FORMATS

REFERENCE = ROOT / "PROTOCOL-REFERENCE.md"
PAGES = (ROOT / "PROTOCOL.md", *sorted((ROOT / "docs").glob("protocol-*.md")))
SCHEMAS = ROOT / "protocol" / "schema"


def render_blocks() -> dict[str, str]:
    """Returns the text of every generated part of a page, by the name in its markers."""
    rows = [(f"`{usage_line(word, row)}`", row.help) for word, row in available_commands(NOT_BY_TELNET).items()]
    return {
        "commands": markdown_table(("command", "does"), rows),
        **overview_tables(),
        "replay-lines": replay_lines_table(),
        **field_tables(),
        **render_game_blocks(all_games()),
        "cup-formats": markdown_table(
            ("format", "what is played"), [(f"`{one.id}`", one.about) for one in FORMATS.values()]
        ),
    }


def render_files() -> dict[Path, str]:
    """Returns the text of each generated file, by path."""
    made = render_blocks()
    texts = {path: rewrite_blocks(path.read_text(encoding="utf-8"), made) for path in (*PAGES, REFERENCE)}
    schemas = {"messages": message_schema(), "replay": replay_schema()} | {
        game.id: game_schema(game) for game in all_games().values()
    }
    return texts | {SCHEMAS / f"{name}.json": _json(schema) for name, schema in schemas.items()}


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=2) + "\n"
