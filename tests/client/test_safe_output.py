"""What is written to standard error comes through, whoever wrote it and however its process ends."""

import os
import signal
import subprocess
import sys

LINES = 500
SPEAKING = f"""
import os, subprocess, sys
from client.safe_output import make_standard_files_safe, forward_stderr
make_standard_files_safe()
with forward_stderr():
    for number in range({LINES}):
        print("line", number, file=sys.stderr)
    subprocess.run(["sh", "-c", "echo of another program >&2"], check=True)
print("last words", file=sys.stderr)
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("nothing is left behind", file=sys.stderr)
os._exit(0)
"""


def test_last_words_on_stderr_come_through_though_what_is_left_behind_is_killed() -> None:
    process = subprocess.Popen([sys.executable, "-c", SPEAKING], stderr=subprocess.PIPE, start_new_session=True)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    os.killpg(process.pid, signal.SIGKILL)
    _, said = process.communicate()
    numbered = [f"line {number}" for number in range(LINES)]
    assert said.decode().splitlines() == [*numbered, "of another program", "last words", "nothing is left behind"]
