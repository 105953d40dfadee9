"""What a process that does nothing but serve asks of Python and of the C library."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
LARGE_BYTES = 65_536
SWITCH_SECONDS = 0.0001
"""The thread that writes to the disk waits no longer for the interpreter each time that it comes back from there. With
Python's own 0.005 a move waits for several of them while the server works, and for 80 ms beside a peer who has many
matches played."""


def prepare_process() -> None:
    """Called once, before the first player."""
    sys.setswitchinterval(SWITCH_SECONDS)
    _calm_collector()
    _give_back()


def _calm_collector() -> None:
    """Makes Python's garbage collector run rarely, and never look at what exists before the first player: reference
    counting frees nearly all that a match makes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _give_back() -> None:
    """Has the C library give large blocks back to the system as soon as they are free: otherwise what a hundred slow
    readers were owed once stays with the process for good. Does nothing where the library is not glibc."""
    with suppress(AttributeError, OSError, TypeError):  # the last one where libraries have to be named
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
