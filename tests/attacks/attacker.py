"""One attacking process: `python -m tests.attacks.attacker NAME PORT PART SECONDS`, and how the campaign sees it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections import Counter
from contextlib import suppress

from tests.attacks import crowds, floods, junk, matches, neighbours, rooms, stores, talk
from tests.attacks.scene import SECONDS, Attack, Scene

ATTACKS: dict[str, Attack] = {
    value.name: value
    for subject in (junk, floods, talk, rooms, matches, crowds, stores, neighbours)
    for value in vars(subject).values()
    if isinstance(value, Attack)
}
CPU_SECONDS = 60  # no attacker runs on for ever, whatever becomes of the campaign


class Attacker:
    """A process of the attack, seen from the campaign."""

    def __init__(self, attack: Attack, port: int, part: int, seconds: float = SECONDS) -> None:
        command = [sys.executable, "-m", "tests.attacks.attacker", attack.name, str(port), str(part), str(seconds)]
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def prepared(self) -> None:
        """Waits until it is. Raises RuntimeError where it cannot be."""
        if self._read() != "ready\n":
            raise RuntimeError("an attacker could not prepare")

    def go(self) -> None:
        """Has it begin."""
        self._order()

    def got(self) -> tuple[Counter[str], Counter[str]]:
        """Waits for its end; what it did, and what it holds."""
        told = json.loads(self._read() or '{"done": {"failed attackers": 1}, "held": {}}')
        return Counter(told["done"]), Counter(told["held"])

    def close(self) -> None:
        """Ends it; the kernel closes its connections."""
        self._child.kill()
        self._child.communicate()

    def _read(self) -> str:
        assert self._child.stdout is not None
        return self._child.stdout.readline()

    def _order(self) -> None:
        assert self._child.stdin is not None
        with suppress(BrokenPipeError):
            self._child.stdin.write("go\n")
            self._child.stdin.flush()


def main() -> None:
    """Attacks."""
    name, port, part, seconds = sys.argv[1:]
    if float(seconds) >= SECONDS:  # a short try stands beside other tests, and would get nothing of a busy machine
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # their own work is not the server's slowness
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    scene = Scene(int(port), int(part), float(seconds))
    ATTACKS[name].run(scene)
    scene.report()


if __name__ == "__main__":
    main()
