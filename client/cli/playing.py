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
    game_names,
    house_bots_in,
    known_game,
    web_port_from,
)
from client.cli.server_options import HERE, ServerOptions, takes_server, tls_of
from client.exit_codes import MISUSED, fail
from client.language import _
from people.text.times import seconds_in
from protocol import PORT

if TYPE_CHECKING:
    from client.cli.solo import Saved
    from client.nearby import Nearby

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


@takes_server("")
def play(
    game: Annotated[
        str,
        typer.Argument(
            autocompletion=game_names,
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

    saved: Saved | None = None
    found: Nearby | None = None
    moved_from = ""
    alone = not (game or server or given or table or seats or bots or option or delay or seed is not None)
    any_game, game = not game, game or DEFAULT_GAME
    game = known_game(game)
    if alone and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        from client.cli.choosing import back, choose
        from client.cli.solo import ask_which_match

        try:
            left = back(input, _say)
            if left is not None:
                found, seat = left
                if found.host != seat.host:
                    name, moved_from = seat.name, f"{seat.host}:{seat.port}"
            elif (saved := ask_which_match(input, _say)) is None:
                found = choose(input, _say)
            if found is not None:
                server = ServerOptions(found.host, found.port, tls_of(found.tls))
            elif saved is not None:
                any_game, game = False, saved.info.game
        except EOFError:  # the person quits at a question
            print()
            raise typer.Exit from None
    if server is None and table:
        fail(_("--table needs --host."), MISUSED)
    if delay and server is None:
        fail(_("--delay needs --host: a match without a server has no spectators."), MISUSED)
    if server is not None and seed is not None:
        fail(_("--seed only works without --host: a server draws its own deals."), MISUSED)
    if server is not None and pace:
        fail(_("--pace only works without --host: a server has its own pace."), MISUSED)
    from client.cli.game_options import game_options
    from games.registry import all_games

    options = ConnectOptions(
        game=game,
        any_game=any_game,
        options=game_options(all_games()[game], option),
        host=server.host if server is not None else "",
        port=server.port if server is not None else PORT,
        tls=server.tls if server is not None else None,
        name=name,
        moved_from=moved_from,
        code=given,
        table=table,
        seats=seats,
        bots=house_bots_in(bots),
        delay=seconds_in(delay) if delay else 0,
        seed=seed,
        pace=pace,
        confirm=confirm,
        plain=plain,
        quiet=quiet,
        colour=_colour(no_color),
    )
    with _explained():
        from client.cli.play import play as play_match

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
    game = known_game(game)
    from client.connecting import ConnectOptions

    options = ConnectOptions(game=game, name=name, confirm=confirm, plain=plain, quiet=quiet, colour=_colour(no_color))
    with _explained():
        from client.cli.play import learn as learn_by_playing

        code = learn_by_playing(options)
    raise typer.Exit(code)


def host(
    game: Annotated[
        str,
        typer.Argument(autocompletion=game_names, metavar="[GAME]", help=f"The game's id. Default: {DEFAULT_GAME}."),
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
    any_game, game = not game, known_game(game or DEFAULT_GAME)
    if resume and new:
        fail(_("Give --resume or --new, not both."), MISUSED)
    from client.cli.data import data_folder
    from client.cli.game_options import game_options
    from client.cli.hosting import host as host_there
    from client.cli.serving import CannotServe, ServeSettings
    from client.cli.unfinished import UnfinishedChoice
    from client.connecting import ConnectOptions
    from games.registry import all_games
    from protocol.messages import ClockRule

    options = ConnectOptions(
        game=game,
        any_game=any_game,
        options=game_options(all_games()[game], option),
        name=name,
        seats=seats,
        bots=house_bots_in(bots),
        delay=seconds_in(delay) if delay else 0,
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
                data=data_folder(data),
                pace=pace,
                web=web_port_from(web, no_web),
                web_required=web is not None,
            )
            code = host_there(options, replace(settings, certificate=tls_cert, key=tls_key), said)
        except CannotServe as error:
            fail(str(error), error.code)
        except EOFError:  # the host quits at a question
            print()
            raise typer.Exit from None
    raise typer.Exit(code)


@takes_server(HERE)
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
        from client.cli.play import watch as watch_match

        code = watch_match(options)
    raise typer.Exit(code)


def _say(text: str) -> None:
    """Prints a line of text. The text may quote a server, so it is escaped."""
    from protocol.printable import escape

    print(escape(text))


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
        fail(error.error.text)
    except (CannotPlay, LinkFailed) as error:
        fail(str(error))
