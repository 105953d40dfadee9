"""`magehall bot`: runs a user's bot at a server, or checks it."""

from __future__ import annotations

import math
import os
import secrets
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import trio
import typer

from bots.sdk.bot import Bot
from bots.sdk.link import Face, Identity, Link, LinkFailed, Refused, open_link
from bots.sdk.local import NoAction
from bots.sdk.nursery import nursery_for_block
from bots.sdk.registry import all_bots, bot_plays
from bots.sdk.replays import ask_again, fetch_replay, turn_at
from bots.sdk.runner import FinishedMatch, Runner
from bots.sdk.seat import take_seat
from bots.sdk.stderr import print_line_to_stderr
from bots.sdk.tokens import Tokens, state_folder
from client.cli import check
from client.cli.arguments import AsJson, Code, Lang, command_group
from client.cli.ask import bot_answer_to_map, render_bot_answers
from client.cli.cup_entry import enter_cup, wait_for_server
from client.cli.game_options import parse_options
from client.cli.own_bot import OfClass, Spec, check_can_create, games_for_bot, require_bot_class, reserve_stdout
from client.cli.replay import load_verified_replay
from client.cli.server_options import HERE, ServerOptions, add_server_options
from client.cli.sources import ServerData
from client.exit_codes import FAILED, INTERRUPTED, MISUSED, exit_with_error
from client.language import _
from client.replay_store import store_replay
from client.safe_output import forward_stderr
from games.registry import all_games
from people.pages import parse_viewing_seat
from people.text.sentences import translate_word
from protocol.limits import TABLES_A_PLAYER
from protocol.messages import CupEnter
from protocol.messages.parts import LIVE, TURNS
from protocol.names import is_reserved, similar_allowed_name
from protocol.printable import escape_text
from protocol.replay import BadReplay

app = command_group("bot", "Runs a bot of yours at a server, or checks it.")


@dataclass(frozen=True)
class SeatingOptions:
    """How a bot gets a seat: at the table `table`, at a new table of the game `open`, or, with neither, when a table's
    owner adds it."""

    server: ServerOptions
    name: str
    seed: int
    face: Face
    table: str = ""
    cup: str = ""
    open: str = ""
    seats: int = 0
    add: tuple[str, ...] = ()
    matches: int = 0  # matches after which the bot stops; 0: no limit
    tables: int = 0  # the bot may be added by owners of other tables while it plays at fewer tables than this
    at_once: int = 1  # most tables of a cup at which the bot plays at the same time
    keep: bool = False  # whether to store the replays of its matches
    code: str = ""  # a code from the operator that proves the bot's name
    nonce: str = ""  # the bot's contribution to the randomness of a cup's deals


@app.command(
    epilog="""Examples:

\b
  magehall bot run my_bot.py:MyBot                                 waits until a table's owner adds it
  magehall bot run my_bot.py:MyBot --host 192.168.0.7 --table t1   takes a seat there
  magehall bot run my_bot.py:MyBot --open ikasamage --add random --add random --matches 10
  magehall bot run my_bot.py:MyBot --cup friday --tables 2         plays in that cup, at two tables at once
"""
)
@add_server_options(HERE)
def run(
    context: typer.Context,
    bot: Spec,
    server: ServerOptions,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The bot's name there. Default: the name of its class.")
    ] = "",
    given: Code = "",
    option: OfClass = None,
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table to join, such as t1.")] = "",
    cup: Annotated[
        str, typer.Option(metavar="CUP", help="The cup to enter, once it is open. The bot ends with the cup.")
    ] = "",
    open_game: Annotated[str, typer.Option("--open", metavar="GAME", help="Opens a table of this game.")] = "",
    seats: Annotated[
        int, typer.Option(min=0, help="The seats of the new table. Default: one for the bot and one for each --add.")
    ] = 0,
    add: Annotated[
        list[str] | None, typer.Option(metavar="BOT", help="A bot to add to the new table. May be repeated.")
    ] = None,
    matches: Annotated[
        int, typer.Option(min=0, help="Ends after this many matches. Default: 1 with --table or --open, else never.")
    ] = 0,
    tables: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=TABLES_A_PLAYER,
            help="The most tables at a time, in a cup or when owners add it. Default: 1 in a cup, else 8.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed of the bot's randomness.")] = None,
    face: Annotated[
        str, typer.Option(metavar="FACE", help="The encoding of its messages: msgpack or json.")
    ] = "msgpack",
    as_json: Annotated[bool, typer.Option("--json", help="Prints results as JSON lines.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Saves its matches, so that `magehall matches` lists them.")
    ] = False,
) -> None:
    """Connects a bot to a server and lets it play. Results go to stdout, chat to stderr.

    A table that it opens starts when every seat is taken. The bot reconnects after a lost connection. A bot that raises
    leaves that match; if it cannot be created, the command ends before it connects. Exit code 1: it raised, or was
    removed.
    """
    if sum(map(bool, (table, open_game, cup))) > 1:
        exit_with_error(_("--table, --open and --cup exclude each other."), MISUSED)
    if tables is None:
        tables = 1 if cup else 8
    if (seats or add) and not open_game:
        exit_with_error(_("--seats and --add need --open."), MISUSED)
    if face not in ("msgpack", "json"):
        exit_with_error(_("--face is msgpack or json, not {face!r}.", face=face), MISUSED)
    context.with_resource(forward_stderr())
    out = reserve_stdout()
    kind = require_bot_class(bot, parse_options(option or ()))
    if open_game:
        games_for_bot(kind, [open_game])
        seats = seats or 1 + len(add or ())
    own = bot if bot in all_bots() else kind.__name__
    entry = SeatingOptions(
        server=server,
        # names of installed bots are reserved for the server's own bots
        name=name or similar_allowed_name(f"my-{own}" if is_reserved(own, all_bots()) else own),
        code=given,
        seed=secrets.randbits(48) if seed is None else seed,
        face="json" if face == "json" else "msgpack",
        table=table,
        cup=cup,
        open=open_game,
        seats=seats,
        add=tuple(add or ()),
        matches=matches or int(bool(table or open_game)),
        tables=0 if table or open_game or cup else tables,
        at_once=max(1, tables),
        keep=keep,
        nonce=secrets.token_hex(8),
    )
    check_can_create(kind, entry.seed)
    show = _as_json if as_json else _as_line

    def on_finish(done: FinishedMatch) -> None:
        print(escape_text(show(done)), file=out, flush=True)

    try:
        code = trio.run(seat_and_play, kind, entry, on_finish)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is None:
            raise
        code = INTERRUPTED  # Ctrl-C arrived while the bot was thinking
    except Refused as error:
        hint = _("The bot connected as {name}. Give it another name with --name.", name=entry.name)
        exit_with_error(f"{error.error.text} {hint}" if error.error.code == "name_taken" else error.error.text)
    except LinkFailed as error:
        exit_with_error(str(error))
    raise typer.Exit(code)


async def seat_and_play(kind: type[Bot], entry: SeatingOptions, on_finish: Callable[[FinishedMatch], None]) -> int:
    """Gives the bot its seats and plays its matches. Returns the exit code. Raises LinkFailed, Refused."""
    send, finished = trio.open_memory_channel[FinishedMatch](math.inf)

    def note(done: FinishedMatch) -> None:
        on_finish(done)
        if entry.keep:
            send.send_nowait(done)

    runner = Runner(kind, all_games(), entry.seed, on_finish=note)
    server = str(entry.server)
    me = Identity(
        entry.name,
        server,
        bot=True,
        games=kind.games,
        client="magehall bot",
        tables=entry.tables,
        code=entry.code,
        wants=kind.wants,
        hears=LIVE if kind.listens() else TURNS,
    )
    tokens, where = Tokens(state_folder() / "tokens"), ""
    dial = entry.server.make_dial()
    if entry.cup:
        with suppress(OSError):  # open_link reports the same error
            await wait_for_server(dial, server)
    async with open_link(dial, me, tokens, face=entry.face, hearer=runner) as link:
        async with nursery_for_block() as nursery:
            nursery.start_soon(_until_closed, link, nursery.cancel_scope)
            kept = trio.Event()
            nursery.start_soon(_keep, link, finished, kept)
            async with send:
                where = await _play(link, runner, entry)
            await kept.wait()
        link.raise_if_failed()
    failed = any(done.how in ("crashed", "unplayable") for done in runner.finished)
    return FAILED if failed or where in runner.sent_away else 0


async def _keep(link: Link, finished: trio.MemoryReceiveChannel[FinishedMatch], done_with_all: trio.Event) -> None:
    """Stores the replay of each match when it ends. `done_with_all` is set after the last one."""
    async for done in finished:
        try:
            name = store_replay(await fetch_replay(link, done.table))
            print_line_to_stderr(
                _("table {table}: kept; magehall replay {name} shows it.", table=done.table, name=name)
            )
        except (Refused, LinkFailed, OSError, BadReplay) as error:
            print_line_to_stderr(_("table {table}: not kept: {error}", table=done.table, error=error))
    done_with_all.set()


async def _play(link: Link, runner: Runner, entry: SeatingOptions) -> str:
    """Lets the bot play. Returns the last table or cup that it entered itself; "" if owners of tables added it."""
    if entry.open:
        table = ""
        while len(runner.finished) < entry.matches and table not in runner.sent_away - runner.lapsed:
            before = len(runner.finished)
            table = (await take_seat(link, entry.open, seats=entry.seats, bots=entry.add)).info.table
            runner.keep_bots_seated(table, entry.add)
            print_line_to_stderr(_("table {table}: opened; it starts once every seat is taken.", table=table))
            await runner.wait_until_finished(before + 1, table)
        return table
    if entry.cup:
        info = await enter_cup(link, CupEnter(id=1, cup=entry.cup, tables=entry.at_once, nonce=entry.nonce))
        await runner.wait_until_over(info.cup)
        return info.cup
    if entry.table:
        joined = await take_seat(link, table=entry.table)
        print_line_to_stderr(_("table {table}: seat {seat}.", table=entry.table, seat=joined.seat))
    else:
        print_line_to_stderr(
            _(
                "{name} waits at {host}, port {port}. A table's owner types: add {name}",
                name=entry.name,
                host=entry.server.host,
                port=entry.server.port,
            )
        )
    if entry.matches:
        await runner.wait_until_finished(entry.matches, entry.table)
    else:
        await trio.sleep_forever()
    return entry.table


async def _until_closed(link: Link, scope: trio.CancelScope) -> None:
    await link.closed.wait()
    scope.cancel()


app.command(name="check", epilog=check.EXAMPLES)(check.check_command)
app.command(name="examine", hidden=True)(check.examine_command)


@app.command(
    epilog="""Examples:

\b
  magehall bot ask last my_bot.py:MyBot --turn 17      its answer to decision 17
  magehall bot ask last my_bot.py:MyBot --as Ada       its answers to all of Ada's decisions
"""
)
def ask(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file, a name that `magehall matches` lists, last, or - for stdin.")
    ],
    bot: Spec,
    turn: Annotated[int, typer.Option(min=0, metavar="N", help="Decision N of the match. Default: all of them.")] = 0,
    seat: Annotated[str, typer.Option("--as", metavar="SEAT", help="Only the decisions of this seat or player.")] = "",
    option: OfClass = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the bot's randomness.")] = 1,
    as_json: AsJson = False,
    data: ServerData = "",
) -> None:
    """Asks a bot for its choice at each decision of a finished match, and shows it beside the choice that was made."""
    out = reserve_stdout()
    kind, record = require_bot_class(bot, parse_options(option or ())), load_verified_replay(file, data)
    people = [info.name for info in record.header.seats]
    if not bot_plays(kind, record.game.id):
        exit_with_error(_("{bot} does not play {game!r}.", bot=kind.__name__, game=record.game.id), MISUSED)
    try:
        asked_seat = parse_viewing_seat(seat, people)
        if turn:
            asked_seat = turn_at(record, turn, asked_seat).seat
    except ValueError as error:
        exit_with_error(str(error), MISUSED)
    try:
        answers = list(ask_again(kind, record, number=turn, seat=asked_seat, seed=seed))
    except NoAction as error:
        exit_with_error(f"{kind.__name__}: {error.text}")
    except (Exception, SystemExit):
        exit_with_error(_("{bot} raised:\n{traced}", bot=kind.__name__, traced=traceback.format_exc()))
    if as_json:
        lines = [msgspec.json.encode(bot_answer_to_map(one)).decode() for one in answers]
    else:
        lines = render_bot_answers(answers, record.game, people)
    print("\n".join(lines), file=out, flush=True)


@app.command(hidden=True)
def jobs() -> None:
    """Plays whole matches of a tournament, which arrive on stdin."""
    from client.tournament.local_match import serve_jobs

    answers = open(os.dup(1), "wb")  # noqa: SIM115 (never closed, because the process needs it until its end)
    reserve_stdout()
    with suppress(BrokenPipeError):
        serve_jobs(sys.stdin.buffer, answers)


@app.command(name="fork-server", hidden=True)
def fork_server(folder: Path, lang: Lang = "") -> None:
    """Runs a fork server for a tournament, with its files in this folder. Each process that it starts runs one
    command."""
    import client.cli.entrant
    import client.tournament.local_match  # noqa: F401 (imported here once, so that no forked process has to)
    from client.cli.app import app as all_commands
    from client.processes.keeper import fork_keepers

    all_games()
    all_bots()
    fork_keepers(typer.main.get_command(all_commands), folder)


def _as_json(done: FinishedMatch) -> str:
    return msgspec.json.encode(done).decode()


def _as_line(done: FinishedMatch) -> str:
    result = _("place {place}, score {score}", place=done.place, score=done.score) if done.place else _("no result")
    return _(
        "{table}: {game}, seat {seat}: {result} ({how})",
        table=done.table,
        game=done.game,
        seat=done.seat,
        result=result,
        how=translate_word(done.how),
    )
