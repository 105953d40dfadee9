"""A pytest plugin that reads all tests once, and runs some of them for each mistake in the code in a forked process.

`tests/mutants.py` sets `ASKED_THROUGH` to the number of an open socket. The first line to it is `ready`: all is read.
Each line from it is a JSON map: `path` of a file, `honest` and `source`, what it says without and with the mistake,
`tests` in the order in which they shall run, `seconds` that they may take. The answer is a line: the first test that
fails, `all pass`, or `reread` if the mistake is in what runs while a module is read, so that a process which has read
it already cannot tell.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType

import pytest

Patch = Sequence[tuple[FunctionType, CodeType]]  # functions, and what they do by mistake
Place = tuple[str, int, str]  # of a function: file, line, name

_asked = os.environ.get("ASKED_THROUGH")
_failed = False


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    global _failed
    _failed = _failed or report.failed


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if not _asked:
        return None
    forks = Forks(session)
    with socket.socket(fileno=int(_asked)) as ours, ours.makefile("rw") as lines:
        lines.write("ready\n")
        lines.flush()
        while line := lines.readline():
            lines.write(f"{forks.answer(**json.loads(line))}\n")
            lines.flush()
    return True


class Forks:
    """What this process has read; each mistake is made and forgotten in a child of its own."""

    def __init__(self, session: pytest.Session) -> None:
        self._items = {item.nodeid: item for item in session.items}
        self._functions: dict[Place, list[FunctionType]] = defaultdict(list)
        gc.unfreeze()  # what is frozen is not found
        gc.collect()
        for found in gc.get_objects():
            if isinstance(found, FunctionType):
                self._functions[_place(found.__code__)].append(found)
        gc.freeze()

    def answer(self, path: str, honest: str, source: str, tests: list[str], seconds: float) -> str:
        patch = self._patch(str(Path.cwd() / path), honest, source)
        if not patch and source != honest:
            return "reread"
        return self._first_that_fails([test for test in tests if test in self._items], patch, seconds) or "all pass"

    def _first_that_fails(self, tests: list[str], patch: Patch, seconds: float) -> str | None:
        if not tests:
            return None
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            for function, code in patch:
                function.__code__ = code
            for test, after in zip(tests, [*tests[1:], None], strict=True):
                os.write(writes, b".")
                item, following = self._items[test], self._items[after] if after else None
                try:
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                except BaseException:
                    os._exit(1)
                if _failed:
                    os._exit(1)
            os._exit(0)
        os.close(writes)
        passed = _passes(child, seconds)
        begun = len(os.read(reads, 1 << 16))
        os.close(reads)
        return None if passed else tests[max(begun, 1) - 1]

    def _patch(self, file: str, honest: str, source: str) -> Patch:
        """What to give to which functions; nothing if other code differs too."""
        before, after = _codes(honest, file), _codes(source, file)
        patch = [
            (function, after[place][0])
            for place, codes in before.items()
            if len(codes) == 1 and len(after.get(place, ())) == 1 and codes != after[place]
            for function in self._functions.get(place, ())
        ]
        return patch if all(len(code.co_freevars) == len(made.__code__.co_freevars) for made, code in patch) else ()


def _passes(child: int, seconds: float) -> bool:
    """Waits for a child, kills what it leaves behind, and says whether all was well."""
    late = time.monotonic() + seconds
    while os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None and time.monotonic() < late:
        time.sleep(0.003)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _codes(source: str, file: str) -> dict[Place, list[CodeType]]:
    found: dict[Place, list[CodeType]] = defaultdict(list)
    for code in _within(compile(source, file, "exec", dont_inherit=True)):
        found[_place(code)].append(code)
    return found


def _within(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _within(part)


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_firstlineno, code.co_name
