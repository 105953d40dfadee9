"""Who looks on at a table, and what they are still to be told: they may be many, so they hear a few at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from protocol.connection import Bulletin
from protocol.messages import TableChanged
from server.crier import Crier
from server.player import Listener
from server.store.journal import Journal


@dataclass(slots=True)
class _Unkept:
    """What may be told once a batch of the journal is on disk, and to whom."""

    position: int
    bulletin: Bulletin
    hearers: dict[Listener, None]


@dataclass(eq=False)
class Spectators(Collection[Listener]):
    """Those of one table. Each hears everything that is told while it watches, once and in order."""

    crier: Crier = field(default_factory=Crier)
    journal: Journal = field(default_factory=Journal)
    _here: dict[Listener, None] = field(default_factory=dict)
    _unkept: list[_Unkept] = field(default_factory=list)
    _behind: dict[Listener, list[Bulletin]] = field(default_factory=dict)  # those to whom the crier has not come yet
    _let_go: dict[Listener, int] = field(default_factory=dict)  # with the batch of the journal that says so
    _new: dict[Listener, int] = field(default_factory=dict)  # likewise

    def __len__(self) -> int:
        return len(self._here)

    def __contains__(self, listener: object) -> bool:
        return listener in self._here

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._here)

    def add(self, listener: Listener, position: int = 0) -> None:
        """Hears what is told from now on, unless that batch of the journal is lost; harmless for who watches."""
        if listener in self._here:
            return
        self._here[listener] = None
        if self._let_go.pop(listener, None) is None and position > self.journal.durable:
            self._new[listener] = position
            self.journal.wait(self, position)

    def discard(self, listener: Listener) -> None:
        """Hears nothing any more, even of what was told before; harmless for who does not watch."""
        self._here.pop(listener, None)
        self._let_go.pop(listener, None)
        self._new.pop(listener, None)
        self._behind.pop(listener, None)
        for unkept in self._unkept:
            unkept.hearers.pop(listener, None)

    def tell(self, bulletin: Bulletin, position: int = 0) -> None:
        """Has all of them told, once that batch of the journal is on disk."""
        if not self._here:
            return
        if self._unkept:
            position = max(position, self._unkept[-1].position)
        if position > self.journal.durable:
            self._unkept.append(_Unkept(position, bulletin, self._here.copy()))
            self.journal.wait(self, position)
        else:
            self.crier.cry(self._tell, self._pass_on(bulletin, self._here))

    def catch_up(self, listener: Listener) -> None:
        """Tells it all at once that it would hear later: before it gets an answer that knows of it. Harmless for who
        does not watch."""
        if listener not in self._here:
            return
        self._tell(listener)
        for unkept in self._unkept:
            if listener in unkept.hearers:
                del unkept.hearers[listener]
                listener.wait_for(unkept.position)
                listener.push(unkept.bulletin)

    def let_go(self, listener: Listener, position: int = 0) -> None:
        """Hears the rest, and nothing more, unless that batch of the journal is lost; harmless for who does not
        watch."""
        if listener not in self._here:
            return
        self.catch_up(listener)
        was_new = listener in self._new
        self.discard(listener)
        if not was_new and position > self.journal.durable:
            self._let_go[listener] = position
            self.journal.wait(self, position)

    def close(self, position: int = 0) -> None:
        """All are let go."""
        for listener in list(self._here):
            self.let_go(listener, position)

    def kept(self, durable: int) -> None:
        """All batches up to that are on disk."""
        for unsure in (self._let_go, self._new):
            for listener in [one for one, position in unsure.items() if position <= durable]:
                del unsure[listener]
        anew: list[Listener] = []
        while self._unkept and self._unkept[0].position <= durable:
            unkept = self._unkept.pop(0)
            anew += self._pass_on(unkept.bulletin, unkept.hearers)
        self.crier.cry(self._tell, anew)

    def lost(self, _durable: int, *, surely: bool) -> None:  # every waiter is told
        """What was written last never happened."""
        self._unkept.clear()
        self._here |= self._let_go.fromkeys(self._let_go)
        self._let_go.clear()
        for listener in list(self._new):
            self.discard(listener)

    def _pass_on(self, bulletin: Bulletin, hearers: dict[Listener, None]) -> list[Listener]:
        """May be told now; returns those who had nothing to hear before."""
        anew = []
        for listener in hearers:
            if listener not in self._behind:
                self._behind[listener] = []
                anew.append(listener)
            waiting = self._behind[listener]
            if waiting and _is_change(bulletin) and _is_change(waiting[-1]):
                waiting.pop()  # of several changes of a table the last tells all
            waiting.append(bulletin)
        return anew

    def _tell(self, listener: Listener) -> None:
        for bulletin in self._behind.pop(listener, ()):
            listener.push(bulletin)


def _is_change(bulletin: Bulletin) -> bool:
    return len(bulletin) == 1 and isinstance(bulletin[0], TableChanged)
