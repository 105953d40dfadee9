"""Two servers that are asked the same, whose matches differ only in what one observer cannot know.

Whatever that observer is sent must be the same bytes in both. The second world is the first one, dealt anew for the
observer after a given number of actions; what other players then do secretly may differ too, as long as it looks the
same by the rules. A comparison ends where the rules themselves reveal a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import trio
import trio.testing

from games.api import Action, Game, Seat, State, Told, to_map
from games.chance import Chance
from games.exam import _heard, _revealing
from protocol.proof import proof
from server.config import Config
from tests.helpers.chance import CODE, SALT, TOKEN
from tests.helpers.hall import Hall
from tests.helpers.wire import FACES, Face, encoded
from tests.server.forked import ForkedGame, ForkedState


class Leak(AssertionError):
    """An observer was sent what it cannot know."""


class Client:
    """A client in one of the faces; `shown` holds every byte it ever got, over all its connections."""

    def __init__(self, hall: Hall, name: str, face: Face, game: Game) -> None:
        self._hall, self.name, self.face, self._game = hall, name, face, game
        self.shown = bytearray()
        self._id = 0
        self._stream: trio.abc.Stream
        self._scope = trio.CancelScope()

    async def connect(self, *, again: bool = False) -> None:
        """A new connection and a hello."""
        self._stream, self._scope = self._hall.dial(), trio.CancelScope()
        self._hall.nursery.start_soon(self._record, self._stream, self._scope)
        if self.face == "text":
            await self.line(f"hello {self.name} {CODE}" if again else f"hello {self.name}")
        else:
            fields = {"proof": proof(TOKEN, TOKEN, self.name)} if again else {}
            await self.ask("hello", name=self.name, **fields)

    async def cut(self) -> None:
        """The connection is gone."""
        self._scope.cancel()
        await trio.aclose_forcefully(self._stream)
        await trio.testing.wait_all_tasks_blocked()

    async def _record(self, stream: trio.abc.Stream, scope: trio.CancelScope) -> None:
        with scope:
            try:
                while data := await stream.receive_some(65_536):
                    self.shown += data
            except trio.BrokenResourceError:
                return

    async def line(self, text: str) -> None:
        await self._stream.send_all(encoded("text", text))
        await trio.testing.wait_all_tasks_blocked()

    async def ask(self, kind: str, **fields: Any) -> None:
        """A request, in this client's face; what has no words for people is not asked there."""
        if self.face == "text":
            typed = self._typed(kind, fields)
            if typed:
                await self.line(typed)
            return
        self._id += 1
        plain = {"type": kind, "id": self._id, **fields}
        if "action" in plain:
            plain["action"] = to_map(plain["action"])
        await self._stream.send_all(encoded(self.face, plain))
        await trio.testing.wait_all_tasks_blocked()

    def _typed(self, kind: str, fields: dict[str, Any]) -> str:
        match kind:
            case "open":
                return f"open {fields['game']} {fields['seats']}"
            case "act":
                return self._game.words.write(fields["action"])
            case "why":
                return "why " + self._game.words.write(fields["action"])
            case "join" | "watch":
                return f"{kind} t1"
            case "say":
                return f"say {fields['text']}"
            case "log":
                return f"log {fields.get('after', 0)}"
            case "resume":
                return ""
        return kind


@dataclass
class World:
    """One server, its players and those whose bytes are compared."""

    hall: Hall
    game: Game
    seats: int
    observer: Seat | None
    face: Face
    players: list[Client] = field(default_factory=list)
    watched: list[Client] = field(default_factory=list)

    async def begin(self) -> None:
        """The table is full, spectators sit there, the match has begun."""
        for seat in range(1, self.seats + 1):
            face: Face = self.face if seat == self.observer else "json"
            self.players.append(Client(self.hall, f"p{seat}", face, self.game))
            await self.players[-1].connect()
        await self.players[0].ask("open", game=self.game.id, seats=self.seats)
        for player in self.players[1:]:
            await player.ask("join", table="t1")
        if self.observer is None:
            for face in FACES:
                await self.spectate(f"live-{face}", face)
        else:
            self.watched.append(self.players[self.observer - 1])
        await self.players[0].ask("start", table="t1")

    async def spectate(self, name: str, face: Face) -> None:
        """One more spectator."""
        client = Client(self.hall, name, face, self.game)
        self.watched.append(client)
        await client.connect()
        await client.ask("watch", table="t1")

    @property
    def state(self) -> State:
        """The truth."""
        state = self.hall.lobby.tables["t1"].running().state
        assert isinstance(state, ForkedState)
        return state.inner

    def over(self) -> bool:
        """Whether the match has ended."""
        return self.hall.lobby.tables["t1"].state == "over"

    async def act(self, seat: Seat, action: Action) -> None:
        """A decision of a seat."""
        turn = self.hall.lobby.tables["t1"].running().turns[seat]
        await self.players[seat - 1].ask("act", table="t1", turn=turn, action=action)

    async def probe(self, actions: Sequence[Action]) -> None:
        """Everything that those who are watched may ask, legal or not."""
        for client in self.watched:
            for kind in ("look", "legal", "clock", "tables", "who", "log"):
                await client.ask(kind, **({"table": "t1"} if kind not in ("tables", "who") else {}))
            if self.observer is None:
                continue
            seat = self.observer
            await client.ask("resume", table="t1", after=2)
            for action in actions:
                await client.ask("why", table="t1", action=action)
                if self.state.refusal(seat, action) is not None:
                    await self.act(seat, action)
                if client.face != "text":
                    await client.ask("act", table="t1", turn=0, action=action)

    async def come_back(self) -> None:
        """The watched are cut and come back; spectators watch again."""
        for client in self.watched:
            await client.cut()
            await client.connect(again=True)
            if self.observer is None:
                await client.ask("watch", table="t1")
            else:
                await client.ask("resume", table="t1", after=0)


@dataclass(frozen=True)
class Case:
    """One comparison: who observes, when the worlds part, which deal."""

    game: Game
    seats: int
    observer: Seat | None
    at: int
    number: int = 1
    face: Face = "json"
    retell: Callable[[State], list[Told]] | None = None
    steps: int = 6  # after the worlds parted


async def compare(case: Case, seed: bytes) -> int:
    """As `_compare`, a Leak free of the groups that nurseries make."""
    try:
        return await _compare(case, seed)
    except BaseExceptionGroup as group:
        leaks = group.subgroup(Leak)
        if leaks is None:
            raise
        raise Leak(*(str(leaf) for leaf in _leaves(leaks))) from None


def _leaves(group: BaseExceptionGroup) -> list[BaseException]:
    found: list[BaseException] = []
    for one in group.exceptions:
        found += _leaves(one) if isinstance(one, BaseExceptionGroup) else [one]
    return found


async def _compare(case: Case, seed: bytes) -> int:
    """Plays both worlds side by side. Returns how many times bytes were compared while the truths differed.

    Raises Leak, also where seed or salt stand in anything sent before the end.
    """
    compared = 0
    chance = Chance.of_number(case.number).fork("players")
    config = Config(port=0, requests_at_once=10**9)
    async with trio.open_nursery() as nursery:
        worlds = []
        for at in (None, case.at):
            hall = Hall(nursery, config)
            game = ForkedGame(case.game, case.observer, at, case.number, case.retell)
            hall.lobby.games = {game.id: game}
            worlds.append(World(hall, game, case.seats, case.observer, case.face))
            await worlds[-1].begin()
        one, two = worlds
        seen: list[Action] = []
        for done in range(case.at + case.steps):
            parted = done >= case.at
            if parted:
                probes = chance.shuffle("probes", seen)[:3]
                if done == case.at + 1 and case.observer is None:
                    for world in worlds:
                        for face in FACES:
                            await world.spectate(f"late-{face}", face)
                if done == case.at + 2:
                    for world in worlds:
                        await world.come_back()
                for world in worlds:
                    await world.probe(probes)
                compared += _same(worlds, case, seed)
            if one.over() or two.over():
                break
            pair = _next(one.state, two.state, case, chance, seen)
            if pair is None:
                break
            seat, mine, theirs = pair
            await one.act(seat, mine)
            await two.act(seat, theirs)
            if not one.over() and not two.over():
                compared += _same(worlds, case, seed)
        nursery.cancel_scope.cancel()
    return compared


def _next(one: State, two: State, case: Case, chance: Chance, seen: list[Action]) -> tuple[Seat, Action, Action] | None:
    """Who acts next and how in each world; None where the rules will tell the worlds apart."""
    movers = sorted(one.to_move())
    if movers != sorted(two.to_move()):
        raise Leak("whose turn it is differs")
    seat = chance.choice("seat", movers)
    legal = one.legal_actions(seat)
    seen += [action for action in legal if action not in seen][:8]
    mine = chance.choice("action", legal)
    if seat == case.observer:
        theirs = mine
    else:
        looks = one.looks(seat, mine, case.observer)
        alike = [other for other in two.legal_actions(seat) if two.looks(seat, other, case.observer) == looks]
        if not alike:
            return None
        theirs = mine if one == two else chance.choice("alike", alike)
    first, second = one.clone(), two.clone()
    heard, as_well = (
        _heard(first.apply(seat, mine), case.observer),
        _heard(second.apply(seat, theirs), case.observer),
    )
    if _revealing(heard, as_well, str(case)) or first.outcome() != second.outcome():
        return None
    return seat, mine, theirs


def _same(worlds: list[World], case: Case, seed: bytes) -> int:
    one, two = worlds
    for mine, theirs in zip(one.watched, two.watched, strict=True):
        if mine.shown != theirs.shown:
            at = next(
                (place for place, pair in enumerate(zip(mine.shown, theirs.shown, strict=False)) if pair[0] != pair[1]),
                min(len(mine.shown), len(theirs.shown)),
            )
            shown = [bytes(client.shown[max(0, at - 80) : at + 80]) for client in (mine, theirs)]
            raise Leak(f"{mine.name} is sent {shown[0]!r} or {shown[1]!r}")
    for world in worlds:
        if world.over():
            continue
        for client in (*world.players, *world.watched):
            for secret in (seed.hex().encode(), seed, SALT.hex().encode(), SALT):
                if secret in client.shown:
                    raise Leak(f"{client.name} is sent the seed or the salt")
    return int(one.state != two.state)
