"""The rules for players' names: which names are allowed, and which look alike and count as the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import category, is_normalized, normalize
from unicodedata import name as name_of

from protocol.limits import NAME_CHARACTERS, NAME_CHARACTERS_LEAST
from protocol.printable import INVISIBLE, MARKS, most_stacked_marks

RESERVED = frozenset(
    {
        *("server", "system", "magehall", "house", "admin", "moderator", "operator", "spectator", "spectators"),
        *("all", "everybody", "everyone", "nobody", "you"),
    }
)
_SIGNS = frozenset("0123456789_-")
_JAPANESE = {"CJK": "JAPANESE", "HIRAGANA": "JAPANESE", "KATAKANA": "JAPANESE", "KATAKANA-HIRAGANA": "JAPANESE"}
# Letters that look like Latin ones, in either case: Latin, Cyrillic, Greek, Armenian, Coptic, Cherokee, Lisu.
_HOMOGLYPHS = {
    letter: latin
    for letters, latins in (
        ("ıłøđħŧ", "llodht"),
        ("авекмнорстухіјѕѵԁԛԝһӏ", "abekmhopctyxijsvdqwhl"),
        ("αβεζηικμνορτυχ", "abezhikmnoptyx"),
        ("օոսհցզ", "onuhgq"),
        ("ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ", "abehikmnopctyx"),
        ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏂᏃᏔᏙᏚᏞᏟᏢᏦᏧᏴ", "drtiajewmhghzwvslcpkjb"),
        ("ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpddtgkjczfmnlsrvhwxyaeiou"),
    )
    for letter, latin in zip(letters, latins, strict=True)
}
# Other Latin letters in names are those of Latin-1, Latin Extended-A and Latin Extended Additional.
_OF_LATIN = frozenset("ƠơƯưȘșȚț")
_LOOKS = str.maketrans({"0": "o", "1": "l", "i": "l", "2": "z", "5": "s", "8": "b", "_": None, "-": None, ":": None})
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


@lru_cache(4_096)
def lookalike_key(text: str) -> str:
    """Returns a key that is equal for names that look alike: they differ only in case, accents, 0 and O, 1 and l and I,
    2 and Z, 5 and S, 8 and B, rn and m, vv and w, cl and d, and letters of other scripts that look like Latin ones. The
    signs -, _ and : do not count."""
    folded = text.lower()
    if not folded.isascii():
        bare = (letter for letter in normalize("NFKD", folded.casefold()) if not "\u0300" <= letter <= "\u036f")
        folded = "".join(_HOMOGLYPHS.get(letter, letter) for letter in bare)
    folded = folded.translate(_LOOKS)
    for pair, letter in _PAIRS:
        folded = folded.replace(pair, letter)
    return folded


_DIGITS = frozenset(lookalike_key("0123456789"))


def is_name(text: str) -> bool:
    """Returns whether the text has the form of a name: letters of one script, digits, `-` and `_`, in Unicode's form
    NFC."""
    if not NAME_CHARACTERS_LEAST <= len(text) <= NAME_CHARACTERS or not _is_letter(text[0]):
        return False
    if text.isascii():
        return _LATIN.fullmatch(text) is not None
    letters = [letter for letter in text if letter not in _SIGNS]
    if not all(_is_letter(letter) or category(letter) in ("Mn", "Mc") for letter in letters):
        return False
    if not INVISIBLE.isdisjoint(text) or most_stacked_marks(text) > MARKS:
        return False
    return is_normalized("NFKC", text) and len({_script(letter) for letter in letters}) == 1


_LATIN = re.compile(r"[A-Za-z0-9_-]+")


def _is_letter(letter: str) -> bool:
    if category(letter) not in ("Lu", "Ll", "Lo"):
        return letter == "ー"
    plain = letter < "\u0180" or "\u1e00" <= letter <= "\u1eff" or letter in _OF_LATIN
    return plain or _script(letter) != "LATIN"


@lru_cache(4_096)
def _script(letter: str) -> str:
    """Returns the script of a letter or mark: the first word of its Unicode name, which is "COMBINING" for marks of no
    particular script. The Japanese scripts are one."""
    word = name_of(letter, "NONE").partition(" ")[0]
    return _JAPANESE.get(word, word)


def is_reserved(name: str, house: Iterable[str] = ()) -> bool:
    """Returns whether the name looks like a reserved word or the name of one of these house bots, alone or with digits
    behind it."""
    folded = lookalike_key(name)
    taken = [lookalike_key(voice) for voice in (*RESERVED, *house)]
    return any(folded.startswith(voice) and _DIGITS.issuperset(folded[len(voice) :]) for voice in taken)


def similar_allowed_name(text: str, otherwise: str = "") -> str:
    """Returns an allowed name that is as close to this text as possible. If the text contains none, returns
    `otherwise`, or by default a name that begins with `bot-`."""
    text, letters = normalize("NFC", text), ""
    for allowed in ("".join(filter(_may_stand, text)), re.sub(r"[^A-Za-z0-9_-]", "", text)):
        letters = allowed.lstrip("0123456789_-")[:NAME_CHARACTERS]
        if is_name(letters) and not is_reserved(letters):
            return letters
    return otherwise or f"bot-{letters[:12] or 'x'}"


def _may_stand(letter: str) -> bool:
    return letter in _SIGNS or _is_letter(letter) or category(letter) in ("Mn", "Mc")
