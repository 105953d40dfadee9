"""Takes root's powers away from this process: a tournament may be held as root, in a container, say."""

from __future__ import annotations

import ctypes
import os

_VERSION = 0x20080522  # of the structures, which are those of `linux/capability.h`
_READ_ANY_FILE = 1 << 1  # whoever runs bots of others reads their files


def drop() -> None:
    """For good, with whatever it starts; `no_new_privs` has to be set. What is left is that it reads files whose modes
    say that it may not. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    own = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same for those from the 33rd on
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capget(header, own) == 0:
        kept = own[1] & _READ_ANY_FILE
        if libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept)) == 0:
            return
    number = ctypes.get_errno()
    raise OSError(number, f"capabilities: {os.strerror(number)}")
