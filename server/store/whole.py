"""Files that are there whole, or not at all."""

from __future__ import annotations

import glob
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LEFT_SECONDS = 3_600  # a half to which nothing was written for so long is what a kill left

_BESIDE = ("", "-journal", "-wal", "-shm")  # what SQLite may leave beside a file


def half_of(file: Path, mode: int = 0o666) -> Path:
    """A new empty file beside that one, of a name that nobody else has. Raises OSError."""
    half = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    return half


@contextmanager
def whole(file: Path, *, new: bool = False, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside that one, which takes its place once the block ends well; else nothing is left of it. Raises
    OSError, where it is to be `new` and is there already, or by then, FileExistsError."""
    if new and os.path.lexists(file):
        raise FileExistsError(file)
    half = half_of(file, mode)
    now = half.stat().st_mtime
    for left in file.parent.glob(f".{glob.escape(file.name)}.*.part"):
        with suppress(OSError):
            if left.stat().st_mtime < now - LEFT_SECONDS:
                _take_away(left)
    try:
        yield half
        if new:
            _put_new(half, file)
        else:
            os.replace(half, file)
    finally:
        _take_away(half)


def synchronize(folder: Path) -> None:
    """Has the names in the folder survive a power cut. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _put_new(half: Path, file: Path) -> None:
    try:
        os.link(half, file)  # which, unlike all that renames, refuses where there is one
    except FileExistsError:
        raise
    except OSError:  # this file system knows no links: an empty file, made where there is none, holds the place
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            os.replace(half, file)
        except OSError:
            file.unlink()
            raise


def _take_away(half: Path) -> None:
    for end in _BESIDE:
        half.with_name(half.name + end).unlink(missing_ok=True)
