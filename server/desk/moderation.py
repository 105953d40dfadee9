"""Handlers of moderation requests: kick, ban, mute, close, announce."""

from __future__ import annotations

import logging
from functools import partial

import trio

from languages import speaking
from protocol import limits
from protocol import messages as m
from protocol.connection import SharedMessages
from protocol.errors import Refusal
from protocol.names import is_name, lookalike_key
from protocol.printable import escape_text
from server.address import group_address
from server.broadcast import iter_deliveries
from server.checks import clean_chat_text
from server.desk.bans import BanRecord
from server.desk.context import Context, handles
from server.desk.lobby import Lobby
from server.desk.talk import send_bulletin
from server.language import N_, _
from server.log_fields import extra_fields
from server.player import Player
from server.table.table import Table

log = logging.getLogger("magehall.operator")

VOICE = "server"  # the sender of announcements, which is no valid player name
LONGEST_BAN = 1e10  # most seconds of a ban, whose end then has a date that can be printed
NOT_THERE = N_("No one with that name is at the table.")


@handles(m.Operator)
def handle_operator(here: Context, request: m.Operator) -> m.Message:
    who, address, now = f"the operator, for {here.player.name}", here.peer.address, trio.current_time()
    guesses, word, challenge = here.lobby.people.guesses, here.lobby.config.operator_word, here.peer.challenge
    guesses.check_password_allowed(who, address, now)
    if not here.lobby.operator_access.accepts_proof(request, word, challenge, here.peer.origin, now):
        refusal = guesses.record_failure(who, address, address, now)
        if refusal.wait:
            raise refusal
        if request.proof or not here.peer.origin.can_be_eavesdropped:
            raise Refusal("bad_proof", _("That is neither the operator's word nor a valid code."))
        raise Refusal(
            "bad_proof",
            _(
                "From here you need a code to become the operator. Run `magehall admin operator` at the "
                "server to get one."
            ),
        )
    here.peer.is_operator = True
    told = extra_fields("operator", name=here.player.name, address=address)
    log.info("%s is the operator on a connection from %s", here.player.name, address or "here", extra=told)
    return m.DoneReply(re=request.id, text=_("You are the operator on this connection."))


@handles(m.Kick)
def handle_kick(here: Context, request: m.Kick, table: Table | None = None, _seat: int = 0) -> m.Message:
    player, reason = here.lobby.people.find_player(request.player), clean_reason_text(request.reason)
    if table is None:
        if not here.peer.is_operator:
            raise Refusal("not_operator", _("Name a table. Only the operator may remove players from the server."))
        if player is None:
            raise Refusal("no_such_player")
        check_player_present(here.lobby, player)
        text = _("{name} was disconnected, but may come back.", name=player.name)
        remove_player(here.lobby, player, here.player.name, "kicked", reason)
        return m.DoneReply(re=request.id, text=text)
    if table.state == "over":
        raise Refusal("game_over")
    here.charge_for_spectators(table)
    if player is not None:
        if table.is_playing(player) and not here.peer.is_operator:
            raise Refusal("not_operator", _("Only the operator may remove players from a running match."))
        remove_from_table(table, player, here.player.name, reason)
    else:
        _remove_house_bot(table, request.player)
    return m.DoneReply(
        re=request.id,
        text=_("{name} was removed from {id}.", name=player.name if player else request.player, id=table.id),
    )


def check_player_present(lobby: Lobby, player: Player) -> None:
    """Raises `no_such_player` if the player is not connected and has no seat."""
    if player.listener is None and all(table.state == "over" for table in lobby.tables.tables_of_player(player)):
        raise Refusal("no_such_player", _("{name} is not here.", name=player.name))


def remove_player(lobby: Lobby, player: Player, by: str, how: str, reason: str = "", end: str = "") -> None:
    """Removes the player from every seat and disconnects them. `how` is the reason code of the goodbye, and `end` the
    time when the ban ends, as text."""
    for table in lobby.tables.tables_of_player(player):
        if table.state != "over":
            remove_from_table(table, player, by, reason)
    if player.listener is not None:
        with speaking(player.language):
            why = f"{reason or _('not given')} ({end})" if end else reason
        player.listener.end(how, why=why)


def ban_name_or_address(lobby: Lobby, written: str, seconds: float, by: str, reason: str = "") -> BanRecord:
    """Bans a name or an address for that number of seconds (0: permanently), and disconnects its players."""
    who, is_address = parse_name_or_address(written)
    if not 0 <= seconds <= LONGEST_BAN:
        most = _("A ban lasts at most {most:,.0f} seconds. Leave the time out for a permanent ban.", most=LONGEST_BAN)
        raise Refusal("bad_field", most)
    put = lobby.bans.add_ban(who, who if is_address else written, seconds, reason)
    if is_address:
        banned = [player for player in lobby.people.connected_players() if player.address == who]
    else:
        banned = list(filter(None, (lobby.people.find_player(written),)))
    for player in banned:
        with speaking(player.language):
            end = put.end_text() if put.until else ""
        remove_player(lobby, player, by, "banned", reason, end)
    return put


def lift_ban(lobby: Lobby, written: str) -> None:
    """Lifts a ban. Raises `no_such_player` if there is none."""
    who = parse_name_or_address(written)[0]
    if not lobby.bans.lift_ban(who):
        if entry := lobby.config.matching_ban(who):
            text = _(
                "{entry} is banned in the server's settings file. Remove it there, and send SIGHUP to read the "
                "file again.",
                entry=entry,
            )
            raise Refusal("no_such_player", text)
        raise Refusal("no_such_player", _("{who} is not banned.", who=written))


def announce_to_all(lobby: Lobby, text: str) -> int:
    """Sends a message to every connected player, also during a match. Returns the number of recipients."""
    people = lobby.people.connected_players()
    chat = SharedMessages((m.Chat(sender=VOICE, text=clean_chat_text(text, lobby.config.chat_characters)),))
    lobby.broadcaster.broadcast(iter_deliveries(partial(send_bulletin, chat), people))
    return len(people)


def clean_reason_text(text: str, most: int = limits.CHAT_CHARACTERS) -> str:
    """Returns an operator's or owner's reason as other players see it. Raises `bad_chat` if it is longer than `most`
    characters."""
    return clean_chat_text(text, most) if text else ""


def parse_name_or_address(written: str) -> tuple[str, bool]:
    """Returns the folded name or the grouped address that `written` means, and whether it is an address. Raises
    Refusal."""
    if is_name(written):
        return lookalike_key(written), False
    try:
        return group_address(written), True
    except ValueError:
        raise Refusal(
            "bad_name", _("{written} is neither a name nor an address.", written=escape_text(written))
        ) from None


@handles(m.Ban)
def handle_ban(here: Context, request: m.Ban) -> m.Message:
    if request.off:
        lift_ban(here.lobby, request.player)
        return m.DoneReply(re=request.id, text=_("{who} is no longer banned.", who=request.player))
    by, reason = here.player.name, clean_reason_text(request.reason)
    put = ban_name_or_address(here.lobby, request.player, request.seconds, by, reason)
    return m.DoneReply(re=request.id, text=_("Banned: {ban}.", ban=put))


@handles(m.Announce)
def handle_announce(here: Context, request: m.Announce) -> m.Message:
    return m.DoneReply(re=request.id, text=_("Sent to {people}.", people=announce_to_all(here.lobby, request.text)))


def remove_from_table(table: Table, player: Player, by: str, reason: str = "") -> None:
    """Removes a player from a table for good. In a running match a house bot plays on. Raises `no_such_player`."""
    listener, seat_state = player.listener, table.seating.seat_state_of(player)
    if seat_state is None and listener not in table.seating.spectators:
        raise Refusal("no_such_player", _(NOT_THERE))
    _note(table.kicked, player, table.config.out_a_table)
    table.records.save_table(table)
    if listener is not None:
        table.seating.spectators.flush_and_remove(listener, table.records.position)
        listener.hold_until_committed(table.records.position)
        listener.push((m.SentAway(table=table.id, why="kicked", by=by, reason=reason),))
    if seat_state is None:
        return
    player.tables.pop(table.id, None)
    if table.state == "open":
        table.empty_seat(seat_state, kicked=player.name, reason=reason)
    else:
        seat_state.listener = None
        table.give_seat_to_bot(player, "kicked")
        seat_state.player = None
        table.records.save_table(table)


def _note(among: dict[Player, None], player: Player, most: int) -> None:
    """Adds the player to the players in `among`. If they are more than `most`, the oldest is dropped."""
    among[player] = None
    if len(among) > most:
        del among[next(iter(among))]


def _remove_house_bot(table: Table, name: str) -> None:
    seat_state = next((one for one in table.seating.seat_states if one.house is not None and one.name == name), None)
    if seat_state is None or table.state != "open":
        raise Refusal("no_such_player", _(NOT_THERE))
    table.empty_seat(seat_state)


@handles(m.Mute)
def handle_mute(here: Context, request: m.Mute, table: Table | None = None, _seat: int = 0) -> m.Message:
    if table is None and not here.peer.is_operator:
        raise Refusal("not_operator")
    player = here.lobby.people.find_player(request.player)
    if player is None:
        raise Refusal("no_such_player")
    if table is None:
        player.muted = not request.off
        player.save()
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


@handles(m.Close)
def handle_close(here: Context, request: m.Close, table: Table, _seat: int) -> m.Message:
    rivals = (
        seat_state.player for seat_state in table.seating.seat_states if seat_state.player not in (None, here.player)
    )
    if any(table.is_playing(rival) for rival in rivals) and not here.peer.is_operator:
        raise Refusal("not_operator", _("Others play there. Only the operator may end their match."))
    here.lobby.tables.close_table(table, here.player.name)
    return m.DoneReply(re=request.id, text=_("{id} is closed.", id=table.id))
