"""The owner of a file, for sentences that name the user to run as."""

from __future__ import annotations

import os
from pathlib import Path


def owner(path: Path) -> str:
    """Returns the user to whom a file belongs, or the folder above it that hides it.

    Args:
        path: A file or folder, which need not be there.

    Returns:
        The user's name; "" for this process's own user, and where the system has no users.
    """
    if not hasattr(os, "geteuid"):
        return ""
    for one in (path, *path.absolute().parents):
        try:
            number = one.stat().st_uid
        except OSError:
            continue
        return user_name(number) if number != os.geteuid() else ""
    return ""


def user_name(number: int) -> str:
    """Returns the user's name; the number where the system knows none."""
    import pwd  # not on every system

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
