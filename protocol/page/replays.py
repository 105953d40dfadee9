"""The table and the JSON Schema of replay lines, made from their types."""

from __future__ import annotations

import typing
from typing import Any

import msgspec

from protocol import replay
from protocol.messages import Map
from protocol.page.markdown import default_text, docstring_line, markdown_table, message_tag, type_text
from protocol.page.schema import DRAFT, schema_definitions

_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def replay_lines_table() -> str:
    """Returns the table of replay lines with their fields and meanings."""
    rows = [(f"`{_word(kind)}`", ", ".join(_fields(kind)), docstring_line(_class(kind))) for kind in replay.LINES]
    return markdown_table(("line", "fields, in their order", "meaning"), rows)


def _class(kind: Any) -> type[msgspec.Struct]:
    """Returns the class of a line. A line with an action is a generic alias, which has to be resolved."""
    found: type[msgspec.Struct] = typing.get_origin(kind) or kind
    return found


def _word(kind: Any) -> str:
    return message_tag(_class(kind))


def _fields(kind: Any) -> list[str]:
    return [
        f"`{field.name}` {type_text(field.type)}" + (f" ({default})" if (default := default_text(field)) else "")
        for field in msgspec.structs.fields(kind)
    ]


def replay_schema() -> Map:
    """Returns the JSON Schema of one replay line, with every kind of line under its word in `$defs`."""
    lines, found = schema_definitions(replay.LINES)
    for kind, reference in zip(replay.LINES, lines, strict=True):
        line = found[_word(kind)] = found.pop(reference["$ref"].rpartition("/")[2])
        line["properties"]["hash"] = _HASH
        line["required"].append("hash")
    return {
        "$schema": DRAFT,
        "title": f"magehall's replays, version {replay.VERSION}: lines of the file",
        "description": "Written by `python -m server.page`. docs/protocol-replays.md explains it.",
        "oneOf": [{"$ref": f"#/$defs/{_word(kind)}"} for kind in replay.LINES],
        "$defs": found,
    }
