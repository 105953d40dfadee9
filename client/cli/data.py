"""`magehall data`: backs up, restores and checks a server's data, and deletes old matches."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bots.sdk.tokens import state_folder
from client.cli.arguments import check_not_nan, command_group
from client.exit_codes import FAILED, MISUSED, exit_with_error
from client.language import _
from games.api import Game
from games.registry import all_games
from matches.fold import fold
from server.common import BANS, LET_IN, LOBBY
from server.cups.cup_rows import CUP, read_cup
from server.desk.bans import Bans
from server.player import NAME, Player
from server.store.file import CannotOpen, open_read_only
from server.store.housekeeping import (
    backup_into_folder,
    backup_to_file,
    backup_to_stream,
    delete_old_matches,
    restore_backup,
)
from server.store.journal import Journal
from server.store.reading import FILE, missing_wal, read_rows, readable_subjects, torn_wal
from server.store.rows import DamagedData, StoreFailed
from server.table.records import HEADER, TABLE, read_header, read_match, read_table
from server.table.recovery import is_installed

app = command_group("data", "Backs up, restores and checks a server's data, and deletes old matches.")

MEMORY, STDOUT = ":memory:", "-"
Data = Annotated[
    str, typer.Option("--data", metavar="DIR", help="The server's data folder. Default: in your state directory.")
]


def resolve_data_folder(named: str) -> Path | None:
    """Returns the data folder that the option names, or the default one; None for `:memory:`, which stores nothing."""
    if named == MEMORY:
        return None
    return Path(named) if named else state_folder() / "hall"


def require_data_folder(named: str) -> Path:
    """Like `resolve_data_folder`, but ends the command for `:memory:`."""
    folder = resolve_data_folder(named)
    if folder is None:
        exit_with_error(_("Data in memory cannot be read by another process. Name a folder with --data."), MISUSED)
    return folder


@app.command("backup")
def backup_command(
    target: Annotated[str, typer.Argument(metavar="FILE|FOLDER|-", help="A new file, a folder, or - for stdout.")],
    keep: Annotated[
        int | None,
        typer.Option("--keep", metavar="N", min=1, help="In a folder: deletes all but the newest N backups."),
    ] = None,
    data: Data = "",
) -> None:
    """Copies the data, even while the server runs. `data restore` restores a copy.

    In a folder the file is named after the time, such as magehall-2026-11-26T031500Z.db.
    """
    folder, file = require_data_folder(data), Path(target)
    is_folder = file.is_dir() or target.endswith("/")
    if keep and not is_folder:
        exit_with_error(_("--keep needs a folder. Write {target}/ to create one.", target=target), MISUSED)
    gone: list[Path] = []
    try:
        if target == STDOUT:
            _backup_to_stdout(folder)
            return
        if is_folder:
            file, size, gone = backup_into_folder(folder, file, keep or 0)
        else:
            size = backup_to_file(folder, file)
    except CannotOpen as error:
        exit_with_error(str(error))
    typer.echo(_("{file}: {size:,} bytes. It contains seeds and hands, so keep it private.", file=file, size=size))
    for old in gone:
        typer.echo(_("{file} was deleted.", file=old))


def _backup_to_stdout(folder: Path) -> None:
    """Writes the backup to stdout. Raises CannotOpen. Ends the command if stdout cannot be written."""
    if sys.stdout.isatty():
        exit_with_error(
            _("A backup is not text. Add > FILE to the command, so that it does not go to the terminal."), MISUSED
        )
    try:
        backup_to_stream(folder, sys.stdout.buffer)
    except OSError as error:
        exit_with_error(_("The backup cannot be written: {strerror}.", strerror=error.strerror))


@app.command("restore")
def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or a copy from before an upgrade.")],
    force: Annotated[bool, typer.Option("--force", help="Restores even a damaged backup.")] = False,
    data: Data = "",
) -> None:
    """Replaces the data by a backup. Stop the server first.

    The backup is checked before anything is changed, and the old data is kept in a folder beside it.
    """
    folder = require_data_folder(data)

    def check(copy: sqlite3.Connection) -> None:
        counts, troubles = _checked(copy)
        for trouble in troubles:
            typer.echo(trouble)
        if troubles and not force:
            raise CannotOpen(
                _("{file} is damaged, so nothing was changed. Add --force to restore it anyway.", file=file)
            )
        typer.echo(_summary(counts, troubles))

    try:
        # an operator who restores a backup wants a server that admits players, so the stored setting is left out
        aside = restore_backup(folder, file, check, without=[(LOBBY, LET_IN)])
    except (CannotOpen, StoreFailed) as error:
        exit_with_error(str(error))
    except sqlite3.Error as error:
        exit_with_error(_("{file} cannot be read: {error}.", file=file, error=error))
    typer.echo(_("{folder} now has the data of {file}.", folder=folder, file=file))
    if aside is not None:
        typer.echo(_("The data that were there are kept in {aside}.", aside=aside))


@app.command("check")
def check_command(
    copy: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A backup, instead of a server's data.")] = None,
    data: Data = "",
) -> None:
    """Reads all data and recomputes every match. Exit code 1 if something is damaged."""
    try:
        path = copy or require_data_folder(data) / FILE
        # look before the file is opened, because SQLite would create a new log
        missing = None if copy else missing_wal(path.parent)
        with open_read_only(path / FILE if os.path.isdir(path) else path) as file:
            counts, troubles = _checked(file)
            torn = None if copy else torn_wal(path.parent)
        if torn:
            troubles.append(_("{file} is damaged: the latest data is lost.", file=torn))
        if missing:
            troubles.append(
                _("{file} is missing although the last server was killed, so its latest data is lost.", file=missing)
            )
    except (CannotOpen, StoreFailed, sqlite3.Error) as error:
        exit_with_error(_("The data cannot be read: {error}", error=error).rstrip(".") + ".")
    for trouble in troubles:
        typer.echo(trouble)
    typer.echo(_summary(counts, troubles))
    if troubles:
        raise typer.Exit(FAILED)


def _summary(counts: Sequence[int], troubles: Sequence[str]) -> str:
    """Returns the result of a check as a sentence. `troubles` has a line per fault."""
    return _(
        "{names} names, {tables} open tables, {matches} matches; damaged: {troubles}.",
        names=counts[0],
        tables=counts[1],
        matches=counts[2],
        troubles=len(troubles),
    )


@app.command("prune")
def prune_command(
    older_than: Annotated[
        float,
        typer.Option(
            "--older-than",
            metavar="DAYS",
            min=0,
            callback=check_not_nan,
            help="Deletes matches whose last entry is at least this old.",
        ),
    ],
    data: Data = "",
) -> None:
    """Deletes old finished matches. Stop the server first."""
    try:
        gone = delete_old_matches(require_data_folder(data), older_than)
    except CannotOpen as error:
        exit_with_error(str(error))
    except StoreFailed as error:
        exit_with_error(_("The data cannot be read: {error}", error=error).rstrip(".") + ".")
    typer.echo(_("{gone} finished matches were deleted.", gone=gone))


def _checked(file: sqlite3.Connection) -> tuple[list[int], list[str]]:
    """Returns the numbers of stored names, open tables and matches, and a line of text per fault."""
    counts = [0, 0, 0]
    troubles = [_("the file: {row}", row=row) for row in _integrity(file) if row != "ok"]
    games = all_games()
    for subject in readable_subjects(file):
        try:
            rows = read_rows(file, subject)
            if not rows:
                raise DamagedData(_("its subject is not text"))
            if subject.startswith(NAME):
                counts[0] += 1
                Player("").restore(rows)
            elif subject.startswith(CUP):
                read_cup(rows)
            elif HEADER in rows and subject[1:].isdigit():
                counts[2] += 1
                _check_match(games, rows)
            elif subject == LOBBY:
                Bans(Journal()).restore(rows.get(BANS, b""))
            elif TABLE in rows:
                counts[1] += 1
                read_table(rows)
        except Exception as error:  # rules applied to damaged data can raise anything
            troubles.append(
                _("{subject}: cannot be read ({kind})", subject=subject, kind=type(error).__name__)
            )  # the text of the exception could name hidden cards
    return counts, troubles


def _integrity(file: sqlite3.Connection) -> Iterator[str]:
    """Yields each fault that SQLite's own check finds, or only "ok" if there is none."""
    try:
        yield from (row for (row,) in file.execute("PRAGMA integrity_check"))
    except sqlite3.Error as error:
        yield str(error)


def _check_match(games: Mapping[str, Game], rows: Mapping[int, bytes]) -> None:
    """Recomputes a stored match if its rules are installed. Raises any exception if the match is damaged."""
    row = read_header(rows)
    game = games.get(row.header.game)
    if game is not None and is_installed(game, row):
        fold(game, *read_match(game, rows), {})
