"""Who asks the desk, and whether they may: the peer, its player, and the player's seat at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.asking import EXCHANGES, Asker, Exchange
from server.address import Origin
from server.cups.live_cup import LiveCup
from server.desk.lobby import Lobby
from server.language import _
from server.player import Listener, Player
from server.table.table import Table

Steps: TypeAlias = Iterator[float]
"""Work that is too long to be done at once: each step yields for how many seconds others get their turn at least."""
Answer: TypeAlias = m.Message | Steps | None
HANDLERS: dict[type[m.Request], Callable[..., Answer]] = {}
"""The function for each request. It takes the context and the request and, if the request is about a table, that table
and the player's seat there (0: none)."""
Handler = TypeVar("Handler", bound=Callable[..., Answer])


def answers(request: type[m.Request]) -> Callable[[Handler], Handler]:
    """Makes a function the handler of that request."""

    def declare(handler: Handler) -> Handler:
        HANDLERS[request] = handler
        return handler

    return declare


PLAYING = (
    *(m.Hello, m.Lang, m.Help, m.Ping, m.Quit, m.Games, m.Rules, m.Cards),
    *(m.Act, m.Look, m.Legal, m.Why, m.Log, m.Resume, m.Clock, m.Leave, m.Resign, m.Pause),
)
"""What a server hears that is only for playing: nothing by which programs could leave each other word."""


class Peer(Listener, Protocol):
    """Who asks: one connection, before and after it has a name."""

    challenge: str
    origin: Origin
    is_operator: bool
    language: str  # in which it reads; see `languages`
    said_language: bool

    @property
    def player(self) -> Player | None:
        """The player for whom it speaks; None before hello."""
        ...

    def logged_in(self, player: Player) -> None:
        """From now on it speaks for that player."""
        ...

    def give(self, answer: m.Message) -> None:
        """Answers the current request at once, before anything that follows from it is told."""
        ...

    def charge(self, work: float) -> None:
        """It caused so much work, in plain requests."""
        ...

    def catches_up(self, table: str) -> bool:
        """Whether much of what was missed at other tables than that is still to be sent."""
        ...

    def catch_up(self, table: str, messages: Sequence[m.Message], turn: m.Turn | None) -> None:
        """Tells what was missed at a table; `turn` is what is to be decided now."""
        ...


class Context:
    """One peer at the desk. Raises Refusal when the peer may not send a request."""

    __slots__ = ("lobby", "peer", "server")

    def __init__(self, lobby: Lobby, peer: Peer, server: str) -> None:
        self.lobby, self.peer, self.server = lobby, peer, server

    @property
    def player(self) -> Player:
        """The player who asks; only for what is asked after hello."""
        player = self.peer.player
        assert player is not None
        return player

    def admit(self, request: m.Request) -> Exchange:
        """The request's row in EXCHANGES. Refuses a request that needs a name from a stranger, and a second hello."""
        if self.lobby.config.only_play and type(request) not in PLAYING:
            raise Refusal("not_operator", _("Here one only plays."))
        exchange = EXCHANGES[type(request)]
        asker = exchange.asker
        if self.peer.player is None:
            if asker is not Asker.ANYBODY and asker is not Asker.STRANGER:
                raise Refusal("login_first")
        elif asker is Asker.STRANGER:
            raise Refusal("already_logged_in")
        elif asker is Asker.OPERATOR and not self.peer.is_operator:
            raise Refusal("not_operator")
        return exchange

    def check_may_tell(self) -> None:
        """Raises `muted`, and `in_cup` for a program that could tell another one of its cup what it holds."""
        if self.player.muted:
            raise Refusal("muted")
        if self.player.bot and self.lobby.cups.seats_alone(self.player.name):
            raise Refusal("in_cup", _("A program that plays in a cup says nothing until it is over."))

    def table(self, request: Any) -> Table:
        """The table that the request names, as it is now; what the peer was still to hear of it comes first."""
        table = self.lobby.tables.require(request.table)
        self._may_tell_of(table)
        return table

    def check_goes_on(self, table: Table) -> None:
        """What happened while the answer was worked out may be in it, too. Raises `storage` where the table was made
        again, as it was kept."""
        if table.records.retired:
            raise Refusal("storage")
        self._may_tell_of(table)

    def _may_tell_of(self, table: Table) -> None:
        """The answer waits until all that happened at the table is on disk, and comes after what the peer hears."""
        table.seating.spectators.catch_up(self.peer)  # of which part may be on disk already
        if table.records.position:
            self.peer.wait_for(table.records.position)

    def charge_for_onlookers(self, *tables: Table, times: int = 1) -> None:
        """What this peer did is told to all who watch these tables, so many times."""
        self.charge_for_hearers(times * sum(len(table.seating.spectators) for table in tables))

    def charge_for_hearers(self, count: int) -> None:
        """So many are told what this peer did."""
        self.peer.charge(count / self.lobby.config.hearers_a_request)

    def cup(self, request: Any) -> LiveCup:
        """The cup that the request names. Raises `no_such_cup`."""
        return self.lobby.cups.get(request.cup)

    def own_cup(self, request: Any) -> LiveCup:
        """The same, for its owner. Raises `not_cup_owner`."""
        live = self.cup(request)
        if live.cup.settings.owner != self.player.name and not self.peer.is_operator:
            raise Refusal("not_cup_owner")
        return live

    def at_table(self, asker: Asker, request: Any) -> tuple[Table, int]:
        """The table that the request names, and the player's seat there; 0 for none."""
        table = self.table(request)
        if asker is Asker.SEATED:
            return table, self._seat(table)
        if asker in (Asker.OWNER, Asker.KEEPER, Asker.SILENCER):
            may = self.peer.is_operator and asker is not Asker.OWNER
            if (table.owner != self.player.name or self.player in table.kicked) and not may:
                raise Refusal("not_owner")
            chair = table.seating.chair_of(self.player)
            return table, chair.number if chair else 0
        hearer = table.hearer(self.peer, self.player)
        if asker is Asker.SPECTATOR and hearer:
            raise Refusal("hidden_hands", _("Who has a seat there sees no other hand."))
        return table, hearer

    def _seat(self, table: Table) -> int:
        chair = table.seating.chair_of(self.player)
        if chair is None:
            raise Refusal("not_seated")
        table.live()
        return chair.number
