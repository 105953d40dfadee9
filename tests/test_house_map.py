"""HOUSE.md and CONTRIBUTING.md name only files, functions and commands that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("HOUSE.md", "CONTRIBUTING.md")


def names_in(body: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """What these statements define, and what stands within it."""
    found: dict[str, list[ast.stmt]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node.body
        elif isinstance(node, ast.Assign):
            found |= {target.id: [] for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = []
    return found


def stands(path: str, name: str) -> bool:
    """Whether the file defines the name: a function, a class, a constant, or a method as Class.method."""
    if not (ROOT / path).is_file():
        return False
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    for part in name.split("."):
        here = names_in(body)
        if part not in here:
            return False
        body = here[part]
    return True


@pytest.mark.parametrize("page", PAGES)
def test_every_station_exists(page: str) -> None:
    stations = re.findall(r"`([\w/]+\.py): ([\w.]+)`", (ROOT / page).read_text(encoding="utf-8"))
    assert len(stations) >= 5
    for path, name in stations:
        assert stands(path, name), f"{path}: {name}"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_folder_and_command_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for path in re.findall(r"`((?:[\w.]+/)+(?:\w+\.\w+)?)`", text) + re.findall(r"\]\(([\w./]+)\)", text):
        assert (ROOT / path).exists(), path
    for paths in re.findall(r"`pytest ([^`]*)`", text):
        for path in (word for word in paths.split() if "/" in word):
            assert (ROOT / path).exists(), path
    for module in re.findall(r"`python -m ([\w.]+)", text):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make (\w+)`", text)) <= targets


def test_a_station_that_is_gone_is_noticed() -> None:
    assert stands("matches/fold.py", "Match._publish")
    assert stands("protocol/messages/exchanges.py", "EXCHANGES")
    assert not stands("matches/fold.py", "Match.publish")
    assert not stands("server/table/no_such_file.py", "Match")
