"""The database file: its layout version, its migrations, and read-only access from other processes."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from server.language import _
from server.store import latest
from server.store.owner import owner_name
from server.store.reading import wal_path

APPLICATION = 0x6D676861  # "mgha" in the header of the file, which identifies it as magehall's
FIRST_VERSION = 4  # the first version of the layout that was released; development versions used 1 to 3
MIGRATIONS: Sequence[Sequence[str]] = (
    (
        "CREATE TABLE rows (subject TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, sum INTEGER NOT NULL,"
        " written INTEGER NOT NULL, PRIMARY KEY (subject, part)) WITHOUT ROWID",
        "CREATE INDEX present ON rows (subject) WHERE part = 0",
        "CREATE INDEX old ON rows (written) WHERE part = 1 AND subject GLOB 't[0-9]*'",
        latest.TABLE.format("TABLE"),
    ),
)
"""The first item has the statements that create the layout FIRST_VERSION in an empty file; each further item has those
that upgrade to the next version."""
VERSION = FIRST_VERSION + len(MIGRATIONS) - 1


class CannotOpen(Exception):
    """The data folder cannot be used. The text is a sentence that says why."""


def open_connection(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    file.text_factory = _text
    return file


def check_layout_version(file: sqlite3.Connection, path: Path) -> int:
    """Returns the version of the file's layout; 0 for an empty file.

    Raises CannotOpen if the file belongs to another program, to a newer magehall, or to one from before the first
    release. Raises sqlite3.Error if it is not a database.
    """
    try:
        (pages,) = file.execute("PRAGMA page_count").fetchone()
    except UnicodeDecodeError:  # the text of SQLite's error contains bytes of the damaged file
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


def upgrade_layout(file: sqlite3.Connection, version: int) -> None:
    """Upgrades the file from that version of the layout to the newest one, in one transaction. Raises sqlite3.Error."""
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
    """Decodes the subject of a row. A damaged subject becomes an unknown one, so that other rows can still be read."""
    return data.decode("utf-8", "replace")


def open_read_only(path: Path) -> closing[sqlite3.Connection]:
    """Opens a server's data for reading only, while the server may be running. Raises CannotOpen."""
    try:
        path.stat()
    except FileNotFoundError:
        raise CannotOpen(_("There is no data in {folder}.", folder=path.parent)) from None
    except OSError as error:
        raise CannotOpen(_cannot_read(path, error.strerror)) from None
    running = wal_path(path).exists()
    # "immutable" is needed to read from a read-only disk
    mode = "mode=ro" if running or os.access(path.parent, os.W_OK) else "immutable=1"
    with ExitStack() as refused:
        try:
            file = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, timeout=2.0)
            refused.callback(file.close)
            file.text_factory = _text
            version = check_layout_version(file, path)
            if not version:
                raise CannotOpen(_("{path} holds no data.", path=path))
            latest.mask_damaged_rows(file)
        except sqlite3.Error as error:
            raise CannotOpen(_cannot_read(path, error)) from None
        refused.pop_all()
        return closing(file)


def _cannot_read(path: Path, why: object) -> str:
    """Returns a sentence that says why the file cannot be read, and which user can read it."""
    text = _("{path} cannot be read: {why}.", path=path, why=why)
    if os.access(path, os.R_OK) or not (user := owner_name(path)):
        return text
    return f"{text} {_('It belongs to {user}. Run this as that user, with sudo -u {user}.', user=user)}"
