"""Answers to talk: to a table, to everybody who is here, to one player."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from protocol import messages as m
from protocol.connection import Bulletin
from protocol.errors import Refusal
from server.crier import each
from server.desk.checks import said
from server.desk.context import Answer, Context
from server.player import Player
from server.table.table import Table


def say(here: Context, request: m.Say, table: Table | None = None, hearer: int = 0) -> m.Message:
    player = here.player
    _check_heard(here, table)
    if table is not None:
        table.seating.check_may_talk(hearer)
        heard = sum(listener is not here.peer for listener in table.seating.listeners())
        table.say(hearer, player.name, said(request.text))
    else:
        others = [other for other in here.lobby.people.here() if other is not player]
        chat = Bulletin((m.Chat(sender=player.name, text=said(request.text)),))
        here.lobby.crier.cry(each(partial(hear, chat), others))
        heard = len(others)
    here.charge_for_hearers(heard)
    return m.Said(re=request.id, heard=heard)


def tell(here: Context, request: m.Tell) -> m.Message:
    _check_heard(here)
    text = said(request.text)
    other = here.lobby.people.find(request.to)
    if other is None or other.listener is None:
        raise Refusal("no_such_player")
    other.listener.push((m.Chat(sender=here.player.name, text=text, private=True),))
    return m.Said(re=request.id, heard=1)


def hear(chat: Bulletin, player: Player) -> None:
    """That player hears it, if they are here."""
    if player.listener is not None:
        player.listener.push(chat)


def _check_heard(here: Context, table: Table | None = None) -> None:
    here.check_may_tell()
    if table is not None and here.player in table.muted:
        raise Refusal("muted")


HANDLERS: dict[type[m.Request], Callable[..., Answer]] = {m.Say: say, m.Tell: tell}
