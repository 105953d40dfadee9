"""What several commands take alike: their settings, their arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

SETTINGS = {"help_option_names": ["-h", "--help"]}

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's id, as `magehall games` lists it.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
Host = Annotated[str, typer.Option(metavar="HOST", help="The machine where `magehall serve` runs.")]
Code = Annotated[
    str, typer.Option("--code", metavar="CODE", help="A code of the operator's, which gives the name to you.")
]
Port = Annotated[int, typer.Option(min=1, max=65_535, help="The server's port.")]


def command_group(name: str, help_text: str, epilog: str | None = None) -> typer.Typer:
    """An empty group of commands. Its help is plain: quick, narrow, and the same in a pipe."""
    return typer.Typer(
        name=name,
        help=help_text,
        epilog=epilog,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )
