"""Makes Markdown from message types: tables, links, field types in words. It also replaces the generated blocks of a
page, each of which stands between two markers (HTML comments)."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

_BLOCK = re.compile(r"(<!-- generated: ([a-z0-9-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_PLAIN = {int: "integer", float: "number", str: "text", bool: "true or false", Any: "anything", type(None): "null"}


def rewrite_blocks(page: str, made: Mapping[str, str]) -> str:
    """Returns the page, with the text between each pair of markers replaced by the block of that name. Raises KeyError
    if there is no such block."""
    return _BLOCK.sub(lambda found: found[1] + made[found[2]] + found[3], page)


def block_names(page: str) -> set[str]:
    """Returns the names of the blocks for which the page has markers."""
    return {found[2] for found in _BLOCK.finditer(page)}


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a Markdown table."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *cells])


def message_tag(kind: type[msgspec.Struct]) -> str:
    """Returns the word in the `type` field of a message."""
    return str(kind.__struct_config__.tag)


def heading_link(word: str) -> str:
    """Returns a link to the heading of a message on the same page."""
    return f"[`{word}`](#{word})"


def docstring_line(kind: type) -> str:
    """Returns the docstring of a type in one line."""
    return " ".join((kind.__doc__ or "").split())


def default_text(field: msgspec.structs.FieldInfo) -> str:
    """Returns the default of a field as Markdown, or "" for a required field."""
    if field.default is not msgspec.NODEFAULT:
        default = field.default
    elif field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    else:
        return ""
    return f"`{msgspec.json.encode(default).decode()}`"


def field_description(hint: Any) -> str:
    """Returns the description in a field's annotation, or ""."""
    notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is Annotated else ()
    return next((meta.description for meta in reversed(notes) if meta.description), "")


def type_text(hint: Any) -> str:
    """Returns a type in words, for readers of any programming language."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        words = [meta.extra["type"] for meta in arguments[1:] if meta.extra]
        return words[0] if words else _limited(arguments[0], arguments[1])
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(type_text(argument) for argument in arguments)
    if origin in (list, tuple, Sequence, frozenset):
        kinds = dict.fromkeys(type_text(argument) for argument in arguments if argument is not ...)
        return f"list of {' and '.join(kinds)}"
    if origin in (dict, Mapping):
        return "map"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    return _PLAIN[hint]


def _limited(hint: Any, limit: msgspec.Meta) -> str:
    text = type_text(hint)
    if limit.ge is not None and limit.le is not None:
        return f"{text} {_bound(limit.ge)} to {_bound(limit.le)}"
    if limit.max_length is None:
        return text
    if typing.get_origin(hint) in (list, tuple):
        return f"{text}, at most {limit.max_length}"
    least = f"{limit.min_length} to " if limit.min_length else "at most "
    return f"{text}, {least}{limit.max_length} characters"


def _bound(value: float) -> str:
    return "2^53-1" if value == 2**53 - 1 else f"{value:,}"
