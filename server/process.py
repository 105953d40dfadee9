"""Settings of Python and of the C library for a process that only runs a server."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress

M_MMAP_THRESHOLD = -3  # from glibc's malloc.h
LARGE_BYTES = 65_536
SWITCH_SECONDS = 0.0001
"""The GIL's switch interval, in seconds. The thread that writes to the disk needs the GIL whenever a write returns.

With Python's default of 0.005 a move waits for several such intervals while the server is busy, and for 80 ms if one
peer has many matches played at the same time.
"""


def prepare_process() -> None:
    """Applies the settings of this module. Must be called once, before the first player connects."""
    sys.setswitchinterval(SWITCH_SECONDS)
    _calm_collector()
    _give_back()


def _calm_collector() -> None:
    """Makes the garbage collector run rarely, and ignore all objects that exist at this moment.

    Nearly all objects of a match are freed by reference counting.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def _give_back() -> None:
    """Makes glibc give large blocks back to the system as soon as they are freed. Does nothing with another C library.

    Otherwise the process would keep the memory for bytes that a hundred slow peers had not read at some time.
    """
    # ctypes raises TypeError on systems where libraries have to be named
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
