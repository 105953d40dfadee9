"""PROTOCOL-REFERENCE.md's field tables: the fields that many messages share, and each message's own."""

from __future__ import annotations

import typing
from collections.abc import Mapping, Sequence

import msgspec

from protocol import messages as m
from protocol.page.markdown import default_text, prose, table, tag, type_text
from protocol.page.notes import COMMON, OWN, PARTS, SHAPES

_HEAD = ("field", "type", "if left out", "meaning")


def field_tables() -> dict[str, str]:
    """The blocks by the names in their markers."""
    return {
        "common-fields": common_table(),
        "request-fields": sections(m.REQUESTS),
        "answer-fields": sections(m.REPLIES),
        "told-fields": sections(m.TOLD),
        "parts": sections(PARTS),
    }


def common_table() -> str:
    """The fields that mean the same wherever a message names them among its common ones."""
    kinds = (*m.REQUESTS, *m.REPLIES, *m.TOLD, *PARTS)
    shown = {name: next(kind for kind in kinds if name in shared(kind)) for name in COMMON}
    return table(_HEAD, [_row(kind, _field(kind, name), COMMON[name]) for name, kind in shown.items()])


def shared(kind: type[msgspec.Struct]) -> list[str]:
    """The common fields of a message or part, in the order of the table of common fields."""
    return [name for name in COMMON if name in kind.__struct_fields__ and name not in OWN.get(kind, {})]


def sections(kinds: Sequence[type[msgspec.Struct]]) -> str:
    """For each message or part its name, a sentence, the common fields it has and a table of its own."""
    return "".join(_section(kind) for kind in kinds)


def own_table(kind: type[msgspec.Struct], meanings: Mapping[str, str]) -> str:
    """A table of those fields of a struct that `meanings` explains."""
    return table(_HEAD, [_row(kind, _field(kind, name), meaning) for name, meaning in meanings.items()])


def _section(kind: type[msgspec.Struct]) -> str:
    name = f"`{tag(kind)}`" if kind.__struct_config__.tag else kind.__name__
    common = ", ".join(f"`{field}`" for field in shared(kind))
    own = f"{own_table(kind, OWN[kind])}\n" if kind in OWN else ""
    return f"**{name}**: {prose(kind)}{f' Common: {common}.' if common else ''}\n\n{own}"


def _field(kind: type[msgspec.Struct], name: str) -> msgspec.structs.FieldInfo:
    return next(field for field in msgspec.structs.fields(kind) if field.name == name)


def _row(kind: type[msgspec.Struct], field: msgspec.structs.FieldInfo, meaning: str) -> tuple[str, str, str, str]:
    hint = typing.get_type_hints(kind, include_extras=True)[field.name]
    shape = SHAPES.get((kind, field.name))
    return (f"`{field.name}`", shape[0] if shape else type_text(hint), default_text(field), meaning)
