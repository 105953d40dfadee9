"""Holds messages and games' maps against the JSON Schema that is checked in."""

import functools
import json
from typing import Any

from jsonschema import Draft202012Validator

from server.page.files import SCHEMAS


@functools.cache
def _schema(file: str) -> Any:
    schema = json.loads((SCHEMAS / f"{file}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return schema


@functools.cache
def _validator(file: str, name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _schema(file)["$defs"]})


def faults(file: str, name: str, value: Any) -> list[str]:
    """Why the value is not what stands under that name in the file's `$defs`; nothing if it is."""
    return [error.message[:300] for error in _validator(file, name).iter_errors(value)]
