"""The stored rows of a table: one row for the table, one for the header of its match, and one per entry of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Protocol, Union, get_args, get_origin

import msgspec

from games.api import Game
from matches.fold import Entry, MatchHeader
from protocol.entries import ActionRefused, ActionTaken
from protocol.messages import ClockRule, Map
from server.player import Player
from server.store.journal import Journal
from server.store.rows import EVERYTHING
from server.table.seating import Seating, TableSeat

TABLE, HEADER, FIRST_ENTRY = 0, 1, 2  # part numbers; the row with part TABLE exists as long as the table does


class SeatRow(msgspec.Struct, omit_defaults=True):
    """The stored state of one seat. `house` is the house bot that had the seat before the deal. `seated` means that a
    player has the seat, and `listed` that the table is in the list of tables where that player has a seat."""

    name: str = ""
    nonce: str = ""
    house: str = ""
    seated: bool = False
    listed: bool = False
    clock: ClockRule | None = None


class TableRow(msgspec.Struct, omit_defaults=True):
    """The stored state of a table, including the seed of its deal. `over` is stored because a server with other rules
    cannot compute it."""

    game: str
    owner: str
    options: Map
    clock: ClockRule
    seed: bytes
    salt: bytes
    seat_states: list[SeatRow] = msgspec.field(name="chairs")  # the name in the data of every version
    kicked: list[str] = []
    muted: list[str] = []
    delay: int = 0
    over: bool = False


class MatchRow(msgspec.Struct):
    """The stored header of a match, with the versions of the rules and cards under which it is played."""

    header: MatchHeader
    rules: str
    cards: str


class StoredTable(Protocol):
    """The part of a table that `TableRowWriter` stores."""

    id: str
    game: Game
    owner: str
    options: Map
    clock: ClockRule
    delay: int
    seed: bytes
    salt: bytes
    seating: Seating
    kicked: dict[Player, None]
    muted: dict[Player, None]
    stopped: bool

    @property
    def state(self) -> str:
        """The state of the table: open, playing or over."""
        ...


class TableRowWriter:
    """Writes the rows of one table. `position` is the number of the journal batch with its latest row."""

    def __init__(self, journal: Journal, table: str) -> None:
        self.journal = journal
        self.position = 0
        self._table = table
        self._row = b""
        self.retired = False  # whether a restored object has replaced the table and writes its rows now
        self._forgotten = False

    @property
    def stores_rows(self) -> bool:
        """Whether the journal keeps rows at all."""
        return self.journal.keeps

    def save_table(self, table: StoredTable) -> None:
        """Stores the table's row if it has changed. The match's log is stored by `begin` and `add`."""
        if not self.stores_rows or table.stopped or self._forgotten:
            return
        data = _encode(_row(table))
        if data != self._row:
            self._row = data
            self._put(TABLE, data)

    def store_header(self, table: StoredTable, header: MatchHeader) -> None:
        """Stores the header of the table's match when it begins."""
        self._put(HEADER, match_rows(table.game, header, ())[HEADER])

    def store_entry(self, number: int, entry: Entry) -> None:
        """Stores an entry of the match's log. The first entry has number 0."""
        self._put(FIRST_ENTRY + number, _encode(entry))

    def delete_rows(self, *, keep_match: bool) -> None:
        """Deletes the table's row. With `keep_match=False` it also deletes the match."""
        self._forgotten = True
        self._put(TABLE if keep_match else EVERYTHING, None)

    def _put(self, part: int, data: bytes | None) -> None:
        if self.stores_rows and not self.retired:
            self.position = self.journal.put_row(self._table, part, data)


def _row(table: StoredTable) -> TableRow:
    return TableRow(
        game=table.game.id,
        owner=table.owner,
        options=table.options,
        clock=table.clock,
        seed=table.seed,
        salt=table.salt,
        seat_states=[_seat_state(seat_state, table.id) for seat_state in table.seating.seat_states],
        kicked=[player.name for player in table.kicked],
        muted=[player.name for player in table.muted],
        delay=table.delay,
        over=table.state == "over",
    )


def _seat_state(seat_state: TableSeat, table: str) -> SeatRow:
    player = seat_state.player
    return SeatRow(
        name=seat_state.name,
        nonce=seat_state.nonce,
        house=seat_state.house_name if player is None else "",
        seated=player is not None,
        listed=player is not None and table in player.tables,
        clock=seat_state.clock,
    )


def match_rows(game: Game, header: MatchHeader, entries: Sequence[Entry]) -> dict[int, bytes]:
    """Returns the rows, by part, of a match that was played without a server."""
    rows = {HEADER: _encode(MatchRow(header, game.rules_version, game.cards_digest))}
    return rows | {part: _encode(entry) for part, entry in enumerate(entries, FIRST_ENTRY)}


def read_table(rows: Mapping[int, bytes]) -> TableRow:
    """Returns the row of the table. Raises msgspec.DecodeError if it is malformed, KeyError if it is missing."""
    return msgspec.msgpack.decode(rows[TABLE], type=TableRow)


def read_match(game: Game, rows: Mapping[int, bytes]) -> tuple[MatchHeader, list[Entry]]:
    """Returns the header and the log of a match. Raises msgspec.DecodeError if a row is malformed, KeyError if one is
    missing."""
    header = read_header(rows).header
    decode = _decoder(game).decode
    return header, [decode(rows[part]) for part in range(FIRST_ENTRY, max(rows) + 1)]


def read_header(rows: Mapping[int, bytes]) -> MatchRow:
    """Returns the row with the header of a match. Raises like `read_match`."""
    return msgspec.msgpack.decode(rows[HEADER], type=MatchRow)


@cache
def _decoder(game: Game) -> Any:
    """Returns a decoder for log entries with actions of that game."""
    action: Any = game.action_type
    kinds = [kind[action] if kind in (ActionTaken, ActionRefused) else kind for kind in map(_class, get_args(Entry))]
    return msgspec.msgpack.Decoder(Union[(*kinds,)])


def _class(kind: Any) -> Any:
    """Returns the class behind a generic alias. Returns any other type unchanged."""
    return get_origin(kind) or kind


_encode = msgspec.msgpack.Encoder().encode
