"""Players' names: which are allowed, and which count as the same because they look alike."""

from __future__ import annotations

import re

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
RESERVED = frozenset({"server", "admin", "all", "house", "magehall", "everybody", "nobody", "you", "spectator"})
_LOOKS = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "_": None, "-": None})


def fold(name: str) -> str:
    """Equal for names that look alike: case, 0 and O, 1 and l and I, 5 and S; - and _ do not count."""
    return name.lower().translate(_LOOKS)


_RESERVED = frozenset(fold(name) for name in RESERVED)


def is_free(name: str) -> bool:
    """Whether the name is allowed at all; somebody may have it already."""
    return NAME.fullmatch(name) is not None and fold(name) not in _RESERVED


def name_like(text: str, otherwise: str = "") -> str:
    """An allowed name as close to this text as possible. If the text gives none: `otherwise`, or a name that begins
    with `bot-`."""
    letters = re.sub(r"[^A-Za-z0-9_-]", "", text).lstrip("0123456789_-")[:16]
    return letters if is_free(letters) else otherwise or f"bot-{letters[:12] or 'x'}"
