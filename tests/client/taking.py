"""Processes that take what they can get: the name after the colon says what of."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
BUSY = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.7: pass"]
HOLDER = [sys.executable, "-c", "import time; x = bytearray(160 << 20); time.sleep(60)"]


def memory() -> None:
    held = []
    while True:
        held.append(bytearray(10 << 20))


def files() -> None:
    held = []
    while True:
        held.append(open("one", "w"))  # noqa: SIM115


def file() -> None:
    with open("one", "wb") as one:
        for _ in range(100):
            one.write(bytes(1 << 20))


def folder() -> None:
    for number in range(100):
        Path(str(number)).write_bytes(os.urandom(100_000))
    time.sleep(60)


def entries() -> None:
    for number in range(10_100):
        Path(str(number)).touch()
    time.sleep(60)


def seconds() -> None:
    while True:
        pass


def processes() -> None:
    for _ in range(10):
        subprocess.Popen(SLEEPER)
    time.sleep(60)


def memory_by_processes() -> None:
    for _ in range(3):
        subprocess.Popen(HOLDER)
    time.sleep(60)


def sockets() -> None:
    """More of the kernel's memory than of its own."""
    for _ in range(10):
        if os.fork() == 0:
            pairs = [socket.socketpair() for _ in range(120)]
            for one in (end for pair in pairs for end in pair):
                one.setblocking(False)
                with suppress(BlockingIOError):
                    while True:
                        one.send(bytes(65_536))
            time.sleep(60)
    time.sleep(60)


def hours() -> None:
    """More of the processor's time than one process may have, in several that end."""
    while True:
        children = [subprocess.Popen(BUSY) for _ in range(2)]
        for child in children:
            child.wait()


def daemon() -> None:
    """Leaves a process behind whose parent has ended, in a session of its own."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print("started", file=sys.stderr, flush=True)
            time.sleep(60)
        os._exit(0)
    subprocess.Popen(SLEEPER, start_new_session=True)
    time.sleep(60)


def look() -> None:
    told = {"files": os.listdir(), "HOME": os.environ["HOME"], "environment": sorted(os.environ)}
    print(json.dumps(told), file=sys.stderr)


if __name__.startswith("magehall_bot_"):
    wanted: Callable[[], None] = globals()[json.loads(sys.argv[-1])["bot"].rpartition(":")[2]]
    wanted()
