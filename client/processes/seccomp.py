"""Takes system calls away from this process: those by which it could leave something behind, or reach others, past
Landlock.

Landlock 7 knows no datagrams, no shared memory of System V, no message queues, no key rings, and no times, modes and
attributes of files, which their owner may change wherever they are. The filter is a small program that the kernel runs
at each call, as `linux/seccomp.h` and `linux/filter.h` describe it. What is refused fails with EPERM.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys

_DENIED = """
shmget 29 194, shmat 30 196, msgget 68 186, semget 64 190, mq_open 240 180, add_key 248 217, request_key 249 218,
keyctl 250 219, io_uring_setup 425 425, ptrace 101 117, process_vm_writev 311 271,
utime 132 -, utimes 235 -, futimesat 261 -, utimensat 280 88, chmod 90 -, fchmod 91 52, fchmodat 268 53,
fchmodat2 452 452, chown 92 -, fchown 93 55, lchown 94 -, fchownat 260 54, setxattr 188 5, lsetxattr 189 6,
fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16, setxattrat 463 463,
removexattrat 466 466, file_setattr 469 469,
setpriority 141 140, ioprio_set 251 30, sched_setaffinity 203 122, sched_setscheduler 144 119, sched_setparam 142 118,
sched_setattr 314 274
"""  # each with its number on x86_64 and aarch64
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column, the kernel's own name
_SOCKET, _IOCTL, _PRLIMIT = (41, 198), (16, 29), (302, 261)
_FILE_FLAGS = (0x40086602, 0x40087602, 0x401C5820)  # ioctls that change flags, version and attributes of a file

_INET, _INET6, _STREAM, _STREAM_MASK, _TCP = 2, 10, 1, 0xF, 6
_OTHER_ABI = 0x40000000  # on x86_64: calls of x32, numbered anew

_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001  # the latter with EPERM
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they stand in what the filter is shown; an argument has 8 bytes

_GET, _SET, _FILTER = 21, 22, 2  # for prctl

Step = tuple[int, int, int, int]  # code, steps to skip if so and if not, operand


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("so", ctypes.c_uint8),
        ("otherwise", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Instruction))]


def known_here() -> bool:
    """Whether this kernel and this kind of machine have it."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES or sys.maxsize < 2**32:
        return False
    done: int = ctypes.CDLL(None).prctl(_GET, 0, 0, 0, 0)
    return done == 0


def take_away() -> None:
    """For good, from this thread and whatever it starts; `no_new_privs` has to be set. Raises OSError."""
    steps = _steps(*_MACHINES[platform.machine()])
    program = _Program(len(steps), (_Instruction * len(steps))(*(_Instruction(*step) for step in steps)))
    if ctypes.CDLL(None, use_errno=True).prctl(_SET, _FILTER, ctypes.byref(program), 0, 0):
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


def _steps(column: int, machine: int) -> list[Step]:
    refuse: Step = (_RETURN, 0, 0, _REFUSE)
    allow: Step = (_RETURN, 0, 0, _ALLOW)
    denied = [entry.split()[1 + column] for entry in _DENIED.split(",")]
    steps = [_load(_MACHINE), *_unless(_EQUAL, machine, refuse), _load(_NUMBER)]
    steps += _if(_AT_LEAST, _OTHER_ABI, refuse)
    for number in denied:
        if number != "-":
            steps += _if(_EQUAL, int(number), refuse)
    steps += _for_call(
        _SOCKET[column],
        [
            _load(_ARGUMENTS),
            (_EQUAL, 2, 0, _INET),
            *_unless(_EQUAL, _INET6, refuse),
            _load(_ARGUMENTS + 8),
            (_AND, 0, 0, _STREAM_MASK),
            *_unless(_EQUAL, _STREAM, refuse),
            _load(_ARGUMENTS + 16),
            (_EQUAL, 2, 0, 0),
            *_unless(_EQUAL, _TCP, refuse),
            allow,
        ],
    )
    flags = [step for command in _FILE_FLAGS for step in _if(_EQUAL, command, refuse)]
    steps += _for_call(_IOCTL[column], [_load(_ARGUMENTS + 8), *flags, allow])
    steps += _for_call(_PRLIMIT[column], [_load(_ARGUMENTS), *_unless(_EQUAL, 0, refuse), allow])  # not of others
    return [*steps, allow]


def _load(place: int) -> Step:
    return (_LOAD, 0, 0, place)


def _if(test: int, operand: int, then: Step) -> list[Step]:
    return [(test, 0, 1, operand), then]


def _unless(test: int, operand: int, then: Step) -> list[Step]:
    return [(test, 1, 0, operand), then]


def _for_call(number: int, steps: list[Step]) -> list[Step]:
    """These steps, which end with a verdict, for one call; the number is loaded before and, for other calls, after."""
    return [(_EQUAL, 0, len(steps), number), *steps]
