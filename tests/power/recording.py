"""Runs a program with everything recorded that it asks of the disk in one folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.power.disk import Asked, read_trace


@cache
def _shim() -> Path:
    """tests/power/trace.c, compiled. Skips the test where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler to record the disk with")
    target = Path(mkdtemp(prefix="magehall-trace-")) / "trace.so"
    source = Path(__file__).with_name("trace.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", target, source, "-ldl"], check=True, timeout=60)
    return target


def record(folder: Path, module: str, *arguments: str) -> list[Asked]:
    """Runs `python -m MODULE FOLDER ARGUMENTS`."""
    trace = folder.with_name(f"{folder.name}.trace")
    traced = {"LD_PRELOAD": str(_shim()), "TRACE_FOLDER": str(folder), "TRACE_FILE": str(trace)}
    command = [sys.executable, "-m", module, str(folder), *arguments]
    subprocess.run(command, env={**os.environ, **traced}, check=True, timeout=300)
    return list(read_trace(trace, folder))
