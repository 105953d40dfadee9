"""Which rules of a page no test names: rules are `- **4.2** ...` there, tests say `Rule 4.2.` or `Rules 4.2, 4.3.`"""

import ast
import re
from pathlib import Path

_NUMBER = r"[A-Z]?\d+\.\d+"
_RULE = re.compile(rf"^- \*\*({_NUMBER})\*\*", re.MULTILINE)
_NAMED = re.compile(rf"^Rules? ((?:{_NUMBER})(?:, {_NUMBER})*)[.:]")


def rules_of(page: Path) -> list[str]:
    """The rule numbers of a page, in its order."""
    return _RULE.findall(page.read_text(encoding="utf-8"))


def named_in(folder: Path) -> set[str]:
    """The rule numbers at the beginning of the docstrings of the tests in a folder."""
    named: set[str] = set()
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                found = _NAMED.match(ast.get_docstring(node) or "")
                if found:
                    named.update(found[1].split(", "))
    return named


def untested(page: Path, folder: Path) -> list[str]:
    """The rules of the page that no test in the folder names."""
    named = named_in(folder)
    return [rule for rule in rules_of(page) if rule not in named]
