"""Recovery: restores the lobby from the store, all of it when the server starts, and parts of it after a failed
commit."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from functools import partial

from protocol.messages import TableInfo
from protocol.names import lookalike_key
from server.common import BANS, LAST_TABLE, LET_IN, LOBBY, SharedObjects
from server.cups.cup_rows import CUP
from server.desk.lobby import Lobby
from server.log_fields import extra_fields
from server.player import NAME, Player
from server.store.rows import Store, StoreFailed
from server.table.records import TABLE
from server.table.recovery import restore_table
from server.table.table import Table

log = logging.getLogger("magehall.store")

LOST_TABLES = 10_000  # more tables than the last batches can have opened, which may be lost

TABLE_ID = re.compile(r"t([1-9][0-9]{0,14})")


def restore_lobby(lobby: Lobby, store: Store) -> None:
    """Restores everything in the store, with all players disconnected. From then on the journal's failures undo the
    changes that could not be saved. Raises StoreFailed if nothing can be read."""
    current = store.current_subjects()
    for subject in current:
        if subject.startswith(NAME):
            _recall_name(lobby, store, subject)
        elif not TABLE_ID.fullmatch(subject) and not subject.startswith(CUP):
            told = extra_fields("row_unknown", row=f"{subject!a}")
            log.error("row %a is of an unknown kind and stays unchanged", subject, extra=told)
    numbers = _numbers(current)
    lobby.tables.set_last_number(max([last_table_number(store), *numbers]) + (LOST_TABLES if store.lost else 0))
    for number in numbers:
        table = _recall_table(lobby, store, f"t{number}")
        if table is not None:
            _take_in(lobby, table)
    for subject in current:
        if subject.startswith(CUP):
            _recall_cup(lobby, store, subject)
    _recall_bans(lobby, store)
    _recall_doors(lobby, store)
    lobby.presence.update_seats()
    if current:
        names, on = lobby.people.name_count, len(lobby.tables.running_tables())
        told = extra_fields("recalled", names=names, tables=len(lobby.tables), matches=on)
        log.info("restored %d names and %d tables; %d matches continue", names, len(lobby.tables), on, extra=told)
    lobby.journal.on_failure = partial(_undo, lobby, store)
    lobby.journal.on_recovery = partial(_go_on, lobby)
    lobby.journal.on_slow = partial(_give_back, lobby)


def unfinished_tables(store: Store, common: SharedObjects) -> list[TableInfo]:
    """Returns the open and running tables in the store, without running them. Raises StoreFailed."""
    people: dict[str, Player] = {}
    found = []
    for number in _numbers(store.current_subjects()):
        try:
            rows = store.read(f"t{number}")
            if TABLE in rows:
                table = restore_table(f"t{number}", rows, common, lambda name: people.setdefault(name, Player(name)))
                found += [table.table_info()] if table.state != "over" and not table.stopped else []
        except Exception as error:  # only a server that starts logs it as an error
            log.debug("table t%d cannot be read (%s)", number, type(error).__name__)
    return found


def _numbers(subjects: Iterable[str]) -> list[int]:
    """Returns the numbers of those subjects that are tables, sorted."""
    return sorted(int(found[1]) for found in map(TABLE_ID.fullmatch, subjects) if found)


def last_table_number(store: Store) -> int:
    """Returns the number of the latest table, so that no id is used twice. If the row with it is lost, returns the
    highest number of a stored table. Raises StoreFailed if neither can be read."""
    try:
        return int(store.read(LOBBY)[LAST_TABLE])
    except (StoreFailed, ValueError, KeyError):
        return max(_numbers(store.all_subjects()), default=0)


def _recall_bans(lobby: Lobby, store: Store) -> None:
    try:
        lobby.bans.restore(store.read(LOBBY).get(BANS, b""))
    except Exception as error:
        told = extra_fields("bans_unreadable", error=type(error).__name__)
        log.error("the bans cannot be read (%s)", type(error).__name__, extra=told)


def _recall_doors(lobby: Lobby, store: Store) -> None:
    with suppress(StoreFailed):  # _recall_bans has already logged it
        row = store.read(LOBBY).get(LET_IN)
        lobby.service.restore(row)
    if not lobby.service.accepting:
        log.warning(
            "new players and matches are refused, as before the restart; accept cancels this",
            extra=extra_fields("not_accepting"),
        )


def _recall_name(lobby: Lobby, store: Store, subject: str) -> None:
    try:
        lobby.people.restore_player(store.read(subject))
    except Exception as error:
        told = extra_fields("name_unreadable", error=type(error).__name__)
        log.error("a name cannot be read (%s); its data stays unchanged", type(error).__name__, extra=told)
        lobby.people.mark_unreadable(subject.removeprefix(NAME))


def _recall_cup(lobby: Lobby, store: Store, subject: str) -> None:
    try:
        lobby.cups.restore_cup(store.read(subject))
    except Exception as error:
        told = extra_fields("cup_unreadable", error=type(error).__name__)
        log.error("a cup cannot be read (%s); its data stays unchanged", type(error).__name__, extra=told)
        lobby.cups.mark_unreadable(subject)


def _recall_table(lobby: Lobby, store: Store, table_id: str) -> Table | None:
    """Returns the restored table; None if the store has no such table or it cannot be read. The rows of an unreadable
    table stay in the store unchanged."""
    try:
        rows = store.read(table_id)
        return restore_table(table_id, rows, lobby.common, lobby.people.find_player) if TABLE in rows else None
    except Exception as error:
        told = extra_fields("table_unreadable", table=table_id, error=type(error).__name__)
        log.error("table %s cannot be read (%s); its data stays unchanged", table_id, type(error).__name__, extra=told)
        return None


def _take_in(lobby: Lobby, table: Table) -> None:
    lobby.tables.add(table)
    if table.state != "over":
        for seat_state in table.seating.seat_states:
            if seat_state.player is not None and table.id in seat_state.player.tables:
                # locks the player's name if its rows are lost, because a new player of that name would get the seat
                lobby.people.mark_unreadable(lookalike_key(seat_state.name))
    if table.stopped:
        log.warning(
            "table %s began with other rules or cards than those installed, so it is not continued",
            table.id,
            extra=extra_fields("other_rules", table=table.id),
        )
    elif table.state == "playing":
        lobby.start_table_task(table)


def _undo(lobby: Lobby, store: Store, subjects: Collection[str]) -> None:
    """Resets the names, tables and cups of these subjects to what is on disk, and stops the clocks of all matches."""
    if LOBBY in subjects:
        _recall_bans(lobby, store)
    for subject in sorted(subjects):
        if subject.startswith(NAME):
            _undo_name(lobby, store, subject)
    for subject in sorted(subjects):
        if TABLE_ID.fullmatch(subject):
            _undo_table(lobby, store, subject)
    lobby.tables.sort()
    for subject in sorted(subjects):
        if subject.startswith(CUP):
            _undo_cup(lobby, store, subject)
    for table in lobby.tables.running_tables():
        table.require_live_match().stop_clock()


def _undo_name(lobby: Lobby, store: Store, subject: str) -> None:
    try:
        lobby.people.reset_name(subject.removeprefix(NAME), store.read(subject))
    except Exception as error:
        told = extra_fields("name_unreadable", error=type(error).__name__)
        log.error("a name cannot be read (%s); it keeps its state in memory", type(error).__name__, extra=told)
        lobby.people.mark_unreadable(subject.removeprefix(NAME))


def _undo_cup(lobby: Lobby, store: Store, subject: str) -> None:
    try:
        lobby.cups.reset_cup(subject, store.read(subject))
    except Exception as error:
        told = extra_fields("cup_unreadable", error=type(error).__name__)
        log.error("a cup cannot be read (%s); it keeps its state in memory", type(error).__name__, extra=told)


def _undo_table(lobby: Lobby, store: Store, table_id: str) -> None:
    old = lobby.tables.remove_lost_table(table_id)
    if old is not None:
        old.seating.remove_from_players(old.id)
        old.records.retired = True
        if old.match is not None:
            old.require_live_match().end_task()
    table = _recall_table(lobby, store, table_id)
    if table is not None:
        _take_in(lobby, table)
        if old is not None:
            table.seating.take_connections_from(old.seating)
        table.seating.restore_sessions()


def _give_back(lobby: Lobby, subjects: set[str], seconds: float) -> None:
    """Gives the players of these tables back the seconds that messages waited for the disk."""
    for table in lobby.tables.running_tables():
        if table.id in subjects:
            table.require_live_match().compensate_disk_wait(seconds)


def _go_on(lobby: Lobby) -> None:
    """Starts the clocks of all matches again, and marks the players who left meanwhile as away."""
    for table in lobby.tables.running_tables():
        table.require_live_match().resume_clock()
    lobby.presence.update_seats()
    lobby.cups.wake_cups()
