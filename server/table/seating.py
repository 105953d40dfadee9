"""Who is at a table: the players of its seats, and the spectators."""

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
    """A seat and who has it. `listener` receives its messages while its player is connected."""

    player: Player | None = None
    listener: Listener | None = None

    @property
    def is_program(self) -> bool:
        """See SeatState."""
        return self.player is not None and self.player.bot

    def info(self) -> SeatInfo:
        """As everybody may see it."""
        if self.player is not None:
            here = self.listener is not None
            return SeatInfo(self.number, self.name, self.player.kind, here, self.clock, self.house_name)
        gone = bool(self.name) and not _is_called(self.name, self.house_name)  # who sat there was sent away
        by = self.house_name if gone else ""
        return SeatInfo(self.number, self.name, "house" if self.name else "empty", clock=self.clock, by=by)


class Seating(Seats[Chair]):
    """Who plays in the seats of a table and who receives messages there, spectators too."""

    def __init__(self, seats: int, grace: float, spectators: Spectators | None = None) -> None:
        super().__init__(Chair(number, grace) for number in range(1, seats + 1))
        self.spectators = Spectators() if spectators is None else spectators
        self._grace = grace

    def chair_of(self, player: Player) -> Chair | None:
        """The player's chair; None without a seat here."""
        for chair in self.chairs:
            if chair.player is player:
                return chair
        return None

    @property
    def is_played(self) -> bool:
        """Whether anybody is here who plays."""
        return any(chair.house is None and chair.listener is not None for chair in self.chairs)

    def clear(self, chair: Chair) -> None:
        """Makes the chair empty again."""
        self.chairs[chair.number - 1] = Chair(chair.number, self._grace)

    def note_places(self, game: str, over: Over) -> None:
        """The match is over, and counts for its players, for those whose seat a house bot took over too."""
        known = [(chair.player.name if chair.player else chair.house_name or chair.name) for chair in self.chairs]
        placed = [(known[one.seat - 1], place) for one, place in zip(over.results, places(over.results), strict=True)]
        for result, (_name, place) in zip(over.results, placed, strict=True):
            player = self.chair(result.seat).player
            if player is not None:
                player.came_in(game, place, [one for at, one in enumerate(placed, 1) if at != result.seat])

    def absent(self) -> list[Player]:
        """Who has a seat and is not connected."""
        return [chair.player for chair in self.chairs if chair.player is not None and chair.listener is None]

    def unplug(self, player: Player) -> None:
        """The player's connection is gone, which is all that changes."""
        chair = self.chair_of(player)
        if chair is not None:
            chair.listener = None

    def connect_as(self, other: Seating) -> None:
        """Whoever is connected there is connected here."""
        self.spectators = other.spectators
        for chair in other.chairs:
            mine = self.chair_of(chair.player) if chair.player is not None else None
            if mine is not None:
                mine.listener = chair.listener

    def reconnect(self) -> None:
        """Who is here and was not away from the seat hears for it again: giving it up was not kept."""
        for chair in self.chairs:
            if chair.player is not None and chair.house is None and chair.away is None:
                chair.listener = chair.player.listener

    # -- telling -------------------------------------------------------------------------------------------------------

    def listeners(self) -> list[Listener]:
        """Everybody who is connected and sits or watches here."""
        return [*self._seated(), *self.spectators]

    def _seated(self) -> list[Listener]:
        return [chair.listener for chair in self.chairs if chair.listener is not None]

    def outgoing(self, match: Match) -> Outgoing:
        """An empty list of messages for each hearer: seats with a listener, and spectators if there are any. The match
        learns what its players want with their turns, and who is not told of events: both as of now."""
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
        """What comes with the turns of that seat; spectators have none."""
        player = self.chairs[hearer - 1].player if hearer != SPECTATORS else None
        return WANTS if player is None else player.wants

    def wait_for(self, position: int) -> None:
        """Whatever seats are told from now on waits for that batch of the journal."""
        for listener in self._seated():
            listener.wait_for(position)

    def unlist(self, table_id: str) -> None:
        """It is no table of those who sit there any more."""
        for chair in self.chairs:
            if chair.player is not None:
                chair.player.tables.pop(table_id, None)

    def tell(self, message: Message, position: int = 0, but: Player | None = None) -> None:
        """Sends one message to all, or all but that player, once that batch of the journal is on disk."""
        told = Bulletin((message,))
        self.wait_for(position)
        for chair in self.chairs:
            if chair.listener is not None and (but is None or chair.player is not but):
                chair.listener.push(told)
        self.spectators.tell(told, position)

    def deliver(self, outgoing: Outgoing, first: Iterable[int], position: int) -> None:
        """Each hearer's messages; those in `first` hear before the others. Spectators wait for that batch
        of the journal, as seats do already."""
        for hearer in (*first, *outgoing):
            messages = outgoing.pop(hearer, None)
            if not messages:
                continue
            if hearer == SPECTATORS:
                self.spectators.tell(Bulletin(messages), position)
            elif listener := self.chairs[hearer - 1].listener:
                listener.push(messages, live=False)


def _is_called(name: str, house: str) -> bool:
    """Whether a house bot of that kind has that name: greedy, greedy-2, ..."""
    return name == house or name.removeprefix(f"{house}-").isdigit()
