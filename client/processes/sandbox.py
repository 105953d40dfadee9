"""The sandbox of a bot's process, created by bubblewrap: what it contains, and whether this machine allows it.

It contains the system's programs and libraries, Python, magehall's packages and the bot's own files, all read-only, and
one writable folder in memory. The process has its own namespaces, so it sees no other process and no network. It has no
capabilities, and `client.processes.seccomp` filters its system calls.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from bots.sdk.tokens import home_folder, state_folder
from client.language import _
from client.processes import seccomp
from client.processes.limits import ProcessLimits

HOME = Path(__file__).parents[2]
PACKAGES = (
    "languages",
    "games",
    "protocol",
    "matches",
    "tournaments",
    "people",
    "server",
    "bots",
    "client",
    "magehall",
)
OWN = Path("/tmp")  # the only writable folder in the sandbox, also its home

_USER = "1000"
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"),
)
_SETTINGS = (  # files with settings of programs and libraries
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/perl"),
    *(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible")),
)
_DEVICES = {name: name for name in ("null", "full", "random", "urandom")}
# /dev/full, which appears as /dev/zero: it also reads as zeros, and its pages cannot become shared memory
_DEVICES |= {"zero": "full"}
_LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1"}
_LINKS |= {"/dev/stderr": "/proc/self/fd/2", "/dev/shm": f"{OWN}"}
# the visible files in /proc; all others count something or reveal other processes
_PROC = ("self", "thread-self", "net", "mounts", "cpuinfo", "version", "filesystems")
_AGAINST_NAMESPACES = {
    "user.max_user_namespaces": "0",
    "kernel.unprivileged_userns_clone": "0",  # on Debian
    "kernel.apparmor_restrict_unprivileged_userns": "1",  # on Ubuntu
}
_PROBE_SECONDS = 20.0
# The program that tests the sandbox. It exits with 0 if it can neither create a socket nor read a file of the system.
_PROBE = """
import os, socket
try:
    socket.socket()
except PermissionError:
    os._exit(os.path.exists("/etc/passwd"))
os._exit(3)
"""


class Sandbox(msgspec.Struct, frozen=True):
    """The contents of a sandbox besides the system's files and Python."""

    readable: list[str] = []  # files and folders that the process can read
    hidden: list[str] = []  # paths within these folders that appear empty


@cache
def sandbox_error() -> str:
    """Returns a sentence that says why this machine can create no sandbox; "" if it can. Tries it once per process."""
    if sys.platform != "linux":
        return _("bubblewrap runs on Linux only.")
    if not seccomp.is_supported():
        return _("There is no filter of system calls for this kind of processor.")
    if _bwrap() is None:
        return _("bubblewrap (bwrap) is not installed.")
    filter_fd = open_syscall_filter()
    try:
        done = subprocess.run(
            sandbox_command(Sandbox(), ProcessLimits(), filter_fd, [sys.executable, "-I", "-S", "-c", _PROBE]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=[filter_fd],
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _("bubblewrap does not work here: {said}.", said=error)
    finally:
        os.close(filter_fd)
    if done.returncode == 0:
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2].removesuffix(".")
    why = _("bubblewrap does not work here: {said}.", said=said or _("exit code {code}", code=done.returncode))
    if setting := _setting_against_namespaces():
        why += _(" The kernel's setting {setting} forbids user namespaces.", setting=setting)
    return why


def _setting_against_namespaces() -> str:
    """Returns a kernel setting that is known to block bubblewrap, or ""."""
    for name, value in _AGAINST_NAMESPACES.items():
        with suppress(OSError):
            if Path("/proc/sys", *name.split(".")).read_text().strip() == value:
                return f"{name}={value}"
    return ""


def sandbox_command(sandbox: Sandbox, limits: ProcessLimits, filter_fd: int, program: Sequence[str]) -> list[str]:
    """Returns the command line that runs the program in the sandbox. `filter_fd` is a file descriptor from which
    bubblewrap reads the filter of system calls."""
    words = [_bwrap() or "bwrap", "--unshare-user", "--unshare-all", "--uid", _USER, "--gid", _USER]
    words += ["--hostname", "sandbox", "--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    words += ["--seccomp", f"{filter_fd}", "--chdir", f"{OWN}"]
    readable = _shown(sandbox)
    mounts: list[tuple[Path, list[str]]] = [(path, _as_outside(path)) for path in readable]
    mounts += [
        (Path("/proc"), ["--proc", "/proc"]),
        (Path("/dev"), ["--tmpfs", "/dev"]),
        (OWN, ["--perms", "0700", "--size", f"{limits.folder_bytes}", "--tmpfs", f"{OWN}"]),
    ]
    sealed = ["/dev"]
    for name, device in _DEVICES.items():
        mounts.append((Path("/dev") / name, ["--dev-bind", f"/dev/{device}", f"/dev/{name}"]))
    for path in _masked(sandbox, readable):
        if path.is_dir():
            mounts.append((path, ["--tmpfs", f"{path}"]))
            sealed.append(f"{path}")
        else:
            mounts.append((path, ["--ro-bind", "/dev/null", f"{path}"]))
    # folders are mounted before the paths within them
    for _path, mount in sorted(mounts, key=lambda one: len(one[0].parts)):
        words += mount
    for place, target in _LINKS.items():
        words += ["--symlink", target, place]
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), f"{path}"]
    for place in [*sealed, "/"]:
        words += ["--remount-ro", place]
    return [*words, "--", *program]


def limited_command(tasks: int, arguments: Sequence[str]) -> list[str]:
    """Returns the command line that runs magehall within a sandbox, with at most `tasks` processes and threads."""
    return [sys.executable, "-P", "-m", "magehall.inside", f"{tasks}", *arguments]


def _as_outside(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", f"{path.resolve()}", f"{path}"]
    return ["--ro-bind-try", f"{path}", f"{path}"]


def open_syscall_filter() -> int:
    """Returns a file descriptor from which the filter of system calls can be read once."""
    filter_fd, write = os.pipe()
    os.write(write, seccomp.filter_program())  # does not block, because the filter fits into the pipe's buffer
    os.close(write)
    return filter_fd


def _bwrap() -> str | None:
    return shutil.which("bwrap")


def _shown(sandbox: Sandbox) -> list[Path]:
    """Returns every read-only path in the sandbox, both as written and as resolved."""
    system = [Path(path) for path in _SYSTEM if not Path(path).is_symlink()]
    settings = [*map(Path, _SETTINGS), *Path("/etc").glob("java-*")]
    wanted = [*system, *settings, *python_folders(), *map(Path, sandbox.readable)]
    both = [path for one in wanted for path in (one.absolute(), one.resolve()) if path.exists()]
    found: list[Path] = []
    for path in sorted([*system, *both], key=lambda one: len(one.parts)):
        if not _is_within(path, found):
            found.append(path)
    return found


def _masked(sandbox: Sandbox, readable: Iterable[Path]) -> Iterator[Path]:
    """Yields the paths that must appear empty: most of /proc, the user's state folder, and `sandbox.hidden`."""
    yield from (path for path in Path("/proc").iterdir() if not (path.name.isdigit() or path.name in _PROC))
    programs = [*map(Path, _SYSTEM), *_python()]
    for hidden in dict.fromkeys([*map(Path, sandbox.hidden), state_folder()]):
        for path in {hidden.absolute(), hidden.resolve()}:
            if path.exists() and _is_within(path, readable) and not _is_within(path, programs):
                yield path


def _is_within(path: Path, folders: Iterable[Path]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)


def python_folders() -> list[Path]:
    """Returns the folders of Python, of its installed packages and of magehall. The module search path may add
    others."""
    paths = [Path(path) for path in sys.path if path and Path(path).resolve() != HOME.resolve()]
    return [*_python(), *paths]


def _python() -> list[Path]:
    ours = [HOME / package for package in PACKAGES]
    return [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent, *ours]


def paths_needed_by(file: Path, private: Iterable[Path] = ()) -> list[Path]:
    """Returns the paths that a bot's file or program needs in its sandbox: its folder, and the symbolic link through
    which it is named.

    If that folder is private or too broad (the home, the folder for temporary files, or a folder above these), it
    returns only those files of the folder that have the same extension.
    """
    folder = file.resolve().parent
    named = [file] if file.absolute().parent != folder else []
    broad = [place.resolve() for place in (home_folder(), Path(tempfile.gettempdir()))]
    if any(place == folder or folder in place.parents for place in broad) or folder in map(Path.resolve, private):
        return [file, *sorted(folder.glob(f"*{file.suffix}"))] if file.suffix else [file]
    return [folder, *named]
