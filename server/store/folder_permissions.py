"""Checks that no other user of the machine can change a data folder."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterable
from pathlib import Path

from server.language import _
from server.store.file import CannotOpen
from server.store.owner import user_name

ADMINISTRATOR = 0
WRITABLE = stat.S_IWGRP | stat.S_IWOTH


def check_folder_private(folder: Path, names: Iterable[str]) -> None:
    """Checks a data folder, those of its files with the given names that exist, and the folders above it.

    Raises:
        CannotOpen: Another user can change one of them. The text has a command that prevents this.
    """
    if not hasattr(os, "geteuid"):  # the system has no users as Unix has them
        return
    if folder.is_symlink():
        raise CannotOpen(
            _(
                "{folder} is a symbolic link, which may lead elsewhere tomorrow."
                " Name the folder itself: --data {target}",
                folder=folder,
                target=_quoted(folder.resolve()),
            )
        )
    for above in folder.absolute().parents:
        _check_above(above, folder)
    if not _status(folder):
        return
    _check_one(folder)
    for name in names:
        _check_one(folder / name)


def _check_above(above: Path, folder: Path) -> None:
    """Checks a folder above the data folder. A user who can write to it can replace its entries, unless it is sticky as
    /tmp is."""
    status = _status(above, follow=True)
    if status and status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
        raise CannotOpen(
            _(
                "Every user of this machine can write to {above}, and so could replace the data in {folder}. "
                "Fix it with `chmod o-w {quoted}`, or name another folder with --data.",
                above=above,
                folder=folder,
                quoted=_quoted(above),
            )
        )


def _check_one(path: Path) -> None:
    status = _status(path)
    if status is None:
        return
    if stat.S_ISLNK(status.st_mode):
        raise CannotOpen(
            _(
                "{path} is a symbolic link, which may lead elsewhere tomorrow. Put the file itself in its place:"
                " `cp --remove-destination {target} {quoted}`",
                path=path,
                target=_quoted(path.resolve()),
                quoted=_quoted(path),
            )
        )
    us = os.geteuid()
    if status.st_uid not in (us, ADMINISTRATOR):
        raise CannotOpen(
            _(
                "{path} belongs to {owner}, who could change the data. Fix it with `sudo chown {us} {quoted}`, "
                "or name another folder with --data.",
                path=path,
                owner=user_name(status.st_uid),
                us=user_name(us),
                quoted=_quoted(path),
            )
        )
    if status.st_mode & WRITABLE and not stat.S_ISSOCK(status.st_mode):
        raise CannotOpen(
            _(
                "Other users of this machine can write to {path}, and so could change the data. Fix it with "
                "`chmod go-w {quoted}`.",
                path=path,
                quoted=_quoted(path),
            )
        )


def _status(path: Path, *, follow: bool = False) -> os.stat_result | None:
    """Returns the status of a path; None if the path does not exist or cannot be read, which is reported when it is
    opened."""
    try:
        return path.stat() if follow else path.lstat()
    except OSError:
        return None


def _quoted(path: Path) -> str:
    """Returns the path as text that is quoted for a shell."""
    return shlex.quote(str(path))
