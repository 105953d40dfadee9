"""Whether a server admits newcomers and begins matches."""

from __future__ import annotations

import trio

from protocol.errors import Refusal
from protocol.messages import Service
from server.common import LET_IN, LOBBY
from server.language import _
from server.store.journal import Journal

DRAINS = b"drain"  # the stored row of a server that ends with its last match; an empty row: it admits no newcomers


class ServiceState:
    """The state of one server: open, closed to newcomers, draining, or closing. It is stored, so a restart keeps it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.closing = False
        self.goodbye_is_read = trio.Event()  # sessions that end with the server are closed
        self.accepting = True  # newcomers and new matches
        self.draining = False  # the server ends with its last match
        self.told = Service(state="open")  # the last announcement

    def name(self) -> str:
        """The state as a value of `Service.state`."""
        return "draining" if self.draining else "open" if self.accepting else "closed"

    def let_in(self, everybody: bool, *, draining: bool = False) -> None:
        """Admits newcomers and begins matches, or stops doing so. The setting outlives a kill."""
        self.accepting, self.draining = everybody, draining
        if self._journal.keeps:
            self._journal.put(LOBBY, LET_IN, None if everybody else DRAINS if draining else b"")

    def drain(self) -> None:
        """The server ends with its last match."""
        self.draining = True

    def recall(self, row: bytes | None) -> None:
        """Restores the stored setting; None is no row."""
        self.accepting, self.draining = row is None, row == DRAINS

    def tell(self, told: Service) -> bool:
        """Notes an announcement. Returns False if it is the last one again."""
        is_new, self.told = told != self.told, told
        return is_new

    def close(self) -> None:
        """The server ends: nothing begins any more."""
        self.closing = True

    def check_begins(self) -> None:
        """Checks that tables may be opened and matches begin. Raises `shutting_down`."""
        if self.closing:
            raise Refusal("shutting_down")
        if not self.accepting:
            raise Refusal("shutting_down", _("The server begins no new matches for now."))
