"""How a process that does nothing but serve treats its memory."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
LARGE_BYTES = 65_536


def prepare_memory() -> None:
    """Called once, before the first player."""
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
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)
