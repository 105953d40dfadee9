"""Rewrites the report of a running tournament in a separate process, from its folder, with spare processor time."""

from __future__ import annotations

import multiprocessing
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from client.cli.plan_options import repeat_command
from client.cli.progress import show_progress
from client.cli.report import write_report
from client.exit_codes import exit_with_error
from client.language import _
from client.tournament.plan import TournamentPlan
from client.tournament.replay_frames import BATCH, ReplayRenderer
from client.tournament.roster import OnMatch
from client.tournament.specs import entrant_labels, parse_entrant
from client.tournament.tournament_folder import TournamentFolderError, load_plan
from languages import current_language, set_default_language
from protocol.printable import escape_text
from server.cups.kept_cups import CupUnreadable, read_stored_cup
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import load_table_rows
from tournaments.cup import Cup

REWRITE_SECONDS = 5.0  # the shortest interval between two versions of the page
# the greatest share of processor time for reading results and writing pages; the rest is for rendering matches
SHARE = 0.05
ENDED, INTERRUPTED = b"ended", b"interrupted"
# time limit for writing the page after Ctrl-C, with only the matches that are rendered by then
INTERRUPTED_SECONDS = 1.0
NOT_WRITTEN = 4  # exit code if the files cannot be written, after a message that says so
NICE = 15  # a lower scheduling priority than that of the bots


@dataclass
class ReportRewriting:
    """The orders for the process that writes a tournament's report, and the state of that report at the end."""

    # after Ctrl-C, so the report is written at once, with the matches that are rendered by then
    interrupted: bool = False
    whole: bool = True  # whether the report is complete


@contextmanager
def rewriting_report(folder: Path | None, page: Path | None, csv: Path | None) -> Iterator[ReportRewriting]:
    """Rewrites the report of the tournament in that folder until the block ends, and then once more with all matches.
    Without a folder or a file it does nothing."""
    state = ReportRewriting()
    if folder is None or (page is None and csv is None):
        yield state
        return
    files = [str(file.absolute()) if file else "" for file in (folder, page, csv)]
    command = [sys.executable, "-P", "-m", "client.cli.rewriting", current_language(), *files]
    # a process group of its own, so that Ctrl-C does not reach it
    writer = subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)
    try:
        yield state
    finally:
        try:
            writer.communicate(
                INTERRUPTED if state.interrupted else ENDED, INTERRUPTED_SECONDS if state.interrupted else None
            )
        except KeyboardInterrupt:
            _kill(writer)
            raise
        except subprocess.TimeoutExpired:
            _kill(writer)
        if writer.returncode:
            state.whole = False
            _kill(writer)  # ends its worker processes, which would otherwise wait for it forever
            if state.interrupted:
                print(_("The report is older than the standings. {again}", again=_again(folder)), file=sys.stderr)
            elif writer.returncode != NOT_WRITTEN:
                print(_not_whole(folder, writer.returncode), file=sys.stderr)


def _kill(writer: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(writer.pid, signal.SIGKILL)
    writer.wait()


def _not_whole(folder: Path, code: int) -> str:
    how = _("signal {number}", number=-code) if code < 0 else _("exit code {code}", code=code)
    return _(
        "The report is incomplete, because the process that writes it ended with {how}. {again}",
        how=how,
        again=_again(folder),
    )


def _again(folder: Path) -> str:
    return _(
        "All results are saved. Write the report again with: magehall tournament report cup FILE.html --data {folder}",
        folder=shlex.quote(f"{folder}"),
    )


def main(folder: Path, page: Path | None, csv: Path | None) -> None:
    """Rewrites the report whenever there are new results, until a word on stdin says that the tournament has ended.

    If stdin ends without such a word, the tournament was killed, and the process that resumes it writes the page. The
    exit code is NOT_WRITTEN if the last page could not be written.
    """
    os.nice(NICE)
    # forking is safe, because this process has one thread and all imports are done
    how = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(how)
    with ProcessPoolExecutor(
        os.cpu_count(), context, initializer=set_default_language, initargs=(current_language(),)
    ) as pool:
        rewriter = ReportRewriter(folder, page, csv, ReplayRenderer(pool.map, page=page is not None))
        try:
            rewrite_report(rewriter)
        except BrokenProcessPool:
            exit_with_error(_("A process that draws matches for the report was killed."))
    if not rewriter.is_written:
        sys.exit(NOT_WRITTEN)


def rewrite_report(rewriter: ReportRewriter) -> None:
    """Rewrites the report as `main` describes. Raises BrokenProcessPool if a process that renders matches was
    killed."""
    pause = REWRITE_SECONDS
    due, begun = time.monotonic() + pause, time.process_time()
    while not select.select([sys.stdin], [], [], pause)[0]:
        behind = rewriter.render_new_matches()
        if time.monotonic() >= due:
            rewriter.write_files()
            due = time.monotonic() + max(REWRITE_SECONDS, (time.process_time() - begun) / SHARE)
            begun = time.process_time()
        pause = 0.0 if behind else max(0.0, due - time.monotonic())
    said = sys.stdin.buffer.read()
    if said == INTERRUPTED:
        rewriter.render_new_matches(0)
        rewriter.write_files(ended=True)
    if said != ENDED:
        return
    if rewriter.render_new_matches():
        rewriter.write_files(ended=True)  # writes the standings at once, before all matches are rendered
    with show_progress(_("drawings")) as on_match:
        rewriter.render_new_matches(None, on_match)
    rewriter.write_files(ended=True)


class ReportRewriter:
    """Reads a tournament's folder, and writes its page and its CSV table."""

    def __init__(self, folder: Path, page: Path | None, csv: Path | None, drawing: ReplayRenderer) -> None:
        self._folder, self._page, self._csv, self._drawing = folder, page, csv, drawing
        self._plan: TournamentPlan
        self._cup: Cup | None = None
        self._written: object = None
        self.is_written = True  # whether all files have the latest version of the report

    def render_new_matches(self, most: int | None = BATCH, on_match: OnMatch = lambda _done, _all: None) -> bool:
        """Reads new results and renders at most `most` more matches, or all for None. Returns whether there may be more
        to render."""
        before = self._drawing.tried_count
        with suppress(
            TournamentFolderError, CupUnreadable, CannotOpen, StoreFailed
        ):  # either the tournament has not begun, or its own process reports the error
            # read each time, because entrants that could not start are removed from the plan
            plan = load_plan(self._folder)
            self._cup = read_stored_cup(self._folder, plan.cup_settings().cup, self._cup)
            self._plan = plan
            for text in self._drawing.render_matches(
                self._cup, partial(load_table_rows, self._folder), on_match, most=most
            ):
                print(escape_text(text), file=sys.stderr)
        return self._drawing.tried_count - before == most

    def write_files(self, *, ended: bool = False) -> None:
        """Writes the files, if there is anything new since the last time. With `ended` an unfinished cup is shown as
        interrupted."""
        cup, drawing = self._cup, self._drawing
        now = cup and (len(cup.entries), drawing.tried_count, ended)
        if cup is None or not cup.results or now == self._written:
            return
        self._written = now
        plan = self._plan
        bots = dict(zip(entrant_labels([parse_entrant(text) for text in plan.bots]), plan.bots, strict=True))
        made = drawing.build_report(
            cup,
            bots=[bots.get(name, "") for name in cup.entrant_names],
            command=repeat_command(plan, told=cup.is_over),
            confined_by=plan.confined_by,
        )
        if ended and not cup.is_over:
            made = replace(made, state="interrupted")
        self.is_written = False
        try:
            write_report(made, self._page, self._csv)
            self.is_written = True
        except OSError as error:  # the disk may have room again later, and the tournament continues meanwhile
            self._written = None
            print(_("The report cannot be written ({strerror}).", strerror=error.strerror), file=sys.stderr)


if __name__ == "__main__":
    set_default_language(sys.argv[1])
    main(Path(sys.argv[2]), *(Path(word) if word else None for word in sys.argv[3:5]))
