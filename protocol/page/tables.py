"""PROTOCOL.md's tables, made from the code: `python -m protocol.page.tables` writes them anew between their markers."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from protocol import limits
from protocol import messages as m
from protocol.errors import CODES, GOODBYES
from protocol.exchanges import EXCHANGES
from protocol.page.notes import AUDIENCE, PARTS, meaning

PAGE = Path(__file__).parents[2] / "PROTOCOL.md"
BOTS = Path(__file__).parents[2] / "bots" / "other_languages"

_BLOCK = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_LIMIT = re.compile(r"^([A-Z_]+) = .*?  # (.*)$", re.MULTILINE)
_LANGUAGES = {".pl": "perl", ".sh": "bash"}


def blocks() -> dict[str, str]:
    """Every generated part of the page that the protocol itself can write, by the name in its markers."""
    made = {
        "requests": requests_table(),
        "told": told_table(),
        "request-fields": sections(m.REQUESTS),
        "answer-fields": sections(m.REPLIES),
        "told-fields": sections(m.TOLD),
        "parts": sections(PARTS),
        "errors": errors_table(),
        "goodbyes": table(("reason", "meaning"), [(f"`{name}`", text) for name, text in GOODBYES.items()]),
        "limits": limits_table(),
        "audience": audience_table(),
    }
    for path in sorted(BOTS.iterdir()):
        if path.suffix in _LANGUAGES:
            text = path.read_text(encoding="utf-8").rstrip("\n")
            made[f"bot-{_LANGUAGES[path.suffix]}"] = f"```{_LANGUAGES[path.suffix]}\n{text}\n```\n"
    return made


def rewritten(page: str, made: Mapping[str, str]) -> str:
    """The page with these blocks in place of what stood between their markers; other blocks stay."""

    def block(found: re.Match[str]) -> str:
        return found[1] + made[found[2]] + found[3] if found[2] in made else found[0]

    return _BLOCK.sub(block, page)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *cells])


def word(kind: type[msgspec.Struct]) -> str:
    """What stands in the `type` of a message."""
    return str(kind.__struct_config__.tag)


def prose(kind: type) -> str:
    """The docstring in one line."""
    return " ".join((kind.__doc__ or "").split())


def requests_table() -> str:
    """Requests: who may send them, what answers."""
    rows = [
        (f"`{word(row.request)}`", row.asker.value, f"`{word(row.answer)}`", prose(row.request))
        for row in EXCHANGES.values()
    ]
    return table(("request", "from", "answer", "meaning"), rows)


def told_table() -> str:
    """What the server says unasked."""
    return table(("message", "meaning"), [(f"`{word(kind)}`", prose(kind)) for kind in m.TOLD])


def audience_table() -> str:
    """Who hears what."""
    head = ("message", "the seat it is about", "other seats", "spectators", "others")
    return table(head, [(f"`{word(kind)}`", *heard) for kind, heard in AUDIENCE.items()])


def errors_table() -> str:
    """Every code."""
    rows = [
        (f"`{code.name}`", code.text, "yes" if code.again else "", "yes" if code.closes else "")
        for code in CODES.values()
    ]
    return table(("code", "meaning", "try again later", "closes"), rows)


def limits_table() -> str:
    """Every limit with the reason that stands beside it in the code."""
    reasons = dict(_LIMIT.findall(Path(limits.__file__).read_text(encoding="utf-8")))
    rows = []
    for name, value in vars(limits).items():
        if name.isupper():
            shown = " to ".join(str(part) for part in value) if isinstance(value, tuple) else f"{value:,}"
            rows.append((f"`{name.lower()}`", shown, reasons.get(name, "")))
    return table(("limit", "value", "remark"), rows)


Meaning: TypeAlias = Callable[[type[msgspec.Struct], str], str]


def sections(kinds: Sequence[type[msgspec.Struct]], meaning: Meaning = meaning) -> str:
    """A heading, a sentence and a table of fields for each message or part."""
    return "".join(_section(kind, meaning) for kind in kinds)


def _section(kind: type[msgspec.Struct], meaning: Meaning) -> str:
    tag = kind.__struct_config__.tag
    name = f"`{tag}`" if tag else kind.__name__
    hints = typing.get_type_hints(kind, include_extras=True)
    rows = [
        (f"`{field.name}`", type_text(hints[field.name]), default_text(field), meaning(kind, field.name))
        for field in sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in ("id", "re"))
    ]
    fields = table(("field", "type", "if left out", "meaning"), rows) if rows else ""
    return f"**{name}**: {prose(kind)}\n\n{fields}\n"


def default_text(field: msgspec.structs.FieldInfo) -> str:
    """What a field stands for when it is left out; "" for one that must be there."""
    if field.default is not msgspec.NODEFAULT:
        default = field.default
    elif field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    else:
        return ""
    return f"`{msgspec.json.encode(default).decode()}`"


def type_text(hint: Any) -> str:
    """A type in words, for readers of any language."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _limited(arguments[0], arguments[1])
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
    names = {int: "integer", float: "number", str: "text", bool: "true or false", Any: "anything", type(None): "null"}
    return names[hint]


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


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), blocks()), encoding="utf-8")
