"""Holds messages and games' maps against the JSON Schema that is checked in."""

import functools
import json
from typing import Any

import jsonschema_rs

from games.registry import all_games
from server.page.files import SCHEMAS
from server.page.schemas import game_schema
from tests.helpers.variants import OURS


@functools.cache
def _schema(file: str) -> Any:
    path = SCHEMAS / f"{file}.json"
    if not path.is_file() and file in all_games():
        assert all_games()[file] not in OURS, f"write {path.name}: python -m server.page"
        return game_schema(all_games()[file])
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema_rs.meta.validate(schema)
    return schema


@functools.cache
def _validator(file: str, name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _schema(file)["$defs"]})


def faults(file: str, name: str, value: Any) -> list[str]:
    """Why the value is not what stands under that name in the file's `$defs`; nothing if it is."""
    return [error.message[:300] for error in _validator(file, name).iter_errors(value)]
