"""Looks up file owners, for error messages that name the user to run as."""

from __future__ import annotations

import os
from pathlib import Path


def owner(path: Path) -> str:
    """Returns the user who owns a file, or the nearest folder above it that can be examined.

    Args:
        path: A file or folder, which need not exist.

    Returns:
        The user's name; "" if it is this process's user, or if the system has no users.
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
    """Returns the user's name; the user's number if the system does not know the name."""
    import pwd  # does not exist on every system

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
