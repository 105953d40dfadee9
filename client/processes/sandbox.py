"""The sandbox of a bot's process, which bubblewrap makes: what is in it, and whether it can be made here.

In it there are the system's programs and libraries, Python, magehall's packages and the bot's own files, all read-only,
and one folder in memory to write in. The process has namespaces of its own, so it sees no other process and has no
network; no capability; and `client.processes.seccomp` as its filter of system calls.
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
from client.processes.limits import Limits

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
OWN = Path("/tmp")  # the folder to write in, which is also the home

_USER = "1000"
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew"),
)
_SETTINGS = (  # of programs and libraries
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/perl"),
    *(f"/sys/devices/system/cpu/{name}" for name in ("online", "possible")),
)
_DEVICES = {name: name for name in ("null", "full", "random", "urandom")}
_DEVICES |= {"zero": "full"}  # which reads alike, and whose pages cannot be shared memory
_LINKS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1"}
_LINKS |= {"/dev/stderr": "/proc/self/fd/2", "/dev/shm": f"{OWN}"}
_PROC = ("self", "thread-self", "net", "mounts", "cpuinfo", "version", "filesystems")  # all else counts or tells
_AGAINST_NAMESPACES = {
    "user.max_user_namespaces": "0",
    "kernel.unprivileged_userns_clone": "0",  # of Debian
    "kernel.apparmor_restrict_unprivileged_userns": "1",  # of Ubuntu
}
_PROBE_SECONDS = 20.0
# Ends with 0 where neither a socket can be made nor a file of the system's be read.
_PROBE = """
import os, socket
try:
    socket.socket()
except PermissionError:
    os._exit(os.path.exists("/etc/passwd"))
os._exit(3)
"""


class Sandbox(msgspec.Struct, frozen=True):
    """What is in a sandbox beside the system and Python."""

    readable: list[str] = []  # files and folders
    hidden: list[str] = []  # and what is empty within these folders


@cache
def obstacle() -> str:
    """Why no sandbox can be made here, as a sentence; "" where one can: it is tried once."""
    if sys.platform != "linux":
        return _("bubblewrap runs on Linux only.")
    if not seccomp.is_known():
        return _("There is no filter of system calls for this kind of processor.")
    if _bwrap() is None:
        return _("bubblewrap (bwrap) is not installed.")
    filter_fd = open_filter()
    try:
        done = subprocess.run(
            command(Sandbox(), Limits(), filter_fd, [sys.executable, "-I", "-S", "-c", _PROBE]),
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
    """The one that is known to keep bubblewrap from working; "" if none does."""
    for name, value in _AGAINST_NAMESPACES.items():
        with suppress(OSError):
            if Path("/proc/sys", *name.split(".")).read_text().strip() == value:
                return f"{name}={value}"
    return ""


def command(sandbox: Sandbox, limits: Limits, filter_fd: int, program: Sequence[str]) -> list[str]:
    """The command line that runs the program in the sandbox; `filter_fd` is an open file with the filter."""
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
    for _path, mount in sorted(mounts, key=lambda one: len(one[0].parts)):  # what lies deeper comes later
        words += mount
    for place, target in _LINKS.items():
        words += ["--symlink", target, place]
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), f"{path}"]
    for place in [*sealed, "/"]:
        words += ["--remount-ro", place]
    return [*words, "--", *program]


def program(tasks: int, arguments: Sequence[str]) -> list[str]:
    """Returns the command line that runs magehall in a sandbox with at most `tasks` processes and threads."""
    return [sys.executable, "-P", "-m", "magehall.inside", f"{tasks}", *arguments]


def _as_outside(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", f"{path.resolve()}", f"{path}"]
    return ["--ro-bind-try", f"{path}", f"{path}"]


def open_filter() -> int:
    """A file descriptor from which the filter of system calls is read, once."""
    filter_fd, write = os.pipe()
    os.write(write, seccomp.program())  # a pipe has room for it
    os.close(write)
    return filter_fd


def _bwrap() -> str | None:
    return shutil.which("bwrap")


def _shown(sandbox: Sandbox) -> list[Path]:
    """Every path that is read-only in the sandbox, both as it is written and as it resolves."""
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
    """What is there and has to look empty: most of /proc, the user's state, and what is hidden."""
    yield from (path for path in Path("/proc").iterdir() if not (path.name.isdigit() or path.name in _PROC))
    programs = [*map(Path, _SYSTEM), *_python()]
    for hidden in dict.fromkeys([*map(Path, sandbox.hidden), state_folder()]):
        for path in {hidden.absolute(), hidden.resolve()}:
            if path.exists() and _is_within(path, readable) and not _is_within(path, programs):
                yield path


def _is_within(path: Path, folders: Iterable[Path]) -> bool:
    return any(folder == path or folder in path.parents for folder in folders)


def python_folders() -> list[Path]:
    """Where Python and its packages are, and our own; the path of modules may name others, too."""
    paths = [Path(path) for path in sys.path if path and Path(path).resolve() != HOME.resolve()]
    return [*_python(), *paths]


def _python() -> list[Path]:
    ours = [HOME / package for package in PACKAGES]
    return [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parent, *ours]


def needed_by(file: Path, private: Iterable[Path] = ()) -> list[Path]:
    """What a bot's file, or a program, needs beside itself: its folder, and a link that it is named by. If that folder
    is the user's home, the one for temporary files, one above these, or one of the private folders: just the files
    there with the same ending."""
    folder = file.resolve().parent
    named = [file] if file.absolute().parent != folder else []
    broad = [place.resolve() for place in (home_folder(), Path(tempfile.gettempdir()))]
    if any(place == folder or folder in place.parents for place in broad) or folder in map(Path.resolve, private):
        return [file, *sorted(folder.glob(f"*{file.suffix}"))] if file.suffix else [file]
    return [folder, *named]
