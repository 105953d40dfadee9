"""Which tests concern a place in the code: those that run its function, the quickest first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
QUICK = (  # all that neither start a terminal nor build a wheel
    *(
        f"tests/{name}"
        for name in ("games", "protocol", "matches", "tournaments", "people", "server", "bots", "client")
    ),
    "tests/test_public.py",
    *(f"tests/e2e/test_{name}.py" for name in ("protocol_page", "schema", "chance_on_the_page", "typed_numbers")),
    *(f"tests/e2e/test_{name}.py" for name in ("sign_of_life", "tournament", "admin", "operation")),
)
FIRST_ROUND = 15.0  # seconds that the tests of one mistake take together when nothing is wrong
SECOND_ROUND = 200.0  # and in the second, for what the first has not noticed: nearly all there are
FEW = 20  # tests of those whose files ran a function when they were read
HANGS = "8"  # seconds after which one test counts as failed; nothing quick takes as long


Record = dict[str, tuple[float, list[str]]]  # by test, or file of tests: its seconds, and its functions as `path:line`


def record(tree: Path, jobs: int) -> Record:
    """Runs the quick tests in a copy of the tree; those that fail without any mistake are left out."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [*PYTEST, "-p", "tests.helpers.who_runs", "-n", str(jobs), *QUICK]
        subprocess.run(
            runs, cwd=tree, env=environment(tree, RECORD_INTO=folder), stdout=subprocess.DEVNULL, check=False
        )
        record: Record = {}
        for file in Path(folder).glob("*.json"):
            record |= json.loads(file.read_text(encoding="utf-8"))
    return record


def environment(tree: Path, **more: str) -> dict[str, str]:
    """For a process that shall run the code in that tree."""
    return {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", **more}


class Nearness:
    """Answers from a record; `importers` names the files that import a file."""

    def __init__(self, record: Record, importers: Mapping[str, Iterable[str]]) -> None:
        self._importers = importers
        self._seconds = {test: seconds for test, (seconds, _) in record.items() if "::" in test}
        self._by_function: dict[str, list[str]] = defaultdict(list)  # the quickest first
        self._by_file: dict[str, dict[str, None]] = defaultdict(dict)  # its functions
        self.read_for: dict[str, list[str]] = defaultdict(list)  # by function: the tests whose file ran it when read
        for test in sorted(self._seconds, key=self._seconds.__getitem__):
            for function in record[test][1]:
                self._by_function[function].append(test)
                self._by_file[function.partition(":")[0]][function] = None
            for function in record.get(test.partition("::")[0], (0.0, ()))[1]:
                self.read_for[function].append(test)

    def first(self, place: str) -> list[str]:
        """The quickest tests that run that function; for what is in none, a few of each function that may use it."""
        return self._within(FIRST_ROUND, self._by_function.get(place) or self._near(place, 3))

    def second(self, place: str) -> list[str]:
        """More tests: of that function, of its file, and of the files that import it."""
        done = set(self.first(place))
        more = dict.fromkeys([*self._by_function.get(place, ()), *self._near(place, None)])
        return self._within(SECOND_ROUND, [test for test in more if test not in done])

    def seconds(self, tests: Iterable[str]) -> float:
        """How long these tests may take together."""
        return 60 + 10 * sum(self._seconds[test] for test in tests)

    def _within(self, seconds: float, tests: Sequence[str]) -> list[str]:
        chosen = []
        for test in tests:
            if self._seconds[test] <= seconds:
                seconds -= self._seconds[test]
                chosen.append(test)
        return chosen

    def _near(self, place: str, most: int | None) -> list[str]:
        """So many tests of each function in the file and in those that import it; what few tests run comes first."""
        files = [place.partition(":")[0]]
        for file in files:  # which grows
            if file == files[0] or not self._by_file[file]:  # one without functions only passes on what others define
                files += [one for one in self._importers.get(file, ()) if one not in files]
        functions = sorted(
            (one for file in files for one in self._by_file[file]), key=lambda one: len(self._by_function[one])
        )
        near = [test for function in functions for test in self._by_function[function][:most]]
        return list(dict.fromkeys([*self.read_for[place][:FEW], *near]))
