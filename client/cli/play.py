"""`magehall play` and `magehall watch`: from the command's options to a seat, and from the seat to the exit code."""

from __future__ import annotations

import logging
from dataclasses import replace

import trio

from bots.sdk.link import tcp
from bots.sdk.nursery import nursery_for_block
from bots.sdk.seat import all_tables, take_seat
from bots.sdk.tokens import Tokens
from client.cli.seats import seats_for, usual_seats
from client.connecting import CannotPlay, Connected, Options, connected, default_name, visiting
from client.house import BotHouse
from client.language import _
from client.person.lessons import Course, NoLessons, Tutor, course_of
from games.api import Game
from games.chance import numbered_seed
from games.registry import all_games
from protocol import messages as m
from server.app import App, serve
from server.config import Config

NO_HURRY = m.ClockRule(main=86_400, increment=3_600)  # at the user's own table nobody else waits
# The same seed and lines give the same match only if no time decides; every seat but one may have a bot that thinks.
ALONE = Config(port=0, house_seconds=0.0, thinkers=8)


def play(options: Options) -> int:
    """Returns the exit code. Raises CannotPlay, LinkFailed, Refused."""
    return trio.run(_play_there if options.host else _play_here, options)


def learn(options: Options) -> int:
    """The same for a guided match of `options.game`."""
    try:
        course = course_of(all_games()[options.game])
    except NoLessons as error:
        raise CannotPlay(str(error)) from None
    return trio.run(_play_here, replace(options, seed=course.seed, bots=course.bots), course)


def watch(options: Options) -> int:
    """The same for a spectator; `options.table` may name the table."""
    return trio.run(_watch, options)


async def _play_here(options: Options, course: Course | None = None) -> int:
    """A match against house bots on a server of our own, which begins at once; with lessons, if there is a course."""
    logging.getLogger("magehall").addHandler(logging.NullHandler())  # nobody reads this server's log
    games = all_games()
    game = games[options.game]
    bots = _house_bots(game, options)
    async with nursery_for_block() as nursery:
        config = replace(ALONE, house_seconds=options.pace)
        app: App = await nursery.start(serve, config, games, BotHouse())
        dial = tcp("127.0.0.1", app.port)
        async with visiting(options, options.name or default_name(), dial, Tokens(), "here") as visit:
            visit.human.quiet = True
            visit.ends_with_match = not visit.human.pinned  # there the end can be looked at
            if course is not None:
                visit.human.tutor = Tutor(course, visit.human.stand_ins.advise)
            seed = b"" if options.seed is None else numbered_seed(options.seed)
            table = app.lobby.open(game.id, len(bots) + 1, visit.name, {}, NO_HURRY, seed)
            await take_seat(visit, table=table.id, bots=bots)
            return await visit.run()


async def _play_there(options: Options) -> int:
    """A seat at a server that runs already: at the named table, at an open one, or at one of our own."""
    async with connected(options) as visit:
        await seat_there(visit, options)
        return await visit.run()


async def seat_there(visit: Connected, options: Options) -> None:
    """Sits down as the options say, or goes back to a match that goes on. Raises LinkFailed, Refused."""
    if any(info.state == "playing" for info in visit.welcome.seats):
        await visit.until_seated()
        return
    game = all_games()[options.game]
    own = bool(options.seats or options.bots)  # these options describe a new table
    if own and not options.table:
        await visit.ask(m.Tables(id=1), m.TableList)
    await take_seat(
        visit,
        game.id,
        table=options.table,
        any_open=not own,
        any_game=options.any_game,
        seats=options.seats or max(usual_seats(game), len(options.bots) + 1),
        bots=() if options.table else options.bots,
        nonce=visit.human.nonce,
    )


async def _watch(options: Options) -> int:
    """A place among the spectators."""
    async with connected(options, only_looks=True) as visit:
        visit.ends_with_match = not visit.human.pinned  # there one turns to the next match
        table = options.table
        if not table:
            tables = await all_tables(visit)
            found = [info.table for info in tables if info.state == "playing"]
            found = found or [info.table for info in tables if info.state == "open"]
            if not found:
                raise CannotPlay(_("No match is running."))
            table = found[0]
            if len(found) > 1:
                visit.say(_("There are {found} tables; next turns to another one.", found=len(found)), "dim")
        await visit.ask(m.Watch(id=1, table=table), m.Watching)
        return await visit.run()


def _house_bots(game: Game, options: Options) -> tuple[str, ...]:
    """The opponents in a match without a server."""
    names = BotHouse().names(game)
    for bot in options.bots:
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
        seats = seats_for(game, options.seats or (len(options.bots) + 1 if options.bots else 0))
    except ValueError as error:
        raise CannotPlay(str(error)) from None
    usual = game.house_bot if game.house_bot in names else "random"
    return (options.bots + (usual,) * seats)[: seats - 1]
