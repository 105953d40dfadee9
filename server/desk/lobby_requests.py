"""Handlers of lobby requests: list players, bots and tables; open, join or watch a table."""

from __future__ import annotations

from matches.fold import SPECTATORS
from matches.seats import no_such_seat_refusal
from people.lessons import NoLessons, guided_seed, load_course
from protocol import messages as m
from protocol.errors import Refusal
from server.checks import check_nonce
from server.desk.context import Context, handles
from server.language import N_, _

_SEATED_ALREADY = {
    "open": N_("You have a seat at {id} and see everything that happens there. Type look to see it."),
    "playing": N_("You already have a seat at that table. Type resume to return to it."),
    "over": N_("Your match there is over. Type replay {id} to see it."),
}
ROWS = 100  # most rows of a long list in one answer


@handles(m.Who)
def handle_who(here: Context, request: m.Who) -> m.Message:
    here.peer.hold_until_committed(here.lobby.journal.last_position)
    if request.name:
        player = here.lobby.people.find_player(request.name)
        info = here.lobby.list_entry_of(player) if player is not None else None
        if info is None:
            raise Refusal("no_such_player", _("No one with that name is here."))
        return m.Players(re=request.id, players=(info,))
    after = request.after.lower()
    players = here.lobby.list_players(after, ROWS + 1)
    return m.Players(re=request.id, players=tuple(players[:ROWS]), more=len(players) > ROWS)


@handles(m.Stats)
def handle_stats(here: Context, request: m.Stats) -> m.Message:
    here.peer.hold_until_committed(here.lobby.journal.last_position)
    player = here.lobby.people.find_player(request.name) if request.name else here.player
    if player is None:
        raise Refusal("no_such_player", _("No one with that name has played here."))
    return player.renown.to_message(player.name, request.id)


@handles(m.Bots)
def handle_bots(here: Context, request: m.Bots) -> m.Message:
    game = here.lobby.get_game(request.game) if request.game else None
    return m.BotList(re=request.id, bots=here.lobby.list_bots(game))


@handles(m.Tables)
def handle_tables(here: Context, request: m.Tables) -> m.TableList:
    here.lobby.tables.remove_stale_tables()
    here.peer.hold_until_committed(here.lobby.journal.last_position)
    if request.table:
        table = here.lobby.tables.require_table(request.table)
        return m.TableList(re=request.id, tables=(table.table_info(),))
    listed = here.lobby.tables.tables_after(request.after)
    if request.which != "all":
        listed = [table for table in listed if (table.state == "over") == (request.which == "finished")]
    more = len(listed) > ROWS
    return m.TableList(
        re=request.id, tables=tuple(table.table_info() for table in listed[:ROWS]), more=more, which=request.which
    )


@handles(m.Open)
def handle_open(here: Context, request: m.Open) -> m.Message:
    lobby, player = here.lobby, here.player
    lobby.check_can_take_seat(player)
    clock = request.clock or lobby.config.clock
    if request.guided:
        return _open_guided(here, request, clock)
    seats = request.seats or lobby.get_game(request.game).min_seats
    if request.seat > seats:
        raise no_such_seat_refusal(seats)
    table = lobby.open_table(request.game, seats, player.name, request.options, clock, delay=request.delay)
    seat_state = table.seat_player(player, request.seat or 1)
    return m.TableReply(re=request.id, info=table.table_info(), seat=seat_state.number)


def _open_guided(here: Context, request: m.Open, clock: m.ClockRule) -> m.Message:
    """Opens a table for the game's guided first match, with the deal and the bots of its lessons."""
    lobby, game = here.lobby, here.lobby.get_game(request.game)
    try:
        course = load_course(game)
    except NoLessons as error:
        raise Refusal("bad_field", str(error), "$.guided") from None
    bots = course.bots
    if missing := [bot for bot in bots if bot not in lobby.house.names(game)]:
        raise Refusal("no_such_bot", _("The lessons need the bot {bot}, which is not here.", bot=missing[0]))
    table = lobby.open_table(game.id, len(bots) + 1, here.player.name, course.options, clock, guided_seed(game))
    seat_state = table.seat_player(here.player, 1)
    for bot in bots:
        lobby.add_bot(table, bot)
    return m.TableReply(re=request.id, info=table.table_info(), seat=seat_state.number)


@handles(m.Join)
def handle_join(here: Context, request: m.Join) -> m.Message:
    check_nonce(request.nonce)
    table = here.get_table(request)
    if table.state == "playing":
        if table.seating.seat_state_of(here.player):
            raise Refusal("already_seated", _("You already have a seat at that table. Type resume to return to it."))
        table.check_not_kicked(here.player)
        raise Refusal("already_started", _("The match has started. Type watch {id} to see it.", id=table.id))
    here.lobby.check_can_take_seat(here.player)
    is_new = table.state == "open" and not table.seating.seat_state_of(here.player)
    if is_new and request.delay != table.delay:
        raise Refusal("not_agreed")
    seat_state = table.seat_player(here.player, request.seat, request.nonce)
    here.charge_for_spectators(table)
    if not table.owner:  # the owner has left, and so has every other player
        table.set_owner(here.player)
    return m.TableReply(re=request.id, info=table.table_info(), seat=seat_state.number)


@handles(m.Watch)
def handle_watch(here: Context, request: m.Watch) -> m.Message:
    table = here.get_table(request)
    table.check_not_kicked(here.player)
    if table.seating.seat_state_of(here.player):
        raise Refusal("already_seated", _(_SEATED_ALREADY[table.state], id=table.id))
    if here.lobby.cups.has_shared_deal(table.id, table.word):
        raise Refusal(
            "not_over",
            _("The same deal is being played at another table of its cup. Watch it when that match is over."),
        )
    here.lobby.subscriptions.watch_table(table, here.peer, here.lobby.journal.last_position)
    here.peer.hold_until_committed(here.lobby.journal.last_position)
    match = table.match
    return m.Watching(
        re=request.id,
        table=table.id,
        n=match.counts[SPECTATORS] if match else 0,
        info=table.table_info(),
        view=match.state.view(None) if match else None,
    )


@handles(m.Clock)
def handle_clock(here: Context, request: m.Clock) -> m.Message:
    table = here.get_table(request)
    return m.Clocks(
        re=request.id, table=table.id, clocks=table.seat_clocks(), paused=table.require_match().pauses.is_on
    )
