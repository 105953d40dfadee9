"""Handlers of talk: to a table, to everyone, or to one player."""

from __future__ import annotations

from functools import partial
from math import ceil

import trio

from protocol import messages as m
from protocol.connection import SharedMessages
from protocol.errors import Refusal
from server.broadcast import iter_deliveries
from server.checks import clean_chat_text
from server.desk.context import Context, handles
from server.language import N_, _
from server.player import Player
from server.table.table import Table

HEARS_LOBBY = {
    "on": N_("You receive lobby talk."),
    "off": N_("You receive no lobby talk; lobby on brings it back."),
    "auto": N_("You receive lobby talk while you neither play nor watch a match; lobby on or off changes that."),
}


@handles(m.Say)
def handle_say(here: Context, request: m.Say, table: Table | None = None, hearer: int = 0) -> m.Message:
    player = here.player
    _check_heard(here, table)
    text = clean_chat_text(request.text, here.lobby.config.chat_characters)
    if table is not None:
        table.seating.check_chat_limit(hearer, table.config.chats_a_match)
        check_talk_rate(here, sits=bool(hearer))
        heard = sum(listener is not here.peer for listener in table.seating.receiver_sessions())
        table.send_chat(hearer, player.name, text)
    else:
        check_talk_rate(here)
        hearing = [
            one for one in here.lobby.lobby_chat_receivers() if one is not player and not one.is_ignoring(player.name)
        ]
        chat = SharedMessages((m.Chat(sender=player.name, text=text),))
        here.lobby.broadcaster.broadcast(iter_deliveries(partial(send_bulletin, chat), hearing))
        heard = len(hearing)
    here.charge_for_subscribers(heard)
    return m.Said(re=request.id, heard=heard)


@handles(m.Tell)
def handle_tell(here: Context, request: m.Tell) -> m.Message:
    _check_heard(here)
    text = clean_chat_text(request.text, here.lobby.config.chat_characters)
    other = here.lobby.people.find_player(request.to)
    if other is None or other.listener is None:
        raise Refusal("no_such_player")
    check_not_ignored(here, other)
    check_talk_rate(here)
    other.listener.push((m.Chat(sender=here.player.name, text=text, private=True),))
    return m.Said(re=request.id, heard=1)


@handles(m.Ignore)
def handle_ignore(here: Context, request: m.Ignore) -> m.Message:
    player = here.player
    if request.player:
        other = here.lobby.people.find_player(request.player)
        if other is player:
            raise Refusal("bad_field", _("You cannot ignore yourself."), "$.player")
        if other is None and not player.is_ignoring(request.player):
            raise Refusal("no_such_player", _("{name} is not known here.", name=request.player))
        player.ignore(other.name if other is not None else request.player, off=request.off)
        player.save()
    return m.Ignoring(re=request.id, players=tuple(player.ignored.values()))


@handles(m.LobbyTalk)
def handle_lobby_talk(here: Context, request: m.LobbyTalk) -> m.Message:
    player = here.player
    if request.hear:
        player.lobby_talk = request.hear
        player.save()
    return m.DoneReply(re=request.id, text=_(HEARS_LOBBY[player.lobby_talk]))


def send_bulletin(chat: SharedMessages, player: Player) -> None:
    """Sends the message to the player, if the player is connected."""
    if player.listener is not None:
        player.listener.push(chat)


def check_talk_rate(here: Context, *, sits: bool = False) -> None:
    """Counts one line of talk. Raises `talk_too_fast` if the player has sent too many, and then counts nothing. With
    `sits` the player talks at their own table, and the limit of their address does not apply."""
    meters, now = here.lobby.limits.talk_buckets(here.player, of_address=not sits), trio.current_time()
    if wait := max(meter.refill_wait(now) for meter in meters):
        text = _(
            "You talk too fast. Your message was not sent; wait {seconds} s. You may send {count} lines "
            "at once, then one every {pause:g} s.",
            seconds=ceil(wait),
            count=here.lobby.config.talk_at_once,
            pause=here.lobby.config.talk_seconds,
        )
        raise Refusal("talk_too_fast", text)
    for meter in meters:
        meter.charge(1)


def check_not_ignored(here: Context, other: Player) -> None:
    """Raises `ignored` if that player ignores the sender."""
    if other.is_ignoring(here.player.name):
        raise Refusal("ignored", _("{name} ignores you.", name=other.name))


def _check_heard(here: Context, table: Table | None = None) -> None:
    here.check_can_talk()
    if table is not None and here.player in table.muted:
        text = _("You are muted at {table}. You may still use the lobby and `tell`.", table=table.id)
        raise Refusal("muted", text)
