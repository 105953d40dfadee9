"""Parses entrants of a tournament as people write them: a house bot, a file, a program, or a remote player."""

from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bots.sdk.registry import COMMAND, NoSuchBot, bot_file_path
from client.language import _
from client.processes.limits import MEBIBYTE, ProcessLimits
from client.processes.sandbox import paths_needed_by
from people.text.clocks import parse_clock_rule
from protocol.limits import TABLES_A_PLAYER
from protocol.messages import ClockRule
from protocol.names import is_name, lookalike_key, similar_allowed_name

REMOTE = "remote:"
SETTINGS = ("tables", "clock", "memory", "read", "option.NAME")

_LABEL = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.+)", re.DOTALL)
_NO_LABEL = re.compile(r"([^/.,:=]*)=.+", re.DOTALL)
_SETTING = re.compile(r"(tables|clock|memory|read|option\.\w+)=(.*)", re.DOTALL)


class BadEntrant(ValueError):
    """The text describes no entrant. The error is a sentence that says why."""


@dataclass(frozen=True)
class EntrantSpec:
    """One entrant. Its paths are absolute, because its processes have working directories of their own."""

    bot: str  # the bot as `magehall bot run` takes it; "" for a remote player
    label: str  # the entrant's name in the standings
    remote: str = ""  # the name of a remote player, whose program connects by itself; "" for a bot on this machine
    # most tables at a time, with one process each on this machine; 0: no limit, or 1 for a remote player
    tables: int = 0
    clock: ClockRule | None = None  # the entrant's own clock; None: that of the tournament
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    options: tuple[str, ...] = ()  # options of the bot's class, each as NAME=VALUE
    files: tuple[Path, ...] = ()  # its code, its program, and the files and folders of its setting `read`

    @property
    def is_python(self) -> bool:
        """Whether the entrant is a Python class, which any process on this machine can load."""
        return not self.remote and not self.bot.startswith(COMMAND)

    @property
    def runs_foreign_code(self) -> bool:
        """Whether a process on this machine runs foreign code for it. Named bots are installed like magehall itself,
        and a remote player has no process here."""
        return bool(self.files)

    def readable_paths(self, private: Iterable[Path] = ()) -> list[Path]:
        """Returns the paths that the entrant's process may read in its sandbox. Files in them that are `private` must
        be hidden."""
        return [path for file in self.files for path in ([file] if file.is_dir() else paths_needed_by(file, private))]


def parse_entrant(text: str) -> EntrantSpec:
    """Parses `[LABEL=]BOT[,SETTING=VALUE]...`, where BOT is a name, `path.py:Class`, `cmd:program and its arguments` or
    `remote:NAME`. Raises BadEntrant.

    Settings are separated by commas, because shells leave commas alone and few file names contain them. They come after
    the bot. A program's arguments may contain commas and equals signs, so only those parts at the end of the text count
    that begin with the name of a setting.
    """
    found = _LABEL.fullmatch(text)
    label, rest = (found[1], found[2]) if found else ("", text)
    if not found and (other := _NO_LABEL.fullmatch(text)):
        raise BadEntrant(
            _(
                "{label!r} is not a label. A label has ASCII letters, digits, - and _, and begins with a letter.",
                label=other[1],
            )
        )
    bot, settings = _parted(rest)
    if bot.startswith(REMOTE):
        name = bot.removeprefix(REMOTE)
        if not is_name(name):
            raise BadEntrant(_("{name!r} is not a valid player name.", name=name))
        spec = EntrantSpec("", label or name, remote=name)
    elif bot.startswith(COMMAND):
        spec = _program(bot.removeprefix(COMMAND), label)
    else:
        spec = _python(bot, label)
    for word, value in settings:
        spec = _with(spec, word, value)
    return spec


def _parted(text: str) -> tuple[str, list[tuple[str, str]]]:
    bot, *parts = text.split(",")
    if bot.startswith(COMMAND):
        first = len(parts)
        while first and _SETTING.fullmatch(parts[first - 1]):
            first -= 1
        bot, parts = ",".join([bot, *parts[:first]]), parts[first:]
    settings = []
    for part in parts:
        found = _SETTING.fullmatch(part)
        if found is None:
            raise BadEntrant(
                _(
                    "{part!r} is not a setting of an entrant. The settings are: {listed}, as in tables=2.",
                    part=part,
                    listed=", ".join(SETTINGS),
                )
            )
        settings.append((found[1], found[2]))
    return bot, settings


def _python(bot: str, label: str) -> EntrantSpec:
    try:
        file = bot_file_path(bot)
    except NoSuchBot as error:
        raise BadEntrant(str(error)) from None
    if file is None:
        return EntrantSpec(bot, label or bot)
    kind = bot.rpartition(":")[2]
    if not kind:
        raise BadEntrant(_("{bot!r} names no class. Write a bot in a file as path.py:Class.", bot=bot))
    file = file.resolve()  # the sandbox contains the folder of the real file, but no links to it
    return EntrantSpec(f"{file}:{kind}", label or kind, files=(file,))


def _program(command: str, label: str) -> EntrantSpec:
    """Returns the entrant of a command line. Words that are paths of existing files become absolute."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadEntrant(f"{command!r}: {error}.") from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise BadEntrant(_("There is no program {words!r} to run.", words=words[0] if words else ""))
    files = [Path(program).absolute(), *(Path(word).absolute() for word in words[1:] if Path(word).is_file())]
    words = [str(files[0]), *(str(Path(word).absolute()) if Path(word).is_file() else word for word in words[1:])]
    return EntrantSpec(COMMAND + shlex.join(words), label or files[-1].stem, files=tuple(files))


def _with(spec: EntrantSpec, word: str, value: str) -> EntrantSpec:
    match word:
        case "tables":
            return replace(spec, tables=_number(word, value, TABLES_A_PLAYER))
        case "clock":
            try:
                return replace(spec, clock=parse_clock_rule(value))
            except ValueError as error:
                raise BadEntrant(str(error)) from None
        case "memory":
            return replace(spec, limits=ProcessLimits(memory=_number(word, value, 1 << 20) * MEBIBYTE))
        case "read":
            if not Path(value).exists():
                raise BadEntrant(_("There is no file or folder {value!r} to read.", value=value))
            return replace(spec, files=(*spec.files, Path(value).absolute()))
        case _:
            return replace(spec, options=(*spec.options, f"{word.removeprefix('option.')}={value}"))


def _number(word: str, value: str, most: int) -> int:
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= most):
        raise BadEntrant(
            _("{word}= takes a number from 1 to {most}, not {value!r}.", word=word, most=most, value=value)
        )
    return int(value)


def entrant_labels(specs: Sequence[EntrantSpec]) -> list[str]:
    """Returns the names of the entrants in the standings: their labels, with numbers where two are equal."""
    count = Counter(spec.label for spec in specs)
    seen: Counter[str] = Counter()
    labels = []
    for spec in specs:
        seen[spec.label] += 1
        labels.append(spec.label if count[spec.label] == 1 else f"{spec.label}#{seen[spec.label]}")
    return labels


def player_names(labels: list[str], each: int, elsewhere: Iterable[str] = ()) -> list[list[str]]:
    """Returns, for each entrant, the names of `each` players at the server. No two names look alike, and none looks
    like the name of a house bot or a remote player."""
    taken = set(map(lookalike_key, elsewhere))
    names: list[list[str]] = []
    for label in labels:
        base = similar_allowed_name(label)[:10].rstrip("-_") or "bot"
        own: list[str] = []
        number = 0
        while len(own) < each:
            number += 1
            name = f"p{number}-{base}"
            if lookalike_key(name) not in taken:
                taken.add(lookalike_key(name))
                own.append(name)
        names.append(own)
    return names
