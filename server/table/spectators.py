"""The spectators of a table, and how messages are sent to them. A message to many spectators is sent in slices."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, field

from protocol.connection import SharedMessages
from protocol.errors import Refusal
from protocol.messages import TableChanged
from server.broadcast import Broadcaster
from server.language import _
from server.player import PlayerSession
from server.store.journal import Journal


@dataclass(slots=True)
class _Told:
    """A message that may be sent once batch `position` of the journal is on disk. Later messages have higher
    numbers."""

    number: int
    position: int
    bulletin: SharedMessages


@dataclass(eq=False)
class Spectators(Collection[PlayerSession]):
    """The spectators of one table. Each spectator gets every message that is sent while it watches, once and in order.

    Sending a message costs the same for any number of spectators: the message is stored once. For each spectator, the
    number of the last message that it got is stored.
    """

    broadcaster: Broadcaster = field(default_factory=Broadcaster)
    journal: Journal = field(default_factory=Journal)
    table: str = ""
    # by session: the number of the last message that the spectator got
    _here: dict[PlayerSession, int] = field(default_factory=dict)
    _told: list[_Told] = field(default_factory=list)  # messages that some spectator may not have got yet
    _ready: int = 0  # number of messages in the list, from its beginning on, that may be sent now
    _latest: int = 0  # the number of the latest message
    _cried: bool = False  # whether a broadcast of messages to all spectators is running
    # sessions that stopped watching, with the journal batch of this change
    _let_go: dict[PlayerSession, int] = field(default_factory=dict)
    # sessions that began to watch, with the journal batch of this change
    _new: dict[PlayerSession, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._here)

    def __contains__(self, listener: object) -> bool:
        return listener in self._here

    def __iter__(self) -> Iterator[PlayerSession]:
        return iter(self._here)

    def add(self, listener: PlayerSession, position: int = 0) -> None:
        """Adds a spectator. This is undone if batch `position` of the journal is lost. Does nothing if the session
        watches already."""
        if listener in self._here:
            return
        self._here[listener] = self._latest
        if self._let_go.pop(listener, None) is None and position > self.journal.durable:
            self._new[listener] = position
            self.journal.add_waiter(self, position)

    def add_within_limit(self, listener: PlayerSession, position: int, most: int) -> None:
        """Like `add`, but raises Refusal (`too_many_spectators`) if there would be more than `most` spectators."""
        if listener not in self._here:
            check_spectator_limit(self, listener.address, most)
        self.add(listener, position)

    def discard(self, listener: PlayerSession) -> None:
        """Removes a spectator at once, without sending it the messages that are pending. Does nothing if the session
        does not watch."""
        self._here.pop(listener, None)
        self._let_go.pop(listener, None)
        self._new.pop(listener, None)
        if not self._here:
            self._told.clear()
            self._ready = 0

    def send_to_all(self, bulletin: SharedMessages, position: int = 0) -> None:
        """Sends a message to all spectators once batch `position` of the journal is on disk."""
        if not self._here:
            return
        if self._told:
            position = max(position, self._told[-1].position)
        self._latest += 1
        self._told.append(_Told(self._latest, position, bulletin))
        if position > self.journal.durable:
            self.journal.add_waiter(self, position)
        else:
            self._cry()

    def send_pending(self, listener: PlayerSession) -> None:
        """Sends a spectator its pending messages at once, so that they come before an answer. Does nothing if the
        session does not watch."""
        if listener not in self._here:
            return
        heard, self._here[listener] = self._here[listener], self._latest
        for told in self._told:
            if told.number > heard:
                listener.hold_until_committed(told.position)
                listener.push(told.bulletin, kept=told.position <= self.journal.durable)

    def flush_and_remove(self, listener: PlayerSession, position: int) -> None:
        """Sends a spectator its pending messages and removes it. The removal is undone if batch `position` of the
        journal is lost. Does nothing if the session does not watch."""
        if listener not in self._here:
            return
        self.send_pending(listener)
        was_new = listener in self._new
        self.discard(listener)
        if not was_new and position > self.journal.durable:
            self._let_go[listener] = position
            self.journal.add_waiter(self, position)

    def remove_all(self, position: int) -> None:
        """Removes all spectators, as `flush_and_remove` does."""
        for listener in list(self._here):
            self.flush_and_remove(listener, position)

    def on_batch_committed(self, durable: int) -> None:
        """Sends the messages that waited for journal batches up to number `durable`. See
        server.store.journal.CommitWaiter."""
        for unsure in (self._let_go, self._new):
            for listener in [one for one, position in unsure.items() if position <= durable]:
                del unsure[listener]
        self._cry()

    # always undoes all batches that are not on disk, because the journal notifies every waiter of a failure
    def on_batch_lost(self, _durable: int, *, surely: bool) -> None:
        """Undoes the messages, arrivals and departures whose journal batches were lost."""
        del self._told[self._ready :]
        self._here |= dict.fromkeys(self._let_go, self._latest)
        self._let_go.clear()
        for listener in list(self._new):
            self.discard(listener)

    def _cry(self) -> None:
        """Begins a broadcast of the messages that may be sent. If several changes of the table follow each other, only
        the last one is sent."""
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
        """Sends the messages that may be sent to one spectator per step, until all spectators have got them."""
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
        """Sends a spectator those messages that may be sent and that it has not got yet."""
        heard, self._here[listener] = self._here[listener], self._told[self._ready - 1].number
        for told in self._told[: self._ready]:
            if told.number > heard:
                listener.push(told.bulletin, kept=True)


def _is_change(bulletin: SharedMessages) -> bool:
    return len(bulletin) == 1 and isinstance(bulletin[0], TableChanged)


def check_spectator_limit(audience: Collection[PlayerSession], address: Hashable, most: int, full: str = "") -> None:
    """Raises Refusal (`too_many_spectators`) if no more spectators from that address may be added. One address may take
    half of the places that are free.

    `full` is the text of the refusal if no place is free at all.
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
