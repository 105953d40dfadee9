"""One server in memory, those who sit at its only table, and those whose bytes are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import trio
import trio.testing

from games.api import Action, Game, Seat, State
from protocol.messages import ClockRule
from server.config import Config
from server.table.table import Table
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.wire import FACES, TYPED, Face
from tests.server.leaks.forked import ForkedState
from tests.server.leaks.one_match import OneMatch
from tests.server.leaks.page_reader import PageReader
from tests.server.leaks.watched import Client, Ledger
from tournaments.cup import CupSettings

CONFIG = Config(port=0, requests_at_once=10**9)
SECRET = bytes(range(32))  # of tournaments


@dataclass
class World:
    """One server, its players and those whose bytes are compared. `live` is its task."""

    game: Game
    seats: int
    observer: Seat | None
    face: Face
    delay: int = 0  # after which spectators see all hands
    sentences: int = 0  # so many of all actions the observer asks `why` of, each time others
    pages: bool = False  # whether a browser without a name reads all pages
    ledger: Ledger = field(default_factory=Ledger)
    players: list[Client] = field(default_factory=list)
    watched: list[Client] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)  # what was done in secret, in every writing
    disk: Disk = field(default_factory=Disk)  # survives the server
    hall: Hall = field(init=False)
    _asked: int = 0
    _gone: trio.Event = field(default_factory=trio.Event)

    async def live(self, *, task_status: trio.TaskStatus[None]) -> None:
        """A server, until `kill`."""
        async with trio.open_nursery() as nursery:
            self._life = nursery.cancel_scope
            with self.ledger.open():
                self.hall = Hall(nursery, CONFIG, {self.game.id: self.game}, store=self.disk)
            task_status.started()
            await trio.sleep_forever()
        self._gone.set()

    def kill(self) -> None:
        """The server dies; it has no last words."""
        self.disk.dead = True
        self._said = len(self.ledger.log)
        for session in self.hall.app.sessions:
            session._wire.broken = True  # nobody waits for what is still to be told
        self._life.cancel()

    async def restart(self, nursery: trio.Nursery) -> None:
        """A server on the same disk, to which everybody comes back."""
        del self.ledger.log[self._said :]
        self._gone, self.disk.dead = trio.Event(), False
        await nursery.start(self.live)
        for client in dict.fromkeys((*self.players, *self.watched)):
            client.hall = self.hall
            await client.connect(again=True)
            if client in self.players:
                await client.ask("resume", table="t1", after=0)
            else:
                await client.ask("watch", table="t1")

    async def begin(self, *, tournament: bool) -> None:
        """The table is full, spectators sit there, the match has begun."""
        if self.pages:
            self.watched.append(PageReader(self.hall, "browser", "json", self.game, self.ledger))
        for seat in range(1, self.seats + 1):
            face: Face = self.face if seat == self.observer else "json"
            self.players.append(Client(self.hall, f"p{seat}", face, self.game, self.ledger))
            await self.players[-1].connect()
        if tournament:
            await self._enter()
            return
        opening = {"game": self.game.id, "seats": self.seats, "delay": self.delay}
        await self.players[0].ask("open", **opening)
        for player in self.players[1:]:
            await player.ask("join", table="t1", delay=self.delay)
            if self.delay and player.face in TYPED:
                await player.ask("join", table="t1")
        if self.observer is None or self.delay:  # a player may look on under other names
            for face in FACES:
                await self.spectate(f"live-{face}", face)
        if self.observer is not None:
            self.watched.append(self.players[self.observer - 1])
        await self.players[0].ask("start", table="t1")

    async def _enter(self) -> None:
        """The players are those of a cup of one match, and who observes them from outside follows it."""
        cups = self.hall.lobby.cups
        told = CupSettings("cup", "", self.game.id, self.seats, ClockRule(), OneMatch.id, "fresh", 1, 1, SECRET)
        live = cups.open_cup(told)
        for player in self.players:
            cups.enter_entrant(live, player.name, (player.name,), 1)
        if self.observer is None:
            for face in FACES:
                self.watched.append(Client(self.hall, f"live-{face}", face, self.game, self.ledger))
                await self.watched[-1].connect()
                await self.watched[-1].ask("follow", cup="cup")
        with self.ledger.open():
            cups.change_state(live, "running")
            await trio.testing.wait_all_tasks_blocked()
        if self.observer is not None:
            self.watched.append(self.players[self.observer - 1])

    async def spectate(self, name: str, face: Face) -> None:
        """One more spectator."""
        client = Client(self.hall, name, face, self.game, self.ledger)
        self.watched.append(client)
        await client.connect()
        await client.ask("watch", table="t1")

    @property
    def table(self) -> Table:
        """The only one."""
        return self.hall.lobby.tables["t1"]

    @property
    def other(self) -> Seat:
        """A seat that is not the observer's."""
        return (self.observer or 0) % self.seats + 1

    @property
    def state(self) -> State:
        """The truth."""
        state = self.table.require_match().state
        assert isinstance(state, ForkedState)
        return state.inner

    def over(self) -> bool:
        """Whether the match has ended."""
        return self.table.state == "over"

    async def act(self, seat: Seat, action: Action) -> None:
        """A decision of a seat."""
        self._put_act(seat, action)
        await trio.testing.wait_all_tasks_blocked()

    def _put_act(self, seat: Seat, action: Action) -> None:
        turn = self.table.require_match().turns[seat]
        typed = self.game.words.format_action(action)
        self.secrets += [repr(action), *([typed] if " " in typed else [])]
        self.players[seat - 1].put("act", table="t1", turn=turn, action=action)

    def probe(self, actions: Sequence[Action]) -> Iterator[None]:
        """Everything that those who are watched may ask, legal or not; the others look and ask, too. One client after
        the other asks all at once, and is answered before the next one asks."""
        for player in self.players:
            if player not in self.watched:
                for kind in ("look", "legal", "log", "replay"):
                    player.put(kind, table="t1")
                yield
        for client in self.watched:
            for kind in ("look", "legal", "clock", "tables", "who", "stats", "log", "replay", "hands"):
                client.put(kind, **({"table": "t1"} if kind not in ("tables", "who", "stats") else {}))
            if client.face in TYPED:
                client.put("hint")
            if self.observer is not None and client in self.players:
                client.put("resume", table="t1", after=2)
                for action in (*actions, *self._some_of_all()):
                    client.put("why", table="t1", action=action)
                for action in actions:
                    if self.state.refusal_reason(self.observer, action) is not None:
                        self._put_act(self.observer, action)
                    if client.face not in TYPED:
                        client.put("act", table="t1", turn=0, action=action)
            yield

    def _some_of_all(self) -> Sequence[Action]:
        """Some of the actions that the game knows, legal or not; each time others."""
        if not self.sentences:
            return ()
        every = self.game.all_actions(self.seats, self.table.require_match().state.options)
        self._asked += self.sentences
        step = max(1, len(every) // self.sentences)
        return every[self._asked // self.sentences % step :: step][: self.sentences]

    async def come_back(self) -> None:
        """The watched are cut and come back; spectators watch again."""
        for client in self.watched:
            await client.cut()
            await client.connect(again=True)
            if client in self.players:
                await client.ask("resume", table="t1", after=0)
            else:
                await client.ask("watch", table="t1")
