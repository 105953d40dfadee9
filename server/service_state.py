"""Whether a server admits newcomers and lets matches begin."""

from __future__ import annotations

import trio

from protocol.errors import Refusal
from protocol.messages import Service
from server.common import LET_IN, LOBBY
from server.language import _
from server.store.journal import Journal

DRAINS = b"drain"  # the stored row of a server that drains; an empty row means that it is closed to newcomers


class ServiceState:
    """The state of one server: open, closed to newcomers, draining, or shutting down. All but the last survive a
    restart."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.closing = False
        # set when peers have had time to read the goodbye at shutdown, so that sessions may close their connections
        self.goodbye_is_read = trio.Event()
        self.accepting = True  # whether newcomers are admitted and matches may begin
        self.draining = False  # whether the server ends with its last match
        self.told = Service(state="open")  # the announcement that was sent last

    def state_name(self) -> str:
        """Returns the state as a value of `Service.state`."""
        return "draining" if self.draining else "open" if self.accepting else "closed"

    def set_admission(self, everybody: bool, *, draining: bool = False) -> None:
        """Opens the server to newcomers and new matches, or closes it to both. The setting is stored."""
        self.accepting, self.draining = everybody, draining
        if self._journal.keeps:
            self._journal.put_row(LOBBY, LET_IN, None if everybody else DRAINS if draining else b"")

    def drain(self) -> None:
        """Makes the server end after its last match."""
        self.draining = True

    def restore(self, row: bytes | None) -> None:
        """Restores the stored setting. `row` is None if nothing is stored."""
        self.accepting, self.draining = row is None, row == DRAINS

    def record_announcement(self, told: Service) -> bool:
        """Records an announcement. Returns False if it is the same as the previous one."""
        is_new, self.told = told != self.told, told
        return is_new

    def begin_shutdown(self) -> None:
        """Begins the shutdown: from now on no tables are opened and no matches begin."""
        self.closing = True

    def check_can_begin(self) -> None:
        """Raises Refusal (`shutting_down`) if no tables may be opened and no matches may begin."""
        if self.closing:
            raise Refusal("shutting_down")
        if not self.accepting:
            raise Refusal("shutting_down", _("For now the server begins no new matches."))
