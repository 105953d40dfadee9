"""The least that a server of these rules can do: reads, applies, shows the view, encodes, writes. What a decision costs
here no server in plain Python gets below, whatever else it leaves out.

Nobody owns a name, no time runs, nothing is checked, counted, kept or limited, and an error ends it.
"""

from __future__ import annotations

import os
import select
import socket
from typing import Any

import msgspec
import trio

from games.api import AddressedEvent, action_from, options_from
from games.chance import Chance
from games.registry import get_game
from protocol.framing import FrameSplitter, encode_frames
from protocol.limits import FRAME_BYTES
from protocol.messages import Accepted, Happened, Message, TurnUpdate

READ_BYTES = 4_096


class Asked(msgspec.Struct):
    """Any request of the load's players."""

    type: str
    id: int
    table: str = ""
    game: str = ""
    hear: str = "live"
    seat: int = 0
    seats: int = 0
    turn: int = 0
    action: dict[str, Any] = {}


class Connection:
    """One player."""

    def __init__(self, sock: socket.socket, tables: dict[str, Table]) -> None:
        self.sock = sock
        self.patient = False  # hears what others do with its own turns
        self._tables = tables
        self._cutter = FrameSplitter(FRAME_BYTES)
        self._late: list[bytes] = []

    def read(self) -> bool:
        """False at the end."""
        data = self.sock.recv(READ_BYTES)
        self._cutter.add_data(data)
        while (frame := self._cutter.next_message()) is not None:
            self._take(_decode(frame))
        return bool(data)

    def _take(self, asked: Asked) -> None:
        tables = self._tables
        match asked.type:
            case "act":
                tables[asked.table].act(self, asked)
            case "hello":
                self.patient = asked.hear != "live"
                os.write(self.sock.fileno(), b"magehall 2 0 challenge=0\r\n")
                self.tell([{"type": "welcome"}])
            case "open":
                table = Table(f"t{len(tables)}", asked.game)
                tables[table.id] = table
                table.sit(self)
            case "join":
                tables[asked.table].sit(self)
            case "start":
                tables[asked.table].start(len(tables))
            case "sit":  # at a table that plays one match after the other
                table = tables.setdefault(asked.table, Table(asked.table, asked.game, for_ever=True))
                table.take(self, asked.seat, asked.seats)

    def tell(self, messages: list[Any], *, later: bool = False) -> None:
        """One write, now or with the next."""
        self._late.append(encode_frames(map(_encode, messages)))
        if not later:
            os.write(self.sock.fileno(), b"".join(self._late))
            self._late = []


class Table:
    """One match, or one after the other."""

    def __init__(self, table_id: str, game: str, *, for_ever: bool = False) -> None:
        self.id, self._game, self._for_ever = table_id, get_game(game), for_ever
        self._players: list[Connection] = []
        self._seats: dict[int, Connection] = {}
        self._deals = 0

    def sit(self, player: Connection) -> None:
        """One more."""
        self._players.append(player)
        player.tell([{"type": "table", "info": {"table": self.id, "state": "open"}}])

    def take(self, player: Connection, seat: int, seats: int) -> None:
        """One more; the last one begins."""
        self._seats[seat] = player
        if len(self._seats) == seats:
            self._players = [self._seats[seat] for seat in sorted(self._seats)]
            self.start(0)

    def start(self, deal: int) -> None:
        """Deals."""
        self._counts, self._turns = ([0] * (1 + len(self._players)) for _ in range(2))
        options = options_from(self._game, {})
        self._state, told = self._game.start(len(self._players), options, Chance.of_number(deal))
        self._tell(told, {})

    def act(self, player: Connection, asked: Asked) -> None:
        """Does it and tells everybody."""
        seat = self._players.index(player) + 1
        told = self._state.apply(seat, action_from(self._game, asked.action))
        self._tell(told, {seat: [Accepted(re=asked.id, table=self.id, turn=asked.turn)]})

    def _tell(self, told: list[AddressedEvent], outgoing: dict[int, list[Any]]) -> None:
        state, counts = self._state, self._counts
        for one in told:
            for seat in range(1, len(counts)) if one.only is None else (one.only,):
                if seat != one.but:
                    counts[seat] += 1
                    outgoing.setdefault(seat, []).append(Happened(table=self.id, n=counts[seat], event=one.event))
        movers = state.to_move()
        for seat in movers:
            counts[seat] += 1
            self._turns[seat] += 1
            outgoing.setdefault(seat, []).append(self._turn(seat))
        if not movers:
            for seat in range(1, len(counts)):
                outgoing.setdefault(seat, []).append({"type": "over"})
        for seat, messages in outgoing.items():
            player = self._players[seat - 1]
            player.tell(messages, later=player.patient and {*map(type, messages)} == {Happened})
        if self._for_ever and not movers:
            self._deals += 1
            self.start(self._deals)

    def _turn(self, seat: int) -> Message:
        return TurnUpdate(
            table=self.id,
            n=self._counts[seat],
            turn=self._turns[seat],
            left=60.0,
            main=60.0,
            view=self._state.view(seat),
            legal=self._state.legal_actions(seat),
        )


async def serve_least(listener: trio.SocketListener) -> None:
    """Serves until cancelled."""
    connections: dict[int, Connection] = {}
    tables: dict[str, Table] = {}
    waiting = select.epoll()

    async def let_in() -> None:
        while True:
            stream = await listener.accept()
            sock = socket.socket(fileno=os.dup(stream.socket.fileno()))
            sock.setblocking(False)
            await trio.aclose_forcefully(stream)
            connections[sock.fileno()] = Connection(sock, tables)
            waiting.register(sock.fileno(), select.EPOLLIN)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(let_in)
        while True:
            await trio.lowlevel.wait_readable(waiting.fileno())
            for number, _event in waiting.poll(0):
                if not connections[number].read():
                    connections.pop(number).sock.close()


_decode = msgspec.msgpack.Decoder(Asked).decode
_encode = msgspec.msgpack.Encoder().encode
