"""The context of a request: the session that sent it, its player, the player's seat at a table, and what the player may
do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES, Exchange, Permission
from server.address import Origin
from server.cups.live_cup import LiveCup
from server.desk.lobby import Lobby
from server.language import _
from server.player import Player, PlayerSession
from server.table.table import Table

Steps: TypeAlias = Iterator[float]
"""The computation of a long answer. Each step yields the number of seconds, at least, that other sessions get before
the next step."""
Answer: TypeAlias = m.Message | Steps | None
HANDLERS: dict[type[m.Request], Callable[..., Answer]] = {}
"""The handler of each type of request. It takes the context and the request. For a request about a table it also takes
the table and the player's seat there (0: no seat)."""
Handler = TypeVar("Handler", bound=Callable[..., Answer])


def handles(request: type[m.Request]) -> Callable[[Handler], Handler]:
    """Registers the decorated function as the handler of that type of request."""

    def declare(handler: Handler) -> Handler:
        HANDLERS[request] = handler
        return handler

    return declare


PLAYING = (
    *(m.Hello, m.Lang, m.Help, m.Ping, m.Quit, m.Games, m.Rules, m.Cards),
    *(m.Act, m.LookRequest, m.Legal, m.Why, m.Log, m.Resume, m.Clock, m.Leave, m.Resign, m.Pause, m.Undo),
)
"""The requests that a server with `only_play` accepts. Programs cannot pass information to each other through them."""


class Requester(PlayerSession, Protocol):
    """The session that sends a request, before or after its hello."""

    challenge: str
    origin: Origin
    is_operator: bool
    language: str  # the language of texts for this session; see `languages`
    said_language: bool

    @property
    def player(self) -> Player | None:
        """The player of this connection; None before hello."""
        ...

    def set_player(self, player: Player) -> None:
        """Assigns the session to the player after a successful hello."""
        ...

    def send_answer(self, answer: m.Message) -> None:
        """Answers the current request at once, before any broadcast that the request causes."""
        ...

    def charge(self, work: float) -> None:
        """Charges work to the session's rate limit; the unit is one plain request."""
        ...

    def catches_up(self, table: str) -> bool:
        """Returns whether missed messages of other tables are still to be sent, so that this table's must wait."""
        ...

    def send_missed_messages(self, table: str, messages: Sequence[m.Message], turn: m.TurnUpdate | None) -> None:
        """Sends the messages of a table that the player missed. `turn` is the decision that is open now; None if there
        is none."""
        ...


class Context:
    """The context of the requests of one session. Its methods whose name begins with `check` raise Refusal."""

    __slots__ = ("lobby", "peer", "server")

    def __init__(self, lobby: Lobby, peer: Requester, server: str) -> None:
        self.lobby, self.peer, self.server = lobby, peer, server

    @property
    def player(self) -> Player:
        """The player of the session. Must only be used after its hello."""
        player = self.peer.player
        assert player is not None
        return player

    def find_exchange(self, request: m.Request) -> Exchange:
        """Returns the request's row in EXCHANGES. Raises Refusal if the request needs a name and comes before the
        hello, if it is a second hello, or if it needs the operator's rights."""
        if self.lobby.config.only_play and type(request) not in PLAYING:
            raise Refusal("not_operator", _("This server only accepts requests for playing."))
        exchange = EXCHANGES[type(request)]
        asker = exchange.asker
        if self.peer.player is None:
            if asker is not Permission.ANYBODY and asker is not Permission.STRANGER:
                raise Refusal("login_first")
        elif asker is Permission.STRANGER:
            raise Refusal("already_logged_in")
        elif asker is Permission.OPERATOR and not self.peer.is_operator:
            raise Refusal("not_operator")
        return exchange

    def check_can_talk(self) -> None:
        """Raises `muted` if the player may not talk. Raises `in_cup` for a program in a cup, which could tell another
        program its hand."""
        if self.player.muted:
            raise Refusal("muted")
        if self.player.bot and self.lobby.cups.plays_in_active_cup(self.player.name):
            raise Refusal("in_cup", _("A program in a cup may not talk until the cup is over."))

    def get_table(self, request: Any) -> Table:
        """Returns the table that the request names. The session first gets the table's messages that it has not
        received yet."""
        table = self.lobby.tables.require_table(request.table)
        self._may_tell_of(table)
        return table

    def check_table_unchanged(self, table: Table) -> None:
        """Raises `storage` if the table was reset to its stored state while the answer was computed. Otherwise lets the
        answer tell what has happened since."""
        if table.records.retired:
            raise Refusal("storage")
        self._may_tell_of(table)

    def _may_tell_of(self, table: Table) -> None:
        """Delays the answer until the table's log is on disk, and sends it after the table's pending messages."""
        table.seating.spectators.send_pending(self.peer)  # some of the pending messages may be on disk already
        if table.records.position:
            self.peer.hold_until_committed(table.records.position)

    def charge_for_spectators(self, *tables: Table, times: int = 1) -> None:
        """Charges the session for `times` broadcasts to all spectators of these tables."""
        self.charge_for_subscribers(times * sum(len(table.seating.spectators) for table in tables))

    def charge_for_subscribers(self, count: int) -> None:
        """Charges the session for a broadcast to that number of subscribers."""
        self.peer.charge(count / self.lobby.config.hearers_a_request)

    def get_cup(self, request: Any) -> LiveCup:
        """Returns the cup that the request names. Raises `no_such_cup`."""
        return self.lobby.cups.get(request.cup)

    def get_own_cup(self, request: Any) -> LiveCup:
        """Like `cup`, but only for the cup's owner or the operator. Raises `not_cup_owner`."""
        live = self.get_cup(request)
        if live.cup.settings.owner != self.player.name and not self.peer.is_operator:
            raise Refusal("not_cup_owner")
        return live

    def table_and_seat(self, asker: Permission, request: Any) -> tuple[Table, int]:
        """Returns the table that the request names, and the player's seat there (0: no seat). Raises Refusal unless the
        player has the permission `asker`."""
        table = self.get_table(request)
        if asker is Permission.SEATED:
            return table, self._seat(table)
        if asker in (Permission.OWNER, Permission.KEEPER, Permission.SILENCER):
            may = self.peer.is_operator and asker is not Permission.OWNER
            if (table.owner != self.player.name or self.player in table.kicked) and not may:
                raise Refusal("not_owner")
            seat_state = table.seating.seat_state_of(self.player)
            return table, seat_state.number if seat_state else 0
        hearer = table.receiver_number(self.peer, self.player)
        if asker is Permission.SPECTATOR and hearer:
            raise Refusal("hidden_hands", _("You have a seat at that table, so you may not see other hands."))
        return table, hearer

    def _seat(self, table: Table) -> int:
        seat_state = table.seating.seat_state_of(self.player)
        if seat_state is None:
            raise Refusal("not_seated")
        table.require_live_match()
        return seat_state.number
