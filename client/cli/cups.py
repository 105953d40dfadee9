"""`magehall tournament export`, `audit`, `standings`: commands on a cup in a server's data folder, or at a remote
server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import trio
import typer

from bots.sdk.link import LinkFailed, Refused
from client.cli.data import Data, require_data_folder
from client.cli.progress import show_progress
from client.cli.server_options import ServerOptions, add_server_options
from client.cli.standings_table import render_standings
from client.exit_codes import FAILED, MISUSED, exit_with_error
from client.language import _, ngettext
from client.tournament.remote_cup import fetch_cup
from client.tournament.replay_frames import Source
from client.tournament.report_page import dropped_entrant_lines
from games.api import Game
from people.text.sentences import translate_word
from protocol.printable import escape_text
from server.build import build_version
from server.cups.kept_cups import CupUnreadable, read_stored_cup
from server.cups.kept_cups import iter_cup_replays as kept_replays
from server.store.atomic_files import atomic_write
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import load_table_rows as rows_of_match
from tournaments.audit import aborted_matches_text
from tournaments.audit import audit_bundle as audited
from tournaments.bundle import BadBundle, Bundle, cup_standings, write_bundle
from tournaments.cup import Cup

CupName = Annotated[str, typer.Argument(metavar="CUP", help="The cup's name.")]
BundleFile = Annotated[Path, typer.Argument(metavar="BUNDLE", help="A file that `export` wrote.")]
CardFiles = Annotated[
    list[str] | None,
    typer.Option(metavar="GAME=FILE", help="The card file that the server played with. May be repeated."),
]


@add_server_options("")
def export(
    cup: CupName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, such as friday.zip.")],
    data: Data = "",
    cards: CardFiles = None,
    server: ServerOptions | None = None,
) -> None:
    """Writes a finished cup into one file that anyone can check: settings, log, standings and every replay.

    Exit code 1 if the replay of a match is missing.
    """
    games = load_games_with_cards(cards)
    source = open_cup_source(cup, games, data, server, replays=lambda there: there.is_over)
    there = source.cup
    if not there.is_over:
        exit_with_error(
            _(
                "{cup} is {state}. Its secret and its hands become public when it is over.",
                cup=there.settings.cup,
                state=translate_word(there.state),
            )
        )
    game = games.get(there.settings.game)
    if game is None:
        exit_with_error(_("There is no game {game} here.", game=there.settings.game))
    missing: list[str] = []
    try:
        with atomic_write(file, new=True) as half, half.open("wb") as out:
            write_bundle(out, there, game, source.version, source.replays(missing))
    except FileExistsError:
        exit_with_error(_("{file} already exists, so nothing was written.", file=file))
    except OSError as error:
        exit_with_error(_("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror))
    except (CannotOpen, StoreFailed) as error:
        exit_with_error(str(error))
    for why in missing:
        typer.echo(escape_text(why), err=True)
    typer.echo(
        _(
            "{file}: {matches} matches, {size:,} bytes, SHA-256 {digest}.",
            file=file,
            matches=len(there.results),
            size=file.stat().st_size,
            digest=_digest(file),
        )
    )
    if missing:
        raise typer.Exit(FAILED)


def audit(
    bundle: BundleFile,
    commitment: Annotated[
        str, typer.Option(metavar="HEX", help="The cup's commitment, as announced before the first match.")
    ] = "",
    cards: CardFiles = None,
) -> None:
    """Checks a cup's bundle: secret, deals, pairings, every decision of every match, results, standings.

    Lists every error. Exit code 1 if there is one.
    """
    games = load_games_with_cards(cards)
    try:
        with bundle.open("rb") as file, show_progress(_("matches")) as on_match:
            read = Bundle(file)
            found = audited(read, games, on_match)
    except OSError as error:
        exit_with_error(_("{bundle} cannot be read: {strerror}.", bundle=bundle, strerror=error.strerror))
    except BadBundle as error:
        exit_with_error(_("{file}: {text}", file=bundle, text=error))
    if commitment and commitment.strip().lower() != read.settings.commitment:
        found.insert(0, _("The commitment is not the one that you gave with --commitment."))
    for text in (*found, *aborted_matches_text(read)):
        typer.echo(escape_text(text))
    cup = _("{cup}, {tables} matches", cup=escape_text(read.settings.cup), tables=len(read.tables))
    if found:
        typer.echo(
            ngettext(
                "{bundle}: {cup}: {n} error was found.",
                "{bundle}: {cup}: {n} errors were found.",
                len(found),
                bundle=bundle,
                cup=cup,
            )
        )
        raise typer.Exit(FAILED)
    typer.echo(
        _(
            "{bundle} is valid. {cup}: secret, deals, pairings, decisions, results and standings are correct.",
            bundle=bundle,
            cup=cup,
        )
    )
    typer.echo(
        _(
            "Its commitment is {commitment}. Check that it was announced before the first match.",
            commitment=escape_text(read.settings.commitment),
        )
    )
    typer.echo(
        _("Its SHA-256 is {digest}. `export` printed the same one when the file was written.", digest=_digest(bundle))
    )


@add_server_options("")
def standings(
    cup: CupName,
    data: Data = "",
    server: ServerOptions | None = None,
) -> None:
    """Prints the standings of a running or finished cup."""
    there = open_cup_source(cup, {}, data, server, replays=lambda _there: False).cup
    planned = "" if there.planned_match_count is None else _(" of {planned}", planned=there.planned_match_count)
    typer.echo(
        _(
            "{cup} is {state}: {matches}{planned} matches of {game}",
            cup=escape_text(there.settings.cup),
            state=translate_word(there.state),
            matches=len(there.results),
            planned=planned,
            game=escape_text(there.settings.game),
        )
    )
    rows = cup_standings(there)
    if rows:
        lines = [
            *render_standings(rows, there.settings, there.entrant_names, there.finished_matches()),
            *dropped_entrant_lines(there.drop_reasons),
        ]
        typer.echo("\n".join(map(escape_text, lines)))


def load_games_with_cards(cards: list[str] | None) -> dict[str, Game]:
    """Returns the installed games, some with these card files (`game=file`). Ends the command if a file cannot be
    used."""
    from client.cli.serving import CannotServe, load_games

    try:
        return load_games(tuple(cards or ()))
    except CannotServe as error:
        exit_with_error(str(error), error.code)


@dataclass(frozen=True)
class CupSource:
    """A cup, and the source from which its matches can be read.

    Attributes:
        cup: The cup as it was when it was read.
        version: The version of magehall on the server that plays the cup.
        commitment: The commitment to the cup's secret.
        replays: A function that yields the table and the replay file of each match. It appends a sentence to its
            argument for each match whose replay is missing.
        match_at: A function that returns the match at a table as a replay file or as stored rows; None if there is
            none.
    """

    cup: Cup
    version: str
    commitment: str
    replays: Callable[[list[str]], Iterator[tuple[str, bytes]]]
    match_at: Callable[[str], Source | None]


def open_cup_source(
    name: str,
    games: Mapping[str, Game],
    data: str,
    server: ServerOptions | None,
    *,
    replays: Callable[[Cup], bool],
) -> CupSource:
    """Reads the cup from a remote server if `server` is given, otherwise from a server's data folder. Ends the command
    if the cup does not exist."""
    if server is None:
        folder = require_data_folder(data)
        try:
            cup = read_stored_cup(folder, name)
        except (CupUnreadable, CannotOpen, StoreFailed) as error:
            exit_with_error(str(error))
        files = partial(kept_replays, folder, cup, games)
        return CupSource(cup, build_version(), cup.settings.commitment, files, partial(rows_of_match, folder))
    if data:
        exit_with_error(_("--data is a folder on this machine, so it cannot be used with --host or --port."), MISUSED)
    with show_progress(_("matches")) as on_match:
        try:
            there = trio.run(
                partial(fetch_cup, server.make_dial(), f"{server}", name, replays=replays, on_match=on_match)
            )
        except Refused as error:
            exit_with_error(error.error.text)
        except (LinkFailed, BadBundle) as error:
            exit_with_error(str(error))

    def read_replays(missing: list[str]) -> Iterator[tuple[str, bytes]]:
        missing += there.missing
        yield from there.replays.items()

    return CupSource(there.cup, there.about.magehall, there.about.commitment, read_replays, there.replays.get)


def _digest(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
