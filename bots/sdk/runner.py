"""Plays a bot over a link: turns messages into calls of its methods, and its choices into requests.

One runner plays any number of tables at once, one bot instance a table, in one process: while a bot thinks, its other
tables wait. What a bot does wrong is reported and never repaired. An illegal action is put to the bot again, as often
as the server allows it; a method that raises ends that match for the bot: the runner leaves the table, where the house
plays on after the grace time.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import msgspec
import trio

from bots.sdk.bot import Bot, Turn
from bots.sdk.link import Back, Gone, Heard, Link, Lost
from games.api import Action, CardsRefused, Game, Outcome, to_map
from games.chance import numbered_seed
from protocol import limits
from protocol import messages as m


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over for the bot. `how`: as SeatResult has it, or aborted, crashed, unplayable, gone."""

    table: str
    game: str
    seat: int
    how: str
    place: int = 0  # 0 where the match has no result, or the bot did not see its end
    score: int = 0


@dataclass(slots=True)
class Place:
    """A seat in a running match."""

    started: m.Started
    game: Game | None = None  # None while the cards are asked for
    bot: Bot | None = None
    due: m.Turn | None = None  # the decision that is awaited
    refused: int = 0  # illegal actions sent for it
    waiting: list[Heard] = field(default_factory=list)  # messages that came while the cards were asked for


Report = Callable[[str], None]


def to_stderr(text: str) -> None:
    """The usual report."""
    print(text, file=sys.stderr, flush=True)


class Runner:
    """A link's hearer. `on_finish` is called for each match that is over for the bot.

    A bot's seed comes from the runner's, the seat, and the seat's nonce, or the table's name where it has none; so a
    tournament that gives the nonces repeats itself.
    """

    def __init__(
        self,
        kind: type[Bot],
        games: Mapping[str, Game],
        seed: int,
        *,
        report: Report = to_stderr,
        on_finish: Callable[[Finished], None] | None = None,
    ) -> None:
        self.finished: list[Finished] = []
        self._kind, self._games, self._seed = kind, games, seed
        self._report, self._on_finish = report, on_finish
        self._listens = kind.hear is not Bot.hear
        self._places: dict[str, Place] = {}
        self._due: dict[str, Place] = {}
        self._more = trio.Event()

    async def wait_until_finished(self, matches: int) -> None:
        """Returns once so many matches are over for the bot."""
        while len(self.finished) < matches:
            await self._more.wait()

    # -- hearing -------------------------------------------------------------------------------------------------------

    def hear(self, link: Link, message: Heard) -> None:
        """As Hearer has it."""
        if type(message) is m.Started:
            self._start(link, message)
            return
        place = self._places.get(getattr(message, "table", ""))
        if place is None:
            self._hear_elsewhere(link, message)
        elif place.game is None:
            place.waiting.append(message)
        else:
            self._hear_at(link, place, message)

    def settled(self, link: Link) -> None:
        """As Hearer has it: the bot decides what is due."""
        while self._due:
            due, self._due = self._due, {}
            for place in due.values():
                self._decide(link, place)

    def _hear_elsewhere(self, link: Link, message: Heard) -> None:
        """What belongs to no match that is being played."""
        if isinstance(message, Lost):
            self._report(f"Connection lost: {message.reason.rstrip('.')}. Next attempt in {message.seconds:.1f} s.")
        elif isinstance(message, Back):
            self._report("Connected again.")
        elif isinstance(message, m.Seated):
            self._report(f"table {message.info.table}: seated at {message.info.game}, seat {message.seat}.")
        elif isinstance(message, m.TableChanged):
            start_when_full(link, message.info, self._report)

    def _hear_at(self, link: Link, place: Place, message: Heard) -> None:
        kind = type(message)
        if kind is m.Turn:
            place.due, place.refused = cast(m.Turn, message), 0
            self._due[place.started.table] = place
        elif kind is m.Happened:
            if self._listens:
                self._tell(link, place, cast(m.Happened, message))
        elif isinstance(message, m.Late) and message.seat == place.started.you:
            self._no_longer_due(place)
            why = "too late" if message.why == "time" else "too many illegal actions"
            self._report(f"table {message.table}: {why}; the default was done (number {message.count}).")
        elif isinstance(message, m.Presence) and message.seat == place.started.you and message.by:
            self._no_longer_due(place)
            self._report(f"table {message.table}: the house bot {message.by} plays on for us ({message.how}).")
        elif isinstance(message, m.Over):
            self._end(place, message)
        elif isinstance(message, Gone):
            self._report(f"table {message.table}: the match is gone.")
            self._finish(place, "gone")

    # -- a match -------------------------------------------------------------------------------------------------------

    def _start(self, link: Link, started: m.Started) -> None:
        if not started.you:
            return
        place = self._places[started.table] = Place(started)
        game = self._games.get(started.game)
        if game is None:
            self._give_up(link, place, "unplayable", f"the game {started.game} is not installed here")
        elif game.rules_version != started.rules_version:
            rules = f"{started.rules_version} there, {game.rules_version} here"
            self._give_up(link, place, "unplayable", f"other rules of {started.game}: {rules}")
        elif game.cards_digest != started.cards:
            link.post(m.Cards(id=1, game=started.game), partial(self._take_cards, link, place, game))
        else:
            self._sit_down(link, place, game)

    def _take_cards(self, link: Link, place: Place, game: Game, reply: m.Reply) -> None:
        """The table plays with other cards than ours: what they are has come."""
        try:
            if not isinstance(reply, m.CardList):
                raise CardsRefused(getattr(reply, "text", "no card list came"))
            own = game.with_cards(reply.source)
            if own.cards_digest != place.started.cards:
                raise CardsRefused("the server's cards are not those of the match")
        except CardsRefused as error:
            self._give_up(link, place, "unplayable", f"other cards: {error}")
            return
        self._sit_down(link, place, own)
        waiting, place.waiting = place.waiting, []
        for message in waiting:
            if self._places.get(place.started.table) is place:
                self._hear_at(link, place, message)

    def _sit_down(self, link: Link, place: Place, game: Game) -> None:
        started = place.started
        place.game = game
        own = started.nonces[started.you - 1] or started.table
        seed = int.from_bytes(numbered_seed(self._seed, own, started.you)[:6], "big")
        try:
            place.bot = self._kind(seed)
        except Exception:
            self._crash(link, place, "making the bot")

    def _tell(self, link: Link, place: Place, message: m.Happened) -> None:
        assert place.game is not None
        assert place.bot is not None
        try:
            place.bot.hear(msgspec.convert(message.event, place.game.event_type))
        except Exception:
            self._crash(link, place, "hear")

    def _decide(self, link: Link, place: Place) -> None:
        message, game, bot = place.due, place.game, place.bot
        if message is None or game is None or bot is None:
            return
        place.due = None
        try:
            turn = Turn(
                game,
                place.started.you,
                msgspec.convert(message.view, game.view_type),
                msgspec.convert(message.legal, list[game.action_type]),  # type: ignore[name-defined]
                message.turn,
                message.left,
            )
            action = bot.choose(turn)
            if not isinstance(action, Action):
                raise TypeError(f"choose returned {action!r}, which is no action")
        except Exception:
            self._crash(link, place, "choose")
            return
        act = m.Act(id=1, table=message.table, turn=message.turn, action=cast(Any, action))
        link.post(act, partial(self._answered, link, place, message, action))

    def _answered(self, link: Link, place: Place, asked: m.Turn, action: Action, reply: m.Reply) -> None:
        if not isinstance(reply, m.Error) or reply.code in ("stale_turn", "not_your_turn", "game_over"):
            return  # an answer that came too late is told by `late`
        if reply.code not in ("illegal_action", "bad_action"):
            self._report(f"table {asked.table}, turn {asked.turn}: refused: {reply.text}")
            return
        self._report(f"table {asked.table}, turn {asked.turn}: {to_map(action)} is illegal: {reply.text}")
        place.refused += 1
        if place.due is None and place.refused < link.welcome.limits.get(
            "illegal_a_decision", limits.ILLEGAL_A_DECISION
        ):
            place.due = asked
            self._due[asked.table] = place

    # -- the end of one ------------------------------------------------------------------------------------------------

    def _end(self, place: Place, over: m.Over) -> None:
        assert place.bot is not None
        if over.aborted:
            self._report(f"table {over.table}: aborted. {over.text}")
            self._finish(place, "aborted")
            return
        scores = tuple(result.score for result in over.results)
        places = tuple(result.place for result in over.results)
        mine = over.results[place.started.you - 1]
        try:
            place.bot.end(Outcome(scores, places, over.reason, over.text))
        except Exception:
            self._report(f"table {over.table}: end raised\n{traceback.format_exc()}")
        self._finish(place, mine.how, mine.place, mine.score)

    def _crash(self, link: Link, place: Place, doing: str) -> None:
        self._give_up(link, place, "crashed", f"{doing} raised; the bot leaves\n{traceback.format_exc()}")

    def _give_up(self, link: Link, place: Place, how: str, why: str) -> None:
        table = place.started.table
        self._report(f"table {table}: {why}")
        self._finish(place, how)
        link.post(m.Leave(id=1, table=table), _ignore)

    def _finish(self, place: Place, how: str, standing: int = 0, score: int = 0) -> None:
        started = place.started
        del self._places[started.table]
        self._no_longer_due(place)
        done = Finished(started.table, started.game, started.you, how, standing, score)
        self.finished.append(done)
        if self._on_finish is not None:
            self._on_finish(done)
        self._more.set()
        self._more = trio.Event()

    def _no_longer_due(self, place: Place) -> None:
        place.due = None
        self._due.pop(place.started.table, None)


def start_when_full(link: Link, info: m.TableInfo, report: Report = to_stderr) -> None:
    """Starts a table of one's own once every seat is taken."""
    full = all(seat.kind != "empty" for seat in info.seats)
    if info.owner == link.identity.name and info.state == "open" and full:

        def answered(reply: m.Reply) -> None:
            if isinstance(reply, m.Error) and reply.code != "already_started":
                report(f"table {info.table}: not started: {reply.text}")

        link.post(m.Start(id=1, table=info.table), answered)


def _ignore(_reply: m.Reply) -> None:
    pass
