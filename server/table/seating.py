"""The seats and spectators of a table, and the delivery of messages to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from matches.fold import SPECTATORS, Match, Outgoing
from matches.results import places
from matches.seats import Seats, SeatState
from protocol.connection import Bulletin
from protocol.messages import Message, Over, SeatInfo
from protocol.messages.parts import WANTS, Wants
from server.player import Listener, Player
from server.table.spectators import Spectators


@dataclass(slots=True)
class Chair(SeatState):
    """A seat and its player. `listener` receives its messages while the player is connected."""

    player: Player | None = None
    listener: Listener | None = None

    @property
    def is_program(self) -> bool:
        """See SeatState."""
        return self.player is not None and self.player.bot

    def info(self) -> SeatInfo:
        """Returns the public information about the seat."""
        if self.player is not None:
            here = self.listener is not None
            return SeatInfo(self.number, self.name, self.player.kind, here, self.clock, self.house_name)
        gone = bool(self.name) and not _is_called(self.name, self.house_name)  # the player was sent away
        by = self.house_name if gone else ""
        return SeatInfo(self.number, self.name, "house" if self.name else "empty", clock=self.clock, by=by)


class Seating(Seats[Chair]):
    """The players of a table's seats, and all recipients of its messages, including spectators."""

    def __init__(self, seats: int, grace: float, spectators: Spectators | None = None) -> None:
        super().__init__(Chair(number, grace) for number in range(1, seats + 1))
        self.spectators = Spectators() if spectators is None else spectators
        self._grace = grace

    def chair_of(self, player: Player) -> Chair | None:
        """Returns the player's seat, or None."""
        for chair in self.chairs:
            if chair.player is player:
                return chair
        return None

    @property
    def is_played(self) -> bool:
        """Whether a player is connected to a seat that they play themselves."""
        return any(chair.house is None and chair.listener is not None for chair in self.chairs)

    def clear(self, chair: Chair) -> None:
        """Empties the seat."""
        self.chairs[chair.number - 1] = Chair(chair.number, self._grace)

    def note_places(self, game: str, over: Over) -> None:
        """Records the result for the match's players, including those whose seat a house bot took over."""
        known = [(chair.player.name if chair.player else chair.house_name or chair.name) for chair in self.chairs]
        placed = [(known[one.seat - 1], place) for one, place in zip(over.results, places(over.results), strict=True)]
        for result, (_name, place) in zip(over.results, placed, strict=True):
            player = self.chair(result.seat).player
            if player is not None:
                player.came_in(game, place, [one for at, one in enumerate(placed, 1) if at != result.seat])

    def absent(self) -> list[Player]:
        """Returns the players of seats who are not connected."""
        return [chair.player for chair in self.chairs if chair.player is not None and chair.listener is None]

    def unplug(self, player: Player) -> None:
        """Disconnects the player from the seat, without further effects."""
        chair = self.chair_of(player)
        if chair is not None:
            chair.listener = None

    def connect_as(self, other: Seating) -> None:
        """Takes the connections and spectators of another instance over."""
        self.spectators = other.spectators
        for chair in other.chairs:
            mine = self.chair_of(chair.player) if chair.player is not None else None
            if mine is not None:
                mine.listener = chair.listener

    def reconnect(self) -> None:
        """Connects the seats of present players again. For use when their absence was rolled back."""
        for chair in self.chairs:
            if chair.player is not None and chair.house is None and chair.away is None:
                chair.listener = chair.player.listener

    # -- telling -------------------------------------------------------------------------------------------------------

    def listeners(self) -> list[Listener]:
        """Returns all connections of players and spectators."""
        return [*self._seated(), *self.spectators]

    def _seated(self) -> list[Listener]:
        return [chair.listener for chair in self.chairs if chair.listener is not None]

    def outgoing(self, match: Match) -> Outgoing:
        """Returns an empty list of messages for each recipient: connected seats, and spectators if there are any.

        Also updates the match's settings of players: what their turns include, and which seats receive no events.
        """
        outgoing: Outgoing = {}
        deaf = []
        for chair in self.chairs:
            number, player = chair.number, chair.player
            if chair.listener is not None:
                outgoing[number] = []
            if player is not None:
                match.wants[number] = player.wants
                if not player.hears_events:
                    deaf.append(number)
        if self.spectators:
            outgoing[SPECTATORS] = []
        match.deaf = deaf
        return outgoing

    def wants(self, hearer: int) -> Wants:
        """Returns what the seat's turns include; the default for spectators."""
        player = self.chairs[hearer - 1].player if hearer != SPECTATORS else None
        return WANTS if player is None else player.wants

    def wait_for(self, position: int) -> None:
        """Delays all later messages to seats until that journal batch is on disk."""
        for listener in self._seated():
            listener.wait_for(position)

    def unlist(self, table_id: str) -> None:
        """Removes the table from the lists of its players."""
        for chair in self.chairs:
            if chair.player is not None:
                chair.player.tables.pop(table_id, None)

    def tell(self, message: Message, position: int = 0, but: Player | None = None) -> None:
        """Sends one message to all, except the player `but`, once that journal batch is on disk."""
        told = Bulletin((message,))
        self.wait_for(position)
        for chair in self.chairs:
            if chair.listener is not None and (but is None or chair.player is not but):
                chair.listener.push(told)
        self.spectators.tell(told, position)

    def deliver(self, outgoing: Outgoing, first: Iterable[int], position: int) -> None:
        """Sends each recipient's messages, those in `first` before the others. For spectators they wait for that
        journal batch, as they already do for seats."""
        for hearer in (*first, *outgoing):
            messages = outgoing.pop(hearer, None)
            if not messages:
                continue
            if hearer == SPECTATORS:
                self.spectators.tell(Bulletin(messages), position)
            elif listener := self.chairs[hearer - 1].listener:
                listener.push(messages, live=False)


def _is_called(name: str, house: str) -> bool:
    """Returns whether a house bot of that kind has that name: greedy, greedy-2, ..."""
    return name == house or name.removeprefix(f"{house}-").isdigit()
