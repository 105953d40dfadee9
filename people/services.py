"""The interface through which a person's model that runs inside the server, as for telnet, calls the server directly,
besides requests and messages.
"""

from __future__ import annotations

from typing import Any, Protocol

from games.api import Game, View
from matches.admission import Match
from matches.record import Record
from people.table import PersonTable
from protocol import messages as m


class ServerServices(Protocol):
    """The services of a server for the model of a person inside it. They reveal no more than messages to the same
    person would."""

    def game_of_match(self, match: Match) -> Game:
        """Returns the game of that match, with the card file of its table."""
        ...

    def event_text(self, table: PersonTable, event: Any) -> str:
        """Returns the sentence for an event, which is computed once for all its readers; "" if the event has none."""
        ...

    def resumable_table(self, table: str) -> tuple[m.TableInfo, int] | None:
        """Returns the table of a running match in which the person has a seat, and the number of the message after
        which its messages are sent again; None if there is no such match."""
        ...

    def finished_record(self, table: str) -> Record | None:
        """Returns the finished match of that table; None if it is not over. Raises Refusal if parts of it are not
        public yet."""
        ...

    def current_view(self, table: str) -> tuple[View, tuple[m.SeatClock, ...], bool] | None:
        """Returns what the person sees at that table now: the view, the clocks, and whether the match is paused; None
        if the person neither plays nor watches a match there."""
        ...

    def is_player(self, name: str) -> bool:
        """Returns whether a player of the server has that name, connected or not."""
        ...

    def charge_for_preview(self) -> None:
        """Counts the preview of an action towards the person's rate limit."""
        ...

    def charge_for_spelling(self) -> None:
        """Counts the search for words similar to a mistyped line towards the person's rate limit."""
        ...
