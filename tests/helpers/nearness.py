"""Which tests concern a place in the code: those that run its function, the quickest first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "tests.helpers.who_runs", "-p", "no:cacheprovider")
QUICK = (  # all that neither start a terminal nor build a wheel
    *(f"tests/{name}" for name in ("games", "protocol", "matches", "server", "bots", "client", "test_public.py")),
    *(f"tests/e2e/test_{name}.py" for name in ("protocol_page", "schema", "chance_on_the_page", "typed_numbers")),
    *(f"tests/e2e/test_{name}.py" for name in ("sign_of_life", "tournament")),
)
FIRST_ROUND = 15.0  # seconds that the tests of one mistake take together when nothing is wrong
FEW = 20  # tests of those whose files ran a function when they were read
HANGS = "30"  # seconds after which one test counts as failed

LAST_ROUND = 200.0  # and in the second, for what is in no function or runs while a module is read

Record = dict[str, tuple[float, list[str]]]  # by test, or file of tests: its seconds, and its functions as `path:line`


def record(tree: Path, jobs: int) -> Record:
    """Runs the quick tests in a copy of the tree; those that fail without any mistake are left out."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [*PYTEST, "-n", str(jobs), *QUICK]
        subprocess.run(
            runs, cwd=tree, env=_environment(tree, RECORD_INTO=folder), stdout=subprocess.DEVNULL, check=False
        )
        record: Record = {}
        for file in Path(folder).glob("*.json"):
            record |= json.loads(file.read_text(encoding="utf-8"))
    return record


def fails(tests: Collection[str], tree: Path, seconds: float) -> bool:
    """Whether one of these tests fails in that tree; to take too long is to fail."""
    if not tests:
        return False
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as only:
        only.write("\n".join(tests))
        only.flush()
        files = sorted({test.partition("::")[0] for test in tests})
        command = [*PYTEST, "-x", "-p", "no:xdist", "--timeout", HANGS, *files]
        quiet = subprocess.DEVNULL
        environment = _environment(tree, ONLY_THESE=only.name)
        with subprocess.Popen(
            command, cwd=tree, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        ) as run:
            try:
                return run.wait(seconds) not in (0, 5)  # 5: none of them is there
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, 9)
                return True


def _environment(tree: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", **more}


class Nearness:
    """Answers from a record; `importers` names the files that import a file."""

    def __init__(self, record: Record, importers: Mapping[str, Iterable[str]]) -> None:
        self._importers = importers
        self._seconds = {test: seconds for test, (seconds, _) in record.items() if "::" in test}
        self._quickest = sorted(self._seconds, key=self._seconds.__getitem__)
        self._by_function: dict[str, list[str]] = defaultdict(list)  # the quickest first
        self._by_file: dict[str, set[str]] = defaultdict(set)  # its functions
        self._read_for: dict[str, list[str]] = defaultdict(list)  # by function: the tests whose file ran it when read
        for test in self._quickest:
            for function in record[test][1]:
                self._by_function[function].append(test)
                self._by_file[function.partition(":")[0]].add(function)
            for function in record.get(test.partition("::")[0], (0.0, ()))[1]:
                self._read_for[function].append(test)

    def first(self, path: str, function: int) -> list[str]:
        """The quickest tests that run that function; for what is in none, a few of each function that may use it."""
        place = f"{path}:{function}"
        return self._within(FIRST_ROUND, self._by_function.get(place) or self._near(place))

    def last(self, path: str, function: int) -> list[str]:
        """All that run that function; if it runs while its module is read, or by no test, all quick ones."""
        place = f"{path}:{function}"
        if place in self._by_function and place not in self._read_for:
            return self._by_function[place]
        return self._within(LAST_ROUND, dict.fromkeys([*self._near(place), *self._quickest]))

    def seconds(self, tests: Iterable[str]) -> float:
        """How long these tests may take together."""
        return 60 + 10 * sum(self._seconds[test] for test in tests)

    def _within(self, seconds: float, tests: Iterable[str]) -> list[str]:
        spent = accumulate(self._seconds[test] for test in tests)
        return [test for test, so_far in zip(tests, spent, strict=True) if so_far <= seconds]

    def _near(self, place: str) -> list[str]:
        path = place.partition(":")[0]
        files = [path, *self._importers.get(path, ())]
        few = {test for file in files for function in self._by_file[file] for test in self._by_function[function][:3]}
        return sorted(few | set(self._read_for[place][:FEW]), key=self._seconds.__getitem__)
