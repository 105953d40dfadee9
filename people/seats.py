"""The tables where a person has a seat or watches, and the server's latest list of all tables. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from games.api import Game
from people.evening import Evening
from people.language import _
from people.table import PersonTable
from protocol import messages as m
from protocol.errors import Refusal


class JoinedTables:
    """The tables that the person plays at or watches, by id. `here` is the current one, to which typed lines refer."""

    def __init__(self) -> None:
        self.tables: dict[str, PersonTable] = {}
        self.here: PersonTable | None = None
        self.last_over: m.Over | None = None  # the message with which the last match ended
        self.evening = Evening()
        self.listed: tuple[m.TableInfo, ...] = ()
        self.is_fresh = False  # whether `listed` has arrived for the next line, so that it need not be requested again

    def set_only_table(self, table: PersonTable | None) -> None:
        """Makes that table the person's current and only one; with None the person has no table."""
        self.here = table
        self.tables = {table.id: table} if table is not None else {}

    def add_table(self, info: m.TableInfo, seat: int, game: Game) -> PersonTable:
        """Notes that the person has that seat at the table, or with 0 watches it. The table becomes the current one."""
        people = [one.name for one in info.seats]
        table = self.tables.get(info.table)
        if table is None:
            table = PersonTable(info.table, game, seat, len(people), info.options, people, info.state)
            self.tables[info.table] = table
        table.update_info(info, seat)
        self.here = table
        self._drop_finished()
        return table

    def begin_match(self, told: m.MatchStarted, game: Game) -> PersonTable:
        """Begins a match. Its table becomes the current one, unless the person must decide at the current one."""
        names = [info.name for info in told.seats]
        table = PersonTable(told.table, game, told.you, len(names), told.options, names, "playing")
        table.begin_match(told)
        self.tables[told.table] = table
        if self.here is None or self.here.id == table.id:
            self.here = table
        else:
            self.switch_unless_asked(table)
        self._drop_finished()
        return table

    def _drop_finished(self) -> None:
        """Removes the tables whose match is over, except the current one."""
        self.tables = {one: table for one, table in self.tables.items() if table.state != "over" or table is self.here}

    def switch_to(self, table_id: str) -> None:
        """Makes one of the person's tables the current one. Raises Refusal if the person neither plays nor watches
        there."""
        if table_id not in self.tables:
            raise Refusal("no_such_table", _("You are at no table {table_id!r}.", table_id=table_id))
        self.here = self.tables[table_id]

    def switch_unless_asked(self, table: PersonTable) -> None:
        """Makes that table the current one, unless the person must decide at the current one."""
        if self.here is None or self.here.turn is None:
            self.here = table

    def remove_table(self, table_id: str) -> PersonTable | None:
        """Removes a table that the person has left. Returns it, or None if the person did not have it."""
        table = self.tables.pop(table_id, None)
        if self.here is not None and self.here.id == table_id:
            self.here = next(iter(self.tables.values()), None)
        return table

    def end_match(self, table: PersonTable, over: m.Over) -> None:
        """Notes the end of the match at that table, and adds its results to the totals of the evening."""
        table.end_match(over)
        self.last_over = over
        self.evening.add_match(table.id, table.game.id, over.results)

    def store_list(self, tables: Iterable[m.TableInfo], *, fresh: bool = False) -> None:
        """Stores the server's list of tables. `fresh` means that it was requested for a typed line, which is carried
        out next."""
        self.listed, self.is_fresh = tuple(tables), fresh or self.is_fresh

    def mark_list_used(self) -> None:
        """Marks the list of tables as used, so that the next line that needs one requests a new list."""
        self.is_fresh = False
