"""Answers to talk: to a table, to everybody who is here, to one player."""

from __future__ import annotations

from collections.abc import Callable

from protocol import messages as m
from protocol.errors import Refusal
from server.desk.checks import check_chat
from server.desk.context import Context
from server.table.table import Table


def say(here: Context, request: m.Say, table: Table | None = None, hearer: int = 0) -> m.Message:
    check_chat(request.text)
    player = here.player
    if table is not None:
        return m.Said(re=request.id, heard=max(0, table.say(hearer, player.name, request.text) - 1))
    others = [other for other in here.lobby.people.here() if other is not player]
    for other in others:
        assert other.listener is not None
        other.listener.push((m.Chat(sender=player.name, text=request.text),))
    return m.Said(re=request.id, heard=len(others))


def tell(here: Context, request: m.Tell) -> m.Message:
    check_chat(request.text)
    other = here.lobby.people.find(request.to)
    if other is None or other.listener is None:
        raise Refusal("no_such_player")
    other.listener.push((m.Chat(sender=here.player.name, text=request.text, private=True),))
    return m.Said(re=request.id, heard=1)


HANDLERS: dict[type[m.Request], Callable[..., m.Message | None]] = {m.Say: say, m.Tell: tell}
