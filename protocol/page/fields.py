"""The field tables of PROTOCOL-REFERENCE.md: the fields that many messages share, and the fields of each message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from protocol import limits
from protocol import messages as m
from protocol.page.markdown import (
    default_text,
    docstring_line,
    field_description,
    markdown_table,
    message_tag,
    type_text,
)

_HEAD = ("field", "type", "if left out", "meaning")

# Fields with the same meaning in every message and part, unless an annotation there describes the field.
COMMON: dict[str, str] = {
    "id": "the request's number: each one larger than those before it in the same session",
    "re": "the `id` of the request that this answers; 0 or left out: it had no readable id",
    "table": "a table's id, such as `t1`",
    "n": "counts the messages that this receiver gets at this table: 1, 2, 3, ... without a gap, "
    "unless its `hear` is `turns`",
    "turn": "the number of the decision: 1, 2, 3, ... for each seat",
    "seat": "a seat, counted from 1 clockwise",
    "game": "a game's id, such as `ikasamage`",
    "action": "one of the game's actions",
    "nonce": "your share in the chance of the deal: printable ASCII without spaces",
    "info": "the table, as every player may see it",
    "clock": "the clock rule",
    "commitment": "64 hex digits that bind the server to the deal before it is dealt",
    "rules_version": "changes whenever the same deal and actions could give another match",
    "cup": "a cup's name, of the same letters as a player's; names that look alike count as the same here, too",
    "match": "the number of a match in its cup",
    "entrant": "the name of an entrant",
    "delay": f"spectators may see all hands after this many seconds, {limits.LEAST_DELAY} or more; 0: never",
    "cards": "names the card file that replaces the game's own; empty: the game's own cards",
}


def field_tables() -> dict[str, str]:
    """Returns the generated blocks of PROTOCOL-REFERENCE.md, by the names of their markers in the page."""
    return {
        "common-fields": common_table(),
        "request-fields": message_sections(m.REQUESTS),
        "answer-fields": message_sections(m.REPLIES),
        "told-fields": message_sections(m.TOLD),
        "parts": message_sections(m.PARTS),
    }


def common_table() -> str:
    """Returns the table of the fields that mean the same in every message that lists them as common."""
    kinds = (*m.REQUESTS, *m.REPLIES, *m.TOLD, *m.PARTS)
    shown = {name: next(kind for kind in kinds if name in common_fields(kind)) for name in COMMON}
    return markdown_table(_HEAD, [_row(_field(kind, name), COMMON[name]) for name, kind in shown.items()])


def common_fields(kind: type[msgspec.Struct]) -> list[str]:
    """Returns the common fields of a message or part, in the order of COMMON."""
    return [name for name in COMMON if name in kind.__struct_fields__ and name not in own_fields(kind)]


def message_sections(kinds: Sequence[type[msgspec.Struct]]) -> str:
    """Returns a section for each message or part: its name, its docstring, its common fields and a table of its own
    fields."""
    return "".join(_section(kind) for kind in kinds)


def own_fields(kind: type[msgspec.Struct]) -> dict[str, str]:
    """Returns the fields that a message or part describes itself, with their meanings."""
    return {field.name: text for field in msgspec.structs.fields(kind) if (text := field_description(field.type))}


def own_fields_table(kind: type[msgspec.Struct], meanings: Mapping[str, str]) -> str:
    """Returns a table of the fields of a struct that `meanings` explains."""
    return markdown_table(_HEAD, [_row(_field(kind, name), meaning) for name, meaning in meanings.items()])


def _section(kind: type[msgspec.Struct]) -> str:
    name = f"`{message_tag(kind)}`" if kind.__struct_config__.tag else kind.__name__
    common = ", ".join(f"`{field}`" for field in common_fields(kind))
    described = f"{own_fields_table(kind, meanings)}\n" if (meanings := own_fields(kind)) else ""
    return f"### {name}\n\n{docstring_line(kind)}{f' Common: {common}.' if common else ''}\n\n{described}"


def _field(kind: type[msgspec.Struct], name: str) -> msgspec.structs.FieldInfo:
    return next(field for field in msgspec.structs.fields(kind) if field.name == name)


def _row(field: msgspec.structs.FieldInfo, meaning: str) -> tuple[str, str, str, str]:
    return (f"`{field.name}`", type_text(field.type), default_text(field), meaning)
