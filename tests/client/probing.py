"""What a bot might try, tried when this file is loaded as a bot's: prints what could be done, one JSON list.

The folder above it holds `secret`; `others.json` beside it says where else to try.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
AS_A_BOT = __name__.startswith("magehall_bot_")
OTHERS = json.loads((HERE / "others.json").read_text()) if AS_A_BOT else {}
LIBC = ctypes.CDLL(None, use_errno=True)


def called(done: int) -> int:
    if done < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return done


def connect(kind: int, where: object, family: int = socket.AF_INET) -> None:
    with socket.socket(family, kind) as own:
        own.connect(where)  # type: ignore[arg-type]
        own.send(b"x")


def listen() -> None:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        own.listen()


def shared_memory() -> None:
    LIBC.shmctl(called(LIBC.shmget(0x6D616765, 4096, 0o1600)), 0, None)


def message_queue() -> None:
    called(LIBC.mq_open(b"/magehall-test", os.O_CREAT | os.O_RDWR, 0o600, None))
    LIBC.mq_unlink(b"/magehall-test")


def limit_the_parent() -> None:
    resource.prlimit(os.getppid(), resource.RLIMIT_CORE, resource.prlimit(os.getppid(), resource.RLIMIT_CORE))


def use_the_own_folder() -> None:
    Path("sub").mkdir()
    (Path("sub") / "one").write_text("1")
    (Path("sub") / "one").rename("two")
    Path("link").symlink_to("two")
    assert Path("link").read_text() == "1"
    Path("two").unlink()
    with tempfile.TemporaryFile() as file:
        file.write(b"1")
    assert Path.home() == Path.cwd() == Path(tempfile.gettempdir())


def run_programs_and_threads() -> None:
    assert subprocess.run(["sh", "-c", "echo 1 >/dev/null; exit 3"], check=False).returncode == 3
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    child.send_signal(signal.SIGKILL)
    child.wait()
    thread = threading.Thread(target=os.urandom, args=(1,))
    thread.start()
    thread.join()


TRIES: dict[str, Callable[[], object]] = {
    "read the secret": lambda: (HERE.parent / "secret").read_text(),
    "list the folder above": lambda: os.listdir(HERE.parent),
    "read a server's names": lambda: os.listdir(Path(OTHERS["home"])),
    "read another's process": lambda: Path(f"/proc/{os.getppid()}/cmdline").read_text(),
    "write beside itself": lambda: (HERE / "left").write_text("cards"),
    "write into another's folder": lambda: (Path(OTHERS["folder"]) / "left").write_text("cards"),
    "write to /tmp": lambda: Path(OTHERS["tmp"]).write_text("cards"),
    "write to /dev/shm": lambda: Path("/dev/shm/magehall-test").write_text("cards"),
    "set a file's time": lambda: os.utime(__file__, ns=(1, 1)),
    "set a file's mode": lambda: os.chmod(__file__, 0o600),
    "set a file's attribute": lambda: os.setxattr(__file__, "user.cards", b"1"),
    **({"change the root folder": lambda: os.chroot("/")} if os.geteuid() == 0 else {}),
    "share memory": shared_memory,
    "queue messages": message_queue,
    "signal its parent": lambda: os.kill(os.getppid(), 0),
    "limit its parent": limit_the_parent,
    "listen": listen,
    "connect elsewhere": lambda: connect(socket.SOCK_STREAM, ("127.0.0.1", OTHERS["port"])),
    "send datagrams": lambda: connect(socket.SOCK_DGRAM, ("127.0.0.1", OTHERS["port"])),
    "reach an abstract socket": lambda: connect(socket.SOCK_STREAM, "\0" + OTHERS["abstract"], socket.AF_UNIX),
    "connect to the server": lambda: connect(socket.SOCK_STREAM, ("127.0.0.1", OTHERS["server"])),
    "use its own folder": use_the_own_folder,
    "run programs and threads": run_programs_and_threads,
    "import late": lambda: __import__("sqlite3"),
}

if AS_A_BOT:
    could = []
    for name, attempt in TRIES.items():
        try:
            attempt()
            could.append(name)
        except OSError as error:
            print(name, error, file=sys.stderr)
    print("could:", json.dumps(could), file=sys.stderr)
