"""The whole server: listeners, sessions, tables, and an orderly shutdown."""

from __future__ import annotations

import errno
import importlib
import logging
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio

from games.api import Game
from matches.house import HouseBots
from protocol.connection import SPEAKS_TLS, ServerConnection
from protocol.errors import CODES, GOODBYES, Refusal
from protocol.names import lookalike_key
from server.address import Origin, group_address, grouped_peer_address, is_in_networks, peer_ip
from server.broadcast import Broadcaster
from server.build import build_version
from server.common import SharedObjects
from server.config import Config
from server.desk.lobby import Lobby
from server.desk.moderation import remove_player
from server.desk.operator import BY, OperatorCommands
from server.desk.recovery import restore_lobby
from server.desk.retention import limit_stored_bytes
from server.desk.text_session import TextSession
from server.fair_share import WorkShare
from server.limits_file import FileSettings
from server.log_fields import extra_fields
from server.log_throttle import LogThrottle
from server.net.accept_loop import AcceptLoop
from server.net.admin import serve_operator_socket
from server.net.pending_connections import PendingConnection, PendingConnections
from server.net.person_face import PersonFace
from server.net.poller import Poller
from server.net.proxy_header import InvalidProxyHeader, read_proxy_header
from server.net.session import Session, new_challenge
from server.net.text_face import TextFace
from server.net.tls import ALERT as TLS_ALERT
from server.net.tls import HANDSHAKE_WORK, SILENCE_SECONDS, HandshakeFailed, RawWire, ServerCertificate
from server.net.wire import SocketWire, StreamWire, Wire
from server.net.write_coalescing import WriteCoalescer
from server.store.journal import Journal
from server.store.rows import Store
from server.table.live import STALL
from server.time_budget import TimeBudget
from server.token_bucket import TokenBucket

log = logging.getLogger("magehall.app")

SILENCE_LOOK_SECONDS = 5.0
READING_SECONDS = 0.1  # how long peers have to read the goodbye before their connections are closed
GOODBYES_AT_ONCE = 64
KEEPING_SECONDS = 6.0  # time limit for the last writes to reach the disk
# A dead connection is dropped after 3 minutes: 2 minutes of silence, then 3 probes. The kernel sends no probes while
# sent bytes are unacknowledged; without TCP_USER_TIMEOUT it would retry for 15 minutes.
KEEPALIVE = (("TCP_KEEPIDLE", 120), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 180_000))
PORTS_TRIED = 20  # how often the server looks for a port that is free on both IPv4 and IPv6, if `port` is 0


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system


class App:
    """A running server. With a store it continues with everything that is stored there. `serve` sets `port` to the port
    in use."""

    def __init__(
        self,
        config: Config,
        games: Mapping[str, Game],
        house: HouseBots,
        nursery: trio.Nursery,
        store: Store | None = None,
        certificate: ServerCertificate | None = None,
    ) -> None:
        self.config = config = replace(config)  # a copy, because reading the settings file again changes it
        self.certificate = certificate
        common = SharedObjects(
            config, games, house, Journal(store, waits=config.waits_for_disk), broadcaster=Broadcaster(nursery)
        )
        self.lobby = Lobby(common, nursery)
        self.broken = False  # whether the server stops because a failed fsync left it unknown what is on disk
        if store is not None:
            nursery.start_soon(common.journal.run)
            common.journal.on_broken = self._give_up
            nursery.start_soon(limit_stored_bytes, store, common.journal, config.data_bytes)
            restore_lobby(self.lobby, store)
        self.lingering = WriteCoalescer()
        nursery.start_soon(self.lingering.run)
        self.sessions: dict[Session, None] = {}  # in the order in which they began
        self.connections = 0  # number of connections, including those that have no name yet
        self.lobby.health.connections = lambda: self.connections
        self.lobby.health.certificate = certificate
        self._strangers = PendingConnections(config)
        self._headless, self._stalls = LogThrottle(60.0), LogThrottle(60.0)
        self.poller: Poller | None = None
        self.port: int
        self.web_port: int | None = None  # the port of the pages for browsers; None if there is none
        self.stopping = trio.Event()  # set this event to shut the server down in an orderly way
        self._left = trio.Event()
        self._nursery = nursery
        self.version = build_version()

    async def handle_connection(self, stream: trio.abc.Stream) -> None:
        """Handles one connection from start to end. Its errors do not affect other connections."""
        if not isinstance(stream, trio.SocketStream):
            await self.serve_connection(StreamWire(stream), None)
            return
        try:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.config.kernel_bytes)
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, True)
            for name, value in KEEPALIVE:
                if hasattr(socket, name):  # some systems lack some of these options
                    stream.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        except OSError:
            await trio.aclose_forcefully(stream)
            return
        address, peer = grouped_peer_address(stream), peer_ip(stream)
        is_proxied = address is not None and is_in_networks(peer, self.config.proxy_from)
        if is_proxied:
            address = group_address(await self._source_of(stream, peer))
        share = WorkShare(address)
        kind = SocketWire if self.certificate is None else RawWire
        await self.serve_connection(kind(stream, self.poller, share), address, share, is_proxied=is_proxied)

    async def _source_of(self, stream: trio.SocketStream, peer: str) -> str:
        """Returns the client's address from the header that the proxy sent. Without a valid header, returns the proxy's
        own address."""
        source = ""
        try:
            source = await read_proxy_header(stream)
        except InvalidProxyHeader as error:  # the connection is served like one of the proxy itself
            times = self._headless.count_if_due(peer, trio.current_time()) if error.args[0] else 0
            if times:
                more = f", as on {times - 1} connections since the last such line" if times > 1 else ""
                told = extra_fields("no_proxy_header", address=peer, reason=str(error), times=times)
                log.warning("no PROXY header from %s: %s%s", peer, error, more, extra=told)
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return source or peer

    async def serve_connection(
        self,
        wire: Wire,
        address: str | None,
        share: WorkShare | None = None,
        *,
        is_proxied: bool = False,
        connection: ServerConnection | None = None,
        make_face: Callable[[TextSession, Session], PersonFace] = TextFace,
    ) -> None:
        """Admits a connection and runs its session. If there are too many connections without a name, one of them is
        closed.

        Args:
            wire: The byte stream of the connection.
            address: The peer's address as `group_address` writes it; None if unknown.
            share: On whose behalf the server works for this connection; by default that of the peer's address.
            is_proxied: Whether the address is the one that a proxy named.
            connection: The protocol's state machine that parses the bytes; by default the one of PROTOCOL.md.
            make_face: Creates the face for a person who types, from the text session and the session.
        """
        place = self._strangers.add_connection(address)
        if self.connections >= self.config.sessions + self.config.strangers_an_address:
            self._strangers.evict_oldest()
        self.connections += 1
        try:
            meters, since = self.lobby.limits.stranger_buckets(address), trio.current_time()
            challenge = self._greet(wire) if meters and wire.greets_first else ""
            share = share or WorkShare(address if address is not None else wire)
            if meters and not await self._wait_in_line(place, wire, meters, challenge, share):
                await wire.abort()
                return
            is_encrypted = isinstance(wire, RawWire)
            if isinstance(wire, RawWire):
                secure = await self._shake_hands(place, wire, meters)
                if secure is None:
                    return
                wire = secure
            full = Refusal("server_full") if self.lobby.service.closing else None
            session = Session(
                wire,
                self.lobby,
                self._nursery,
                self.version,
                self.lingering,
                origin=Origin(address, is_proxied, is_encrypted),
                share=share,
                place=place,
                greeted=(challenge, since) if challenge else None,
                refusal=self.lobby.bans.ban_refusal(address) or full,
                connection=connection,
                make_face=make_face,
            )
            self.sessions[session] = None
            try:
                await session.run()
            finally:
                self.sessions.pop(session, None)
        except Exception:
            log.exception("closing a connection failed")
        finally:
            place.free_place()
            self.connections -= 1
            self._left.set()

    def _greet(self, wire: Wire) -> str:
        """Sends the greeting and returns its challenge. This comes before all other work, because in a flood most
        connections close after connecting."""
        challenge = new_challenge()
        # does not block, because the new socket's send buffer is empty
        wire.try_send(ServerConnection.greeting_line(self.version, challenge))
        return challenge

    async def _wait_in_line(
        self, place: PendingConnection, wire: Wire, meters: tuple[TokenBucket, ...], challenge: str, share: WorkShare
    ) -> bool:
        def pays_for_itself(first: bytes) -> bool:
            player = self.lobby.people.find_proved_seat_holder(first, challenge)
            if player is None or player.meter is None or player.meter.refill_wait(trio.current_time()):
                return False
            player.meter.charge(self.config.requests_a_connection)
            share.key, share.seats = player, player.tables
            place.free_place()
            return True

        try:
            if isinstance(wire, RawWire):  # its bytes are encrypted, so they show no hello
                return await place.wait_in_line(wire, meters, SILENCE_SECONDS)
            return await place.wait_in_line(wire, meters, self.config.login_seconds, pays_for_itself)
        except trio.Cancelled:
            if wire.greets_first:
                wire.try_send(f"Goodbye. {GOODBYES['shutdown']}\r\n".encode())
            await wire.abort()
            raise

    async def _shake_hands(
        self, place: PendingConnection, wire: RawWire, meters: tuple[TokenBucket, ...]
    ) -> Wire | None:
        """Performs the TLS handshake. Returns the encrypted wire; None if the handshake failed, and the connection is
        then closed."""
        assert self.certificate is not None
        secure: Wire | None = None
        try:
            with place.cancel_if_evicted():
                for meter in meters:
                    meter.charge(HANDSHAKE_WORK)
                secure = await self.certificate.do_handshake(wire)
        except HandshakeFailed as error:
            if times := self.lobby.strangers.count_if_due(place.address, trio.current_time()):
                more = f", one of {times} since the last such line" if times > 1 else ""
                told = extra_fields("session_ended", address=place.address, reason=str(error), times=times)
                log.info("session ended: stranger (%s%s)", error, more, extra=told)
            if error.knows_no_tls:
                wire.try_send(ServerConnection.farewell_line(self.version, SPEAKS_TLS))
                await wire.close_gracefully()
        finally:
            if secure is None:
                await wire.abort()
        return secure

    def reload_settings(self, settings: FileSettings) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Applies a settings file that was read again. Disconnects only those players whom the file bans.

        Returns:
            The names of the settings that have changed, and of those that differ but are only read when the server
                starts.
        """
        return self.apply_config(settings.apply_to(self.config))

    def apply_config(self, new: Config) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Applies those settings of another configuration that may change while the server runs. Returns the same two
        lists of names as `reload`."""
        changed, left = self.config.apply_changes(new)
        self.lobby.limits.apply_settings()
        if "bans" in changed:
            self._send_off_the_banned()
        return changed, left

    def _send_off_the_banned(self) -> None:
        for player in list(self.lobby.people.all_players()):
            if self.config.matching_ban(lookalike_key(player.name)) or (
                player.listener and self.config.matching_ban(player.address)
            ):
                remove_player(self.lobby, player, BY, "banned")
        for session in list(self.sessions):
            if session.player is None and self.config.matching_ban(session.address):
                session.end("banned")

    def _give_up(self) -> None:
        self.broken = True
        self.stopping.set()

    async def watch_for_stalls(self) -> None:
        """Detects when the whole process did not run, because it was stopped, suspended or too busy. Players get that
        time back."""
        last, worked = trio.current_time(), _cpu_seconds()
        while True:
            await trio.sleep(STALL / 2)
            now, cpu = trio.current_time(), _cpu_seconds()
            lag, stopped = now - last - STALL / 2, cpu - worked < (now - last) / 2
            busy_with = self.lobby.limits.busiest_player()
            if lag > STALL and not self.lobby.journal.failing:
                self._log_stall(lag, stopped=stopped)
                turn = TimeBudget()
                for table in list(self.lobby.tables.values()):
                    table.compensate_stall(lag, busy_with, stopped=stopped)
                    if turn.is_over:
                        await trio.lowlevel.checkpoint()
                        turn = TimeBudget()
                now, cpu = trio.current_time(), _cpu_seconds()
            last, worked = now, cpu

    def _log_stall(self, seconds: float, *, stopped: bool) -> None:
        """Logs stalls of the process, at most one line per minute, because a busy machine with hundreds of matches may
        stall twice per second."""
        matches = sum(table.state == "playing" for table in self.lobby.tables.values())
        if matches and (count := self._stalls.count_if_due(stopped, trio.current_time())):
            why = "did not run" if stopped else "was busy"
            told = extra_fields("stall", seconds=round(seconds, 3), count=count, matches=matches, stopped=stopped)
            text = "the server %s for %.2f s: %d matches get time back; stalls since the last such line: %d"
            log.warning(text, why, seconds, matches, count, extra=told)

    async def ping_silent_programs(self) -> None:
        """Pings programs that have been silent for long, so that a program that hangs does not stay connected."""
        while True:
            await trio.sleep(SILENCE_LOOK_SECONDS)
            for session in list(self.sessions):
                session.check_liveness(trio.current_time())

    async def end_all_sessions(self) -> None:
        """Ends all sessions with `bye shutdown`, and waits until peers have had time to read it. No new matches
        begin."""
        self.lobby.service.begin_shutdown()
        # the stored setting is reset, so that a restarted server admits players again
        if not (self.lobby.service.accepting or self.broken):
            self.lobby.service.set_admission(True)
        log.info(
            "saying goodbye to %d sessions", len(self.sessions), extra=extra_fields("goodbye", count=len(self.sessions))
        )
        for number, session in enumerate(list(self.sessions)):
            session.end("shutdown")
            if number % GOODBYES_AT_ONCE == 0:
                await trio.lowlevel.checkpoint()
        await trio.sleep(min(READING_SECONDS, self.config.goodbye_seconds))
        self.lobby.service.goodbye_is_read.set()
        with trio.move_on_after(self.config.goodbye_seconds):
            while self.sessions:
                self._left = trio.Event()
                await self._left.wait()


async def serve(
    config: Config,
    games: Mapping[str, Game],
    house: HouseBots,
    *,
    store: Store | None = None,
    operators: Path | None = None,
    certificate: ServerCertificate | None = None,
    task_status: trio.TaskStatus[App] = trio.TASK_STATUS_IGNORED,
    signals: bool = False,
    on_hangup: Callable[[App], bool] = lambda _app: False,
) -> None:
    """Runs the server until cancelled. Raises OSError if it cannot listen on the configured address.

    Args:
        config: The settings.
        games: The installed games by id.
        house: The house bots.
        store: Keeps the state on disk. None: the state is lost when the server ends.
        operators: The folder in which the operator's socket is created.
        certificate: With a certificate every connection uses TLS.
        task_status: Gets the App as soon as the server listens.
        signals: Whether SIGTERM, SIGINT and SIGHUP stop the server.
        on_hangup: Called at SIGHUP. The server stops if it returns False.
    """
    with ExitStack() as doors:  # closes the listeners if an error comes before the accept loops run
        listeners = await _listeners(config.host, config.port)
        for listener in listeners:
            doors.callback(listener.socket.close)
            # accepted connections inherit this limit: bytes that the server does not read yet wait at the peer
            listener.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, config.receive_bytes)
        async with trio.open_nursery() as nursery:
            app = App(config, games, house, nursery, store, certificate)
            app.poller = Poller.create_if_supported(app.lingering)
            if app.poller is not None:
                nursery.start_soon(app.poller.run)
            farewell = ServerConnection.farewell_line(app.version, CODES["server_full"].message)
            if certificate is not None:
                farewell = TLS_ALERT
            app.port = listeners[0].socket.getsockname()[1]
            browsers = await _listen_for_browsers(app, doors)
            async with trio.open_nursery() as accepting:
                if operators is not None:
                    app.lobby.health.folder = operators
                    operator = OperatorCommands(app.lobby, accepting, app.stopping.set)
                    await accepting.start(serve_operator_socket, operators, operator)
                for listener in listeners:
                    accepting.start_soon(AcceptLoop(listener, app.handle_connection, farewell).run, nursery)
                accepting.start_soon(app.watch_for_stalls)
                accepting.start_soon(app.ping_silent_programs)
                accepting.start_soon(app.lobby.refusals.run)
                if certificate is not None:
                    accepting.start_soon(certificate.warn_of_expiry)
                if browsers:
                    accepting.start_soon(_serve_browsers, app, browsers, nursery)
                if signals:
                    await accepting.start(_stop_on_signal, app, on_hangup)
                task_status.started(app)
                await app.stopping.wait()
                accepting.cancel_scope.cancel()
            doors.close()
            await app.end_all_sessions()
            with trio.move_on_after(KEEPING_SECONDS):
                await app.lobby.journal.wait_until_written()
            nursery.cancel_scope.cancel()


async def _listen_for_browsers(app: App, doors: ExitStack) -> list[trio.SocketListener]:
    """Opens the port of the browser pages, and sets `app.web_port`. Returns no listeners if the port is taken, unless
    the settings require it. Raises OSError."""
    config = app.config
    if config.web_port is None:
        return []
    try:
        listeners = await _listeners(config.host, config.web_port)
    except OSError as error:
        if config.web_required:
            raise
        text = "browsers cannot join: nothing can listen at :%d (%s); --web takes another port"
        log.warning(text, config.web_port, error.strerror, extra=extra_fields("no_pages", port=config.web_port))
        return []
    for listener in listeners:
        doors.callback(listener.socket.close)
    app.web_port = listeners[0].socket.getsockname()[1]
    return listeners


async def _serve_browsers(app: App, listeners: Sequence[trio.SocketListener], nursery: trio.Nursery) -> None:
    """Serves the browser pages, with a task in that nursery for each connection. The modules for it are imported in a
    thread when the first browser connects, as this takes 0.3 s and 20 MB."""
    pages: Any = None
    loading = trio.Lock()

    async def handle(stream: trio.SocketStream) -> None:
        nonlocal pages
        async with loading:
            if pages is None:
                module = await trio.to_thread.run_sync(importlib.import_module, "server.web.pages")
                pages = module.PageServer(app, app.config.web_hosts)
        await pages.handle(stream)

    async with trio.open_nursery() as accepting:
        for listener in listeners:
            accepting.start_soon(AcceptLoop(listener, handle, b"").run, nursery)


async def _listeners(host: str, port: int) -> list[trio.SocketListener]:
    """Opens listeners for that host on all its addresses. Raises OSError.

    With port 0 the kernel chooses different ports for IPv4 and IPv6. The function then tries to open the first one's
    port for both.
    """
    wanted = port
    for attempts_left in reversed(range(PORTS_TRIED)):
        try:
            listeners = await trio.open_tcp_listeners(port, host=host or None, backlog=1024)
        except OSError:
            if port == wanted or not attempts_left:
                raise
            port = 0  # the chosen port is taken on the other version of IP, so another one is tried
            continue
        ports = {listener.socket.getsockname()[1] for listener in listeners}
        if len(ports) == 1:
            return listeners
        port = listeners[0].socket.getsockname()[1]
        for listener in listeners:
            listener.socket.close()
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


async def _stop_on_signal(app: App, on_hangup: Callable[[App], bool], *, task_status: trio.TaskStatus[None]) -> None:
    ending = _ending()
    if hasattr(signal, "SIGHUP") and signal.SIGHUP not in ending:
        text = "SIGHUP is ignored, as nohup has it: rotate the log by copytruncate, and restart for new settings"
        log.info(text, extra=extra_fields("hangup_ignored"))
    with trio.open_signal_receiver(*ending) as signals:
        task_status.started()
        async for number in signals:
            name = signal.Signals(number).name
            if name == "SIGHUP" and on_hangup(app):
                continue
            log.info("stopping: %s", name, extra=extra_fields("signal", signal=name))
            app.stopping.set()


def _ending() -> list[signal.Signals]:
    """Returns the signals that end the server. SIGHUP is among them unless the process ignores it, as under `nohup`."""
    hangup: signal.Signals | None = getattr(signal, "SIGHUP", None)
    if hangup is None or signal.getsignal(hangup) is signal.SIG_IGN:
        return [signal.SIGTERM, signal.SIGINT]
    return [signal.SIGTERM, signal.SIGINT, hangup]
