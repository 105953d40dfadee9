"""One tournament from start to end: an embedded server, a process for each player, every match over loopback."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import trio

from bots.sdk.seeds import bot_seed
from client.house import BotHouse
from client.tournament.entrants import Entrant, labels_for, names_for
from games.registry import all_games
from matches.record import Record
from protocol.messages import ClockRule
from server.app import App, serve
from server.config import Config
from server.desk.live_cup import LiveCup
from server.tournament.cup import RUNNING, Cup, Ended, Entry, Settings
from server.tournament.schedule import copies
from server.tournament.standings import Played, Row, relabel, standings

START_SECONDS = 30.0  # for all entrants to connect, and a second more for each of them
LOOK_SECONDS = 0.02  # between two looks whether the entrants are here
GRACE_SECONDS = 5.0  # on this machine a connection is back at once, or never


OnResult: TypeAlias = Callable[[Cup, Record | None], None]


@dataclass(frozen=True)
class Plan:
    """What the command line asks for; everything in the result follows from it."""

    game: str
    bots: tuple[str, ...]
    seats: int
    rounds: int
    seed: int
    secret: bytes
    options: dict[str, Any] = field(default_factory=dict)
    clock: ClockRule = field(default_factory=ClockRule)
    concurrency: int = 4
    tolerate: bool = False  # go on without entrants that cannot start
    format: str = "round_robin"
    deals: str = "fresh"

    @property
    def processes(self) -> int:
        """How many each entrant has: one for each table that it can play at once, or seat at a table."""
        entrants = len(self.bots)
        return max(copies(entrants, self.seats), -(-self.concurrency * self.seats // entrants))

    def settings(self) -> Settings:
        """As the server opens it."""
        return Settings(
            cup="cup",
            owner="",
            game=self.game,
            seats=self.seats,
            clock=self.clock,
            format=self.format,
            deals=self.deals,
            rounds=self.rounds,
            seed=self.seed,
            secret=self.secret,
            options=self.options,
            at_once=self.concurrency,
        )


@dataclass(frozen=True)
class Result:
    """What came out. `troubles` holds, by label, what failing entrants last wrote to stderr; `not_started` who never
    came."""

    bots: tuple[str, ...]
    labels: list[str]
    planned: int
    matches: list[Played]  # in the schedule's order
    rows: list[Row]
    troubles: dict[str, str]
    interrupted: bool
    not_started: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether every entrant played every match to its end itself."""
        return (
            not self.not_started
            and all(set(row.ended) <= {"played"} for row in self.rows)
            and len(self.rows) == len(self.labels)
        )


async def hold(
    plan: Plan,
    on_match: Callable[[int, int], None] = lambda _done, _all: None,
    on_result: OnResult = lambda _cup, _record: None,
) -> Result:
    """Holds the tournament; SIGINT and SIGTERM end it early, with what there is by then. `on_result` is given each
    match that is over, if there is anything of it.

    If an entrant cannot start, no match is played; or, where the plan tolerates that, it is held without that one.
    """
    result = await _hold(plan, on_match, on_result)
    if not result.not_started or not plan.tolerate:
        return result
    bots = tuple(spec for spec, label in zip(plan.bots, result.labels, strict=True) if label not in result.not_started)
    if not bots:
        return result
    without = await hold(replace(plan, bots=bots), on_match, on_result)
    troubles = {label: words for label, words in result.troubles.items() if label in result.not_started}
    return replace(
        without,
        troubles=troubles | without.troubles,
        not_started=result.not_started + without.not_started,
    )


async def _hold(plan: Plan, on_match: Callable[[int, int], None], on_result: OnResult) -> Result:
    labels = labels_for(list(plan.bots))
    players = names_for(labels, plan.processes)
    entrants = {
        name: Entrant(spec, name, bot_seed(plan.seed, "entrant", number))
        for number, (spec, names) in enumerate(zip(plan.bots, players, strict=True))
        for name in names
    }
    seats = len(entrants)
    config = Config(
        port=0,
        host="127.0.0.1",
        grace=GRACE_SECONDS,
        keep_seconds=GRACE_SECONDS * 2,
        tables=4_000,
        sessions_an_address=seats + 64,  # all entrants are on this machine
        names_an_address=seats + 64,
        house_seconds=0.0,
    )
    missing: list[str] = []
    async with trio.open_nursery() as nursery:
        app: App = await nursery.start(partial(serve, config, all_games(), BotHouse()))
        cups = app.lobby.cups
        live = cups.open(plan.settings())
        for label, names in zip(labels, players, strict=True):
            cups.enter(live, label, tuple(names), 1)
        with trio.CancelScope() as playing:
            nursery.start_soon(_stop_on_signal, playing)
            for entrant in entrants.values():
                nursery.start_soon(entrant.run, app.port, live.give_up)
            missing = await _play(app, live, entrants, on_match, on_result)
        interrupted = playing.cancelled_caught
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as ending:
                for entrant in entrants.values():
                    ending.start_soon(entrant.end)
        nursery.cancel_scope.cancel()
    matches = told_apart(live.cup.matches(), entrants)
    rows = standings(labels, matches, duplicate=plan.deals == "duplicate", reached=live.cup.reached())
    not_started = tuple(
        label for label, names in zip(labels, players, strict=True) if not set(names).isdisjoint(missing)
    )
    troubles = _troubles(labels, players, entrants, {*not_started, *_unsound(rows)})
    planned = live.cup.planned or len(matches)
    return Result(plan.bots, labels, planned, matches, rows, troubles, interrupted, not_started)


async def _play(
    app: App,
    live: LiveCup,
    entrants: dict[str, Entrant],
    on_match: Callable[[int, int], None],
    on_result: OnResult,
) -> list[str]:
    """Plays the cup. Returns who did not come; then nothing was played."""
    over = trio.Event()

    def note(entry: Entry) -> None:
        if isinstance(entry, Ended):
            on_match(len(live.cup.results), live.cup.planned or 0)
            table = app.lobby.tables.get(entry.table)
            match = table.match if table is not None else None
            on_result(live.cup, Record(match.game, match.header, tuple(table.entries)) if table and match else None)
        if live.cup.is_over:
            over.set()

    missing = await _gather(app, entrants)
    if not missing:
        live.on_entry = note
        app.lobby.cups.turn(live, RUNNING)
        on_match(0, live.cup.planned or 0)
        await over.wait()
    return missing


async def _gather(app: App, entrants: dict[str, Entrant]) -> list[str]:
    """Waits until all are here, for a while; returns those that are missing. Waits no longer once these have ended."""

    def is_here(name: str) -> bool:
        player = app.lobby.people.find(name)
        return player is not None and player.listener is not None

    missing = list(entrants)
    with trio.move_on_after(START_SECONDS + len(entrants)):
        while missing := [name for name in missing if not is_here(name)]:
            if all(entrants[name].died for name in missing):
                break
            await trio.sleep(LOOK_SECONDS)
    return missing


def told_apart(matches: Sequence[Played], entrants: dict[str, Entrant]) -> list[Played]:
    """Marks seats as crashed: the server only sees that they were left, not that a bot raised or its process died."""
    endings = {}
    for match in matches:
        for result in match.results:
            entrant = entrants[result.name]
            crashed = (match.table, result.seat) in entrant.crashed
            if crashed or (result.how == "left" and entrant.died):
                endings[match.table, result.seat] = "crashed"
    return relabel(matches, endings)


def _unsound(rows: Sequence[Row]) -> set[str]:
    return {row.entrant for row in rows if set(row.ended) - {"played", "aborted"}}


def _troubles(
    labels: Sequence[str], players: Sequence[Sequence[str]], entrants: dict[str, Entrant], failing: set[str]
) -> dict[str, str]:
    troubles = {}
    for label, names in zip(labels, players, strict=True):
        own = [entrants[name] for name in names]
        if label in failing or any(entrant.died for entrant in own):
            words = [entrant.complaint() for entrant in own]
            troubles[label] = max(words, key=len)
    return troubles


async def _stop_on_signal(playing: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            playing.cancel()
