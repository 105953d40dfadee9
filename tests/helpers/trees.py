"""Copies of the project in which mistakes are made and tests run."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.helpers.nearness import HANGS, PYTEST, QUICK, environment

ROOT = Path(__file__).resolve().parent.parent.parent
QUIET = subprocess.DEVNULL


def copy_tree(to: Path) -> Path:
    """A copy of all files that belong to the project."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    return to


class Tree:
    """A copy, and a process that has read its tests and forks for each mistake."""

    def __init__(self, path: Path) -> None:
        self._path = copy_tree(path)
        self._sound: dict[str, bool] = {}  # by test that has failed: whether it passes without a mistake
        ours, theirs = socket.socketpair()
        fd = theirs.fileno()
        command = [*PYTEST, "-p", "tests.helpers.forking", "-p", "no:xdist", "--timeout", HANGS, *QUICK]
        self._reader = subprocess.Popen(
            command, cwd=path, env=environment(path, ASKED_THROUGH=str(fd)), stdin=QUIET, stdout=QUIET, pass_fds=[fd]
        )
        theirs.close()
        self._lines = ours.makefile("rw")
        ours.close()  # with the last of the two
        self._ready = False

    def close(self) -> None:
        """Ends the process."""
        self._lines.close()
        self._reader.wait()

    def notices(self, path: str, source: str, tests: Sequence[str], seconds: float, anew: bool) -> bool:
        """Whether one of these tests fails, or hangs, when the file has that source, and only then; `anew` in a process
        of its own."""
        self._wait_until_read()
        file = self._path / path
        honest = file.read_text(encoding="utf-8")
        while tests:
            file.write_text(source, encoding="utf-8")  # for every process that starts now
            try:
                answer = "reread" if anew else self._ask(path, honest, source, tests, seconds)
                anew = answer == "reread"
                wrong = failing(tests, self._path, seconds) if anew else []
            finally:
                file.write_text(honest, encoding="utf-8")
            if anew:
                if wrong and not failing(wrong, self._path, seconds):
                    return True
                tests = [test for test in tests if test not in wrong] if wrong else []
                continue
            if answer == "all pass":
                return False
            if answer not in self._sound:
                self._sound[answer] = self._ask(path, honest, honest, [answer], seconds) == "all pass"
            if self._sound[answer]:
                return True
            tests = [test for test in tests if test != answer]
        return False

    def _wait_until_read(self) -> None:
        """The process would read the first mistake for honest code, and every later answer would be wrong."""
        if not self._ready:
            self._ready = self._lines.readline() == "ready\n"

    def _ask(self, path: str, honest: str, source: str, tests: Sequence[str], seconds: float) -> str:
        asked = {"path": path, "honest": honest, "source": source, "tests": tests, "seconds": seconds}
        self._lines.write(f"{json.dumps(asked)}\n")
        self._lines.flush()
        answer = self._lines.readline().strip()
        if not answer:
            raise RuntimeError("the process that has read the tests is gone")
        return answer


def failing(tests: Sequence[str], tree: Path, seconds: float) -> list[str]:
    """The first of these tests that fails in that tree; all of them where none can be named, as when they take too long
    together."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as only:
        only.write("\n".join(tests))
        only.flush()
        files = sorted({test.partition("::")[0] for test in tests})
        command = [*PYTEST, "-p", "tests.helpers.who_runs", "-x", "-p", "no:xdist", "--timeout", HANGS, *files]
        with subprocess.Popen(
            command,
            cwd=tree,
            env=environment(tree, ONLY_THESE=only.name, COLUMNS="1000"),  # else long names are cut
            stdin=QUIET,
            stdout=subprocess.PIPE,
            stderr=QUIET,
            start_new_session=True,
            text=True,
            errors="replace",
        ) as run:
            try:
                said = run.communicate(timeout=seconds)[0]
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, 9)
                return list(tests)
            if run.returncode in (0, 5):  # 5: none of them is there
                return []
            return named_in(said, tests) or list(tests)


def named_in(said: str, tests: Sequence[str]) -> list[str]:
    """The tests that a run says have failed; their names may hold spaces."""
    rows = said.splitlines()
    return [test for test in tests if {f"FAILED {test}", f"ERROR {test}"} & {row.partition(" - ")[0] for row in rows}]
