"""A cup while it goes on: begins its matches, notes how they end, and tells those whom it concerns.

It is kept like a match: its settings are row 0 of its subject, its entries the rows from 1 on. What an entry leads to
is told once the entry is on disk. After a restart it goes on where its log ends: a match that was begun is found at its
table, over or not, and none is begun twice.
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
from protocol.connection import Bulletin
from protocol.errors import Refusal
from protocol.messages import Seated
from server.cups.cup_rows import FIRST_ENTRY, SETTINGS, encode, fits
from server.cups.rooms import Rooms
from server.cups.tally import Tally
from server.fair_share import Share
from server.language import _
from server.log_fields import fields
from server.player import Listener, Player
from server.store.rows import EVERYTHING
from server.table.table import Table
from tournaments.cup import (
    FINISHED,
    OPEN,
    PAUSED,
    RUNNING,
    STOPPED,
    Cup,
    Drawn,
    Ended,
    Entrant,
    Entry,
    Paired,
    Turned,
)
from tournaments.formats.registry import draws_rounds
from tournaments.schedule import Pairing, word_of
from tournaments.standings import told_apart

log = logging.getLogger("magehall.cups")

BREATH_SECONDS = 0.004  # between matches that begin or end, of which everybody is told: others have their turn


class LiveCup:
    """One cup on a server. `run` is its task. `wall` gives seconds since 1970, `grace` for how many seconds a match
    waits for an entrant that is away, `share` at how many tables a cup of that owner may be played at once;
    in `turns` the server's cups work standings out."""

    def __init__(
        self,
        cup: Cup,
        rooms: Rooms,
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
        self.retired = False  # another one goes on with this cup
        self._changed = trio.Event()
        self._since = trio.current_time()
        self._gone: set[str] = set()  # players who are known not to come back
        self._watched: dict[str, Table] = {}  # whose end is waited for
        self._shown = ""  # the table that followers watch
        self.resting: set[str] = set()  # players who are not seated for now; for who runs them
        self.willing: set[str] = set()  # players who gave up, were replaced, and asked to enter again
        self.on_entry: Callable[[Entry], None] = lambda _entry: None
        self._turns, self.tally = turns, Tally(nursery, turns)
        self.entered_from: Counter[Hashable] = Counter()  # by address: how often, in all
        self.entered: set[str] = set()  # who did, since the server runs
        self._runs = False
        self._died: dict[int, set[int]] = {}  # by match that goes on: seats whose players' processes died in it
        self.ending: set[str] = set()  # players who are not seated before they have left their last table, likewise
        self.held_back: Callable[[Pairing], Collection[int]] = lambda _pairing: ()  # entrants for whom it has to wait
        self._work = Share(cup.settings.owner or self, ("",))  # as if it had a seat: players wait for their matches

    # -- its log -------------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        """Has the settings kept; once, when the cup is opened."""
        self._put(SETTINGS, encode(self.cup.settings))

    def forget(self) -> None:
        """Nothing of the cup is kept any more."""
        if self._rooms.journal.keeps:
            self._rooms.journal.put(self._subject, EVERYTHING, None)

    def record(self, entry: Entry) -> None:
        """One more thing happened. Raises CannotBe, and then nothing has changed."""
        self.cup.apply(entry)
        self._put(FIRST_ENTRY + len(self.cup.entries) - 1, encode(entry))
        self.on_entry(entry)
        self.wake()

    def now(self) -> float:
        """For entries."""
        return self._wall()

    def _put(self, part: int, data: bytes) -> None:
        if self._rooms.journal.keeps and not self.retired:
            self.position = self._rooms.journal.put(self._subject, part, data)

    # -- its task ------------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Something changed: there may be a match to begin."""
        self._changed.set()

    def came(self, name: str) -> None:
        """That player is here: it may be one for whom matches wait."""
        if self.cup.state == RUNNING and self.cup.player_of(name):
            self.wake()

    def left(self, name: str) -> None:
        """Handles a player's departure from a table."""
        if name in self.ending:
            self.ending.discard(name)
            self.wake()

    def retire(self) -> None:
        """Ends the task; nothing is told or kept."""
        self.retired = True
        self.wake()

    async def run(self) -> None:
        """Plays the cup until it is over."""
        self._runs, warned = True, ""
        if draws_rounds(self.cup.settings.format):
            await trio.to_thread.run_sync(import_module, "networkx")  # other sessions do not wait for it when it pairs
        while not self.cup.is_over and not self.retired:
            self._changed = trio.Event()
            try:
                async with self._rooms.queue.of(self._work):  # many cups begin matches at the same time
                    patience = self._go_on()
            except Refusal as error:  # no more tables for now, say
                if error.text != warned:
                    told = fields("cup_waits", cup=self.cup.settings.cup, code=error.code.name)
                    log.warning("cup %s waits: %s", self.cup.settings.cup, error.text, extra=told)
                patience, warned = 1.0, error.text
            with trio.move_on_after(patience):
                await self._changed.wait()
        self._runs = False

    def take_up(self, cup: Cup) -> None:
        """Goes on with what is kept: what was written last never happened."""
        cup.allowed = self.cup.allowed
        self.cup, self.tally = cup, Tally(self._nursery, self._turns)
        if not self._runs:
            self._nursery.start_soon(self.run)

    def _go_on(self) -> float:
        """Notes what is over and begins what can be; returns for how many seconds nothing more is to be done."""
        cup = self.cup
        rooms = self._rooms
        if rooms.service.closing or rooms.journal.failing or self.retired or cup.state not in (RUNNING, PAUSED):
            return math.inf
        self.check_game()
        over = list[Pairing]()
        for pairing in cup.playing():
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
            if not cup.playing():
                told = fields("cup_deserted", cup=cup.settings.cup)
                log.info("cup %s has no entrants left", cup.settings.cup, extra=told)
                self.turn(STOPPED)
        elif cup.state == RUNNING:
            if cup.awaits_draw:
                self.record(Drawn(self.now()))
            patience = self._begin_one()
            if not cup.playing() and next(cup.waiting(), None) is None:
                self.turn(FINISHED)
        return patience

    @property
    def _is_deserted(self) -> bool:
        """Whether all entrants have dropped out, so that only house bots would play."""
        entrants = self.cup.entrants
        return all(one.dropped for one in entrants if not one.house) and any(one.dropped for one in entrants)

    def check_game(self) -> None:
        """Raises Refusal where its game, or the rules or cards under which the cup was opened, are not installed: what
        was played under them is not to be lost, nor to count beside matches under others."""
        told = self.cup.settings
        if not fits(told, self._rooms.game(told.game)):
            text = _("{cup} was opened under other rules or cards than those of this server.", cup=told.cup)
            raise Refusal("cup_state", text)

    def turn(self, state: str) -> None:
        """The cup is in that state from now on. Raises CannotBe."""
        self.record(Turned(self.now(), state))
        self.tell(m.CupChanged(info=self.info(entrants=False)))
        told = fields("cup_state", cup=self.cup.settings.cup, state=state)
        log.info("cup %s is %s", self.cup.settings.cup, state, extra=told)

    def abort(self) -> None:
        """The matches that go on end and do not count."""
        for pairing in self.cup.playing():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if table is not None and table.match is not None and table.match.over is None:
                table.live().abort(CUP_STOPPED)

    def process_died(self, name: str) -> bool:
        """Handles the end of a player's process: the house takes its seats at once. Returns whether it had any. The
        player has left these tables, so its next process gets no messages of them."""
        player = self._rooms.people.find(name)
        died = False
        for pairing in self.cup.playing():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            chair = table.seating.chair_of(player) if table is not None and player is not None else None
            if table is None or player is None or chair is None:
                continue
            if table.plays(player):
                self._died.setdefault(pairing.number, set()).add(chair.number)
                died = True
            table.dismiss(player, "crashed")
            table.stand_up(player)
        return died

    def give_up(self, name: str) -> None:
        """Stops waiting for a player who does not come back."""
        self._gone.add(name)
        self.dismiss(name, "crashed")
        self.wake()

    def dismiss(self, name: str, how: str) -> None:
        """A house bot plays on where that player plays in the cup's matches."""
        player = self._rooms.people.find(name)
        for pairing in self.cup.playing():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if player is not None and table is not None:
                table.dismiss(player, how)

    def _end(self, pairing: Pairing) -> None:
        """Notes how the match came out."""
        table_id = self.cup.tables[pairing.number]
        table = self._rooms.tables.get(table_id)
        over = table.match.over if table is not None and table.match is not None else None
        results = told_apart(over.results if over is not None else (), self.cup.absent[pairing.number])
        died = tuple(sorted(self._died.pop(pairing.number, ())))
        self.record(Ended(self.now(), pairing.number, table_id, results, died))
        self._watched.pop(table_id, None)
        self.tell(m.Result(cup=self.cup.settings.cup, match=pairing.number, table=table_id, results=results))

    def _watch(self, table: Table) -> None:
        """Its end is waited for."""
        if self._watched.get(table.id) is not table:  # it may have been made again, as it was kept
            self._watched[table.id] = table
            self._nursery.start_soon(self._wait_for, table)

    async def _wait_for(self, table: Table) -> None:
        await table.done.wait()
        self.wake()

    # -- beginning -----------------------------------------------------------------------------------------------------

    def _begin_one(self) -> float:
        cup, out = self.cup, dict[int, float]()
        at_once = min(cup.settings.at_once or math.inf, self._share(cup.settings.owner))
        if len(cup.playing()) >= at_once:
            return math.inf
        load = self._load()
        for pairing in cup.waiting():
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
        """At how many of the cup's tables each player plays."""
        load: Counter[str] = Counter()
        for pairing in self.cup.playing():
            table = self._rooms.tables.get(self.cup.tables[pairing.number])
            if table is not None:
                load.update(chair.player.name for chair in table.seating.chairs if chair.player and not chair.house)
        return load

    def _players(self, pairing: Pairing, load: Counter[str], out: dict[int, float]) -> list[str]:
        """Who sits down, seat by seat; nobody if the match cannot begin. An entrant with whom none can stands in `out`
        from then on, with for how many seconds (forever: until something changes), and is not looked at again."""
        chosen: list[str] = []
        for number in pairing.entrants:
            entrant = self.cup.entrants[number]
            if entrant.house and not entrant.dropped:
                chosen.append(entrant.name)
                continue
            free = _next_player(entrant, load, (*chosen, *self.resting, *self.ending))
            if not (name := free or (entrant.dropped and entrant.names[0])):  # who gave up does not sit down
                if not _next_player(entrant, load, (*self.resting, *self.ending)):
                    out[number] = math.inf
                return []
            chosen.append(name)
            if not entrant.dropped and (wait := self._absence(name)):
                out[number] = wait
        return chosen if out.keys().isdisjoint(pairing.entrants) else []

    def _absence(self, name: str) -> float:
        """For how many seconds a match still waits for who is away; 0 for who is here, or was away for long."""
        player = self._rooms.people.find(name)
        if (player is not None and player.listener is not None) or name in self._gone:
            return 0.0
        since = max(self._since, player.seen if player is not None else 0.0)
        return max(0.0, since + self._grace - trio.current_time())

    def _begin(self, pairing: Pairing, players: Sequence[str]) -> None:
        """Opens a table, seats everybody and deals.

        No seat has a nonce, since the matches of a deal have to have the same cards: those of all entrants are in its
        seed. A bot's chance comes from the match's own word, so that with the same secret it plays the same way again.
        """
        told, rooms = self.cup.settings, self._rooms
        seed, word = self.cup.seed_of(pairing.deal), word_of(told.secret, pairing.number)
        table = rooms.open(told.game, len(pairing.entrants), "", told.options, told.clock, seed, word)
        entrants = [self.cup.entrants[number] for number in pairing.entrants]
        people = [self._person(entrant, name) for entrant, name in zip(entrants, players, strict=True)]
        houses = {seat: one for seat, one in enumerate(entrants, 1) if one.house and not one.dropped}
        for seat, entrant in houses.items():  # it may have to wait, where as many bots think as may
            rooms.add_bot(table, entrant.house, seat)
            table.seating.chair(seat).name = entrant.name
        seated = {seat: player for seat, player in enumerate(people, 1) if seat not in houses}
        absent = tuple(seat for seat, player in seated.items() if player.listener is None)
        self.record(Paired(self.now(), pairing.number, table.id, absent))
        now = self._rooms.tables.get(self._shown)
        shown = told.deals == "fresh" and (now is None or now.state != "playing")
        names = tuple(entrant.name for entrant in entrants)
        paired = m.Paired(cup=told.cup, match=pairing.number, table=table.id, entrants=names)
        spectators = self._spectators(people) if shown else []
        self.tell(paired, spectators)
        for chair, entrant in zip(table.seating.chairs, entrants, strict=True):
            chair.clock = entrant.clock
        for seat, player in seated.items():
            chair = table.sit(player, seat)
            if player.listener is None:
                chair.grace = 0.0
            else:
                player.listener.push((Seated(info=table.info(), seat=seat),))
        if shown:
            self._show(table, spectators)
        rooms.start(table)

    def _person(self, entrant: Entrant, name: str) -> Player:
        """Who sits down: for a name that is not known, or not wanted any more, somebody who only keeps the seat."""
        player = self._rooms.people.find(name)
        if player is None or entrant.dropped:
            player = Player(name)
            player.bot = True
        return player

    def _spectators(self, people: Sequence[Player]) -> list[Listener]:
        """Those who follow the cup and have no seat at this table."""
        seated = [player.listener for player in people]
        return [listener for listener in self._followers() if listener not in seated]

    def _show(self, table: Table, spectators: Iterable[Listener]) -> None:
        """Those who follow the cup watch this table from now on."""
        self._shown = table.id
        for listener in spectators:
            with suppress(Refusal):
                self._rooms.subscriptions.watch(table, listener, 0)

    # -- telling -------------------------------------------------------------------------------------------------------

    def _followers(self) -> list[Listener]:
        return self._rooms.subscriptions.followers(self.cup.settings.cup)

    def hearers(self) -> Collection[Listener]:
        """Those who entered or follow, and are here."""
        players = [self._rooms.people.find(name) for entrant in self.cup.entrants for name in entrant.players]
        entered = [player.listener for player in players if player is not None and player.listener is not None]
        return dict.fromkeys([*entered, *self._followers()])

    def tell(self, message: m.Message, spectators: Collection[Listener] = ()) -> None:
        """Those who entered or follow, once what happened is on disk; spectators hear that they watch that match."""
        told = watching = Bulletin((message,))
        if isinstance(message, m.Paired):
            watching = Bulletin((msgspec.structs.replace(message, shown=True),))
        ids = {self._shown, message.table if isinstance(message, m.Result) else self._shown}
        watched = [table for table in map(self._rooms.tables.get, ids) if table is not None]
        for listener in self.hearers():
            for table in watched:  # they hear how that went before they hear how it came out, or what is next
                table.seating.spectators.catch_up(listener)
            listener.wait_for(self.position)
            listener.push(watching if listener in spectators else told)

    def info(self, *, entrants: bool = True) -> m.CupInfo:
        """The cup as everybody may see it."""
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
            planned=cup.planned or 0,
            playing=() if cup.is_over else tuple(cup.tables[pairing.number] for pairing in cup.playing()),
            secret=told.secret.hex() if cup.is_over else "",
            rank_by=told.rank_by,
            late_entry=told.late_entry,
        )

    def _entrant_info(self, entrant: Entrant) -> m.EntrantInfo:
        players = [self._rooms.people.find(name) for name in entrant.players]
        here = all(player is not None and player.listener is not None for player in players)
        tables = entrant.tables * len(entrant.names)
        nonce = entrant.nonce if self.cup.state != OPEN else ""  # so that nobody chooses theirs to fit the others'
        return m.EntrantInfo(entrant.name, tables, here, entrant.dropped, nonce, entrant.clock, bool(entrant.house))


def _next_player(entrant: Entrant, load: Mapping[str, int], taken: Collection[str]) -> str:
    """The player of the entrant with room for one more table that plays at fewest; "" for none."""
    free = [name for name in entrant.players if name not in taken and load.get(name, 0) < entrant.tables]
    return min(free, key=lambda name: load.get(name, 0), default="")
