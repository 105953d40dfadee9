"""Turns the plain maps that clients send into typed requests, or into errors that tell the client what is wrong."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgspec

from languages.refused import translate_error as said
from protocol import limits
from protocol.errors import RemoteProtocolError
from protocol.language import _
from protocol.messages import REQUESTS, Request
from protocol.printable import escaped_snippet
from protocol.values import check_message, path_text

BY_TYPE: dict[str, type[Request]] = {str(kind.__struct_config__.tag): kind for kind in REQUESTS}

_AT = re.compile(r" - at (?:`key` in )?`(\$[^`]*)`\Z")
_NAMED = re.compile(r"Object (contains unknown|missing required) field `(.*)`\Z", re.DOTALL)


def parse_request(value: dict[str, Any], *, is_checked: bool = False) -> Request:
    """Returns the typed request. Raises RemoteProtocolError, with the request's id if the map has a valid one."""
    kind: type[Request] | None = None
    try:
        if not is_checked:
            check_message(value)
        name = value.get("type")
        kind = BY_TYPE.get(name) if type(name) is str else None
        if kind is None:
            _refuse_type(value)
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        refused = _refused(str(error), kind)
    except RemoteProtocolError as error:
        refused = error
    number = value.get("id")
    valid_id = type(number) is int and 1 <= number <= limits.REQUEST_ID
    if not valid_id and refused.where == "$.id" and refused.code.name in ("bad_number", "bad_field"):
        refused = RemoteProtocolError("bad_id", where="$.id")
    whole = refused.code.name == "too_deep"  # a JSON line that nests too deep is not parsed, so it has no id
    refused.re = number if valid_id and type(number) is int and not whole else 0
    raise refused


def _refuse_type(value: dict[str, Any]) -> NoReturn:
    if "type" not in value:
        raise RemoteProtocolError("missing_field", _("The message has no type."), "$.type")
    if type(value["type"]) is not str:
        raise RemoteProtocolError("bad_field", _("The type is a string."), "$.type")
    raise RemoteProtocolError(
        "unknown_type", _("There is no message {name}.", name=escaped_snippet(value["type"])), "$.type"
    )


def _refused(sentence: str, kind: type[Request] | None) -> RemoteProtocolError:
    """Returns the protocol's error for an error sentence of msgspec. That sentence names types and limits; from the
    input it repeats only an unknown field or word."""
    place = _AT.search(sentence)
    where = place[1] if place else "$"
    reason = sentence[: place.start()] if place else sentence
    named = _NAMED.match(reason)
    if named is None:
        text = f"{said(reason)}."
        if kind is not None and reason.startswith("Invalid enum value"):
            words = _words(kind, re.split(r"[.\[]", where)[1])
            text = f"{text} {_('It is one of: {listed}.', listed=', '.join(words))}"
        return RemoteProtocolError("bad_field", text, where)
    field = path_text(((), named[2]))[2:]
    if named[1] == "missing required":
        return RemoteProtocolError("missing_field", _("The field {field} is missing.", field=field), f"{where}.{field}")
    return RemoteProtocolError("unknown_field", _("The message has no field {field}.", field=field), f"{where}.{field}")


@lru_cache(maxsize=16)
def _words(kind: type[Request], field: str) -> tuple[str, ...]:
    """Returns the words that the field accepts; if it is a list, that each item accepts."""
    parts = [get_type_hints(kind)[field]]
    while get_origin(parts[0]) is not Literal:
        parts = [*parts[1:], *get_args(parts[0])]
    return get_args(parts[0])
