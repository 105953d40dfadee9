"""What the comments beside a struct's fields say: they are the fields' words on the pages and in the schemas."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from functools import cache
from types import MappingProxyType

import msgspec


@cache
def comments(kind: type[msgspec.Struct]) -> MappingProxyType[str, str]:
    """By the names of the fields, those inherited too."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            found |= _own(base)
    return MappingProxyType(found)


def _own(kind: type[msgspec.Struct]) -> dict[str, str]:
    source = textwrap.dedent(inspect.getsource(kind))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    by_line = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    fields = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.AnnAssign)]
    return {ast.unparse(one.target): by_line[one.lineno] for one in fields if one.lineno in by_line}
