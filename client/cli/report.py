"""`magehall tournament report`, and a report that is rewritten while a cup runs."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from client.cli.data import data_folder
from client.cli.progress import progress
from client.ending import FAILED, MISUSED, fail
from client.language import _
from client.tournament.report import STORY_BYTES, Report, as_csv
from client.tournament.report_page import as_page
from client.tournament.story import Story, story_of
from games.api import IllegalAction
from games.registry import all_games
from matches.record import Record, read
from protocol.printable import escape
from protocol.replay import BadReplay
from server.desk.kept_cups import NoCup, kept_cup, replays
from server.store.rows import StoreFailed
from server.store.sqlite import CannotOpen
from server.tournament.bundle import BadBundle, Bundle
from server.tournament.cup import Cup
from server.tournament.cup import fold as fold_cup
from server.tournament.standings import Played

REWRITE_SECONDS = 5.0


def report(
    source: Annotated[str, typer.Argument(metavar="CUP|BUNDLE", help="A cup that a server keeps, or an exported one.")],
    page: Annotated[Path, typer.Argument(metavar="FILE.html", help="Where the page is written.")],
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="The table, a row for each entrant.")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="All figures, for programs.")] = None,
    data: Annotated[str, typer.Option("--data", metavar="DIR", help="The server's folder, for a cup's name.")] = "",
) -> None:
    """Writes one page on a cup: standings, who beat whom, seats, endings, thinking times, every match step by step.

    Of a cup that is not over it shows no match whose deal others still play.
    """
    if Path(source).is_file():
        cup, files = _from_bundle(Path(source))
    else:
        cup, files = _from_data(source, data)
    stories: dict[str, Story] = {}
    size = 0
    games = all_games()
    with progress(_("matches")) as on_match:
        for number, (table, content) in enumerate(files, 1):
            on_match(number, len(cup.tables))
            if not cup.hides(table):
                try:
                    stories[table] = story_of(read(content, games), shown=size < STORY_BYTES)
                    size += stories[table].size
                except (BadReplay, IllegalAction) as error:
                    print(escape(f"{table}: {error}"), file=sys.stderr)
    told = cup.settings
    made = Report(
        told,
        cup.names,
        cup.matches(),
        cup.planned,
        cup.state,
        reached=cup.reached(),
        command=f"magehall tournament export {told.cup} {told.cup}.zip\nmagehall tournament audit {told.cup}.zip",
        stories=stories,
    )
    try:
        write_report(made, page, csv, json)
    except OSError as error:
        fail(_("{file} cannot be written: {strerror}.", file=error.filename, strerror=error.strerror))


def check_files(*files: Path | None) -> None:
    """Ends the command where one of them can never be written."""
    for file in files:
        if file is not None and not file.absolute().parent.is_dir():
            fail(_("There is no folder {folder} for {name}.", folder=file.parent, name=file.name), MISUSED)


def write_report(made: Report, page: Path | None, csv: Path | None = None, json: Path | None = None) -> None:
    """Writes what is wanted; each file is the old or the new one, and never half of one. Raises OSError."""
    if page is not None:
        _put(page, as_page(made))
    if csv is not None:
        _put(csv, as_csv(made.figures()))
    if json is not None:
        _put(json, msgspec.json.encode(made.figures()).decode() + "\n")


def _put(file: Path, text: str) -> None:
    half = file.with_name(f".{file.name}.part")
    half.write_text(text, encoding="utf-8")
    os.replace(half, file)


def _from_bundle(file: Path) -> tuple[Cup, Iterator[tuple[str, bytes]]]:
    try:
        bundle = Bundle(io.BytesIO(file.read_bytes()))
        cup = fold_cup(bundle.settings, bundle.lines)
    except (BadBundle, OSError, ValueError, IndexError) as error:
        fail(_("{file}: {text}", file=file, text=error))
    return cup, ((table, content) for table in bundle.tables if (content := bundle.replay(table)) is not None)


def _from_data(name: str, data: str) -> tuple[Cup, Iterator[tuple[str, bytes]]]:
    folder = data_folder(data)
    if folder is None:
        fail(_("What is kept in memory cannot be looked at from outside."), MISUSED)
    try:
        cup = kept_cup(folder, name)
    except (NoCup, CannotOpen, StoreFailed) as error:
        fail(str(error), FAILED)
    return cup, replays(folder, cup, all_games(), [])


def _as_entrants(record: Record, names: Sequence[str]) -> Record:
    """The match with the seats named after their entrants, not after the processes that play for them."""
    seats = zip(record.header.seats, names, strict=True)
    named = tuple(msgspec.structs.replace(seat, name=name) for seat, name in seats)
    return replace(record, header=msgspec.structs.replace(record.header, seats=named))


class Writer:
    """Keeps the report of a running cup as far as it is played. `take` is called where the cup is played, and is quick;
    everything else is done in a thread of its own, while `rewriting`."""

    def __init__(self, bots: Mapping[str, str], command: str, page: Path | None, csv: Path | None) -> None:
        self._bots, self._command, self._page, self._csv = bots, command, page, csv
        self._records: dict[str, Record] = {}
        self._stories: dict[str, Story] = {}
        self._size = 0
        self._hidden: set[str] = set()
        self._latest: Report | None = None

    def recall(self, folder: Path, name: str) -> None:
        """The matches of the cup that were over before, from the folder where it is kept. Raises NoCup, CannotOpen,
        StoreFailed."""
        if self._page is None and self._csv is None:
            return
        cup = kept_cup(folder, name)
        for _table, content in replays(folder, cup, all_games(), []):
            self.take(cup, partial(read, content, all_games()))

    def take(self, cup: Cup, read_record: Callable[[], Record | None]) -> None:
        """A match is over."""
        if self._page is None and self._csv is None:
            return
        record = read_record()
        if record is not None:
            table = record.header.table
            entrants = cup.pairings()[cup.match_at(table) - 1].entrants
            self._hidden = self._hidden | {table}  # first: the thread may look at any time
            self._records[table] = _as_entrants(record, [cup.names[number] for number in entrants])
        self._hidden = {table for table in list(self._records) if cup.hides(table)}
        self._latest = Report(
            cup.settings,
            cup.names,
            cup.matches(),
            cup.planned,
            cup.state,
            reached=dict(cup.reached()),
            bots=[self._bots.get(name, "") for name in cup.names],
            command=self._command,
            stories=self._stories,
        )

    @contextmanager
    def rewriting(self) -> Iterator[None]:
        """Writes every few seconds, if there is anything new."""
        ended = threading.Event()

        def loop() -> None:
            written: Report | None = None
            while not ended.wait(REWRITE_SECONDS):
                if self._latest is not written:
                    written = self._latest
                    self.write()

        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def finish(self, matches: Sequence[Played], state: str, command: str) -> None:
        """Writes how it ended, with results that are known better by now, and the command that repeats it. What was
        `interrupted` may go on: its deals stay secret."""
        if self._latest is not None:
            if state != "interrupted":
                self._hidden = set()
            self._latest = replace(self._latest, matches=matches, state=state, command=command)
            self.write()

    def write(self) -> None:
        """As of now, if a match is over."""
        latest = self._latest
        if latest is None:
            return
        for table in list(self._records):
            if table not in self._hidden:
                story = story_of(self._records.pop(table), shown=self._size < STORY_BYTES)
                self._size += story.size
                self._stories[table] = story
        try:
            write_report(latest, self._page, self._csv)
        except OSError as error:  # the disk may have room again; the tournament goes on
            print(_("The report cannot be written ({strerror}).", strerror=error.strerror), file=sys.stderr)
