"""The tables of a server: their ids, their limits, and when they are removed."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain
from typing import Any

import trio

from games.api import Game
from people.text.sentences import CLOSED, SERVER
from protocol.errors import Refusal
from protocol.messages import SentAway
from server.common import LAST_TABLE, LOBBY, SharedObjects
from server.language import _
from server.name_registry import NameRegistry
from server.player import Player
from server.table.table import Table

_TABLE_ID = re.compile(r"t[0-9]{1,15}")
SWEEP_SECONDS = 1.0  # the shortest interval between two sweeps


class TableRegistry(Mapping[str, Table]):
    """All tables of a server by id, the oldest first. `needed` returns whether a cup has yet to read the result of that
    table."""

    def __init__(self, common: SharedObjects, people: NameRegistry, needed: Callable[[str], bool]) -> None:
        self._common, self._people, self._needed = common, people, needed
        self._config, self._journal, self._owned = common.config, common.journal, common.owned
        self._tables: dict[str, Table] = {}
        self._forgotten: dict[str, Table] = {}  # tables that are removed, but whose removal is not on disk yet
        self._last = 0  # the number of the latest table
        self._swept = float("-inf")

    def __getitem__(self, table_id: str) -> Table:
        return self._tables[table_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def require_table(self, table_id: str) -> Table:
        """Returns the table with that id. Raises `no_such_table`."""
        try:
            return self._tables[table_id]
        except KeyError:
            raise Refusal("no_such_table") from None

    def tables_after(self, table_id: str) -> list[Table]:
        """Returns all tables that were opened after the one with that id, which may be gone; for "" all tables."""
        if not table_id:
            return list(self._tables.values())
        if not _TABLE_ID.fullmatch(table_id):
            raise Refusal("no_such_table")
        ids = list(self._tables)
        return [self._tables[one] for one in ids[bisect(ids, parse_table_number(table_id), key=parse_table_number) :]]

    def add(self, table: Table) -> None:
        """Adds a table that was opened or restored to the list."""
        self._tables[table.id] = table
        self._owned.add(table)

    def remove(self, table_id: str) -> Table | None:
        """Removes the table from the list. Returns it, or None if it was not listed."""
        table = self._tables.pop(table_id, None)
        if table is not None:
            self._owned.discard(table)
        return table

    def sort(self) -> None:
        """Sorts the tables by age. Needed after restored tables were added at the end."""
        ordered = {table_id: self._tables[table_id] for table_id in sorted(self._tables, key=parse_table_number)}
        self._tables.clear()
        self._tables.update(ordered)

    def running_tables(self) -> list[Table]:
        """Returns the tables with a running match."""
        return [table for table in self._tables.values() if table.state == "playing" and not table.stopped]

    def tables_of_player(self, player: Player) -> list[Table]:
        """Returns the tables where the player has a seat, in the order in which the player sat down."""
        return [self._tables[name] for name in player.tables if name in self._tables]

    def count_tables_of(self, player: Player) -> int:
        """Returns the number of tables at which the player plays or will play. Seats that a house bot has taken over do
        not count."""
        return sum(table.has_active_seat(player) for table in self.tables_of_player(player))

    def create_table(self, game: Game, seats: int, owner: str, **settings: Any) -> Table:
        """Creates a table with the arguments of `Table`. Removes another one if there are too many. Raises
        `too_many_tables`."""
        self.remove_stale_tables()
        self._make_room(owner)
        self._last += 1
        if self._journal.keeps:
            self._journal.put_row(LOBBY, LAST_TABLE, str(self._last).encode())
        table = Table(f"t{self._last}", game, seats, self._common, owner=owner, **settings)
        self.add(table)
        return table

    def set_last_number(self, last: int) -> None:
        """Sets the number of the latest table to `last`, so that no id is used twice."""
        self._last = last

    def remove_lost_table(self, table_id: str) -> Table | None:
        """Removes and returns a table whose latest rows were lost, even if those rows were to remove it; None if there
        is none."""
        return self.remove(table_id) or self._forgotten.pop(table_id, None)

    def remove_stale_tables(self) -> None:
        """Removes finished tables some time after their end, open tables without activity, and names that never
        played."""
        now = trio.current_time()
        if now < self._swept + SWEEP_SECONDS or self._journal.failing:
            return
        self._swept = now
        self._people.forget_unused_names(now)
        for table in list(self._tables.values()):
            idle = now - table.touched
            old = table.done.is_set() and idle > self._config.keep_seconds and not self._needed(table.id)
            empty = (
                table.state == "open"
                and not any(seat_state.player for seat_state in table.seating.seat_states)
                and idle > 1
            )
            if old or empty or (table.state == "open" and idle > self._config.idle_seconds):
                self.remove_and_announce(table)

    def close_table(self, table: Table, by: str) -> None:
        """Ends a table's match, or removes an open table. Raises `game_over`."""
        if table.state == "over":
            raise Refusal("game_over")
        if table.state == "playing" and not table.stopped:
            table.require_live_match().abort(CLOSED.format(by=by))
            return
        self.remove_and_announce(table, by)

    def remove_and_announce(self, table: Table, by: str = "") -> None:
        """Removes the table. Its players and spectators get a message, unless the match has already ended with one."""
        table.records.delete_rows(keep_match=table.state != "open")
        table.seating.remove_from_players(table.id)
        if table.state != "over":
            table.seating.send_to_all(SentAway(table=table.id, why="closed", by=by), table.records.position)
        table.seating.spectators.remove_all(table.records.position)
        self.remove(table.id)  # done after sending, because the messages are worded with the help of the table
        forgotten = (*self._forgotten.values(), table)
        self._forgotten = {one.id: one for one in forgotten if one.records.position > self._journal.durable}

    def _make_room(self, owner: str) -> None:
        """Makes room for one more table of that owner. It removes finished tables first, then open ones that do not
        start, and then ends a match without players. Raises Refusal if there is no room."""
        player = self._people.find_player(owner)
        address = player.address if player is not None else None
        of_owner = sorted(self._owned.tables_of(owner) if owner else (), key=lambda table: parse_table_number(table.id))
        finished = [table for table in of_owner if table.done.is_set()]
        for table in finished[: max(0, len(finished) - self._config.finished_a_player + 1)]:
            self.remove_and_announce(table)
        if address is not None:
            held = self._count_used(address)
            own, most = sum(map(_is_used, of_owner)), self._config.for_address(address).tables_an_address
            if held >= most and not (own < self._config.tables_a_name and self._is_half_empty()):
                text = _(
                    "Your address has {held} tables of {most}, {own} of them yours; {least} each are free while there"
                    " is room. Join one, close one, or wait until one is over; tables that all have left do not count.",
                    held=held,
                    own=own,
                    most=most,
                    least=self._config.tables_a_name,
                )
                raise Refusal("too_many_tables", text)
        # tables of cups are counted apart, so that players take no room from them
        sharing = self._tables.values() if owner else self._owned.tables_of("")
        if len(sharing) >= self._config.tables:
            over = [table for table in sharing if table.done.is_set() and not self._needed(table.id)]
            patience = trio.current_time() - self._config.unstarted_seconds
            idle = [table for table in sharing if table.state == "open" and table.touched < patience]
            left = [table for table in self.running_tables() if table.owner and not _is_held(table)]
            if not (over or idle or left):
                text = _(
                    "The server is full: it has {count} tables, the most that it takes. Join one, or try again "
                    "when a match is over.",
                    count=len(sharing),
                )
                raise Refusal("too_many_tables", text)
            oldest = min(over or idle or left, key=lambda table: table.touched)
            # the task of the table removes it after the match, and the next new table takes its place
            if oldest in left:
                oldest.require_live_match().abort(CLOSED.format(by=SERVER))
            else:
                self.remove_and_announce(oldest)

    def _is_half_empty(self) -> bool:
        """Returns whether less than half of the tables that the server allows are in use. Tables that are over do not
        count, because they are removed when room is needed."""
        return len(self._tables) < self._config.tables / 2 or (
            sum(map(_is_used, self._tables.values())) < self._config.tables / 2
        )

    def _count_used(self, address: Hashable) -> int:
        """Returns the number of tables in use that count for that address: those that its connected players own, or
        play at while the owner is away."""
        used: set[Table] = set()
        for player in self._people.players_at_address(address):
            for table in chain(self._owned.tables_of(player.name), self.tables_of_player(player)):
                if table not in used and _is_used(table):
                    owner = player if table.owner == player.name else self._people.find_player(table.owner)
                    if owner is player or owner is None or owner.listener is None:
                        used.add(table)
        return len(used)


def _is_used(table: Table) -> bool:
    """Returns whether the table counts towards its owner's limit: its match is not over, and a player is connected to a
    seat that no house bot has taken over."""
    seat_states = table.seating.seat_states
    return not table.done.is_set() and any(
        seat_state.listener is not None and seat_state.house is None for seat_state in seat_states
    )


def _is_held(table: Table) -> bool:
    """Returns whether a player has a seat there that no house bot has taken over."""
    return any(seat_state.player is not None and seat_state.house is None for seat_state in table.seating.seat_states)


def parse_table_number(table_id: str) -> int:
    return int(table_id[1:])
