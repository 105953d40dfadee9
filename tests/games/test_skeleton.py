"""Every game has the same file names for the same ideas, and views are dropped by `touch` alone, or a `touch_...`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "games"
PAGE = (GAMES / "README.md").read_text(encoding="utf-8")
FOLDERS = sorted(path.parent for path in GAMES.glob("*/__init__.py") if path.parent.name != "testing")
SKELETON = {"__init__"} | set(re.findall(r"\b([a-z_]+)\.py\b", PAGE.split("```")[1]))
ROWS = re.findall(r"^\| `([a-z0-9_]+)` \|(.*)$", PAGE, re.MULTILINE)
NOUNS = {game: set(re.findall(r"`(\w+)`", row)) for game, row in ROWS}

each_game = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py")}


@each_game
def test_a_game_has_the_files_of_the_skeleton_and_its_own_nouns(folder: Path) -> None:
    assert not [path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"]
    strange = modules(folder) - SKELETON - NOUNS.get(folder.name, set())
    assert not strange, f"games/README.md knows no {strange} of {folder.name}"


def test_the_page_promises_no_file_that_is_not_there() -> None:
    for name, nouns in NOUNS.items():
        assert nouns <= modules(GAMES / name)
        assert not nouns & SKELETON
    assert set().union(*map(modules, FOLDERS)) >= SKELETON


def touches(function: ast.FunctionDef) -> bool:
    return function.name.partition("_")[0] == "invalidate"


def functions(folder: Path) -> Iterator[ast.FunctionDef]:
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield node


def dropped(function: ast.FunctionDef) -> Iterator[str]:
    """The attributes that a function sets to None, or to a list of nothing but None; or an entry of theirs."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for slot, value in pairs(target, node.value):
                    named = slot.value if isinstance(slot, ast.Subscript) else slot
                    if isinstance(named, ast.Attribute) and re.fullmatch(r"None|\[None\] \* .+", ast.unparse(value)):
                        yield named.attr


def pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What is assigned to what, one by one."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def test_some_games_keep_views() -> None:
    """Else the next test would look at nothing."""
    assert any(touches(function) and set(dropped(function)) for folder in FOLDERS for function in functions(folder))


@each_game
def test_views_that_are_kept_are_dropped_by_invalidate_methods_alone(folder: Path) -> None:
    kept = {slot for function in functions(folder) if touches(function) for slot in dropped(function)}
    for function in functions(folder):
        if not touches(function):
            assert not kept & set(dropped(function)), (
                f"{folder.name}: {function.name} drops a view and is no invalidate method"
            )
