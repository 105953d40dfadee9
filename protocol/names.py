"""The rules for players' names: which names are allowed, and which look alike and count as the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protocol.limits import NAME_CHARACTERS, NAME_CHARACTERS_LEAST

NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{{NAME_CHARACTERS_LEAST - 1},{NAME_CHARACTERS - 1}}}")
RESERVED = frozenset(
    {
        *("server", "system", "magehall", "house", "admin", "moderator", "operator", "spectator", "spectators"),
        *("all", "everybody", "everyone", "nobody", "you"),
    }
)
_LOOKS = str.maketrans({"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b", "_": None, "-": None, ":": None})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def fold(name: str) -> str:
    """Returns a key that is equal for names that look alike. It ignores case, `-`, `_` and `:`, and does not
    distinguish 0 from O, 1 from l and I, 2 from Z, 5 from S, 8 from B, rn from m, vv from w, or cl from d."""
    folded = name.lower().translate(_LOOKS)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded


_DIGITS = frozenset(fold("0123456789"))


def is_name(text: str) -> bool:
    """Returns whether the text has the form of a name."""
    return NAME.fullmatch(text) is not None


def is_reserved(name: str, house: Iterable[str] = ()) -> bool:
    """Returns whether the name looks like a reserved word or the name of one of these house bots, alone or with digits
    behind it."""
    folded = fold(name)
    taken = [fold(voice) for voice in (*RESERVED, *house)]
    return any(folded.startswith(voice) and _DIGITS.issuperset(folded[len(voice) :]) for voice in taken)


def name_like(text: str, otherwise: str = "") -> str:
    """Returns an allowed name as close to this text as possible. If the text gives none, it returns `otherwise`, or a
    name that begins with `bot-`."""
    letters = re.sub(r"[^A-Za-z0-9_-]", "", text).lstrip("0123456789_-")[:NAME_CHARACTERS]
    return letters if is_name(letters) and not is_reserved(letters) else otherwise or f"bot-{letters[:12] or 'x'}"
