"""Plays one match of a tournament again: the same deal, seats, bots and random numbers, on a server of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec
import trio

from client.house import BotHouse
from client.language import _
from client.processes.forks import ForkServer, ForkServerGone, open_fork_server
from client.tournament.entrants import EntrantProcess
from client.tournament.plan import TournamentPlan
from client.tournament.roster import GRACE_SECONDS, Roster, build_roster
from client.tournament.run import START_SECONDS, is_connected, wait_until
from client.tournament.stopping import stop_on_signal
from client.tournament.workers import CannotContinue
from games.api import to_map
from games.registry import all_games
from matches.fold import Entry, fold
from matches.record import Record
from protocol.entries import ActionTaken, PresenceChanged
from protocol.messages import Seated, SeatResult
from protocol.proof import token_key
from server.app import App, serve
from server.config import Config
from server.player import Player
from tournaments.standings import mark_absent_seats


class RerunResult(msgspec.Struct, frozen=True):
    """The result of playing a match again. `difference` says where it first differed from the first time; "" if it did
    not. `troubles` has, by player, the last output of bots that failed."""

    results: tuple[SeatResult, ...]
    difference: str
    troubles: dict[str, str] = {}


async def rerun_match(
    plan: TournamentPlan, record: Record, results: Sequence[SeatResult], absent: Sequence[int]
) -> RerunResult | None:
    """Plays a recorded match again. `results` and `absent` (the seats without a player) are those of the first time.

    Returns None after SIGINT or SIGTERM. Raises CannotGoOn if a bot of the match cannot be started.
    """
    cast, header = build_roster(plan), record.header
    playing = [info.name for info in header.seats if info.seat not in absent]
    if missing := [name for name in playing if name not in cast.ours]:
        raise CannotContinue(_("{listed} played remotely and cannot be started here.", listed=", ".join(missing)))
    ours = {name: replace(cast.ours[name], log=None) for name in playing}
    config = Config(port=0, grace=GRACE_SECONDS, house_seconds=0.0, only_play=True, sessions_an_address=len(ours) + 64,
                    names_an_address=len(ours) + 64)  # fmt: skip
    again, failure = None, ""
    async with open_fork_server() as forks, trio.open_nursery() as nursery:
        app: App = await nursery.start(partial(serve, config, all_games(), BotHouse()))
        with trio.CancelScope() as scope:
            nursery.start_soon(stop_on_signal, scope)
            try:
                entries = await _play(app, forks, record, ours, absent)
            except (
                CannotContinue
            ) as error:  # kept and raised after the nursery, which would put it into an exception group
                failure = str(error)
            else:
                again = _compared(cast, record, results, absent, entries, ours)
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as ending:
                for entrant in ours.values():
                    ending.start_soon(entrant.stop_process)
        nursery.cancel_scope.cancel()
    if failure:
        raise CannotContinue(failure)
    return again


async def _play(
    app: App, forks: ForkServer, record: Record, ours: dict[str, EntrantProcess], absent: Sequence[int]
) -> list[Entry]:
    people, header = app.lobby.people, record.header
    gone: list[str] = []

    def died(name: str) -> None:
        player = people.find_player(name)
        if player is not None:
            for table in app.lobby.tables.tables_of_player(player):
                table.give_seat_to_bot(player, "crashed")

    async def run(entrant: EntrantProcess) -> None:
        try:
            await entrant.run(forks, app.port, died)
        except ForkServerGone as error:
            gone.append(str(error))

    entries: list[Entry] = []
    missing: list[str] = []
    async with trio.open_nursery() as nursery:
        for entrant in ours.values():
            people.register_name(entrant.name, token_key(entrant.token))
            nursery.start_soon(run, entrant)
        with trio.move_on_after(START_SECONDS + len(ours)):
            await wait_until(lambda: bool(gone) or all(is_connected(app, name) or ours[name].died for name in ours))
        missing = [name for name in ours if not is_connected(app, name)]
        if not missing and not gone:
            table = app.lobby.open_table(
                header.game, len(header.seats), "", header.options, header.clock, header.seed, header.word
            )
            for info, seat_state in zip(header.seats, table.seating.seat_states, strict=True):
                seat_state.clock = info.clock
                player = None if info.seat in absent else people.find_player(info.name)
                if player is None:
                    player = Player(info.name)
                    player.bot = True
                table.seat_player(player, info.seat)
                if player.listener is None:
                    seat_state.grace = 0.0
                else:
                    player.listener.push((Seated(info=table.table_info(), seat=info.seat),))
            app.lobby.start_match(table)
            await table.done.wait()
            entries = list(table.require_live_match().entries)
        for entrant in ours.values():
            nursery.start_soon(entrant.stop_process)
    if gone:
        raise CannotContinue(gone[0])
    if missing:
        words = "\n".join(f"{name}: {ours[name].stderr_tail()}" for name in missing)
        raise CannotContinue(_("{listed} could not start.\n{words}", listed=", ".join(missing), words=words))
    return entries


def _compared(
    cast: Roster,
    record: Record,
    results: Sequence[SeatResult],
    absent: Sequence[int],
    entries: Sequence[Entry],
    ours: dict[str, EntrantProcess],
) -> RerunResult:
    over = fold(record.game, record.header, list(entries), {}).over
    now = mark_absent_seats(over.results if over is not None else (), tuple(absent))
    failing = {one.name for one in now if one.how not in ("played", "absent")}
    troubles = {name: ours[name].stderr_tail() for name in ours if name in failing or ours[name].noted}
    label = {name: label for label, names in zip(cast.labels, cast.players, strict=True) for name in names}
    names = [label.get(info.name, info.name) for info in record.header.seats]
    difference = _difference(_steps(record.entries), _steps(entries), names)
    if not difference and tuple(now) != tuple(results):
        difference = _("The decisions are the same, the results are not.")
    return RerunResult(tuple(now), difference, {label.get(name, name): words for name, words in troubles.items()})


def _steps(entries: Sequence[Entry]) -> list[tuple[int, str]]:
    """Returns the seat and the text of each action, in order. Leaves out times, which differ each time."""
    steps = []
    for entry in entries:
        if isinstance(entry, ActionTaken):
            done = " ".join(f"{value}" for value in to_map(entry.action).values())
            steps.append((entry.seat, f"{done} ({entry.why})" if entry.why else done))
        elif isinstance(entry, PresenceChanged) and entry.by:
            steps.append((entry.seat, entry.how))
    return steps


def _difference(was: Sequence[tuple[int, str]], now: Sequence[tuple[int, str]], names: Sequence[str]) -> str:
    for number, (before, after) in enumerate(zip(was, now, strict=False), 1):
        if before != after:
            return _(
                "Step {number} was {before}, and now {after}.",
                number=number,
                before=f"{names[before[0] - 1]}: {before[1]}",
                after=f"{names[after[0] - 1]}: {after[1]}",
            )
    if len(was) != len(now):
        return _("The first match had {before} steps, this one {after}.", before=len(was), after=len(now))
    return ""
