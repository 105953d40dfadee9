"""Servers for tests: one in memory with the toy game and virtual time, one on a real port with every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import trio

from games.api import Action, Game
from games.registry import all_games
from matches.house import HouseBots
from protocol.entries import ActionTaken
from protocol.proof import make_proof, token_key
from server.app import App, serve
from server.config import Config
from server.store.rows import Store
from server.web.page_connection import PageConnection
from server.web.page_face import PageFace
from tests.helpers.house import FirstHouse
from tests.helpers.peer import Peer, Typist
from tests.helpers.streams import MemoryStream, MemoryWire, memory_streams
from tests.helpers.toy import TOY, ToyState
from tests.helpers.wire import Face, Wire

PATIENCE = 100_000.0  # virtual seconds: a test that waits in vain fails at once
TOYS: Mapping[str, Game] = {TOY.id: TOY}


def peer_on(stream: trio.abc.HalfCloseableStream) -> Peer:
    """A peer in virtual time."""
    return Peer(stream, patience=PATIENCE, may_be_cut=True)


class Hall:
    """A server in memory, and how to connect to it."""

    def __init__(
        self,
        nursery: trio.Nursery,
        config: Config,
        games: Mapping[str, Game] = TOYS,
        house: HouseBots = FirstHouse("first"),  # noqa: B008 (it remembers nothing)
        store: Store | None = None,
    ) -> None:
        self.nursery = nursery
        self.app = App(config, games, house, nursery, store)
        self.lobby = self.app.lobby

    def limit(self, **limits: Any) -> None:
        """Gives the server other limits, as when its settings file is read again."""
        self.app.apply_config(replace(self.app.config, **limits))

    def dial(self, address: str | None = None, face: Face = "json") -> MemoryStream:
        """Our end of a new connection, from an address that is only said. A browser's page is served as such."""
        ours, theirs = memory_streams()
        serve = self.app.serve_connection
        if face == "page":
            serve = partial(serve, connection=PageConnection(), make_face=PageFace)
        self.nursery.start_soon(serve, MemoryWire(theirs), address)
        return ours

    async def wire(self, face: Face) -> Wire:
        """A stranger in that face that has read the greeting."""
        wire = Wire(self.dial(face=face), face, patience=PATIENCE, may_be_cut=True)
        await wire.receive()
        return wire

    async def connect(self, address: str | None = None) -> Peer:
        """A stranger in the JSON face that has read the greeting."""
        peer = peer_on(self.dial(address))
        await peer.receive()
        return peer

    async def player(self, name: str, address: str | None = None, **fields: Any) -> Peer:
        """Somebody with a name, taken with a token's key."""
        peer = await self.connect(address)
        peer.token = f"the token of {name}"
        return await self._named(peer, name=name, key=token_key(peer.token).hex(), **fields)

    async def again(self, name: str, token: str, address: str | None = None, **fields: Any) -> Peer:
        """The same player on a new connection."""
        peer = await self.connect(address)
        peer.token = token
        return await self._named(peer, name=name, proof=make_proof(token, peer.challenge, name), **fields)

    async def _named(self, peer: Peer, **hello: Any) -> Peer:
        welcome = await peer.ask("hello", **hello)
        assert welcome["type"] == "welcome", welcome
        return peer

    async def typist(self, width: int = 500) -> Typist:
        """A stranger at a terminal of that width, in which lines are folded, that has read the greeting. With 0 the
        terminal does not tell it."""
        typist = Typist(self.dial(), "text", patience=PATIENCE)
        await typist.heard()
        if width:
            await typist.send_bytes(b"\xff\xfa\x1f" + width.to_bytes(2, "big") + b"\x00\x18\xff\xf0")
        return typist

    async def table_of(self, *names: str, **fields: Any) -> list[Peer]:
        """Players at a running table t1, seat by seat; the first one opened it."""
        peers = [await self.player(name) for name in names]
        await peers[0].ask("open", game="toy", seats=len(names), **fields)
        for peer in peers[1:]:
            await peer.ask("join", table="t1")
        await peers[0].ask("start", table="t1")
        return peers

    def toy(self, table: str = "t1") -> ToyState:
        """The truth of a running toy match."""
        state = self.lobby.tables[table].require_match().state
        assert isinstance(state, ToyState)
        return state

    def done(self, table: str = "t1", seat: int | None = None) -> list[ActionTaken[Action]]:
        """The actions in a table's log, of all seats or of one."""
        entries = self.lobby.tables[table].entries
        return [entry for entry in entries if isinstance(entry, ActionTaken) and seat in (None, entry.seat)]


async def seated(hall: Hall, *more: str) -> Typist:
    """Ann, who types, at a running toy table against a house bot."""
    ann = await hall.typist()
    await ann.types("hello ann", "open toy 2", "add first", *more, "start")
    return ann


async def open_hall(
    nursery: trio.Nursery, config: Config | None = None, games: Mapping[str, Game] | None = None
) -> App:
    """A server on a real port, its `port`, with every game, or these; it lives as long as the nursery."""
    house = FirstHouse("greedy", "random")
    app: App = await nursery.start(serve, config or Config(port=0, house_seconds=0.0), games or all_games(), house)
    return app


async def tcp_player(port: int, name: str) -> Peer:
    """Somebody with a name on a real socket."""
    peer = Peer(await trio.open_tcp_stream("127.0.0.1", port))
    await peer.receive()
    assert (await peer.ask("hello", name=name))["type"] == "welcome"
    return peer
