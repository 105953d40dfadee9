"""The desk: checks whether a session may send a request, then calls the request's handler."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES, Permission
from server.desk import (  # noqa: F401 (imported because each registers its handlers)
    cup_requests,
    lobby_requests,
    match_requests,
    moderation,
    public_requests,
    table_requests,
    talk,
)
from server.desk.context import HANDLERS, Answer, Context, Requester
from server.desk.lobby import Lobby

_ANYWHERE = (Permission.ANYBODY, Permission.STRANGER, Permission.PLAYER, Permission.CUP_OWNER, Permission.OPERATOR)
_AT_A_TABLE = {kind for kind, row in EXCHANGES.items() if row.asker not in _ANYWHERE}
_WITHOUT_A_TABLE_TOO = (Permission.TALKER, Permission.SILENCER)


class Desk:
    """Answers the requests of one session. Raises Refusal for a request that it refuses."""

    __slots__ = ("_context",)

    def __init__(self, lobby: Lobby, peer: Requester, server: str) -> None:
        self._context = Context(lobby, peer, server)

    def repeat_answer(self, kept: m.Message) -> m.Message:
        """Returns the stored answer to a repeated request. A cup or a list of the player's seats in it is brought up to
        date."""
        if isinstance(kept, m.Welcome):
            return msgspec.structs.replace(
                kept, seats=public_requests.tables_with_seat(self._context.lobby, self._context.player)
            )
        if isinstance(kept, m.CupReply):
            with suppress(Refusal):
                return m.CupReply(re=kept.re, info=self._context.lobby.cups.get(kept.info.cup).cup_info())
        return kept

    def answer(self, request: Any) -> Answer:
        """Returns the answer to a request, or the steps that compute it; None if the handler has already sent it."""
        context = self._context
        exchange = context.find_exchange(request)
        kind = type(request)
        if kind not in _AT_A_TABLE or (exchange.asker in _WITHOUT_A_TABLE_TOO and not request.table):
            return HANDLERS[kind](context, request)
        table, seat = context.table_and_seat(exchange.asker, request)
        answer = HANDLERS[kind](context, request, table, seat)
        if not exchange.question and kind is not m.Act:  # `act` saves changes of the table itself
            table.records.save_table(table)
        return answer
