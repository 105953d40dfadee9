"""Shows a command's help in the user's language."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup

from client.cli.usage_errors import reraise_usage_error
from client.language import N_, _
from languages import language_code, set_default_language

# most characters of a command's sentence in a list of commands; click would otherwise cut it at one line
A_SENTENCE = 1_000
_OF_TYPER = (N_("[OPTIONS]"), N_("COMMAND [ARGS]..."), N_("Show this message and exit."))
_A_NUMBER = re.compile(r"(int|integer|float)( range)?")  # typer's words for the type of a parameter
# begins the help of a parameter that explains its default value, because a value such as 0 would mean nothing
_SAYS_DEFAULT = "Default: "
_EXTRA = re.compile(r"  \[[^]]*\]$")  # what typer appends to a parameter's help, such as `  [required]`


class LocalizedCommand(TyperCommand):
    """A command with translated help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _hear_language(self, args)
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _write_usage(self, ctx, formatter)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _write_help(self, ctx, formatter)


class LocalizedGroup(TyperGroup):
    """A group of commands with translated help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _hear_language(self, args)
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            reraise_usage_error(error)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            reraise_usage_error(error)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        _write_usage(self, ctx, formatter)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _write_help(self, ctx, formatter)


def _hear_language(command: Any, args: list[str]) -> None:
    """Sets the language from --lang, at any place in the arguments, before any output. An unknown language is refused
    later."""
    if any("--lang" in param.opts for param in command.params):
        for word, after in zip(args, [*args[1:], ""], strict=False):
            option, _sign, value = word.partition("=")
            if option == "--lang" and (spoken := language_code(value or after)):
                set_default_language(spoken)


def _write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    pieces = _translated(command).collect_usage_pieces(ctx)
    formatter.write_usage(ctx.command_path, " ".join(pieces), _("Usage: "))


def _write_help(command: Any, ctx: Any, formatter: Any) -> None:
    told = _translated(command)
    command.format_usage(ctx, formatter)
    told.format_help_text(ctx, formatter)
    rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": [], "command": []}
    for param in told.get_params(ctx):
        if record := param.get_help_record(ctx):
            rows[param.param_type_name].append((record[0], _EXTRA.sub(_extra, _(record[1]))))
    shown = {name: one for name, one in getattr(command, "commands", {}).items() if not one.hidden}
    rows["command"] = [(name, _translated(one).get_short_help_str(A_SENTENCE)) for name, one in shown.items()]
    for title, kind in ((_("Arguments"), "argument"), (_("Options"), "option"), (_("Commands"), "command")):
        if rows[kind]:
            with formatter.section(title):
                formatter.write_dl(rows[kind], col_max=min(30, formatter.width // 2))
    told.epilog = told.epilog and "\n".join(_rows(told.epilog, formatter.width - len("  ")))
    told.format_epilog(ctx, formatter)


def _rows(examples: str, width: int) -> Iterator[str]:
    """Yields the lines of a help page's examples. If one is too wide, its explanation goes below the command, and no
    word is split."""
    for line in examples.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        typed, gap, text = line.strip().partition("  ")
        if len(line) <= width:
            yield line
            continue
        yield from textwrap.wrap(typed, width, initial_indent=indent, subsequent_indent=f"{indent}    ")
        if gap:
            inner = f"{indent}    "
            yield from textwrap.wrap(text.strip(), width, initial_indent=inner, subsequent_indent=inner)


def _translated(command: Any) -> Any:
    """Returns a copy of the command whose help texts are translated."""
    told = copy(command)
    for texts in ("help", "epilog", "options_metavar", "subcommand_metavar"):
        if text := getattr(told, texts, None):
            setattr(told, texts, _(inspect.cleandoc(text)))
    told.params = [copy(param) for param in command.params]
    for param in told.params:
        if _SAYS_DEFAULT in (param.help or ""):
            param.show_default = False
        param.help = _(param.help or "")
        if param.metavar:
            param.metavar = _(param.metavar)
        elif _A_NUMBER.fullmatch(param.type.name):
            param.metavar = "N"
    return told


def _extra(found: re.Match[str]) -> str:
    said = found[0].replace("default: ", _("default: ")).replace("required", _("required"))
    return said.replace("; ", _("; "))
