"""A program's seat at a table: how it is taken, what is read and sent there, and when the match starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol, TypeVar

from msgspec import Raw
from msgspec.msgpack import Decoder

from bots.sdk.bot import Turn
from bots.sdk.link import Refused
from bots.sdk.parts import is_last
from games.api import Action, Event, Game, Options, Seat, View, knowledge_from, options_from, to_map
from games.unions import converted
from protocol import messages as m
from protocol.connection import UnreadTurn
from protocol.messages.parts import Map

R = TypeVar("R", bound=m.Reply)


@dataclass
class JoinedTable:
    """A table where we sit, or watch. What the wire carries as plain maps is read here as the game's own types."""

    id: str
    game: Game  # with the cards of this table
    seat: Seat  # 0 for a spectator
    seats: int
    options: Map

    @cached_property
    def own_options(self) -> Options:
        """The table's, as the game's own type."""
        return options_from(self.game, self.options)

    def read_view(self, view: Any) -> View:
        """What the seat sees."""
        seen: View = converted(view, self.game.view_type, "view")
        return seen

    def read_event(self, told: m.Happened) -> Event:
        """What happened."""
        event: Event = converted(told.event, self.game.event_type)
        return event

    def read_turn(self, told: m.Turn) -> Turn:
        """A decision of the seat."""
        game = self.game
        if isinstance(told, UnreadTurn):
            read_view, read_legal, read_knowledge = _readers(game)
            view = read_view(told.view) if told.view else None
            legal = read_legal(told.legal) if told.legal else []
            knowledge = read_knowledge(told.knowledge) if told.knowledge else None
        else:
            view = None if told.view is None else self.read_view(told.view)
            legal = converted(told.legal, list[game.action_type])  # type: ignore[name-defined]
            knowledge = None if told.knowledge is None else knowledge_from(game, told.knowledge)
        return Turn(game, self.seat, view, legal, told.turn, told.left, self.seats, self.own_options, knowledge)

    def act(self, turn: int, action: Action) -> m.Act:
        """The request that decides the turn with that number."""
        return m.Act(id=1, table=self.id, turn=turn, action=to_map(action))


@lru_cache(maxsize=64)
def _readers(game: Game) -> tuple[Callable[[Raw], Any], Callable[[Raw], Any], Callable[[Raw], Any]]:
    """What reads its views, legal actions and knowledge from msgpack; to prepare it takes milliseconds."""
    return (
        Decoder(game.view_type).decode,
        Decoder(list[game.action_type]).decode,  # type: ignore[name-defined]
        Decoder(game.knowledge_type).decode,
    )


class Asker(Protocol):
    """A link, or something that asks through one."""

    async def ask(self, request: m.Request, answer: type[R]) -> R:
        """As Link.ask."""
        ...


async def take_seat(
    player: Asker,
    game: str = "",
    *,
    table: str = "",
    seats: int = 0,
    bots: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    clock: m.ClockRule | None = None,
    delay: int = 0,
    nonce: str = "",
) -> m.TableReply:
    """Takes a seat at the named table, or at a new one, of which `seats`, `options`, `clock` and `delay` are.

    The bots are put on the next seats, for which the table must be the player's own. Returns the answer that gave the
    seat. Raises Refused, LinkFailed. A new table where a bot is refused is closed again.
    """
    if table:
        taken = await player.ask(m.Join(id=1, table=table, nonce=nonce), m.TableReply)
    else:
        opening = m.Open(id=1, game=game, seats=seats, options=dict(options or {}), clock=clock, delay=delay)
        taken = await player.ask(opening, m.TableReply)
    try:
        for bot in bots:
            await player.ask(m.Add(id=1, table=taken.info.table, bot=bot), m.TableReply)
    except Refused:
        if not table:
            await player.ask(m.Close(id=1, table=taken.info.table), m.Done)
        raise
    return taken


async def all_tables(player: Asker) -> list[m.TableInfo]:
    """The server's tables, asked for part by part. Raises Refused, LinkFailed."""
    tables: list[m.TableInfo] = []
    while True:
        part = await player.ask(m.Tables(id=1, after=tables[-1].table if tables else ""), m.TableList)
        tables += part.tables
        if is_last(part.tables, part.more, len(tables)):
            return tables


async def join_first(
    player: Asker, tables: Sequence[m.TableInfo], game: str = "", nonce: str = ""
) -> m.TableReply | None:
    """Takes a seat at the first of those tables that has one, of that game; None where there is none. Tables where
    a player waits come before those whose players are away. One where spectators see all hands is passed over: nobody
    has agreed to that. Raises LinkFailed."""
    for info in sorted(tables, key=lambda one: not is_attended(one)):
        if has_room(info, game) and not info.delay:
            try:
                return await player.ask(m.Join(id=1, table=info.table, nonce=nonce), m.TableReply)
            except Refused:
                continue  # somebody else was quicker
    return None


def has_room(info: m.TableInfo, game: str = "") -> bool:
    """Whether one could sit down there, to play that game."""
    return game in ("", info.game) and info.state == "open" and not is_full(info)


def is_attended(info: m.TableInfo) -> bool:
    """Whether a player is there, and not only the house's bots and seats that are held for somebody."""
    return any(seat.here and seat.kind in ("person", "bot") for seat in info.seats)


def is_full(info: m.TableInfo) -> bool:
    """Whether every seat is taken."""
    return all(seat.kind != "empty" for seat in info.seats)


def start_when_full(info: m.TableInfo, name: str, nonce: str = "") -> m.Start | None:
    """The request that starts a table which that player owns, once every seat is taken by somebody who is there, and
    not only held for them; None before and after."""
    if info.state == "open" and info.owner == name and is_full(info) and all(seat.here for seat in info.seats):
        return m.Start(id=1, table=info.table, nonce=nonce)
    return None
