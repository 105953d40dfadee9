"""Reads the comments on fields of structs, which the pages and the JSON schemas use as descriptions."""

from __future__ import annotations

import ast
import sys
import tokenize
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec


@cache
def field_comments(kind: type[msgspec.Struct]) -> MappingProxyType[str, str]:
    """Returns the comment on each field of a struct by the field's name, including inherited fields."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _written(base.__module__).get(base.__qualname__, {})
    return MappingProxyType(found)


@cache
def _written(module: str) -> dict[str, dict[str, str]]:
    """Returns the comments in a module, by class name and field name."""
    path = Path(str(sys.modules[module].__file__))
    with path.open("rb") as lines:
        tokens = tokenize.tokenize(lines.readline)
        by_line = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    classes = [one for one in ast.parse(path.read_bytes()).body if isinstance(one, ast.ClassDef)]
    return {
        one.name: {
            ast.unparse(field.target): by_line[field.lineno]
            for field in one.body
            if isinstance(field, ast.AnnAssign) and field.lineno in by_line
        }
        for one in classes
    }
