"""The server's interface for a person within it, such as on a telnet line, besides messages."""

from __future__ import annotations

from typing import Any, Protocol

from games.api import Game
from matches.admission import Match
from matches.record import Record
from people.table import PersonTable
from protocol import messages as m


class Server(Protocol):
    """The interface of the server. It reveals no more than the messages to the same person would."""

    def game(self, match: Match) -> Game:
        """Returns the game of that match, with the cards of its table."""
        ...

    def tell(self, table: PersonTable, event: Any) -> str:
        """Returns one sentence for an event, shared by all its readers; "" if the event has none."""
        ...

    def back(self, table: str) -> tuple[m.TableInfo, int] | None:
        """Returns a running match in which the person has a seat, and the message after which it is repeated; otherwise
        None."""
        ...

    def finished(self, table: str) -> Record | None:
        """Returns the match at that table once it is over. Raises Refusal if parts of it are not public yet."""
        ...

    def is_player(self, name: str) -> bool:
        """Returns whether a player has that name, present or not."""
        ...

    def charge_for_why(self) -> None:
        """Charges for the preview of an action."""
        ...

    def charge_for_spelling(self) -> None:
        """Charges for a search for the meaning of a mistyped line."""
        ...
