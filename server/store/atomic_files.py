"""Writes files so that each is on disk completely or not at all."""

from __future__ import annotations

import glob
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LEFT_SECONDS = 3_600  # a temporary file that has not changed for this long was left by a killed process

_BESIDE = ("", "-journal", "-wal", "-shm")  # suffixes of the files that SQLite may leave beside a temporary file


def create_temporary(file: Path, mode: int = 0o666) -> Path:
    """Creates a new empty file with a unique name beside `file`, and returns its path. Raises OSError."""
    half = file.with_name(f".{file.name}.{secrets.token_hex(4)}.part")
    os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    return half


@contextmanager
def atomic_write(file: Path, *, new: bool = False, mode: int = 0o666) -> Iterator[Path]:
    """Yields an empty temporary file. It replaces `file` when the block succeeds, and is deleted if the block raises.

    With `new` it raises FileExistsError if `file` exists, before or after the block. Raises OSError if the file cannot
    be written.
    """
    if new and os.path.lexists(file):
        raise FileExistsError(file)
    half = create_temporary(file, mode)
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


def sync_folder(folder: Path) -> None:
    """Syncs a folder to the disk, so that the names of its files survive a power cut. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _put_new(half: Path, file: Path) -> None:
    try:
        os.link(half, file)  # making a link fails if `file` exists, while renaming would replace it
    except FileExistsError:
        raise
    except OSError:  # the file system supports no links, so an empty new file reserves the name
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            os.replace(half, file)
        except OSError:
            file.unlink()
            raise


def _take_away(half: Path) -> None:
    for end in _BESIDE:
        half.with_name(half.name + end).unlink(missing_ok=True)
