"""Confines this process with Linux's Landlock: which files it reads and writes, where it connects, whom it signals.

Numbers and structures are those of the kernel's `linux/landlock.h`; they are the same on every kind of machine.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

LEAST_VERSION = 6  # of the interface: files and TCP are older, signals and abstract sockets came with this one

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # system calls
_BENEATH, _PORT = 1, 2  # kinds of rules
_NO_NEW_PRIVILEGES = 38  # an option of prctl

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_MAKE_DEVICE = 1 << 6 | 1 << 11
_TRUNCATE, _DEVICE_CONTROL = 1 << 14, 1 << 15
_EVERY_FILE_RIGHT = (1 << 16) - 1
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE  # all others are rights within a folder
_CONNECT = 1 << 1
_EVERY_TCP_RIGHT = 1 << 0 | _CONNECT
_EVERY_SCOPE = 1 << 0 | 1 << 1  # abstract sockets, signals

READ = _EXECUTE | _READ_FILE | _READ_DIR
READ_AND_WRITE_FILE = _READ_FILE | _WRITE_FILE
OWN = _EVERY_FILE_RIGHT & ~_MAKE_DEVICE & ~_DEVICE_CONTROL


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


class _Port(ctypes.Structure):
    _fields_ = [("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64)]


def version() -> int:
    """Of the kernel's interface; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    found: int = ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), 1)
    return max(0, found)


def restrict(files: Mapping[Path, int], ports: Iterable[int]) -> None:
    """From here on this thread, and whatever it starts, has these rights beneath these paths and no others. It may
    connect by TCP to these ports, on any machine, and listen nowhere. It signals none but its own descendants, and
    reaches no abstract socket of others. A path that is not there is left out. Raises OSError.
    """
    ruleset = _Ruleset(_EVERY_FILE_RIGHT, _EVERY_TCP_RIGHT, _EVERY_SCOPE)
    rules = _call(_CREATE, ctypes.byref(ruleset), ctypes.c_size_t(ctypes.sizeof(ruleset)), 0)
    try:
        for path, rights in files.items():
            with suppress(FileNotFoundError, PermissionError):
                _allow(rules, path, rights)
        for port in ports:
            _call(_ADD, rules, _PORT, ctypes.byref(_Port(_CONNECT, port)), 0)
        if ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise _last_error()
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    number = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        allowed = rights if path.is_dir() else rights & _OF_A_FILE
        _call(_ADD, rules, _BENEATH, ctypes.byref(_Beneath(allowed, number)), 0)
    finally:
        os.close(number)


def _call(number: int, *arguments: object) -> int:
    done: int = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    if done < 0:
        raise _last_error()
    return done


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"Landlock: {os.strerror(number)}")
