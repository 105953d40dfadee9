"""Whether a server admits newcomers and begins matches."""

from __future__ import annotations

import trio

from protocol.errors import Refusal
from protocol.messages import Service
from server.common import LET_IN, LOBBY
from server.language import _
from server.store.journal import Journal

DRAINS = b"drain"  # stored row of a draining server; an empty row is that of a closed one


class ServiceState:
    """The state of one server: open, closed to newcomers, draining, or closing. It is stored, so that it survives a
    restart."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.closing = False
        self.goodbye_is_read = trio.Event()  # set when sessions may close their connections at shutdown
        self.accepting = True  # whether newcomers are admitted and matches begin
        self.draining = False  # the server ends with its last match
        self.told = Service(state="open")  # the latest announcement

    def name(self) -> str:
        """Returns the state as a value of `Service.state`."""
        return "draining" if self.draining else "open" if self.accepting else "closed"

    def let_in(self, everybody: bool, *, draining: bool = False) -> None:
        """Opens the server to newcomers and new matches, or closes it. The setting is stored."""
        self.accepting, self.draining = everybody, draining
        if self._journal.keeps:
            self._journal.put(LOBBY, LET_IN, None if everybody else DRAINS if draining else b"")

    def drain(self) -> None:
        """Makes the server end with its last match."""
        self.draining = True

    def recall(self, row: bytes | None) -> None:
        """Restores the stored setting. None means that there is no stored row."""
        self.accepting, self.draining = row is None, row == DRAINS

    def tell(self, told: Service) -> bool:
        """Records an announcement. Returns False if it repeats the latest one."""
        is_new, self.told = told != self.told, told
        return is_new

    def close(self) -> None:
        """Begins the shutdown: no tables are opened, and no matches begin."""
        self.closing = True

    def check_begins(self) -> None:
        """Raises `shutting_down` if no tables may be opened and no matches may begin."""
        if self.closing:
            raise Refusal("shutting_down")
        if not self.accepting:
            raise Refusal("shutting_down", _("For now the server begins no new matches."))
