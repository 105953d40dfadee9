"""Counts words and clauses that make docstrings, comments and pages hard to read.

`python -m tests.helpers.plain_english` prints a table of rates per 10,000 words, and fails if one is above its goal.
With packages or pages as arguments it lists every place there.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_PROSE = re.compile(r"^```.*?^```$|<!-- generated.*?<!-- end -->|`[^`\n]+`", re.MULTILINE | re.DOTALL)
PACKAGES = (
    *("bots", "client", "games", "languages", "magehall", "matches", "people", "protocol", "server", "tournaments"),
)


@dataclass(frozen=True)
class Pattern:
    """A pattern, with the highest rate per 10,000 words that is allowed."""

    name: str
    found: re.Pattern[str]
    goal: float


PATTERNS = (
    Pattern(
        "sentence that opens with who, what, whoever ...",
        re.compile(r"(?:^|[.!:;]\s+)(?:Who|What|Whoever|Whatever|Whose|Whom)\b(?![^.]*\?)"),
        3.0,
    ),
    Pattern(
        "nobody, somebody, everybody, anybody",
        re.compile(r"\b(?:nobody|somebody|everybody|anybody)\b", re.IGNORECASE),
        3.0,
    ),
    Pattern("is told, are told, was told", re.compile(r"\b(?:is|are|was|were) told\b"), 1.0),
    Pattern("hear, hears, heard", re.compile(r"\b(?:hears?|heard)\b", re.IGNORECASE), 2.0),
    Pattern("so many, so much, so long, so often", re.compile(r"\bso (?:many|much|long|often)\b"), 1.0),
    Pattern("anew", re.compile(r"\banew\b"), 0.0),
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


def page_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yields each paragraph, list item and table row of a page with its line, without code and generated parts."""
    text = NO_PROSE.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
    for found in re.finditer(r"(?:^(?!\s*$).*\n?)+", text, re.MULTILINE):
        for part in re.finditer(
            r"(?:^(?:[|#-] ?|\d+\. ))?(?:.+\n?)(?:^(?![|#-]|\d+\. ).*\n?)*", found[0], re.MULTILINE
        ):
            line = text.count("\n", 0, found.start() + part.start()) + 1
            yield line, " ".join(re.sub(r"^(?:[|#-]+|\d+\.)", "", part[0]).replace(" | ", ". ").split())


def pages() -> list[Path]:
    """Returns the pages that are held to the goals: all in English except the rules of games."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "bots" / "README.md"])


def modules(package: str) -> list[Path]:
    """Returns the modules of a package."""
    return sorted((ROOT / package).rglob("*.py"))


def places(paths: Iterable[Path]) -> Iterator[tuple[Pattern, Path, int, str]]:
    """Yields every match of a pattern in these modules and pages: the pattern, the file, the line and the text."""
    for path in paths:
        for line, text in page_texts(path) if path.suffix == ".md" else texts(path):
            for pattern in PATTERNS:
                for _found in pattern.found.finditer(text):
                    yield pattern, path.relative_to(ROOT), line, text


def rates(paths: Sequence[Path]) -> dict[str, float]:
    """Returns the rate of each pattern per 10,000 words in these modules and pages."""
    every = [text for path in paths for _line, text in (page_texts(path) if path.suffix == ".md" else texts(path))]
    counts = dict.fromkeys((pattern.name for pattern in PATTERNS), 0)
    for pattern, *_where in places(paths):
        counts[pattern.name] += 1
    return {name: count / sum(len(text.split()) for text in every) * 10_000 for name, count in counts.items()}


def main(arguments: list[str]) -> int:
    """Prints the table, or the places in these packages and pages. Returns 1 if a rate is above its goal."""
    if arguments:
        paths = [path for name in arguments for path in ([ROOT / name] if name.endswith(".md") else modules(name))]
        for pattern, where, line, text in places(paths):
            print(f"{where}:{line}: {pattern.name}\n    {text}")
        return 0
    code, page, failed = rates([path for name in PACKAGES for path in modules(name)]), rates(pages()), False
    print(f"{'per 10,000 words of docstrings and comments, of pages':<52}  code  pages  goal")
    for pattern in PATTERNS:
        found, on_pages = code[pattern.name], page[pattern.name]
        failed = failed or found > pattern.goal or on_pages > pattern.goal
        print(f"{pattern.name:<52} {found:>5.1f} {on_pages:>6.1f} {pattern.goal:>5.1f}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
