"""The structure of the project: who imports whom, and what pure code may not touch."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from client.processes import sandbox
from magehall import home
from tests.helpers.catalogues import nodes

ROOT = Path(__file__).parent.parent
SHIPPED = ("languages", "games", "protocol", "matches", "tournaments", "people", "server", "bots", "client", "magehall")
PACKAGES = (*SHIPPED, "benchmarks", "examples", "tests")
WORLD = {"trio", "socket", "time", "datetime", "random", "logging", "sqlite3", "threading", "asyncio", "secrets", "os"}


def files(*packages: str) -> list[Path]:
    """Every Python file of these packages."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


@cache
def found_in(path: Path) -> tuple[list[str], list[ast.Call]]:
    """The dotted names of all modules that a file imports, wherever in the file, and all its calls."""
    names, calls = list[str](), list[ast.Call]()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
        elif isinstance(node, ast.Call):
            calls.append(node)
    return names, calls


def imports(path: Path) -> list[str]:
    return found_in(path)[0]


def folders(package: str) -> list[Path]:
    """The sub-packages of a package."""
    return sorted(path.parent for path in (ROOT / package).glob("*/__init__.py"))


def test_every_list_of_our_packages_is_whole() -> None:
    assert {*sandbox.PACKAGES} == {"magehall", *home.PACKAGES} == {*SHIPPED}, "a sandbox holds all of them"


def test_no_game_imports_another_game() -> None:
    for folder in folders("games"):
        for path in folder.rglob("*.py"):
            for name in imports(path):
                if name.startswith("games.") and (ROOT / "games" / name.split(".")[1]).is_dir():
                    assert name.split(".")[1] == folder.name, f"{path.name} of {folder.name} imports {name}"


def test_no_bot_imports_another_bot() -> None:
    shared = {folder.name for folder in folders("bots") if "BOTS =" not in (folder / "__init__.py").read_text()}
    assert shared == {"arena", "sdk"}
    for folder in folders("bots"):
        for path in folder.rglob("*.py"):
            for name in imports(path):
                if name.startswith("bots."):
                    assert name.split(".")[1] in {*shared, "language", folder.name}, (
                        f"{path.name} of {folder.name} imports {name}"
                    )


def test_rules_and_protocol_reach_for_nothing_of_the_world() -> None:
    for path in files("games", "protocol", "matches", "tournaments", "people"):
        reached = {name.split(".")[0] for name in imports(path)} & WORLD
        assert not reached, f"{path.relative_to(ROOT)} imports {reached}"


BY_THE_WALL = ("desk/bans.py", "cups/cups.py", "desk/health.py", "net/tls.py", "store/backups.py", "store/latest.py")


@pytest.mark.parametrize("package", ["games", "protocol", "matches", "tournaments", "people", "server"])
def test_e07_game_and_clock_code_never_reads_the_wall_clock(package: str) -> None:
    """Deadlines are on trio's monotonic clock; a wall clock that jumps changes nothing. How long a slice of work lasts
    is measured on a monotonic clock too, and decides nothing but who is next. A ban, which outlives the server, ends by
    the wall clock, as a certificate does, and touches no match; a cup's log, a row on the disk, the operator's status
    and the name of a backup say when something happened, and nothing of a match is decided by that."""
    lasting = {
        ROOT / "server" / "time_budget.py",
        ROOT / "server" / "fair_share.py",
        ROOT / "server" / "cups" / "standings_worker.py",
    }
    told_the_time = lasting | {ROOT / "server" / name for name in BY_THE_WALL}
    assert len(files(package)) >= 3
    for path in files(package):
        if path in told_the_time:
            continue
        assert not {"time", "datetime"} & set(imports(path)), path


def test_h02_nothing_runs_a_shell_or_loads_code_from_data() -> None:
    for path in files(*SHIPPED):
        assert not {"pickle", "marshal", "shelve", "yaml"} & set(imports(path)), path
        for node in found_in(path)[1]:
            if isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile"), f"{path}: {node.func.id}"
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "system":
                assert ast.unparse(node.func) != "os.system", path
            assert not any(keyword.arg == "shell" for keyword in node.keywords), f"{path}: shell="


def test_h02_rules_protocol_and_server_start_no_program() -> None:
    for path in files("games", "protocol", "matches", "tournaments", "people", "server"):
        assert "subprocess" not in set(imports(path)), path


def assigned(path: Path) -> list[tuple[str, str]]:
    """The attributes that a file assigns, each with the object that has it."""
    found = []
    for node in nodes(path):
        for target in ast.walk(node) if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) else ():
            if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store):
                found.append((ast.unparse(target.value), target.attr))
    return found


LOBBY_PARTS = (
    "desk/lobby.py",
    "desk/tables.py",
    "desk/presence.py",
    "desk/rate_limits.py",
    "cups/cups.py",
    "name_registry.py",
)


def test_the_lobby_and_each_of_its_parts_assign_their_own_attributes_and_nothing_else_does() -> None:
    parts = {"lobby", "_lobby", "tables", "presence", "limits", "service", "subscriptions", "people", "cups", "rooms"}
    for path in files("server", "client", "bots", "magehall"):
        for owner, name in assigned(path):
            wired = owner.endswith(("health", "lobby.journal"))  # handed in by the server
            assert wired or not parts & set(owner.split(".")), f"{path}: {owner}.{name}"
    for part in LOBBY_PARTS:
        assert {owner for owner, _name in assigned(ROOT / "server" / part)} <= {
            "self",
            "player",
            "cup",
            "self.health",
        }, part


STATE = ("person.py", "state.py")  # a class and its base


def test_each_part_of_a_person_assigns_its_own_attributes_and_nothing_else_does() -> None:
    for path in files("people"):
        own = ("self", "effects", "heard")  # the latter two are what a function returns
        assert not [f"{owner}.{name}" for owner, name in assigned(path) if owner not in own], path
    for path in files("client", "server", "bots", "magehall"):
        assert not [owner for owner, _name in assigned(path) if "person" in owner.split(".")], path
    derived, base = ({name for owner, name in assigned(ROOT / "people" / file) if owner == "self"} for file in STATE)
    assert derived
    assert base
    assert not derived & base
