"""The seats and the spectators of a table, and how messages are sent to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from matches.fold import SPECTATORS, Match, Outgoing
from matches.results import compute_places
from matches.seats import SeatState, SeatStates
from protocol.connection import SharedMessages
from protocol.messages import Message, Over, SeatInfo
from protocol.messages.parts import WANTS, Wants
from server.player import Player, PlayerSession
from server.table.spectators import Spectators


@dataclass(slots=True)
class TableSeat(SeatState):
    """A seat of a table and its player. `listener` is the player's session; None while the player is disconnected."""

    player: Player | None = None
    listener: PlayerSession | None = None

    @property
    def is_program(self) -> bool:
        """See SeatState."""
        return self.player is not None and self.player.bot

    def seat_info(self) -> SeatInfo:
        """Returns what everyone may know about the seat."""
        if self.player is not None:
            here = self.listener is not None
            return SeatInfo(self.number, self.name, self.player.kind, here, self.clock, self.house_name)
        # the seat still has the name of a player who was removed
        gone = bool(self.name) and not _is_called(self.name, self.house_name)
        by = self.house_name if gone else ""
        return SeatInfo(self.number, self.name, "house" if self.name else "empty", clock=self.clock, by=by)


class Seating(SeatStates[TableSeat]):
    """The seats of a table with their players, and all recipients of its messages, including spectators."""

    def __init__(self, seats: int, grace: float, spectators: Spectators | None = None) -> None:
        super().__init__(TableSeat(number, grace) for number in range(1, seats + 1))
        self.spectators = Spectators() if spectators is None else spectators
        self._grace = grace

    def seat_state_of(self, player: Player) -> TableSeat | None:
        """Returns the seat that the player has; None if the player has none."""
        for seat_state in self.seat_states:
            if seat_state.player is player:
                return seat_state
        return None

    @property
    def has_active_player(self) -> bool:
        """Whether a player is connected who plays their seat themselves, without a house bot."""
        return any(seat_state.house is None and seat_state.listener is not None for seat_state in self.seat_states)

    def clear_seat(self, seat_state: TableSeat) -> None:
        """Makes a seat empty."""
        self.seat_states[seat_state.number - 1] = TableSeat(seat_state.number, self._grace)

    def record_places(self, game: str, over: Over) -> None:
        """Adds the result to the statistics of the match's players, including those whose seat a house bot took
        over."""
        known = [
            (seat_state.player.name if seat_state.player else seat_state.house_name or seat_state.name)
            for seat_state in self.seat_states
        ]
        placed = [
            (known[one.seat - 1], place) for one, place in zip(over.results, compute_places(over.results), strict=True)
        ]
        for result, (_name, place) in zip(over.results, placed, strict=True):
            player = self.seat_state(result.seat).player
            if player is not None:
                player.add_match_result(game, place, [one for at, one in enumerate(placed, 1) if at != result.seat])

    def absent_players(self) -> list[Player]:
        """Returns the players who have a seat and are not connected."""
        return [
            seat_state.player
            for seat_state in self.seat_states
            if seat_state.player is not None and seat_state.listener is None
        ]

    def detach_session(self, player: Player) -> None:
        """Removes the player's session from the seat, without a message or an entry in the log."""
        seat_state = self.seat_state_of(player)
        if seat_state is not None:
            seat_state.listener = None

    def take_connections_from(self, other: Seating) -> None:
        """Takes over the sessions and the spectators of `other`, the object that this one replaces."""
        self.spectators = other.spectators
        for seat_state in other.seat_states:
            mine = self.seat_state_of(seat_state.player) if seat_state.player is not None else None
            if mine is not None:
                mine.listener = seat_state.listener

    def restore_sessions(self) -> None:
        """Gives seats the sessions of their players again, if the players are present. Needed after their absence was
        undone."""
        for seat_state in self.seat_states:
            if seat_state.player is not None and seat_state.house is None and seat_state.away is None:
                seat_state.listener = seat_state.player.listener

    # -- sending -------------------------------------------------------------------------------------------------------

    def receiver_sessions(self) -> list[PlayerSession]:
        """Returns the sessions of all connected players and spectators."""
        return [*self._seated(), *self.spectators]

    def _seated(self) -> list[PlayerSession]:
        return [seat_state.listener for seat_state in self.seat_states if seat_state.listener is not None]

    def new_outgoing(self, match: Match) -> Outgoing:
        """Returns an empty list of messages for each recipient: each seat with a connected player, and the spectators
        if there are any.

        Also sets what the match needs to know about its players: what their turns include, and which seats get no
        events.
        """
        outgoing: Outgoing = {}
        unsubscribed = []
        for seat_state in self.seat_states:
            number, player = seat_state.number, seat_state.player
            if seat_state.listener is not None:
                outgoing[number] = []
            if player is not None:
                match.wants[number] = player.wants
                if not player.hears_events:
                    unsubscribed.append(number)
        if self.spectators:
            outgoing[SPECTATORS] = []
        match.unsubscribed = unsubscribed
        return outgoing

    def wanted_fields(self, hearer: int) -> Wants:
        """Returns which fields the turns of that recipient include. Spectators have the default."""
        player = self.seat_states[hearer - 1].player if hearer != SPECTATORS else None
        return WANTS if player is None else player.wants

    def hold_until_committed(self, position: int) -> None:
        """Holds back all later messages to players until batch `position` of the journal is on disk."""
        for listener in self._seated():
            listener.hold_until_committed(position)

    def remove_from_players(self, table_id: str) -> None:
        """Removes the table from the list of tables of each of its players."""
        for seat_state in self.seat_states:
            if seat_state.player is not None:
                seat_state.player.tables.pop(table_id, None)

    def send_to_all(self, message: Message, position: int = 0, but: Player | None = None) -> None:
        """Sends a message to all players and spectators, except the player `but`, once batch `position` of the journal
        is on disk."""
        told = SharedMessages((message,))
        self.hold_until_committed(position)
        for seat_state in self.seat_states:
            if seat_state.listener is not None and (but is None or seat_state.player is not but):
                seat_state.listener.push(told)
        self.spectators.send_to_all(told, position)

    def deliver(self, outgoing: Outgoing, first: Iterable[int], position: int) -> None:
        """Sends to each recipient the messages in `outgoing`, beginning with the recipients in `first`. Spectators get
        them once batch `position` of the journal is on disk; for players this wait has been set before."""
        for hearer in (*first, *outgoing):
            messages = outgoing.pop(hearer, None)
            if not messages:
                continue
            if hearer == SPECTATORS:
                self.spectators.send_to_all(SharedMessages(messages), position)
            elif listener := self.seat_states[hearer - 1].listener:
                listener.push(messages, live=False)


def _is_called(name: str, house: str) -> bool:
    """Returns whether `name` is one that a house bot of the kind `house` gets, such as greedy or greedy-2."""
    return name == house or name.removeprefix(f"{house}-").isdigit()
