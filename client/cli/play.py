"""`magehall play` and `magehall watch`: takes a seat as the options say, plays, and returns the exit code."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial

import trio

from bots.sdk.link import Refused, tcp
from bots.sdk.nursery import nursery_for_block
from bots.sdk.seat import all_tables, join_first, take_seat
from bots.sdk.tokens import Tokens
from client.cli.own_table import has_table_options, resume_open_seat, tables_in_state
from client.cli.seats import default_seat_count, resolve_seat_count
from client.cli.solo import SavedMatch, SoloFolder, open_solo_folder
from client.connecting import (
    CannotPlay,
    ConnectedSession,
    ConnectOptions,
    default_name,
    is_at_terminal,
    load_user_tokens,
    open_session,
    open_session_as,
)
from client.house import BotHouse
from client.language import _
from games.api import Game
from games.chance import numbered_seed
from games.registry import all_games
from languages import find_name
from matches.house import house_bot_of_strength
from matches.seat import has_room, is_attended
from people.lessons import Course, NoLessons, load_course
from people.settings import PersonSettings
from people.text.sentences import open_hands_text
from protocol import messages as m
from server.app import App, serve
from server.config import Config
from server.store.file import CannotOpen

NOWHERE = SoloFolder()
NAMES_TRIED = 9
END_SECONDS = 5.0
# the clock of a match in this process: a day, because no other person waits for a decision
NO_HURRY = m.ClockRule(main=86_400, increment=3_600)
# House bots have no time limit, so that the same seed and input always give the same match. Every seat but one may have
# a bot that searches.
ALONE = Config(
    port=0, house_seconds=0.0, thinkers=8, grace=86_400.0, goodbye_seconds=0.2, waits_for_disk=False, data_bytes=2**26
)


def run_play(options: ConnectOptions, saved: SavedMatch | None = None) -> int:
    """Plays a match and returns the exit code. `saved` is an unfinished match against house bots, which is continued.
    Without a server, a match that is played at a terminal is saved. Raises CannotPlay, LinkFailed, Refused."""
    if options.host:
        return trio.run(_play_there, options)
    if not is_at_terminal():
        return trio.run(_play_here, options)
    try:
        with open_solo_folder(saved) as place:
            return trio.run(_play_here, options, None, place, saved)
    except CannotOpen as error:
        raise CannotPlay(str(error)) from None


def run_guided_play(options: ConnectOptions) -> int:
    """Plays the guided first match of `options.game`. Returns and raises the same as `play`."""
    try:
        course = load_course(all_games()[options.game])
    except NoLessons as error:
        raise CannotPlay(str(error)) from None
    guided = replace(options, seed=course.seed, bots=course.bots, options=course.options)
    return trio.run(_play_here, guided, course)


def run_watch(options: ConnectOptions) -> int:
    """Watches a match at the table `options.table`, or at the first running one. Returns and raises the same as
    `play`."""
    return trio.run(_watch, options)


async def _play_here(
    options: ConnectOptions, course: Course | None = None, place: SoloFolder = NOWHERE, saved: SavedMatch | None = None
) -> int:
    """Plays a match against house bots on a server in this process: a new match, the saved one, or with `course` a
    guided one."""
    logging.getLogger("magehall").addHandler(logging.NullHandler())  # drops the server's log, because no one reads it
    games = all_games()
    game = games[options.game]
    bots = _house_bots(game, replace(options, bots=resolve_house_bots(game, options.bots))) if saved is None else ()
    ended = trio.Event()

    async def served(task_status: trio.TaskStatus[App]) -> None:
        config = replace(ALONE, house_seconds=options.pace)
        await serve(config, games, BotHouse(), store=place.store, task_status=task_status)
        ended.set()

    async with nursery_for_block() as nursery:
        app: App = await nursery.start(served)
        try:
            async with _alone(options, app, place, saved, course) as visit:
                # a pinned board stays on the screen after the end of the match
                visit.ends_with_match = not visit.person.settings.pinned
                if saved is None:
                    seed = b"" if options.seed is None else numbered_seed(options.seed)
                    table = app.lobby.open_table(game.id, len(bots) + 1, visit.name, options.options, NO_HURRY, seed)
                    await take_seat(visit, table=table.id, bots=bots)
                else:
                    await visit.wait_until_seated()
                code = await visit.run()
                app.lobby.service.begin_shutdown()  # from now on the seat of a player who leaves stays as it is
                return code
        finally:  # everything must be saved before the process ends
            app.stopping.set()
            with trio.CancelScope(shield=True, deadline=trio.current_time() + END_SECONDS):
                await ended.wait()


@asynccontextmanager
async def _alone(
    options: ConnectOptions, app: App, place: SoloFolder, saved: SavedMatch | None, course: Course | None
) -> AsyncIterator[ConnectedSession]:
    """Opens the session of the only person on the server in this process, under a name that is free. Raises LinkFailed,
    Refused."""
    dial, tokens = tcp("127.0.0.1", app.port), load_user_tokens() if place.store is not None else Tokens()
    wanted = saved.player_name if saved is not None else options.name or default_name()
    names = [wanted] if saved is not None else [wanted, *(f"{wanted}-{number}" for number in range(2, NAMES_TRIED))]
    async with AsyncExitStack() as stack:
        while True:
            try:
                settings = partial(PersonSettings, quiet=True, saves=place.store is not None)
                visiting_there = open_session_as(options, names.pop(0), dial, tokens, place.known_as, settings, course)
                yield await stack.enter_async_context(visiting_there)
                return
            except Refused as error:  # the token that proves the name is lost, so the next name is tried
                if error.error.code not in ("name_taken", "bad_proof") or not names:
                    raise


async def _play_there(options: ConnectOptions) -> int:
    """Plays at a running server: at the table that the options name, at an open one, or at a new one."""
    async with open_session(options) as visit:
        await join_or_resume(visit, options)
        return await visit.run()


async def join_or_resume(
    visit: ConnectedSession, options: ConnectOptions, *, beside: bool = False, exact: bool = False
) -> None:
    """Takes a seat as the options say. Returns to the person's running match or open table instead, unless the new
    table is to be `beside` it. `exact` has the meaning that it has in `missing_bots`. Raises LinkFailed, Refused."""
    if not beside and any(info.state == "playing" for info in visit.welcome.seats):
        await visit.wait_until_seated()
        return
    game = all_games()[options.game]
    nonce = visit.person.settings.nonce
    if options.table:
        mine = [info for info in visit.welcome.seats if (info.table, info.state) == (options.table, "open")]
        if mine:
            visit.resume_seat(mine[0])
            return
        try:
            await take_seat(visit, table=options.table, nonce=nonce)
        except Refused as error:
            if error.error.code != "not_agreed":
                raise
            _ask_to_agree(visit, [info for info in await all_tables(visit) if info.table == options.table])
        return
    if await resume_open_seat(visit, options, beside=beside, exact=exact):
        return
    tables = await all_tables(visit)
    if not has_table_options(options):  # options that do describe a table ask for a new one
        wanted = "" if options.any_game else game.id
        if await join_first(visit, tables, wanted, nonce):
            return
        if waiting := [info for info in tables if info.delay and has_room(info, wanted)]:
            _ask_to_agree(visit, waiting[:1])
            return
        if running := [info for info in tables_in_state(tables, "playing") if is_attended(info)]:
            table = running[0].table
            names = ", ".join(seat.name for seat in running[0].seats)
            visit.show_text(_("{names} play at {table}: watch {table} shows it.", names=names, table=table), "title")
    seats = options.seats or max(default_seat_count(game), len(options.bots) + 1)
    await take_seat(
        visit,
        game.id,
        seats=seats,
        bots=options.bots,
        options=options.options,
        clock=options.clock,
        delay=options.delay,
        nonce=nonce,
    )


def _ask_to_agree(visit: ConnectedSession, tables: Sequence[m.TableInfo]) -> None:
    """Shows what a player who joins this table agrees to, such as open hands for spectators."""
    for info in tables:
        visit.person.prompt.memory.note_delay_warning(info.table, info.delay)
        warned = open_hands_text(info.table, info.delay)
        visit.show_text(_("{warned} Type join {table} to agree and sit down there.", warned=warned, table=info.table))


async def _watch(options: ConnectOptions) -> int:
    """Watches as a spectator."""
    async with open_session(options, only_looks=True) as visit:
        # on a pinned board the person can turn to another match after the end
        visit.ends_with_match = not visit.person.settings.pinned
        visit.ends_without_reader = True
        table = options.table
        if not table:
            tables = await all_tables(visit)
            found = [info.table for info in tables_in_state(tables, "playing") or tables_in_state(tables, "open")]
            if not found:
                raise CannotPlay(_("No match is running."))
            table = found[0]
            if len(found) > 1:
                visit.show_text(_("There are {found} tables; next turns to another one.", found=len(found)), "dim")
        await visit.ask(m.Watch(id=1, table=table), m.Watching)
        return await visit.run()


def _house_bots(game: Game, options: ConnectOptions) -> tuple[str, ...]:
    """Returns the names of the house bots to play against in a match without a server."""
    seats = check_seat_count(game, options.bots, options.seats or (len(options.bots) + 1 if options.bots else 0))
    usual = game.house_bot if game.house_bot in BotHouse().names(game) else "random"
    return (options.bots + (usual,) * seats)[: seats - 1]


def resolve_house_bots(game: Game, bots: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the house bots that the texts mean: by strength, or by name in any case or as a prefix.
    Texts that mean no bot stay unchanged."""
    names = BotHouse().names(game)
    bots = [house_bot_of_strength(game, names, bot) for bot in bots]
    return tuple(bot if bot in names else find_name(bot, names) or bot for bot in bots)


def check_seat_count(game: Game, bots: Sequence[str], seats: int) -> int:
    """Returns the number of seats of a table for these house bots: `seats`, or the usual number if that is 0. Raises
    CannotPlay if the game allows no such table."""
    names = BotHouse().names(game)
    for bot in bots:
        if bot not in names:
            raise CannotPlay(
                _(
                    "There is no bot {bot!r} for {id}; there are: {listed}.",
                    bot=bot,
                    id=game.id,
                    listed=", ".join(names),
                )
            )
    try:
        seats = resolve_seat_count(game, seats)
    except ValueError as error:
        raise CannotPlay(str(error)) from None
    if len(bots) >= seats:
        raise CannotPlay(_("A table of {seats} has no seats for {bots} bots and you.", seats=seats, bots=len(bots)))
    return seats
