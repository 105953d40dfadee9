"""Runs one tournament from start to end: a server in this process, a process per player, every match over loopback."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import trio

from bots.sdk.connection import system_error_text
from client.house import BotHouse
from client.language import _
from client.processes.forks import PATIENCE_SECONDS, ForkServer, ForkServerGone, open_fork_server
from client.processes.limits import ProcessLimits
from client.tournament.dask_workers import DaskWorkers, scheduler_error
from client.tournament.entrants import EntrantProcess
from client.tournament.local import play_locally
from client.tournament.plan import TournamentPlan
from client.tournament.roster import GRACE_SECONDS, LOGS, CupOutcome, OnMatch, Roster, build_roster
from client.tournament.stopping import stop_on_signal
from client.tournament.tournament_folder import save_plan
from client.tournament.workers import CannotContinue, LocalWorkers
from games.registry import all_games, get_game
from languages import ENGLISH, speaking
from protocol.proof import token_key
from server.app import App, serve
from server.config import Config
from server.cups.cup_rows import cup_subject, is_same_game, read_cup
from server.cups.live_cup import LiveCup
from server.net.tls import BadCertificate, ServerCertificate
from server.store.rows import Store
from server.store.sqlite import open_store
from tournaments.crash_limit import DEATHS_IN_A_ROW, CrashLimit
from tournaments.cup import OPEN, RUNNING, Cup, CupStateError, EntrantEntered, Entry, MatchEnded, rank_entrants
from tournaments.standings import CountedMatch, StandingsRow

START_SECONDS = 30.0  # time limit for all entrants to connect, to which each entrant adds a second
LOOK_SECONDS = 0.02  # interval between two checks whether the entrants are connected
HURRIED_SECONDS = 0.3  # after Ctrl-C, how long to wait for a process to end before the next, stronger signal
ENDING_SECONDS = 5.0  # time limit for a bot's method `end`; after it the player is seated again
AGAIN_SECONDS = 0.05  # pause before the restart of a process that died without a match; doubled each time


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament.

    `troubles` has, by label, the last stderr output of entrants that failed. `not_started` has the entrants that did
    not connect in this run. `begun` is true once a match has begun, in this run or an earlier one. `over` is true once
    all matches are played, so that the secret is public. `out` has, by entrant, why it was dropped.
    """

    bots: tuple[str, ...]
    labels: list[str]
    planned: int
    matches: list[CountedMatch]  # in the order in which they were scheduled
    rows: list[StandingsRow]
    troubles: dict[str, str]
    interrupted: bool
    not_started: tuple[str, ...] = ()
    begun: bool = False
    over: bool = False
    out: dict[str, str] = field(default_factory=dict)

    @property
    def is_sound(self) -> bool:
        """Whether all matches are played, and every entrant played all its matches to the end itself."""
        return self.over and not self.not_started and all(set(row.ended) <= {"played"} for row in self.rows)


async def run_tournament(
    plan: TournamentPlan,
    on_match: OnMatch = lambda _done, _all: None,
) -> TournamentResult:
    """Plays the tournament. SIGINT and SIGTERM end it early; the result then has the matches that are finished.

    If an entrant cannot start, no match is played. If `plan.tolerate` is set and no match was played before, the
    tournament continues without that entrant.
    """
    result = await _hold(plan, on_match)
    if not result.not_started or not plan.tolerate or result.begun:
        return result
    bots = tuple(spec for spec, label in zip(plan.bots, result.labels, strict=True) if label not in result.not_started)
    if not bots:
        return result
    rest = replace(plan, bots=bots)
    reason = plan_error(rest)
    if reason:
        last = result.not_started[-1]
        return replace(result, troubles=result.troubles | {last: f"{result.troubles.get(last, '')}\n{reason}"})
    if plan.folder is not None:
        save_plan(rest, overwrite=True)  # so that a restart after a kill plays with the same entrants
    without = await run_tournament(rest, on_match)
    troubles = {label: words for label, words in result.troubles.items() if label in result.not_started}
    return replace(
        without,
        troubles=troubles | without.troubles,
        not_started=result.not_started + without.not_started,
    )


def plan_error(plan: TournamentPlan) -> str:
    """Returns a sentence that says why these entrants cannot play such a tournament; "" if they can."""
    cast, cup = build_roster(plan), Cup(plan.cup_settings())
    try:
        for label, names in zip(cast.labels, cast.players, strict=True):
            cup.apply(EntrantEntered(0.0, label, tuple(names)))
        cup.planned_format()
    except CupStateError as error:
        return str(error)
    return ""


async def machine_error(plan: TournamentPlan) -> str:
    """Returns a sentence that says why the tournament's server cannot listen, or its cluster cannot be reached; "" if
    both work."""
    if plan.workers:
        return await scheduler_error(plan.workers)
    if plan.local:
        return ""
    try:
        _certificate(plan)
        listeners = await trio.open_tcp_listeners(plan.port, host=plan.host or None)
    except CannotContinue as error:
        return str(error)
    except OSError as error:
        return _cannot_listen(plan, error)
    for listener in listeners:
        await listener.aclose()
    return ""


def _certificate(plan: TournamentPlan) -> ServerCertificate | None:
    """Returns the certificate of the tournament's server; None if it speaks plain text. Raises CannotGoOn."""
    if not plan.tls_cert:
        return None
    try:
        return ServerCertificate(Path(plan.tls_cert), Path(plan.tls_key))
    except BadCertificate as error:
        raise CannotContinue(str(error)) from None


def _cannot_listen(plan: TournamentPlan, error: OSError) -> str:
    where = _("{host}, port {port}", host=plan.host or _("all addresses"), port=plan.port)
    return _("The server cannot listen at {where}: {strerror}.", where=where, strerror=system_error_text(error))


async def _hold(plan: TournamentPlan, on_match: OnMatch) -> TournamentResult:
    """Plays the tournament with the entrants of the plan. Raises CannotOpen if its folder cannot be used, and
    CannotGoOn."""
    cast = build_roster(plan)
    store = open_store(plan.folder, durable=False) if plan.folder is not None else None
    with closing(store) if store is not None else nullcontext():
        if store is not None:
            _check(store, plan)
        held = await (_locally if plan.local else _with_server)(plan, store, cast, on_match)
    cup = held.cup
    matches = cup.finished_matches()
    rows = rank_entrants(cup.settings, cast.labels, matches, cup.stages_reached())
    troubles = _troubles(cast, held, {*held.not_started, *_unsound(rows)})
    planned = cup.planned_match_count or len(matches)
    return TournamentResult(
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
        out=cup.drop_reasons,
    )


def _check(store: Store, plan: TournamentPlan) -> None:
    """Raises CannotGoOn if the stored tournament cannot be read, because it would then start from the beginning, or if
    it was played with other rules or cards."""
    try:
        rows = store.read(cup_subject(plan.cup_settings().cup))
        cup = read_cup(rows) if rows else None
    except Exception as error:  # the error's text could contain the secret
        raise CannotContinue(
            _(
                "The tournament in {folder} cannot be read ({kind}). Nothing was changed.",
                folder=plan.folder,
                kind=type(error).__name__,
            )
        ) from None
    if cup is not None and not cup.is_over and not is_same_game(cup.settings, get_game(plan.game)):
        raise CannotContinue(_("The tournament began with other rules or cards than those installed here."))


async def _locally(plan: TournamentPlan, store: Store | None, cast: Roster, on_match: OnMatch) -> CupOutcome:
    if plan.workers:
        if reason := await scheduler_error(plan.workers):
            raise CannotContinue(reason)
        cluster = await trio.to_thread.run_sync(DaskWorkers, plan.workers, abandon_on_cancel=True)
        with closing(cluster):
            return await play_locally(plan, store, cast, cluster, on_match)
    async with open_fork_server() as forks:
        limits = ProcessLimits(memory=max(spec.limits.memory for spec in cast.specs))
        workers = LocalWorkers(forks, plan.concurrency, limits)
        return await play_locally(plan, store, cast, workers, on_match)


async def _with_server(plan: TournamentPlan, store: Store | None, cast: Roster, on_match: OnMatch) -> CupOutcome:
    if plan.folder is not None:
        (plan.folder / LOGS).mkdir(mode=0o700, exist_ok=True)
    among_us = not plan.port and plan.host == "127.0.0.1" and not any(spec.remote for spec in cast.specs)
    config = Config(
        port=plan.port,
        host=plan.host,
        grace=START_SECONDS if store is not None and store.current_subjects() else GRACE_SECONDS,
        keep_seconds=GRACE_SECONDS * 2,
        tables=4_000,
        sessions_an_address=len(cast.ours) + 64,  # all players of the tournament connect from this machine's address
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
        except OSError as error:  # kept and raised after the nursery, which would put it into an exception group
            reason = _cannot_listen(plan, error)
        else:
            held = await _at(app, plan, cast, on_match, forks, nursery)
            nursery.cancel_scope.cancel()
    if held is None:
        raise CannotContinue(reason)
    if held.failure:
        raise CannotContinue(held.failure)
    if app.stopping.is_set():
        raise CannotContinue(_("The tournament can no longer be saved: its disk is full or failing."))
    return held


async def _at(
    app: App, plan: TournamentPlan, cast: Roster, on_match: OnMatch, forks: ForkServer, nursery: trio.Nursery
) -> CupOutcome:
    """Plays the tournament on a running server, and waits until all its rows are on disk."""
    missing: list[str] = []
    for entrant in cast.ours.values():
        app.lobby.people.register_name(entrant.name, token_key(entrant.token))
        entrant.fingerprint = app.certificate.fingerprint if app.certificate is not None else ""
    live = _opened(app, plan, cast)
    _stand_still(app)  # clocks stop until all players are connected, so that starting their processes costs no time
    if not app.lobby.config.only_play:
        print(
            _("The server listens at {host}, port {port}.", host=plan.host or _("all addresses"), port=app.port),
            file=sys.stderr,
        )
        if app.certificate is not None:
            shown = app.certificate.fingerprint
            print(_("The fingerprint of its certificate, SHA-256: {fingerprint}", fingerprint=shown), file=sys.stderr)
    running = EntrantRunner(app, live, cast.ours, forks, nursery, fresh=plan.deals == "rotated")
    with trio.CancelScope() as playing:
        nursery.start_soon(stop_on_signal, playing)
        nursery.start_soon(_cancel_with, app.stopping, playing)
        nursery.start_soon(_cancel_with, running.failed, playing)
        nursery.start_soon(running.limit_bot_endings)
        going_on = {name for entrant in live.cup.entrants if not entrant.dropped for name in entrant.players}
        for entrant in cast.ours.values():
            if entrant.name in going_on:
                nursery.start_soon(running.run_entrant, entrant)
        missing = await _play(app, live, cast, running, on_match)
    _stand_still(app)
    running.close()
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as ending:
            for entrant in cast.ours.values():
                ending.start_soon(
                    entrant.stop_process, HURRIED_SECONDS if playing.cancelled_caught else PATIENCE_SECONDS
                )
        await app.lobby.journal.wait_until_written()
    not_started = tuple(
        label for label, names in zip(cast.labels, cast.players, strict=True) if not set(names).isdisjoint(missing)
    )
    return CupOutcome(live.cup, playing.cancelled_caught, not_started, failure=running.failure)


def _opened(app: App, plan: TournamentPlan, cast: Roster) -> LiveCup:
    """Returns the stored cup, or a new one. Its matches wait until all players are connected."""
    cups = app.lobby.cups
    kept = cups.list_cups()
    if kept and kept[0].cup.state != OPEN:
        kept[0].resting.update(name for own in cast.players for name in own)
        return kept[0]
    live = kept[0] if kept else cups.open_cup(plan.cup_settings())
    for (
        label
    ) in live.cup.entrant_names:  # all entrants enter again, because results belong to entrants by their order of entry
        cups.drop_entrant(live, label)
    for spec, label, names in zip(cast.specs, cast.labels, cast.players, strict=True):
        cups.enter_entrant(live, label, tuple(names), (spec.tables or 1) if spec.remote else 1, clock=spec.clock)
    return live


def _stand_still(app: App) -> None:
    """Stops the clocks of all running matches."""
    for table in app.lobby.tables.running_tables():
        table.require_live_match().stop_clock()


async def _cancel_with(ended: trio.Event, playing: trio.CancelScope) -> None:
    """Cancels the tournament once `ended` is set: when the server or the fork server has ended."""
    await ended.wait()
    playing.cancel()


@dataclass
class EntrantRunner:
    """Runs the processes of the entrants, one after the other for each player.

    A process that dies is restarted for the player's next match. An entrant whose processes die in several matches in a
    row is dropped. With `fresh`, each process plays one match and the next process takes its name, so that no process
    plays a deal twice.
    """

    app: App
    live: LiveCup
    entrants: dict[str, EntrantProcess]
    forks: ForkServer
    nursery: trio.Nursery
    fresh: bool
    gathered: bool = False
    closing: bool = False
    failure: str = ""  # a sentence that says why no process can be started any more; "" if they can
    failed: trio.Event = field(default_factory=trio.Event)
    limit: CrashLimit = field(init=False)
    # names of players whose process has ended or is ending, and will be followed by another one
    _renewed: set[str] = field(default_factory=set)
    # by player: how often its process has died since its last match
    _in_vain: Counter[str] = field(default_factory=Counter)
    # by player: when to stop waiting for its bot to finish the last match
    _ending: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.limit = CrashLimit(self.live.cup)
        self.live.held_back = self.limit.entrants_to_wait_for

    async def run_entrant(self, entrant: EntrantProcess) -> None:
        """Runs the player's processes one after the other, until the player needs no more."""
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
            await wait_until(lambda: not is_connected(self.app, name))
            if self.closing or name not in self._renewed:
                return
            entrant.died = False
            self.nursery.start_soon(self._seat_again, entrant)

    def start_matches(self) -> None:
        """Lets matches begin, once all players have connected."""
        self.gathered = True
        self.live.resting.clear()
        for entrant in self.entrants.values():
            if entrant.died:
                self._died(entrant.name)
                self.nursery.start_soon(self.run_entrant, entrant)
        for table in self.app.lobby.tables.running_tables():
            table.require_live_match().resume_clock()
        self.live.wake_task()

    def close(self) -> None:
        """Stops restarting processes that end."""
        self.closing = True

    def _died(self, name: str) -> None:
        """Handles the end of a player's process that was not asked to end."""
        if not self.gathered:  # before the first match, `_gather` handles a process that ends
            return
        self._ending.pop(name, None)
        self.live.ending.discard(name)
        if player := self.app.lobby.people.find_player(name):
            for table in self.app.lobby.tables.tables_of_player(player):
                # leaves the table, because the next process needs no messages about that match
                if table.state == "over":
                    table.stand_up(player)
        if self.live.on_process_died(name):
            self._in_vain[name] = 0
        else:
            self._in_vain[name] += 1
        self._renewed.add(name)
        self.live.resting.add(name)
        if self._in_vain[name] >= DEATHS_IN_A_ROW:
            with speaking(ENGLISH):  # the reason is stored, so it is in English
                why = _("its process ended {count} times without a match", count=self._in_vain[name])
            self._put_out(name, why)

    def on_entry(self, entry: Entry) -> None:
        """Handles the end of a match: drops entrants whose processes keep dying, and with `fresh` starts new
        processes."""
        if not isinstance(entry, MatchEnded):
            return
        more = next(self.live.cup.waiting_pairings(), None) is not None
        for seat, result in enumerate(entry.results, 1):
            entrant = self.entrants.get(result.name)
            if entrant is None:
                continue
            if result.how == "late":
                entrant.append_note(_("match {match}: it took too long, and lost its seat", match=entry.match))
            if seat not in entry.died:
                self._in_vain[result.name] = 0
                if not self.fresh:
                    self._wait_for_its_end(result.name, entry.table)
            if self.fresh and more and result.name not in self._renewed:
                self._renewed.add(result.name)
                self.live.resting.add(result.name)
                self.nursery.start_soon(entrant.stop_process)
        if entry.died:
            self._put_out_those_who_keep_dying(entry)

    def _wait_for_its_end(self, name: str, table: str) -> None:
        """Lets the player have no other match until its bot has finished this one, so that a crash in its method `end`
        affects no other match."""
        player = self.app.lobby.people.find_player(name)
        if player is not None and table in player.tables:
            self.live.ending.add(name)
            self._ending[name] = trio.current_time() + ENDING_SECONDS

    async def limit_bot_endings(self) -> None:
        """Stops waiting for bots whose method `end` takes longer than ENDING_SECONDS."""
        while True:
            await trio.sleep(ENDING_SECONDS / 10)
            now = trio.current_time()
            for name in [name for name, until in self._ending.items() if until < now or name not in self.live.ending]:
                del self._ending[name]
                self.live.on_player_left_table(name)

    def _put_out_those_who_keep_dying(self, entry: MatchEnded) -> None:
        cup = self.live.cup
        for number in dict.fromkeys(cup.pairings()[entry.match - 1].entrants):
            if matches := self.limit.disqualifying_matches(number):
                listed = ", ".join(map(str, matches))
                with speaking(ENGLISH):
                    why = _("its process died in {count} matches in a row: {listed}", count=len(matches), listed=listed)
                self._put_out(cup.entrants[number].players[0], why)

    def _put_out(self, name: str, why: str) -> None:
        """Drops the entrant of that player, and stops restarting its processes."""
        entrant = self.live.cup.entrant_of_player(name)
        if entrant is None or entrant.dropped or self.live.cup.is_over:
            return
        for player in entrant.players:
            self._renewed.discard(player)
            self.live.resting.discard(player)
            self.entrants[player].append_note(why)
        self.app.lobby.cups.drop_entrant(self.live, entrant.name, why)

    async def _seat_again(self, entrant: EntrantProcess) -> None:
        await wait_until(lambda: is_connected(self.app, entrant.name) or entrant.died)
        if not entrant.died:
            self._renewed.discard(entrant.name)
            self.live.resting.discard(entrant.name)
            self.live.wake_task()


async def wait_until(condition: Callable[[], bool]) -> None:
    """Returns once the condition is true. Checks it every LOOK_SECONDS."""
    while not condition():  # noqa: ASYNC110 (the server has no event for a connection)
        await trio.sleep(LOOK_SECONDS)


def is_connected(app: App, name: str) -> bool:
    """Returns whether the player of that name is connected."""
    player = app.lobby.people.find_player(name)
    return player is not None and player.listener is not None


async def _play(
    app: App,
    live: LiveCup,
    cast: Roster,
    running: EntrantRunner,
    on_match: OnMatch,
) -> list[str]:
    """Plays the cup, or what is left of it. Returns the names of players that did not connect; no match is played
    then."""
    over = trio.Event()

    def note(entry: Entry) -> None:
        running.on_entry(entry)
        if isinstance(entry, MatchEnded):
            on_match(len(live.cup.results), live.cup.planned_match_count or 0)
        if live.cup.is_over:
            over.set()

    live.on_entry = note
    names = [name for entrant in live.cup.entrants if not entrant.dropped for name in entrant.players]
    missing = await _gather(app, names, cast.ours)
    if not missing:
        running.start_matches()
        if live.cup.state == OPEN:
            app.lobby.cups.change_state(live, RUNNING)
        on_match(len(live.cup.results), live.cup.planned_match_count or 0)
        if not live.cup.is_over:
            await over.wait()
    return missing


async def _gather(app: App, names: Sequence[str], entrants: dict[str, EntrantProcess]) -> list[str]:
    """Waits until all players are connected, the processes of the others have ended, or the time is up. Returns the
    players that are missing."""
    missing = list(names)
    with trio.move_on_after(START_SECONDS + len(names)):
        while missing := [name for name in missing if not is_connected(app, name)]:
            if all(name in entrants and entrants[name].died for name in missing):
                break
            await trio.sleep(LOOK_SECONDS)
    return missing


def _unsound(rows: Sequence[StandingsRow]) -> set[str]:
    return {row.entrant for row in rows if set(row.ended) - {"played", "aborted"}}


def _troubles(cast: Roster, held: CupOutcome, failing: set[str]) -> dict[str, str]:
    troubles = dict(held.words)
    for label, names in zip(cast.labels, cast.players, strict=True):
        own = [cast.ours[name] for name in names if name in cast.ours]
        if label in failing or any(entrant.died or entrant.noted for entrant in own):
            told = max(
                ((entrant.noted, len(words := entrant.stderr_tail()), words) for entrant in own), default=(0, 0, "")
            )
            troubles[label] = troubles.get(label) or told[-1]
        if label in held.not_started and not troubles[label]:
            troubles[label] = _("It did not connect in time.")
    return troubles
