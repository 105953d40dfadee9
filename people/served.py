"""What a server gives a person whose part runs within it, as that of a telnet line does, beside what it tells."""

from __future__ import annotations

from typing import Any, Protocol

from games.api import Game
from matches.admission import Match
from matches.record import Record
from people.table import PersonTable
from protocol import messages as m


class Server(Protocol):
    """Nothing here tells more than the messages to the same person would."""

    def game(self, match: Match) -> Game:
        """The game that is played there, with the cards of that table."""
        ...

    def tell(self, table: PersonTable, event: Any) -> str:
        """One sentence for an event, which all who hear it share; "" where there is nothing worth a line."""
        ...

    def back(self, table: str) -> tuple[m.TableInfo, int] | None:
        """A running match in which the person has a seat, with the message after which it is told again; else None."""
        ...

    def finished(self, table: str) -> Record | None:
        """The match at that table, once it is over. Raises Refusal where not everybody may see all of it yet."""
        ...

    def is_player(self, name: str) -> bool:
        """Whether a player has that name, here or not."""
        ...

    def charge_for_why(self) -> None:
        """The person is told what an action would do."""
        ...

    def charge_for_spelling(self) -> None:
        """It was looked for what a mistyped line may mean."""
        ...
