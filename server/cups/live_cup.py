"""A cup on a server: begins its matches, records their results, and notifies entrants and followers.

Each change is an entry of the cup's log, which is stored like a match: the settings are row 0 of its subject, the
entries the rows from 1 on. Clients are notified of an entry once it is on disk. After a restart the cup continues from
its log. It finds its matches at their tables, and begins none twice.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module

import msgspec
import trio

from people.text.sentences import CUP_STOPPED
from protocol import messages as m
from protocol.connection import SharedMessages
from protocol.errors import Refusal
from protocol.messages import Seated
from server.cups.cup_rows import FIRST_ENTRY, SETTINGS, encode, is_same_game
from server.cups.lobby_interface import CupLobby
from server.cups.standings_worker import StandingsWorker
from server.fair_share import WorkShare
from server.language import _
from server.log_fields import extra_fields
from server.player import Player, PlayerSession
from server.store.rows import EVERYTHING
from server.table.table import Table
from tournaments.cup import (
    FINISHED,
    OPEN,
    PAUSED,
    RUNNING,
    STOPPED,
    Cup,
    CupStateChanged,
    Entrant,
    Entry,
    MatchEnded,
    MatchPaired,
    RoundDrawn,
)
from tournaments.formats.registry import draws_rounds
from tournaments.schedule import Pairing, match_seed_word
from tournaments.standings import mark_absent_seats

log = logging.getLogger("magehall.cups")

BREATH_SECONDS = 0.004  # pause between two matches that begin or end, because notifying many clients delays other tasks


class LiveCup:
    """One cup on a server. `run` is the task that plays it.

    Args:
        cup: The cup's state, computed from its log.
        rooms: The lobby, which opens tables and knows the players.
        nursery: Runs the cup's tasks.
        subject: The store's subject of the cup.
        wall: Returns the wall-clock time in seconds since 1970.
        grace: How long a match waits for an absent player before it begins, in seconds.
        share: Returns the number of tables at which a cup of that owner may play at the same time.
        turns: The lock under which the server's cups compute standings, one at a time.
    """

    def __init__(
        self,
        cup: Cup,
        rooms: CupLobby,
        nursery: trio.Nursery,
        subject: str,
        wall: Callable[[], float],
        grace: float,
        share: Callable[[str], int],
        turns: trio.Lock,
    ) -> None:
        self.cup, self._rooms, self._nursery, self._subject = cup, rooms, nursery, subject
        self._wall, self._grace, self._share = wall, grace, share
        self.position = 0
        self.retired = False  # whether the cup was removed, or its opening was undone because its write was lost
        self._changed = trio.Event()
        self._since = trio.current_time()
        self._gone: set[str] = set()  # names of players who will not return
        self._watched: dict[str, Table] = {}  # by id: tables whose match the cup waits for
        self._shown = ""  # the id of the table that the cup's followers watch
        # names of players who get no match for now; set by the code that runs their programs
        self.resting: set[str] = set()
        self.willing: set[str] = set()  # names of players who gave up, were replaced, and then asked to enter again
        self.on_entry: Callable[[Entry], None] = lambda _entry: None
        self._turns, self.tally = turns, StandingsWorker(nursery, turns)
        self.entered_from: Counter[Hashable] = Counter()  # number of entries by address of the entrant
        self.entered: set[str] = set()  # names that entered since the server started
        self._runs = False
        # by number of a running match: the seats whose player's process ended in it
        self._died: dict[int, set[int]] = {}
        # names of players who get no match before they leave their last table; set by the code that runs their programs
        self.ending: set[str] = set()
        # returns the entrants because of whom that match must not begin yet
        self.held_back: Callable[[Pairing], Collection[int]] = lambda _pairing: ()
        # has a seat (""), because players wait for the matches of the cup
        self._work = WorkShare(cup.settings.owner or self, ("",))

    # -- the cup's log -------------------------------------------------------------------------------------------------

    def store_settings(self) -> None:
        """Stores the settings of the cup. Called once, when the cup is opened."""
        self._put(SETTINGS, encode(self.cup.settings))

    def delete_rows(self) -> None:
        """Deletes all stored rows of the cup."""
        if self._rooms.journal.keeps:
            self._rooms.journal.put_row(self._subject, EVERYTHING, None)

    def record_entry(self, entry: Entry) -> None:
        """Applies an entry to the cup and stores it. Raises CannotBe if the entry contradicts the cup's state, and then
        changes nothing."""
        self.cup.apply(entry)
        self._put(FIRST_ENTRY + len(self.cup.entries) - 1, encode(entry))
        self.on_entry(entry)
        self.wake_task()

    def wall_clock_time(self) -> float:
        """Returns the wall-clock time for entries, in seconds since 1970."""
        return self._wall()

    def _put(self, part: int, data: bytes) -> None:
        if self._rooms.journal.keeps and not self.retired:
            self.position = self._rooms.journal.put_row(self._subject, part, data)

    # -- the cup's task ------------------------------------------------------------------------------------------------

    def wake_task(self) -> None:
        """Wakes the cup's task, which looks for matches that can begin or whose result is due."""
        self._changed.set()

    def on_player_connected(self, name: str) -> None:
        """Wakes the task when a player connects, because matches may be waiting for that player."""
        if self.cup.state == RUNNING and self.cup.entrant_of_player(name):
            self.wake_task()

    def on_player_left_table(self, name: str) -> None:
        """Wakes the task when a player in `ending` leaves the last table, and so may get another match."""
        if name in self.ending:
            self.ending.discard(name)
            self.wake_task()

    def end_task(self) -> None:
        """Ends the task. From then on the cup stores and sends nothing."""
        self.retired = True
        self.wake_task()

    async def run(self) -> None:
        """Plays the cup until it is over."""
        self._runs, warned = True, ""
        if draws_rounds(self.cup.settings.format):
            # the module pairs the rounds of a Swiss cup; imported in a thread, so that pairing does not block the
            # server
            await trio.to_thread.run_sync(import_module, "networkx")
        while not self.cup.is_over and not self.retired:
            self._changed = trio.Event()
            try:
                # many cups may begin matches at the same time, so they take turns
                async with self._rooms.queue.held_for(self._work):
                    patience = self._go_on()
            except Refusal as error:  # such as too many tables, so it tries again later
                if error.text != warned:
                    told = extra_fields("cup_waits", cup=self.cup.settings.cup, code=error.code.name)
                    log.warning("cup %s waits: %s", self.cup.settings.cup, error.text, extra=told)
                patience, warned = 1.0, error.text
            with trio.move_on_after(patience):
                await self._changed.wait()
        self._runs = False

    def replace_state(self, cup: Cup) -> None:
        """Replaces the state of the cup by the stored one, after the writes that followed it were lost."""
        cup.allowed = self.cup.allowed
        self.cup, self.tally = cup, StandingsWorker(self._nursery, self._turns)
        if not self._runs:
            self._nursery.start_soon(self.run)

    def _go_on(self) -> float:
        """Records the result of one match, or begins one match. Returns the seconds until it should be called again."""
        cup = self.cup
        rooms = self._rooms
        if rooms.service.closing or rooms.journal.failing or self.retired or cup.state not in (RUNNING, PAUSED):
            return math.inf
        self.check_game()
        over = list[Pairing]()
        for pairing in cup.running_pairings():
            table = rooms.tables.get(cup.tables[pairing.number])
            if table is None or table.state != "playing" or table.stopped:
                over.append(pairing)
            else:
                self._watch(table)
        for pairing in over[:1]:
            self._end(pairing)
        if over[1:]:
            return BREATH_SECONDS
        patience = math.inf
        if cup.state == RUNNING and self._is_deserted:
            if not cup.running_pairings():
                told = extra_fields("cup_deserted", cup=cup.settings.cup)
                log.info("cup %s has no entrants left", cup.settings.cup, extra=told)
                self.change_state(STOPPED)
        elif cup.state == RUNNING:
            if cup.awaits_draw:
                self.record_entry(RoundDrawn(self.wall_clock_time()))
            patience = self._begin_one()
            if not cup.running_pairings() and next(cup.waiting_pairings(), None) is None:
                self.change_state(FINISHED)
        return patience

    @property
    def _is_deserted(self) -> bool:
        """Whether all entrants except house bots have dropped out, so that no match is worth playing."""
        entrants = self.cup.entrants
        return all(one.dropped for one in entrants if not one.house) and any(one.dropped for one in entrants)

    def check_game(self) -> None:
        """Raises Refusal if the game is not installed, or has other rules or cards than when the cup was opened.

        Results under different rules must not count together, and the results so far must not be lost.
        """
        told = self.cup.settings
        if not is_same_game(told, self._rooms.get_game(told.game)):
            text = _("{cup} was opened with other rules or cards than those of this server.", cup=told.cup)
            raise Refusal("cup_state", text)

    def change_state(self, state: str) -> None:
        """Changes the state of the cup to `state`, and announces it. Raises CannotBe."""
        self.record_entry(CupStateChanged(self.wall_clock_time(), state))
        self.send_to_subscribers(m.CupChanged(info=self.cup_info(entrants=False)))
        told = extra_fields("cup_state", cup=self.cup.settings.cup, state=state)
        log.info("cup %s is %s", self.cup.settings.cup, state, extra=told)

    def abort_matches(self) -> None:
        """Ends all running matches of the cup without a result."""
        for pairing in self.cup.running_pairings():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if table is not None and table.match is not None and table.match.over is None:
                table.require_live_match().abort(CUP_STOPPED)

    def on_process_died(self, name: str) -> bool:
        """Gives the seats of a player whose process ended to house bots at once. Returns whether the player was playing
        a match.

        The player also leaves the tables, so the player's next process gets no messages about them.
        """
        player = self._rooms.people.find_player(name)
        died = False
        for pairing in self.cup.running_pairings():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            seat_state = table.seating.seat_state_of(player) if table is not None and player is not None else None
            if table is None or player is None or seat_state is None:
                continue
            if table.is_playing(player):
                self._died.setdefault(pairing.number, set()).add(seat_state.number)
                died = True
            table.give_seat_to_bot(player, "crashed")
            table.stand_up(player)
        return died

    def give_up_player(self, name: str) -> None:
        """Stops waiting for a player who will not return. House bots take over the player's seats."""
        self._gone.add(name)
        self.give_seats_to_bots(name, "crashed")
        self.wake_task()

    def give_seats_to_bots(self, name: str, how: str) -> None:
        """Lets house bots take over the player's seats in all matches of the cup. `how` is the reason that the other
        players get."""
        player = self._rooms.people.find_player(name)
        for pairing in self.cup.running_pairings():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if player is not None and table is not None:
                table.give_seat_to_bot(player, how)

    def _end(self, pairing: Pairing) -> None:
        """Records the result of a match that is over, and announces it."""
        table_id = self.cup.tables[pairing.number]
        table = self._rooms.tables.get(table_id)
        over = table.match.over if table is not None and table.match is not None else None
        results = mark_absent_seats(over.results if over is not None else (), self.cup.absent[pairing.number])
        died = tuple(sorted(self._died.pop(pairing.number, ())))
        self.record_entry(MatchEnded(self.wall_clock_time(), pairing.number, table_id, results, died))
        self._watched.pop(table_id, None)
        self.send_to_subscribers(
            m.Result(cup=self.cup.settings.cup, match=pairing.number, table=table_id, results=results)
        )

    def _watch(self, table: Table) -> None:
        """Starts a task that wakes the cup when the match at this table ends."""
        # after a failed write, recovery may have replaced the table by another object
        if self._watched.get(table.id) is not table:
            self._watched[table.id] = table
            self._nursery.start_soon(self._wait_for, table)

    async def _wait_for(self, table: Table) -> None:
        await table.done.wait()
        self.wake_task()

    # -- beginning a match ---------------------------------------------------------------------------------------------

    def _begin_one(self) -> float:
        cup, out = self.cup, dict[int, float]()
        at_once = min(cup.settings.at_once or math.inf, self._share(cup.settings.owner))
        if len(cup.running_pairings()) >= at_once:
            return math.inf
        load = self._load()
        for pairing in cup.waiting_pairings():
            if len(out) == len(cup.entrants):
                break
            if not out.keys().isdisjoint(pairing.entrants):
                continue
            if held_back := self.held_back(pairing):
                out |= dict.fromkeys(held_back, math.inf)
                continue
            if players := self._players(pairing, load, out):
                self._begin(pairing, players)
                return BREATH_SECONDS
        return min(out.values(), default=math.inf)

    def _load(self) -> Counter[str]:
        """Returns, by player, the number of the cup's tables at which the player plays."""
        load: Counter[str] = Counter()
        for pairing in self.cup.running_pairings():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if table is not None:
                load.update(
                    seat_state.player.name
                    for seat_state in table.seating.seat_states
                    if seat_state.player and not seat_state.house
                )
        return load

    def _players(self, pairing: Pairing, load: Counter[str], out: dict[int, float]) -> list[str]:
        """Returns the players of a match in seat order; an empty list if the match cannot begin now.

        An entrant without a free player is added to `out`, with the number of seconds until it may be tried again.
        Infinity means that something else must happen first. The caller skips matches of the entrants in `out`.
        """
        chosen: list[str] = []
        for number in pairing.entrants:
            entrant = self.cup.entrants[number]
            if entrant.house and not entrant.dropped:
                chosen.append(entrant.name)
                continue
            free = _next_player(entrant, load, (*chosen, *self.resting, *self.ending))
            # a player who gave up only has the seat in name, and a house bot plays
            if not (name := free or (entrant.dropped and entrant.player_names[0])):
                if not _next_player(entrant, load, (*self.resting, *self.ending)):
                    out[number] = math.inf
                return []
            chosen.append(name)
            if not entrant.dropped and (wait := self._absence(name)):
                out[number] = wait
        return chosen if out.keys().isdisjoint(pairing.entrants) else []

    def _absence(self, name: str) -> float:
        """Returns for how many seconds a match still has to wait for the player. 0 means that the player is connected,
        or has been away for longer than the grace time."""
        player = self._rooms.people.find_player(name)
        if (player is not None and player.listener is not None) or name in self._gone:
            return 0.0
        since = max(self._since, player.seen if player is not None else 0.0)
        return max(0.0, since + self._grace - trio.current_time())

    def _begin(self, pairing: Pairing, players: Sequence[str]) -> None:
        """Opens a table, seats the players and deals.

        Seats have no nonces, because all matches of a deal need the same cards; the nonces of all entrants go into the
        deal's seed. A bot's random numbers are derived from the match's word, so that with the same secret the bot
        plays the same way.
        """
        told, rooms = self.cup.settings, self._rooms
        seed, word = self.cup.deal_seed(pairing.deal), match_seed_word(told.secret, pairing.number)
        table = rooms.open_table(told.game, len(pairing.entrants), "", told.options, told.clock, seed, word)
        entrants = [self.cup.entrants[number] for number in pairing.entrants]
        people = [self._person(entrant, name) for entrant, name in zip(entrants, players, strict=True)]
        houses = {seat: one for seat, one in enumerate(entrants, 1) if one.house and not one.dropped}
        # add_bot raises Refusal if the limit of bots that search is reached, and the cup then tries again later
        for seat, entrant in houses.items():
            rooms.add_bot(table, entrant.house, seat)
            table.seating.seat_state(seat).name = entrant.name
        seated = {seat: player for seat, player in enumerate(people, 1) if seat not in houses}
        absent = tuple(seat for seat, player in seated.items() if player.listener is None)
        self.record_entry(MatchPaired(self.wall_clock_time(), pairing.number, table.id, absent))
        now = self._rooms.tables.get(self._shown)
        shown = told.deals == "fresh" and (now is None or now.state != "playing")
        names = tuple(entrant.name for entrant in entrants)
        paired = m.Paired(cup=told.cup, match=pairing.number, table=table.id, entrants=names)
        spectators = self._spectators(people) if shown else []
        self.send_to_subscribers(paired, spectators)
        for seat_state, entrant in zip(table.seating.seat_states, entrants, strict=True):
            seat_state.clock = entrant.clock
        for seat, player in seated.items():
            seat_state = table.seat_player(player, seat)
            if player.listener is None:
                seat_state.grace = 0.0
            else:
                player.listener.push((Seated(info=table.table_info(), seat=seat),))
        if shown:
            self._show(table, spectators)
        rooms.start_match(table)

    def _person(self, entrant: Entrant, name: str) -> Player:
        """Returns the player of that name. For a dropped entrant or an unknown name, returns a stand-in that is not
        connected."""
        player = self._rooms.people.find_player(name)
        if player is None or entrant.dropped:
            player = Player(name)
            player.bot = True
        return player

    def _spectators(self, people: Sequence[Player]) -> list[PlayerSession]:
        """Returns the followers of the cup except the players `people` of the table."""
        seated = [player.listener for player in people]
        return [listener for listener in self._followers() if listener not in seated]

    def _show(self, table: Table, spectators: Iterable[PlayerSession]) -> None:
        """Makes these followers watch the table from now on."""
        self._shown = table.id
        for listener in spectators:
            with suppress(Refusal):
                self._rooms.subscriptions.watch_table(table, listener, 0)

    # -- sending -------------------------------------------------------------------------------------------------------

    def _followers(self) -> list[PlayerSession]:
        return self._rooms.subscriptions.followers(self.cup.settings.cup)

    def subscriber_sessions(self) -> Collection[PlayerSession]:
        """Returns the sessions of the connected entrants and followers."""
        players = [self._rooms.people.find_player(name) for entrant in self.cup.entrants for name in entrant.players]
        entered = [player.listener for player in players if player is not None and player.listener is not None]
        return dict.fromkeys([*entered, *self._followers()])

    def send_to_subscribers(self, message: m.Message, spectators: Collection[PlayerSession] = ()) -> None:
        """Sends a message to the cup's entrants and followers once the latest entry of its log is on disk.

        `spectators` are those followers who will watch the match from now on; their message says so.
        """
        told = watching = SharedMessages((message,))
        if isinstance(message, m.Paired):
            watching = SharedMessages((msgspec.structs.replace(message, shown=True),))
        ids = {self._shown, message.table if isinstance(message, m.Result) else self._shown}
        watched = [table for table in map(self._rooms.tables.get, ids) if table is not None]
        for listener in self.subscriber_sessions():
            for table in watched:  # events of the watched match are sent first, before its result or the next match
                table.seating.spectators.send_pending(listener)
            listener.hold_until_committed(self.position)
            listener.push(watching if listener in spectators else told)

    def cup_info(self, *, entrants: bool = True) -> m.CupInfo:
        """Returns the description of the cup that all clients may see; without `entrants` it lists no entrants."""
        cup, told = self.cup, self.cup.settings
        return m.CupInfo(
            cup=told.cup,
            owner=told.owner,
            game=told.game,
            state=cup.state,
            seats=told.seats,
            format=told.format,
            deals=told.deals,
            rounds=told.rounds,
            clock=told.clock,
            options=told.options,
            commitment=told.commitment,
            entrants=tuple(self._entrant_info(entrant) for entrant in cup.entrants) if entrants else (),
            played=len(cup.results),
            planned=cup.planned_match_count or 0,
            playing=() if cup.is_over else tuple(cup.tables[pairing.number] for pairing in cup.running_pairings()),
            secret=told.secret.hex() if cup.is_over else "",
            rank_by=told.rank_by,
            late_entry=told.late_entry,
        )

    def _entrant_info(self, entrant: Entrant) -> m.EntrantInfo:
        players = [self._rooms.people.find_player(name) for name in entrant.players]
        here = all(player is not None and player.listener is not None for player in players)
        tables = entrant.tables * len(entrant.player_names)
        # nonces stay hidden before the start, so that no entrant can choose one that fits the others'
        nonce = entrant.nonce if self.cup.state != OPEN else ""
        return m.EntrantInfo(entrant.name, tables, here, entrant.dropped, nonce, entrant.clock, bool(entrant.house))


def _next_player(entrant: Entrant, load: Mapping[str, int], taken: Collection[str]) -> str:
    """Returns the entrant's player with the fewest tables that may have another one and is not in `taken`; "" if there
    is none."""
    free = [name for name in entrant.players if name not in taken and load.get(name, 0) < entrant.tables]
    return min(free, key=lambda name: load.get(name, 0), default="")
