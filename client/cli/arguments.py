"""Settings, arguments and options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar
from unicodedata import normalize

import typer

from client.cli.localized_help import LocalizedCommand, LocalizedGroup
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from languages import NAMES, find_name, language_code, set_default_language, strip_accents
from people.text.times import parse_delay
from protocol import WEB_PORT

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

SETTINGS = {"help_option_names": ["-h", "--help"]}


def complete_game_names(begun: str) -> list[str]:
    """Returns the ids of the games that begin with these letters, for the shell's completion."""
    from games.registry import all_games

    return [name for name in all_games() if name.startswith(begun)]


GameName = Annotated[
    str,
    typer.Argument(
        autocompletion=complete_game_names, metavar="GAME", help="The game's id, as `magehall games` lists it."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Prints JSON.")]
Code = Annotated[
    str,
    typer.Option(
        "--code",
        metavar="CODE",
        help="A code from the operator, or your password there. It proves that the name is yours.",
    ),
]
Confirm = Annotated[bool, typer.Option("--confirm", help="Asks for `yes` before each decision; `undo` takes one back.")]


def check_not_nan(value: float) -> float:
    """Checks that an option's value is a number other than NaN: NaN passes every range check, and would make a clock
    endless."""
    if math.isnan(value):
        raise typer.BadParameter(_("nan is not a number."))
    return value


Pace = Annotated[
    float,
    typer.Option(
        min=0,
        max=10,
        callback=check_not_nan,
        metavar="SECONDS",
        help="The delay before each decision of a house bot, in seconds.",
    ),
]


def check_delay(value: str) -> str:
    """Checks the value of the option that sets the delay of open hands; "" means that it is not given."""
    try:
        if value:
            parse_delay(value)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return value


Delay = Annotated[
    str,
    typer.Option(
        callback=check_delay,
        metavar="TIME",
        help="Spectators see all hands after this time, such as 3m, and twelve more decisions of each player; "
        "players are asked to agree when they sit down.",
    ),
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the game. May be repeated."),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Prints plain lines without colour and redraws nothing, for screen readers.")
]
Quiet = Annotated[
    bool, typer.Option("--quiet", help="Neither rings the bell nor sets the window title when it is your turn.")
]
NoColor = Annotated[bool, typer.Option("--no-color", help="Uses no colour, like the variable NO_COLOR.")]


def _speak(lang: str) -> str:
    """Sets the language of the program's output. Ends the command if it has no translation in that language."""
    spoken = language_code(lang)
    if spoken:
        set_default_language(spoken)
    elif lang:
        exit_with_error(
            _(
                "{lang!r} is not an available language. Choose one of: {languages}.",
                lang=lang,
                languages=", ".join(NAMES),
            ),
            MISUSED,
        )
    return spoken


Lang = Annotated[
    str, typer.Option(metavar="LANG", callback=_speak, help="Your language: en or fr. Default: the system's, or en.")
]


def _composed(name: str) -> str:
    return normalize("NFC", name)


Name = Annotated[
    str, typer.Option(metavar="NAME", help="Your name there. Default: your user name.", callback=_composed)
]
Clock = Annotated[
    str, typer.Option(metavar="MAIN+INC", help="The default clock: seconds for a match, and for each decision.")
]
DataFolder = Annotated[
    str,
    typer.Option("--data", metavar="DIR", help="The folder for matches and names; :memory: forgets them at the end."),
]
TlsCertificate = Annotated[
    Path | None,
    typer.Option("--tls-cert", metavar="FILE", help="Uses TLS with this certificate and those that sign it (PEM)."),
]
TlsKey = Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="The private key of that certificate.")]
WebPort = Annotated[
    int | None,
    typer.Option(
        "--web", metavar="PORT", min=0, max=65_535, help="The port for browsers; 0: any free one. Default: 7180."
    ),
]
SeatCount = Annotated[int, typer.Option(min=0, help="The number of seats. Default: 4, or as many as the game allows.")]
NoWeb = Annotated[bool, typer.Option("--no-web", help="Serve no pages for browsers.")]


def choose_web_port(web: int | None, no_web: bool) -> int | None:
    """Returns the port for browsers that the options --web and --no-web ask for; None: no port."""
    return None if no_web else WEB_PORT if web is None else web


ListenPort = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 chooses a free one.")]


class _Commands(typer.Typer):
    def command(self, name: str | None = None, **more: Any) -> Callable[[AnyFunction], AnyFunction]:
        return super().command(name, cls=LocalizedCommand, **more)


def command_group(
    name: str,
    help_text: str,
    epilog: str | None = None,
    *,
    kind: type[LocalizedGroup] = LocalizedGroup,
    completes: bool = False,
) -> typer.Typer:
    """Creates an empty group of commands. Its help is plain text, which is fast to print and the same in a pipe. With
    `completes` it offers completion to the user's shell."""
    return _Commands(
        name=name,
        cls=kind,
        help=help_text,
        epilog=epilog,
        no_args_is_help=True,
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )


def resolve_game_id(game: str) -> str:
    """Returns the id of the game that `game` names by its id, its title or a unique part of one. Ends the command if
    there is none."""
    from games.registry import all_games, get_game

    titles = {one.title: one.id for one in all_games().values()}
    game = find_name(game, all_games()) or titles.get(find_name(game, titles), game)
    try:
        return get_game(game).id
    except KeyError as error:
        like = get_close_matches(strip_accents(game), all_games(), 1)
        exit_with_error(str(error.args[0]) + "".join(_(" Do you mean {like}?", like=one) for one in like), MISUSED)


_FEW = tuple("123456789")  # the values of an option that stand for a number of bots


def parse_house_bots(listed: str) -> tuple[str, ...]:
    """Returns the bots of a comma-separated list such as `easy,hard`. A single digit such as `2` stands for that number
    of bots."""
    return tuple(bot for one in parse_names(listed) for bot in (("normal",) * int(one) if one in _FEW else (one,)))


def parse_names(listed: str) -> tuple[str, ...]:
    """Returns the names of a comma-separated list."""
    return tuple(name.strip() for name in listed.split(",") if name.strip())
