"""The desk: takes a request, looks up in the table of exchanges who may send it, and calls the function for it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.asking import EXCHANGES, Asker
from server.desk import at_cups, at_lobby, at_match, at_table, for_all, order, talk  # noqa: F401 (their handlers)
from server.desk.context import HANDLERS, Answer, Context, Peer
from server.desk.lobby import Lobby

_ANYWHERE = (Asker.ANYBODY, Asker.STRANGER, Asker.PLAYER, Asker.CUP_OWNER, Asker.OPERATOR)
_AT_A_TABLE = {kind for kind, row in EXCHANGES.items() if row.asker not in _ANYWHERE}
_WITHOUT_A_TABLE_TOO = (Asker.TALKER, Asker.SILENCER)


class Desk:
    """Answers one peer's requests. Raises Refusal for a request that is refused."""

    __slots__ = ("_context",)

    def __init__(self, lobby: Lobby, peer: Peer, server: str) -> None:
        self._context = Context(lobby, peer, server)

    def again(self, kept: m.Message) -> m.Message:
        """An answer that was given before; what one tells of a cup or of seats is as it is now, if it is there."""
        if isinstance(kept, m.Welcome):
            return msgspec.structs.replace(kept, seats=for_all.seats_of(self._context.lobby, self._context.player))
        if isinstance(kept, m.CupReply):
            with suppress(Refusal):
                return m.CupReply(re=kept.re, info=self._context.lobby.cups.get(kept.info.cup).info())
        return kept

    def answer(self, request: Any) -> Answer:
        """The answer; None where it was given already, ahead of what followed from the request; or the steps to it."""
        context = self._context
        exchange = context.admit(request)
        kind = type(request)
        if kind not in _AT_A_TABLE or (exchange.asker in _WITHOUT_A_TABLE_TOO and not request.table):
            return HANDLERS[kind](context, request)
        table, seat = context.at_table(exchange.asker, request)
        answer = HANDLERS[kind](context, request, table, seat)
        if not exchange.question and kind is not m.Act:  # what an act changes is kept by itself
            table.records.save(table)
        return answer
