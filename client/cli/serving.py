"""`magehall serve`: checks settings, sets up logging, and runs the server until it is stopped."""

from __future__ import annotations

import faulthandler
import logging
import os
import platform
import secrets
import shlex
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio

from bots.sdk.connection import system_error_text
from client.addresses import OwnAddresses, ip_versions_at, shareable_addresses
from client.cli.data import resolve_data_folder
from client.cli.life_mark import RunningServerFile
from client.cli.log_format import JsonFormatter, TextFormatter
from client.cli.log_lines import LogLineHandler, open_log
from client.cli.lookups import LookupFailed, with_card_file
from client.exit_codes import FAILED, MISUSED
from client.house import BotHouse
from client.language import _
from client.nearby import announce_server, waiting_lines
from games.api import Game
from games.registry import all_games
from people.hosting import connect_commands_to, page_url
from people.text.clocks import parse_clock_rule
from server.app import App, serve
from server.build import build_version
from server.config import Config
from server.desk.recovery import last_table_number
from server.failures import log_failure
from server.limits_file import BadSettings, FileSettings, read_settings, render_settings
from server.log_fields import extra_fields
from server.net.tls import BadCertificate, ServerCertificate
from server.networks import Network, parse_exact_network
from server.process import prepare_process
from server.store.file import CannotOpen
from server.store.rows import Store, StoreFailed
from server.store.sqlite import SqliteStore, open_store

log = logging.getLogger("magehall.serve")

STDIN, STDOUT, STDERR = 0, 1, 2


class CannotServe(Exception):
    """The server cannot start. `code` is the exit code of the command."""

    def __init__(self, text: str, code: int = FAILED) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class ServeSettings:
    """The options of `magehall serve`. A `host` of "" means all addresses of this machine."""

    host: str
    port: int
    clock: str
    grace: float = Config.grace
    cards: tuple[str, ...] = ()
    log_json: bool = False
    config: Path | None = None  # the settings file, whose values the command line overrides
    data: Path | None = None  # the data folder; None: nothing is stored
    data_limit: int = 4_096  # most bytes of stored data, in MiB
    pace: float = Config.house_seconds  # seconds before each decision of a house bot
    operator_word: bool = True  # whether to print the operator's secret word if the log goes to a terminal
    certificate: Path | None = None  # the server's certificate; together with its key file, every connection uses TLS
    key: Path | None = None
    proxies: tuple[str, ...] = ()  # addresses and networks whose PROXY headers are accepted
    log_file: Path | None = None  # None: the log goes to stderr
    web: int | None = None  # the port of the pages for browsers; None: there are none
    web_required: bool = False  # whether the server refuses to start if that port is taken
    web_hosts: tuple[str, ...] = ()  # host names by which browsers may reach this machine


def serve_until_stopped(settings: ServeSettings) -> None:
    """Runs the server until SIGINT or SIGTERM arrives, or until its terminal is closed. Raises CannotServe."""
    games = load_games(settings.cards)
    config = build_config(settings)
    # the word is only shown on a terminal, because it would stay in a log file
    if settings.log_json or not settings.operator_word or not os.isatty(STDERR):
        config = replace(config, operator_word="")
    certificate = load_certificate(config)
    lines = _log_to(settings.log_file, as_json=settings.log_json)
    build = build_version()
    told = extra_fields("started", build=build, python=platform.python_version(), process=os.getpid())
    log.info("magehall %s on Python %s, process %d", build, platform.python_version(), os.getpid(), extra=told)
    store = open_data_store(settings.data)
    mark = RunningServerFile(settings.data)
    prepare_process()
    try:
        mark.mark_started(build)
        trio.run(_serve, config, games, lines, store, settings, certificate)
    except OSError as error:
        log_failure(log, "ended by an error")
        host = _("all addresses") if ip_versions_at(config.host) else config.host
        where = _("{host}, port {port}", host=host, port=config.port)
        raise CannotServe(
            _("The server cannot listen at {where}: {strerror}.", where=where, strerror=system_error_text(error))
        ) from None
    except CannotServe as error:  # the text of the exception says everything
        log.error("ended: %s", error, extra=extra_fields("failed"))
        raise
    except BaseException:
        log_failure(log, "ended by an error")
        raise
    finally:
        mark.mark_stopped()
        if store is not None:
            store.close()
    log.info("ended", extra=extra_fields("ended"))


def open_data_store(folder: Path | None) -> SqliteStore | None:
    """Opens the store in that folder and locks it for this server. Returns None without a folder. Raises CannotServe if
    it cannot be read."""
    if folder is None:
        return None
    try:
        store = open_store(folder)
    except CannotOpen as error:
        raise CannotServe(f"{error}".rstrip(".") + ".") from None
    try:
        store.current_subjects()
        last_table_number(store)
    except StoreFailed as error:
        store.close()
        raise CannotServe(_("The data in {folder} cannot be read: {error}.", folder=folder, error=error)) from None
    return store


def load_certificate(config: Config) -> ServerCertificate | None:
    """Returns the certificate from the configured files; None for a server without TLS. Raises CannotServe."""
    if config.tls_cert is None and config.tls_key is None:
        return None
    if config.tls_cert is None or config.tls_key is None:
        raise CannotServe(_("TLS needs both a certificate and its key: --tls-cert and --tls-key."), MISUSED)
    try:
        return ServerCertificate(config.tls_cert, config.tls_key)
    except BadCertificate as error:
        raise CannotServe(str(error)) from None


def build_config(settings: ServeSettings) -> Config:
    """Returns the server's configuration from the settings file and the command line. Raises CannotServe."""
    try:
        clock = parse_clock_rule(settings.clock)
    except ValueError as error:
        raise CannotServe(str(error), MISUSED) from None
    word = secrets.token_hex(8)
    config = Config(
        host=settings.host,
        port=settings.port,
        web_port=settings.web,
        web_required=settings.web_required,
        web_hosts=settings.web_hosts,
        grace=settings.grace,
        clock=clock,
        house_seconds=settings.pace,
        operator_word=word,
        data_bytes=settings.data_limit * 2**20,
    )
    try:
        return _file_settings(settings).apply_to(config)
    except BadSettings as error:
        raise CannotServe(str(error), MISUSED) from None


def _file_settings(settings: ServeSettings) -> FileSettings:
    """Returns the settings in the settings file, overridden by those of the command line. Raises BadSettings,
    CannotServe."""
    proxies = tuple(map(_proxy, settings.proxies))
    given = {"tls_cert": settings.certificate, "tls_key": settings.key, "proxy_from": proxies}
    said = read_settings(settings.config) if settings.config is not None else FileSettings()
    return said.overridden_by({name: value for name, value in given.items() if value})


def render_settings_file(settings: ServeSettings) -> str:
    """Returns the text of a settings file with every setting and its current value. Raises CannotServe."""
    return render_settings(build_config(settings))


def _proxy(written: str) -> Network:
    """Parses the address or network of a proxy. Raises CannotServe."""
    try:
        return parse_exact_network(written)
    except ValueError:
        raise CannotServe(
            _("--proxy-from takes an IP address, or a network such as 10.0.0.0/24; not {one!r}.", one=written), MISUSED
        ) from None


def load_games(cards: tuple[str, ...]) -> dict[str, Game]:
    """Returns all installed games by id, with the cards of `game=file` for those that are named in `cards`. Raises
    CannotServe."""
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
    config: Config,
    games: dict[str, Game],
    lines: LogLineHandler,
    store: Store | None,
    settings: ServeSettings,
    certificate: ServerCertificate | None,
) -> None:
    failure: OSError | None = None
    broken = False
    folder = settings.data
    async with trio.open_nursery() as nursery:
        try:
            hangup = partial(_hang_up, lines, settings, had_terminal=_has_terminal())
            run = partial(serve, config, games, BotHouse(), store=store, operators=folder, certificate=certificate)
            app: App = await nursery.start(partial(run, signals=True, on_hangup=hangup))
        except OSError as error:  # kept and raised after the nursery, which would put it into an exception group
            failure = error
        else:
            kept = _("Matches and names are saved in {folder}.", folder=folder or _("memory only"))
            own = OwnAddresses(config.host) if ip_versions_at(config.host) else None
            if settings.log_json:
                addresses = own.address_texts if own is not None else [config.host]
                told = extra_fields(
                    "serving",
                    port=app.port,
                    web_port=app.web_port,
                    addresses=addresses,
                    data=str(folder or ""),
                    operator=operator_instructions("", folder),
                    certificate=certificate.fingerprint if certificate is not None else "",
                )
                log.info("serving at port %d", app.port, extra=told)
            else:
                ways = startup_lines(config, app.port, own, certificate, app.web_port)
                for line in (*ways, kept, operator_instructions(config.operator_word, folder)):
                    lines.write_line(line)
            async with trio.open_nursery() as beside:
                if own is not None:
                    tls = certificate is not None
                    tell = partial(announce_server, tls=tls)
                    beside.start_soon(tell, app.port, lambda: own.address_texts, partial(waiting_player_lines, app))
                    beside.start_soon(own.poll_changes, partial(_say_more, lines, app, settings, tls=tls))
                await app.stopping.wait()
                beside.cancel_scope.cancel()
            broken = app.broken
    if failure is not None:
        raise failure
    if broken:
        raise CannotServe(
            _(
                "The disk failed during a write. Everything that was acknowledged before is saved. Repair the "
                "disk, check with `magehall data check`, then start the server again."
            )
        )


def operator_instructions(word: str, folder: Path | None) -> str:
    """Returns a sentence that says what to type to become the operator. Without a word it names the command that prints
    a code."""
    if word:
        return _(
            "To become the operator (kick, mute and close anywhere), type in the client, or on this "
            "machine by telnet: operator {word}",
            word=word,
        )
    if folder is None:
        return _("No one can become the operator here. Start the server on a terminal, or with --data and a folder.")
    named = "" if folder == resolve_data_folder("") else f" --data {shlex.quote(str(folder))}"
    return _(
        "To become the operator (kick, mute and close anywhere), type what this prints: magehall admin{named} operator",
        named=named,
    )


def waiting_player_lines(app: App) -> tuple[str, ...]:
    """Returns lines of text about players who wait for others, to announce in the local network."""
    return waiting_lines(table.table_info() for table in app.lobby.tables.tables_after(""))


def startup_lines(
    config: Config,
    port: int,
    own: OwnAddresses | None = None,
    certificate: ServerCertificate | None = None,
    web_port: int | None = None,
) -> list[str]:
    """Returns the lines that the operator reads once the server listens, which say how others connect. `own` has this
    machine's addresses, for a server that listens at all of them."""
    tls = certificate is not None
    shown = []
    if certificate is not None:
        shown.append(
            _("The fingerprint of its certificate, SHA-256: {fingerprint}", fingerprint=certificate.fingerprint)
        )
    if own is None:
        served = _("Serving at {host}, port {port}. Ctrl-C stops.", host=config.host, port=port)
        return [served, *_ways(config.host, port, tls=tls, web_port=web_port), *shown]
    lines = [_("Serving at all addresses of this machine, port {port}. Ctrl-C stops.", port=port)]
    if not own.now:
        return [*lines, _("This machine has no network yet. New addresses will be printed here."), *shown]
    lines.append(_("Other players type one of:"))
    for address in shareable_addresses(own.now):
        lines += _ways(address, port, tls=tls, web_port=web_port)
    return lines + shown


def _ways(host: str, port: int, *, tls: bool = False, web_port: int | None = None) -> list[str]:
    """Returns the commands that connect to that host and port, and the address of the browser page."""
    commands = connect_commands_to(host, port, usual_port=port == Config.port, tls=tls)
    pages = [page_url(host, web_port, tls=tls)] if web_port is not None else []
    return [f"  {way}" for way in (*commands, *pages)]


def _hang_up(lines: LogLineHandler, settings: ServeSettings, app: App, *, had_terminal: bool) -> bool:
    """Handles SIGHUP: reopens the log file, and reads the settings file and the certificate again. Returns False if the
    server must stop because its terminal was closed."""
    if had_terminal and not _has_terminal():
        return False
    try:
        lines.reopen()
    except OSError as error:
        log.error("the log file cannot be opened again: %s", error.strerror, extra=extra_fields("log_kept"))
    else:
        log.info("hangup: the log was reopened", extra=extra_fields("reopened"))
    if settings.config is not None:
        _reload(settings, app)
    if app.certificate is not None:
        _reload_certificate(app.certificate)
    return True


def _reload(settings: ServeSettings, app: App) -> None:
    """Reads the settings file again and applies it. A file with errors changes nothing."""
    try:
        changed, at_start = app.reload_settings(_file_settings(settings))
    except BadSettings as error:
        for line in str(error).splitlines():
            log.error("the old settings stay in use: %s", line, extra=extra_fields("settings_kept"))
        return
    log.info("settings that changed: %s", ", ".join(changed) or "none", extra=extra_fields("reloaded", names=changed))
    if at_start:
        told = extra_fields("reloaded_at_start", names=at_start)
        log.warning("settings that change when the server starts again: %s", ", ".join(at_start), extra=told)


def _reload_certificate(certificate: ServerCertificate) -> None:
    try:
        certificate.reload()
    except BadCertificate as error:
        log.error("the old certificate stays in use: %s", error, extra=extra_fields("certificate_kept"))
    else:
        told = extra_fields("certificate_read", certificate=certificate.fingerprint)
        log.info("the certificate was read again: %s", certificate.fingerprint, extra=told)


def _has_terminal() -> bool:
    """Returns whether this process reads from or writes to a terminal that has not been closed."""
    for number in (STDIN, STDOUT, STDERR):
        with suppress(OSError):
            os.ttyname(number)
            return True
    return False


def _say_more(lines: LogLineHandler, app: App, settings: ServeSettings, came: list[str], *, tls: bool) -> None:
    """Prints this machine's new addresses for the operator."""
    if settings.log_json:
        log.info(
            "new addresses: %s", ", ".join(came), extra=extra_fields("new_addresses", addresses=came, port=app.port)
        )
        return
    lines.write_line(_("This machine has a new address; other players may type:"))
    for way in (way for address in came for way in _ways(address, app.port, tls=tls, web_port=app.web_port)):
        lines.write_line(way)


def _log_to(file: Path | None, *, as_json: bool) -> LogLineHandler:
    """Sends the log to the file, or to stderr for None. Raises CannotServe."""
    number = STDERR
    if file is not None:
        try:
            number = open_log(file)
        except OSError as error:
            text = _("The log file {file} cannot be opened: {strerror}.", file=file, strerror=error.strerror)
            raise CannotServe(text) from None
    handler = LogLineHandler(number, file)
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    faulthandler.enable(number)  # writes the traceback of a crash in C code to the log
    return handler
