"""`magehall`: the command line. It starts things; the code that does the work is imported when it is needed."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from client.cli.arguments import AsJson, Code, GameName, Host, Port, command_group
from client.ending import INTERRUPTED, MISUSED, fail
from protocol import PORT

DEFAULT_GAME = "ikasamage"

_EXAMPLES = """Examples:

\b
  magehall play                          a match against three house bots
  magehall serve --lan                   a server for everybody in this network
  magehall play --host 192.168.0.7       a seat there
  magehall watch --host 192.168.0.7      a place among the spectators
  magehall bot run my_bot.py:MyBot       a bot of your own at a table
"""

app = command_group("magehall", "Card games about cheating mages: a server, a client, bots and tournaments.", _EXAMPLES)

Plain = Annotated[bool, typer.Option("--plain", help="Plain lines: nothing redrawn, no colour; fits a screen reader.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No bell and no window title when it is your turn.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colour. The variable NO_COLOR says the same.")]
Lang = Annotated[str, typer.Option(metavar="LANG", help="Language of the cards, such as fr, where a game has it.")]
Name = Annotated[str, typer.Option(metavar="NAME", help="Your name there. Default: your user name.")]


def main() -> None:
    """The console script."""
    _write_anything()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        fail(f"The output cannot be written: {error.strerror}.")
    except BaseExceptionGroup as group:  # Ctrl-C while tasks run, before one of them waits for it
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        sys.exit(INTERRUPTED)
    finally:
        _flush()


def _write_anything() -> None:
    """What a terminal's encoding does not have is spelled out, instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    """Writes what is left; a reader that is gone, as in `magehall cards ikasamage | head`, is no error."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


@contextmanager
def _explained() -> Iterator[None]:
    """Turns errors that a user can do something about into a sentence and an exit code."""
    from bots.sdk.link import LinkFailed, Refused
    from client.connecting import CannotPlay

    try:
        yield
    except Refused as error:
        fail(error.error.text)
    except (CannotPlay, LinkFailed) as error:
        fail(str(error))


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"magehall {version('magehall')}")
        except PackageNotFoundError:
            print("magehall (not installed)")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version and end.")
    ] = False,
) -> None:
    pass


# -- play --------------------------------------------------------------------------------------------------------------


@app.command(
    epilog="""Examples:

\b
  magehall play                                    against three house bots, at once
  magehall play --bots greedy,random,random        against these
  magehall play --host pi --seats 4 --bots greedy  opens a table there, for two more people
  magehall play --host pi                          takes a seat at the open table there
  magehall play </dev/null                         shows a match of bots as plain lines
"""
)
def play(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help=f"The game's id. Default: what waits there, or {DEFAULT_GAME}.")
    ] = "",
    host: Host = "",
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help=f"The server's port. Default: {PORT}.")] = None,
    name: Name = "",
    given: Code = "",
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table to join there, such as t1.")] = "",
    seats: Annotated[int, typer.Option(min=0, help="Seats of the table. Default: four, or what the game takes.")] = 0,
    bots: Annotated[str, typer.Option(metavar="A,B,..", help="Bots for its other seats, seat by seat.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Deals the same match again, without --host.")] = None,
    lang: Lang = "en",
    plain: Plain = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
) -> None:
    """Plays a match: against house bots at once, or with --host at a server."""
    from client.connecting import Options

    any_game, game = not game, game or DEFAULT_GAME
    _known_game(game)
    host = host or ("127.0.0.1" if port else "")
    if not host and table:
        fail("--table needs --host.", MISUSED)
    if host and seed is not None:
        fail("--seed is for matches without --host: a server draws its own deals.", MISUSED)
    _known_language(lang, "" if host else game)
    options = Options(
        game=game,
        any_game=any_game,
        host=host,
        port=port or PORT,
        name=name,
        code=given,
        table=table,
        seats=seats,
        bots=_names(bots),
        seed=seed,
        lang=lang,
        plain=plain,
        quiet=quiet,
        colour=_colour(no_color),
    )
    with _explained():
        from client.cli.play import play as play_match

        code = play_match(options)
    raise typer.Exit(code)


@app.command()
def watch(
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="The table. Default: the only match there is.")] = "",
    host: Host = "127.0.0.1",
    port: Port = PORT,
    name: Name = "",
    plain: Plain = False,
    no_color: NoColor = False,
) -> None:
    """Shows a match as a spectator sees it, to its end."""
    from client.connecting import Options

    options = Options(
        game=DEFAULT_GAME, host=host, port=port, name=name, table=table, plain=plain, colour=_colour(no_color)
    )
    with _explained():
        from client.cli.play import watch as watch_match

        code = watch_match(options)
    raise typer.Exit(code)


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def _colour(no_color: bool) -> bool:
    return not no_color and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


# -- serve -------------------------------------------------------------------------------------------------------------


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes any free one.")] = PORT,
    lan: Annotated[bool, typer.Option("--lan", help="Listen at all addresses, for everybody in this network.")] = False,
    grace: Annotated[float, typer.Option(min=1, help="Seconds for which the seat of an absent player is held.")] = 120,
    clock: Annotated[
        str, typer.Option(metavar="MAIN+INC", help="Seconds for a match and for each decision, where not said.")
    ] = "300+30",
    cards: Annotated[
        list[str] | None, typer.Option(metavar="GAME=FILE", help="Play a game with this card file. May be repeated.")
    ] = None,
    log_json: Annotated[bool, typer.Option("--log-json", help="Log lines as JSON.")] = False,
    data: Annotated[
        str,
        typer.Option(metavar="DIR", help="Where matches, names and seats are kept; :memory: forgets them at the end."),
    ] = "",
    data_limit: Annotated[
        int, typer.Option(metavar="MIB", min=1, help="Above that the oldest finished matches are taken away.")
    ] = 4_096,
) -> None:
    """Serves until Ctrl-C or SIGTERM, and says goodbye then. The log is on stderr.

    Started again on the same data, it goes on with every match.
    """
    from client.cli.data import data_folder
    from client.cli.serving import CannotServe, Settings, serve_until_stopped

    try:
        at = "" if lan else host
        settings = Settings(at, port, grace, clock, tuple(cards or ()), log_json, data_folder(data), data_limit)
        serve_until_stopped(settings)
    except CannotServe as error:
        fail(str(error), error.code)


# -- looking things up -------------------------------------------------------------------------------------------------


def _known_game(game: str) -> None:
    from games.registry import get_game

    try:
        get_game(game)
    except KeyError as error:
        fail(str(error.args[0]), MISUSED)


def _known_language(lang: str, game: str) -> None:
    """Fails if the game has no card texts in that language; "" stands for all games: a server may play any."""
    from games.registry import all_games

    known = sorted({one for each in all_games().values() if game in ("", each.id) for one in each.languages})
    if lang not in known:
        fail(f"No card texts of {game or 'any game'} are in {lang!r}; there are: {', '.join(known)}.", MISUSED)


@app.command()
def games(as_json: AsJson = False) -> None:
    """Lists the games."""
    from client.cli.lookups import show_games

    show_games(as_json=as_json)


@app.command()
def rules(
    game: GameName,
    about: Annotated[
        str, typer.Argument(metavar="[ABOUT]", help="A number of a section or rule, a word, or contents.")
    ] = "",
) -> None:
    """Shows a game's rules, or what they say about something."""
    _known_game(game)
    from client.cli.lookups import show_rules

    show_rules(game, about)


@app.command()
def cards(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One card; the beginning of its name will do.")] = "",
    as_json: AsJson = False,
    lang: Lang = "en",
    file: Annotated[Path | None, typer.Option("--file", help="A card file instead of the game's own cards.")] = None,
) -> None:
    """Shows a game's cards, or one of them."""
    _known_game(game)
    from client.cli.lookups import LookupFailed, show_cards

    try:
        show_cards(game, name, as_json=as_json, lang=lang, file=file)
    except LookupFailed as error:
        fail(str(error), error.code)


@app.command()
def bots(as_json: AsJson = False) -> None:
    """Lists the bots and the games that they play."""
    from client.cli.lookups import show_bots

    show_bots(as_json=as_json)


@app.command(
    epilog="""Examples:

\b
  magehall lab magecraft --deals 3000                          the game's own bots
  magehall lab ikasamage --bots greedy --seats 4 --once        one bot in every seat: each deal once
  magehall lab mages-110m --bots hurdler,random --json         for programs
  magehall lab magecraft --cross --deals 20                    every bot against every other

Exit code: 0; 130 after Ctrl-C, with the figures so far. The keys of --json are explained in bots/README.md.
"""
)
def lab(
    game: GameName,
    bots: Annotated[str, typer.Option(metavar="A,B,..", help="Bots, repeated to fill the seats.")] = "",
    seats: Annotated[int, typer.Option(min=0, help="Seats. Default: the game's smallest number.")] = 0,
    deals: Annotated[int, typer.Option(min=1, help="How many deals, each played once for each seat.")] = 1_000,
    once: Annotated[bool, typer.Option("--once", help="Each deal once: the bots do not rotate.")] = False,
    cross: Annotated[bool, typer.Option("--cross", help="A table of every bot against every other.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.")] = 1,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the game.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Processes that play. Default: one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measures a game: who wins, how matches end, how long they are, with 95 % intervals over deals."""
    _known_game(game)
    from client.cli.game_options import game_options
    from client.cli.lab import run_lab
    from games.registry import get_game

    options = game_options(get_game(game), option or [])
    code = run_lab(game, _names(bots), seats, deals, seed, options, once=once, jobs=jobs, as_json=as_json, cross=cross)
    raise typer.Exit(code)


# -- parts with sub-commands of their own ------------------------------------------------------------------------------

_PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.command(context_settings=_PASS_ON)
def bot(ctx: typer.Context) -> None:
    """Runs a bot of yours at a server, or checks it."""
    _pass_on("client.cli.bot", ctx)


@app.command(context_settings=_PASS_ON)
def tournament(ctx: typer.Context) -> None:
    """Lets bots play each other and ranks them."""
    _pass_on("client.cli.tournament", ctx)


@app.command(context_settings=_PASS_ON)
def data(ctx: typer.Context) -> None:
    """Copies and checks what a server keeps, and takes old matches away."""
    _pass_on("client.cli.data", ctx)


@app.command(context_settings=_PASS_ON)
def admin(ctx: typer.Context) -> None:
    """Keeps order on a server that runs on this machine."""
    _pass_on("client.cli.admin", ctx)


@app.command(context_settings=_PASS_ON)
def replay(ctx: typer.Context) -> None:
    """Steps through a finished match."""
    _pass_on("client.cli.replay", ctx)


@app.command(context_settings=_PASS_ON)
def matches(ctx: typer.Context) -> None:
    """Lists the finished matches that are kept here."""
    _pass_on("client.cli.matches", ctx)


@app.command(context_settings=_PASS_ON)
def verify(ctx: typer.Context) -> None:
    """Checks the replays of finished matches."""
    _pass_on("client.cli.verify", ctx)


def _pass_on(module: str, ctx: typer.Context) -> NoReturn:
    """Hands the rest of the line to a sub-application, whose module is imported only here."""
    command = typer.main.get_command(importlib.import_module(module).app)
    code = command.main(args=ctx.args, prog_name=ctx.command_path, standalone_mode=False)
    raise typer.Exit(code if isinstance(code, int) else 0)
