"""Plays matches on the workers of a Dask cluster, without sockets between bots and server. If a worker is lost, Dask
repeats its matches on another. Needs the optional dependency `dask`."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any

import msgspec
import trio

from bots.sdk.connection import system_error_text
from client.language import _
from client.tournament.local_match import BotSetup, LoadResult, MatchJob, PlayedMatch, load_bot, play_job
from client.tournament.workers import CannotContinue, JobQueue, run_concurrently
from games.registry import get_game

SCHEME = "dask://"
AHEAD = 2  # matches given to the cluster at a time, for each of its threads
RETRIES = 3
CONNECT_SECONDS = 10.0
LENGTH_BYTES = 8  # bytes of the length before each message between parts of a cluster
GREETING_BYTES = 1 << 20  # most bytes that a scheduler's greeting may have

_encode = msgspec.msgpack.Encoder().encode


async def scheduler_error(address: str) -> str:
    """Returns a sentence that says why no Dask scheduler can be used at that address (HOST:PORT); "" if one answers.

    A scheduler speaks first: the length of its greeting, in eight bytes. `distributed` would read the first bytes of
    another server as a length of exbibytes, and try to allocate them.
    """
    if importlib.util.find_spec("distributed") is None:
        return _not_installed()
    host, _colon, port = address.rpartition(":")
    why = _("nothing answers there")
    with trio.move_on_after(CONNECT_SECONDS):
        try:
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                begin = b""
                while len(begin) < LENGTH_BYTES and (more := await stream.receive_some(LENGTH_BYTES - len(begin))):
                    begin += more
            if len(begin) == LENGTH_BYTES and int.from_bytes(begin, "little") <= GREETING_BYTES:
                return ""
            why = _("another program answers there")
        except (OSError, OverflowError) as error:
            why = system_error_text(error) if isinstance(error, OSError) else str(error).rstrip(".")
        except trio.BrokenResourceError:
            why = _("another program answers there")
    return _no_scheduler(address, why)


def _no_scheduler(address: str, why: object) -> str:
    return _("There is no Dask scheduler at {address}: {error}.", address=address, error=f"{why}".rstrip("."))


def _not_installed() -> str:
    return _("Dask is not installed here: pip install 'magehall[dask]'.")


class RulesMismatch(Exception):
    """The worker has another version of the game's rules or cards. The text says so."""


class DaskWorkers:
    """The workers of a Dask scheduler at an address (HOST:PORT). The constructor raises CannotGoOn if no scheduler
    answers there, or if `distributed` is not installed."""

    def __init__(self, address: str) -> None:
        try:
            client: Any = importlib.import_module("distributed").Client
        except ImportError:
            raise CannotContinue(_not_installed()) from None
        try:
            self._client: Any = client(f"tcp://{address}", timeout=CONNECT_SECONDS)
        except Exception as error:  # `distributed` may raise anything if another program answers
            raise CannotContinue(_no_scheduler(address, error)) from None

    async def load(self, bots: Sequence[BotSetup]) -> dict[int, str]:
        """Loads each bot on one of the workers; see Workers. The bots' files must have the same path on all workers."""
        wrong = {}
        for number, bot in enumerate(bots):
            said = msgspec.msgpack.decode(await self._do(load_encoded, _encode(bot)), type=LoadResult).wrong
            if said:
                wrong[number] = said
        return wrong

    async def run(self, work: JobQueue) -> None:
        """See Workers."""

        async def play_some() -> None:
            while True:
                job = work.next_job()
                if job is not None:
                    work.record_match(
                        msgspec.msgpack.decode(await self._do(play_encoded, _encode(job)), type=PlayedMatch)
                    )
                elif not await work.wait_for_job():
                    return

        threads = sum((await trio.to_thread.run_sync(self._client.nthreads)).values())
        await run_concurrently(AHEAD * max(1, threads), play_some)

    def close(self) -> None:
        """Closes the connection to the scheduler."""
        self._client.close()

    async def _do(self, what: Any, data: bytes) -> bytes:
        future = self._client.submit(what, data, pure=False, retries=RETRIES)
        try:
            # a thread of its own for each call waits as long as the cluster takes
            answer: bytes = await trio.to_thread.run_sync(
                future.result, abandon_on_cancel=True, limiter=trio.CapacityLimiter(1)
            )
        except Exception as error:
            raise CannotContinue(
                _("The Dask cluster failed: {kind}: {error}", kind=type(error).__name__, error=error)
            ) from None
        return answer


def play_encoded(data: bytes) -> bytes:
    """Plays a match on a worker. The argument is an encoded Job, the result an encoded PlayedMatch. Raises OtherRules
    if the worker has another version of the game."""
    job = msgspec.msgpack.decode(data, type=MatchJob)
    game = get_game(job.header.game)
    if (job.rules, job.cards) != (game.rules_version, game.cards_digest):
        raise RulesMismatch(_("The worker has other rules or cards of {game} than those here.", game=game.id))
    return _encode(play_job(job))


def load_encoded(data: bytes) -> bytes:
    """Loads a bot on a worker. The argument is an encoded Playing, the result an encoded Loaded."""
    return _encode(load_bot(msgspec.msgpack.decode(data, type=BotSetup)))
