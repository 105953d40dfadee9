"""Who is here, which tables there are, and what begins and ends them."""

from __future__ import annotations

import logging
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any
from weakref import WeakSet

import trio

from games.api import Game
from people.text.sentences import CLOSED, SERVER
from protocol.errors import Refusal
from protocol.messages import ClockRule, GameInfo, PlayerInfo, Seated, SentAway, Service
from protocol.names import fold
from protocol.printable import escape
from server.common import LAST_TABLE, LET_IN, LOBBY, Common
from server.cups.cups import Cups
from server.desk.bans import Bans
from server.desk.game_options import changed_options, game_info
from server.desk.health import Health
from server.desk.held_seats import HeldSeats
from server.desk.operator_access import OperatorAccess
from server.desk.passwords import Passwords
from server.language import _
from server.log_fields import fields
from server.meter import Meter, Meters
from server.people import People
from server.player import Listener, Player
from server.rarely import Rarely
from server.refusal_log import RefusalLog
from server.table.replays import Replays
from server.table.spectators import Spectators
from server.table.table import Table

log = logging.getLogger("magehall.lobby")

_TABLE_ID = re.compile(r"t[0-9]{1,15}")
DRAINS = b"drain"  # kept where the server ends with its last match; where nobody is let in, an empty row
SWEEP_SECONDS = 1.0  # at most this often


class Lobby:
    """One a server. Tables run as tasks of the given nursery."""

    def __init__(self, common: Common, nursery: trio.Nursery) -> None:
        self.common, self.config, self.games = common, common.config, common.games
        self.house, self.journal, self.queue, self.crier = common.house, common.journal, common.queue, common.crier
        house_bots = {name for game in self.games.values() for name in self.house.names(game)}
        self.people = People(self.config, house_bots, self.journal)
        self.tables: dict[str, Table] = {}
        self.forgotten: dict[str, Table] = {}  # those of which it is not known yet whether that could be kept
        self.refusals = RefusalLog()
        self.sessions_begun = 0
        self.strangers = Rarely(60.0)  # who come and go without a name, by address: so often they stand in the log
        self.replays = Replays(self.games, nursery, self.journal.store, self.config)
        self.bans = Bans(self.journal, self.config)
        self.passwords = Passwords(nursery)
        self.operator_access = OperatorAccess()
        self.closing = False
        self.goodbye_is_read = trio.Event()  # sessions that end with the server are closed
        self.accepting = True  # newcomers and new matches
        self.draining = False  # and the server ends with its last match
        self.service = Service(state="open")  # what all were told of that
        self.followers: dict[str, dict[Listener, None]] = {}  # who is told of a cup, by cup
        self.cups = Cups(self, nursery, self.config.grace)
        self._addresses = Meters(self._shared_allowance)
        self._talk = Meters(self._shared_talk)
        self._strangers = Meters(self._shared_allowance)
        self._all_strangers = Meter(*self._allowance_of_all_strangers(), 0.0)
        self._spent: dict[Meter, float] = {}  # since it was asked who is busiest
        self._here: defaultdict[Hashable, set[Player]] = defaultdict(set)  # who is connected, by address
        self._watched: dict[Listener, WeakSet[Spectators]] = {}  # where each listener may be a spectator
        self._nursery = nursery
        self.last_table = 0
        self._swept = float("-inf")
        self.health = Health(self.people, self.tables, self.journal, trio.current_time())
        self.health.state = self._state
        self._held_seats = HeldSeats(nursery, self.tables, self.people, self.journal)

    # -- what one peer may cause ---------------------------------------------------------------------------------------

    def meter(self) -> Meter:
        """A new one, for a connection or a name."""
        return Meter(self.config.requests_a_second, self.config.requests_at_once, trio.current_time(), self._spent)

    def address_meters(self, address: Hashable) -> tuple[Meter, ...]:
        """What all names without a seat there share; for None, an unknown address, nothing."""
        return () if address is None else (self._addresses.of(address, trio.current_time()),)

    def stranger_meters(self, address: Hashable) -> tuple[Meter, ...]:
        """What all connections without a name there share, and what they share with those of all other addresses; for
        None, an unknown address, nothing."""
        if address is None:
            return ()
        return self._strangers.of(address, trio.current_time()), self._all_strangers

    def talk_meters(self, player: Player, *, of_address: bool) -> list[Meter]:
        """What the player may say: the player's own, and that of all who talk from the same address."""
        now = trio.current_time()
        if player.talk_meter is None:
            player.talk_meter = Meter(1 / self.config.talk_seconds, self.config.talk_at_once - 1, now)
        if not of_address or player.address is None:
            return [player.talk_meter]
        return [player.talk_meter, self._talk.of(player.address, now)]

    def busiest(self) -> Player | None:
        """The connected name to which most work was charged since the last call; None if there is none."""
        most = max(self._spent, key=lambda meter: self._spent[meter], default=None)
        is_some = most is not None and self._spent[most] > 0
        self._spent.clear()
        return next((player for player in self.people.here() if player.meter is most), None) if is_some else None

    def limits_changed(self) -> None:
        """Applies changed limits. Most are read at each use; these are copied."""
        now, config = trio.current_time(), self.config
        for meters in (self._addresses, self._talk, self._strangers):
            meters.change(now)
        self._all_strangers.change(*self._allowance_of_all_strangers(), now)
        for player in self.people.known():
            if player.meter is not None:
                player.meter.change(config.requests_a_second, config.requests_at_once, now)
            if player.talk_meter is not None:
                player.talk_meter.change(1 / config.talk_seconds, config.talk_at_once - 1, now)

    def _shared_allowance(self, address: Hashable) -> tuple[float, float]:
        config = self.config.at(address)
        at_once = config.requests_at_once * config.at_once_an_address
        return config.requests_a_second * config.requests_an_address, at_once

    def _shared_talk(self, address: Hashable) -> tuple[float, float]:
        config = self.config.at(address)
        return config.talk_an_address / config.talk_seconds, config.talk_an_address * config.talk_at_once - 1

    def _allowance_of_all_strangers(self) -> tuple[float, float]:
        rate, most = self._shared_allowance(None)
        return self.config.strangers_in_all * rate, self.config.strangers_in_all * most

    def _state(self) -> str:
        """Whether newcomers are admitted: a value of `Service.state`."""
        return "draining" if self.draining else "open" if self.accepting else "closed"

    # -- looking things up ---------------------------------------------------------------------------------------------

    def game(self, game_id: str) -> Game:
        """Raises `no_such_game`."""
        try:
            return self.games[game_id]
        except KeyError:
            raise Refusal("no_such_game", _("The games here are: {listed}.", listed=", ".join(self.games))) from None

    def table(self, table_id: str) -> Table:
        """Raises `no_such_table`."""
        try:
            return self.tables[table_id]
        except KeyError:
            raise Refusal("no_such_table") from None

    def tables_after(self, table_id: str) -> list[Table]:
        """All tables younger than the one with that id, whether it is still there or not; "" for all."""
        if not table_id:
            return list(self.tables.values())
        if not _TABLE_ID.fullmatch(table_id):
            raise Refusal("no_such_table")
        ids = list(self.tables)
        return [self.tables[one] for one in ids[bisect(ids, _number(table_id), key=_number) :]]

    def add_table(self, table: Table) -> None:
        """Lists a table, which was made or was kept."""
        self.tables[table.id] = table
        self.common.owned.add(table)

    def remove_table(self, table_id: str) -> Table | None:
        """Lists the table no more. Returns it, or None if it was not listed."""
        table = self.tables.pop(table_id, None)
        if table is not None:
            self.common.owned.discard(table)
        return table

    def sort_tables(self) -> None:
        """The oldest first, as they are where none was made again."""
        ordered = {table_id: self.tables[table_id] for table_id in sorted(self.tables, key=_number)}
        self.tables.clear()
        self.tables.update(ordered)

    def running(self) -> list[Table]:
        """Where a match is played."""
        return [table for table in self.tables.values() if table.state == "playing" and not table.stopped]

    def tables_of(self, player: Player) -> list[Table]:
        """Where the player has a seat, in order of sitting down."""
        return [self.tables[name] for name in player.tables if name in self.tables]

    def plays_at(self, player: Player) -> int:
        """At how many tables the player plays, or will; a seat that the house took over is none."""
        return sum(table.keeps(player) for table in self.tables_of(player))

    def has_room(self, player: Player) -> bool:
        """Whether others may seat the player now: a program that agreed to it, at so many tables."""
        return player.bot and not self.cups.seats_alone(player.name) and self.plays_at(player) < player.agreed

    def game_infos(self) -> tuple[GameInfo, ...]:
        """Every game as clients see it."""
        return tuple(game_info(game) for game in self.games.values())

    def whereabouts(self, after: str, most: int) -> list[PlayerInfo]:
        """The first players by name after that one in lower case, at most so many, who are connected or have a held
        seat, with the tables where they play, watch, or have lost their seat. Tables that are over are left out."""
        found: list[PlayerInfo] = []
        for player in self.people.seated_or_here(after):
            if (info := self.whereabouts_of(player)) is not None:
                found.append(info)
                if len(found) == most:
                    break
        return found

    def whereabouts_of(self, player: Player) -> PlayerInfo | None:
        """The same of one player; None for one who is not connected and has no held seat."""
        at = [(table, table.seating.chair_of(player)) for table in self.tables_of(player) if table.state != "over"]
        plays, lost = (
            tuple(sorted((table.id for table, chair in at if chair and bool(chair.house) is by_house), key=_number))
            for by_house in (False, True)
        )
        here = player.listener is not None
        if not (here or plays):
            return None
        return PlayerInfo(player.name, player.kind, plays, self._watches(player), lost, here=here)

    def _watches(self, player: Player) -> tuple[str, ...]:
        """The ids of the tables that the player watches and that are not over."""
        listener = player.listener
        if listener is None:
            return ()
        names = {spectators.table for spectators in self._watched.get(listener, ()) if listener in spectators}
        return tuple(sorted((name for name in names if self._is_on(name)), key=_number))

    def _is_on(self, table_id: str) -> bool:
        table = self.tables.get(table_id)
        return table is not None and table.state != "over"

    def house_bot_named(self, game: Game, typed: str) -> str:
        """The same, of the house alone. Raises `no_such_bot`."""
        known = self.house.names(game)
        name = _bot_named(known, typed)
        if name not in known:
            names = ", ".join(known)
            raise Refusal("no_such_bot", _("The house bots for {game} are: {names}.", game=game.id, names=names)[:200])
        return name

    def bot_named(self, table: Table, typed: str) -> str:
        """The bot with that name, which may be a unique prefix in any case. A prefix of no bot's name is returned as it
        is. Raises `no_such_bot` for an ambiguous prefix."""
        return _bot_named([info.name for info in self.bots(table.game)], typed)

    def hear_lobby(self) -> list[Player]:
        """The connected players who receive lobby talk."""
        busy = {listener for table in self.running() for listener in table.seating.listeners()}
        told = [player for player in self.people.here() if player.lobby_talk != "off"]
        return [player for player in told if player.lobby_talk == "on" or player.listener not in busy]

    def bots(self, game: Game | None) -> tuple[PlayerInfo, ...]:
        """The house's bots, and the first programs that agreed to be seated and have room, for one game or for all."""
        wanted = [game] if game else list(self.games.values())
        house = sorted({name for one in wanted for name in self.house.names(one)})
        in_cups = self.cups.seated()
        here = (one for one in self.people.here() if one.agreed and one.name not in in_cups)
        able = (one for one in here if any(one.takes(game.id) for game in wanted) and self.plays_at(one) < one.agreed)
        programs = islice(able, self.config.programs_listed)
        return (*(PlayerInfo(name, "house") for name in house), *(player.info() for player in programs))

    # -- tables --------------------------------------------------------------------------------------------------------

    def open(
        self,
        game_id: str,
        seats: int,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        seed: bytes = b"",
        word: str = "",
        delay: int = 0,
    ) -> Table:
        """A new table. Raises Refusal for what the game does not allow, or when no more fit. A cup's has no owner: as
        many of these fit as of all others. A `word` is for the chance in bots, and its match's `over` has no seed."""
        self.check_begins()
        game = self.game(game_id)
        seats = seats or game.min_seats
        self.check_seats(game, seats)
        options = self.changed_options(game, options)
        self.check_delay(delay)
        self.sweep()
        self._make_room(owner)
        self.last_table += 1
        if self.journal.keeps:
            self.journal.put(LOBBY, LAST_TABLE, str(self.last_table).encode())
        table_id = f"t{self.last_table}"
        table = Table(
            table_id,
            game,
            seats,
            self.common,
            owner=owner,
            options=options,
            clock=clock,
            delay=delay,
            seed=seed,
            word=word,
        )
        self.add_table(table)
        return table

    def check_seats(self, game: Game, seats: int) -> None:
        """Whether the game takes so many. Raises `bad_field`."""
        try:
            game.check_seats(seats)
        except ValueError as error:
            raise Refusal("bad_field", str(error), "$.seats") from None

    def changed_options(self, game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those that differ from the game's defaults. Raises `bad_option`."""
        try:
            return changed_options(game, options)
        except ValueError as error:
            raise Refusal("bad_option", escape(str(error))[:200], "$.options") from None

    def check_delay(self, delay: int) -> None:
        """Whether all hands may be shown so many seconds later. Raises `bad_field`."""
        if 0 < delay < self.config.least_delay:
            least = _("The delay of open hands is at least {seconds} seconds.", seconds=self.config.least_delay)
            raise Refusal("bad_field", least, "$.delay")
        if delay > self.config.longest_delay:
            most = _("The delay of open hands is at most {seconds} seconds.", seconds=self.config.longest_delay)
            raise Refusal("bad_field", most, "$.delay")

    def check_seat(self, player: Player) -> None:
        """Whether the player may take one more seat. Raises Refusal."""
        if self.cups.seats_alone(player.name):
            raise Refusal("in_cup")
        if self.plays_at(player) >= self.config.tables_a_player:
            text = _(
                "You play at {count} tables, as many as one player may; leave one, or wait until one is over.",
                count=self.config.tables_a_player,
            )
            raise Refusal("too_many_tables", text)

    def add_bot(self, table: Table, name: str, seat: int = 0) -> None:
        """A house bot, or a program that is here, plays the game and agreed to be seated. Raises `no_such_bot`."""
        name = self.bot_named(table, name) if self.people.find(name) is None else name
        if name in self.house.names(table.game):
            table.add_house(name, seat, may_think=self._thinkers() < self.config.thinkers)
            return
        player = self.people.find(name)
        if player is None or player.listener is None or not player.takes(table.game.id):
            names = ", ".join(info.name for info in self.bots(table.game))
            raise Refusal("no_such_bot", _("The bots for {id} are: {names}.", id=table.game.id, names=names)[:200])
        if table.delay:
            later = _("Spectators of that table see all hands later; a program joins it by itself.")
            raise Refusal("no_such_bot", later)
        if table.seating.chair_of(player):
            raise Refusal("already_seated", _("{name} has a seat at that table already.", name=player.name))
        if player in table.kicked:
            raise Refusal("kicked", _("{name} was sent away from that table.", name=player.name))
        if not self.has_room(player):
            raise Refusal("no_such_bot", _("{name} takes no more seats now.", name=player.name))
        chair = table.sit(player, seat)
        player.listener.push((Seated(info=table.info(), seat=chair.number),))

    def _thinkers(self) -> int:
        """How many bots think, or will, at all tables."""
        on = [table for table in self.tables.values() if table.state != "over"]
        return sum(bool(chair.house and chair.house.seconds) for table in on for chair in table.seating.chairs)

    def start(self, table: Table, answer: Callable[[], None] = lambda: None) -> None:
        """Deals, and lets the table run; `answer` speaks once the deal is made, before the table does."""
        self.check_begins()
        self._check_free(table)
        table.start(answer)
        told = fields("match_began", table=table.id, game=table.game.id, names=table.seating.names())
        log.info("%s: %s begins: %s", table.id, table.game.id, ", ".join(table.seating.names()), extra=told)
        self.run(table)

    def _check_free(self, table: Table) -> None:
        """Raises `in_cup` for a table of a player's, not of a cup, with somebody whom a cup seats by now."""
        if table.owner and table.state == "open":
            for name in table.seating.names():
                if self.cups.seats_alone(name):
                    raise Refusal("in_cup", _("{name} plays in a cup, which alone seats them for now.", name=name))

    def run(self, table: Table) -> None:
        """Has the table's task play its match."""
        self._nursery.start_soon(table.run)

    def sweep(self) -> None:
        """Forgets finished tables after a while, open ones where nothing happens, and names that never played."""
        now = trio.current_time()
        if now < self._swept + SWEEP_SECONDS or self.journal.failing:
            return
        self._swept = now
        self.people.forget_old(now)
        for table in list(self.tables.values()):
            idle = now - table.touched
            old = table.done.is_set() and idle > self.config.keep_seconds and not self.cups.needs(table.id)
            empty = table.state == "open" and not any(chair.player for chair in table.seating.chairs) and idle > 1
            if old or empty or (table.state == "open" and idle > self.config.idle_seconds):
                self._forget(table)

    def close(self, table: Table, by: str) -> None:
        """Ends a table; an open one is gone. Raises `game_over`."""
        if table.state == "over":
            raise Refusal("game_over")
        if table.state == "playing" and not table.stopped:
            table.live().abort(CLOSED.format(by=by))
            return
        self._forget(table, by)

    def _forget(self, table: Table, by: str = "") -> None:
        """It is here no more; whoever was there is told, unless a match there told that it is over."""
        table.records.forget(keep_match=table.state != "open")
        table.seating.unlist(table.id)
        if table.state != "over":
            table.seating.tell(SentAway(table=table.id, why="closed", by=by), table.records.position)
        table.seating.spectators.close(table.records.position)
        self.remove_table(table.id)  # what is told of it is put into its words before
        forgotten = (*self.forgotten.values(), table)
        self.forgotten = {one.id: one for one in forgotten if one.records.position > self.journal.durable}

    def _make_room(self, owner: str) -> None:
        """Makes room for one more table: finished ones go first, then open ones that do not start. Raises Refusal."""
        player = self.people.find(owner)
        address = player.address if player is not None else None
        of_owner = sorted(self.common.owned.of(owner) if owner else (), key=lambda table: _number(table.id))
        finished = [table for table in of_owner if table.done.is_set()]
        for table in finished[: max(0, len(finished) - self.config.finished_a_player + 1)]:
            self._forget(table)
        if address is not None:
            held = self._count_used(address)
            own, most = sum(map(_is_used, of_owner)), self.config.at(address).tables_an_address
            if held >= most and not (own < self.config.tables_a_name and self._is_half_empty()):
                text = _(
                    "Your address has {held} tables of {most}, {own} of them yours; {least} each are free while there"
                    " is room. Join one, close one, or wait until one is over; tables that all have left do not count.",
                    held=held,
                    own=own,
                    most=most,
                    least=self.config.tables_a_name,
                )
                raise Refusal("too_many_tables", text)
        sharing = self.tables.values() if owner else self.common.owned.of("")  # players leave cups their room
        if len(sharing) >= self.config.tables:
            over = [table for table in sharing if table.done.is_set() and not self.cups.needs(table.id)]
            patience = trio.current_time() - self.config.unstarted_seconds
            idle = [table for table in sharing if table.state == "open" and table.touched < patience]
            left = [table for table in self.running() if table.owner and not _is_held(table)]
            if not (over or idle or left):
                text = _(
                    "The server is full ({count} tables, as many as it takes); join one, or try again when a match is"
                    " over.",
                    count=len(sharing),
                )
                raise Refusal("too_many_tables", text)
            oldest = min(over or idle or left, key=lambda table: table.touched)
            if oldest in left:  # its task ends it; the next new table takes its place
                oldest.live().abort(CLOSED.format(by=SERVER))
            else:
                self._forget(oldest)

    def _is_half_empty(self) -> bool:
        """Whether less than half of the tables that the server takes are used; those that are over make room."""
        return len(self.tables) < self.config.tables / 2 or (
            sum(map(_is_used, self.tables.values())) < self.config.tables / 2
        )

    def _count_used(self, address: Hashable) -> int:
        """Counts the tables that players connected from that address own, or use while the owner is away."""
        used: set[Table] = set()
        for player in self._here.get(address, ()):
            for table in chain(self.common.owned.of(player.name), self.tables_of(player)):
                if table not in used and _is_used(table):
                    owner = player if table.owner == player.name else self.people.find(table.owner)
                    if owner is player or owner is None or owner.listener is None:
                        used.add(table)
        return len(used)

    def let_in(self, everybody: bool, *, draining: bool = False) -> None:
        """Whether newcomers are let in and matches begin; holds until it is said anew, after a kill, too."""
        self.accepting, self.draining = everybody, draining
        if self.journal.keeps:
            self.journal.put(LOBBY, LET_IN, None if everybody else DRAINS if draining else b"")

    def check_begins(self) -> None:
        """Whether tables may be opened and matches begin. Raises `shutting_down`."""
        if self.closing:
            raise Refusal("shutting_down")
        if not self.accepting:
            raise Refusal("shutting_down", _("The server begins no new matches for now."))

    # -- people --------------------------------------------------------------------------------------------------------

    def check_enters(self, name: str, address: Hashable) -> None:
        """Checks that the operator admits that name from that address, and that there is room. Raises `banned`,
        `shutting_down`, `server_full`."""
        refusal = self.bans.refusal(fold(name)) or self.bans.refusal(address)
        if refusal is not None:
            raise refusal
        player = self.people.find(name)
        plays = player is not None and any(table.plays(player) for table in self.tables_of(player))
        if not self.accepting and not plays:
            raise Refusal("shutting_down", _("The server lets nobody in for now but those who play."))
        if player is not None and (player.listener is not None or self.plays_at(player)):
            return  # there is no name more for it, or a seat waits
        there, most = self.names_at(address), self.config.at(address).sessions_an_address
        if address is not None and there >= most:
            text = _(
                "Your address has {count} of {most} names that may be here at once; come back when one has left.",
                count=there,
                most=most,
            )
            raise Refusal("server_full", text)
        if sum(map(len, self._here.values())) >= self.config.sessions:
            text = _(
                "{count} names are here, as many as the server takes; come back when one has left.",
                count=self.config.sessions,
            )
            raise Refusal("server_full", text)

    def reconnect(self) -> None:
        """Seats whose players came or went while nothing could be written: from now on they are back, or away. An open
        table keeps the seats of those who were there before a restart for the grace time."""
        for table in self.tables.values():
            for player in table.seating.absent():
                self._held_seats.hold(table, player.name, self.config.grace)
        for table in self.running():
            for chair in table.seating.chairs:
                if chair.player is None or chair.house is not None:
                    continue
                if chair.listener is None:
                    table.away(chair.player)
                elif chair.away is not None:
                    table.live().went(chair.number, "back")

    def arrive(self, player: Player, listener: Listener) -> None:
        """A player has a connection; an earlier one is replaced."""
        old, tables = player.listener, self.tables_of(player)
        player.listener = None
        if old is not None:
            self._detach(player, old, [table for table in tables if table.state != "open"])
            old.end("replaced")
        player.listener = listener
        self._here[listener.address].add(player)
        for table in tables:
            if table.state == "open":  # where nobody heard that a connection was replaced
                table.back(player, listener)
        self.cups.came(player.name)

    def depart(self, player: Player, listener: Listener, how: str) -> None:
        """A connection of the player is gone: `away`, or `left` on purpose."""
        if player.listener is listener:
            player.listener, player.seen = None, trio.current_time()
            self._detach(player, listener, self.tables_of(player), how)

    def names_at(self, address: Hashable) -> int:
        """The number of connected names at that address."""
        return len(self._here.get(address, ()))

    def _detach(self, player: Player, listener: Listener, tables: Iterable[Table], how: str = "away") -> None:
        for table in tables:
            if self.closing or self.journal.failing:  # seats are as they were when the server runs again
                table.seating.unplug(player)
            else:
                table.away(player, how)
            self._held_seats.hold(table, player.name, self.config.open_seat_seconds)
        self._here[listener.address].discard(player)
        if not self._here[listener.address]:
            del self._here[listener.address]
        if not self.closing:
            self.forget_spectator(listener)

    def watch(self, table: Table, listener: Listener, position: int) -> None:
        """Adds a spectator to a table, unless that batch of the journal is lost. Raises `too_many_spectators`."""
        table.seating.watch(listener, position)
        self._watched.setdefault(listener, WeakSet()).add(table.seating.spectators)

    def forget_spectator(self, listener: Listener) -> None:
        """A session watches nothing any more."""
        for spectators in self._watched.pop(listener, ()):
            spectators.discard(listener)
        for followers in self.followers.values():
            followers.pop(listener, None)


def _is_used(table: Table) -> bool:
    """Whether the table counts towards its owner's limit: it is not over, and a player who has not given up is
    connected there."""
    chairs = table.seating.chairs
    return not table.done.is_set() and any(chair.listener is not None and chair.house is None for chair in chairs)


def _is_held(table: Table) -> bool:
    """Whether a seat there is held for an absent player."""
    return any(chair.player is not None and chair.house is None for chair in table.seating.chairs)


def _number(table_id: str) -> int:
    return int(table_id[1:])


def _bot_named(known: Sequence[str], typed: str) -> str:
    """The known bot with that name or unique prefix. A prefix of no bot's name is returned as it is. Raises
    `no_such_bot` for an ambiguous prefix."""
    if typed in known:
        return typed
    base, colon, level = typed.lower().partition(":")
    parts = {name: name.lower().partition(":") for name in known}
    fitting = [
        name
        for name, (one, has, more) in parts.items()
        if one.startswith(base) and f"{has}{more}".startswith(f"{colon}{level}")
    ]
    whole = [name for name in fitting if name.lower() == typed.lower()]
    plain = [name for name in fitting if all(parts[other][0] == name.lower() for other in fitting)]
    found = whole or plain or fitting
    if len(found) > 1:
        raise Refusal("no_such_bot", _("Say which bot: {listed}.", listed=", ".join(found[:9])))
    return found[0] if found else typed
