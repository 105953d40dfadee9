"""Checks the names of public modules and classes against docs/glossary.md.

`python -m tests.helpers.glossary` prints every name that breaks the glossary, and every class name with two homes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.plain_english import PACKAGES, ROOT

PAGE = ROOT / "docs" / "glossary.md"
ALLOWED = ROOT / "tests" / "helpers" / "glossary_allowed.txt"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ?([^|]*) ?\|$", re.MULTILINE)


@dataclass(frozen=True)
class Unused:
    """A name that is not used: the name, its replacement, and the places where this holds ("" for all)."""

    name: str
    instead: str
    places: tuple[str, ...]

    def covers(self, path: str, *, is_class: bool) -> bool:
        """Returns whether the rule holds for a module at `path`, or for a class in it."""
        folders = [place for place in self.places if place != "class"]
        return (is_class or "class" not in self.places) and (
            not folders or any(path.startswith(f"{folder}/") for folder in folders)
        )


def unused() -> list[Unused]:
    """Returns the rows of the glossary's last table."""
    table = PAGE.read_text(encoding="utf-8").partition("## Names that are not used")[2]
    return [Unused(name, instead.strip(), tuple(places.split())) for name, instead, places in ROW.findall(table)]


def names() -> Iterator[tuple[str, str]]:
    """Yields the path of each module with the name of each public class in it, and with "" for the module itself."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            yield where, ""
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    yield where, node.name


def snake(name: str) -> str:
    """Returns a class name in snake case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def violations() -> dict[str, str]:
    """Returns each name with a word that is not used, with its replacement and the path of its module.

    A class has its own name, a module its file name.
    """
    rules, found = unused(), dict[str, str]()
    for path, name in names():
        shown = name or Path(path).name
        own = f"_{snake(name) if name else Path(path).stem}_"
        for rule in rules:
            is_standard = f"_{rule.instead.replace(' ', '_')}_" in own
            if f"_{rule.name}_" in own and not is_standard and rule.covers(path, is_class=bool(name)):
                found[shown] = f"{rule.instead} ({path})"
    return found | attributes([rule for rule in rules if "attribute" in rule.places])


def attributes(rules: list[Unused]) -> dict[str, str]:
    """Returns the functions, attributes and variables with one of these names, with what is used instead."""
    sources = [path.read_text(encoding="utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {
        f"{rule.name}()": rule.instead
        for rule in rules
        if any(re.search(rf"(?:\.|def |self, ){rule.name}\b|\b{rule.name}(?:\(|: | = )", text) for text in sources)
    }


def duplicates() -> dict[str, list[str]]:
    """Returns each public class name that several modules define, with the modules.

    Two games may use one name, because every game implements the same contract.
    """
    homes: dict[str, list[str]] = {}
    for path, name in names():
        if name:
            homes.setdefault(name, []).append(path)
    return {
        name: where
        for name, where in sorted(homes.items())
        if len(where) > len({game_of(path) for path in where})
        or (len(where) > 1 and "" in {game_of(path) for path in where})
    }


def game_of(path: str) -> str:
    """Returns the folder of the game that a module belongs to, or ""."""
    parts = path.split("/")
    return parts[1] if parts[0] == "games" and len(parts) > 2 and parts[1] != "testing" else ""


def allowed() -> set[str]:
    """Returns the names that break the glossary for now. The list only shrinks."""
    return set(ALLOWED.read_text(encoding="utf-8").split())


def main() -> None:
    """Prints every violation and duplicate, and every allowed name that needs no exception any more."""
    found, twice = violations(), duplicates()
    for name, instead in found.items():
        print(f"{name}: {instead}")
    for name, modules in twice.items():
        print(f"{name}: {', '.join(modules)}")
    for name in sorted(allowed() - {*found, *twice}):
        print(f"{name}: delete it from {ALLOWED.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
