"""Runs a program in any language as a bot. The bot writes lines of JSON to the program's stdin and reads its answers
from its stdout; bots/README.md describes these lines."""

from __future__ import annotations

import math
import os
import select
import shlex
import shutil
import subprocess
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import msgspec

from bots.language import _
from bots.sdk.bot import Bot, Turn
from games.api import Action, Event, Outcome, action_from

VERSION = 1  # the version of the format of these lines
LINE_BYTES = 65_536  # the most bytes of one answer of the program
UNREAD_BYTES = 1 << 20  # the most bytes that the program may write while it does not read its stdin
PATIENCE_SECONDS = 0.5  # the time that a program has to end after its stdin was closed, before it is killed
RUNNING_SECONDS = 0.3  # a program that ends within this time after its first line is reported as not running


class ProgramFailed(Exception):
    """Raised when the program has ended, or its answer is invalid. The exception's text says which."""


class Program(Bot):
    """A bot that starts a process of the program for each match. The program's stderr is the stderr of this process."""

    command: ClassVar[tuple[str, ...]]

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._process = subprocess.Popen(self.command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._unread = bytearray()  # bytes of the program's stdout that belong to no answer yet
        self._failure = ""  # why the program failed for good, so that it is not used any more; "" while it works
        self._end = weakref.finalize(self, _end, self._process)  # also ends the process if `end` is never called
        self._tell({"type": "hello", "version": VERSION, "seed": seed})

    def hear(self, event: Event) -> None:
        self._tell({"type": "event", "event": event})

    def undone(self, events: Sequence[Event]) -> None:
        self._tell({"type": "undone", "events": events})

    def choose(self, turn: Turn) -> Action:
        self._tell(
            {
                "type": "turn",
                "game": turn.game.id,
                "seat": turn.seat,
                "seats": turn.seats,
                "options": turn.options,
                "turn": turn.number,
                "clock": turn.clock if math.isfinite(turn.clock) else None,
                "view": turn.view,
                "legal": turn.legal,
            }
        )
        answer = self._answer()
        if isinstance(answer, dict):
            try:
                return action_from(turn.game, answer)
            except ValueError as error:
                raise ProgramFailed(_("The program answered {answer}: {error}", answer=answer, error=error)) from None
        if type(answer) is not int:
            raise ProgramFailed(
                _("The program answered {answer!r}, which is neither a number nor an action.", answer=str(answer)[:80])
            )
        if not 1 <= answer <= len(turn.legal):
            raise ProgramFailed(
                _(
                    "The program answered {answer}; there are {legal} actions, from 1.",
                    answer=answer,
                    legal=len(turn.legal),
                )
            )
        return turn.legal[answer - 1]

    def end(self, outcome: Outcome) -> None:
        with suppress(ProgramFailed):
            self._tell({"type": "over", **msgspec.structs.asdict(outcome)})
        self._end()

    def check_runs(self) -> None:
        """Raises ProgramFailed if the program ends within RUNNING_SECONDS after its start."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(RUNNING_SECONDS)
            raise ProgramFailed(self._how_it_ended())

    def _tell(self, line: dict[str, Any]) -> None:
        """Writes one line of JSON to the program's stdin. Reads the program's output meanwhile, because a program whose
        output is not read may stop reading its stdin."""
        self._check()
        data = memoryview(msgspec.json.encode(line) + b"\n")
        stdin, stdout = self._files()
        os.set_blocking(stdin, False)
        while data:
            try:
                data = data[os.write(stdin, data) :]
            except BlockingIOError:
                readable, _writable, _broken = select.select([stdout], [stdin], [])
                if readable:
                    self._read()
                if len(self._unread) > UNREAD_BYTES:
                    self._fail(_("The program writes without a question and does not read its input."))
            except (BrokenPipeError, ConnectionResetError):
                self._fail(self._how_it_ended())

    def _answer(self) -> Any:
        self._check()
        while (end := self._unread.find(b"\n")) < 0:
            self._read()
        if end >= LINE_BYTES:
            self._fail(_too_long())
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            said = line[:LINE_BYTES].decode("utf-8", "replace").strip()[:80]
            raise ProgramFailed(_("The program answered what is no JSON: {said!r}.", said=said)) from None

    def _read(self) -> None:
        """Waits for output of the program, and adds it to the unread bytes. Raises ProgramFailed."""
        data = os.read(self._files()[1], LINE_BYTES)
        if not data:
            self._fail(self._how_it_ended())
        self._unread += data
        if len(self._unread) - self._unread.rfind(b"\n") > LINE_BYTES:
            self._fail(_too_long())

    def _files(self) -> tuple[int, int]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin.fileno(), self._process.stdout.fileno()

    def _check(self) -> None:
        if self._failure:
            raise ProgramFailed(self._failure)

    def _fail(self, text: str) -> NoReturn:
        """Kills the program and raises ProgramFailed with that text. Later calls of the bot raise the same text."""
        self._failure = text
        self._process.kill()
        raise ProgramFailed(text)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return _("The program closed its stdin or stdout.")
        return (
            _("The program ended with exit code {code}.", code=code)
            if code >= 0
            else _("Signal {code} ended the program.", code=-code)
        )


def _too_long() -> str:
    return _("The program answered a line of more than {most:,} bytes.", most=LINE_BYTES)


def program(command: str) -> type[Program]:
    """Returns a bot class that runs this command line, without a shell. Raises ValueError with a sentence for the
    user."""
    words = shlex.split(command)
    if not words:
        raise ValueError(_("cmd: needs a program, as in cmd:./program."))
    found = shutil.which(words[0])
    if found is None:
        raise ValueError(_("There is no program {program!r} to run.", program=words[0]))
    name = Path(found).stem
    return type(name, (Program,), {"command": (str(Path(found).absolute()), *words[1:]), "__doc__": command})


def _end(process: subprocess.Popen[bytes]) -> None:
    """Closes the program's stdin, and kills the program if it does not end within PATIENCE_SECONDS."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.close()
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
