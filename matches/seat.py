"""A client's seat at a table: converts the server's plain data to the game's types, and decides when to start the
match. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from msgspec import Raw
from msgspec.msgpack import Decoder

from games.api import Action, Event, Game, Options, Seat, View, knowledge_from, options_from, to_map
from games.unions import convert_union
from matches.turn import Turn
from protocol import messages as m
from protocol.connection import UndecodedTurn
from protocol.messages.parts import Map

R = TypeVar("R", bound=m.Reply)


@dataclass
class JoinedTable:
    """A table where the client has a seat or watches. It converts plain data from the wire to the game's types."""

    id: str
    game: Game  # the game with the cards of this table
    seat: Seat  # 0: spectator
    seats: int
    options: Map

    @cached_property
    def parsed_options(self) -> Options:
        """The table's options as the game's own type."""
        return options_from(self.game, self.options)

    def parse_view(self, view: Any) -> View:
        """Converts a view of the seat to the game's type."""
        seen: View = convert_union(view, self.game.view_type, "view")
        return seen

    def parse_event(self, told: m.Happened) -> Event:
        """Converts an event to the game's type."""
        event: Event = convert_union(told.event, self.game.event_type)
        return event

    def parse_turn(self, told: m.TurnUpdate) -> Turn:
        """Converts a turn of the seat, with its view, legal actions and knowledge."""
        game = self.game
        if isinstance(told, UndecodedTurn):
            read_view, read_legal, read_knowledge = _readers(game)
            view = read_view(told.view) if told.view else None
            legal = read_legal(told.legal) if told.legal else []
            knowledge = read_knowledge(told.knowledge) if told.knowledge else None
        else:
            view = None if told.view is None else self.parse_view(told.view)
            legal = convert_union(told.legal, list[game.action_type])  # type: ignore[name-defined]
            knowledge = None if told.knowledge is None else knowledge_from(game, told.knowledge)
        return Turn(game, self.seat, view, legal, told.turn, told.left, self.seats, self.parsed_options, knowledge)

    def act_request(self, turn: int, action: Action) -> m.Act:
        """Returns the request that answers the turn with that number by this action."""
        return m.Act(id=1, table=self.id, turn=turn, action=to_map(action))


@lru_cache(maxsize=64)
def _readers(game: Game) -> tuple[Callable[[Raw], Any], Callable[[Raw], Any], Callable[[Raw], Any]]:
    """Returns decoders of the game's views, legal actions and knowledge. Cached, because creating them takes
    milliseconds."""
    return (
        Decoder(game.view_type).decode,
        Decoder(list[game.action_type]).decode,  # type: ignore[name-defined]
        Decoder(game.knowledge_type).decode,
    )


def has_room(info: m.TableInfo, game: str = "") -> bool:
    """Returns whether a player can sit down at that table to play that game; "" stands for any game."""
    return game in ("", info.game) and info.state == "open" and not is_full(info)


def is_attended(info: m.TableInfo) -> bool:
    """Returns whether any player with a seat at that table is connected, apart from house bots."""
    return any(seat.here and seat.kind in ("person", "bot") for seat in info.seats)


def is_full(info: m.TableInfo) -> bool:
    """Returns whether every seat of the table is taken."""
    return all(seat.kind != "empty" for seat in info.seats)


def start_request_if_full(info: m.TableInfo, name: str, nonce: str = "") -> m.Start | None:
    """Returns the request that starts the player's own table, once every seat has a connected player; otherwise
    None."""
    if info.state == "open" and info.owner == name and is_full(info) and all(seat.here for seat in info.seats):
        return m.Start(id=1, table=info.table, nonce=nonce)
    return None
