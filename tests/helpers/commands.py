"""The commands of an application, put together once in a process."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

import typer.main

from client.cli.app import app


def keep_commands() -> None:
    """Has typer remember the commands of each application, whose every parameter it would read anew for each line that
    is run. To be called before `typer.testing` is imported."""
    typer.main.get_command = functools.cache(typer.main.get_command)


def commands() -> list[tuple[str, Any]]:
    """Every command and group that people see, with the words that call it; none call `magehall` itself. Those with
    sub-commands of their own come twice: as `magehall --help` lists them, and as they are."""
    found = list(_within(typer.main.get_command(app), ""))
    passed_on = [words for words, command in found if command.context_settings.get("help_option_names") == []]
    for words in passed_on:
        found += _within(typer.main.get_command(importlib.import_module(f"client.cli.{words}").app), words)
    return found


def help_texts() -> Iterator[str]:
    """What their help says, in English."""
    for _words, command in commands():
        yield from (inspect.cleandoc(text) for text in (command.help, command.epilog) if text)
        for param in command.params:
            if not getattr(param, "hidden", False):
                yield from (text for text in (param.help, param.metavar) if text)


def _within(command: Any, words: str) -> Iterator[tuple[str, Any]]:
    yield words, command
    for name, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            yield from _within(one, f"{words} {name}".strip())
