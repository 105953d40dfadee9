"""Handlers of requests about a table, apart from its match: add a bot, start, leave."""

from __future__ import annotations

from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES
from server.checks import check_nonce
from server.desk.context import Context, handles
from server.language import _
from server.table.table import Table


@handles(m.Add)
def handle_add(here: Context, request: m.Add, table: Table, seat: int) -> m.Message:
    try:
        here.lobby.add_bot(table, request.bot, request.seat)
    except Refusal:  # the text of the refusal may have listed the bots
        here.peer.charge(EXCHANGES[m.Bots].weight)
        raise
    here.charge_for_spectators(table)
    return m.TableReply(re=request.id, info=table.table_info(), seat=seat)


@handles(m.Start)
def handle_start(here: Context, request: m.Start, table: Table, seat: int) -> None:
    check_nonce(request.nonce)
    if seat and table.match is None:
        table.seating.seat_state(seat).nonce = request.nonce
    give = here.peer.send_answer
    here.lobby.start_match(table, lambda: give(m.TableReply(re=request.id, info=table.table_info(), seat=seat)))


@handles(m.Pace)
def handle_pace(here: Context, request: m.Pace, table: Table, _seat: int) -> m.Message:
    table.set_pace(request.seconds)
    text = _("House bots take {seconds:g} s for a decision here.", seconds=request.seconds)
    return m.DoneReply(re=request.id, text=text)


@handles(m.Leave)
def handle_leave(here: Context, request: m.Leave, table: Table, _seat: int) -> m.Message:
    if here.peer in table.seating.spectators:
        table.seating.spectators.flush_and_remove(here.peer, here.lobby.journal.last_position)
        here.peer.hold_until_committed(here.lobby.journal.last_position)
        return m.Left(re=request.id, table=table.id)
    here.charge_for_spectators(table)
    if request.crashed and here.player.bot:
        table.give_seat_to_bot(here.player, "crashed")
    held = table.stand_up(here.player)
    here.lobby.cups.on_player_left_table(here.player.name)
    return m.Left(re=request.id, table=table.id, held=round(held, 3))
