"""Handlers of lobby requests: list players, bots and tables; open, join or watch a table."""

from __future__ import annotations

from matches.fold import SPECTATORS
from matches.seats import no_such_seat
from people.lessons import NoLessons, course_of, guided_seed
from protocol import messages as m
from protocol.errors import Refusal
from server.checks import check_nonce
from server.desk.context import Context, answers
from server.language import N_, _

_SEATED_ALREADY = {
    "open": N_("You have a seat at {id} and see everything that happens there. Type look to see it."),
    "playing": N_("You already have a seat at that table. Type resume to return to it."),
    "over": N_("Your match there is over. Type replay {id} to see it."),
}
ROWS = 100  # most rows of a long list in one answer


@answers(m.Who)
def who(here: Context, request: m.Who) -> m.Message:
    here.peer.wait_for(here.lobby.journal.position)
    if request.name:
        player = here.lobby.people.find(request.name)
        info = here.lobby.whereabouts_of(player) if player is not None else None
        if info is None:
            raise Refusal("no_such_player", _("No one with that name is here."))
        return m.Players(re=request.id, players=(info,))
    after = request.after.lower()
    players = here.lobby.whereabouts(after, ROWS + 1)
    return m.Players(re=request.id, players=tuple(players[:ROWS]), more=len(players) > ROWS)


@answers(m.Stats)
def stats(here: Context, request: m.Stats) -> m.Message:
    here.peer.wait_for(here.lobby.journal.position)
    player = here.lobby.people.find(request.name) if request.name else here.player
    if player is None:
        raise Refusal("no_such_player", _("No one with that name has played here."))
    return player.renown.as_told(player.name, request.id)


@answers(m.Bots)
def bots(here: Context, request: m.Bots) -> m.Message:
    game = here.lobby.game(request.game) if request.game else None
    return m.BotList(re=request.id, bots=here.lobby.bots(game))


@answers(m.Tables)
def tables(here: Context, request: m.Tables) -> m.TableList:
    here.lobby.tables.sweep()
    here.peer.wait_for(here.lobby.journal.position)
    if request.table:
        table = here.lobby.tables.require(request.table)
        return m.TableList(re=request.id, tables=(table.info(),))
    listed = here.lobby.tables.after(request.after)
    if request.which != "all":
        listed = [table for table in listed if (table.state == "over") == (request.which == "finished")]
    more = len(listed) > ROWS
    return m.TableList(
        re=request.id, tables=tuple(table.info() for table in listed[:ROWS]), more=more, which=request.which
    )


@answers(m.Open)
def open_(here: Context, request: m.Open) -> m.Message:
    lobby, player = here.lobby, here.player
    lobby.check_seat(player)
    clock = request.clock or lobby.config.clock
    if request.guided:
        return _open_guided(here, request, clock)
    seats = request.seats or lobby.game(request.game).min_seats
    if request.seat > seats:
        raise no_such_seat(seats)
    table = lobby.open(request.game, seats, player.name, request.options, clock, delay=request.delay)
    seat_state = table.sit(player, request.seat or 1)
    return m.TableReply(re=request.id, info=table.info(), seat=seat_state.number)


def _open_guided(here: Context, request: m.Open, clock: m.ClockRule) -> m.Message:
    """Opens a table for the game's guided first match, with the deal and the bots of its lessons."""
    lobby, game = here.lobby, here.lobby.game(request.game)
    try:
        course = course_of(game)
    except NoLessons as error:
        raise Refusal("bad_field", str(error), "$.guided") from None
    bots = course.bots
    if missing := [bot for bot in bots if bot not in lobby.house.names(game)]:
        raise Refusal("no_such_bot", _("The lessons need the bot {bot}, which is not here.", bot=missing[0]))
    table = lobby.open(game.id, len(bots) + 1, here.player.name, course.options, clock, guided_seed(game))
    seat_state = table.sit(here.player, 1)
    for bot in bots:
        lobby.add_bot(table, bot)
    return m.TableReply(re=request.id, info=table.info(), seat=seat_state.number)


@answers(m.Join)
def join(here: Context, request: m.Join) -> m.Message:
    check_nonce(request.nonce)
    table = here.table(request)
    if table.state == "playing":
        if table.seating.seat_state_of(here.player):
            raise Refusal("already_seated", _("You already have a seat at that table. Type resume to return to it."))
        table.check_not_kicked(here.player)
        raise Refusal("already_started", _("The match has started. Type watch {id} to see it.", id=table.id))
    here.lobby.check_seat(here.player)
    is_new = table.state == "open" and not table.seating.seat_state_of(here.player)
    if is_new and request.delay != table.delay:
        raise Refusal("not_agreed")
    seat_state = table.sit(here.player, request.seat, request.nonce)
    here.charge_for_onlookers(table)
    if not table.owner:  # the owner has left, and so has every other player
        table.belong_to(here.player)
    return m.TableReply(re=request.id, info=table.info(), seat=seat_state.number)


@answers(m.Watch)
def watch(here: Context, request: m.Watch) -> m.Message:
    table = here.table(request)
    table.check_not_kicked(here.player)
    if table.seating.seat_state_of(here.player):
        raise Refusal("already_seated", _(_SEATED_ALREADY[table.state], id=table.id))
    if here.lobby.cups.shares(table.id, table.word):
        raise Refusal(
            "not_over",
            _("The same deal is being played at another table of its cup. Watch it when that match is over."),
        )
    here.lobby.subscriptions.watch(table, here.peer, here.lobby.journal.position)
    here.peer.wait_for(here.lobby.journal.position)
    match = table.match
    return m.Watching(
        re=request.id,
        table=table.id,
        n=match.counts[SPECTATORS] if match else 0,
        info=table.info(),
        view=match.state.view(None) if match else None,
    )


@answers(m.Clock)
def clock(here: Context, request: m.Clock) -> m.Message:
    table = here.table(request)
    return m.Clocks(re=request.id, table=table.id, clocks=table.clock_report(), paused=table.running().pauses.is_on)
