"""What was held for a moment goes back to the system."""

import ctypes
import gc
import platform
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from server.process import LARGE_BYTES, M_MMAP_THRESHOLD, SWITCH_SECONDS, prepare_process

# Blocks of the size of a slow reader's bytes are freed between small ones that stay, as those of other sessions do. One
# large block that was freed before has taught the C library to keep what is smaller, unless it was told otherwise.
PROGRAM = """
import sys
from pathlib import Path
from resource import getpagesize
from server.process import prepare_process

def resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize() / 2**20

prepare_process()
assert sys.getswitchinterval() < 0.001
bytearray(8 * 2**20)
before = resident()
held = [(bytearray(262_144), b"%04d" % number * 500) for number in range(160)]
most = resident()
held = [small for _large, small in held]
print(most - before, resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told so")
def test_what_slow_readers_were_owed_goes_back_to_the_system() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=True)
    most, still = map(float, ran.stdout.split())
    assert most > 40
    assert still < most / 4


def test_python_and_the_c_library_are_told_what_serving_needs_in_this_order(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    library = SimpleNamespace(mallopt=lambda *what: told.append(("mallopt", *what)))
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: told.append(("switch", seconds)))
    monkeypatch.setattr(gc, "collect", lambda: told.append("collect"))
    monkeypatch.setattr(gc, "freeze", lambda: told.append("freeze"))
    monkeypatch.setattr(gc, "set_threshold", lambda *counts: told.append(("threshold", *counts)))
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: library)
    prepare_process()
    assert told == [
        ("switch", SWITCH_SECONDS),
        "collect",
        "freeze",
        ("threshold", 50_000, 50, 100),
        ("mallopt", M_MMAP_THRESHOLD, LARGE_BYTES),
    ]
