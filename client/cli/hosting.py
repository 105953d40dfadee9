"""`magehall host`: runs a server for the local network, and gives its host a seat, in one terminal."""

from __future__ import annotations

import errno
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import trio

from bots.sdk.connection import system_error_text
from bots.sdk.nursery import nursery_for_block
from bots.sdk.registry import all_bots
from bots.sdk.tls import KnownServers, Tls
from client.addresses import OwnAddresses, shareable_addresses
from client.cli.own_table import is_shared
from client.cli.play import check_seat_count, join_or_resume, resolve_house_bots
from client.cli.seats import default_seat_count
from client.cli.serving import (
    CannotServe,
    ServeSettings,
    build_config,
    load_certificate,
    load_games,
    open_data_store,
    waiting_player_lines,
)
from client.cli.unfinished import UnfinishedChoice, choose_plan, make_asker, stored_tables, tables_of_host
from client.connecting import CannotPlay, ConnectedSession, ConnectOptions, has_name, last_used_name, open_session
from client.house import BotHouse, is_searching
from client.language import _
from client.nearby import announce_server
from games.api import Game
from people.hosting import Host, connect_lines, invitation_lines
from protocol import PORT
from protocol import messages as m
from protocol.names import is_name, is_reserved
from server.app import App, serve
from server.config import Config
from server.net.tls import ServerCertificate
from server.store.rows import Store


def run_host(options: ConnectOptions, settings: ServeSettings, said: UnfinishedChoice | None = None) -> int:
    """Runs the server until its host quits. Returns the exit code. `said` is the plan for unfinished tables of an
    earlier session; None means that the host is asked.

    Raises CannotPlay, CannotServe, LinkFailed, Refused; EOFError if the host quits instead of answering.
    """
    # drops the server's log, because the terminal shows the match
    logging.getLogger("magehall").addHandler(logging.NullHandler())
    games, config = load_games(settings.cards), build_config(settings)
    if options.clock is not None:
        options = replace(options, clock=config.clock)
    options = replace(options, bots=resolve_house_bots(games[options.game], options.bots))
    _check(options, games, config)
    certificate = load_certificate(config)
    if certificate is not None:
        options = replace(options, tls=Tls(fingerprint=certificate.fingerprint, known=KnownServers()))
    options = replace(options, host="127.0.0.1", known_as=_known_as(settings.data))
    store = open_data_store(settings.data)
    try:
        name = options.name or last_used_name(options.known_as)
        there = tables_of_host(stored_tables(store, config, games), name)
        plan = choose_plan(there, options, said, make_asker())
        # return to the host's old table, instead of opening the one that the options describe
        if there and plan is UnfinishedChoice.BACK:
            options = replace(options, any_game=True, seats=0, bots=(), options={}, delay=0, clock=None)
        return trio.run(
            _host, options, settings, games, config, certificate, store, plan, [info.table for info in there]
        )
    except OSError as error:
        why = _(
            "The server cannot listen at port {port}: {strerror}.", port=config.port, strerror=system_error_text(error)
        )
        free = _("--port 0 takes a free port.") if error.errno == errno.EADDRINUSE else ""
        raise CannotServe(f"{why} {free}".strip()) from None
    finally:
        if store is not None:
            store.close()


def _check(options: ConnectOptions, games: dict[str, Game], config: Config) -> None:
    """Raises CannotPlay if the options describe an impossible table or host name, before the server's port is
    opened."""
    game = games[options.game]
    check_seat_count(game, options.bots, options.seats or max(default_seat_count(game), len(options.bots) + 1))
    thinking = sum(is_searching(all_bots()[bot]) for bot in options.bots)
    if thinking > config.thinkers:
        raise CannotPlay(
            _("At most {most} thinking bots may play at once here, not {count}.", most=config.thinkers, count=thinking)
        )
    if options.name and not is_name(options.name):
        raise CannotPlay(_("{name!r} cannot be a name; letters of one script, digits, - and _ can.", name=options.name))
    if options.name and is_reserved(options.name, {bot for one in games.values() for bot in BotHouse().names(one)}):
        raise CannotPlay(_("The name {name} is the server's own or a house bot's; take another.", name=options.name))


async def _host(
    options: ConnectOptions,
    settings: ServeSettings,
    games: dict[str, Game],
    config: Config,
    certificate: ServerCertificate | None,
    store: Store | None,
    plan: UnfinishedChoice,
    there: Sequence[str],
) -> int:
    ended = trio.Event()

    async def served(task_status: trio.TaskStatus[App]) -> None:
        run = partial(serve, config, games, BotHouse(), store=store, operators=settings.data, certificate=certificate)
        await run(task_status=task_status)
        ended.set()

    async with nursery_for_block() as nursery:
        app: App = await nursery.start(served)
        try:
            code = await _at_home(nursery, app, replace(options, port=app.port), plan, there)
        finally:
            app.stopping.set()
            with trio.CancelScope(shield=True, deadline=trio.current_time() + 2 * config.goodbye_seconds + 1):
                await ended.wait()
        if app.broken:
            raise CannotPlay(_("The disk failed during a write. Everything that was acknowledged before is saved."))
        return code


async def _at_home(
    nursery: trio.Nursery, app: App, options: ConnectOptions, plan: UnfinishedChoice, there: Sequence[str]
) -> int:
    """Runs the host's own session at the server. Returns the exit code."""
    own = OwnAddresses()
    tell = partial(announce_server, tls=app.certificate is not None)
    nursery.start_soon(tell, app.port, lambda: own.address_texts, partial(waiting_player_lines, app))
    name = options.name or last_used_name(options.known_as)
    for table in there if plan is UnfinishedChoice.CLOSE else ():
        app.lobby.tables.close_table(app.lobby.tables.require_table(table), name)
    for owner in {table.owner for table in app.lobby.tables.values()} - {name}:
        if has_name(options.known_as, owner):  # the owner is this host, under the name of an earlier session
            _close_lone_tables(app, owner)
    host = Host(
        lambda: shareable_addresses(own.now),
        app.port,
        app.port == PORT,
        partial(_guests, app),
        app.lobby.journal.keeps,
        app.certificate.fingerprint if app.certificate is not None else "",
        app.web_port,
    )
    async with open_session(options, host=host) as visit:
        for line in invitation_lines(host):
            visit.show_text("".join(text for _style, text in line), "title")
        nursery.start_soon(own.poll_changes, partial(_invite_more, visit))
        await visit.ask(m.Operator(id=1, word=app.config.operator_word), m.DoneReply)
        await join_or_resume(visit, options, beside=plan is UnfinishedChoice.BESIDE, exact=not there)
        return await visit.run()


def _close_lone_tables(app: App, name: str) -> None:
    """Closes the host's open tables that have no other player, because no one waits for them."""
    for table in list(app.lobby.tables.values()):
        if table.state == "open" and table.owner == name and not is_shared(table.table_info(), name):
            app.lobby.tables.close_table(table, name)


def _invite_more(visit: ConnectedSession, came: list[str]) -> None:
    """Shows the host the new addresses at which others can connect."""
    if (host := visit.person.settings.host) is not None:
        for address in came:
            for line in connect_lines(host, address):
                visit.show_text("".join(text for _style, text in line), "title")


def _known_as(data: Path | None) -> str:
    """Returns the key under which the host's name at this server is stored. It depends on the data folder, not on the
    port."""
    return f"host-{sha256(str(data.resolve()).encode()).hexdigest()[:16]}" if data is not None else ""


def _guests(app: App, own: str) -> list[str]:
    return [player.name for player in app.lobby.people.connected_players() if player.name != own]
