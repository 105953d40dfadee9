"""Runs a bot in a child process, for one seat in one match. Questions to the child and its answers are lines of JSON.

`python -m bots.sdk.subprocess_bot` is the child process, and `SubprocessBot` controls it from the parent process. The
child receives only what its seat may know.
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
from games.unions import convert_union
from protocol.redacted_traceback import redact_error

NICENESS = 10  # the child's niceness: bots get less processor time than the servers on the same machine


class BotAssignment(msgspec.Struct):
    """The first line to the child process: the bot to run, and the match that it plays."""

    bot: str
    seed: int
    game: str
    cards: str  # the text of the card file of the match; "" for the game's own cards
    seats: int
    options: Mapping[str, Any]


class DecisionRequest(msgspec.Struct):
    """Each later line to the child process: a decision that the bot has to make."""

    seat: Seat
    number: int
    clock: float | None  # the seconds left for the decision; None without a clock, because JSON has no infinity
    view: Any
    legal: list[Any]
    knowledge: Any


class SubprocessBot:
    """Controls the child process of one bot. The first call of `choose` starts the process. `choose` blocks its thread
    until the bot answers; `close` may be called in any thread."""

    def __init__(self, game: Game, place: BotAssignment) -> None:
        self._game, self._place = game, place
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._one_at_a_time = threading.Lock()

    def choose(self, asked: DecisionRequest) -> Action:
        """Returns the action that the bot chooses for a decision. Raises EOFError if the child process has ended, and
        ValueError if its answer is not an action of the game."""
        with self._one_at_a_time:  # otherwise one thread could read the answer to another thread's question
            line = self._answer(asked)
        if not line.endswith(b"\n"):
            raise EOFError("its process has ended")
        return action_from(self._game, msgspec.json.decode(line))

    def _answer(self, asked: DecisionRequest) -> bytes:
        if self._process is None:
            self._process = self._start()
            if self._is_closed:  # `close` was called during the start
                self.close()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _write(self._process.stdin, asked)
        except (OSError, ValueError):  # the stream is broken, or `close` closed it
            raise EOFError("its process has ended") from None
        return self._process.stdout.readline()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "bots.sdk.subprocess_bot"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        weakref.finalize(self, _end, process)
        assert process.stdin is not None
        with suppress(OSError):
            _write(process.stdin, self._place)
        return process

    def close(self) -> None:
        """Kills the child process."""
        self._is_closed = True
        if self._process is not None:
            _end(self._process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        with suppress(OSError):  # flushing fails if the process did not read everything
            stream.close()


def _write(stream: IO[bytes], line: msgspec.Struct) -> None:
    stream.write(msgspec.json.encode(line) + b"\n")
    stream.flush()


def serve_decisions(questions: BinaryIO, answers: BinaryIO) -> None:
    """Runs the bot in the child process: reads its assignment and then the decisions from `questions` until they end,
    and writes the chosen actions to `answers`."""
    place = msgspec.json.decode(questions.readline(), type=BotAssignment)
    game = get_game(place.game)
    if place.cards:
        game = game.with_cards(place.cards)
    bot, options = all_bots()[place.bot](place.seed), options_from(game, place.options)
    for line in questions:
        asked = msgspec.json.decode(line, type=DecisionRequest)
        view = convert_union(asked.view, game.view_type, "view")
        legal = [action_from(game, one) for one in asked.legal]
        knowledge = knowledge_from(game, asked.knowledge)
        clock = float("inf") if asked.clock is None else asked.clock
        turn = Turn(game, asked.seat, view, legal, asked.number, clock, place.seats, options, knowledge)
        bot.rng.seed(place.seed << 32 | asked.number)  # so that a restarted bot continues with the same random numbers
        answers.write(msgspec.json.encode(bot.choose(turn)) + b"\n")
        answers.flush()


if __name__ == "__main__":
    os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the bot prints goes to stderr, because stdout belongs to the answers
    try:
        serve_decisions(sys.stdin.buffer, out)
    except (KeyboardInterrupt, BrokenPipeError):
        pass
    except Exception as error:  # printed without secrets, because the server's log receives this stderr
        traceback.print_exception(redact_error(error))
        sys.exit(1)
