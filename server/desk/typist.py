"""What the text face needs to know of the person who types: the current table, and its game's values in words."""

from __future__ import annotations

from typing import Any

from games.api import Unreadable, plain, to_map
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import Map
from protocol.text.where import Decision, Where
from server.desk.context import Peer
from server.desk.lobby import Lobby
from server.table.table import Table

WIDTH = 78  # columns of a board
MISSED_LINES = 10  # of a match that are repeated to a person who comes back


class TableInWords:
    """A table as text for people."""

    def __init__(self, table: Table) -> None:
        self._table, self._words = table, table.game.words
        self.id = table.id

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        return self._table.names()

    def board(self, view: Any) -> list[str]:
        """The table as this view shows it."""
        return [] if view is None else plain(self._words.board(view, self.names(), WIDTH))

    def tell(self, event: Any) -> str:
        """One sentence for an event; "" where there is nothing worth a line."""
        return self._words.tell(event, self.names())

    def ask(self, turn: m.Turn) -> str:
        """What is to be decided, in one sentence."""
        return self._words.ask(turn.view, turn.legal)

    def legal(self, turn: m.Turn) -> list[str]:
        """What may be done, as it is typed."""
        return [self._words.write(action) for action in turn.legal]


class Typist:
    """One peer who types. `here` is the current table."""

    def __init__(self, lobby: Lobby, peer: Peer) -> None:
        self._lobby, self._peer = lobby, peer
        self._table: Table | None = None
        self._here: TableInWords | None = None

    def where(self) -> Where:
        """What the meaning of a typed line depends on."""
        table = self._current()
        game = table.game if table is not None else None
        return Where(
            games=self._lobby.games,
            tables=self._tables,
            table=table.id if table is not None else "",
            game=game.id if game is not None else "",
            forms=game.words.help if game is not None else "",
            decision=self.decision,
        )

    def _tables(self, state: str) -> list[str]:
        return [table.id for table in self._lobby.tables.values() if table.state == state]

    def decision(self) -> Decision | None:
        """The decision that the typist has to make at the current table."""
        table, player = self._current(), self._peer.player
        if table is None or player is None or not table.awaits(player):
            return None
        chair = table.seating.chair_of(player)
        turn = table.turn(chair.number) if chair is not None else None
        if turn is None:
            return None

        def read(line: str) -> list[Map]:
            try:
                return [to_map(action) for action in table.game.words.read(line, turn.view, turn.legal)]
            except Unreadable as error:
                raise Refusal("unreadable", str(error)) from None

        def listed(place: int) -> Map:
            return to_map(turn.legal[place])

        return Decision(table.id, turn.turn, len(turn.legal), listed, read)

    # -- tables --------------------------------------------------------------------------------------------------------

    @property
    def here(self) -> TableInWords | None:
        """The current table."""
        return self._here

    def _current(self) -> Table | None:
        """The current table as it is now: it is another one where the last changes could not be kept."""
        if self._table is not None:
            self._table = self._lobby.tables.get(self._table.id, self._table)
        return self._table

    def turn_to(self, table_id: str) -> None:
        """Makes that the current table; "" for none."""
        table = self._lobby.tables.get(table_id)
        if table is not self._table:
            self._table, self._here = table, TableInWords(table) if table is not None else None

    def table(self, table_id: str) -> TableInWords | None:
        """That table, if there is one."""
        table = self._lobby.tables.get(table_id)
        if table is self._table:
            return self._here
        return TableInWords(table) if table is not None else None

    def missed(self, table_id: str) -> int | None:
        """The message after which a running match is repeated to the typist; None if they have no seat in one."""
        table, player = self._lobby.tables.get(table_id), self._peer.player
        chair = table.seating.chair_of(player) if table is not None and player is not None else None
        if table is None or chair is None or table.match is None:
            return None
        return max(0, table.match.counts[chair.number] - MISSED_LINES)
