"""The commands for players: `play`, `learn`, `watch` and `host`. Each imports the modules that it needs when it
runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from client.cli.arguments import (
    Code,
    Confirm,
    DataFolder,
    Delay,
    GameName,
    GameOptions,
    Lang,
    ListenPort,
    Name,
    NoColor,
    NoWeb,
    Pace,
    Plain,
    Quiet,
    SeatCount,
    TlsCertificate,
    TlsKey,
    WebPort,
    choose_web_port,
    complete_game_names,
    parse_house_bots,
    resolve_game_id,
)
from client.cli.server_options import HERE, ServerOptions, add_server_options, parse_tls_options
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from people.text.times import parse_seconds
from protocol import PORT

if TYPE_CHECKING:
    from client.cli.solo import SavedMatch
    from client.nearby import NearbyServer

DEFAULT_GAME = "ikasamage"
HOST_EXAMPLES = """Examples:

\b
  magehall host                                    opens a table of four for your network
  magehall host magecraft --seats 3 --bots evoker  for one more person, and a bot
"""
PLAY_EXAMPLES = """Examples:

\b
  magehall play                                    against three house bots, at once
  magehall play --bots easy,hard                   against these; --bots 2 for two usual ones
  magehall play --host pi --seats 4 --bots greedy  opens a table there, for two more people
  magehall play --host pi                          takes a seat at the open table there
  magehall play </dev/null                         shows a match of bots as plain lines
"""


@add_server_options("")
def play(
    game: Annotated[
        str,
        typer.Argument(
            autocompletion=complete_game_names,
            metavar="[GAME]",
            help=f"The game's id. Default: one with a waiting player, or {DEFAULT_GAME}.",
        ),
    ] = "",
    server: ServerOptions | None = None,
    name: Name = "",
    given: Code = "",
    table: Annotated[str, typer.Option(metavar="TABLE", help="The table to join there, such as t1.")] = "",
    seats: SeatCount = 0,
    bots: Annotated[
        str, typer.Option(metavar="A,B,..", help="Bots for its other seats: names, easy, normal or hard, or how many.")
    ] = "",
    option: GameOptions = None,
    delay: Delay = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Deals the same match again, without --host.")] = None,
    pace: Pace = 0.0,
    lang: Lang = "",
    confirm: Confirm = False,
    plain: Plain = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
) -> None:
    """Plays a match: against house bots at once, or with --host at a server."""
    from client.connecting import ConnectOptions

    saved: SavedMatch | None = None
    found: NearbyServer | None = None
    moved_from = ""
    alone = not (game or server or given or table or seats or bots or option or delay or seed is not None)
    any_game, game = not game, game or DEFAULT_GAME
    game = resolve_game_id(game)
    if alone and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        from client.cli.choosing import ask_to_rejoin, choose_server
        from client.cli.solo import ask_which_match

        try:
            left = ask_to_rejoin(input, _say)
            if left is not None:
                found, seat = left
                if found.host != seat.host:
                    name, moved_from = seat.name, f"{seat.host}:{seat.port}"
            elif (saved := ask_which_match(input, _say)) is None:
                found = choose_server(input, _say)
            if found is not None:
                server = ServerOptions(found.host, found.port, parse_tls_options(found.tls))
            elif saved is not None:
                any_game, game = False, saved.info.game
        except EOFError:  # the person quits at a question
            print()
            raise typer.Exit from None
    if server is None and table:
        exit_with_error(_("--table needs --host."), MISUSED)
    if delay and server is None:
        exit_with_error(_("--delay needs --host: a match without a server has no spectators."), MISUSED)
    if server is not None and seed is not None:
        exit_with_error(_("--seed only works without --host: a server draws its own deals."), MISUSED)
    if server is not None and pace:
        exit_with_error(_("--pace only works without --host: a server has its own pace."), MISUSED)
    from client.cli.game_options import parse_game_options
    from games.registry import all_games

    options = ConnectOptions(
        game=game,
        any_game=any_game,
        options=parse_game_options(all_games()[game], option),
        host=server.host if server is not None else "",
        port=server.port if server is not None else PORT,
        tls=server.tls if server is not None else None,
        name=name,
        moved_from=moved_from,
        code=given,
        table=table,
        seats=seats,
        bots=parse_house_bots(bots),
        delay=parse_seconds(delay) if delay else 0,
        seed=seed,
        pace=pace,
        confirm=confirm,
        plain=plain,
        quiet=quiet,
        colour=_colour(no_color),
    )
    with _explained():
        from client.cli.play import run_play as play_match

        code = play_match(options, saved)
    raise typer.Exit(code)


def learn(
    game: GameName,
    name: Name = "",
    lang: Lang = "",
    confirm: Confirm = False,
    plain: Plain = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
) -> None:
    """Plays a guided first match against house bots. Lessons explain your choices and their results."""
    game = resolve_game_id(game)
    from client.connecting import ConnectOptions

    options = ConnectOptions(game=game, name=name, confirm=confirm, plain=plain, quiet=quiet, colour=_colour(no_color))
    with _explained():
        from client.cli.play import run_guided_play as learn_by_playing

        code = learn_by_playing(options)
    raise typer.Exit(code)


def host(
    game: Annotated[
        str,
        typer.Argument(
            autocompletion=complete_game_names, metavar="[GAME]", help=f"The game's id. Default: {DEFAULT_GAME}."
        ),
    ] = "",
    port: ListenPort = PORT,
    web: WebPort = None,
    no_web: NoWeb = False,
    name: Name = "",
    seats: SeatCount = 0,
    bots: Annotated[
        str, typer.Option(metavar="A,B,..", help="Bots for its last seats: names, easy, normal or hard, or how many.")
    ] = "",
    option: GameOptions = None,
    delay: Delay = "",
    clock: Annotated[
        str,
        typer.Option(
            metavar="MAIN+INC", help="The clock: seconds for a match, and for each decision. Default: 300+30."
        ),
    ] = "",
    pace: Pace = 0.5,
    data: DataFolder = "",
    tls_cert: TlsCertificate = None,
    tls_key: TlsKey = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Returns to your unfinished match and ignores other options.")
    ] = False,
    new: Annotated[bool, typer.Option("--new", help="Opens another table beside your unfinished match.")] = False,
    lang: Lang = "",
    confirm: Confirm = False,
    plain: Plain = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
) -> None:
    """Runs a server for your network and gives you a seat, in one terminal. It stops when you quit; matches are saved.

    `invite` shows what the others type; `invite qr` shows it as a QR code.
    """
    any_game, game = not game, resolve_game_id(game or DEFAULT_GAME)
    if resume and new:
        exit_with_error(_("Give --resume or --new, not both."), MISUSED)
    from client.cli.data import resolve_data_folder
    from client.cli.game_options import parse_game_options
    from client.cli.hosting import run_host as host_there
    from client.cli.serving import CannotServe, ServeSettings
    from client.cli.unfinished import UnfinishedChoice
    from client.connecting import ConnectOptions
    from games.registry import all_games
    from protocol.messages import ClockRule

    options = ConnectOptions(
        game=game,
        any_game=any_game,
        options=parse_game_options(all_games()[game], option),
        name=name,
        seats=seats,
        bots=parse_house_bots(bots),
        delay=parse_seconds(delay) if delay else 0,
        # any rule, which says that --clock was given; the server's settings have its value
        clock=ClockRule() if clock else None,
        confirm=confirm,
        plain=plain,
        quiet=quiet,
        colour=_colour(no_color),
    )
    said = UnfinishedChoice.BACK if resume else UnfinishedChoice.BESIDE if new else None
    with _explained():
        try:
            settings = ServeSettings(
                "",
                port,
                clock or "300+30",
                data=resolve_data_folder(data),
                pace=pace,
                web=choose_web_port(web, no_web),
                web_required=web is not None,
            )
            code = host_there(options, replace(settings, certificate=tls_cert, key=tls_key), said)
        except CannotServe as error:
            exit_with_error(str(error), error.code)
        except EOFError:  # the host quits at a question
            print()
            raise typer.Exit from None
    raise typer.Exit(code)


@add_server_options(HERE)
def watch(
    table: Annotated[str, typer.Argument(metavar="[TABLE]", help="The table. Default: the first running match.")] = "",
    *,
    server: ServerOptions,
    name: Name = "",
    plain: Plain = False,
    no_color: NoColor = False,
) -> None:
    """Shows a match as a spectator sees it; `next` turns to another one."""
    from client.connecting import ConnectOptions

    options = ConnectOptions(
        game=DEFAULT_GAME,
        host=server.host,
        port=server.port,
        tls=server.tls,
        name=name,
        table=table,
        plain=plain,
        colour=_colour(no_color),
    )
    with _explained():
        from client.cli.play import run_watch as watch_match

        code = watch_match(options)
    raise typer.Exit(code)


def _say(text: str) -> None:
    """Prints a line of text. The text may quote a server, so it is escaped."""
    from protocol.printable import escape_text

    print(escape_text(text))


def _colour(no_color: bool) -> bool:
    return not no_color and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def _explained() -> Iterator[None]:
    """Turns exceptions that the user can fix into a sentence on stderr and an exit code."""
    from bots.sdk.link import LinkFailed, Refused
    from client.connecting import CannotPlay

    try:
        yield
    except Refused as error:
        exit_with_error(error.error.text)
    except (CannotPlay, LinkFailed) as error:
        exit_with_error(str(error))
