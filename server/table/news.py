"""Tells who is at an open table what has changed there: the seats at once, and spectators, who may be many, a few at a
time, of several changes the last."""

from __future__ import annotations

from typing import Protocol

from protocol.connection import Bulletin
from protocol.messages import Message
from server.common import Common
from server.player import Listener, Player
from server.table.records import Records
from server.table.seating import Seating


class Room(Protocol):
    """What is to be known of a table."""

    seating: Seating
    records: Records

    @property
    def state(self) -> str:
        """open, playing or over."""
        ...


class News:
    """One a table. What is not told yet when the table is open no more is not told: the match, or its end, says it."""

    def __init__(self, common: Common, room: Room) -> None:
        self._crier, self._journal, self._room = common.crier, common.journal, room
        self._to_be_kept: dict[int, tuple[Bulletin, list[Listener]]] = {}  # the last of each batch of the journal
        self._latest = Bulletin(())
        self._waiting: dict[Listener, None] = {}  # spectators who will hear it

    def tell(self, message: Message, position: int, but: Player | None) -> None:
        """All of them, or all but that player, once that batch of the journal is on disk."""
        told = Bulletin((message,))
        for chair in self._room.seating.chairs:
            if chair.listener is not None:
                chair.listener.wait_for(position)
                if but is None or chair.listener is not but.listener:
                    chair.listener.push(told)
        if self._room.seating.spectators:
            self._to_be_kept[position] = told, list(self._room.seating.spectators)
            if position > self._journal.durable:
                self._journal.wait(self, position)
            else:
                self.kept(position)

    def kept(self, durable: int) -> None:
        """All batches up to that are on disk: spectators need not wait for it one by one."""
        for position in [position for position in self._to_be_kept if position <= durable]:
            self._latest, hearers = self._to_be_kept.pop(position)
            more = [listener for listener in hearers if listener not in self._waiting]
            self._waiting.update(dict.fromkeys(more))
            self._crier.cry(self._tell, more)

    def lost(self, _durable: int, *, surely: bool) -> None:  # every waiter is told
        """What was written last never happened."""
        self._to_be_kept.clear()

    def _tell(self, listener: Listener) -> None:
        del self._waiting[listener]
        room = self._room
        if room.state == "open" and not room.records.retired and listener in room.seating.spectators:
            listener.push(self._latest)
