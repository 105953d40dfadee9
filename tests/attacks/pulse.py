"""What the machine itself is late with meanwhile: how late a process wakes, and how long the disk takes, with no server
between. It runs in a process of its own, `python -m tests.attacks.pulse FOLDER`, until standard input ends."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time

BEAT = 0.02  # seconds: as often as the victim moves
BYTES = 4_096  # a page, which a commit writes at least


class Pulse:
    """The process, seen from the campaign; made where the server's data are, as their disk counts."""

    def __init__(self, folder: str) -> None:
        command = [sys.executable, "-m", "tests.attacks.pulse", folder]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def stop(self) -> list[float]:
        """Seconds that each beat took too long, waking and writing together."""
        late, _ = self._child.communicate()
        return json.loads(late) if late else []


def main() -> None:
    """Beats."""
    beats: list[float] = []
    with tempfile.TemporaryFile(dir=sys.argv[1]) as file:
        while True:
            due = time.monotonic() + BEAT
            if select.select([sys.stdin], [], [], BEAT)[0]:
                break
            os.pwrite(file.fileno(), bytes(BYTES), 0)
            os.fdatasync(file.fileno())
            beats.append(time.monotonic() - due)
    print(json.dumps(beats))


if __name__ == "__main__":
    main()
