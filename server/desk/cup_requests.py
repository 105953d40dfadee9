"""Handlers of cup requests: open, enter and start a cup, read its standings, and subscribe to it."""

from __future__ import annotations

from itertools import chain, count

from protocol import messages as m
from protocol.errors import Refusal
from protocol.printable import escape
from server.checks import check_nonce
from server.cups.cups import new_secret
from server.cups.live_cup import LiveCup
from server.desk.context import Context, Steps, answers
from server.desk.talk import check_not_ignored, check_pace
from server.language import _
from server.player import Player
from server.table.spectators import check_place
from tournaments.bundle import log_length, log_lines
from tournaments.challenge import CHALLENGER
from tournaments.cup import OPEN, PAUSED, RUNNING, STOPPED, CupSettings
from tournaments.formats.registry import FORMATS, takes_late
from tournaments.schedule import Pairing
from tournaments.standings import RANK_BY, standing_message

DEALS = ("fresh", "duplicate")
LOG_LINES = 100  # most lines of the cup's log in one answer to `cup_log`
SEED = 1  # the seed of every cup's schedule; the deals come from the cup's secret instead


@answers(m.Cups)
def cups(here: Context, request: m.Cups) -> m.Message:
    listed = here.lobby.cups.all()
    for live in listed:
        here.peer.wait_for(live.position)
    return m.CupList(re=request.id, cups=tuple(live.info(entrants=False) for live in listed))


@answers(m.CupRequest)
def cup(here: Context, request: m.CupRequest) -> m.Message:
    return _reply(here, request, here.cup(request))


@answers(m.CupOpen)
def open_(here: Context, request: m.CupOpen) -> m.Message:
    lobby, owner = here.lobby, here.player.name
    here.check_may_tell()  # a program could put a message into the name of a cup
    lobby.service.check_begins()
    game = lobby.game(request.game)
    if request.deals == "rotated":
        raise Refusal("bad_field", _("Rotated deals are for bots that the organiser runs."), "$.deals")
    if request.deals not in DEALS:
        raise Refusal("bad_field", _("Deals are: {listed}.", listed=", ".join(DEALS)), "$.deals")
    if request.rank_by not in RANK_BY:
        raise Refusal("bad_field", _("A cup is ranked by: {listed}.", listed=", ".join(RANK_BY)), "$.rank_by")
    if request.late_entry and not takes_late(request.format):
        text = _("Late entrants are for these formats: {listed}.", listed=", ".join(filter(takes_late, FORMATS)))
        raise Refusal("bad_field", text, "$.late_entry")
    seats = request.seats or game.min_seats
    lobby.check_seats(game, seats)
    options = lobby.changed_options(game, request.options)
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
        opened=lobby.cups.now(),
        late_entry=request.late_entry,
        rank_by=request.rank_by,
    )
    live = lobby.cups.open(settings)
    here.player.plays()  # so that the owner's name is not forgotten
    return _reply(here, request, live)


@answers(m.CupEnter)
def enter(here: Context, request: m.CupEnter) -> m.Message:
    live, name = here.cup(request), here.player.name
    check_nonce(request.nonce)
    game = live.cup.settings.game
    if not here.player.plays_game(game):
        raise Refusal("cup_state", _("Your hello says that you do not play {game}.", game=game))
    playing = live.cup.player_of(name)
    if playing is not None and playing.name != name:
        raise Refusal("cup_state", _("You play for {name} there.", name=playing.name))
    if any(one.name == name and name not in one.players for one in live.cup.entrants):
        live.willing.add(name)
        raise Refusal("cup_state", _("Another player plays for you there. Ask the cup's owner to put you back."))
    was_in = any(one.name == name and not one.dropped for one in live.cup.entrants)
    here.lobby.cups.enter(live, name, (name,), request.tables, request.nonce)
    here.player.plays()  # so that the entrant's name is not forgotten
    if not was_in:
        _tell_owner(here, live, name, "entered")
    return _reply(here, request, live)


@answers(m.CupDrop)
def drop(here: Context, request: m.CupDrop) -> m.Message:
    live = here.cup(request)
    entrant = live.cup.player_of(here.player.name)
    if entrant is None:
        raise Refusal("cup_state", _("You are not an entrant of that cup."))
    here.lobby.cups.drop(live, entrant.name)
    live.willing.discard(entrant.name)
    _tell_owner(here, live, entrant.name, "left")
    return _reply(here, request, live)


@answers(m.CupInvite)
def invite(here: Context, request: m.CupInvite) -> m.Message:
    here.check_may_tell()
    live, player = here.own_cup(request), _present(here, request.player)
    cup = live.cup
    returns = not cup.is_over and any(one.name == player.name for one in cup.entrants)
    if cup.state != OPEN and not returns:
        raise Refusal("cup_state", _("{cup} takes no more entrants.", cup=cup.settings.cup))
    check_not_ignored(here, player)
    check_pace(here)
    here.lobby.cups.pardon(live, player.name)
    assert player.listener is not None
    player.listener.push((m.Invited(info=live.info(entrants=False), by=live.cup.settings.owner),))
    return _reply(here, request, live)


@answers(m.CupReplace)
def replace(here: Context, request: m.CupReplace) -> m.Message:
    live, player = here.own_cup(request), _present(here, request.player)
    others = (one for one in live.cup.entrants if not (one.dropped and one.name == request.entrant))
    if any(player.name in one.players for one in others):
        raise Refusal("cup_state", _("{name} already plays in the cup.", name=player.name))
    entrant = live.cup.entrant(_entrant(live, request.entrant))
    # a player who has entered has agreed to play
    entered = player.name == entrant.name and (entrant.stays or player.name in live.willing)
    room = 0  # most tables of a player at a time; 0 keeps the entrant's own number
    if not (player is here.player or entered):
        takes = player.takes(live.cup.settings.game)
        if not takes and not player.substitutes:
            text = _("{name} has not agreed to play for entrants of cups. They can with: agree cups.", name=player.name)
            raise Refusal("cup_state", text)
        if not here.lobby.has_room(player) and (takes or here.lobby.cups.seats_alone(player.name)):
            raise Refusal("cup_state", _("{name} takes no more seats now.", name=player.name))
        room = player.agreed - here.lobby.tables.plays_at(player) if takes else 1
    to_come = {one.deal for one in live.cup.waiting() if entrant.name in _names(live, one)}
    if any(live.cup.deals.knows(player.name, deal) for deal in to_come):
        known = _(
            "{name} knows a deal that {entrant} still has to play. Ask again when it is over.",
            name=player.name,
            entrant=entrant.name,
        )
        raise Refusal("cup_state", known)
    concerned = dict.fromkeys((*entrant.players, player.name, live.cup.settings.owner))
    here.lobby.cups.replace(live, entrant.name, (player.name,), room)
    told = m.CupEntrant(
        cup=live.cup.settings.cup,
        entrant=entrant.name,
        how="replaced",
        entrants=_count(live),
        player=player.name,
    )
    for name in concerned:
        one = here.lobby.people.find(name) if name else None
        if one is not None and one.listener is not None and one is not here.player:
            one.listener.wait_for(live.position)
            one.listener.push((told,))
    player.plays()  # so that the player's name is not forgotten
    return _reply(here, request, live)


@answers(m.CupAdd)
def add(here: Context, request: m.CupAdd) -> m.Message:
    live = here.own_cup(request)
    kind = here.lobby.house_bot_named(here.lobby.game(live.cup.settings.game), request.bot)
    numbered = (f"{kind}-{number}" for number in count(2))
    name = next(one for one in chain((kind,), numbered) if one not in live.cup.names)
    here.lobby.cups.enter(live, name, (), 1, house=kind)
    return _reply(here, request, live)


@answers(m.CupAgree)
def agree(here: Context, request: m.CupAgree) -> m.Message:
    player = here.player
    player.substitutes = not request.off
    player.keep()
    text = (
        _("Owners of cups may now let you play for one of their entrants. Type agree off to cancel this.")
        if player.substitutes
        else _("Owners of cups may no longer let you play for their entrants.")
    )
    return m.DoneReply(re=request.id, text=text)


def _tell_owner(here: Context, live: LiveCup, entrant: str, how: str) -> None:
    """Tells the cup's owner that an entrant has come or gone, unless the owner sent the request."""
    owner = here.lobby.people.find(live.cup.settings.owner) if live.cup.settings.owner else None
    if owner is not None and owner.listener is not None and owner is not here.player:
        owner.listener.wait_for(live.position)
        entrants = _count(live)
        owner.listener.push((m.CupEntrant(cup=live.cup.settings.cup, entrant=entrant, how=how, entrants=entrants),))


def _count(live: LiveCup) -> int:
    return sum(not one.dropped for one in live.cup.entrants)


@answers(m.CupKick)
def kick(here: Context, request: m.CupKick) -> m.Message:
    live = here.own_cup(request)
    here.lobby.cups.kick(live, _entrant(live, request.entrant))
    live.willing.discard(request.entrant)
    return _reply(here, request, live)


@answers(m.CupClock)
def clock(here: Context, request: m.CupClock) -> m.Message:
    live = here.own_cup(request)
    here.lobby.cups.give_clock(live, _entrant(live, request.entrant), request.clock)
    return _reply(here, request, live)


@answers(m.CupStart)
def start(here: Context, request: m.CupStart) -> m.Message:
    here.lobby.service.check_begins()
    here.own_cup(request).check_game()
    return _turn(here, request, RUNNING)


@answers(m.CupPause)
def pause(here: Context, request: m.CupPause) -> m.Message:
    return _turn(here, request, PAUSED)


@answers(m.CupStop)
def stop(here: Context, request: m.CupStop) -> m.Message:
    return _turn(here, request, STOPPED)


@answers(m.Standings)
def standings(here: Context, request: m.Standings) -> Steps:
    live = here.cup(request)
    tally = live.tally
    yield from tally.work(live.cup)
    if tally is not live.tally:  # the cup was reset to its stored state while its standings were computed
        raise Refusal("storage")
    here.peer.wait_for(live.position)
    told = tuple(standing_message(row) for row in tally.rows)
    cup = live.cup
    here.peer.give(
        m.CupStandings(
            re=request.id,
            cup=cup.settings.cup,
            state=cup.state,
            rows=told,
            rank_by=cup.settings.rank_by,
            challenger=cup.names[CHALLENGER] if tally.against else "",
            against=tally.against,
        )
    )


@answers(m.CupLog)
def log(here: Context, request: m.CupLog) -> m.Message:
    live = here.cup(request)
    total = log_length(live.cup)
    if request.after > total:
        raise Refusal("bad_cursor", _("The log of {cup} has {total} lines.", cup=live.cup.settings.cup, total=total))
    lines = tuple(log_lines(live.cup, here.server, request.after, LOG_LINES))
    here.peer.wait_for(live.position)
    more = request.after + len(lines) < total
    return m.CupLogLines(re=request.id, cup=live.cup.settings.cup, after=request.after, lines=lines, more=more)


@answers(m.Follow)
def follow(here: Context, request: m.Follow) -> m.Message:
    live = here.cup(request)
    subscriptions, name = here.lobby.subscriptions, live.cup.settings.cup
    followers = subscriptions.followers(name)
    if request.off:
        subscriptions.unfollow(name, here.peer)
    else:
        if here.peer not in followers:
            most = here.lobby.config.spectators_a_table
            full = _("That cup has {most} followers, the most that it takes. Try again when one has gone.", most=most)
            check_place(followers, here.peer.address, most, full)
        subscriptions.follow(name, here.peer)
    return _reply(here, request, live)


def _turn(here: Context, request: m.CupStart | m.CupPause | m.CupStop, state: str) -> m.Message:
    live = here.own_cup(request)
    here.lobby.cups.turn(live, state)
    here.charge_for_hearers(len(live.hearers()))
    return _reply(here, request, live)


def _reply(here: Context, request: m.Request, live: LiveCup) -> m.CupReply:
    here.peer.wait_for(live.position)
    return m.CupReply(re=request.id, info=live.info())


def _present(here: Context, name: str) -> Player:
    player = here.lobby.people.find(name)
    if player is None or player.listener is None:
        raise Refusal("no_such_player")
    return player


def _entrant(live: LiveCup, name: str) -> str:
    if name not in live.cup.names:
        raise Refusal("no_such_player", _("{entrant} is not an entrant of that cup.", entrant=escape(name)))
    return name


def _names(live: LiveCup, pairing: Pairing) -> list[str]:
    return [live.cup.entrants[number].name for number in pairing.entrants]
