"""Machines for tests, in network namespaces: cables between them, addresses, and commands that run on one of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = sys.executable
MAGEHALL = [PYTHON, "-m", "magehall"]
_HOLD = ["sh", "-c", "echo ready; exec sleep 600"]


@cache
def why_not() -> str:
    """Why there can be no machines here, or ""."""
    missing = [tool for tool in ("ip", "unshare", "nsenter") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)}: not installed"
    network = Network()
    try:
        one, two = network.machine(), network.machine()
        network.cable(one, "lan", two, "lan")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces here: {error}"
    finally:
        network.close()
    return ""


class Machine:
    """A network namespace, kept by a process that sleeps. Loopback is up."""

    def __init__(self, enter: list[str]) -> None:
        self._holder = _held([*enter, "unshare", "--net", *_HOLD])
        self.pid = self._holder.pid
        self.enter = [*enter, "nsenter", "--target", str(self.pid), "--net"]
        self.ip("link", "set", "lo", "up")

    def run(self, *command: str) -> str:
        """What a command on this machine prints."""
        return subprocess.run(
            [*self.enter, *command], capture_output=True, text=True, cwd=ROOT, check=True, timeout=60
        ).stdout

    def start(self, *command: str, **more: Any) -> subprocess.Popen[str]:
        """A command that goes on."""
        return subprocess.Popen([*self.enter, *command], text=True, cwd=ROOT, **more)

    def ip(self, *words: str) -> None:
        """One command of iproute2."""
        self.run("ip", *words)

    def address(self, interface: str, address: str) -> None:
        """Gives the interface one more address, and has it up."""
        at_once = ["nodad"] if ":" in address else []
        self.ip("addr", "add", address, "dev", interface, *at_once)
        self.ip("link", "set", interface, "up")

    def bridge(self, name: str, address: str) -> None:
        """A bridge for containers, with one of them."""
        self.ip("link", "add", name, "type", "bridge")
        self.ip("link", "add", "name", "vethc", "type", "veth", "peer", "name", "container")
        self.ip("link", "set", "vethc", "master", name)
        for end in ("vethc", "container"):
            self.ip("link", "set", end, "up")
        self.address(name, address)

    def close(self) -> None:
        """Ends it, and what it is connected to."""
        _end(self._holder)


class Network:
    """Machines and cables."""

    def __init__(self) -> None:
        self._owner: subprocess.Popen[str] | None = None
        self._enter: list[str] = []
        self._machines: list[Machine] = []
        if os.geteuid() != 0:  # all of them belong to one namespace of users, in which we are root
            self._owner = _held(["unshare", "--user", "--map-root-user", *_HOLD])
            self._enter = ["nsenter", "--target", str(self._owner.pid), "--user", "--preserve-credentials"]

    def machine(self) -> Machine:
        """One more, without any network."""
        self._machines.append(Machine(self._enter))
        return self._machines[-1]

    def cable(self, one: Machine, at_one: str, two: Machine, at_two: str) -> None:
        """Connects two machines by interfaces of those names, which are up."""
        one.ip("link", "add", "name", at_one, "type", "veth", "peer", "name", at_two, "netns", str(two.pid))
        one.ip("link", "set", at_one, "up")
        two.ip("link", "set", at_two, "up")

    def close(self) -> None:
        """Ends all machines."""
        for machine in self._machines:
            machine.close()
        if self._owner is not None:
            _end(self._owner)


def _held(command: list[str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if process.stdout.readline() != "ready\n":
        process.kill()
        raise OSError(process.communicate()[1].strip() or "unshare failed")
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


@pytest.fixture
def network() -> Iterator[Network]:
    if reason := why_not():
        pytest.skip(reason)
    made = Network()
    try:
        yield made
    finally:
        made.close()
