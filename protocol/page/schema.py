"""JSON Schema (draft 2020-12) from the message types, for requests and for messages of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from protocol import VERSION
from protocol import messages as m
from protocol.messages import Map
from protocol.page.fields import COMMON
from protocol.page.markdown import message_tag

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def message_schema() -> Map:
    """Returns the JSON Schema of one message in either direction, with every message and part under its name in
    `$defs`."""
    told = (*m.REPLIES, *m.TOLD)
    _, found = schema_definitions((*m.REQUESTS, *told))
    groups = {
        "request": _one_of("What a client may send. Fields that stand in no list here are refused.", m.REQUESTS),
        "message": _one_of("What the server sends. Fields and messages that are not known are to be ignored.", told),
        "told": _one_of("What the server sends without being asked, and may send again with `log`.", m.TOLD),
    }
    kinds = {message_tag(kind): kind for kind in (*m.REQUESTS, *told)} | {kind.__name__: kind for kind in m.PARTS}
    return {
        "$schema": DRAFT,
        "title": f"magehall's protocol, version {VERSION}: messages",
        "description": "Written by `python -m server.page`. PROTOCOL.md explains it.",
        "anyOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/message"}],
        "$defs": groups | {name: _described(kind, found[kind.__name__]) for name, kind in kinds.items()},
    }


def schema_definitions(roots: Sequence[Any]) -> tuple[list[Map], Map]:
    """Returns the schemas of these types, and a dict with the schema of every struct in them by its name."""
    schemas, found = msgspec.json.schema_components(roots, ref_template="#/$defs/{name}")
    return [_tidy(schema) for schema in schemas], _tidy(found)


def _one_of(description: str, kinds: Sequence[type[msgspec.Struct]]) -> Map:
    return {"description": description, "oneOf": [{"$ref": f"#/$defs/{message_tag(kind)}"} for kind in kinds]}


def _described(kind: type[msgspec.Struct], schema: Map) -> Map:
    """Returns the schema of a message or part, with descriptions added for the common fields."""
    fields = {
        name: given if "description" in given or name not in COMMON else given | {"description": COMMON[name]}
        for name, given in schema["properties"].items()
    }
    return {**schema, "properties": fields}


def _tidy(schema: Any) -> Any:
    """Returns the schema without Python's class names and OpenAPI's keywords. It turns an enum with one value into a
    `const`."""
    if isinstance(schema, list):
        return [_tidy(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    tidy = {}
    for key, value in schema.items():
        if (key == "title" and isinstance(value, str)) or key == "discriminator":
            continue
        if isinstance(value, str):
            tidy[key] = " ".join(value.split())
        elif key == "enum" and isinstance(value, list) and len(value) == 1:
            tidy["const"] = value[0]
        else:
            tidy[key] = _tidy(value)
    return tidy
