"""Decodes JSON lines and msgpack frames to plain maps, and checks the limits that hold for every message."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeAlias

import msgpack
import msgspec

from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.language import _
from protocol.printable import escaped_snippet

Path: TypeAlias = tuple[Any, ...]  # () or (path of the container, key or index)

_JSON_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f]")


class _DuplicateKey:
    """Replaces the value of a key that a map has twice, until `check` finds it and reports its path."""


class _Extension:
    """Replaces a msgpack extension value, until `check` finds it and reports its path."""


_TWICE, _EXTENSION = _DuplicateKey(), _Extension()


def decode_json(line: bytes) -> dict[str, Any]:
    """Returns the map in a JSON line, not yet checked. Raises RemoteProtocolError."""
    if line.count(b"{") + line.count(b"[") > limits.DEPTH and _json_depth(line) > limits.DEPTH:
        raise RemoteProtocolError("too_deep")
    try:
        value = _decode_json(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise RemoteProtocolError("bad_utf8") from None
    except json.JSONDecodeError as error:
        if _CONTROL.search(line):
            raise RemoteProtocolError("bad_char") from None
        raise RemoteProtocolError("bad_json", where=f"column {error.pos + 1}") from None
    if type(value) is not dict:
        raise RemoteProtocolError("not_a_map")
    if len(line) > limits.VALUES and _values(value) > limits.VALUES:
        raise _too_many()
    return value


def decode_msgpack(frame: bytes) -> dict[str, Any]:
    """Returns the map in a msgpack frame, not yet checked. Raises RemoteProtocolError."""
    few = _BoundedBuilder() if len(frame) > limits.VALUES else None  # a shorter frame cannot hold too many values
    try:
        value = msgpack.unpackb(
            frame,
            object_pairs_hook=few.build_map if few else _map_of,
            list_hook=few.build_list if few else None,
            ext_hook=_extension,
            max_ext_len=limits.STRING_BYTES,
            max_array_len=limits.VALUES,  # the library allocates the claimed length before it reads the list
            max_map_len=limits.VALUES,
        )
    except UnicodeDecodeError:
        raise RemoteProtocolError("bad_utf8") from None
    except (ValueError, msgpack.UnpackException, OverflowError) as error:
        _refuse_msgpack(error)
    if type(value) is not dict:
        raise RemoteProtocolError("not_a_map")
    return value


def decode_simple_msgpack(frame: bytes) -> dict[str, Any] | None:
    """Returns the map in a small and simple frame, or None for any other frame. Such a map needs no `check`.

    The frame is too short for a string above the limit. It has too few maps and lists to nest too deep, and in them
    only texts, numbers up to 32 bits, true, false and nil. No map has a key twice, because encoding the result again
    would then give fewer bytes.
    """
    if len(frame) > limits.STRING_BYTES:
        return None
    others = frame.translate(None, _PLAIN)
    if len(others) > limits.DEPTH or others.strip(_HOLDERS):
        return None
    try:
        value = msgpack.unpackb(frame)
    except (ValueError, msgpack.UnpackException):
        return None
    return value if type(value) is dict and len(_encode(value)) == len(frame) else None


def check_message(value: dict[str, Any]) -> None:
    """Checks the limits of every message: sizes, depth, number ranges, value types and duplicate keys. Raises
    RemoteProtocolError with the path of the first bad value."""
    _check_map(value, 1, ())


def path_text(path: Path) -> str:
    """Returns a path as text, such as `$.action.cards[2]`, cut to 128 characters."""
    steps = ""
    while path:
        path, step = path
        steps = (f"[{step}]" if type(step) is int else f".{escaped_snippet(str(step))}") + steps
    return f"${steps}"[:128]


def _map_of(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen = set()
        for key, _value in pairs:
            if key in seen:
                made[key] = _TWICE
            seen.add(key)
    return made


class _BoundedBuilder:
    """Builds the maps and lists of one frame, and stops when they hold too many values, because building them costs
    time."""

    def __init__(self) -> None:
        self._left = limits.VALUES

    def build_map(self, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
        self._take(len(pairs))
        return _map_of(pairs)

    def build_list(self, items: list[Any]) -> list[Any]:
        self._take(len(items))
        return items

    def _take(self, values: int) -> None:
        self._left -= values
        if self._left < 0:
            raise _too_many()


def _too_many() -> RemoteProtocolError:
    text = _("All maps and lists of a request hold at most {limit} values.", limit=limits.VALUES)
    return RemoteProtocolError("too_big", text)


_HOLDERS = bytes(range(0x80, 0xA0))  # the first bytes of maps and lists with at most 15 items
_WORDS = b"\xc0\xc2\xc3\xcc\xcd\xce\xd0\xd1\xd2\xd9\xda"  # nil, booleans, numbers up to 32 bits, longer texts
_PLAIN = bytes(range(0x80)) + bytes(range(0xA0, 0xC0)) + _WORDS + bytes(range(0xE0, 0x100))
_encode = msgspec.msgpack.Encoder().encode
_decode_json = json.JSONDecoder(object_pairs_hook=_map_of).decode


def _extension(_code: int, _data: bytes) -> _Extension:
    return _EXTENSION


def _values(value: Any) -> int:
    """Returns the number of values in a map or list and in all that it holds."""
    if type(value) is dict:
        value = list(value.values())
    elif type(value) is not list:
        return 0
    return len(value) + sum(map(_values, value))


def _json_depth(line: bytes) -> int:
    depth = deepest = 0
    for token in _JSON_NESTING.finditer(line):
        first = line[token.start()]
        if first in b"{[":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"}]":
            depth -= 1
    return deepest


def _refuse_msgpack(error: Exception) -> NoReturn:
    """Raises the protocol's error for an error of the msgpack library, which mostly tells its causes apart only by
    their sentences."""
    sentence = str(error)
    if isinstance(error, msgpack.StackError):
        raise RemoteProtocolError("too_deep") from None
    if "exceeds max_" in sentence:
        raise RemoteProtocolError("too_big") from None
    if "map key" in sentence:
        raise RemoteProtocolError("not_a_map") from None
    if isinstance(error, msgpack.ExtraData):
        raise RemoteProtocolError("bad_msgpack", _("There are bytes after the map in the frame.")) from None
    if "incomplete" in sentence:
        raise RemoteProtocolError("bad_msgpack", _("The frame ends inside a value.")) from None
    raise RemoteProtocolError("bad_msgpack") from None


def _check_map(value: dict[Any, Any], depth: int, path: Path) -> None:
    if depth > limits.DEPTH:
        raise RemoteProtocolError("too_deep")
    if len(value) > limits.MAP_ITEMS:
        raise RemoteProtocolError("too_big", where=path_text(path))
    longest, largest = limits.STRING_BYTES, limits.INTEGER
    for key, item in value.items():
        if type(key) is not str:
            raise RemoteProtocolError("not_a_map", where=path_text(path))
        if len(key) > longest or not key.isascii():
            _check_string(key, path)
        kind = type(item)
        if kind is str:
            if len(item) > longest or not item.isascii():
                _check_string(item, (path, key))
        elif kind is int:
            if not -largest <= item <= largest:
                raise RemoteProtocolError("bad_number", where=path_text((path, key)))
        else:
            _check_other(item, depth, (path, key))


def _check_list(value: list[Any], depth: int, path: Path) -> None:
    if depth > limits.DEPTH:
        raise RemoteProtocolError("too_deep")
    if len(value) > limits.LIST_ITEMS:
        raise RemoteProtocolError("too_big", where=path_text(path))
    for place, item in enumerate(value):
        if type(item) is str:
            _check_string(item, (path, place))
        elif type(item) is not int:
            _check_other(item, depth, (path, place))
        elif not -limits.INTEGER <= item <= limits.INTEGER:
            raise RemoteProtocolError("bad_number", where=path_text((path, place)))


def _check_other(value: Any, depth: int, path: Path) -> None:
    kind = type(value)
    if kind is dict:
        _check_map(value, depth + 1, path)
    elif kind is list:
        _check_list(value, depth + 1, path)
    elif kind is float:
        if value - value != 0:  # true for NaN and the infinities
            raise RemoteProtocolError("bad_number", where=path_text(path))
    elif value is _TWICE:
        raise RemoteProtocolError("duplicate_key", where=path_text(path))
    elif kind is not bool and value is not None:
        raise RemoteProtocolError("bad_field", _("Binary and extension values are not used here."), path_text(path))


def _check_string(value: str, path: Path) -> None:
    try:
        length = len(value.encode("utf-8"))
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape
        raise RemoteProtocolError("bad_utf8", where=path_text(path)) from None
    if length > limits.STRING_BYTES:
        raise RemoteProtocolError("too_big", where=path_text(path))
