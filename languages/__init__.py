"""The language that texts are made in just now, and the catalogues that they are looked up in.

The sentences in the code are English, and each is its own key. One program speaks to many people at once, so the
language belongs to what is being done and not to the process: whoever makes a text for somebody does it `speaking`
their language. Where nothing is said it is English, or what the program was told to `speak`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from contextvars import ContextVar, Token
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from unicodedata import combining, normalize

ENGLISH = "en"
NAMES = {ENGLISH: "English", "fr": "français"}  # of each language, in that language
IN_ENGLISH = {ENGLISH: "english", "fr": "french"}

_language: ContextVar[str] = ContextVar("language")
_own = ENGLISH  # of the program


def language() -> str:
    """The language that texts are made in here and now."""
    return _language.get(_own)


def known(name: str) -> str:
    """The language that a name or a setting of the system stands for (`fr`, `fr_CA.UTF-8`, `Français`, `french`); ""
    for none."""
    wanted = plain(name.strip())
    code = wanted[:2] if wanted[2:3] in ("", "_", "-", ".", "@") else ""
    return next((one for one, own in NAMES.items() if one == code or wanted in (plain(own), IN_ENGLISH[one])), "")


def plain(word: str) -> str:
    """The word without case and accents."""
    return "".join(letter for letter in normalize("NFKD", word.lower()) if not combining(letter))


def named(word: str, known: Iterable[str]) -> str:
    """The one that the word is, or is a part of, without case, accents and signs; "" if it is none or several."""
    sought = _letters(word)
    fitting = [one for one in known if sought and sought in _letters(one)]
    exact = [one for one in fitting if _letters(one) == sought]
    return (exact or fitting)[0] if len(exact or fitting) == 1 else ""


def _letters(name: str) -> str:
    return "".join(letter for letter in plain(name) if letter.isalnum())


def speak(name: str) -> None:
    """The program speaks that language from now on, wherever nothing else is said: for a program of one person."""
    global _own
    _own = name


class speaking:  # read as a phrase: `with speaking("fr"):`
    """Texts are made in that language until the block ends."""

    __slots__ = ("_before", "_name")
    _before: Token[str]

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._before = _language.set(self._name)

    def __exit__(self, *_error: object) -> None:
        _language.reset(self._before)


def mark(message: str) -> str:
    """The sentence itself. It stands in a table and is looked up when it is said."""
    return message


class Catalogue:
    """The sentences of one package: `fr.mo` beside its code, made of `fr.po`, has them in French. One that is not there
    is English."""

    def __init__(self, file: str) -> None:
        """`file` is the `__file__` of a module in the package's folder."""
        self._folder = Path(file).parent

    def say(self, message: str, /, **fields: object) -> str:
        """The sentence in the current language, with its fields filled in."""
        spoken = _language.get(_own)  # as `language` does, which takes as long again
        if spoken != ENGLISH and message:
            message = _read(self._folder, spoken).gettext(message)
        return message.format(**fields) if fields else message

    def count(self, one: str, several: str, n: int, /, **fields: object) -> str:
        """The form of the sentence for a number, which both forms may name as `n`."""
        message = _read(self._folder, language()).ngettext(one, several, n)
        return message.format(n=n, **fields)

    def again(self, text: str, sentences: Iterable[str], values: Collection[str] = ()) -> str:
        """A text in the current language that was made in English, of one of these sentences or of no fields. Of what
        stands in fields only these values are looked up: names stay as they are."""
        if language() == ENGLISH:
            return text
        for sentence in sentences:
            found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(sentence)), text)
            if found:
                fields = found.groupdict().items()
                return self.say(sentence, **{name: self.say(it) if it in values else it for name, it in fields})
        return self.say(text)


@cache
def _read(folder: Path, name: str) -> NullTranslations:
    file = folder / f"{name}.mo"
    if not file.is_file():
        return NullTranslations()
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)
