"""Answers to what keeps order: who is sent away, who is not heard, which table ends."""

from __future__ import annotations

import logging
from collections.abc import Callable

import trio

from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.context import Answer, Context
from server.desk.operator_access import is_this_machine
from server.language import N_, _
from server.player import Player
from server.table.table import Table

log = logging.getLogger("magehall.operator")

NOT_THERE = N_("Nobody of that name is at the table.")


def operator(here: Context, request: m.Operator) -> m.Message:
    who, address, now = f"the operator, for {here.player.name}", here.peer.address, trio.current_time()
    guesses, word, challenge = here.lobby.people.guesses, here.lobby.config.operator_word, here.peer.challenge
    guesses.check_word(who, address, now)
    if not here.lobby.operator_access.admits(request, word, challenge, address, now):
        refusal = guesses.wrong(who, address, address, now)
        if refusal.wait:
            raise refusal
        if request.proof or is_this_machine(address):
            raise Refusal("bad_proof", _("That is not the operator's word, nor a code for one."))
        raise Refusal(
            "bad_proof",
            _("From here only a code makes you the operator; magehall admin operator, at the server, prints one."),
        )
    here.peer.is_operator = True
    log.info("%s is the operator on a connection from %s", here.player.name, address or "here")
    return m.Done(re=request.id, text=_("You are the operator on this connection."))


def kick(here: Context, request: m.Kick, table: Table, _seat: int) -> m.Message:
    if table.state == "over":
        raise Refusal("game_over")
    player = here.lobby.people.find(request.player)
    here.charge_for_onlookers(table)
    if player is not None:
        if table.plays(player) and not here.peer.is_operator:
            raise Refusal("not_operator", _("Only the operator sends somebody away from a match."))
        send_away(table, player, here.player.name)
    else:
        _remove_house_bot(table, request.player)
    return m.Done(
        re=request.id, text=_("{name} is at {id} no more.", name=player.name if player else request.player, id=table.id)
    )


def send_away(table: Table, player: Player, by: str) -> None:
    """For a player in a running match a house bot plays on. Raises `no_such_player`. Have the table's records saved."""
    listener, chair = player.listener, table.seating.chair_of(player)
    if chair is None and listener not in table.seating.spectators:
        raise Refusal("no_such_player", _(NOT_THERE))
    _note(table.kicked, player)
    table.records.save(table)
    if listener is not None:
        table.seating.spectators.let_go(listener, table.records.position)
        listener.wait_for(table.records.position)
        listener.push((m.SentAway(table=table.id, why="kicked", by=by),))
    if chair is None:
        return
    player.tables.pop(table.id, None)
    if table.state == "open":
        table.empty(chair)
    else:
        chair.listener = None
        table.dismiss(player, "left")
        chair.player = None


def _note(among: dict[Player, None], player: Player) -> None:
    """One more, who is remembered for as long as the table is there, and kept with it."""
    among[player] = None
    if len(among) > limits.OUT_A_TABLE:
        del among[next(iter(among))]


def _remove_house_bot(table: Table, name: str) -> None:
    chair = next((one for one in table.seating.chairs if one.house is not None and one.name == name), None)
    if chair is None or table.state != "open":
        raise Refusal("no_such_player", _(NOT_THERE))
    table.empty(chair)


def mute(here: Context, request: m.Mute, table: Table | None = None, _seat: int = 0) -> m.Message:
    if table is None and not here.peer.is_operator:
        raise Refusal("not_operator")
    player = here.lobby.people.find(request.player)
    if player is None:
        raise Refusal("no_such_player")
    if table is None:
        player.muted = not request.off
        player.keep()
    elif request.off:
        table.muted.pop(player, None)
    else:
        _note(table.muted, player)
    return m.Done(re=request.id, text=_muted_text(player, table, off=request.off))


def _muted_text(player: Player, table: Table | None, *, off: bool) -> str:
    """Where that player is heard from now on, or no longer."""
    name, at = player.name, table.id if table is not None else ""
    if table is None:
        return _("{name} is heard.", name=name) if off else _("{name} is not heard.", name=name)
    if not off:
        return _("{name} is not heard at {table}; elsewhere {name} still is.", name=name, table=at)
    if player.muted:
        return _("{name} may talk at {table} again, but the operator has muted {name} everywhere.", name=name, table=at)
    return _("{name} is heard at {table}.", name=name, table=at)


def close(here: Context, request: m.Close, table: Table, _seat: int) -> m.Message:
    rivals = (chair.player for chair in table.seating.chairs if chair.player not in (None, here.player))
    if any(table.plays(rival) for rival in rivals) and not here.peer.is_operator:
        raise Refusal("not_operator", _("Others play there; only the operator ends their match."))
    here.lobby.close(table, here.player.name)
    return m.Done(re=request.id, text=_("{id} is closed.", id=table.id))


HANDLERS: dict[type[m.Request], Callable[..., Answer]] = {
    m.Operator: operator,
    m.Kick: kick,
    m.Mute: mute,
    m.Close: close,
}
