"""What was held for a moment goes back to the system."""

import platform
import subprocess
import sys

import pytest

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
