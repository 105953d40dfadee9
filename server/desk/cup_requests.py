"""Handlers of cup requests: open, enter and start a cup, read its standings, and subscribe to it."""

from __future__ import annotations

from itertools import chain, count

from protocol import messages as m
from protocol.errors import Refusal
from protocol.printable import escape_text
from server.checks import check_nonce
from server.cups.cups import new_secret
from server.cups.live_cup import LiveCup
from server.desk.context import Context, Steps, handles
from server.desk.talk import check_not_ignored, check_talk_rate
from server.language import _
from server.player import Player
from server.table.spectators import check_spectator_limit
from tournaments.bundle import log_length, log_lines
from tournaments.challenge import CHALLENGER
from tournaments.cup import OPEN, PAUSED, RUNNING, STOPPED, CupSettings
from tournaments.formats.registry import FORMATS, admits_late_entrants
from tournaments.schedule import Pairing
from tournaments.standings import RANK_BY, standing_message

DEALS = ("fresh", "duplicate")
LOG_LINES = 100  # most lines of the cup's log in one answer to `cup_log`
SEED = 1  # the seed of every cup's schedule; the deals come from the cup's secret instead


@handles(m.Cups)
def handle_cups(here: Context, request: m.Cups) -> m.Message:
    listed = here.lobby.cups.list_cups()
    for live in listed:
        here.peer.hold_until_committed(live.position)
    return m.CupList(re=request.id, cups=tuple(live.cup_info(entrants=False) for live in listed))


@handles(m.CupRequest)
def handle_cup(here: Context, request: m.CupRequest) -> m.Message:
    return _reply(here, request, here.get_cup(request))


@handles(m.CupOpen)
def handle_cup_open(here: Context, request: m.CupOpen) -> m.Message:
    lobby, owner = here.lobby, here.player.name
    here.check_can_talk()  # a program could put a message into the name of a cup
    lobby.service.check_can_begin()
    game = lobby.get_game(request.game)
    if request.deals == "rotated":
        raise Refusal("bad_field", _("Rotated deals are for bots that the organiser runs."), "$.deals")
    if request.deals not in DEALS:
        raise Refusal("bad_field", _("Deals are: {listed}.", listed=", ".join(DEALS)), "$.deals")
    if request.rank_by not in RANK_BY:
        raise Refusal("bad_field", _("A cup is ranked by: {listed}.", listed=", ".join(RANK_BY)), "$.rank_by")
    if request.late_entry and not admits_late_entrants(request.format):
        text = _(
            "Late entrants are for these formats: {listed}.", listed=", ".join(filter(admits_late_entrants, FORMATS))
        )
        raise Refusal("bad_field", text, "$.late_entry")
    seats = request.seats or game.min_seats
    lobby.check_seat_count(game, seats)
    options = lobby.non_default_options(game, request.options)
    settings = CupSettings(
        cup=request.cup,
        owner=owner,
        game=game.id,
        seats=seats,
        clock=request.clock or lobby.config.clock,
        format=request.format,
        deals=request.deals,
        rounds=request.rounds,
        seed=SEED,
        secret=new_secret(),
        options=options,
        opened=lobby.cups.wall_clock_time(),
        late_entry=request.late_entry,
        rank_by=request.rank_by,
    )
    live = lobby.cups.open_cup(settings)
    here.player.record_match_begun()  # so that the owner's name is not forgotten
    return _reply(here, request, live)


@handles(m.CupEnter)
def handle_cup_enter(here: Context, request: m.CupEnter) -> m.Message:
    live, name = here.get_cup(request), here.player.name
    check_nonce(request.nonce)
    game = live.cup.settings.game
    if not here.player.plays_game(game):
        raise Refusal("cup_state", _("Your hello says that you do not play {game}.", game=game))
    playing = live.cup.entrant_of_player(name)
    if playing is not None and playing.name != name:
        raise Refusal("cup_state", _("You play for {name} there.", name=playing.name))
    if any(one.name == name and name not in one.players for one in live.cup.entrants):
        live.willing.add(name)
        raise Refusal("cup_state", _("Another player plays for you there. Ask the cup's owner to put you back."))
    was_in = any(one.name == name and not one.dropped for one in live.cup.entrants)
    here.lobby.cups.enter_entrant(live, name, (name,), request.tables, request.nonce)
    here.player.record_match_begun()  # so that the entrant's name is not forgotten
    if not was_in:
        _tell_owner(here, live, name, "entered")
    return _reply(here, request, live)


@handles(m.CupDrop)
def handle_cup_drop(here: Context, request: m.CupDrop) -> m.Message:
    live = here.get_cup(request)
    entrant = live.cup.entrant_of_player(here.player.name)
    if entrant is None:
        raise Refusal("cup_state", _("You are not an entrant of that cup."))
    here.lobby.cups.drop_entrant(live, entrant.name)
    live.willing.discard(entrant.name)
    _tell_owner(here, live, entrant.name, "left")
    return _reply(here, request, live)


@handles(m.CupInvite)
def handle_cup_invite(here: Context, request: m.CupInvite) -> m.Message:
    here.check_can_talk()
    live, player = here.get_own_cup(request), _present(here, request.player)
    cup = live.cup
    returns = not cup.is_over and any(one.name == player.name for one in cup.entrants)
    if cup.state != OPEN and not returns:
        raise Refusal("cup_state", _("{cup} takes no more entrants.", cup=cup.settings.cup))
    check_not_ignored(here, player)
    check_talk_rate(here)
    here.lobby.cups.pardon_entrant(live, player.name)
    assert player.listener is not None
    player.listener.push((m.Invited(info=live.cup_info(entrants=False), by=live.cup.settings.owner),))
    return _reply(here, request, live)


@handles(m.CupReplace)
def handle_cup_replace(here: Context, request: m.CupReplace) -> m.Message:
    live, player = here.get_own_cup(request), _present(here, request.player)
    others = (one for one in live.cup.entrants if not (one.dropped and one.name == request.entrant))
    if any(player.name in one.players for one in others):
        raise Refusal("cup_state", _("{name} already plays in the cup.", name=player.name))
    entrant = live.cup.entrant(_entrant(live, request.entrant))
    # a player who has entered has agreed to play
    entered = player.name == entrant.name and (entrant.stays or player.name in live.willing)
    room = 0  # most tables of a player at a time; 0 keeps the entrant's own number
    if not (player is here.player or entered):
        takes = player.can_be_added_to(live.cup.settings.game)
        if not takes and not player.substitutes:
            text = _("{name} has not agreed to play for entrants of cups. They can with: agree cups.", name=player.name)
            raise Refusal("cup_state", text)
        if not here.lobby.can_be_seated(player) and (takes or here.lobby.cups.plays_in_active_cup(player.name)):
            raise Refusal("cup_state", _("{name} takes no more seats now.", name=player.name))
        room = player.agreed - here.lobby.tables.count_tables_of(player) if takes else 1
    to_come = {one.deal for one in live.cup.waiting_pairings() if entrant.name in _names(live, one)}
    if any(live.cup.deals.has_played(player.name, deal) for deal in to_come):
        known = _(
            "{name} knows a deal that {entrant} still has to play. Ask again when it is over.",
            name=player.name,
            entrant=entrant.name,
        )
        raise Refusal("cup_state", known)
    concerned = dict.fromkeys((*entrant.players, player.name, live.cup.settings.owner))
    here.lobby.cups.replace_players(live, entrant.name, (player.name,), room)
    told = m.CupEntrant(
        cup=live.cup.settings.cup,
        entrant=entrant.name,
        how="replaced",
        entrants=_count(live),
        player=player.name,
    )
    for name in concerned:
        one = here.lobby.people.find_player(name) if name else None
        if one is not None and one.listener is not None and one is not here.player:
            one.listener.hold_until_committed(live.position)
            one.listener.push((told,))
    player.record_match_begun()  # so that the player's name is not forgotten
    return _reply(here, request, live)


@handles(m.CupAdd)
def handle_cup_add(here: Context, request: m.CupAdd) -> m.Message:
    live = here.get_own_cup(request)
    kind = here.lobby.find_house_bot_name(here.lobby.get_game(live.cup.settings.game), request.bot)
    numbered = (f"{kind}-{number}" for number in count(2))
    name = next(one for one in chain((kind,), numbered) if one not in live.cup.entrant_names)
    here.lobby.cups.enter_entrant(live, name, (), 1, house=kind)
    return _reply(here, request, live)


@handles(m.CupAgree)
def handle_cup_agree(here: Context, request: m.CupAgree) -> m.Message:
    player = here.player
    player.substitutes = not request.off
    player.save()
    text = (
        _("Owners of cups may now let you play for one of their entrants. Type agree off to cancel this.")
        if player.substitutes
        else _("Owners of cups may no longer let you play for their entrants.")
    )
    return m.DoneReply(re=request.id, text=text)


def _tell_owner(here: Context, live: LiveCup, entrant: str, how: str) -> None:
    """Tells the cup's owner that an entrant has come or gone, unless the owner sent the request."""
    owner = here.lobby.people.find_player(live.cup.settings.owner) if live.cup.settings.owner else None
    if owner is not None and owner.listener is not None and owner is not here.player:
        owner.listener.hold_until_committed(live.position)
        entrants = _count(live)
        owner.listener.push((m.CupEntrant(cup=live.cup.settings.cup, entrant=entrant, how=how, entrants=entrants),))


def _count(live: LiveCup) -> int:
    return sum(not one.dropped for one in live.cup.entrants)


@handles(m.CupKick)
def handle_cup_kick(here: Context, request: m.CupKick) -> m.Message:
    live = here.get_own_cup(request)
    here.lobby.cups.kick_entrant(live, _entrant(live, request.entrant))
    live.willing.discard(request.entrant)
    return _reply(here, request, live)


@handles(m.CupClock)
def handle_cup_clock(here: Context, request: m.CupClock) -> m.Message:
    live = here.get_own_cup(request)
    here.lobby.cups.set_entrant_clock(live, _entrant(live, request.entrant), request.clock)
    return _reply(here, request, live)


@handles(m.CupStart)
def handle_cup_start(here: Context, request: m.CupStart) -> m.Message:
    here.lobby.service.check_can_begin()
    here.get_own_cup(request).check_game()
    return _turn(here, request, RUNNING)


@handles(m.CupPause)
def handle_cup_pause(here: Context, request: m.CupPause) -> m.Message:
    return _turn(here, request, PAUSED)


@handles(m.CupStop)
def handle_cup_stop(here: Context, request: m.CupStop) -> m.Message:
    return _turn(here, request, STOPPED)


@handles(m.Standings)
def handle_standings(here: Context, request: m.Standings) -> Steps:
    live = here.get_cup(request)
    tally = live.tally
    yield from tally.update_rows(live.cup)
    if tally is not live.tally:  # the cup was reset to its stored state while its standings were computed
        raise Refusal("storage")
    here.peer.hold_until_committed(live.position)
    told = tuple(standing_message(row) for row in tally.rows)
    cup = live.cup
    here.peer.send_answer(
        m.CupStandings(
            re=request.id,
            cup=cup.settings.cup,
            state=cup.state,
            rows=told,
            rank_by=cup.settings.rank_by,
            challenger=cup.entrant_names[CHALLENGER] if tally.against else "",
            against=tally.against,
        )
    )


@handles(m.CupLog)
def handle_cup_log(here: Context, request: m.CupLog) -> m.Message:
    live = here.get_cup(request)
    total = log_length(live.cup)
    if request.after > total:
        raise Refusal("bad_cursor", _("The log of {cup} has {total} lines.", cup=live.cup.settings.cup, total=total))
    lines = tuple(log_lines(live.cup, here.server, request.after, LOG_LINES))
    here.peer.hold_until_committed(live.position)
    more = request.after + len(lines) < total
    return m.CupLogLines(re=request.id, cup=live.cup.settings.cup, after=request.after, lines=lines, more=more)


@handles(m.Follow)
def handle_follow(here: Context, request: m.Follow) -> m.Message:
    live = here.get_cup(request)
    subscriptions, name = here.lobby.subscriptions, live.cup.settings.cup
    followers = subscriptions.followers(name)
    if request.off:
        subscriptions.unfollow_cup(name, here.peer)
    else:
        if here.peer not in followers:
            most = here.lobby.config.spectators_a_table
            full = _("That cup has {most} followers, the most that it takes. Try again when one has gone.", most=most)
            check_spectator_limit(followers, here.peer.address, most, full)
        subscriptions.follow_cup(name, here.peer)
    return _reply(here, request, live)


def _turn(here: Context, request: m.CupStart | m.CupPause | m.CupStop, state: str) -> m.Message:
    live = here.get_own_cup(request)
    here.lobby.cups.change_state(live, state)
    here.charge_for_subscribers(len(live.subscriber_sessions()))
    return _reply(here, request, live)


def _reply(here: Context, request: m.Request, live: LiveCup) -> m.CupReply:
    here.peer.hold_until_committed(live.position)
    return m.CupReply(re=request.id, info=live.cup_info())


def _present(here: Context, name: str) -> Player:
    player = here.lobby.people.find_player(name)
    if player is None or player.listener is None:
        raise Refusal("no_such_player")
    return player


def _entrant(live: LiveCup, name: str) -> str:
    if name not in live.cup.entrant_names:
        raise Refusal("no_such_player", _("{entrant} is not an entrant of that cup.", entrant=escape_text(name)))
    return name


def _names(live: LiveCup, pairing: Pairing) -> list[str]:
    return [live.cup.entrants[number].name for number in pairing.entrants]
