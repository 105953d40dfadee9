"""Files that are there whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_BESIDE = ("", "-journal", "-wal", "-shm")  # what SQLite may leave beside a file


def half_of(file: Path) -> Path:
    """Where that file is written; a kill leaves it there, and the next one writes it anew."""
    return file.with_name(f".{file.name}.part")


@contextmanager
def whole(file: Path, *, new: bool = False, mode: int = 0o666) -> Iterator[Path]:
    """An empty file beside that one, which takes its place once the block ends well; else nothing is left of it. Raises
    OSError, where it is to be `new` and is there already FileExistsError."""
    if new and os.path.lexists(file):
        raise FileExistsError(file)
    half = half_of(file)
    try:
        _take_away(half)
        os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield half
        os.replace(half, file)
    finally:
        _take_away(half)


def _take_away(half: Path) -> None:
    for end in _BESIDE:
        half.with_name(half.name + end).unlink(missing_ok=True)
