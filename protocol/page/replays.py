"""What the page and the schema say about replays: the lines of the file, from their types."""

from __future__ import annotations

import typing

import msgspec

from protocol import replay
from protocol.messages import Map
from protocol.page.markdown import default_text, prose, table, tag, type_text
from protocol.page.schema import DRAFT, definitions

_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def lines_table() -> str:
    """Each line with its fields and what it says."""
    rows = [(f"`{tag(kind)}`", ", ".join(_fields(kind)), prose(kind)) for kind in replay.LINES]
    return table(("line", "fields, in their order", "meaning"), rows)


def _fields(kind: type[msgspec.Struct]) -> list[str]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return [
        f"`{field.name}` {type_text(hints[field.name])}" + (f" ({default})" if (default := default_text(field)) else "")
        for field in msgspec.structs.fields(kind)
    ]


def replay_schema() -> Map:
    """Every line under its word in `$defs`; the whole schema fits any one line."""
    _, found = definitions(replay.LINES)
    for kind in replay.LINES:
        line = found[tag(kind)] = found.pop(kind.__name__)
        line["properties"]["hash"] = _HASH
        line["required"].append("hash")
    return {
        "$schema": DRAFT,
        "title": f"magehall's replays, version {replay.VERSION}: lines of the file",
        "description": "Written by `python -m server.page`. PROTOCOL.md says what it all means.",
        "oneOf": [{"$ref": f"#/$defs/{tag(kind)}"} for kind in replay.LINES],
        "$defs": found,
    }
