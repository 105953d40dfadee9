"""What a stranger's bot might try to get out of its sandbox, or to tell somebody something: each as a function.

An attempt that returns has succeeded; one that raises OSError has not. As a bot's file this has a class for each
attempt, `escapes.py:FastOpen` for `fast_open`, which makes it at its first decision and raises AssertionError if it
succeeds; and `escapes.py:None` makes all of them when the file is loaded, and prints which have succeeded.
`others.json` beside the file says where there is something to be found.

Tests make all of them outside of a sandbox too, also as root: an attempt that succeeds must change nothing that stays.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bots.sdk import Bot, Turn
from client.processes.limits import SIGNALS, ProcessLimits
from games.api import Action

HERE = Path(__file__).parent
AS_A_BOT = __name__.startswith("magehall_bot_")
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
SHARED = os.__file__  # a file that all Python bots can read
MEBIBYTE = 1 << 20


def others() -> dict[str, Any]:
    with suppress(FileNotFoundError):
        return dict(json.loads((HERE / "others.json").read_text()))
    port = int(json.loads(sys.argv[-1])["server"].rpartition(":")[2])
    return {"server": port, "port": port, "home": str(HERE.parents[1]), "abstract": "", "pid": 1 << 21, "tmp": ""}


def called(done: int) -> int:
    if done < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return done


def syscall(x86: int, arm: int, *arguments: Any) -> int:
    return called(LIBC.syscall(x86 if X86 else arm, *arguments))


def nothing_unless(found: object) -> None:
    """Raises PermissionError where an attempt was let through and brought nothing."""
    if not found:
        raise PermissionError("nothing to be seen")


# -- the network ------------------------------------------------------------------------------------------------------


def _connect(kind: int, where: Any, family: int = socket.AF_INET) -> None:
    with socket.socket(family, kind) as own:
        own.connect(where)
        own.send(b"x")


def connect_elsewhere() -> None:
    _connect(socket.SOCK_STREAM, ("127.0.0.1", others()["port"]))


def connect_to_the_server() -> None:
    _connect(socket.SOCK_STREAM, ("127.0.0.1", others()["server"]))


def fast_open() -> None:
    with socket.socket() as own:
        own.sendto(b"x", socket.MSG_FASTOPEN, ("127.0.0.1", others()["port"]))


def listen_unbound() -> None:
    with socket.socket() as own:
        own.listen()


def listen_bound() -> None:
    with socket.create_server(("127.0.0.1", 0)):
        pass


def datagram() -> None:
    _connect(socket.SOCK_DGRAM, ("127.0.0.1", others()["port"]))


def abstract_socket() -> None:
    _connect(socket.SOCK_STREAM, "\0" + others()["abstract"], socket.AF_UNIX)


def netlink() -> None:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as own:
        own.bind((0, 0))


def vsock() -> None:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM):
        pass


def kernel_crypto() -> None:
    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET):
        pass


def unix_datagram_pair() -> None:
    for one in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM):
        one.close()


def disconnect_and_connect() -> None:
    """With an address of no family a connected socket is free for another place."""
    one, other = socket.socketpair()
    with one, other:
        address = ctypes.create_string_buffer(16)
        done = LIBC.connect(one.fileno(), address, 16)
        if done < 0 and ctypes.get_errno() == 1:
            raise PermissionError


def count_sockets() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.getsockopt(socket.SOL_SOCKET, 57, 8)  # a number that counts all sockets of the machine


def own_port() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.getsockname()


def connections_of_others() -> None:
    nothing_unless(len(Path("/proc/self/net/tcp").read_text().splitlines()) > 1)


# -- traces and signals -----------------------------------------------------------------------------------------------


def record_lock() -> None:
    with open(SHARED) as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def look_at_record_locks() -> None:
    with open(SHARED) as file:
        fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def open_file_lock() -> None:
    with open(SHARED) as file:
        fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0))


def whole_file_lock() -> None:
    with open(SHARED) as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def lease() -> None:
    with open(SHARED) as file:
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


def watch_a_folder() -> None:
    folder = os.open(HERE, os.O_RDONLY)
    try:
        fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    finally:
        os.close(folder)


def inotify() -> None:
    os.close(called(LIBC.inotify_init1(0)))


def fanotify() -> None:
    os.close(syscall(300, 262, 0, 0))


def pages_in_memory() -> None:
    with open(SHARED, "rb") as file, mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE) as page:
        room = ctypes.create_string_buffer(1)
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        syscall(27, 232, ctypes.c_void_p(address), ctypes.c_size_t(4096), room)


def read_what_is_in_memory() -> None:
    with open(SHARED, "rb") as file, suppress(BlockingIOError):  # that is an answer
        os.preadv(file.fileno(), [bytearray(16)], 0, os.RWF_NOWAIT)


def drop_from_memory() -> None:
    with open(SHARED, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def merge_memory() -> None:
    """Pages that are equal to those of others take longer to write to."""
    page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE)
    try:
        page.madvise(mmap.MADV_MERGEABLE)
    finally:
        page.close()


def merge_all_memory() -> None:
    called(LIBC.prctl(67, 1, 0, 0, 0))
    LIBC.prctl(67, 0, 0, 0, 0)


def file_time() -> None:
    os.utime(os.devnull)


def file_mode() -> None:
    os.chmod(os.devnull, 0o666)


def file_attribute() -> None:
    os.setxattr(__file__, "user.cards", b"1")


def disk_usage() -> None:
    os.statvfs(HERE)


def load_of_the_machine() -> None:
    nothing_unless(Path("/proc/loadavg").read_text() + Path("/proc/stat").read_text())


def memory_of_the_machine() -> None:
    nothing_unless(Path("/proc/meminfo").read_text())


def processes_of_the_machine() -> None:
    called(LIBC.sysinfo(ctypes.create_string_buffer(256)))


def system_v_memory() -> None:
    LIBC.shmctl(called(LIBC.shmget(0x6D616765, 4096, 0o1600)), 0, None)


def system_v_queue() -> None:
    LIBC.msgctl(called(LIBC.msgget(0x6D616765, 0o1600)), 0, None)


def system_v_semaphore() -> None:
    LIBC.semctl(called(LIBC.semget(0x6D616765, 1, 0o1600)), 0, 0)


def message_queue() -> None:
    called(LIBC.mq_open(b"/magehall-test", os.O_CREAT | os.O_RDWR, 0o600, None))
    LIBC.mq_unlink(b"/magehall-test")


def key_ring() -> None:
    syscall(248, 217, b"user", b"magehall-test", b"cards", ctypes.c_size_t(5), -2)


def flush_the_disk() -> None:
    """Which takes as long as others write. Whoever may do it is told that no such file is open."""
    if LIBC.syscall(306 if X86 else 267, -1) == 0 or ctypes.get_errno() != errno.EBADF:
        raise PermissionError


# -- what the kernel counts for all of a user's processes -------------------------------------------------------------


def processes_of_the_user() -> None:
    """With a limit that depends on them, how many more there may be tells how many there are."""
    nothing_unless(resource.getrlimit(resource.RLIMIT_NPROC)[0] != ProcessLimits().max_tasks)


def signals_of_the_user() -> None:
    nothing_unless(resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] != SIGNALS)


def files_in_flight() -> None:
    one, other = socket.socketpair()
    with one, other:
        socket.send_fds(one, [b"x"], [one.fileno()])


# -- memory that is not counted ---------------------------------------------------------------------------------------


def unlinked_files() -> None:
    """450 MiB, none in a file that a folder lists."""
    held = []
    try:
        for _ in range(30):
            held.append(tempfile.TemporaryFile(dir="."))  # noqa: SIM115
            os.posix_fallocate(held[-1].fileno(), 0, 15 * MEBIBYTE)
    finally:
        for file in held:
            file.close()


def shared_memory_files() -> None:
    held = []
    try:
        for number in range(30):
            path = Path(f"/dev/shm/magehall-test-{os.getpid()}-{number}")
            file = open(path, "wb")  # noqa: SIM115
            held.append(file)
            path.unlink()
            os.posix_fallocate(file.fileno(), 0, 15 * MEBIBYTE)
    finally:
        for file in held:
            file.close()


def memory_file() -> None:
    os.close(os.memfd_create("cards"))


def secret_memory_file() -> None:
    os.close(syscall(447, 447, 0))


def shared_memory_of_no_file() -> None:
    mmap.mmap(-1, 4096).close()


def shared_memory_of_a_device() -> None:
    with open("/dev/zero", "rb") as file:
        mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ).close()


def memory_in_a_pipe() -> None:
    read, write = os.pipe()
    try:
        syscall(278, 75, write, None, ctypes.c_size_t(0), 0)
    finally:
        os.close(read)
        os.close(write)


def bigger_pipe() -> None:
    read, write = os.pipe()
    try:
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, MEBIBYTE)
    finally:
        os.close(read)
        os.close(write)


def higher_limits() -> None:
    for which in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU):
        _soft, most = resource.getrlimit(which)
        with suppress(ValueError, OSError):
            resource.setrlimit(which, (most + 1, most + 1))
            return
    raise PermissionError


# -- files ------------------------------------------------------------------------------------------------------------


def shadow() -> None:
    Path("/etc/shadow").read_text()


def users_of_the_machine() -> None:
    Path("/etc/passwd").read_text()


def folders_of_others() -> None:
    (HERE.parent / "secret").read_text()


def list_the_folder_above() -> None:
    nothing_unless(set(os.listdir(HERE.parent)) - {HERE.name})


def another_entrant_in_the_same_folder() -> None:
    nothing_unless((HERE / "rival.py").read_bytes())


def data_of_the_server() -> None:
    nothing_unless((Path(others()["home"]) / "data" / "magehall.db").read_bytes())


def home_of_the_user() -> None:
    os.listdir(Path(others()["home"]) / "data")


def write_beside_itself() -> None:
    (HERE / "left").write_text("cards")


def write_into_python() -> None:
    os.close(os.open(SHARED, os.O_WRONLY))


def devices() -> None:
    nothing_unless(set(os.listdir("/dev")) & {"tty", "ptmx", "mem", "kmsg", "fuse", "kvm", "sda", "vda", "pts"})


def settings_of_the_kernel() -> None:
    nothing_unless(os.listdir("/proc/sys"))


def system_files() -> None:
    nothing_unless(os.listdir("/sys/kernel"))


def change_the_root_folder() -> None:
    allowed_where_nothing_is(lambda place: LIBC.chroot(place))


def mount() -> None:
    allowed_where_nothing_is(lambda place: LIBC.mount(b"none", place, b"tmpfs", 0, None))


def allowed_where_nothing_is(call: Callable[[bytes], int]) -> None:
    """Whoever may do it is told that the folder is not there, and nothing is changed."""
    if call(b"/no-such-folder-of-magehall") == 0 or ctypes.get_errno() != errno.ENOENT:
        raise PermissionError


# -- processes --------------------------------------------------------------------------------------------------------


def processes_of_others() -> None:
    seen = list(Path("/proc").glob("[0-9]*"))
    nothing_unless(len(seen) > 20 or Path(f"/proc/{others()['pid']}") in seen)


def memory_of_others() -> None:
    Path(f"/proc/{others()['pid']}/maps").read_bytes()


def signal_others() -> None:
    os.kill(others()["pid"], 0)


def limit_others() -> None:
    resource.prlimit(others()["pid"], resource.RLIMIT_CORE)


def trace() -> None:
    child = subprocess.Popen(["sleep", "5"])
    try:
        called(LIBC.ptrace(16, child.pid, None, None))
    finally:
        child.kill()
        child.wait()


def user_namespace() -> None:
    called_in_a_child(lambda: called(LIBC.unshare(0x10000000)))


def cloned_namespace() -> None:
    called_in_a_child(lambda: syscall(56, 220, 0x10000000 | signal.SIGCHLD, None, None, None, None) or os._exit(0))


def cloned_namespace_the_new_way() -> None:
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64)
    called_in_a_child(lambda: syscall(435, 435, arguments, ctypes.c_size_t(64)) or os._exit(0))


def called_in_a_child(attempt: Callable[[], object]) -> None:
    """Its success changes nothing for the next attempts."""
    child = os.fork()
    if child == 0:
        with suppress(OSError):
            attempt()
            os._exit(0)
        os._exit(1)
    nothing_unless(os.waitpid(child, 0)[1] == 0)


def io_ring() -> None:
    os.close(syscall(425, 425, 4, ctypes.create_string_buffer(120)))


def kernel_program() -> None:
    os.close(syscall(321, 280, 0, ctypes.create_string_buffer(struct.pack("IIII", 1, 4, 4, 1), 72), 72))


def performance_counter() -> None:
    attributes = ctypes.create_string_buffer(struct.pack("IIQ", 1, 112, 1), 112)
    os.close(syscall(298, 241, attributes, 0, -1, -1, 0))


def page_faults() -> None:
    os.close(syscall(323, 282, 1))


def other_personality() -> None:
    called(LIBC.personality(0x0040000))


def type_for_others() -> None:
    """Puts a letter into the input of the terminal."""
    fcntl.ioctl(0, 0x5412, b"x")


def terminal() -> None:
    os.close(os.open("/dev/tty", os.O_RDWR))


def calls_of_32_bits() -> None:
    """The number of a process, asked for as a program of 32 bits would ask: there all calls have other numbers."""
    nothing_unless(X86)
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret
    with mmap.mmap(-1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC) as page:
        page.write(code)
        view = (ctypes.c_char * 4096).from_buffer(page)
        done = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(view))()
        del view
    nothing_unless(done > 0)


def calls_of_x32() -> None:
    nothing_unless(X86)
    syscall(0x40000000 + 39, 0)


def environment_of_the_user() -> None:
    seen = "".join(os.environ) + Path("/proc/1/environ").read_text(errors="replace")
    nothing_unless("API_KEY" in seen)


def open_files_of_the_starter() -> None:
    held = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")[:-1] if int(name) > 2]
    nothing_unless([path for path in held if path.startswith("/") and not path.startswith(("/proc/", "/dev/null"))])


# -- what it may do ---------------------------------------------------------------------------------------------------


def use_its_own_folder() -> None:
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
    assert subprocess.run(["perl", "-e", "exit 4"], check=False).returncode == 4
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    child.send_signal(signal.SIGKILL)
    child.wait()
    thread = threading.Thread(target=os.urandom, args=(1,))
    thread.start()
    thread.join()


def share_work_among_processes() -> None:
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]


def import_late() -> None:
    import sqlite3

    assert sqlite3.sqlite_version


ALLOWED = [use_its_own_folder, run_programs_and_threads, share_work_among_processes, import_late]
ESCAPES = [
    *(connect_elsewhere, connect_to_the_server, fast_open, listen_unbound, listen_bound, datagram, abstract_socket),
    *(netlink, vsock, kernel_crypto, unix_datagram_pair, disconnect_and_connect, count_sockets, own_port),
    *(connections_of_others, record_lock, look_at_record_locks, open_file_lock, whole_file_lock, lease, watch_a_folder),
    *(inotify, fanotify, pages_in_memory, read_what_is_in_memory, drop_from_memory, file_time, file_mode),
    *(
        merge_memory,
        merge_all_memory,
        file_attribute,
        disk_usage,
        load_of_the_machine,
        memory_of_the_machine,
        processes_of_the_machine,
    ),
    *(system_v_memory, system_v_queue, system_v_semaphore, message_queue, key_ring, unlinked_files),
    *(shared_memory_files, memory_file, secret_memory_file, bigger_pipe, higher_limits, shadow, users_of_the_machine),
    *(folders_of_others, list_the_folder_above, another_entrant_in_the_same_folder, data_of_the_server),
    *(home_of_the_user, write_beside_itself, write_into_python, devices, settings_of_the_kernel, system_files),
    *(change_the_root_folder, mount, processes_of_others, memory_of_others, signal_others, limit_others, trace),
    *(user_namespace, cloned_namespace, cloned_namespace_the_new_way, io_ring, kernel_program, performance_counter),
    *(page_faults, other_personality, type_for_others, terminal, calls_of_32_bits, calls_of_x32),
    *(environment_of_the_user, open_files_of_the_starter, flush_the_disk, processes_of_the_user, signals_of_the_user),
    *(files_in_flight, shared_memory_of_no_file, shared_memory_of_a_device, memory_in_a_pipe),
]


def class_name(attempt: Callable[[], None]) -> str:
    return "".join(word.capitalize() for word in attempt.__name__.split("_"))


class Escaping(Bot):
    """Plays on whatever comes out, and raises if it gets out."""

    attempt: Callable[[], None]

    def choose(self, turn: Turn) -> Action:
        if turn.number == 1:
            with suppress(OSError):
                type(self).attempt()
                raise AssertionError(f"{type(self).__name__} has succeeded")
        return turn.legal[0]


def _class_of(attempt: Callable[[], None]) -> type[Escaping]:
    return type(class_name(attempt), (Escaping,), {"attempt": staticmethod(attempt)})


BOTS = {class_name(attempt): _class_of(attempt) for attempt in ESCAPES}
globals().update(BOTS)

if AS_A_BOT and (HERE / "others.json").exists():
    could = []
    for attempt in (*ESCAPES, *ALLOWED):
        try:
            attempt()
            could.append(attempt.__name__)
        except OSError as error:
            print(attempt.__name__, error, file=sys.stderr)
    print("could:", json.dumps(could), file=sys.stderr)
