"""Settings of Python and of the C library for a process that only runs the server."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

M_MMAP_THRESHOLD = -3  # from glibc's malloc.h
LARGE_BYTES = 65_536
SWITCH_SECONDS = 0.0001
"""Switch interval of the GIL, in seconds. The thread that writes to the disk needs the GIL each time that a write
returns.

With Python's default of 0.005 a move waits for several such intervals while the server is busy, and for 80 ms beside a
peer that has many matches played.
"""


def prepare_process() -> None:
    """Applies these settings. Call it once, before the first player connects."""
    sys.setswitchinterval(SWITCH_SECONDS)
    _calm_collector()
    _give_back()


def _calm_collector() -> None:
    """Makes the garbage collector run rarely, and ignore all objects that exist now.

    Reference counting frees nearly all objects of a match.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _give_back() -> None:
    """Makes glibc return large freed blocks to the system at once. Does nothing with another C library.

    Otherwise the process would keep the memory of bytes that a hundred slow readers were once owed.
    """
    with suppress(AttributeError, OSError, TypeError):  # TypeError on systems where libraries have to be named
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
