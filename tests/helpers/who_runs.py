"""A pytest plugin that writes down which functions each test runs, or runs chosen tests in a chosen order.

What runs while a file of tests is read, imports included, is written down under the name of the file.

`tests/mutants.py` sets one of two variables: `RECORD_INTO` names the folder for the records, one file a process;
`ONLY_THESE` names a file with the ids of the tests to run, one a line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

_into = os.environ.get("RECORD_INTO")
_only = os.environ.get("ONLY_THESE")
_record: dict[str, tuple[float, list[str]]] = {}
_seen: set[CodeType] = set()
_failed: set[str] = set()


def _see(frame: FrameType, event: str, value: Any) -> None:
    _seen.add(frame.f_code)


def _take() -> list[str]:
    """The functions seen since the last time, as `path:line`, the path from the root of the tree."""
    codes = list(_seen)  # at once: whatever is called here is seen too
    _seen.clear()
    root = f"{Path.cwd()}{os.sep}"
    names = {f"{code.co_filename.removeprefix(root)}:{code.co_firstlineno}" for code in codes}
    return sorted(name for name in names if not name.startswith((os.sep, ".", "<", "tests")))


if _into:
    sys.settrace(_see)
    threading.settrace(_see)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    try:
        return (yield)
    finally:
        if _into and isinstance(collector, pytest.Module):
            _record[collector.nodeid] = (0.0, _take())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if _only:
        order = {name: number for number, name in enumerate(Path(_only).read_text(encoding="utf-8").splitlines())}
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if _into:
        sys.settrace(_see)  # anew: a test may have taken it away
    start = time.perf_counter()
    try:
        return (yield)
    finally:
        if _into:
            _record[item.nodeid] = (time.perf_counter() - start, _take())


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if _into and not report.passed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    if _into:
        sys.settrace(None)
        passed = {name: seen for name, seen in _record.items() if name not in _failed}
        Path(_into, f"{os.getpid()}.json").write_text(json.dumps(passed), encoding="utf-8")
