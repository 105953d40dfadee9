"""Every request that a client can send, made from the messages themselves: a new one is probed the day it is added.

A field gets values by its name where the world has some, such as its tables and cups, and by its type otherwise. Each
request is asked once with the first value of every field, and once more for each further value of one field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from typing import Any

import msgspec

from people.text.commands import COMMANDS
from protocol import limits
from protocol import messages as m
from protocol.messages.exchanges import EXCHANGES
from protocol.requests import parse_request
from tests.helpers.wire import Face

Plain = dict[str, Any]

LAST = ("resign", "close", "quit")  # of the requests that change something: what is left after them is less
NOT_ASKED = {  # reasons
    "hello": "each connection says it by itself, and once more in the scenes where somebody comes back",
    "operator": "three wrong words end a connection; strangers_knock has right and wrong ones",
}
DEEP = b'{"type":"act","id":1,"table":"t1","turn":1,"action":' + b'{"a":' * 12 + b"1" + b"}" * 13 + b"\n"
GARBAGE: Mapping[Face, tuple[bytes, ...]] = {
    "json": (
        *(
            b"{\n",
            b'{"type":7,"id":1}\n',
            b'{"type":"look"}\n',
            b'{"id":3}\n',
            b"\xff\xfe{}\n",
            b'{"type":"nope","id":5}\n',
        ),
        *(DEEP, b'{"type":"ping","type":"ping","id":6}\n', b'{"type":"ping","id":"' + b"7" * 2_000 + b'"}\n'),
        b"x" * (limits.LINE_BYTES + 1) + b"\n",
    ),
    "msgpack": (b"\0\0\0\x01\xc1", b"\0\0\0\x02\xa1x", b"\0\0\0\x01\x80", b"\x00\xff\xff\xff"),
    "text": (
        b"\xff\xfe\r\n",
        b"nonsense at all\r\n",
        b"\x1b[2Jlook\r\n",
        b"\xff\xfd\x01look\r\n",
        b"GET / HTTP/1.1\r\n",
    ),
}
"""What cannot be read, or not in that face; the last piece may end the connection."""
ARE_YOU_THERE = b"\xff\xf6"  # of telnet
BEGINNINGS = (
    *(b"GET / HTTP/1.1\r\nHost: magehall\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", ARE_YOU_THERE),
    *(b"\xff\xfa" + b"x" * 80 + b"\r\n", b"look\r\nwho", b'{"type":"hello"', b"\0\0\0\x09\x81"),
    *(b"", b"\n", b'{"type":"tables","id":1}\n' * 20, b"{}\n" * (limits.PROTOCOL_ERRORS + 2)),
    b"PROXY TCP4 192.0.2.1 192.0.2.2 1 7110\r\n",
)
"""What a stranger may begin with; without a line's end it half-closes then."""


@dataclass
class Values:
    """What there is in a world, by the names of the fields that mean it. Missing names get values by type."""

    tables: Sequence[str]
    cups: Sequence[str]
    names: Sequence[str]
    games: Sequence[str]
    actions: Sequence[Plain] = ()
    turns: Sequence[int] = (0,)
    more: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def of(self, name: str, kind: msgspec.inspect.Type) -> list[Any]:
        """Values for a field of that name and type."""
        known: Mapping[str, Sequence[Any]] = {
            "table": (*self.tables, "t99"),
            "cup": (*self.cups, "no-such-cup"),
            **dict.fromkeys(("player", "to", "name", "entrant"), (*self.names, "nobody-here")),
            "game": (*self.games, "nothing"),
            "bot": ("first", *self.names[:1]),
            "text": ("Hello.",),
            "action": (*self.actions, {"do": "nonsense"}),
            "turn": self.turns,
            "lang": ("en", "fr", "xx"),
            "topic": ("", "look", *self.games),
            "about": ("", "1"),
            "seat": (0, 1, 9),
            "delay": (0, 60),
            "tables": (1,),
            "format": ("round_robin", "nonsense"),
            "deals": ("fresh", "duplicate"),
            "rounds": (1,),
            "nonce": ("", "abc"),
            "options": ({}, {"rounds": 3}, {"nonsense": 1}),
            **self.more,
        }
        return list(known[name]) if name in known else self._by_type(kind)

    def _by_type(self, kind: msgspec.inspect.Type) -> list[Any]:
        if isinstance(kind, msgspec.inspect.Metadata):  # its description
            return self._by_type(kind.type)
        match kind:
            case msgspec.inspect.BoolType():
                return [False, True]
            case msgspec.inspect.IntType():
                return [0, 2, 10_000]
            case msgspec.inspect.FloatType():
                return [0.0, 2.0]
            case msgspec.inspect.StrType():
                return ["", *self.tables, *self.cups, *self.names[:2]]
            case msgspec.inspect.LiteralType(values):
                return list(values)
            case msgspec.inspect.UnionType(types):
                return [value for one in types for value in self._by_type(one)]
            case msgspec.inspect.NoneType():
                return [None]
            case msgspec.inspect.StructType(fields=fields):
                return [{one.encode_name: self._by_type(one.type)[-1] for one in fields if one.required}]
            case msgspec.inspect.DictType():
                return [{}]
            case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType() | msgspec.inspect.TupleType():
                return [[]]
        raise AssertionError(f"no value for a field of {kind}: add some to Values")


def requests(values: Values, *, question: bool) -> list[Plain]:
    """All requests that only ask, or all that change something, without their ids."""
    rows = [row for row in EXCHANGES.values() if row.question is question]
    tags = {row.request.__struct_config__.tag: row.request for row in rows}
    ordered = sorted(tags, key=lambda tag: LAST.index(tag) if tag in LAST else -1)
    return [plain for tag in ordered if tag not in NOT_ASKED for plain in variations(tags[tag], values)]


def _default(field: msgspec.inspect.Field) -> list[Any]:
    """The value that the field has where nothing is said, if it has one of its own."""
    return [] if isinstance(field.default, msgspec.UnsetType) or field.default is msgspec.NODEFAULT else [field.default]


_type_info = cache(msgspec.inspect.type_info)


def variations(kind: type[m.Request], values: Values) -> list[Plain]:
    """One request with the first values, and one more for each other value of a field."""
    info = _type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    fields = {
        one.encode_name: [
            *_default(one),
            *(value for value in values.of(one.encode_name, one.type) if [value] != _default(one)),
        ]
        for one in info.fields
        if one.name != "id"
    }
    fields = {name: found for name, found in fields.items() if found}
    first = {"type": info.tag, **{name: found[0] for name, found in fields.items()}}
    return [first, *({**first, name: other} for name, found in fields.items() for other in found[1:])]


def readable(plain: Plain) -> bool:
    """Whether it is a request at all, and no mistake of these tests."""
    try:
        parse_request({**plain, "id": 1})
    except Exception:
        return False
    return True


def broken(values: Values) -> Iterator[Plain]:
    """Each request with a field of another type, one that is missing, or one that it does not have."""
    for row in EXCHANGES.values():
        plain = variations(row.request, values)[0]
        yield {**plain, "nonsense": 1}
        for name in plain:
            if name != "type":
                yield {**plain, name: [[]]}


WORDS = {"TEXT": "hello there", "LANGUAGE": "fr", "WORD": "1", "F": "swiss", "D": "duplicate"}


def typed(values: Values, actions: Iterable[str] = (), *, question: bool) -> list[str]:
    """Each command as it is typed, with arguments that its own usage names, and without."""
    written = list(actions)
    of: Mapping[str, Sequence[str]] = {
        "TABLE": values.tables,
        "CUP": values.cups,
        "NAME": values.names,
        "ENTRANT": values.names,
        "PLAYER": values.names,
        "GAME": values.games,
        "BOT": ("first",),
        "ACTION": written,
        "COMMAND": ("look",),
    }
    lines: list[str] = []
    for word, command in COMMANDS.items():
        asks = not command.own and (command.request is None or EXCHANGES[command.request].question)
        if asks is not question or word in ("hello", "lang", "quit", "operator"):
            continue
        needed = [part.strip("[]") for part in command.arguments.split() if "=" not in part and part != "..."]
        choices = [[*of.get(part.split("|")[0], (WORDS.get(part, "1"),))] for part in needed]
        lines.append(word)
        for many in zip_longest(*choices):
            chosen = [one if one is not None else some[0] for one, some in zip(many, choices, strict=True) if some]
            lines += [" ".join((word, *chosen[: count + 1])) for count in range(len(chosen))]
        if command.asks_once:
            lines.append(word)
    return list(dict.fromkeys(lines))


def most_at_once() -> int:
    """So many unreadable lines a connection may send."""
    return limits.PROTOCOL_ERRORS - 2
