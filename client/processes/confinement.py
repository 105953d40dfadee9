"""What a confined process may still do: read what a bot needs, write in its own folder, connect to one port."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from bots.sdk.tokens import home_folder, state_folder
from client.processes import capabilities, landlock, seccomp

HOME = Path(__file__).parents[2]
PACKAGES = ("languages", "games", "protocol", "matches", "server", "bots", "client", "magehall")
SYSTEM = (
    *("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def can_confine() -> bool:
    """Whether the kernel and this kind of machine can do all that `confine` does: Linux 6.12 and later, as a rule."""
    return landlock.version() >= landlock.LEAST_VERSION and seccomp.known_here()


def confine(folder: Path, readable: Iterable[Path], port: int) -> None:
    """Confines this process, which must have no other threads, and all that it starts, for good.

    It reads and runs what is in the system's folders, Python's and ours, and what is beneath `readable`; it writes in
    `folder` and nowhere else; it connects by TCP to that port and listens nowhere; it leaves nothing in the kernel
    that another process could find; of root's powers, if it has them, it keeps that of reading. Two confined processes
    that run at the same time may still find a way to signal to each other, by how busy they keep the machine.
    Raises OSError.
    """
    files = dict.fromkeys([*map(Path, SYSTEM), *python_folders(), *readable], landlock.READ)
    files |= dict.fromkeys(map(Path, DEVICES), landlock.READ_AND_WRITE_FILE)
    files[folder] = landlock.OWN
    landlock.restrict(files, [port] if port else [])
    capabilities.drop()
    seccomp.take_away()


def python_folders() -> list[Path]:
    """Where Python, its packages and our own are."""
    ours = [HOME / package for package in PACKAGES]
    paths = [Path(path) for path in sys.path if path and Path(path).resolve() != HOME.resolve()]
    return [Path(sys.prefix), Path(sys.base_prefix), *paths, *ours]


def needed_by(file: Path, private: Iterable[Path] = ()) -> list[Path]:
    """What a bot's file, or a program, needs beside itself: its folder. If that holds what is none of a bot's business,
    the user's home and state, the folder for temporary files or one of these, just the files there with the same
    ending."""
    folder = file.resolve().parent
    for place in (home_folder(), state_folder(), Path(tempfile.gettempdir()), *private):
        if place.resolve() == folder or folder in place.resolve().parents:
            return [file, *sorted(folder.glob(f"*{file.suffix}"))] if file.suffix else [file]
    return [folder]
