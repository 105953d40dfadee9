"""The `magehall` command. It imports the module of a sub-command only when that sub-command runs."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from client.cli.arguments import (
    AsJson,
    Clock,
    DataFolder,
    GameName,
    GameOptions,
    Lang,
    ListenPort,
    NoWeb,
    Pace,
    TlsCertificate,
    TlsKey,
    WebPort,
    check_not_nan,
    choose_web_port,
    command_group,
    parse_names,
    resolve_game_id,
)
from client.cli.localized_help import LocalizedGroup
from client.cli.playing import HOST_EXAMPLES, PLAY_EXAMPLES, host, learn, play, watch
from client.exit_codes import FAILED, INTERRUPTED, MISUSED, disk_error_text, escape_controls, exit_with_error
from client.language import _
from client.safe_output import failures, make_standard_files_safe, print_if_silent
from languages import ENGLISH, language_code, set_default_language
from protocol import PORT

_EXAMPLES = """Examples:

\b
  magehall play                          a match against three house bots
  magehall learn ikasamage               a guided first match
  magehall host                          a server for your network, and a seat at it
  magehall serve --lan                   the server alone
  magehall play --host 192.168.0.7       a seat there
  magehall watch --host 192.168.0.7      a place among the spectators
  magehall bot run my_bot.py:MyBot       a bot of your own at a table
"""

SILENT_SECONDS = 0.5  # silence after the start of a slow command, before a notice is printed
_LONG = ("tournament run", "tournament resume", "tournament compare", "tournament replay-match", "bot run", "bot check")

_PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


class _All(LocalizedGroup):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Resolves the command as usual. For shell completion it also resolves the sub-commands of a group."""
        name, command, rest = super().resolve_command(ctx, args)
        if ctx.resilient_parsing and command is not None and command.context_settings == _PASS_ON:
            command = typer.main.get_command(importlib.import_module(f"client.cli.{name}").app)
        return name, command, rest


_ABOUT = "A server for card games, with a client, bots and tournaments."
app = command_group("magehall", _ABOUT, _EXAMPLES, kind=_All, completes=True)


def main() -> None:
    """Runs the console script."""
    _open_what_is_closed()
    make_standard_files_safe()
    _write_anything()
    set_default_language(
        language_code(os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG", ""))
        or ENGLISH
    )
    if _takes_long(sys.argv[1:]):
        print_if_silent(_("magehall is starting."), SILENT_SECONDS)
    try:
        app(["play"] if len(sys.argv) == 1 and _has_left_a_seat() else None)
    except SystemExit:
        raise
    except BaseException as error:
        sys.exit(_ended_by(error))
    finally:
        _flush()
        if text := next(filter(None, map(disk_error_text, failures)), ""):
            exit_with_error(text)


def _takes_long(words: list[str]) -> bool:
    """Returns whether the command that these words name works for a long time before its first output."""
    wanted = {"-h", "--help", "--leash"}.isdisjoint(words)
    return wanted and (words[:1] == ["lab"] or " ".join(words[:2]) in _LONG)


def _ended_by(error: BaseException) -> int:
    """Returns the exit code for an error, and reports it unless it is an interrupt."""
    # Ctrl-C can arrive while tasks run, before any of them waits for it; it then comes in a group
    if isinstance(error, BaseExceptionGroup):
        error = error.split(KeyboardInterrupt)[1] or KeyboardInterrupt()
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if text := disk_error_text(error):
        exit_with_error(text)
    from games.registry import PluginError

    if isinstance(error, PluginError):
        exit_with_error(str(error))
    told = "".join(traceback.format_exception(error))
    print(escape_controls(told), file=sys.stderr, end="")  # the text may quote a file or a server
    return FAILED


def _has_left_a_seat() -> bool:
    """Returns whether `magehall` without arguments, typed at a terminal, should offer to return to a seat in a running
    match."""
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from bots.sdk.tokens import state_folder
    from client.left_seats import load_left_seats

    if load_left_seats():  # few users have such a seat, and the code below takes time to load
        from client.cli.choosing import resumable_seats

        if resumable_seats():
            return True
    if not (state_folder() / "alone").is_dir():
        return False
    from client.cli.solo import unfinished_matches

    return bool(unfinished_matches())


def _open_what_is_closed() -> None:
    """Opens /dev/null in place of a closed stdin, stdout or stderr (such as by `>&-`), so that no data file or socket
    gets that number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # os.open takes the lowest free number, which is that of the closed stream
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, closefd=False))


def _write_anything() -> None:
    """Makes stdout and stderr escape characters that the terminal's encoding lacks, instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    """Flushes stdout. A closed reader, as in `magehall cards ikasamage | head`, is not an error."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _version(wanted: bool) -> None:
    if wanted:
        from server.build import build_version

        print(f"magehall {build_version()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Shows the version and exits.")
    ] = False,
    lang: Lang = "",
) -> None:
    pass


# -- play --------------------------------------------------------------------------------------------------------------

app.command(epilog=PLAY_EXAMPLES)(play)
app.command()(learn)
app.command()(watch)
app.command(epilog=HOST_EXAMPLES)(host)


# -- serve -------------------------------------------------------------------------------------------------------------


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The address to listen on.")] = "127.0.0.1",
    port: ListenPort = PORT,
    web: WebPort = None,
    no_web: NoWeb = False,
    web_host: Annotated[
        list[str] | None,
        typer.Option(
            "--web-host", metavar="NAME", help="A host name by which browsers reach this machine. May be repeated."
        ),
    ] = None,
    lan: Annotated[bool, typer.Option("--lan", help="Listens on all addresses, for your whole network.")] = False,
    grace: Annotated[
        float,
        typer.Option(min=1, callback=check_not_nan, help="How long the seat of an absent player is held, in seconds."),
    ] = 120,
    clock: Clock = "300+30",
    cards: Annotated[
        list[str] | None, typer.Option(metavar="GAME=FILE", help="Plays a game with this card file. May be repeated.")
    ] = None,
    log_json: Annotated[bool, typer.Option("--log-json", help="Writes log lines as JSON.")] = False,
    log_file: Annotated[
        Path | None,
        typer.Option(
            "--log-file", metavar="FILE", help="Writes the log to this file instead of stderr; SIGHUP reopens it."
        ),
    ] = None,
    pace: Pace = 0.02,
    no_operator_word: Annotated[
        bool,
        typer.Option("--no-operator-word", help="Prints no operator word; magehall admin operator prints codes."),
    ] = False,
    data: DataFolder = "",
    data_limit: Annotated[
        int,
        typer.Option(
            metavar="MIB", min=1, help="The most data to store. Above it the oldest finished matches are deleted."
        ),
    ] = 4_096,
    tls_cert: TlsCertificate = None,
    tls_key: TlsKey = None,
    proxy_from: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS[/N]",
            help="Accepts the PROXY header, version 1 or 2, from proxies at this address. May be repeated.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="A file with limits, networks, bans, TLS and proxies; see --print-config."
        ),
    ] = None,
    print_config: Annotated[
        bool,
        typer.Option("--print-config", help="Prints a file for --config with the value of every limit, and exits."),
    ] = False,
) -> None:
    """Runs a server until Ctrl-C or SIGTERM. The log goes to stderr.

    A server that is started again on the same data continues every match.
    """
    from client.cli.data import resolve_data_folder
    from client.cli.serving import CannotServe, ServeSettings, render_settings_file, serve_until_stopped

    try:
        at = "" if lan else host
        kept = resolve_data_folder(data)
        settings = ServeSettings(
            host=at,
            port=port,
            web=choose_web_port(web, no_web),
            web_required=web is not None,
            web_hosts=tuple(web_host or ()),
            clock=clock,
            grace=grace,
            cards=tuple(cards or ()),
            log_json=log_json,
            log_file=log_file,
            data=kept,
            data_limit=data_limit,
            pace=pace,
            operator_word=not no_operator_word,
            certificate=tls_cert,
            key=tls_key,
            proxies=tuple(proxy_from or ()),
            config=config,
        )
        if print_config:
            typer.echo(render_settings_file(settings), nl=False)
            return
        serve_until_stopped(settings)
    except CannotServe as error:
        exit_with_error(str(error), error.code)


# -- commands that show games, rules, cards and bots
# ----------------------------------------------------------------------


@app.command()
def games(as_json: AsJson = False) -> None:
    """Lists the games."""
    from client.cli.lookups import show_games

    show_games(as_json=as_json)


@app.command()
def rules(
    game: GameName,
    about: Annotated[
        str, typer.Argument(metavar="[ABOUT]", help="The number of a section or rule, a word, or `contents`.")
    ] = "",
) -> None:
    """Shows a game's rules, or what they say about something."""
    game = resolve_game_id(game)
    from client.cli.lookups import show_rules

    show_rules(game, about)


@app.command()
def cards(
    game: GameName,
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="One card; the beginning of its name is enough.")] = "",
    as_json: AsJson = False,
    lang: Lang = "",
    file: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A card file instead of the game's own cards.")
    ] = None,
) -> None:
    """Shows a game's cards, or one of them."""
    game = resolve_game_id(game)
    from client.cli.lookups import LookupFailed, show_cards

    try:
        show_cards(game, name, as_json=as_json, file=file)
    except LookupFailed as error:
        exit_with_error(str(error))


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
  magehall lab ikasamage --record DIR --parquet                matches as replays, and as numbers to learn from
  magehall lab luck magecraft --deals 100                      what the deal decides, and how many matches tell
  magehall lab solve mages-110m --cards games/mages_110m/tiny-race.toml    how far bots are from solving a tiny game

Exit code: 0; 130 after Ctrl-C, with the figures so far. The keys of --json are explained in docs/lab.md.
"""
)
def lab(
    words: Annotated[
        list[str], typer.Argument(metavar="[luck|solve] GAME", help="The game, and what to find out about it.")
    ],
    bots: Annotated[str, typer.Option(metavar="A,B,..", help="Bots, repeated to fill the seats.")] = "",
    seats: Annotated[int, typer.Option(min=0, help="Seats. Default: the game's smallest number.")] = 0,
    deals: Annotated[int, typer.Option(min=1, help="The number of deals. Each is played once for each seat.")] = 1_000,
    once: Annotated[bool, typer.Option("--once", help="Plays each deal once: the bots do not change seats.")] = False,
    cross: Annotated[bool, typer.Option("--cross", help="Plays every bot against every other.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.")] = 1,
    option: GameOptions = None,
    cards: Annotated[str, typer.Option(metavar="FILE", help="A card file, for `solve`.")] = "",
    record: Annotated[str, typer.Option(metavar="DIR", help="Saves a replay of every match in this folder.")] = "",
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Also saves every decision as numbers, in Parquet files.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=0, help="The number of processes. Default: one for each core.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measures a game: who wins, how matches end, how long they are, with 95 % intervals over deals."""
    *said, game = words
    study = said[0] if said else "cross" if cross else "measure"
    if len(said) > 1 or (said and study not in ("luck", "solve")) or game in ("luck", "solve"):
        exit_with_error(_("Type `magehall lab GAME`, `magehall lab luck GAME` or `magehall lab solve GAME`."), MISUSED)
    if (study != "measure" and (once or record)) or (said and cross) or (cards and study != "solve"):
        exit_with_error(
            _("--once, --record and --cross only work with `magehall lab GAME`, and --cards only with `lab solve`."),
            MISUSED,
        )
    if study == "solve" and seats not in (0, 2):
        exit_with_error(_("`lab solve` works for two seats: leave --seats out, or write --seats 2."), MISUSED)
    if parquet and not (record and find_spec("pyarrow")):
        exit_with_error(_("--parquet needs --record DIR, and pyarrow: pip install 'magehall[parquet]'."), MISUSED)
    game = resolve_game_id(game)
    from client.cli.game_options import parse_game_options
    from client.cli.lab import LabSettings, run_lab
    from games.registry import get_game

    options = parse_game_options(get_game(game), option)
    asked = LabSettings(study, game, parse_names(bots), seats, deals, seed, options, once, cards, record, parquet)
    raise typer.Exit(run_lab(asked, jobs=jobs, as_json=as_json))


# -- commands with sub-commands of their own
# ------------------------------------------------------------------------------


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
    """Backs up and checks a server's data, and deletes old matches."""
    _pass_on("client.cli.data", ctx)


@app.command(context_settings=_PASS_ON)
def admin(ctx: typer.Context) -> None:
    """Administers a server on this machine."""
    _pass_on("client.cli.admin", ctx)


@app.command(context_settings=_PASS_ON)
def replay(ctx: typer.Context) -> None:
    """Steps through a finished match."""
    _pass_on("client.cli.replay", ctx)


@app.command(context_settings=_PASS_ON)
def matches(ctx: typer.Context) -> None:
    """Lists the finished matches that are saved here."""
    _pass_on("client.cli.matches", ctx)


@app.command(context_settings=_PASS_ON)
def stats(ctx: typer.Context) -> None:
    """Shows the results of finished matches."""
    _pass_on("client.cli.stats", ctx)


@app.command(context_settings=_PASS_ON)
def verify(ctx: typer.Context) -> None:
    """Checks the replays of finished matches."""
    _pass_on("client.cli.verify", ctx)


@app.command(hidden=True)
def entrant(entering: str) -> None:
    """Runs the bot of one tournament entrant. Its connections to the server arrive over stdin."""
    import msgspec

    from bots.sdk.leash import EntrantAssignment
    from client.cli.entrant import play_entrant

    raise typer.Exit(play_entrant(msgspec.json.decode(entering, type=EntrantAssignment)))


def _pass_on(module: str, ctx: typer.Context) -> NoReturn:
    """Passes the remaining arguments to a sub-application, whose module is imported only here."""
    command = typer.main.get_command(importlib.import_module(module).app)
    code = command.main(args=ctx.args, prog_name=ctx.command_path, standalone_mode=False)
    raise typer.Exit(code if isinstance(code, int) else 0)
