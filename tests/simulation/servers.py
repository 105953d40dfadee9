"""The servers of a simulation: one after the other on the same disk, killed or stopped in good order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import trio

from client.house import BotHouse
from games.api import Game
from games.registry import all_games
from matches.house import HouseBot
from server.app import App
from server.config import Config
from tests.helpers.house import FirstHouse
from tests.helpers.toy import TOY
from tests.simulation.checks import Broken
from tests.simulation.disk import FaultyDisk
from tests.simulation.network import Network

GAMES: dict[str, Game] = {TOY.id: TOY, **all_games()}
PAUSE = 2.0  # seconds, after which somebody starts a server again that gave up
ROUNDING = 1e-9  # seconds
CONFIG = Config(port=0)


class House:
    """Implements matches.house.House: the bot `random`, which in the toy game does the first thing that is legal."""

    def __init__(self) -> None:
        self._bots, self._toy = BotHouse(), FirstHouse("random")

    def names(self, game: Game) -> tuple[str, ...]:
        return ("random",)

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        house = self._toy if game is TOY else self._bots
        return house.make(game, seats, options, name, seed)


class Servers:
    """At most one is up at a time."""

    def __init__(self, nursery: trio.Nursery, network: Network, disk: FaultyDisk) -> None:
        self._nursery, self._network, self._disk = nursery, network, disk
        self._app: App | None = None
        self._scope = trio.CancelScope()
        self._gone = trio.Event()
        self._turn = trio.Lock()
        self._stood_at: dict[str, float] = {}  # by table: the moment of its match at which the last server was lost

    async def restart(self, *, orderly: bool, pause: float) -> None:
        """As `end`, and after a while the next one begins."""
        async with self._turn:
            await self.end(orderly=orderly)
            await trio.sleep(pause)
            await self.begin()

    async def begin(self) -> None:
        """A server that goes on with what is on the disk. Raises Broken where time went on without one."""
        self._app = app = await self._nursery.start(self._run)
        for table in app.lobby.tables.running_tables():
            now = table.require_live_match().match_time()
            if now > self._stood_at.get(table.id, now) + ROUNDING:
                raise Broken(f"{table.id}: {now - self._stood_at[table.id]} seconds passed while the server was down")

    async def end(self, *, orderly: bool) -> None:
        """The server stops as it does when told to, or is killed. Returns when nothing of it is left."""
        app, self._app = self._app, None
        if app is None:
            return
        if orderly:
            self._network.serve = None
            await app.end_all_sessions()
            with trio.move_on_after(CONFIG.goodbye_seconds):
                await app.lobby.journal.wait_until_written()
        running = (
            [] if self._disk.unsure else app.lobby.tables.running_tables()
        )  # else what was undone may be there all the same
        self._stood_at = {table.id: table.require_live_match().match_time() for table in running}
        self._network.lose_server()
        self._disk.lose_server()
        self._scope.cancel()
        await self._gone.wait()
        self._disk.dead = False

    async def _run(self, *, task_status: trio.TaskStatus[App]) -> None:
        self._gone = trio.Event()
        try:
            async with trio.open_nursery() as nursery:
                self._scope = nursery.cancel_scope
                app = App(CONFIG, GAMES, House(), nursery, self._disk)
                nursery.start_soon(app.ping_silent_programs)
                self._network.serve = lambda stream: nursery.start_soon(app.handle_connection, stream)
                task_status.started(app)
                await app.stopping.wait()  # its disk cannot be trusted any more
                self._nursery.start_soon(partial(self.restart, orderly=True, pause=PAUSE))
                await trio.sleep_forever()
        finally:
            self._gone.set()
