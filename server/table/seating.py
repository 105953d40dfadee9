"""Who is at a table: the chairs with their players and house bots, and the spectators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.api import Action
from matches.fold import SPECTATORS, Outgoing
from protocol import limits
from protocol.errors import Refusal
from protocol.messages import Message, SeatInfo
from server.house import Choose
from server.player import Listener, Player


@dataclass(frozen=True, slots=True)
class Thought:
    """What a house bot has chosen for a turn, and when it says so."""

    turn: int
    at: float
    action: Action


@dataclass(slots=True)
class Chair:
    """A seat and who has it. `house` plays it if set; `listener` hears for it while its player is connected."""

    number: int
    grace: float  # seconds left for being away
    name: str = ""
    player: Player | None = None
    house: Choose | None = None
    house_name: str = ""
    thought: Thought | None = None
    listener: Listener | None = None
    nonce: str = ""
    away: float | None = None  # since when, on the table's scale
    illegal_now: int = 0
    illegal_all: int = 0

    def info(self) -> SeatInfo:
        """As everybody may see it."""
        if self.player is not None:
            return SeatInfo(self.number, self.name, self.player.kind, self.listener is not None)
        return SeatInfo(self.number, self.name, "house" if self.name else "empty")


class Seating:
    """Chairs 1..N and spectators of one table."""

    def __init__(self, seats: int, grace: float) -> None:
        self.chairs = [Chair(number, grace) for number in range(1, seats + 1)]
        self.spectators: dict[Listener, None] = {}
        self._grace = grace

    def chair(self, seat: int) -> Chair:
        """The chair with that number."""
        return self.chairs[seat - 1]

    def chair_of(self, player: Player) -> Chair | None:
        """The player's chair; None without a seat here."""
        for chair in self.chairs:
            if chair.player is player:
                return chair
        return None

    def names(self) -> list[str]:
        """The names of the seats, first seat first; "" for an empty one."""
        return [chair.name for chair in self.chairs]

    def free_chair(self, seat: int) -> Chair:
        """That chair, or the first empty one for 0. Raises Refusal when it is taken or there is none."""
        if seat > len(self.chairs):
            raise Refusal("bad_field", f"This table has seats 1 to {len(self.chairs)}.", "$.seat")
        if seat:
            if self.chair(seat).name:
                raise Refusal("seat_taken")
            return self.chair(seat)
        for chair in self.chairs:
            if not chair.name:
                return chair
        raise Refusal("table_full")

    def name_for(self, bot: str) -> str:
        """What another house bot of that kind is called here: greedy, greedy-2, ..."""
        taken = set(self.names())
        names = [bot, *(f"{bot}-{number}" for number in range(2, len(self.chairs) + 1))]
        return next(name for name in names if name not in taken)

    def clear(self, chair: Chair) -> None:
        """Makes the chair empty again."""
        self.chairs[chair.number - 1] = Chair(chair.number, self._grace)

    def watch(self, listener: Listener) -> None:
        """One more spectator. Raises `too_many_spectators`."""
        if len(self.spectators) >= limits.SPECTATORS_A_TABLE and listener not in self.spectators:
            raise Refusal("too_many_spectators")
        self.spectators[listener] = None

    # -- telling -------------------------------------------------------------------------------------------------------

    def listeners(self) -> list[Listener]:
        """Everybody who is connected and sits or watches here."""
        return [*(chair.listener for chair in self.chairs if chair.listener is not None), *self.spectators]

    def outgoing(self) -> Outgoing:
        """An empty list of messages for each hearer: seats with a listener, and spectators if there are any."""
        outgoing: Outgoing = {}
        for chair in self.chairs:
            if chair.listener is not None:
                outgoing[chair.number] = []
        if self.spectators:
            outgoing[SPECTATORS] = []
        return outgoing

    def tell(self, message: Message, but: Player | None = None) -> None:
        """Sends one message to all, or to all but one player."""
        for listener in self.listeners():
            if but is None or listener is not but.listener:
                listener.push((message,))

    def deliver(self, outgoing: Outgoing, first: Iterable[int]) -> None:
        """Each hearer's messages; those in `first` hear before the others."""
        chairs = self.chairs
        for seat in first:
            messages = outgoing.pop(seat, None)
            if messages and (listener := chairs[seat - 1].listener):
                listener.push(messages)
        for hearer, messages in outgoing.items():
            if not messages:
                continue
            if hearer == SPECTATORS:
                for spectator in list(self.spectators):
                    spectator.push(messages)
            elif listener := chairs[hearer - 1].listener:
                listener.push(messages)
