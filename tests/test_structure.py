"""The shape of the project: who imports whom among siblings, and what pure code may not touch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORLD = {"trio", "socket", "time", "random", "logging", "sqlite3", "threading", "asyncio", "secrets", "os"}


def imports(path: Path) -> Iterator[str]:
    """The dotted names of all modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def folders(package: str) -> list[Path]:
    """The sub-packages of a package."""
    return sorted(path.parent for path in (ROOT / package).glob("*/__init__.py"))


def test_no_game_imports_another_game() -> None:
    for folder in folders("games"):
        for path in folder.rglob("*.py"):
            for name in imports(path):
                if name.startswith("games.") and (ROOT / "games" / name.split(".")[1]).is_dir():
                    assert name.split(".")[1] == folder.name, f"{path.name} of {folder.name} imports {name}"


def test_no_bot_imports_another_bot() -> None:
    for folder in folders("bots"):
        for path in folder.rglob("*.py"):
            for name in imports(path):
                if name.startswith("bots."):
                    assert name.split(".")[1] in ("sdk", folder.name), f"{path.name} of {folder.name} imports {name}"


def test_rules_and_protocol_reach_for_nothing_of_the_world() -> None:
    for package in ("games", "protocol"):
        for path in (ROOT / package).rglob("*.py"):
            reached = {name.split(".")[0] for name in imports(path)} & WORLD
            assert not reached, f"{path.relative_to(ROOT)} imports {reached}"


def test_nothing_runs_a_shell_or_loads_code_from_data() -> None:
    for package in ("games", "protocol", "server", "bots", "client"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in ("eval", "exec"), f"{path}: {node.func.id}"
                if isinstance(node, ast.keyword) and node.arg == "shell":
                    raise AssertionError(f"{path}: shell=")
            assert not {"pickle", "marshal", "shelve"} & set(imports(path)), path


def test_game_and_clock_code_never_reads_the_wall_clock() -> None:
    """E07: deadlines are on trio's monotonic clock; a wall clock that jumps changes nothing."""
    for path in (ROOT / "server").rglob("*.py"):
        assert "time" not in set(imports(path)), path
        assert "datetime" not in set(imports(path)), path
