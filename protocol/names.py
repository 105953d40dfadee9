"""Players' names: which are allowed, and which count as the same because they look alike."""

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
    """Equal for names that look alike: case, 0 and O, 1 and l and I, 2 and Z, 5 and S, 8 and B, rn and m, vv and w, cl
    and d; -, _ and : do not count."""
    folded = name.lower().translate(_LOOKS)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded


_DIGITS = frozenset(fold("0123456789"))


def is_name(text: str) -> bool:
    """Whether it has the form of a name."""
    return NAME.fullmatch(text) is not None


def is_reserved(name: str, house: Iterable[str] = ()) -> bool:
    """Whether it is, or looks like, one of the server's own voices or one of these bots, with or without a number."""
    folded = fold(name)
    taken = [fold(voice) for voice in (*RESERVED, *house)]
    return any(folded.startswith(voice) and _DIGITS.issuperset(folded[len(voice) :]) for voice in taken)


def name_like(text: str, otherwise: str = "") -> str:
    """An allowed name as close to this text as possible. If the text gives none: `otherwise`, or a name that begins
    with `bot-`."""
    letters = re.sub(r"[^A-Za-z0-9_-]", "", text).lstrip("0123456789_-")[:NAME_CHARACTERS]
    return letters if is_name(letters) and not is_reserved(letters) else otherwise or f"bot-{letters[:12] or 'x'}"
