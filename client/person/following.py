"""A spectator follows the people of a match that is over to their next one: quiet questions find its table. Pure."""

from __future__ import annotations

from client.language import _
from client.person.table import Effects, PersonTable
from client.person.turning import Turning
from protocol import messages as m
from protocol.text.where import Ask

LOOK_SECONDS = 3.0  # between two questions
PATIENCE_SECONDS = 900.0  # after the end of the match


class Following:
    """Where one person's last watched match ended, for as long as they stay there."""

    def __init__(self, turning: Turning) -> None:
        self._turning = turning
        self._table: PersonTable | None = None
        self._until = self._next = 0.0
        self._asked: Ask | None = None

    def over(self, table: PersonTable, now: float) -> None:
        """A match is over that the person played or watched."""
        if not table.seat:
            self._table, self._until, self._next = table, now + PATIENCE_SECONDS, now + LOOK_SECONDS

    def due(self, here: PersonTable | None, now: float) -> list[Ask]:
        """What to ask now."""
        if self._table is None or self._asked is not None:
            return []
        if here is not self._table or now > self._until:
            self._table = None
            return []
        if now < self._next:
            return []
        self._next = now + LOOK_SECONDS
        self._asked = Ask(m.Tables, {"after": self._table.id})
        return [self._asked]

    def take(self, ask: Ask, reply: m.Reply, here: PersonTable | None, *, busy: bool) -> Effects | None:
        """What follows from an answer to a question from here; None for another answer. Who is `busy` with a page is
        only told of the table."""
        if ask is not self._asked:
            return None
        self._asked = None
        effects, last = Effects(), self._table
        if last is None or here is not last or not isinstance(reply, m.TableList):
            return effects
        found = [info.table for info in reply.tables if _is_rematch(info, last)]
        if not found:
            return effects
        self._table = None
        if busy:
            effects.say(_("The rematch is at {table}; watch {table} shows it.", table=found[0]), "title")
        else:
            effects.say(_("The rematch is at {table}, and you watch it.", table=found[0]), "title")
            effects.asks += self._turning.to(found[0], last)
        return effects


def _is_rematch(info: m.TableInfo, last: PersonTable) -> bool:
    return info.state != "over" and info.game == last.game.id and info.owner in last.people and info.table != last.id
