"""The file that holds the data: its version, what makes it out of an older one, and who reads it from outside."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from server.language import _
from server.store import latest
from server.store.owner import owner
from server.store.reading import log_of

APPLICATION = 0x6D676861  # "mgha" in the file's header: it is ours
FIRST_VERSION = 4  # files of development versions had 1 to 3
MIGRATIONS: Sequence[Sequence[str]] = (
    (
        "CREATE TABLE rows (subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL,"
        " written INTEGER NOT NULL, PRIMARY KEY (subject, part)) WITHOUT ROWID",
        "CREATE INDEX present ON rows (subject) WHERE part = 0",
        "CREATE INDEX old ON rows (written) WHERE part = 1 AND subject GLOB 't[0-9]*'",
        latest.TABLE.format("TABLE"),
    ),
)
"""What makes each version of the file out of the one before, the first out of nothing."""
VERSION = FIRST_VERSION + len(MIGRATIONS) - 1


class CannotOpen(Exception):
    """The folder cannot be used; the text says why in a sentence."""


def connected(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    file.text_factory = _text
    return file


def check_is_ours(file: sqlite3.Connection, path: Path) -> int:
    """The file's version; 0 for an empty file. Raises CannotOpen for what is no data of a magehall of this version or
    an older release, and sqlite3.Error for what is no database."""
    try:
        (pages,) = file.execute("PRAGMA page_count").fetchone()
    except UnicodeDecodeError:  # the text of the error has in it what is damaged
        raise sqlite3.DatabaseError(_("its schema is damaged")) from None
    (application,) = file.execute("PRAGMA application_id").fetchone()
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if pages and application != APPLICATION:
        raise CannotOpen(_("{path} is no data of magehall. Nothing in it was changed.", path=path))
    if version > VERSION:
        raise CannotOpen(
            _(
                "{path} was written by a newer magehall (its data has version {version}, this one reads up to {known})."
                " Nothing in it was changed.",
                path=path,
                version=version,
                known=VERSION,
            )
        )
    if 0 < version < FIRST_VERSION:
        raise CannotOpen(
            _(
                "{path} was written by a magehall from before the first release (its data has version {version})."
                " Nothing in it was changed; start with another folder.",
                path=path,
                version=version,
            )
        )
    return int(version)


def upgrade(file: sqlite3.Connection, version: int) -> None:
    """Brings the file from that version to the newest, all at once or not at all. Raises sqlite3.Error."""
    if version == VERSION:
        return
    file.execute("BEGIN IMMEDIATE")
    for step in MIGRATIONS[max(0, version - FIRST_VERSION + 1) :]:
        for statement in step:
            file.execute(statement)
    file.execute(f"PRAGMA application_id = {APPLICATION:d}")
    file.execute(f"PRAGMA user_version = {VERSION:d}")
    file.execute("COMMIT")


def _text(data: bytes) -> str:
    """A subject; one that is damaged is none that is known, and keeps nobody from reading the others."""
    return data.decode("utf-8", "replace")


def open_to_read(path: Path) -> closing[sqlite3.Connection]:
    """The data of a server that may be running, for reading only. Raises CannotOpen."""
    try:
        path.stat()
    except FileNotFoundError:
        raise CannotOpen(_("There is no data in {folder}.", folder=path.parent)) from None
    except OSError as error:
        raise CannotOpen(_cannot_read(path, error.strerror)) from None
    running = log_of(path).exists()
    mode = "mode=ro" if running or os.access(path.parent, os.W_OK) else "immutable=1"  # as on a disk that is read-only
    with ExitStack() as refused:
        try:
            file = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, timeout=2.0)
            refused.callback(file.close)
            file.text_factory = _text
            version = check_is_ours(file, path)
            if not version:
                raise CannotOpen(_("{path} holds no data.", path=path))
            latest.see_through(file)
        except sqlite3.Error as error:
            raise CannotOpen(_cannot_read(path, error)) from None
        refused.pop_all()
        return closing(file)


def _cannot_read(path: Path, why: object) -> str:
    """Says why, and which user may read it."""
    text = _("{path} cannot be read: {why}.", path=path, why=why)
    if os.access(path, os.R_OK) or not (user := owner(path)):
        return text
    return f"{text} {_('It belongs to {user}: do this as that user, with sudo -u {user}.', user=user)}"
