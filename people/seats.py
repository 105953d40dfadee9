"""The tables where a person sits or watches, and those of the server as it listed them last. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from games.api import Game
from people.evening import Evening
from people.language import _
from people.table import PersonTable
from protocol import messages as m
from protocol.errors import Refusal


class Seats:
    """`here` is the current table, which typed lines are about."""

    def __init__(self) -> None:
        self.tables: dict[str, PersonTable] = {}
        self.here: PersonTable | None = None
        self.last_over: m.Over | None = None  # how the last match ended
        self.evening = Evening()
        self.listed: tuple[m.TableInfo, ...] = ()
        self.is_fresh = False  # no line was carried out since they were listed

    def show(self, table: PersonTable | None) -> None:
        """The person is at that table alone, which is as it is now."""
        self.here = table
        self.tables = {table.id: table} if table is not None else {}

    def take(self, info: m.TableInfo, seat: int, game: Game) -> PersonTable:
        """The person has that seat there, or watches; the table becomes the current one."""
        people = [one.name for one in info.seats]
        table = self.tables.get(info.table)
        if table is None:
            table = PersonTable(info.table, game, seat, len(people), info.options, people, info.state)
            self.tables[info.table] = table
        table.take(info, seat)
        self.here = table
        self._drop_finished()
        return table

    def begin(self, told: m.Started, game: Game) -> PersonTable:
        """A match begins; its table becomes the current one, unless a decision is awaited at another."""
        names = [info.name for info in told.seats]
        table = PersonTable(told.table, game, told.you, len(names), told.options, names, "playing")
        table.begin(told)
        self.tables[told.table] = table
        if self.here is None or self.here.id == table.id:
            self.here = table
        else:
            self.turn_unless_asked(table)
        self._drop_finished()
        return table

    def _drop_finished(self) -> None:
        """Forgets the tables whose match is over, except the current one."""
        self.tables = {one: table for one, table in self.tables.items() if table.state != "over" or table is self.here}

    def turn_to(self, table_id: str) -> None:
        """Makes one of the person's tables the current one. Raises Refusal if it is not one of theirs."""
        if table_id not in self.tables:
            raise Refusal("no_such_table", _("You are at no table {table_id!r}.", table_id=table_id))
        self.here = self.tables[table_id]

    def turn_unless_asked(self, table: PersonTable) -> None:
        """Makes that table the current one, unless a decision is awaited at the current one."""
        if self.here is None or self.here.turn is None:
            self.here = table

    def forget(self, table_id: str) -> PersonTable | None:
        """The person is no longer at that table."""
        table = self.tables.pop(table_id, None)
        if self.here is not None and self.here.id == table_id:
            self.here = next(iter(self.tables.values()), None)
        return table

    def end(self, table: PersonTable, over: m.Over) -> None:
        """The match at that table is over."""
        table.end(over)
        self.last_over = over
        self.evening.note(table.id, table.game.id, over.results)

    def note_list(self, tables: Iterable[m.TableInfo], *, fresh: bool = False) -> None:
        """The server listed its tables; `fresh` if a line that is carried out next needs them."""
        self.listed, self.is_fresh = tuple(tables), fresh or self.is_fresh

    def use_list(self) -> None:
        """A line was carried out; the list is no longer fresh."""
        self.is_fresh = False
