"""Asks the server what a player without a seat may ask, on behalf of a browser that has taken no name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import trio

from languages import speaking
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES
from server.address import Origin
from server.desk.desk import Desk
from server.desk.lobby import Lobby
from server.fair_share import WorkShare
from server.language import _
from server.player import Player

MOST_WAIT = 3.0  # longest wait in seconds because the address has sent too many requests; above it they are refused
READ_ONLY = (
    *(m.Games, m.Rules, m.Cards, m.Tables, m.Who),
    *(m.Cups, m.CupRequest, m.Standings, m.CupLog, m.Replay),
)
"""The requests that pages send. The answers depend on nothing but what every player may know at that moment."""

A = TypeVar("A", bound=m.Message)
T = TypeVar("T")


class TooManyRequests(Refusal):
    """The address has sent too many requests. `wait` has the seconds until the next one is answered."""

    def __init__(self, wait: float) -> None:
        super().__init__("slow_down", _("Too many requests come from your address. Try again soon."), wait=wait)


class WebRequester:
    """A session without a connection and without a name. It implements server.desk.context.Requester.

    The requests that it sends go through the same handlers as those of a telnet, with the rights of a player who has no
    seat anywhere. They are charged to the address of the browser.
    """

    is_operator = False
    said_language = True
    challenge = ""

    def __init__(self, lobby: Lobby, address: Hashable, language: str) -> None:
        self.address, self.language, self.origin = address, language, Origin(address)
        self._lobby, self._desk = lobby, Desk(lobby, self, "")
        self._player = Player("", config=lobby.config)  # no one else knows this player, and it is stored nowhere
        self._share = WorkShare(address)
        self._given: m.Message | None = None
        self._position = 0  # the number of the journal's batch that must be on disk before the answer is shown
        self._is_stored, self._is_lost = trio.Event(), False

    @property
    def player(self) -> Player | None:
        return self._player

    # -- asking --------------------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Charges for one page, and waits if the address has sent too many requests. Raises Refusal if its visitors
        may not enter the server now."""
        with speaking(self.language):
            refusal = self._lobby.bans.ban_refusal(self.address)
            if refusal is not None:
                raise refusal
            if self._lobby.service.closing or not self._lobby.service.accepting:
                raise Refusal("shutting_down", _("For now the server only admits players of running matches."))
            now = trio.current_time()
            wait = max(
                (meter.refill_wait(now) for meter in self._lobby.limits.address_buckets(self.address)), default=0.0
            )
            if wait > MOST_WAIT:
                raise TooManyRequests(wait)
        if wait:
            await trio.sleep(wait)
        self.charge(1.0)

    async def ask(self, request: m.Request, answer: type[A], *, charged: bool = True) -> A:
        """Returns the answer to a request, once all that it tells is on disk.

        Args:
            request: One of the types in READ_ONLY.
            answer: The type of the answer.
            charged: Whether the request is charged to the address. Requests whose answers are kept for all visitors
                are not.

        Raises:
            Refusal: The server refuses the request.
        """
        assert isinstance(request, READ_ONLY)
        if charged:
            self.charge(EXCHANGES[type(request)].weight)
        self._given = None
        steps = None
        async with self._lobby.queue.held_for(self._share):
            with speaking(self.language):
                given = self._desk.answer(request)
        if isinstance(given, m.Message):
            self._given = given
        elif given is not None:
            steps = given
        while steps is not None:
            async with self._lobby.queue.held_for(self._share):
                with speaking(self.language):
                    pause = next(steps, None)
            if pause is None:
                break
            await trio.sleep(pause)
        await self._wait_for_disk()
        assert isinstance(self._given, answer)
        return self._given

    async def work(self, do: Callable[[], T], work: float) -> T:
        """Calls a function when it is the turn of the address, and returns its result. `work` is charged, in plain
        requests."""
        self.charge(work)
        async with self._lobby.queue.held_for(self._share):
            return do()

    async def _wait_for_disk(self) -> None:
        journal = self._lobby.journal
        while self._position > journal.durable:
            self._is_stored = trio.Event()
            journal.add_waiter(self, self._position)
            await self._is_stored.wait()
            if self._is_lost:
                raise Refusal("storage")

    def on_batch_committed(self, durable: int) -> None:
        """See server.store.journal.CommitWaiter."""
        self._is_stored.set()

    def on_batch_lost(self, durable: int, *, surely: bool) -> None:
        """See server.store.journal.CommitWaiter."""
        self._is_lost = True
        self._is_stored.set()

    # -- what the handlers need ----------------------------------------------------------------------------------------

    def send_answer(self, answer: m.Message) -> None:
        """See server.desk.context.Requester."""
        self._given = answer

    def charge(self, work: float) -> None:
        """See server.desk.context.Requester."""
        for meter in self._lobby.limits.address_buckets(self.address):
            meter.charge(work)

    def hold_until_committed(self, position: int) -> None:
        """See server.player.PlayerSession."""
        self._position = max(self._position, position)

    def push(self, messages: Sequence[m.Message], *, live: bool = True, kept: bool = False) -> None:
        """See server.player.PlayerSession. Nothing is sent to a page without a name."""

    def end(self, reason: str, re: int = 0, *, why: str = "") -> None:
        """See server.player.PlayerSession. There is no connection to end."""

    def set_player(self, player: Player) -> None:
        """See server.desk.context.Requester. Never called, because a page sends no hello."""

    def catches_up(self, table: str) -> bool:
        """See server.desk.context.Requester."""
        return False

    def send_missed_messages(self, table: str, messages: Sequence[m.Message], turn: m.TurnUpdate | None) -> None:
        """See server.desk.context.Requester. Nothing is sent to a page without a name."""
