"""Finds out which user owns a file, for error messages that say as which user to run a command."""

from __future__ import annotations

import os
from pathlib import Path


def owner_name(path: Path) -> str:
    """Returns the user who owns a path or, if it does not exist, the nearest folder above it that can be examined.

    Args:
        path: The path of a file or folder.

    Returns:
        The name of the user; "" if it is the user of this process, or if the system has no users.
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
    """Returns the name of the user with that number, or the number as text if the system knows no name."""
    import pwd  # some systems lack this module

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
