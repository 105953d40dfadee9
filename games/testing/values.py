"""The part of the exam that checks encodings: actions, events, views and knowledge survive JSON and msgpack."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from games.testing.failed import ExamFailed, require
from games.unions import convert_union


def check_round_trip(value: msgspec.Struct, kind: object, spot: str) -> None:
    """Encodes and decodes a value in JSON and msgpack. Raises ExamFailed if it does not come back equal."""
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(value))
    lined = json.loads(msgspec.json.encode(value))
    try:
        require(convert_union(packed, kind) == value, f"{spot}: {value} does not survive msgpack")
        require(convert_union(lined, kind) == value, f"{spot}: {value} does not survive JSON")
    except msgspec.ValidationError as error:
        raise ExamFailed(f"{spot}: {value} is none of {kind}: {error}") from None


@contextmanager
def add_place_to_errors(where: str) -> Iterator[None]:
    """A context manager that adds the place in the exam to any error that a game raises."""
    try:
        yield
    except ExamFailed:
        raise
    except Exception as error:
        error.add_note(f"raised in the exam of {where}")
        raise
