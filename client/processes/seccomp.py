"""A filter of system calls for a bot's process. It closes the channels that namespaces and read-only files leave open.

Two processes with access to the same read-only file can signal to each other by locks, leases, inotify, or the set of
its pages in memory. Root's bots own the device files, whose times and modes they could change. Sockets, queues,
anonymous files and shared memory hold memory that no file system limit counts. Counters of the whole machine, or of all
processes of the user, reveal earlier and concurrent processes. So the filter denies these calls, all calls that create
sockets or namespaces, and all calls that are newer than this list.

`bwrap --seccomp` takes the filter in this form: a program of the kernel's `linux/filter.h`, run at each call.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys

_DENIED = """
socket 41 198, bind 49 200, listen 50 201, accept 43 202, accept4 288 242, connect 42 203, getsockname 51 204,
flock 73 32, inotify_init 253 -, inotify_init1 294 26, inotify_add_watch 254 27, fanotify_init 300 262,
fanotify_mark 301 263, mincore 27 232, readahead 187 213, fadvise64 221 223, preadv2 327 286, pwritev2 328 287,
statfs 137 43, fstatfs 138 44, ustat 136 -, name_to_handle_at 303 264, open_by_handle_at 304 265,
utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, chmod 90 -, fchmod 91 52, fchmodat 268 53, chown 92 -,
fchown 93 55, lchown 94 -, fchownat 260 54, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14,
lremovexattr 198 15, fremovexattr 199 16,
sendmsg 46 211, sendmmsg 307 269, vmsplice 278 75,
memfd_create 319 279, memfd_secret 447 447, shmget 29 194, shmat 30 196, shmctl 31 195, msgget 68 186, msgctl 71 187,
semget 64 190, semctl 66 191, mq_open 240 180, mq_unlink 241 181, add_key 248 217, request_key 249 218, keyctl 250 219,
mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, swapon 167 224, swapoff 168 225, quotactl 179 60,
quotactl_fd 443 443, open_tree 428 428, move_mount 429 429, fsopen 430 430, fsconfig 431 431, fsmount 432 432,
fspick 433 433, mount_setattr 442 442, lookup_dcookie 212 18, acct 163 89, unshare 272 97, setns 308 268,
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, process_madvise 440 440,
process_mrelease 448 448, kcmp 312 272, pidfd_getfd 438 438,
setpriority 141 140, ioprio_set 251 30, sched_setaffinity 203 122, sched_setscheduler 144 119, sched_setparam 142 118,
sched_setattr 314 274, migrate_pages 256 238, move_pages 279 239, mbind 237 235, set_mempolicy 238 237,
bpf 321 280, perf_event_open 298 241, userfaultfd 323 282, io_uring_setup 425 425, io_uring_enter 426 426,
io_uring_register 427 427, kexec_load 246 104, kexec_file_load 320 294, init_module 175 105, finit_module 313 273,
delete_module 176 106, reboot 169 142, syslog 103 116, sysinfo 99 179, sync 162 81, syncfs 306 267,
settimeofday 164 170, clock_settime 227 112,
adjtimex 159 171, clock_adjtime 305 266, sethostname 170 161, setdomainname 171 162, iopl 172 -, ioperm 173 -,
modify_ldt 154 -, uselib 134 -, sysfs 139 -, vhangup 153 58, nfsservctl 180 42
"""  # each line: name of the call, its number on x86_64 and on aarch64
# column in the table above, and the kernel's number of the architecture
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
# calls with the same number on both machines; programs can do without `clone3` and without all calls above `_NEWEST`
_CLONE3, _NEWEST = 435, 449

# Numbers (x86_64, aarch64) of calls that are allowed only with certain arguments.
_CLONE, _FCNTL, _IOCTL, _PERSONALITY = (56, 220), (72, 25), (16, 29), (135, 92)
_SOCKETPAIR, _GETSOCKOPT, _SETSOCKOPT = (53, 199), (55, 209), (54, 208)
_SENDTO, _MMAP, _MADVISE, _PRCTL = (44, 206), (9, 222), (28, 233), (157, 167)

_NEW_NAMESPACES = 0x7E020000  # flags of clone that create a namespace
# allowed commands of fcntl: duplicate, flags, owners, pipe sizes; no locks, leases or hints
_FCNTLS = (0, 1, 2, 3, 4, 8, 9, 1030, 1032)
# allowed requests of ioctl: those for any file, and the query whether a file is a terminal
_IOCTLS = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452)
_SAME_PERSONALITY = (0, 0xFFFFFFFF)
# the only allowed socket pairs: streams and packets, whose two ends are connected only to each other
_UNIX, _TYPE_MASK, _PAIRS = 1, 0xF, (1, 5)
# allowed socket options: the buffer sizes to set; type, error and similar facts to read
_SOCKET_LEVEL, _BUFFERS, _KIND = 1, (7, 8), (3, 4, 30, 38, 39)
_FAST_OPEN = 0x20000000  # a flag of sendto that connects while sending
_SHARED_MEMORY = 0x21  # flags of mmap for shared memory without a file, which takes memory even when it is unmapped
_SHARING_PAGES = (12, 20, 21)  # advice of madvise to merge equal pages, or to drop a file's pages for all processes
_MERGE_MEMORY = (67,)  # options of prctl that merge equal memory

_ALLOW, _FAIL = 0x7FFF0000, 0x00050000  # verdicts of the filter; an error number is added to the second one
_LOAD, _AND, _EQUAL, _GREATER, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06
# offsets in the filter's input, in bytes: call number, machine, and arguments of 8 bytes each
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_OTHER_ABI = 0x40000000  # begins the call numbers of the x32 interface on x86_64

# one instruction: its code, the steps to skip if its test is true and if it is false, and the operand
Step = tuple[int, int, int, int]

_ALLOWED: Step = (_RETURN, 0, 0, _ALLOW)


def is_supported() -> bool:
    """Returns whether this module has a filter for this machine's architecture."""
    return platform.machine() in _MACHINES and sys.maxsize > 2**32


def filter_program() -> bytes:
    """Returns the filter for this machine as bytes. Denied calls fail with EPERM, or as if the kernel did not have
    them."""
    column, machine = _MACHINES[platform.machine()]
    denied = [numbers[1 + column] for numbers in map(str.split, _DENIED.split(",")) if numbers[1 + column] != "-"]
    steps = [_load(_MACHINE), (_EQUAL, 1, 0, machine), _fail(errno.EPERM), _load(_NUMBER)]
    steps += [(_AT_LEAST, 0, 1, _OTHER_ABI), _fail(errno.EPERM)]
    steps += [(_GREATER, 0, 1, _NEWEST), _fail(errno.ENOSYS), (_EQUAL, 0, 1, _CLONE3), _fail(errno.ENOSYS)]
    for number in denied:
        steps += [(_EQUAL, 0, 1, int(number)), _fail(errno.EPERM)]
    steps += _where(_CLONE[column], _no_bits(0, _NEW_NAMESPACES))
    steps += _where(_FCNTL[column], _one_of(1, _FCNTLS))
    steps += _where(_IOCTL[column], _one_of(1, _IOCTLS, errno.ENOTTY))
    steps += _where(_PERSONALITY[column], _one_of(0, _SAME_PERSONALITY))
    steps += _where(_SOCKETPAIR[column], [*_one_of(0, (_UNIX,))[:-1], *_one_of(1, _PAIRS, mask=_TYPE_MASK)])
    for call, options in ((_GETSOCKOPT, (*_BUFFERS, *_KIND)), (_SETSOCKOPT, _BUFFERS)):
        steps += _where(call[column], [*_one_of(1, (_SOCKET_LEVEL,))[:-1], *_one_of(2, options)])
    steps += _where(_SENDTO[column], _no_bits(3, _FAST_OPEN))
    steps += _where(_MMAP[column], _not_all_bits(3, _SHARED_MEMORY))
    steps += _where(_MADVISE[column], _none_of(2, _SHARING_PAGES))
    steps += _where(_PRCTL[column], _none_of(0, _MERGE_MEMORY))
    return b"".join(struct.pack("HBBI", *step) for step in [*steps, _ALLOWED])


def _load(place: int) -> Step:
    return (_LOAD, 0, 0, place)


def _fail(number: int) -> Step:
    return (_RETURN, 0, 0, _FAIL | number)


def _one_of(argument: int, values: tuple[int, ...], error: int = errno.EPERM, *, mask: int = 0) -> list[Step]:
    """Returns steps that fail unless the lower half of the argument is one of these values."""
    masked = [(_AND, 0, 0, mask)] if mask else []
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_load(_ARGUMENTS + 8 * argument), *masked, *tests, _fail(error), _ALLOWED]


def _none_of(argument: int, values: tuple[int, ...]) -> list[Step]:
    """Returns steps that fail if the argument is one of these values."""
    tests = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_load(_ARGUMENTS + 8 * argument), *tests, _ALLOWED, _fail(errno.EPERM)]


def _no_bits(argument: int, bits: int) -> list[Step]:
    """Returns steps that fail if the argument has one of these bits."""
    return [_load(_ARGUMENTS + 8 * argument), (_AND, 0, 0, bits), (_EQUAL, 1, 0, 0), _fail(errno.EPERM), _ALLOWED]


def _not_all_bits(argument: int, bits: int) -> list[Step]:
    """Returns steps that fail if the argument has all of these bits."""
    return [_load(_ARGUMENTS + 8 * argument), (_AND, 0, 0, bits), (_EQUAL, 0, 1, bits), _fail(errno.EPERM), _ALLOWED]


def _where(number: int, steps: list[Step]) -> list[Step]:
    """Returns steps that apply the given ones, which end with a verdict, to one system call only. They expect the call
    number to be loaded, and leave it loaded for other calls."""
    return [(_EQUAL, 0, len(steps), number), *steps]
