"""The current language for texts, and the catalogues with their translations.

Sentences in the code are English and serve as keys of the catalogues. One process serves people with different
languages, so the current language belongs to the current context and not to the process. Code that makes a text for a
person wraps this in `with speaking(...)`. Without it, texts are in the language that `set_default_language` has set,
or in English.
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
NAMES = {ENGLISH: "English", "fr": "français"}  # the name of each language, in that language
IN_ENGLISH = {ENGLISH: "english", "fr": "french"}  # the English name of each language, in lower case

_language: ContextVar[str] = ContextVar("language")
_own = ENGLISH  # the default language of this process


def current_language() -> str:
    """Returns the code of the current language, such as `fr`."""
    return _language.get(_own)


def language_code(name: str) -> str:
    """Returns the code of the language that a name or a locale means (`fr`, `fr_CA.UTF-8`, `Français`, `french`); "" if
    the language is not supported."""
    wanted = strip_accents(name.strip())
    code = wanted[:2] if wanted[2:3] in ("", "_", "-", ".", "@") else ""
    return next(
        (one for one, own in NAMES.items() if one == code or wanted in (strip_accents(own), IN_ENGLISH[one])), ""
    )


def strip_accents(word: str) -> str:
    """Returns the word in lower case and without accents."""
    return "".join(letter for letter in normalize("NFKD", word.lower()) if not combining(letter))


def find_name(word: str, names: Iterable[str]) -> str:
    """Returns the one of `names` that contains the word, ignoring case, accents and punctuation. A name that
    equals the word takes precedence. Returns "" if no name or several names match."""
    sought = _letters(word)
    fitting = [one for one in names if sought and sought in _letters(one)]
    exact = [one for one in fitting if _letters(one) == sought]
    return (exact or fitting)[0] if len(exact or fitting) == 1 else ""


def _letters(name: str) -> str:
    return "".join(letter for letter in strip_accents(name) if letter.isalnum())


def set_default_language(name: str) -> None:
    """Sets the default language of this process by its code, for a program with a single user."""
    global _own
    _own = name


class speaking:  # lower case, because it is used as `with speaking("fr"):`
    """A context manager that sets the current language for the code inside it."""

    __slots__ = ("_before", "_name")
    _before: Token[str]

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._before = _language.set(self._name)

    def __exit__(self, *_error: object) -> None:
        _language.reset(self._before)


def mark_for_translation(message: str) -> str:
    """Returns the message unchanged. A call marks a constant message for the translators, so that `Catalogue.translate`
    can translate it when it is shown."""
    return message


class Catalogue:
    """The translations of one package. The French ones are in `fr.mo` in its folder, compiled from `fr.po`. Sentences
    without a translation stay English."""

    def __init__(self, file: str) -> None:
        """Uses the folder of `file`, which is the `__file__` of a module in the package."""
        self._folder = Path(file).parent

    def translate(self, message: str, /, **fields: object) -> str:
        """Returns the message in the current language, with its fields filled in."""
        spoken = _language.get(_own)  # inlines `current_language()`, because the call would double the time
        if spoken != ENGLISH and message:
            message = _read(self._folder, spoken).gettext(message)
        return message.format(**fields) if fields else message

    def translate_plural(self, one: str, several: str, n: int, /, **fields: object) -> str:
        """Returns the singular or plural form for the number `n`, which both forms may contain as {n}."""
        message = _read(self._folder, current_language()).ngettext(one, several, n)
        return message.format(n=n, **fields)

    def translate_text(self, text: str, sentences: Iterable[str], values: Collection[str] = ()) -> str:
        """Translates a text that already exists in English, such as an error of a library. The text is one of
        `sentences` with its fields filled in, or a message without fields. The value of a field is translated only if
        `values` contains it, so that names stay as they are."""
        if current_language() == ENGLISH:
            return text
        for sentence in sentences:
            found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(sentence)), text)
            if found:
                fields = found.groupdict().items()
                return self.translate(
                    sentence, **{name: self.translate(it) if it in values else it for name, it in fields}
                )
        return self.translate(text)


@cache
def _read(folder: Path, name: str) -> NullTranslations:
    file = folder / f"{name}.mo"
    if not file.is_file():
        return NullTranslations()
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)
