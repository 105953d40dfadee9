"""The spectators of a table. Messages to many of them are sent in slices."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, field

from protocol.connection import Bulletin
from protocol.errors import Refusal
from protocol.messages import TableChanged
from server.broadcast import Broadcaster
from server.language import _
from server.player import PlayerSession
from server.store.journal import Journal


@dataclass(slots=True)
class _Told:
    """A message that may be sent once that journal batch is on disk. Numbers increase."""

    number: int
    position: int
    bulletin: Bulletin


@dataclass(eq=False)
class Spectators(Collection[PlayerSession]):
    """The spectators of one table. Each receives every message that is sent while it watches, once and in order.

    Sending costs the same for any number of spectators: the message is stored once, and for each spectator the number
    of its last message.
    """

    broadcaster: Broadcaster = field(default_factory=Broadcaster)
    journal: Journal = field(default_factory=Journal)
    table: str = ""
    _here: dict[PlayerSession, int] = field(default_factory=dict)  # the number of each one's last message
    _told: list[_Told] = field(default_factory=list)  # messages that some spectator may not have received
    _ready: int = 0  # number of messages on disk, the first ones of the list
    _latest: int = 0  # the number of the last message
    _cried: bool = False  # a broadcast of messages on disk is running
    _let_go: dict[PlayerSession, int] = field(default_factory=dict)  # by the journal batch of the departure
    _new: dict[PlayerSession, int] = field(default_factory=dict)  # by the journal batch of the arrival

    def __len__(self) -> int:
        return len(self._here)

    def __contains__(self, listener: object) -> bool:
        return listener in self._here

    def __iter__(self) -> Iterator[PlayerSession]:
        return iter(self._here)

    def add(self, listener: PlayerSession, position: int = 0) -> None:
        """Adds a spectator, unless that journal batch is lost. Has no effect on a present one."""
        if listener in self._here:
            return
        self._here[listener] = self._latest
        if self._let_go.pop(listener, None) is None and position > self.journal.durable:
            self._new[listener] = position
            self.journal.wait(self, position)

    def admit(self, listener: PlayerSession, position: int, most: int) -> None:
        """Like `add`, for at most `most` spectators. Raises `too_many_spectators`."""
        if listener not in self._here:
            check_place(self, listener.address, most)
        self.add(listener, position)

    def discard(self, listener: PlayerSession) -> None:
        """Removes a spectator at once, without its pending messages. Has no effect on others."""
        self._here.pop(listener, None)
        self._let_go.pop(listener, None)
        self._new.pop(listener, None)
        if not self._here:
            self._told.clear()
            self._ready = 0

    def tell(self, bulletin: Bulletin, position: int = 0) -> None:
        """Sends a message to all spectators, once that journal batch is on disk."""
        if not self._here:
            return
        if self._told:
            position = max(position, self._told[-1].position)
        self._latest += 1
        self._told.append(_Told(self._latest, position, bulletin))
        if position > self.journal.durable:
            self.journal.wait(self, position)
        else:
            self._cry()

    def catch_up(self, listener: PlayerSession) -> None:
        """Sends the spectator's pending messages at once, so that they precede an answer. Has no effect on others."""
        if listener not in self._here:
            return
        heard, self._here[listener] = self._here[listener], self._latest
        for told in self._told:
            if told.number > heard:
                listener.wait_for(told.position)
                listener.push(told.bulletin, kept=told.position <= self.journal.durable)

    def let_go(self, listener: PlayerSession, position: int) -> None:
        """Sends the spectator's pending messages and removes it, unless that journal batch is lost. Has no effect on
        others."""
        if listener not in self._here:
            return
        self.catch_up(listener)
        was_new = listener in self._new
        self.discard(listener)
        if not was_new and position > self.journal.durable:
            self._let_go[listener] = position
            self.journal.wait(self, position)

    def close(self, position: int) -> None:
        """Lets all spectators go."""
        for listener in list(self._here):
            self.let_go(listener, position)

    def kept(self, durable: int) -> None:
        """Confirms all batches up to that one. See server.store.journal.Waiter."""
        for unsure in (self._let_go, self._new):
            for listener in [one for one, position in unsure.items() if position <= durable]:
                del unsure[listener]
        self._cry()

    def lost(self, _durable: int, *, surely: bool) -> None:  # the journal notifies every waiter
        """Rolls back the messages, arrivals and departures of the lost batches."""
        del self._told[self._ready :]
        self._here |= dict.fromkeys(self._let_go, self._latest)
        self._let_go.clear()
        for listener in list(self._new):
            self.discard(listener)

    def _cry(self) -> None:
        """Starts to broadcast the messages on disk. Of successive changes of the table only the last is sent."""
        told = self._told
        while self._ready < len(told) and told[self._ready].position <= self.journal.durable:
            if self._ready and _is_change(told[self._ready].bulletin) and _is_change(told[self._ready - 1].bulletin):
                del told[self._ready - 1]
            else:
                self._ready += 1
        if self._ready and not self._cried:
            self._cried = True
            self.broadcaster.broadcast(self._telling())

    def _telling(self) -> Iterator[None]:
        """Yields after sending to one spectator, until all have received the messages on disk."""
        while self._ready:
            last = self._told[self._ready - 1].number
            for listener in list(self._here):
                if self._here.get(listener, last) < last:
                    self._tell(listener)
                    yield
            while self._ready and self._told[0].number <= last:
                del self._told[0]
                self._ready -= 1
        self._cried = False

    def _tell(self, listener: PlayerSession) -> None:
        """Sends the messages on disk that the spectator has not received."""
        heard, self._here[listener] = self._here[listener], self._told[self._ready - 1].number
        for told in self._told[: self._ready]:
            if told.number > heard:
                listener.push(told.bulletin, kept=True)


def _is_change(bulletin: Bulletin) -> bool:
    return len(bulletin) == 1 and isinstance(bulletin[0], TableChanged)


def check_place(audience: Collection[PlayerSession], address: Hashable, most: int, full: str = "") -> None:
    """Raises `too_many_spectators` if no more from that address may join: one address may fill half of the free places.

    `full` replaces the sentence for a full table.
    """
    free = most - len(audience)
    if free <= 0:
        text = _("That table has {most} spectators, the most that it takes. Try again when one has gone.", most=most)
        raise Refusal("too_many_spectators", full or text)
    there = sum(one.address == address for one in audience) if address is not None else 0
    if address is not None and there >= free:
        text = _(
            "{there} spectators there are from your address, and the {free} places that are left are for "
            "others. Try again when one has gone.",
            there=there,
            free=free,
        )
        raise Refusal("too_many_spectators", text)
