"""A whole server with all who can be there: entrants of a cup or players at a table, spectators, a follower, strangers,
the owner, the operator. Whatever leaves it is kept, for comparing it with another one that holds other secrets.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import msgspec
import trio
import trio.testing

from client.cli.hosting import _guests
from client.cli.serving import waiting_player_lines
from client.nearby import _Announcement
from client.tournament.replay_frames import ReplayRenderer
from client.tournament.report import render_csv
from client.tournament.report_page import render_page
from games.api import AddressedEvent, Game, Options, Seat, State, to_map
from games.chance import Chance
from matches.house import Answer, HouseBot, HouseQuestion
from protocol.proof import OPERATOR, make_proof
from server.config import Config
from server.desk.health import ProcessHealth
from server.desk.operator import OperatorCommand, OperatorCommands
from server.net.admin import _obey
from server.player import Player
from server.table.table import Table
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse
from tests.helpers.toy import TOY, ToyState
from tests.helpers.wire import FACES, TYPED, Face
from tests.server.leaks.forked import ForkedGame, ForkedState, Redeal
from tests.server.leaks.plants import lowest_cards_stay, retell
from tests.server.leaks.probing import GARBAGE, Plain, Values, broken, most_at_once, requests, typed
from tests.server.leaks.watched import CHALLENGE, Client, Ledger, allowance, this_world

Observer = Literal["p1", "spectators", "everybody"]
"""Who is not to notice what differs: `p1` and all who know less, all but those who play, or all, where only secrets
differ."""
Setting = Literal["table", "fresh", "duplicate"]

Parts: TypeAlias = AsyncGenerator["float | Parts", None]
"""What happens, until the next wait of so many seconds, or in parts of its own."""

FANS = ("fan", "fin")  # who watch, or follow the cup, each in another face
WORD = "the-word-of-the-operator"
OPERATOR_PROOF = make_proof(WORD, CHALLENGE, OPERATOR)
CONFIG = Config(port=0, operator_word=WORD)  # with the allowances of a usual server
CUP, DELAY, SEATS = "cup", 60, 3
PLAYERS = 6  # p1 to p6: two tables have one deal at a time
CLOCK = {"main": 50_000.0, "increment": 3_000.0}  # a decision after the time is up has its moment, too
ANSWERED = 45.0  # seconds in which all that was asked at once is answered, with the allowances of a usual server
A_LITTLE = 0.000_731
LAST = ("kick", "ban", "close", "drain")  # of the operator's commands: what is left after them is less
ADMIN_ASKS = ("who", "tables", "bans", "status")


class TwinGame(ForkedGame):
    """A game whose matches are dealt anew in the second world, from `apart` on, for the seat of the observer."""

    def __init__(self, game: Game, seat_of: Callable[[], Seat | None], number: int, redeal: Redeal) -> None:
        super().__init__(game, None, None, number, retell, redeal)
        self.apart = False
        self._seat_of, self._number, self._redeal = seat_of, number, redeal
        self._known: dict[bytes, tuple[Seat | None, int | None]] = {}  # by deal: all who play it get the same one

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        deal = repr(chance.save()).encode()
        state, told = self._game.start(seats, options, chance)
        if deal not in self._known:
            self._known[deal] = (self._seat_of(), 0) if self.apart and this_world() else (None, None)
        seat, at = self._known[deal]
        forked = ForkedState(state, seat, at, self._number, self._redeal)
        return forked, told if at is None else retell(forked.inner)


class RecordedHouse(FirstHouse):
    """House bots do the first legal thing, and what they are asked is noted where it is `known`."""

    def __init__(self, known: Callable[[Seat], bool]) -> None:
        super().__init__("first")
        self.asked = bytearray()
        self._known = known

    def make(self, *args: Any) -> HouseBot:
        bot = super().make(*args)
        ask = bot.ask

        def noted(question: HouseQuestion, answer: Answer) -> None:
            if self._known(question.seat):
                known = (
                    question.seat,
                    question.view,
                    question.legal,
                    question.number,
                    question.knowledge(),
                    question.clock,
                )
                self.asked += f"{known}\n".encode()
            ask(question, answer)

        vars(bot)["ask"] = noted
        return bot


@dataclass
class Town:
    """One of two worlds. `live` is its task."""

    world: int
    setting: Setting
    observer: Observer
    number: int
    face: Face = "json"
    config: Config = CONFIG
    ledger: Ledger = field(default_factory=Ledger)
    disk: Disk = field(default_factory=Disk)
    clients: dict[str, Client] = field(default_factory=dict)
    said: bytearray = field(default_factory=bytearray)  # by the operator's socket
    private: list[str] = field(default_factory=list)  # what was done in secret, in every writing
    delay: int = 0
    hall: Hall = field(init=False)

    def __post_init__(self) -> None:
        self.ledger.world = self.world
        self.house = RecordedHouse(self._is_known_to_p1)
        self.game = TwinGame(TOY, self._observed, self.number, lowest_cards_stay)

    async def live(self, *, task_status: trio.TaskStatus[None]) -> None:
        """A server, until `kill`."""
        self._gone = trio.Event()
        async with trio.open_nursery() as nursery:
            self._life = nursery.cancel_scope
            with self.ledger.open():
                self.hall = Hall(nursery, self.config, {TOY.id: self.game}, self.house, self.disk)
                self.operator = OperatorCommands(self.hall.lobby, nursery, lambda: None)
                self.hall.lobby.health.process = lambda: ProcessHealth(
                    1, 2**26, 64, 1_024
                )  # which differ from run to run
            task_status.started()
            await trio.sleep_forever()
        self._gone.set()

    # -- who is there --------------------------------------------------------------------------------------------------

    async def begin(self) -> Parts:
        """All are there, and a match was played of which nothing is secret."""
        join = self.join
        await join("own")
        for number in range(1, PLAYERS + 1):
            face: Face = self.face if number == 1 else "json"
            token = f"{'ab'[self.world]}{number}" * 16 if number > 1 else "5a" * 16
            await join(f"p{number}", face, token=token)
        for name in ("zoe", "ops", "lag"):
            await join(name)
        await join("tex", "text")
        await join("fan", self.face)
        await join("fin", FACES[(FACES.index(self.face) + 1) % len(FACES)])
        await join("prog", bot=True, tables=2)
        await self.clients["ops"].ask("operator", proof=OPERATOR_PROOF)
        for name in ("tex", "fin"):
            await self.clients[name].ask("lang", lang="fr")
        yield self.finish_one()

    async def open(self) -> None:
        """The matches are about to begin; what is drawn from now on differs. At a table of others a seat has given a
        nonce, of which nobody is told before the match there."""
        await self.clients["lag"].ask("open", game="toy", seats=SEATS, clock=CLOCK)
        nonce = f"nonce-{self.world}"
        await self.clients["prog"].ask("join", table=next(reversed(self.hall.lobby.tables)), nonce=nonce)
        if self.setting == "table":
            await self.clients["p2"].ask("open", game="toy", seats=SEATS, delay=self.delay, clock=CLOCK)
            self.opened = next(reversed(self.hall.lobby.tables))
            for name in ("p1", "p3"):
                await self.clients[name].ask("join", table=self.opened, delay=self.delay)
                if self.delay and self.clients[name].face in TYPED:  # once more, to agree
                    await self.clients[name].ask("join", table=self.opened)
            for name in FANS:
                await self.clients[name].ask("watch", table=self.opened)
            return
        own = self.clients["own"]
        deals = self.setting
        await own.ask("cup_open", cup=CUP, game="toy", seats=SEATS, rounds=2, deals=deals, clock=CLOCK)
        for number in range(1, (PLAYERS if deals == "duplicate" else SEATS) + 1):
            await self.clients[f"p{number}"].ask("cup_enter", cup=CUP)
        for name in FANS:
            await self.clients[name].ask("follow", cup=CUP)

    async def finish_one(self) -> Parts:
        """A match t1 that is over, of which nothing is secret any more."""
        zoe = self.clients["zoe"]
        await zoe.ask("open", game="toy", seats=2)
        await zoe.ask("add", table="t1", bot="first")
        await zoe.ask("start", table="t1")
        table = self.hall.lobby.tables["t1"]
        for _ in range(3):
            turn = table.require_match().turns[1]
            await zoe.ask("act", table="t1", turn=turn, action=to_map(table.require_match().state.legal_actions(1)[0]))
            yield 1.0
        assert table.state == "over"
        if self.setting != "table":
            await zoe.ask("open", game="toy", seats=2, clock=CLOCK)

    async def join(self, name: str, face: Face = "json", token: str = "5a" * 16, **hello: Any) -> None:
        """One more, from an address of its own."""
        address = f"10.0.0.{len(self.clients) + 1}"
        client = Client(self.hall, name, face, TOY, self.ledger, address, token, **hello)
        self.clients[name] = client
        await client.connect()

    async def start(self) -> None:
        """The matches begin, with what differs."""
        self.game.apart = self.observer != "everybody"
        if self.setting == "table":
            await self.clients["p2"].ask("start", table=self.opened)
        else:
            await self.clients["own"].ask("cup_start", cup=CUP)

    def _observed(self) -> Seat | None:
        """The seat of p1 at the table whose match begins."""
        if self.observer != "p1":
            return None
        for table in self.hall.lobby.tables.values():
            for seat_state in table.seating.seat_states:
                if seat_state.name == "p1" and table.match is None:
                    return seat_state.number
        return None

    def _is_known_to_p1(self, seat: Seat) -> bool:
        """Whether p1 may know what a house bot in that seat is asked."""
        if self.observer == "everybody":
            return True
        return self.observer == "p1" and self.setting != "duplicate" and bool(self.tables) and seat == self.seat_of_p1

    @property
    def watched(self) -> list[Client]:
        """Those whose bytes are compared."""
        seated = [f"p{number}" for number in range(1 + (self.observer == "p1"), PLAYERS + 1)]
        return [one for name, one in self.clients.items() if self.observer == "everybody" or name not in seated]

    # -- what is played ------------------------------------------------------------------------------------------------

    @property
    def tables(self) -> list[Table]:
        """Those where a match goes on that differs."""
        return [table for table in self.hall.lobby.tables.values() if table.state == "playing"]

    @property
    def first(self) -> Table:
        """The table of p1."""
        return next(
            table for table in self.tables if any(seat_state.name == "p1" for seat_state in table.seating.seat_states)
        )

    @property
    def other(self) -> Table:
        """A table where p1 has no seat; the only one where there is but one."""
        without = (one for one in self.tables if all(seat_state.name != "p1" for seat_state in one.seating.seat_states))
        return next(without, self.tables[0])

    def truth(self, table: Table) -> ToyState:
        """All that is hidden there."""
        state = table.require_match().state
        assert isinstance(state, ForkedState)
        assert isinstance(state.inner, ToyState)
        return state.inner

    async def choose(self, table: Table, seat: Seat, *, openly: bool = False) -> None:
        """A seat plays a card, another one in each world unless `openly`, when it is the lowest."""
        hand = self.truth(table).hands[seat - 1]
        differs = self.differ and not openly and len(hand) > 2
        card = hand[1 + self.world] if differs else hand[0]
        turn = table.require_match().turns[seat]
        name = table.seating.seat_state(seat).name
        self.private += [f"Play(card={card})", f"play {card}"] if self.clients[name] not in self.watched else []
        action: Any = {"do": "play", "card": card}
        if self.clients[name].face in TYPED:
            await self.clients[name].line(f"play {card}")
        else:
            await self.clients[name].ask("act", table=table.id, turn=turn, action=action)

    def asked(self, table: Table) -> list[Seat]:
        """The seats that have to decide there and are played by somebody here."""
        return [seat for seat in sorted(table.require_match().asked) if table.seating.seat_state(seat).house is None]

    async def secret_choices(self) -> None:
        """At every table all but one of those who are asked choose, p1 not at all."""
        for table in self.tables:
            for seat in [one for one in self.asked(table) if table.seating.seat_state(one).name != "p1"][:1]:
                await self.choose(table, seat)

    # -- what can be asked ---------------------------------------------------------------------------------------------

    def values(self, client: Client) -> Values:
        """What there is, as that client may name it."""
        lobby = self.hall.lobby
        actions: list[Plain] = [to_map(TOY.all_actions(SEATS, TOY.options_type())[place]) for place in (0, 5, 11)]
        turns = [0]
        if self.tables and client.name == "p1":
            turns = [self.first.require_match().turns[self.seat_of_p1]]
            actions = [to_map(one) for one in TOY.all_actions(SEATS, TOY.options_type())]
        names = [name for name in self.clients if name != "lag"]
        own = self.first.id if self.tables and client.name == "p1" else ""
        playing = [table.id for table in self.tables]
        tables = sorted(lobby.tables, key=lambda one: (one != own, one not in playing, one == "t1"))
        return Values(
            tables, [live.cup.settings.cup for live in lobby.cups.list_cups()], names, [TOY.id], actions, turns
        )

    async def play_to_the_end(self, table: Table) -> None:
        """Whoever is asked there plays the lowest card, until the match is over."""
        while table.state == "playing":
            for seat in self.asked(table):
                if table.state == "playing":
                    await self.choose(table, seat, openly=True)
            if not self.asked(table):
                return

    @property
    def seat_of_p1(self) -> Seat:
        """Its seat at its table."""
        return next(seat_state.number for seat_state in self.first.seating.seat_states if seat_state.name == "p1")

    async def ask_all(self, names: Iterable[str], *, question: bool = True) -> Parts:
        """Each of these sends every request at once: those that ask, or those that change something. Each begins a
        little later than the one before, so that no two are answered at the same moment: chance would decide who comes
        first, and some answers cost the first one more."""
        for name in names:
            client, values = self.clients[name], self.values(self.clients[name])
            if client.face in TYPED:
                written = typed(values, ["play 1", "play 7", "play 12", "1"], question=question)
                lines = [line for line in written if not (line.startswith("replay") and self.revealed)]
                client.put_raw("".join(f"{line}\r\n" for line in lines).encode())
            else:
                asked = requests(values, question=question)
                client.put_plain(*(one for one in asked if one["type"] != "lang" and not self._is_revealed(one)))
            yield A_LITTLE

    @property
    def revealed(self) -> list[str]:
        """The tables whose matches are over and hide nothing any more: their replays tell all."""
        tables, cups = self.hall.lobby.tables.values(), self.hall.lobby.cups.list_cups()
        if self.setting == "duplicate" and not all(live.cup.is_over for live in cups):
            return []
        return [table.id for table in tables if table.state == "over" and table.id != "t1"]

    def _is_revealed(self, plain: Plain) -> bool:
        return plain["type"] == "replay" and plain["table"] in self.revealed

    async def send_garbage(self, name: str) -> None:
        """A new connection of a stranger, and one client, send what cannot be read."""
        for face, pieces in GARBAGE.items():
            stranger = Client(self.hall, f"anon-{face}", face, TOY, self.ledger, "10.0.9.9")
            known = self.clients.setdefault(stranger.name, stranger)
            known.hall = self.hall
            await known.dial()
            known.put_raw(b"".join(pieces))
            await trio.testing.wait_all_tasks_blocked()
        client = self.clients[name]
        if client.face not in TYPED:
            some = list(broken(self.values(client)))
            start = client.asked % len(some)
            client.put_plain(*(some[start:] + some[:start])[: most_at_once()])

    async def knock(self, name: str, plain: Plain | bytes, address: str = "10.0.8.8") -> Client:
        """A connection of a stranger that sends one request, or these bytes."""
        client = Client(self.hall, name, "json", TOY, self.ledger, address)
        self.clients[name] = client
        await client.dial()
        client.put_raw(plain) if isinstance(plain, bytes) else client.put_plain(plain)
        await trio.testing.wait_all_tasks_blocked()
        return client

    def stall(self, seconds: float, busy_with: Player | None = None, *, slow: float = 0.0) -> None:
        """The server stood still, because of a player, unless it was stopped; and the disk was slow."""
        with self.ledger.open():
            for table in self.tables:
                table.compensate_stall(seconds, busy_with, stopped=busy_with is None)
                if slow:
                    table.require_live_match().compensate_disk_wait(slow)

    def watch_for_silence(self) -> None:
        """From now on the server asks silent programs for a sign of life."""
        with self.ledger.open():
            self.hall.nursery.start_soon(self.hall.app.ping_silent_programs)

    async def ask_operator(self, commands: Sequence[OperatorCommand]) -> None:
        """The operator's socket is asked."""
        with self.ledger.open():
            for command in commands:
                answer = await _obey(self.operator, msgspec.json.encode(command))
                self.said += msgspec.json.encode(answer)

    def commands(self, *, question: bool) -> list[OperatorCommand]:
        """Every command of the operator's, with what it may name."""
        names = [word for word in self.operator._commands if (word in ADMIN_ASKS) is question]
        tables = [table.id for table in self.tables] or ["t1"]
        commands = [OperatorCommand(do=word) for word in names]
        if not question:
            commands += [
                OperatorCommand(do=word, who="zoe", table=tables[-1], text="Hello.", seconds=9) for word in names
            ]
            commands += [OperatorCommand(do=word, who="p4") for word in names]
        return sorted(commands, key=lambda one: LAST.index(one.do) if one.do in LAST else -1)

    async def look_round(self) -> Parts:
        """Those who are watched ask all that there is to ask."""
        unasked = ("own", "lag", "prog", *(f"p{number}" for number in range(2, PLAYERS + 1)))
        names = [one.name for one in self.watched if one.name not in unasked and not one.name.startswith("anon")]
        yield self.ask_all(names)
        yield ANSWERED

    # -- what happens to it --------------------------------------------------------------------------------------------

    @property
    def differ(self) -> bool:
        """Whether players do secretly what those in the other world do not."""
        return self.observer != "everybody"

    def kill(self) -> None:
        """The server dies; it has no last words."""
        self.disk.dead = True
        self._logged = len(self.ledger.log)
        for session in self.hall.app.sessions:
            session._wire.broken = True
        self._life.cancel()

    def say_goodbye(self) -> None:
        """The server begins to end in good order."""
        with self.ledger.open():
            self.hall.nursery.start_soon(self.hall.app.end_all_sessions)

    async def restart(self, nursery: trio.Nursery) -> None:
        """Another server begins on the same disk; all come back."""
        await self._gone.wait()
        del self.ledger.log[self._logged :]
        self.disk.dead = False
        await nursery.start(self.live)
        for name, client in self.clients.items():
            client.hall = self.hall
            if not name.startswith("anon"):
                await self.come_back(name)

    async def come_back(self, name: str) -> None:
        """A client connects once more, and takes its seats up again."""
        client = self.clients[name]
        await client.connect(again=True)
        if name == "ops":
            await client.ask("operator", proof=OPERATOR_PROOF)
        for table in self.tables:
            if any(seat_state.name == name for seat_state in table.seating.seat_states):
                await client.ask("resume", table=table.id, after=0)
            elif name in FANS:
                await client.ask("watch", table=table.id)
        if name in FANS and self.setting != "table":
            await client.ask("follow", cup=CUP)

    # -- what leaves it ------------------------------------------------------------------------------------------------

    def channels(self) -> Iterator[tuple[str, bytes]]:
        """Everything that is compared, by what it is."""
        for client in self.watched:
            yield f"{client.name} is sent", bytes(client.shown)
            yield f"{client.name} is sent at such times", "\n".join(map(str, client.times.items())).encode()
            if not client.name.startswith("anon"):
                yield f"{client.name} pays", repr(allowance(self.hall, client.name)).encode()
        watched = {client.name for client in self.watched}
        yield (
            "What is watched leaves in writes",
            repr([one for one in self.ledger.writes if one[1] in watched]).encode(),
        )
        yield "The log is told", bytes(self.ledger.log)
        yield "The operator is told", bytes(self.said)
        yield "The house bot of p1 is asked", bytes(self.house.asked)
        yield "The network is told", self.announced()
        for live in self.hall.lobby.cups.list_cups():
            yield "The report says", b"" if self.revealed else self.report(live.cup)
        yield "The server is busy", f"{self.ledger.lines} lines, {self.ledger.slept} seconds".encode()

    def announced(self) -> bytes:
        """What the server says of itself in its network."""
        with self.ledger.open():
            lines = waiting_player_lines(self.hall.app)
            announced = _Announcement.__new__(_Announcement)
            vars(announced).update(
                _port=7, _addresses=["10.0.0.1"], _name="n._magehall._tcp.local.", _server="s.local.", _tls=False
            )
            return repr((lines, announced._info(lines), _guests(self.hall.app, "own"))).encode()

    def report(self, cup: Any) -> bytes:
        """The page on a cup, and its figures, as whoever runs the server has them made."""
        with self.ledger.open():
            drawing = ReplayRenderer(games={TOY.id: self.game})
            wrong = drawing.render_matches(cup, lambda table: self.disk.read(table) or None)
            made = drawing.build_report(cup)
            return f"{wrong}{render_page(made)}{render_csv(made.figures())}{made.figures()}".encode()
