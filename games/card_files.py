"""Card files of owners: TOML, of which it is known on which line each entry begins, so that a refusal can name it."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import Any, NoReturn, TypeVar

import msgspec

from games.api import CardsRefused

T = TypeVar("T")

MOST_BYTES = 200_000  # a card file is a few pages; more is a mistake
MOST_DOTS = 200  # in a line
_HEADER = re.compile(r"\s*\[\[?\s*([\w.\-]+)\s*\]\]?")


@lru_cache(maxsize=4)  # several editions are read from one text
def toml(text: str) -> dict[str, Any]:
    """What the text holds. It is kept, so nobody may change it. Raises ValueError for what is no TOML, or more than a
    card file has: such as a name of thousands of parts, over which the reader of TOML takes minutes."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError(f"it is longer than {MOST_BYTES} bytes")
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # which cannot be hashed, kept or sent
        raise ValueError("it holds half a character")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"there are more than {MOST_DOTS} dots (at line {number})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its lists nest too deep") from None


class CardFileReader:
    """Reads one file; a game's own reader is made of it. What refuses names the place that `at` was told last."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, list[int]] = {}
        self._line, self._where = 1, "the whole file"

    def data(self) -> dict[str, Any]:
        """All of it."""
        try:
            data = toml(self._text)
        except ValueError as error:
            found = re.search(r"at line (\d+)", str(error))
            is_toml = not isinstance(error, tomllib.TOMLDecodeError)
            self._line = int(found[1]) if found else 1 if is_toml else len(self._text.splitlines())
            self.refuse(str(error) if is_toml else f"it is no TOML: {error}")
        for number, line in enumerate(self._text.splitlines(), 1):
            if header := _HEADER.match(line):
                self._lines.setdefault(header[1], []).append(number)
        return data

    def entries(self, data: dict[str, Any], section: str) -> list[dict[str, Any]]:
        """Those of a section that is there once for each."""
        found = data.get(section, [])
        self.at(section)
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            self.refuse(f"write it as [[{section}]], once for each")
        return found

    def table(self, given: Any, name: str) -> dict[str, Any]:
        """The same, if it is a table."""
        if not isinstance(given, dict):
            self.refuse(f"{name} is a table, written as [{name}]")
        return given

    def convert(self, raw: Any, kind: type[T]) -> T:
        """The entry as a struct."""
        try:
            return msgspec.convert(raw, kind, str_keys=True)
        except msgspec.ValidationError as error:
            self.refuse(str(error))

    def at(self, section: str, number: int | None = None, name: object = None) -> None:
        """What follows is about that section, or about the entry of that number, 0 for the first, and name in it."""
        lines = self._lines.get(section, [])
        self._line = lines[number or 0] if (number or 0) < len(lines) else 1
        self._where = f"[{section}]" if number is None else f"{section} {number + 1}"
        if isinstance(name, str):
            self._where = f"{section} {name!r}"

    def at_the_whole(self) -> None:
        """What follows is about no entry alone."""
        self._line, self._where = 1, "the whole file"

    def demand(self, right: bool, reason: str) -> None:
        """Refuses with the reason unless that is so."""
        if not right:
            self.refuse(reason)

    def refuse(self, reason: str) -> NoReturn:
        """Raises CardsRefused with line, place and reason."""
        raise CardsRefused(f"line {self._line}, {self._where}: {reason}.")
