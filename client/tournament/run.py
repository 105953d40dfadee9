"""One tournament from start to end: an embedded server, a process for each player, every match over loopback."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import trio

from bots.sdk.connection import plainly
from client.house import BotHouse
from client.language import _
from client.processes.forks import PATIENCE_SECONDS, ForkServer, ForkServerGone, open_fork_server
from client.processes.limits import Limits
from client.tournament.cast import GRACE_SECONDS, LOGS, Cast, Held, OnMatch, cast_of
from client.tournament.dask_workers import DaskWorkers, why_no_scheduler
from client.tournament.entrants import Entrant
from client.tournament.keeping import save_plan
from client.tournament.local import play_locally
from client.tournament.plan import Plan
from client.tournament.stopping import stop_on_signal
from client.tournament.workers import CannotGoOn, LocalWorkers
from games.registry import all_games, get_game
from languages import ENGLISH, speaking
from protocol.proof import key
from server.app import App, serve
from server.config import Config
from server.cups.cup_rows import fits, read_cup, subject_of
from server.cups.live_cup import LiveCup
from server.net.tls import BadCertificate, Certificate
from server.store.rows import Store
from server.store.sqlite import open_store
from tournaments.crash_limit import DEATHS_IN_A_ROW, CrashLimit
from tournaments.cup import OPEN, RUNNING, CannotBe, Cup, Ended, Entered, Entry, ranked
from tournaments.standings import Played, Row

START_SECONDS = 30.0  # for all entrants to connect, plus a second for each
LOOK_SECONDS = 0.02  # between two checks whether the entrants are connected
HURRIED_SECONDS = 0.3  # after each way of asking a process to end, after Ctrl-C
ENDING_SECONDS = 5.0  # for a bot's `end`, before its next match begins anyway
AGAIN_SECONDS = 0.05  # before the restart of a process that died without a match; doubled each time


@dataclass(frozen=True)
class Result:
    """The result of a tournament.

    `troubles` has the last stderr output of failing entrants, by label. `not_started` are entrants that did not connect
    this time. `begun` is true once the tournament has begun, now or earlier. `over` is true once all is played, so that
    the secret is public. `out` has the reasons for entrants whose processes kept dying.
    """

    bots: tuple[str, ...]
    labels: list[str]
    planned: int
    matches: list[Played]  # in the order of the schedule
    rows: list[Row]
    troubles: dict[str, str]
    interrupted: bool
    not_started: tuple[str, ...] = ()
    begun: bool = False
    over: bool = False
    out: dict[str, str] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether all is played, and every entrant played all its matches to the end itself."""
        return self.over and not self.not_started and all(set(row.ended) <= {"played"} for row in self.rows)


async def hold(
    plan: Plan,
    on_match: OnMatch = lambda _done, _all: None,
) -> Result:
    """Plays the tournament. SIGINT and SIGTERM end it early; the result then covers the matches so far.

    If an entrant cannot start, no match is played. If the plan tolerates that and no match was played before, the
    tournament continues without that entrant.
    """
    result = await _hold(plan, on_match)
    if not result.not_started or not plan.tolerate or result.begun:
        return result
    bots = tuple(spec for spec, label in zip(plan.bots, result.labels, strict=True) if label not in result.not_started)
    if not bots:
        return result
    rest = replace(plan, bots=bots)
    reason = why_not(rest)
    if reason:
        last = result.not_started[-1]
        return replace(result, troubles=result.troubles | {last: f"{result.troubles.get(last, '')}\n{reason}"})
    if plan.folder is not None:
        save_plan(rest, overwrite=True)  # so that a restart after a kill plays the same entrants
    without = await hold(rest, on_match)
    troubles = {label: words for label, words in result.troubles.items() if label in result.not_started}
    return replace(
        without,
        troubles=troubles | without.troubles,
        not_started=result.not_started + without.not_started,
    )


def why_not(plan: Plan) -> str:
    """Returns why a tournament of these entrants is not possible, as a sentence, or ""."""
    cast, cup = cast_of(plan), Cup(plan.settings())
    try:
        for label, names in zip(cast.labels, cast.players, strict=True):
            cup.apply(Entered(0.0, label, tuple(names)))
        cup.planned_format()
    except CannotBe as error:
        return str(error)
    return ""


async def why_not_here(plan: Plan) -> str:
    """Returns why its server cannot listen or its cluster is not available, as a sentence, or ""."""
    if plan.workers:
        return await why_no_scheduler(plan.workers)
    if plan.local:
        return ""
    try:
        _certificate(plan)
        listeners = await trio.open_tcp_listeners(plan.port, host=plan.host or None)
    except CannotGoOn as error:
        return str(error)
    except OSError as error:
        return _cannot_listen(plan, error)
    for listener in listeners:
        await listener.aclose()
    return ""


def _certificate(plan: Plan) -> Certificate | None:
    """Returns its server's certificate, or None without TLS. Raises CannotGoOn."""
    if not plan.tls_cert:
        return None
    try:
        return Certificate(Path(plan.tls_cert), Path(plan.tls_key))
    except BadCertificate as error:
        raise CannotGoOn(str(error)) from None


def _cannot_listen(plan: Plan, error: OSError) -> str:
    where = _("{host}, port {port}", host=plan.host or _("all addresses"), port=plan.port)
    return _("The server cannot listen at {where}: {strerror}.", where=where, strerror=plainly(error))


async def _hold(plan: Plan, on_match: OnMatch) -> Result:
    """Plays the tournament once. Raises CannotOpen if its folder cannot be used, and CannotGoOn."""
    cast = cast_of(plan)
    store = open_store(plan.folder, durable=False) if plan.folder is not None else None
    with closing(store) if store is not None else nullcontext():
        if store is not None:
            _check(store, plan)
        held = await (_locally if plan.local else _with_server)(plan, store, cast, on_match)
    cup = held.cup
    matches = cup.matches()
    rows = ranked(cup.settings, cast.labels, matches, cup.reached())
    troubles = _troubles(cast, held, {*held.not_started, *_unsound(rows)})
    planned = cup.planned or len(matches)
    return Result(
        plan.bots,
        cast.labels,
        planned,
        matches,
        rows,
        troubles,
        held.interrupted,
        held.not_started,
        begun=cup.state != OPEN,
        over=cup.is_over,
        out=cup.out,
    )


def _check(store: Store, plan: Plan) -> None:
    """Raises CannotGoOn if the stored tournament cannot be read (it would start from the beginning), or has other rules
    or cards."""
    try:
        rows = store.read(subject_of(plan.settings().cup))
        cup = read_cup(rows) if rows else None
    except Exception as error:  # the error's text could contain the secret
        raise CannotGoOn(
            _(
                "The tournament in {folder} cannot be read ({kind}). Nothing was changed.",
                folder=plan.folder,
                kind=type(error).__name__,
            )
        ) from None
    if cup is not None and not cup.is_over and not fits(cup.settings, get_game(plan.game)):
        raise CannotGoOn(_("The tournament began with other rules or cards than those installed here."))


async def _locally(plan: Plan, store: Store | None, cast: Cast, on_match: OnMatch) -> Held:
    if plan.workers:
        if reason := await why_no_scheduler(plan.workers):
            raise CannotGoOn(reason)
        cluster = await trio.to_thread.run_sync(DaskWorkers, plan.workers, abandon_on_cancel=True)
        with closing(cluster):
            return await play_locally(plan, store, cast, cluster, on_match)
    async with open_fork_server() as forks:
        limits = Limits(memory=max(spec.limits.memory for spec in cast.specs))
        workers = LocalWorkers(forks, plan.concurrency, limits)
        return await play_locally(plan, store, cast, workers, on_match)


async def _with_server(plan: Plan, store: Store | None, cast: Cast, on_match: OnMatch) -> Held:
    if plan.folder is not None:
        (plan.folder / LOGS).mkdir(mode=0o700, exist_ok=True)
    among_us = not plan.port and plan.host == "127.0.0.1" and not any(spec.remote for spec in cast.specs)
    config = Config(
        port=plan.port,
        host=plan.host,
        grace=START_SECONDS if store is not None and store.current() else GRACE_SECONDS,
        keep_seconds=GRACE_SECONDS * 2,
        tables=4_000,
        sessions_an_address=len(cast.ours) + 64,  # all of these are on this machine
        names_an_address=len(cast.ours) + 64,
        house_seconds=0.0,
        only_play=among_us,
        waits_for_disk=not among_us,
    )
    held, reason, certificate = None, "", _certificate(plan)
    async with open_fork_server() as forks, trio.open_nursery() as nursery:
        try:
            app: App = await nursery.start(
                partial(serve, config, all_games(), BotHouse(), store=store, certificate=certificate)
            )
        except OSError as error:  # raised after the nursery, which would wrap it in a group
            reason = _cannot_listen(plan, error)
        else:
            held = await _at(app, plan, cast, on_match, forks, nursery)
            nursery.cancel_scope.cancel()
    if held is None:
        raise CannotGoOn(reason)
    if held.failure:
        raise CannotGoOn(held.failure)
    if app.stopping.is_set():
        raise CannotGoOn(_("The tournament can no longer be saved: its disk is full or failing."))
    return held


async def _at(app: App, plan: Plan, cast: Cast, on_match: OnMatch, forks: ForkServer, nursery: trio.Nursery) -> Held:
    """Plays it on a running server, and waits until all rows are on disk."""
    missing: list[str] = []
    for entrant in cast.ours.values():
        app.lobby.people.expect(entrant.name, key(entrant.token))
        entrant.fingerprint = app.certificate.fingerprint if app.certificate is not None else ""
    live = _opened(app, plan, cast)
    _stand_still(app)  # until all are connected, so that starting processes costs no time on their clocks
    if not app.lobby.config.only_play:
        print(
            _("The server listens at {host}, port {port}.", host=plan.host or _("all addresses"), port=app.port),
            file=sys.stderr,
        )
        if app.certificate is not None:
            shown = app.certificate.fingerprint
            print(_("The fingerprint of its certificate, SHA-256: {fingerprint}", fingerprint=shown), file=sys.stderr)
    running = Running(app, live, cast.ours, forks, nursery, fresh=plan.deals == "rotated")
    with trio.CancelScope() as playing:
        nursery.start_soon(stop_on_signal, playing)
        nursery.start_soon(_cancel_with, app.stopping, playing)
        nursery.start_soon(_cancel_with, running.failed, playing)
        nursery.start_soon(running.look_after_endings)
        going_on = {name for entrant in live.cup.entrants if not entrant.dropped for name in entrant.players}
        for entrant in cast.ours.values():
            if entrant.name in going_on:
                nursery.start_soon(running.run, entrant)
        missing = await _play(app, live, cast, running, on_match)
    _stand_still(app)
    running.close()
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as ending:
            for entrant in cast.ours.values():
                ending.start_soon(entrant.end, HURRIED_SECONDS if playing.cancelled_caught else PATIENCE_SECONDS)
        await app.lobby.journal.settle()
    not_started = tuple(
        label for label, names in zip(cast.labels, cast.players, strict=True) if not set(names).isdisjoint(missing)
    )
    return Held(live.cup, playing.cancelled_caught, not_started, failure=running.failure)


def _opened(app: App, plan: Plan, cast: Cast) -> LiveCup:
    """Returns the stored cup or a new one. Its matches wait until all players are connected."""
    cups = app.lobby.cups
    kept = cups.all()
    if kept and kept[0].cup.state != OPEN:
        kept[0].resting.update(name for own in cast.players for name in own)
        return kept[0]
    live = kept[0] if kept else cups.open(plan.settings())
    for label in live.cup.names:  # again from the start, because the order of entry assigns results to entrants
        cups.drop(live, label)
    for spec, label, names in zip(cast.specs, cast.labels, cast.players, strict=True):
        cups.enter(live, label, tuple(names), (spec.tables or 1) if spec.remote else 1, clock=spec.clock)
    return live


def _stand_still(app: App) -> None:
    """Stops the clocks of all matches."""
    for table in app.lobby.tables.running():
        table.live().stand_still()


async def _cancel_with(ended: trio.Event, playing: trio.CancelScope) -> None:
    """Cancels the tournament when the server, or the process that starts the others, has ended."""
    await ended.wait()
    playing.cancel()


@dataclass
class Running:
    """The processes of the entrants, one after the other for each player.

    A process that dies is restarted for the player's next match. An entrant whose process dies in several matches in a
    row is out. With `fresh`, each process plays one match and the next takes its name, so that none meets a deal twice.
    """

    app: App
    live: LiveCup
    entrants: dict[str, Entrant]
    forks: ForkServer
    nursery: trio.Nursery
    fresh: bool
    gathered: bool = False
    closing: bool = False
    failure: str = ""  # why no process can be started any more
    failed: trio.Event = field(default_factory=trio.Event)
    limit: CrashLimit = field(init=False)
    _renewed: set[str] = field(default_factory=set)  # players whose next process is due
    _in_vain: Counter[str] = field(default_factory=Counter)  # deaths since the player's last match
    _ending: dict[str, float] = field(default_factory=dict)  # time limit for a player's end of its match

    def __post_init__(self) -> None:
        self.limit = CrashLimit(self.live.cup)
        self.live.held_back = self.limit.held_back

    async def run(self, entrant: Entrant) -> None:
        """Runs the player's processes until it needs no more."""
        name = entrant.name
        while True:
            try:
                await entrant.run(self.forks, self.app.port, self._died)
            except ForkServerGone as error:
                self.failure = str(error)
                self.failed.set()
                return
            if self.closing or not self.gathered or name not in self._renewed:
                return
            await trio.sleep(AGAIN_SECONDS * (2 ** self._in_vain[name] - 1))
            await until(lambda: not is_here(self.app, name))
            if self.closing or name not in self._renewed:
                return
            entrant.died = False
            self.nursery.start_soon(self._seat_again, entrant)

    def begin(self) -> None:
        """Lets matches begin, now that all players have connected."""
        self.gathered = True
        self.live.resting.clear()
        for entrant in self.entrants.values():
            if entrant.died:
                self._died(entrant.name)
                self.nursery.start_soon(self.run, entrant)
        for table in self.app.lobby.tables.running():
            table.live().go_on()
        self.live.wake()

    def close(self) -> None:
        """Stops the restarting of processes."""
        self.closing = True

    def _died(self, name: str) -> None:
        """Handles the unexpected end of a player's process."""
        if not self.gathered:  # an entrant that cannot start loses no waiting match
            return
        self._ending.pop(name, None)
        self.live.ending.discard(name)
        if player := self.app.lobby.people.find(name):
            for table in self.app.lobby.tables.of(player):
                if table.state == "over":  # the next process needs no messages about it
                    table.stand_up(player)
        if self.live.process_died(name):
            self._in_vain[name] = 0
        else:
            self._in_vain[name] += 1
        self._renewed.add(name)
        self.live.resting.add(name)
        if self._in_vain[name] >= DEATHS_IN_A_ROW:
            with speaking(ENGLISH):  # it is stored
                why = _("its process ended {count} times without a match", count=self._in_vain[name])
            self._put_out(name, why)

    def note(self, entry: Entry) -> None:
        """Handles the end of a match: drops entrants that keep dying, and with `fresh` starts the next processes."""
        if not isinstance(entry, Ended):
            return
        more = next(self.live.cup.waiting(), None) is not None
        for seat, result in enumerate(entry.results, 1):
            entrant = self.entrants.get(result.name)
            if entrant is None:
                continue
            if result.how == "late":
                entrant.note(_("match {match}: it took too long, and lost its seat", match=entry.match))
            if seat not in entry.died:
                self._in_vain[result.name] = 0
                if not self.fresh:
                    self._wait_for_its_end(result.name, entry.table)
            if self.fresh and more and result.name not in self._renewed:
                self._renewed.add(result.name)
                self.live.resting.add(result.name)
                self.nursery.start_soon(entrant.end)
        if entry.died:
            self._put_out_those_who_keep_dying(entry)

    def _wait_for_its_end(self, name: str, table: str) -> None:
        """Seats the player again once its bot has finished the match, so that a crash at its end affects no other
        match."""
        player = self.app.lobby.people.find(name)
        if player is not None and table in player.tables:
            self.live.ending.add(name)
            self._ending[name] = trio.current_time() + ENDING_SECONDS

    async def look_after_endings(self) -> None:
        """Stops waiting for bots that take longer than ENDING_SECONDS to finish a match."""
        while True:
            await trio.sleep(ENDING_SECONDS / 10)
            now = trio.current_time()
            for name in [name for name, until in self._ending.items() if until < now or name not in self.live.ending]:
                del self._ending[name]
                self.live.left(name)

    def _put_out_those_who_keep_dying(self, entry: Ended) -> None:
        cup = self.live.cup
        for number in dict.fromkeys(cup.pairings()[entry.match - 1].entrants):
            if matches := self.limit.matches_that_put_out(number):
                listed = ", ".join(map(str, matches))
                with speaking(ENGLISH):
                    why = _("its process died in {count} matches in a row: {listed}", count=len(matches), listed=listed)
                self._put_out(cup.entrants[number].players[0], why)

    def _put_out(self, name: str, why: str) -> None:
        """Drops that player's entrant, and stops restarting its processes."""
        entrant = self.live.cup.player_of(name)
        if entrant is None or entrant.dropped or self.live.cup.is_over:
            return
        for player in entrant.players:
            self._renewed.discard(player)
            self.live.resting.discard(player)
            self.entrants[player].note(why)
        self.app.lobby.cups.drop(self.live, entrant.name, why)

    async def _seat_again(self, entrant: Entrant) -> None:
        await until(lambda: is_here(self.app, entrant.name) or entrant.died)
        if not entrant.died:
            self._renewed.discard(entrant.name)
            self.live.resting.discard(entrant.name)
            self.live.wake()


async def until(condition: Callable[[], bool]) -> None:
    """Polls the condition until it is true."""
    while not condition():  # noqa: ASYNC110 (the server has no event for a connection)
        await trio.sleep(LOOK_SECONDS)


def is_here(app: App, name: str) -> bool:
    """Returns whether that player is connected."""
    player = app.lobby.people.find(name)
    return player is not None and player.listener is not None


async def _play(
    app: App,
    live: LiveCup,
    cast: Cast,
    running: Running,
    on_match: OnMatch,
) -> list[str]:
    """Plays the cup, or the rest of it. Returns the players that did not connect, in which case no match is played."""
    over = trio.Event()

    def note(entry: Entry) -> None:
        running.note(entry)
        if isinstance(entry, Ended):
            on_match(len(live.cup.results), live.cup.planned or 0)
        if live.cup.is_over:
            over.set()

    live.on_entry = note
    names = [name for entrant in live.cup.entrants if not entrant.dropped for name in entrant.players]
    missing = await _gather(app, names, cast.ours)
    if not missing:
        running.begin()
        if live.cup.state == OPEN:
            app.lobby.cups.turn(live, RUNNING)
        on_match(len(live.cup.results), live.cup.planned or 0)
        if not live.cup.is_over:
            await over.wait()
    return missing


async def _gather(app: App, names: Sequence[str], entrants: dict[str, Entrant]) -> list[str]:
    """Waits until all are connected, or the rest have ended, or time is up. Returns the missing ones."""
    missing = list(names)
    with trio.move_on_after(START_SECONDS + len(names)):
        while missing := [name for name in missing if not is_here(app, name)]:
            if all(name in entrants and entrants[name].died for name in missing):
                break
            await trio.sleep(LOOK_SECONDS)
    return missing


def _unsound(rows: Sequence[Row]) -> set[str]:
    return {row.entrant for row in rows if set(row.ended) - {"played", "aborted"}}


def _troubles(cast: Cast, held: Held, failing: set[str]) -> dict[str, str]:
    troubles = dict(held.words)
    for label, names in zip(cast.labels, cast.players, strict=True):
        own = [cast.ours[name] for name in names if name in cast.ours]
        if label in failing or any(entrant.died or entrant.noted for entrant in own):
            told = max(
                ((entrant.noted, len(words := entrant.complaint()), words) for entrant in own), default=(0, 0, "")
            )
            troubles[label] = troubles.get(label) or told[-1]
        if label in held.not_started and not troubles[label]:
            troubles[label] = _("It did not connect in time.")
    return troubles
