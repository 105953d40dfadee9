"""One simulation: servers on one disk, one after the other, and the guests that play there until all is played."""

from __future__ import annotations

import hashlib
import logging
import random
from dataclasses import dataclass, field

import trio
import trio.testing

from protocol.messages import ClockRule
from tests.helpers.toy import TOY
from tests.simulation.chance import drawn, seeded
from tests.simulation.checks import Broken, check
from tests.simulation.disk import FaultyDisk
from tests.simulation.entrants import Entrant, check_cup
from tests.simulation.guests import Group, Guest, Watcher
from tests.simulation.network import Network
from tests.simulation.servers import GAMES, Servers

PATIENCE = 5_000.0  # seconds after the last fault: who has not finished by then would have to be helped
CLOCKS = (ClockRule(), ClockRule(), ClockRule(main=20.0, increment=6.0))


@dataclass
class Result:
    """What came of one seed."""

    seed: int
    digest: str = ""  # of all bytes to and from the clients, their moments, and the rows at the end
    failure: str = ""
    matches: int = 0
    acts: int = 0
    breaks: int = 0
    restarts: int = 0
    failed_commits: int = 0
    seconds: float = 0.0
    story: list[str] = field(default_factory=list)


def run(seed: int, game: str = "", *, keeps_story: bool = False, checks: bool = True) -> Result:
    """Runs one seed, which also draws the game if none is given."""
    world = World(seed, game, keeps_story=keeps_story, checks=checks)
    log = logging.getLogger("magehall")
    level, log.propagate = log.level, False
    log.addHandler(world.log)
    log.setLevel(logging.INFO)
    try:
        with seeded(seed):
            trio.run(world.run, clock=trio.testing.MockClock(autojump_threshold=0))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        world.result.failure = _first(error)
    finally:
        log.removeHandler(world.log)
        log.setLevel(level)
        log.propagate = True
    return world.result


def run_twice(seed: int, game: str = "") -> Result:
    """As `run`, and a seed that does not repeat itself fails: the same bytes need not be checked again."""
    one, two = run(seed, game), run(seed, game, checks=False)
    if not one.failure and (one.digest, one.failure) != (two.digest, two.failure):
        one.failure = two.failure or "the second run gave other bytes"
    return one


def _first(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


class Log(logging.Handler):
    """Keeps what is logged, and which of it should never be."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._world.tell("server", text)
        if record.levelno >= logging.ERROR and not text.startswith("the data cannot be written"):
            self.errors.append(self.format(record))


class World:
    """Everything of one run."""

    def __init__(self, seed: int, game: str, *, keeps_story: bool, checks: bool) -> None:
        self.result = Result(seed)
        self.log = Log(self)
        self._keeps_story, self._checks = keeps_story, checks
        self._bytes = hashlib.sha256()
        self._rng = drawn(seed, "world")
        self._disk = FaultyDisk(drawn(seed, "disk"))
        self._game = game or self._rng.choice([TOY.id] * 3 + sorted(GAMES))

    def tell(self, who: str, what: str) -> None:
        """Adds a line to the story."""
        if self._keeps_story:
            self.result.story.append(f"{trio.current_time():10.3f} {who:>8} {what}")

    def _note(self, who: str, connection: int, way: str, data: bytes) -> None:
        self._bytes.update(f"{trio.current_time()!r} {who} {connection} {way} ".encode() + data)
        if self._keeps_story:
            self.tell(who, f"{connection} {way} {data!r}")

    # -- the run -------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Raises Broken, or whatever went wrong."""
        async with trio.open_nursery() as nursery:
            self._network = network = Network(nursery, drawn(self.result.seed, "network"), self._note)
            guests = [guest for group in self._groups() for guest in self._guests(group)]
            self._servers = Servers(nursery, network, self._disk)
            await self._servers.begin()
            entrants = self._entrants()
            async with trio.open_nursery() as playing:
                for entrant in entrants:
                    await playing.start(entrant.run)
                for guest in guests:
                    await playing.start(guest.run)
                nursery.start_soon(self._faults)
            await self._servers.end(orderly=True)
            nursery.cancel_scope.cancel()
        for subject, parts in sorted(self._disk.rows.items()):
            self._bytes.update(repr((subject, sorted(parts.items()))).encode())
        result = self.result
        result.digest = self._bytes.hexdigest()
        result.seconds = trio.current_time()
        result.matches = len({played.table for guest in guests for played in guest.played})
        result.acts = sum(len(played.acts) for guest in guests for played in guest.played)
        result.breaks, result.failed_commits = network.breaks, self._disk.failed
        if not self._checks:
            return
        check(self._disk.rows, guests, GAMES)
        if entrants:
            result.matches += check_cup(self._disk.rows, GAMES)
        if self.log.errors:
            raise Broken(f"logged: {self.log.errors[0]}")

    def _groups(self) -> list[Group]:
        """Two to six people and programs at one or two tables."""
        rng, game = self._rng, GAMES[self._game]
        groups: list[Group] = []
        for letter in "ab"[: rng.choice((1, 1, 2))]:
            seats = max(2, game.min_seats) + rng.choice((0, 0, 1))
            count = rng.randint(1 if len(groups) else 2, min(seats, 3))
            matches = rng.choice((1, 2)) if game is TOY else 1
            house = ["random"] * (seats - count)
            names = [f"{letter}{number}" for number in range(count)]
            groups.append(Group(game.id, names, house, matches, rng.choice(CLOCKS)))
        return groups

    def _guests(self, group: Group) -> list[Guest]:
        def own(name: str) -> random.Random:
            return drawn(self.result.seed, f"guest {name}")

        guests = [Guest(name, group, own(name), self._network.dial) for name in group.names]
        if self._rng.random() < 0.4:
            name = f"w-{group.names[0]}"
            guests.append(Watcher(name, group, own(name), self._network.dial))
        return guests

    def _entrants(self) -> list[Entrant]:
        """In some worlds a cup of programs goes on beside all this."""
        rng, game = drawn(self.result.seed, "cup"), GAMES[self._game]
        if game.min_seats > 3 or rng.random() < 0.5:
            return []
        names = [f"c{number}" for number in range(game.min_seats + rng.choice((0, 1, 2)))]
        return [Entrant(name, names, game, GAMES, self._network.dial) for name in names]

    # -- faults --------------------------------------------------------------------------------------------------------

    async def _faults(self) -> None:
        """Some faults, then none any more; whoever plays has to finish by then."""
        rng = self._rng
        self._network.stormy = self._disk.stormy = True
        for _ in range(rng.randint(0, 6)):
            await trio.sleep(rng.expovariate(1 / 4.0))
            match rng.choice(("kill", "kill", "stop", "full")):
                case "full":
                    self.tell("disk", "is full")
                    self._disk.full = True
                    await trio.sleep(rng.choice((0.1, 3.0)))
                    self._disk.full = False
                    self.tell("disk", "has room again")
                case how:
                    await self._servers.restart(orderly=how == "stop", pause=rng.choice((0.3, 5.0, 60.0)))
                    self.result.restarts += 1
        self._network.stormy = self._disk.stormy = False
        self.tell("world", "no more faults")
        await trio.sleep(PATIENCE)
        raise Broken("somebody has not finished and would have to be helped")
