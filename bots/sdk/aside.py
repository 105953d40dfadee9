"""A bot in a process of its own, for one seat at one table: it is asked by lines of JSON, and answers each with one.

`python -m bots.sdk.aside` is that process; `Aside` is who asks it. It is told what its seat is told, and no more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any, BinaryIO

import msgspec

from bots.sdk.bot import Turn
from bots.sdk.registry import all_bots
from games.api import Action, Game, Seat, action_from, knowledge_from, options_from
from games.registry import get_game
from games.unions import converted
from protocol.withheld import withheld

NICENESS = 10  # below whoever has to answer others


class Place(msgspec.Struct):
    """The first line: which bot plays what."""

    bot: str
    seed: int
    game: str
    cards: str  # the card file that the table uses instead of the game's own; "" for none
    seats: int
    options: Mapping[str, Any]


class Asked(msgspec.Struct):
    """Each line after it: a decision."""

    seat: Seat
    number: int
    clock: float | None  # seconds; None where no clock runs, as JSON has no infinity
    view: Any
    legal: list[Any]
    knowledge: Any


class Aside:
    """Starts the process with the first question. Its methods wait, and are for a thread; `close` is for any."""

    def __init__(self, game: Game, place: Place) -> None:
        self._game, self._place = game, place
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._one_at_a_time = threading.Lock()

    def choose(self, asked: Asked) -> Action:
        """What the bot does. Raises EOFError where its process has ended, ValueError for what is no action."""
        with self._one_at_a_time:  # each line answers the one before it
            line = self._answer(asked)
        if not line.endswith(b"\n"):
            raise EOFError("its process has ended")
        return action_from(self._game, msgspec.json.decode(line))

    def _answer(self, asked: Asked) -> bytes:
        if self._process is None:
            self._process = self._start()
            if self._is_closed:  # meanwhile
                self.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _write(self._process.stdin, asked)
        except (OSError, ValueError):  # of a stream that is broken, or closed by `close`
            raise EOFError("its process has ended") from None
        return self._process.stdout.readline()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "bots.sdk.aside"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        weakref.finalize(self, _end, process)
        assert process.stdin is not None
        with suppress(OSError):
            _write(process.stdin, self._place)
        return process

    def close(self) -> None:
        """Ends the process, whatever it does."""
        self._is_closed = True
        if self._process is not None:
            _end(self._process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with suppress(OSError):  # what it did not read any more
            stream.close()


def _write(stream: IO[bytes], line: msgspec.Struct) -> None:
    stream.write(msgspec.json.encode(line) + b"\n")
    stream.flush()


def answer(questions: BinaryIO, answers: BinaryIO) -> None:
    """Plays one seat until the questions end."""
    place = msgspec.json.decode(questions.readline(), type=Place)
    game = get_game(place.game)
    if place.cards:
        game = game.with_cards(place.cards)
    bot, options = all_bots()[place.bot](place.seed), options_from(game, place.options)
    for line in questions:
        asked = msgspec.json.decode(line, type=Asked)
        view = converted(asked.view, game.view_type, "view")
        legal = [action_from(game, one) for one in asked.legal]
        knowledge = knowledge_from(game, asked.knowledge)
        clock = float("inf") if asked.clock is None else asked.clock
        turn = Turn(game, asked.seat, view, legal, asked.number, clock, place.seats, options, knowledge)
        bot.rng.seed(place.seed << 32 | asked.number)  # so that a bot made anew goes on with the same chance
        answers.write(msgspec.json.encode(bot.choose(turn)) + b"\n")
        answers.flush()


if __name__ == "__main__":
    os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints goes to stderr
    try:
        answer(sys.stdin.buffer, out)
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:  # its stderr is read by who reads the server's log
        traceback.print_exception(withheld(error))
        sys.exit(1)
