"""`magehall host`: a server for the network, and a seat at it, in one terminal."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import trio

from bots.sdk.connection import plainly
from bots.sdk.nursery import nursery_for_block
from client.addresses import OwnAddresses, for_others
from client.cli.play import seat_there
from client.cli.serving import CannotServe, Settings, config_of, games_with, store_in, waiting_at
from client.connecting import CannotPlay, Connected, Options, connected
from client.house import BotHouse
from client.language import _
from client.nearby import announce
from client.person.hosting import Host, invitation, ways
from games.api import Game
from protocol import PORT
from protocol import messages as m
from server.app import App, serve
from server.config import Config
from server.store.rows import Store


def host(options: Options, settings: Settings) -> int:
    """Serves for as long as the person plays; returns the exit code. Raises CannotPlay, CannotServe, LinkFailed,
    Refused."""
    logging.getLogger("magehall").addHandler(logging.NullHandler())  # the terminal shows the match
    games, config = games_with(settings.cards), config_of(settings)
    store = store_in(settings.data)
    try:
        return trio.run(_host, options, settings, games, config, store)
    except OSError as error:
        raise CannotServe(
            _(
                "The server cannot listen at port {port}: {strerror}.",
                port=config.port,
                strerror=plainly(error),
            )
        ) from None
    finally:
        if store is not None:
            store.close()


async def _host(
    options: Options, settings: Settings, games: dict[str, Game], config: Config, store: Store | None
) -> int:
    ended = trio.Event()

    async def served(task_status: trio.TaskStatus[App]) -> None:
        run = partial(serve, config, games, BotHouse(), store=store, operators=settings.data)
        await run(task_status=task_status)
        ended.set()

    async with nursery_for_block() as nursery:
        app: App = await nursery.start(served)
        own = OwnAddresses()
        nursery.start_soon(announce, app.port, lambda: own.texts, partial(waiting_at, app))
        options = replace(options, host="127.0.0.1", port=app.port, known_as=_known_as(settings.data))
        async with connected(options) as visit:
            guests = partial(_guests, app, visit.name)
            addresses = lambda: for_others(own.now)  # noqa: E731
            visit.human.host = Host(addresses, app.port, app.port == PORT, guests, keeps=store is not None)
            for line in invitation(visit.human.host):
                visit.say("".join(text for _style, text in line), "title")
            nursery.start_soon(own.follow, partial(_invite_more, visit))
            await visit.ask(m.Operator(id=1, word=config.operator_word), m.Done)
            await seat_there(visit, options)
            code = await visit.run()
        app.stopping.set()
        with trio.move_on_after(2 * config.goodbye_seconds + 1):
            await ended.wait()
        if app.broken:
            raise CannotPlay(_("The disk failed while writing; what was acknowledged before is kept."))
        return code


def _invite_more(visit: Connected, came: list[str]) -> None:
    """Says by which new addresses the others come."""
    if (host := visit.human.host) is not None:
        for address in came:
            for line in ways(host, address, further=True):
                visit.say("".join(text for _style, text in line), "title")


def _known_as(data: Path | None) -> str:
    """The server is the same on another port, if it goes on with the same data."""
    return f"host-{sha256(str(data.resolve()).encode()).hexdigest()[:16]}" if data is not None else ""


def _guests(app: App, own: str) -> list[str]:
    return [player.name for player in app.lobby.people.here() if player.name != own]
