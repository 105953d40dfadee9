"""`magehall tournament report`: writes a page of HTML about a cup."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from client.cli.cups import CardFiles, load_games_with_cards, open_cup_source
from client.cli.progress import show_progress
from client.cli.server_options import ServerOptions, add_server_options
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from client.tournament.replay_frames import ReplayRenderer, Source
from client.tournament.report import CupReport, render_csv
from client.tournament.report_page import render_page
from client.tournament.tournament_folder import TournamentFolderError, load_plan
from protocol.printable import escape_text
from server.store.atomic_files import atomic_write, create_temporary
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from tournaments.bundle import BadBundle, Bundle
from tournaments.cup import Cup
from tournaments.cup import fold_entries as fold_cup


@add_server_options("")
def report(
    source: Annotated[str, typer.Argument(metavar="CUP|BUNDLE", help="A cup on a server, or an exported bundle.")],
    page: Annotated[Path, typer.Argument(metavar="FILE.html", help="The file for the page.")],
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="A file for the table, with a row for each entrant.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="A file for all figures, for programs.")
    ] = None,
    data: Annotated[
        str, typer.Option("--data", metavar="DIR", help="The server's data folder, to find a cup by its name.")
    ] = "",
    cards: CardFiles = None,
    server: ServerOptions | None = None,
) -> None:
    """Writes a page on a cup: standings, head to head, seats, endings, thinking times, and every match step by step.

    The page of an unfinished cup has no match whose deal others still have to play.
    """
    check_files(page, csv, json)
    games = load_games_with_cards(cards)
    commitment = ""
    if Path(source).is_file() and server is None:
        cup, match_at = _from_bundle(Path(source))
    else:
        there = open_cup_source(source, games, data, server, replays=lambda _there: True)
        cup, match_at, commitment = there.cup, there.match_at, there.commitment
    drawing = ReplayRenderer(games=games)
    with show_progress(_("matches")) as on_match:
        try:
            wrong = drawing.render_matches(cup, match_at, on_match)
        except (CannotOpen, StoreFailed) as error:
            exit_with_error(str(error))
    for text in wrong:
        print(escape_text(text), file=sys.stderr)
    told = cup.settings.cup
    files = "".join(f" --cards {shlex.quote(one)}" for one in cards or ())
    commands = f"magehall tournament export {told} {told}.zip{files}\nmagehall tournament audit {told}.zip{files}"
    made = drawing.build_report(cup, command=commands, commitment=commitment, confined_by=_confined_by(data))
    try:
        write_report(made, page, csv, json)
    except OSError as error:
        exit_with_error(_("{file} cannot be written: {strerror}.", file=error.filename, strerror=error.strerror))


def _confined_by(data: str) -> Sequence[str]:
    """Returns how the bots of the tournament in that folder were confined; nothing if it is the folder of a server."""
    with suppress(TournamentFolderError):
        return load_plan(Path(data)).confined_by if data else ()
    return ()


def check_files(*files: Path | None) -> None:
    """Ends the command if one of the files cannot be written, before any work is done."""
    wanted = [file.absolute() for file in files if file is not None]
    for file in files:
        if file is not None and (file.is_dir() or wanted.count(file.absolute()) > 1):
            exit_with_error(_("{name} cannot be written: it is a folder, or named twice.", name=file), MISUSED)
        if file is not None and not file.absolute().parent.is_dir():
            exit_with_error(_("There is no folder {folder} for {name}.", folder=file.parent, name=file.name), MISUSED)
        if file is not None:
            try:
                if not _is_elsewhere(file):
                    create_temporary(file.resolve()).unlink()
            except OSError as error:
                exit_with_error(_("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror), MISUSED)


def write_report(made: CupReport, page: Path | None, csv: Path | None = None, json: Path | None = None) -> None:
    """Writes the report to each file that is not None, completely or not at all. Raises OSError."""
    if page is not None:
        _put(page, render_page(made))
    if csv is not None:
        _put(csv, render_csv(made.figures()))
    if json is not None:
        _put(json, msgspec.json.encode(made.figures()).decode() + "\n")


def _put(file: Path, text: str) -> None:
    try:
        if _is_elsewhere(file):
            file.write_text(text, encoding="utf-8")
            return
        with atomic_write(file.resolve()) as half:
            half.write_text(text, encoding="utf-8")
    except OSError as error:
        error.filename = str(file)
        raise


def _is_elsewhere(file: Path) -> bool:
    """Returns whether the path is a device or pipe, which must be written to in place because a new file cannot replace
    it."""
    return file.exists() and not file.is_file()


def _from_bundle(file: Path) -> tuple[Cup, Callable[[str], Source | None]]:
    try:
        bundle = Bundle(io.BytesIO(file.read_bytes()))
        return fold_cup(bundle.settings, bundle.lines), bundle.read_replay
    except (BadBundle, OSError, ValueError, IndexError) as error:
        exit_with_error(_("{file}: {text}", file=file, text=error))
