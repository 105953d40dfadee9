"""Every game has the same file names for the same ideas, no module imports itself in a circle, and views are dropped
by `touch` alone."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "games"
PAGE = (GAMES / "README.md").read_text(encoding="utf-8")
FOLDERS = sorted(path.parent for path in GAMES.glob("*/__init__.py"))
SKELETON = {"__init__"} | set(re.findall(r"\b([a-z]+)\.py\b", PAGE.split("```")[1]))
NOUNS = {game: set(re.findall(r"`(\w+)`", row)) for game, row in re.findall(r"^\| `(\w+)` \|(.*)$", PAGE, re.MULTILINE)}

each_game = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py")}


@each_game
def test_a_game_has_the_files_of_the_skeleton_and_its_own_nouns(folder: Path) -> None:
    assert not [path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"]
    strange = modules(folder) - SKELETON - NOUNS.get(folder.name, set())
    assert not strange, f"games/README.md knows no {strange} of {folder.name}"


def test_the_page_promises_no_file_that_is_not_there() -> None:
    assert set(NOUNS) == {folder.name for folder in FOLDERS}
    for folder in FOLDERS:
        assert NOUNS[folder.name] <= modules(folder)
        assert not NOUNS[folder.name] & SKELETON
    assert set().union(*map(modules, FOLDERS)) >= SKELETON


def imported(name: str, source: str, known: set[str]) -> Iterator[str]:
    """The modules among the known ones that this one imports, wherever in it, for type checkers alone too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: write imports in full"
            for alias in node.names:
                found = {node.module, f"{node.module}.{alias.name}"} & known
                yield from sorted(found, key=len)[-1:]


def circle(sources: dict[str, str]) -> list[str]:
    """The modules of a circle of imports, the first again at the end; empty if there is none."""
    graph = {name: set(imported(name, source, set(sources))) for name, source in sources.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    sources = {}
    for path in GAMES.rglob("*.py"):
        parts = path.relative_to(GAMES.parent).with_suffix("").parts
        sources[".".join(parts).removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    assert len(sources) > 50
    found = circle(sources)
    assert not found, " imports ".join(found)


def test_a_circle_for_type_checkers_alone_is_found() -> None:
    icons = "if TYPE_CHECKING:\n    from games.it.rules import It"
    assert circle({"games.it.rules": "from games.it import icons", "games.it.icons": icons})
    assert not circle({"games.it.rules": "from games.it import icons", "games.it.icons": ""})


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


@each_game
def test_views_that_are_kept_are_dropped_by_touch_alone(folder: Path) -> None:
    kept = {slot for function in functions(folder) if function.name == "touch" for slot in dropped(function)}
    assert kept
    for function in functions(folder):
        if function.name != "touch":
            assert not kept & set(dropped(function)), f"{folder.name}: {function.name} drops a view without touch"
