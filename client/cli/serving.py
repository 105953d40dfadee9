"""`magehall serve`: settings checked, logging set up, the server run until it is told to stop."""

from __future__ import annotations

import json
import logging
import secrets
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from bots.sdk.connection import plainly
from client.cli.log_lines import LogLines
from client.cli.lookups import LookupFailed, with_card_file
from client.ending import FAILED, MISUSED
from client.house import BotHouse
from client.language import _
from client.nearby import announce, waiting
from games.api import Game
from games.registry import all_games
from protocol.text.clocks import clock_rule
from server.app import App, serve
from server.config import Config
from server.desk.recalling import last_table
from server.process import prepare_process
from server.store.file import CannotOpen
from server.store.rows import Store, StoreFailed
from server.store.sqlite import SqliteStore, open_store

log = logging.getLogger("magehall.serve")

STDERR = 2


class CannotServe(Exception):
    """The server cannot start; `code` is the exit code."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Settings:
    """What the command line said; host "" means all addresses."""

    host: str
    port: int
    clock: str
    grace: float = Config.grace
    cards: tuple[str, ...] = ()
    log_json: bool = False
    data: Path | None = None  # the folder of what is kept; None: nothing outlives the process
    data_limit: int = 4_096  # MiB
    pace: float = Config.house_seconds  # seconds that house bots take for a decision


def serve_until_stopped(settings: Settings) -> None:
    """Serves until SIGINT, SIGTERM or SIGHUP. Raises CannotServe."""
    games = games_with(settings.cards)
    config = config_of(settings)
    lines = _log_to_stderr(as_json=settings.log_json)
    store = store_in(settings.data)
    prepare_process()
    try:
        trio.run(_serve, config, games, lines, store, settings.data)
    except OSError as error:
        where = _("{host}, port {port}", host=config.host or _("all addresses"), port=config.port)
        raise CannotServe(
            _("The server cannot listen at {where}: {strerror}.", where=where, strerror=plainly(error))
        ) from None
    finally:
        if store is not None:
            store.close()


def store_in(folder: Path | None) -> SqliteStore | None:
    """The store in that folder, for this server alone, where enough can be read. Raises CannotServe."""
    if folder is None:
        return None
    try:
        store = open_store(folder)
    except CannotOpen as error:
        raise CannotServe(f"{error}".rstrip(".") + ".") from None
    try:
        store.current()
        last_table(store)
    except StoreFailed as error:
        store.close()
        raise CannotServe(_("The data in {folder} cannot be read: {error}.", folder=folder, error=error)) from None
    return store


def config_of(settings: Settings) -> Config:
    """The server's settings. Raises CannotServe."""
    try:
        clock = clock_rule(settings.clock)
    except ValueError as error:
        raise CannotServe(str(error), MISUSED) from None
    word = secrets.token_hex(8)
    return Config(
        host=settings.host,
        port=settings.port,
        grace=settings.grace,
        clock=clock,
        house_seconds=settings.pace,
        operator_word=word,
        data_bytes=settings.data_limit * 2**20,
    )


def games_with(cards: tuple[str, ...]) -> dict[str, Game]:
    """Every game, with its card file (`game=file`) if one was given. Raises CannotServe."""
    games = all_games().copy()
    for one in cards:
        game, equals, path = one.partition("=")
        if not equals or game not in games:
            raise CannotServe(
                _(
                    "--cards takes GAME=FILE with one of the games {listed}; not {one!r}.",
                    listed=", ".join(games),
                    one=one,
                ),
                MISUSED,
            )
        try:
            games[game] = with_card_file(games[game], Path(path))
        except LookupFailed as error:
            raise CannotServe(str(error)) from None
    return games


async def _serve(
    config: Config, games: dict[str, Game], lines: LogLines, store: Store | None, folder: Path | None
) -> None:
    failure: OSError | None = None
    broken = False
    async with trio.open_nursery() as nursery:
        try:
            run = partial(serve, config, games, BotHouse(), store=store, operators=folder, signals=True)
            app: App = await nursery.start(run)
        except OSError as error:  # carried past the nursery, which would wrap it in a group
            failure = error
        else:
            kept = _("What is played is kept in {folder}.", folder=folder or _("memory only"))
            word = _("For kick, mute and close anywhere: operator {word}", word=config.operator_word)
            for line in (*greeting(config, app.port), kept, word):
                lines.say(line)
            async with trio.open_nursery() as beside:
                if not config.host:
                    beside.start_soon(announce, app.port, lan_addresses(), partial(waiting_at, app))
                await app.stopping.wait()
                log.info("stopping: everybody is told goodbye")
                beside.cancel_scope.cancel()
            broken = app.broken
    if failure is not None:
        raise failure
    if broken:
        raise CannotServe(
            _(
                "The disk failed while writing. All that was acknowledged before is kept; mend the disk, look with"
                " `magehall data check`, then serve again."
            )
        )


def waiting_at(app: App) -> tuple[str, ...]:
    """Who waits for whom there, in lines."""
    return waiting(table.info() for table in app.lobby.tables_after(""))


def greeting(config: Config, port: int) -> list[str]:
    """What the operator reads once the server listens: how others get to it."""
    where = f" --port {port}" if port != Config.port else ""
    if config.host:
        return [
            _("Serving at {host}, port {port}. Ctrl-C stops.", host=config.host, port=port),
            f"  magehall play --host {config.host}{where}",
            f"  telnet {config.host} {port}",
        ]
    lines = [
        _("Serving at all addresses of this machine, port {port}. Ctrl-C stops.", port=port),
        _("The others type one of:"),
    ]
    for address in lan_addresses():
        lines += [f"  magehall play --host {address}{where}", f"  telnet {address} {port}"]
    return lines


def lan_addresses() -> list[str]:
    """The addresses under which other machines reach this one; its name if none is found."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:  # sends nothing: it only asks which address packets to the outside would carry
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    name = socket.gethostname()
    try:
        listed = [str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)]
    except OSError:
        listed = []
    found += [address for address in listed if not address.startswith("127.")]
    return list(dict.fromkeys(found)) or [name]


class _JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "part": record.name,
            "text": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def _log_to_stderr(*, as_json: bool) -> LogLines:
    handler = LogLines(STDERR)
    plain = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    handler.setFormatter(_JsonLines() if as_json else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    return handler
