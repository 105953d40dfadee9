"""Shows typer's usage errors in the user's language."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NoReturn

from client.language import N_, _

_SENTENCES = {  # typer's messages and our sentences for them; of messages that begin alike, the longer one is first
    "No such option: {what} (Possible options: {like})": N_("There is no option {what}. Do you mean {like}?"),
    "No such option: {what}": N_("There is no option {what}."),
    "No such command {what}. Did you mean {like}?": N_("There is no command {what}. Do you mean {like}?"),
    "No such command {what}.": N_("There is no command {what}."),
    "Missing command.": N_("Say which command."),
    "Missing argument {what}.": N_("{what} is missing."),
    "Missing option {what}.": N_("{what} is missing."),
    "Option {what} requires an argument.": N_("{what} needs a value."),
    "Option {what} does not take a value.": N_("{what} takes no value."),
    "Got unexpected extra argument(s) ({what})": N_("Unexpected argument: {what}"),
    "Got unexpected extra argument ({what})": N_("Unexpected argument: {what}"),
    "Got unexpected extra arguments ({what})": N_("Unexpected argument: {what}"),
    "Invalid value for {what}: {why}": N_("{what}: {why}"),
    "Invalid value: {why}": "{why}",
    "{what} is not a valid int.": N_("{what} is not a whole number."),
    "{what} is not a valid int range.": N_("{what} is not a whole number."),
    "{what} is not a valid integer.": N_("{what} is not a whole number."),
    "{what} is not a valid integer range.": N_("{what} is not a whole number."),
    "{what} is not a valid float.": N_("{what} is not a number."),
    "{what} is not a valid float range.": N_("{what} is not a number."),
    "{what} is not in the range {range}.": N_("{what} is not within {range}."),
    "File {what} does not exist.": N_("There is no file {what}."),
    "Directory {what} does not exist.": N_("There is no folder {what}."),
    "File {what} is a directory.": N_("{what} is a folder."),
    "Directory {what} is a file.": N_("{what} is not a folder."),
}


def reraise_usage_error(error: Exception) -> NoReturn:
    """Raises the error again. If it is a usage error, typer then shows it with our sentence."""
    # that error's text is the help page
    if hasattr(error, "format_message") and type(error).__name__ != "NoArgsIsHelpError":
        error.show = partial(_show, error)  # type: ignore[attr-defined]
    raise error


def _show(error: Any, _file: Any = None) -> None:
    lines = [_("Error: {text}", text=translate_message(error.format_message()))]
    if (ctx := getattr(error, "ctx", None)) is not None:
        lines[:0] = [ctx.get_usage(), _("Try '{command} -h' for help.", command=ctx.command_path), ""]
    from bots.sdk.stderr import print_to_stderr  # a slow import, and most commands succeed

    print_to_stderr("\n".join(lines))


def translate_message(text: str) -> str:
    """Returns our translated sentence for one of typer's messages; any other text unchanged."""
    for theirs, ours in _SENTENCES.items():
        if found := re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(theirs)), text, re.DOTALL):
            fields = found.groupdict()
            why = {"why": translate_message(fields["why"])} if "why" in fields else {}
            return _(ours, **(fields | why | {"what": _name(fields.get("what", ""))}))
    return text


def _name(quoted: str) -> str:
    """Returns the name of an argument as the usage line writes it."""
    name = quoted.strip("'")
    return quoted.replace(name, _(name)) if name else ""
