"""Connects players to their sessions and disconnects them, and updates their seats."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import trio

from protocol.errors import Refusal
from protocol.names import lookalike_key
from server.common import SharedObjects
from server.desk.bans import Bans
from server.desk.held_seats import HeldSeats
from server.desk.tables import TableRegistry
from server.language import _
from server.name_registry import NameRegistry
from server.player import Player, PlayerSession
from server.service_state import ServiceState
from server.subscriptions import Subscriptions
from server.table.table import Table


class Connections:
    """Which players of one server are connected. `came` is called with the name of each player who connects."""

    def __init__(
        self,
        common: SharedObjects,
        nursery: trio.Nursery,
        people: NameRegistry,
        tables: TableRegistry,
        service: ServiceState,
        bans: Bans,
        subscriptions: Subscriptions,
        came: Callable[[str], None],
    ) -> None:
        self._config, self._journal = common.config, common.journal
        self._people, self._tables, self._service, self._bans = people, tables, service, bans
        self._subscriptions, self._came = subscriptions, came
        self._held_seats = HeldSeats(nursery, tables, people, common.journal)

    def check_can_connect(self, name: str, address: Hashable) -> None:
        """Raises `banned`, `shutting_down` or `server_full` if a player of that name may not connect from that address
        now."""
        refusal = self._bans.ban_refusal(lookalike_key(name)) or self._bans.ban_refusal(address)
        if refusal is not None:
            raise refusal
        player = self._people.find_player(name)
        plays = player is not None and any(table.is_playing(player) for table in self._tables.tables_of_player(player))
        if not self._service.accepting and not plays:
            raise Refusal("shutting_down", _("For now the server only admits players of running matches."))
        if player is not None and (player.listener is not None or self._tables.count_tables_of(player)):
            return  # this player is connected already, or has a seat that is held
        there, most = self._people.count_names_at(address), self._config.for_address(address).sessions_an_address
        if address is not None and there >= most:
            text = _(
                "Your address has {count} of {most} names that may be here at once. Come back when one has left.",
                count=there,
                most=most,
            )
            raise Refusal("server_full", text)
        if self._people.connected_count >= self._config.sessions:
            text = _(
                "{count} names are here, the most that the server takes. Come back when one has left.",
                count=self._config.sessions,
            )
            raise Refusal("server_full", text)

    def update_seats(self) -> None:
        """Updates the seats of players who came or went while the disk could not be written. Absent players keep a seat
        at an open table for the grace time."""
        for table in self._tables.values():
            for player in table.seating.absent_players():
                self._held_seats.hold_seat(table, player.name, self._config.grace)
        for table in self._tables.running_tables():
            for seat_state in table.seating.seat_states:
                if seat_state.player is None or seat_state.house is not None:
                    continue
                if seat_state.listener is None:
                    table.record_disconnect(seat_state.player)
                elif seat_state.away is not None:
                    table.require_live_match().record_presence(seat_state.number, "back")

    def connect_player(self, player: Player, listener: PlayerSession) -> None:
        """Connects the player to that session. An earlier session of the player ends."""
        old, tables = player.listener, self._tables.tables_of_player(player)
        player.listener = None
        if old is not None:
            self._detach(player, old, [table for table in tables if table.state != "open"])
            old.end("replaced")
        player.listener = listener
        self._people.connect(player, listener.address)
        for table in tables:
            if table.state == "open":  # at open tables the end of the earlier session was not announced
                table.reconnect_player(player, listener)
        self._came(player.name)

    def disconnect_player(self, player: Player, listener: PlayerSession, how: str) -> None:
        """Disconnects the player from that session. `how` is `left` if the player quit on purpose, otherwise `away`."""
        if player.listener is listener:
            player.listener, player.seen = None, trio.current_time()
            self._detach(player, listener, self._tables.tables_of_player(player), how)

    def _detach(self, player: Player, listener: PlayerSession, tables: Iterable[Table], how: str = "away") -> None:
        for table in tables:
            # seats stay as they are until the server runs again, because no change could be stored
            if self._service.closing or self._journal.failing:
                table.seating.detach_session(player)
            else:
                table.record_disconnect(player, how)
            self._held_seats.hold_seat(table, player.name, self._config.open_seat_seconds)
        self._people.disconnect(player, listener.address)
        if not self._service.closing:
            self._subscriptions.remove_session(listener)
