"""The search for holes in the tests: which mistakes it makes, and who notices them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server import log_throttle
from tests.helpers import trees
from tests.helpers.forking import Forks
from tests.helpers.trees import ROOT, Tree
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


def test_a_mistake_is_made_in_a_fork_and_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(check: Callable[[], bool]) -> Any:
        def protocol(item: Any, nextitem: Any) -> None:
            assert check()

        return SimpleNamespace(hook=SimpleNamespace(pytest_runtest_protocol=protocol))

    def is_said() -> bool:
        return log_throttle.LogThrottle(60).count_if_due("here", 0) == 1

    checks = {"asks": is_said, "asks nothing": lambda: True, "is broken": lambda: False}
    items: list[Any] = [SimpleNamespace(nodeid=name, config=run(check)) for name, check in checks.items()]
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(gc, "collect", lambda: 0)  # of all that the tests have made, which takes long
    gc.freeze()  # as a server does that another test has run in this process
    forks = Forks(SimpleNamespace(items=items))  # type: ignore[arg-type]
    by_text = {mutant.text: mutant for mutant in mutants_of("server/log_throttle.py")}

    def answer(text: str, *tests: str) -> str:
        mutant = by_text[text]
        return forks.answer(mutant.path, mutant.honest, mutant.source(), list(tests), 60.0)

    in_function, when_read = "(count - 1)", "1001"
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
