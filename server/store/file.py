"""The database file: its layout version, its migrations, and read-only access from other processes."""

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

APPLICATION = 0x6D676861  # "mgha" in the file's header identifies it as magehall's
FIRST_VERSION = 4  # development versions used 1 to 3
MIGRATIONS: Sequence[Sequence[str]] = (
    (
        "CREATE TABLE rows (subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL,"
        " written INTEGER NOT NULL, PRIMARY KEY (subject, part)) WITHOUT ROWID",
        "CREATE INDEX present ON rows (subject) WHERE part = 0",
        "CREATE INDEX old ON rows (written) WHERE part = 1 AND subject GLOB 't[0-9]*'",
        latest.TABLE.format("TABLE"),
    ),
)
"""The statements that create version FIRST_VERSION from an empty file, then those from each version to the next."""
VERSION = FIRST_VERSION + len(MIGRATIONS) - 1


class CannotOpen(Exception):
    """The folder cannot be used. The text says why in a sentence."""


def connected(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    file.text_factory = _text
    return file


def check_is_ours(file: sqlite3.Connection, path: Path) -> int:
    """Returns the layout version of the file; 0 for an empty file.

    Raises CannotOpen if the file belongs to another program, to a newer magehall, or to one from before the first
    release. Raises sqlite3.Error if it is not a database.
    """
    try:
        (pages,) = file.execute("PRAGMA page_count").fetchone()
    except UnicodeDecodeError:  # SQLite's error text contains the damaged bytes
        raise sqlite3.DatabaseError(_("its schema is damaged")) from None
    (application,) = file.execute("PRAGMA application_id").fetchone()
    (version,) = file.execute("PRAGMA user_version").fetchone()
    if pages and application != APPLICATION:
        raise CannotOpen(_("{path} is not a file of magehall. Nothing in it was changed.", path=path))
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
    """Migrates the file from that version to the newest one in a single transaction. Raises sqlite3.Error."""
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
    """Decodes a subject. A damaged subject decodes to an unknown one, so that the others can still be read."""
    return data.decode("utf-8", "replace")


def open_to_read(path: Path) -> closing[sqlite3.Connection]:
    """Opens the data of a server, which may be running, for reading only. Raises CannotOpen."""
    try:
        path.stat()
    except FileNotFoundError:
        raise CannotOpen(_("There is no data in {folder}.", folder=path.parent)) from None
    except OSError as error:
        raise CannotOpen(_cannot_read(path, error.strerror)) from None
    running = log_of(path).exists()
    mode = "mode=ro" if running or os.access(path.parent, os.W_OK) else "immutable=1"  # needed on a read-only disk
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
    """Returns a sentence that says why the file cannot be read and which user can read it."""
    text = _("{path} cannot be read: {why}.", path=path, why=why)
    if os.access(path, os.R_OK) or not (user := owner(path)):
        return text
    return f"{text} {_('It belongs to {user}. Run this as that user, with sudo -u {user}.', user=user)}"
