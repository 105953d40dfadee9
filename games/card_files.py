"""Reads custom card files, which are TOML. Errors name the line of the entry at fault."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import Any, NoReturn, TypeVar

import msgspec

from games.api import CardsRefused

T = TypeVar("T")

MOST_BYTES = 200_000  # the largest size of a card file, which normally has a few pages
MOST_DOTS = 200  # the largest number of dots in one line
_HEADER = re.compile(r"\s*\[\[?\s*([\w.\-]+)\s*\]\]?")


@lru_cache(maxsize=4)  # cached, because a game with several editions reads the same text for each
def parse_toml(text: str) -> dict[str, Any]:
    """Returns the content of a TOML text. The result is cached, so callers must not change it. Raises ValueError for
    invalid TOML, and for texts beyond MOST_BYTES or MOST_DOTS, because the parser takes minutes for a name with
    thousands of dots."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise ValueError(f"it is longer than {MOST_BYTES} bytes")
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # a lone surrogate cannot be encoded as UTF-8
        raise ValueError("it contains half a character")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"there are more than {MOST_DOTS} dots (at line {number})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its lists nest too deep") from None


class CardFileReader:
    """The base class of the games' card file readers. An error names the place in the file that the last call of `at`
    set."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: dict[str, list[int]] = {}
        self._line, self._where = 1, "the whole file"

    def parse_file(self) -> dict[str, Any]:
        """Returns the content of the file. Raises CardsRefused if it is not valid TOML."""
        try:
            data = parse_toml(self._text)
        except ValueError as error:
            found = re.search(r"at line (\d+)", str(error))
            is_toml = not isinstance(error, tomllib.TOMLDecodeError)
            self._line = int(found[1]) if found else 1 if is_toml else len(self._text.splitlines())
            self.raise_refused(str(error) if is_toml else f"it is not TOML: {error}")
        for number, line in enumerate(self._text.splitlines(), 1):
            if header := _HEADER.match(line):
                self._lines.setdefault(header[1], []).append(number)
        return data

    def section_entries(self, data: dict[str, Any], section: str) -> list[dict[str, Any]]:
        """Returns the entries of a section that is an array of tables; [] if the section is missing. Raises
        CardsRefused if it is anything else."""
        found = data.get(section, [])
        self.set_location(section)
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            self.raise_refused(f"write it as [[{section}]], once for each")
        return found

    def require_table(self, given: Any, name: str) -> dict[str, Any]:
        """Returns the value if it is a TOML table. Raises CardsRefused for anything else."""
        if not isinstance(given, dict):
            self.raise_refused(f"{name} is a table, written as [{name}]")
        return given

    def convert_entry(self, raw: Any, kind: type[T]) -> T:
        """Returns the entry as a struct of the type `kind`. Raises CardsRefused if it does not fit."""
        try:
            return msgspec.convert(raw, kind, str_keys=True)
        except msgspec.ValidationError as error:
            self.raise_refused(str(error))

    def set_location(self, section: str, number: int | None = None, name: object = None) -> None:
        """Sets the place that later errors name: a section, or one entry of it by number (from 0) and name."""
        lines = self._lines.get(section, [])
        self._line = lines[number or 0] if (number or 0) < len(lines) else 1
        self._where = f"[{section}]" if number is None else f"{section} {number + 1}"
        if isinstance(name, str):
            self._where = f"{section} {name!r}"

    def set_whole_file(self) -> None:
        """Sets the whole file as the place that later errors name."""
        self._line, self._where = 1, "the whole file"

    def require(self, right: bool, reason: str) -> None:
        """Raises CardsRefused with the reason if `right` is False."""
        if not right:
            self.raise_refused(reason)

    def raise_refused(self, reason: str) -> NoReturn:
        """Raises CardsRefused with the line and the place that `at` set, and the reason."""
        raise CardsRefused(f"line {self._line}, {self._where}: {reason}.")
