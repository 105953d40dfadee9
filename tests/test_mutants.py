"""The search for holes in the tests: which mistakes it makes, and who notices them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server import rarely
from tests.helpers import trees
from tests.helpers.forking import Forks
from tests.helpers.nearness import Nearness
from tests.helpers.trees import ROOT, Tree, named_in
from tests.mutants import mutants_of


def test_a_mistake_is_one_change_that_moves_no_other_line() -> None:
    for path in ("server/table/table.py", "games/cheaty_mages/legal.py"):
        honest = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for mutant in list(mutants_of(path))[::19]:
            wrong = mutant.source().splitlines()
            assert len(wrong) == len(honest), mutant.diff()
            assert wrong[: mutant.line - 1] == honest[: mutant.line - 1]
            assert ast.parse(mutant.source()), mutant.diff()
            assert mutant.diff()


def test_texts_for_the_log_and_assertions_are_no_places_for_mistakes(tmp_path: Any, monkeypatch: Any) -> None:
    (tmp_path / "a.py").write_text(
        'def f(x: int = 1) -> bool:\n    log.info("%d", 2)\n    assert x < 3\n    return x == 4\n'
        "def g() -> bool:\n    return False\n"
        "h = defstruct(frozen=True)\n"
        "i = [5] * (j + 1)\n"
        "def k(_l: int = 1, *, _m: int = 2) -> None:\n    log_failure(3)\n    post(Ping(id=1))\n"
    )
    monkeypatch.setattr("tests.mutants.ROOT", tmp_path)
    assert sorted((mutant.line, mutant.text) for mutant in mutants_of("a.py")) == [
        (1, "2"),
        (4, "(x != 4)"),
        (4, "5"),
        (4, "return None"),
        (6, "True"),  # but no None, which is as good as False
        (8, "(j - 1)"),  # but no list that is too long
        (8, "6"),
        (11, "pass"),
    ]


def test_the_quickest_tests_of_a_function_come_first_and_then_those_of_its_file() -> None:
    nearness = Nearness(
        {
            "t.py::slow": (2.0, ["a.py:1"]),
            "t.py::quick": (1.0, ["a.py:1"]),
            "t.py::other": (0.5, ["a.py:9"]),
            "t.py::user": (0.7, ["b.py:3"]),
            "t.py::far": (0.1, ["c.py:1"]),
            "t.py::endless": (1000.0, ["a.py:1"]),
        },
        {"a.py": ["b.py"]},
    )
    assert nearness.first("a.py:1") == ["t.py::quick", "t.py::slow"]
    assert nearness.second("a.py:1") == ["t.py::other", "t.py::user"]
    assert nearness.first("a.py:0") == ["t.py::other", "t.py::user", "t.py::quick", "t.py::slow"]  # by how few run it


def test_a_file_that_only_passes_on_what_others_define_is_seen_through() -> None:
    nearness = Nearness(
        {"t.py::user": (1.0, ["user.py:1"]), "t.py::far": (1.0, ["far.py:1"])},
        {"rows.py": ["package.py"], "package.py": ["user.py"], "user.py": ["far.py"]},
    )
    assert nearness.first("rows.py:0") == ["t.py::user"]


def test_a_mistake_is_made_in_a_fork_and_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(check: Callable[[], bool]) -> Any:
        def protocol(item: Any, nextitem: Any) -> None:
            assert check()

        return SimpleNamespace(hook=SimpleNamespace(pytest_runtest_protocol=protocol))

    def is_said() -> bool:
        return rarely.Rarely(60).times("here", 0) == 1

    checks = {"asks": is_said, "asks nothing": lambda: True, "is broken": lambda: False}
    items: list[Any] = [SimpleNamespace(nodeid=name, config=run(check)) for name, check in checks.items()]
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(gc, "collect", lambda: 0)  # of all that the tests have made, which takes long
    gc.freeze()  # as a server does that another test has run in this process
    forks = Forks(SimpleNamespace(items=items))  # type: ignore[arg-type]
    by_text = {f"{mutant.line} {mutant.text}": mutant for mutant in mutants_of("server/rarely.py")}

    def answer(text: str, *tests: str) -> str:
        mutant = by_text[text]
        return forks.answer(mutant.path, mutant.honest, mutant.source(), list(tests), 60.0)

    in_function, when_read = "27 (count - 1)", "7 1001"
    assert answer(in_function, "asks nothing", "asks") == "asks"
    assert answer(in_function, "asks nothing") == "all pass"
    assert answer(in_function, "asks nothing", "is broken") == "is broken"
    assert answer(when_read, "asks") == "reread"
    assert is_said()


def test_a_test_that_fails_without_the_mistake_too_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(tests: Sequence[str], at: Path, _seconds: float) -> list[str]:
        noticed = "notices" if (at / "a.py").read_text() == "wrong" else ""
        return [test for test in tests if test in ("fails", noticed)][:1]

    monkeypatch.setattr(trees, "failing", failing)
    tree = Tree.__new__(Tree)  # without its process, which is asked nothing here
    tree._path, tree._ready = tmp_path, True
    (tmp_path / "a.py").write_text("honest")
    assert tree.notices("a.py", "wrong", ["passes", "fails", "notices"], 1.0, anew=True)
    assert not tree.notices("a.py", "wrong", ["passes", "fails"], 1.0, anew=True)
    assert (tmp_path / "a.py").read_text() == "honest"


def test_the_test_that_failed_is_read_from_what_a_run_says() -> None:
    tests = ["t.py::a", "t.py::a[one two]", "t.py::b", "t.py::c"]
    said = "F.\nE   FAILED t.py::b\nFAILED t.py::a[one two] - AssertionError: t.py::b - no\nERROR t.py::c\n1 failed"
    assert named_in(said, tests) == ["t.py::a[one two]", "t.py::c"]


@pytest.mark.soak
def test_the_first_mistake_is_not_taken_for_honest_code(tmp_path: Path) -> None:
    path, test = "games/cheaty_mages/position.py", "tests/games/cheaty_mages/test_position.py::test_what_is_said_holds"
    line = "        match.judges_gone = [order[name] for name in gone]\n"
    wrong = (ROOT / path).read_text(encoding="utf-8").replace(line, "        pass\n")
    with closing(Tree(tmp_path / "0")) as tree:  # which reads the code while the mistake is asked for
        assert tree.notices(path, wrong, [test], 60.0, anew=False)
        assert not tree.notices(path, (tmp_path / "0" / path).read_text(encoding="utf-8"), [test], 60.0, anew=False)
