"""Handlers of moderation requests: kick, ban, mute, close, announce."""

from __future__ import annotations

import logging
from functools import partial

import trio

from languages import speaking
from protocol import limits
from protocol import messages as m
from protocol.connection import Bulletin
from protocol.errors import Refusal
from protocol.names import fold, is_name
from protocol.printable import escape
from server.address import group_address
from server.broadcast import each
from server.checks import said
from server.desk.bans import BanRecord
from server.desk.context import Context, answers
from server.desk.lobby import Lobby
from server.desk.talk import hear
from server.language import N_, _
from server.log_fields import fields
from server.player import Player
from server.table.table import Table

log = logging.getLogger("magehall.operator")

VOICE = "server"  # the sender of announcements, which is no valid player name
LONGEST_BAN = 1e10  # most seconds of a ban, whose end then has a date that can be printed
NOT_THERE = N_("No one with that name is at the table.")


@answers(m.Operator)
def operator(here: Context, request: m.Operator) -> m.Message:
    who, address, now = f"the operator, for {here.player.name}", here.peer.address, trio.current_time()
    guesses, word, challenge = here.lobby.people.guesses, here.lobby.config.operator_word, here.peer.challenge
    guesses.check_word(who, address, now)
    if not here.lobby.operator_access.admits(request, word, challenge, here.peer.origin, now):
        refusal = guesses.wrong(who, address, address, now)
        if refusal.wait:
            raise refusal
        if request.proof or not here.peer.origin.is_overheard:
            raise Refusal("bad_proof", _("That is neither the operator's word nor a valid code."))
        raise Refusal(
            "bad_proof",
            _(
                "From here you need a code to become the operator. Run `magehall admin operator` at the "
                "server to get one."
            ),
        )
    here.peer.is_operator = True
    told = fields("operator", name=here.player.name, address=address)
    log.info("%s is the operator on a connection from %s", here.player.name, address or "here", extra=told)
    return m.DoneReply(re=request.id, text=_("You are the operator on this connection."))


@answers(m.Kick)
def kick(here: Context, request: m.Kick, table: Table | None = None, _seat: int = 0) -> m.Message:
    player, reason = here.lobby.people.find(request.player), said_reason(request.reason)
    if table is None:
        if not here.peer.is_operator:
            raise Refusal("not_operator", _("Name a table. Only the operator may remove players from the server."))
        if player is None:
            raise Refusal("no_such_player")
        check_is_there(here.lobby, player)
        text = _("{name} was disconnected, but may come back.", name=player.name)
        remove_everywhere(here.lobby, player, here.player.name, "kicked", reason)
        return m.DoneReply(re=request.id, text=text)
    if table.state == "over":
        raise Refusal("game_over")
    here.charge_for_onlookers(table)
    if player is not None:
        if table.plays(player) and not here.peer.is_operator:
            raise Refusal("not_operator", _("Only the operator may remove players from a running match."))
        remove_from_table(table, player, here.player.name, reason)
    else:
        _remove_house_bot(table, request.player)
    return m.DoneReply(
        re=request.id,
        text=_("{name} was removed from {id}.", name=player.name if player else request.player, id=table.id),
    )


def check_is_there(lobby: Lobby, player: Player) -> None:
    """Raises `no_such_player` if the player is not connected and has no seat."""
    if player.listener is None and all(table.state == "over" for table in lobby.tables.of(player)):
        raise Refusal("no_such_player", _("{name} is not here.", name=player.name))


def remove_everywhere(lobby: Lobby, player: Player, by: str, how: str, reason: str = "", end: str = "") -> None:
    """Removes the player from every seat and disconnects them. `how` is the reason code of the goodbye, and `end` the
    time when the ban ends, as text."""
    for table in lobby.tables.of(player):
        if table.state != "over":
            remove_from_table(table, player, by, reason)
    if player.listener is not None:
        with speaking(player.language):
            why = f"{reason or _('not given')} ({end})" if end else reason
        player.listener.end(how, why=why)


def ban(lobby: Lobby, written: str, seconds: float, by: str, reason: str = "") -> BanRecord:
    """Bans a name or an address for that number of seconds (0: permanently), and disconnects its players."""
    who, is_address = name_or_address(written)
    if not 0 <= seconds <= LONGEST_BAN:
        most = _("A ban lasts at most {most:,.0f} seconds. Leave the time out for a permanent ban.", most=LONGEST_BAN)
        raise Refusal("bad_field", most)
    put = lobby.bans.put(who, who if is_address else written, seconds, reason)
    if is_address:
        banned = [player for player in lobby.people.here() if player.address == who]
    else:
        banned = list(filter(None, (lobby.people.find(written),)))
    for player in banned:
        with speaking(player.language):
            end = put.end() if put.until else ""
        remove_everywhere(lobby, player, by, "banned", reason, end)
    return put


def lift_ban(lobby: Lobby, written: str) -> None:
    """Lifts a ban. Raises `no_such_player` if there is none."""
    who = name_or_address(written)[0]
    if not lobby.bans.lift(who):
        if entry := lobby.config.banned(who):
            text = _(
                "{entry} is banned in the server's settings file. Remove it there, and send SIGHUP to read the "
                "file again.",
                entry=entry,
            )
            raise Refusal("no_such_player", text)
        raise Refusal("no_such_player", _("{who} is not banned.", who=written))


def announce(lobby: Lobby, text: str) -> int:
    """Sends a message to every connected player, also during a match. Returns the number of recipients."""
    people = lobby.people.here()
    chat = Bulletin((m.Chat(sender=VOICE, text=said(text, lobby.config.chat_characters)),))
    lobby.broadcaster.broadcast(each(partial(hear, chat), people))
    return len(people)


def said_reason(text: str, most: int = limits.CHAT_CHARACTERS) -> str:
    """Returns an operator's or owner's reason as other players see it. Raises `bad_chat` if it is longer than `most`
    characters."""
    return said(text, most) if text else ""


def name_or_address(written: str) -> tuple[str, bool]:
    """Returns the folded name or the grouped address that `written` means, and whether it is an address. Raises
    Refusal."""
    if is_name(written):
        return fold(written), False
    try:
        return group_address(written), True
    except ValueError:
        raise Refusal("bad_name", _("{written} is neither a name nor an address.", written=escape(written))) from None


@answers(m.Ban)
def ban_(here: Context, request: m.Ban) -> m.Message:
    if request.off:
        lift_ban(here.lobby, request.player)
        return m.DoneReply(re=request.id, text=_("{who} is no longer banned.", who=request.player))
    by, reason = here.player.name, said_reason(request.reason)
    put = ban(here.lobby, request.player, request.seconds, by, reason)
    return m.DoneReply(re=request.id, text=_("Banned: {ban}.", ban=put))


@answers(m.Announce)
def announce_(here: Context, request: m.Announce) -> m.Message:
    return m.DoneReply(re=request.id, text=_("Sent to {people}.", people=announce(here.lobby, request.text)))


def remove_from_table(table: Table, player: Player, by: str, reason: str = "") -> None:
    """Removes a player from a table for good. In a running match a house bot plays on. Raises `no_such_player`."""
    listener, seat_state = player.listener, table.seating.seat_state_of(player)
    if seat_state is None and listener not in table.seating.spectators:
        raise Refusal("no_such_player", _(NOT_THERE))
    _note(table.kicked, player, table.config.out_a_table)
    table.records.save(table)
    if listener is not None:
        table.seating.spectators.let_go(listener, table.records.position)
        listener.wait_for(table.records.position)
        listener.push((m.SentAway(table=table.id, why="kicked", by=by, reason=reason),))
    if seat_state is None:
        return
    player.tables.pop(table.id, None)
    if table.state == "open":
        table.empty(seat_state, kicked=player.name, reason=reason)
    else:
        seat_state.listener = None
        table.dismiss(player, "kicked")
        seat_state.player = None
        table.records.save(table)


def _note(among: dict[Player, None], player: Player, most: int) -> None:
    """Adds the player to the players in `among`. If they are more than `most`, the oldest is dropped."""
    among[player] = None
    if len(among) > most:
        del among[next(iter(among))]


def _remove_house_bot(table: Table, name: str) -> None:
    seat_state = next((one for one in table.seating.seat_states if one.house is not None and one.name == name), None)
    if seat_state is None or table.state != "open":
        raise Refusal("no_such_player", _(NOT_THERE))
    table.empty(seat_state)


@answers(m.Mute)
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
        _note(table.muted, player, table.config.out_a_table)
    return m.DoneReply(re=request.id, text=_muted_text(player, table, off=request.off))


def _muted_text(player: Player, table: Table | None, *, off: bool) -> str:
    """Returns the sentence that tells a player who was muted, or with `off` unmuted, where they may talk now."""
    name, at = player.name, table.id if table is not None else ""
    if table is None:
        return _("{name} may talk again.", name=name) if off else _("{name} is muted everywhere.", name=name)
    if not off:
        return _("{name} is muted at {table}, and may still talk elsewhere.", name=name, table=at)
    if player.muted:
        return _("{name} may talk at {table} again, but the operator has muted {name} everywhere.", name=name, table=at)
    return _("{name} may talk at {table} again.", name=name, table=at)


@answers(m.Close)
def close(here: Context, request: m.Close, table: Table, _seat: int) -> m.Message:
    rivals = (
        seat_state.player for seat_state in table.seating.seat_states if seat_state.player not in (None, here.player)
    )
    if any(table.plays(rival) for rival in rivals) and not here.peer.is_operator:
        raise Refusal("not_operator", _("Others play there. Only the operator may end their match."))
    here.lobby.tables.close(table, here.player.name)
    return m.DoneReply(re=request.id, text=_("{id} is closed.", id=table.id))
