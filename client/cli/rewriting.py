"""The report of a tournament while it is played: written by a process of its own, in the time that the tournament
leaves, from what is kept in its folder."""

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

from client.cli.plan_options import command_for
from client.cli.progress import progress
from client.cli.report import write_report
from client.ending import fail
from client.language import _
from client.tournament.cast import OnMatch
from client.tournament.drawing import BATCH, Drawing
from client.tournament.keeping import NotKept, load_plan
from client.tournament.plan import Plan
from client.tournament.specs import entrant_from, labels_for
from languages import language, speak
from protocol.printable import escape
from server.cups.kept_cups import NoCup, kept_cup
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import rows_of
from tournaments.cup import Cup

REWRITE_SECONDS = 5.0  # at least, between two pages
SHARE = 0.05  # of the time is for reading what is kept and writing pages, at most; what is left is for drawing
ENDED, INTERRUPTED = b"ended", b"interrupted"
INTERRUPTED_SECONDS = 1.0  # for the page after Ctrl-C, with what is drawn by then
NOT_WRITTEN = 4  # its exit code where it has said itself that the files cannot be written
NICE = 15  # whoever plays comes first


@dataclass
class Rewriting:
    """What the tournament says about itself at its end, and what became of its report."""

    interrupted: bool = False  # the report is to be ready in a moment, with fewer drawings
    whole: bool = True  # the report is written as it should be


@contextmanager
def rewriting(folder: Path | None, page: Path | None, csv: Path | None) -> Iterator[Rewriting]:
    """Has the report of the tournament in that folder rewritten until the block ends, and then once more, with all of
    it."""
    state = Rewriting()
    if folder is None or (page is None and csv is None):
        yield state
        return
    files = [str(file.absolute()) if file else "" for file in (folder, page, csv)]
    command = [sys.executable, "-P", "-m", "client.cli.rewriting", language(), *files]
    writer = subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)  # Ctrl-C is not for it
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
            _kill(writer)  # processes of its own would wait for it for ever
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
        "The report is not whole, since the process that writes it ended with {how}. {again}",
        how=how,
        again=_again(folder),
    )


def _again(folder: Path) -> str:
    return _(
        "All results are kept; it can be written again: magehall tournament report cup FILE.html --data {folder}",
        folder=shlex.quote(f"{folder}"),
    )


def main(folder: Path, page: Path | None, csv: Path | None) -> None:
    """Writes it now and then, if there is anything new, until stdin says that the tournament has ended; where stdin
    ends without a word, whoever held the tournament was killed, and what resumes it writes the page. Exits with
    NOT_WRITTEN where the last page could not be written."""
    os.nice(NICE)
    how = "fork" if sys.platform == "linux" else "spawn"  # there is one thread here, and all is imported
    context = multiprocessing.get_context(how)
    with ProcessPoolExecutor(os.cpu_count(), context, initializer=speak, initargs=(language(),)) as pool:
        rewriter = Rewriter(folder, page, csv, Drawing(pool.map, page=page is not None))
        try:
            rewrite(rewriter)
        except BrokenProcessPool:
            fail(_("A process that draws matches for the report was killed."))
    if not rewriter.is_written:
        sys.exit(NOT_WRITTEN)


def rewrite(rewriter: Rewriter) -> None:
    """See main. Raises BrokenProcessPool."""
    pause = REWRITE_SECONDS
    due, begun = time.monotonic() + pause, time.process_time()
    while not select.select([sys.stdin], [], [], pause)[0]:
        behind = rewriter.draw()
        if time.monotonic() >= due:
            rewriter.write()
            due = time.monotonic() + max(REWRITE_SECONDS, (time.process_time() - begun) / SHARE)
            begun = time.process_time()
        pause = 0.0 if behind else max(0.0, due - time.monotonic())
    said = sys.stdin.buffer.read()
    if said == INTERRUPTED:
        rewriter.draw(0)
        rewriter.write(ended=True)
    if said != ENDED:
        return
    if rewriter.draw():
        rewriter.write(ended=True)  # the figures need not wait for all drawings
    with progress(_("drawings")) as on_match:
        rewriter.draw(None, on_match)
    rewriter.write(ended=True)


class Rewriter:
    """The page, and the table as CSV, of the tournament that is kept in a folder."""

    def __init__(self, folder: Path, page: Path | None, csv: Path | None, drawing: Drawing) -> None:
        self._folder, self._page, self._csv, self._drawing = folder, page, csv, drawing
        self._plan: Plan
        self._cup: Cup | None = None
        self._written: object = None
        self.is_written = True  # the latest page, in all its files

    def draw(self, most: int | None = BATCH, on_match: OnMatch = lambda _done, _all: None) -> bool:
        """Reads what came since and draws so many matches more, or all. Returns whether there may be others."""
        before = self._drawing.done
        with suppress(NotKept, NoCup, CannotOpen, StoreFailed):  # it has not begun, or says so itself
            plan = load_plan(self._folder)  # anew: it goes on without those who could not start
            self._cup = kept_cup(self._folder, plan.settings().cup, self._cup)
            self._plan = plan
            for text in self._drawing.take(self._cup, partial(rows_of, self._folder), on_match, most=most):
                print(escape(text), file=sys.stderr)
        return self._drawing.done - before == most

    def write(self, *, ended: bool = False) -> None:
        """The page, if there is anything new in it."""
        cup, drawing = self._cup, self._drawing
        now = cup and (len(cup.entries), drawing.done, ended)
        if cup is None or not cup.results or now == self._written:
            return
        self._written = now
        plan = self._plan
        bots = dict(zip(labels_for([entrant_from(text) for text in plan.bots]), plan.bots, strict=True))
        made = drawing.report(
            cup,
            bots=[bots.get(name, "") for name in cup.names],
            command=command_for(plan, told=cup.is_over),
            confined_by=plan.confined_by,
        )
        if ended and not cup.is_over:
            made = replace(made, state="interrupted")
        self.is_written = False
        try:
            write_report(made, self._page, self._csv)
            self.is_written = True
        except OSError as error:  # the disk may have room again; the tournament goes on
            self._written = None
            print(_("The report cannot be written ({strerror}).", strerror=error.strerror), file=sys.stderr)


if __name__ == "__main__":
    speak(sys.argv[1])
    main(Path(sys.argv[2]), *(Path(word) if word else None for word in sys.argv[3:5]))
