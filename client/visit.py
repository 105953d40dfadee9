"""A person's visit to a server: what comes over the link is shown, what is typed is carried out."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import trio

from bots.sdk.link import Back, Gone, Heard, Link, Lost
from client.ending import INTERRUPTED
from client.person.commands import typed
from client.person.human import Human
from client.person.place import Effects
from client.screen.screen import Interrupted, Screen, Typed
from games.api import CardsRefused
from protocol import messages as m
from protocol.text.where import Ask

QUIT_SECONDS = 2.0  # for the server's goodbye


class Visit:
    """Hears what the link tells (it is the link's hearer) and reads the screen. `run` returns the exit code."""

    def __init__(self, human: Human, screen: Screen) -> None:
        self.ends_with_match = False
        self.human, self._screen = human, screen
        human.in_columns = screen.in_columns
        self._link: Link | None = None
        self._held: list[m.Message] | None = None  # while the cards of a game are on their way
        self._changed = trio.Event()
        self._finished = trio.Event()
        self._code = 0
        self._leaving = False

    # -- what the link tells -------------------------------------------------------------------------------------------

    def hear(self, link: Link, message: Heard) -> None:
        """One message that answers no request."""
        self._link = link
        match message:
            case Lost(reason=reason, seconds=seconds):
                self.say(f"The connection is lost ({reason}). Trying again in {seconds:.1f} s.", "bad")
            case Back():
                self.say("Connected again; what you missed follows.", "good")
            case Gone(table=table):
                self.human.forget(table)
                self.say(f"The server no longer has table {table}.", "bad")
                if self.ends_with_match or self.human.input_ended:
                    self._finish(1)
            case m.Message():
                self._take(message)

    def settled(self, link: Link) -> None:
        """All that has arrived was heard."""
        self._link = link
        if self._held is None:
            self._follow(self.human.settle())

    def _take(self, message: m.Message) -> None:
        if self._held is not None:
            self._held.append(message)
            return
        missing = self._game_with_other_cards(message)
        if missing:
            self._held = [message]
            self._post(Ask(m.Cards, {"game": missing}), self._take_cards)
            return
        self._follow(self.human.hear(message))
        if isinstance(message, m.Over):
            if self.ends_with_match or self.human.input_ended:
                self._finish(0)
            else:
                self.say("For another match: tables, join TABLE, or open GAME. q quits.", "dim")

    def _game_with_other_cards(self, message: m.Message) -> str:
        """The game of a match whose cards this program does not hold yet."""
        info = message if isinstance(message, m.Started) else getattr(message, "info", None)
        game = self.human.games.get(info.game) if info is not None else None
        return game.id if game is not None and info is not None and info.cards != game.cards_digest else ""

    def _take_cards(self, reply: m.Reply) -> None:
        held, self._held = self._held or [], None
        if not isinstance(reply, m.CardList):
            self._fail("The server does not show the cards that it plays with.")
            return
        try:
            game = self.human.games[reply.game].with_cards(reply.source)
            self.human.games[reply.game] = game.in_language(self.human.lang)
        except CardsRefused as error:
            self._fail(f"The server plays with cards that cannot be read here: {error}")
            return
        if held and self._game_with_other_cards(held[0]):
            self._fail("The server's cards are not those of the match.")
            return
        for message in held:
            self._take(message)
        self._follow(self.human.settle())

    # -- what follows --------------------------------------------------------------------------------------------------

    def say(self, text: str, style: str = "") -> None:
        """Shows a line of our own."""
        self._show(Effects([[(style, text)]]))

    def _show(self, effects: Effects) -> None:
        try:
            self._screen.show(effects.lines)
        except (OSError, ValueError):  # nobody reads any more
            self._finish(0)

    def _follow(self, effects: Effects) -> None:
        self._show(effects)
        for ask in effects.asks:
            self._post(ask, partial(self._answered, ask))
        self._changed.set()
        self._changed = trio.Event()

    def _post(self, ask: Ask, take: Any) -> None:
        assert self._link is not None
        self._link.post(ask.kind(id=1, **ask.fields), take)

    def _answered(self, ask: Ask, reply: m.Reply) -> None:
        if self._link is not None and self._link.closed.is_set():
            return
        info = getattr(reply, "info", None)
        if info is not None and self._held is None and self._game_with_other_cards(reply):
            self._take(reply)
        else:
            self._follow(self.human.answered(ask, reply))

    async def request(self, kind: type[m.Request], fields: Mapping[str, Any] | None = None) -> m.Reply:
        """Asks and shows the answer, which may be an Error."""
        came = trio.Event()
        replies: list[m.Reply] = []
        ask = Ask(kind, fields or {})

        def take(reply: m.Reply) -> None:
            replies.append(reply)
            self._answered(ask, reply)
            came.set()

        self._post(ask, take)
        await came.wait()
        assert self._link is not None
        self._link.check()
        return replies[0]

    # -- the visit -----------------------------------------------------------------------------------------------------

    def attach(self, link: Link) -> None:
        """The link is there."""
        self._link = link
        self.human.name = link.welcome.name

    async def run(self) -> int:
        """Until the visit ends. Raises what ended the link."""
        assert self._link is not None
        link = self._link
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch_link, link)
                nursery.start_soon(self._watch_signals)
                nursery.start_soon(self._watch_clock)
                nursery.start_soon(self._obey)
                await self._finished.wait()
                nursery.cancel_scope.cancel()
        except* Interrupted:
            self._code = INTERRUPTED
        if self._code == INTERRUPTED and self.human.holds_seat():
            self.say(self.human.goodbye())
        if link.failure is not None and not self._leaving:
            raise link.failure
        return self._code

    def _finish(self, code: int) -> None:
        if not self._finished.is_set():
            self._code = code
            self._finished.set()

    def _fail(self, text: str) -> None:
        self.say(text, "bad")
        self._finish(1)

    async def _watch_link(self, link: Link) -> None:
        await link.closed.wait()
        self._finish(0 if self._leaving else 1)

    async def _watch_signals(self) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
            async for _number in signals:
                self._finish(INTERRUPTED)

    async def _watch_clock(self) -> None:
        while True:
            await trio.sleep(1)
            self._show(self.human.warning())

    async def _obey(self) -> None:
        """Carries out what is typed, line by line; at the end of the input a house bot plays on."""
        send, receive = trio.open_memory_channel[Typed](0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read, send)
            async for line in receive:
                if line.patient:
                    await self._until(partial(self.human.ready_for, line.text))
                await self._carry_out(line.text)
        await self._until(lambda: self.human.ready_for(""))
        self._follow(self.human.end_input())
        if all(place.state == "over" for place in self.human.places.values()):
            self._finish(0)

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._changed.wait()

    async def until_seated(self) -> None:
        """Waits for the tables of an earlier visit, which the link takes up again."""
        await self._until(lambda: bool(self.human.places))

    async def _read(self, send: trio.MemorySendChannel[Typed]) -> None:
        async with send:
            await self._screen.read(send)

    async def _carry_out(self, line: str) -> None:
        effects = typed(self.human, line)
        if any(ask.kind is m.Quit for ask in effects.asks):
            self._leaving = True
            self.say(self.human.goodbye())
            self._follow(effects)
            with trio.move_on_after(QUIT_SECONDS):
                await self._finished.wait()
            self._finish(0)
            return
        self._follow(effects)
