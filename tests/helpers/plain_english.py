"""Counts words and clauses that make docstrings and comments hard to read.

`python -m tests.helpers.plain_english` prints a table of rates per 10,000 words, and fails where one is above its
ceiling. With a package as the argument it lists every place there. Ceilings only fall.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (
    *("bots", "client", "games", "languages", "magehall", "matches", "people", "protocol", "server", "tournaments"),
)


@dataclass(frozen=True)
class Pattern:
    """A pattern, with its goal and its ceiling per 10,000 words."""

    name: str
    found: re.Pattern[str]
    goal: float
    ceiling: float


PATTERNS = (
    Pattern(
        "sentence that opens with who, what, whoever ...",
        re.compile(r"(?:^|[.!:;]\s+)(?:Who|What|Whoever|Whatever|Whose|Whom)\b(?![^.]*\?)"),
        3.0,
        35.0,
    ),
    Pattern(
        "nobody, somebody, everybody, anybody",
        re.compile(r"\b(?:nobody|somebody|everybody|anybody)\b", re.IGNORECASE),
        3.0,
        17.0,
    ),
    Pattern("is told, are told, was told", re.compile(r"\b(?:is|are|was|were) told\b"), 1.0, 8.5),
    Pattern("hear, hears, heard", re.compile(r"\b(?:hears?|heard)\b", re.IGNORECASE), 2.0, 7.0),
    Pattern("so many, so much, so long, so often", re.compile(r"\bso (?:many|much|long|often)\b"), 1.0, 7.5),
    Pattern("anew", re.compile(r"\banew\b"), 0.0, 2.5),
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yields each docstring and comment of a module with its line."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield getattr(node, "lineno", 1), " ".join(text.split())
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#: ")


def places(*packages: str) -> Iterator[tuple[Pattern, Path, int, str]]:
    """Yields every match of a pattern in these packages: the pattern, the module, the line and the text."""
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            for line, text in texts(path):
                for pattern in PATTERNS:
                    for _found in pattern.found.finditer(text):
                        yield pattern, path.relative_to(ROOT), line, text


def rates() -> dict[str, float]:
    """Returns the rate of each pattern per 10,000 words, over all packages."""
    words = sum(
        len(text.split()) for package in PACKAGES for path in (ROOT / package).rglob("*.py") for _, text in texts(path)
    )
    counts = dict.fromkeys((pattern.name for pattern in PATTERNS), 0)
    for pattern, *_where in places(*PACKAGES):
        counts[pattern.name] += 1
    return {name: count / words * 10_000 for name, count in counts.items()}


def main(packages: list[str]) -> int:
    """Prints the table, or the places in these packages. Returns 1 if a rate is above its ceiling."""
    if packages:
        for pattern, path, line, text in places(*packages):
            print(f"{path}:{line}: {pattern.name}\n    {text}")
        return 0
    found, failed = rates(), False
    print(f"{'per 10,000 words of docstrings and comments':<50} {'now':>6} {'ceiling':>8} {'goal':>6}")
    for pattern in PATTERNS:
        rate = found[pattern.name]
        failed = failed or rate > pattern.ceiling
        print(f"{pattern.name:<50} {rate:>6.1f} {pattern.ceiling:>8.1f} {pattern.goal:>6.1f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
