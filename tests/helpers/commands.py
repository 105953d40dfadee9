"""The commands of an application, put together once in a process."""

from __future__ import annotations

import functools

import typer.main


def keep_commands() -> None:
    """Has typer remember the commands of each application, whose every parameter it would read anew for each line that
    is run. To be called before `typer.testing` is imported."""
    typer.main.get_command = functools.cache(typer.main.get_command)
