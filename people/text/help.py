"""Writes the pages of `help` from the table of commands, mainly for people who use telnet. PROTOCOL.md describes the
commands in full.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping

from languages import strip_accents
from people.language import N_, _
from people.text.commands import COMMANDS, Command
from people.text.lookup import (
    available_commands,
    commands_by_translation,
    matching_commands,
    short_forms,
    translated_word,
)
from protocol.messages.exchanges import Permission

_WIDTH = 79
ALL = N_("all")
EVERY_DAY = ("open", "join", "legal", "hint", "hand", "cards", "say", "rematch", "review", "help", "quit")
_COLUMN = 25  # the position of the second column, the same as in _FIRST_STEPS

_FIRST_STEPS = N_(
    """\
A first match, line by line:
  hello ann              take the name ann
  open ikasamage 4       open a table for four
  add greedy             put a bot on an empty seat (again for each)
  start                  deal
  legal                  see what you may do; type an action, or its number
Commands may be shortened as far as they stay clear."""
)


def help_page(topic: str, games: Mapping[str, str], without: Collection[str] = ()) -> str:
    """Returns the page for a topic: a command, a game, or an action word of a game. For "" and any other topic, the
    page lists the commands that are not in `without`.

    `games` has for each game id the forms of the game's actions, one row for each form.
    """
    topic = topic.lower()
    if topic in games:
        return _("To act in {game}, type one of these:\n{forms}", game=topic, forms=games[topic])
    lines = topic_help_lines(topic, games, without)
    if lines:
        return "\n".join(lines)
    rows = [_row(usage_line(word, row), _(row.help)) for word, row in commands_on_page(topic, without).items()]
    short = ", ".join(f"{short}={translated_word(word)}" for short, word in short_forms().items())
    more = (
        _("Short: {short}; ? shows {what}.", short=short, what=question_mark_help()),
        _("How to type a game's actions: help GAME ({listed})", listed=", ".join(games)),
        more_help_text(),
    )
    return "\n".join((_(_FIRST_STEPS), "", _("Commands:"), *rows, "", *(textwrap.fill(text, _WIDTH) for text in more)))


def commands_on_page(topic: str, without: Collection[str] = ()) -> dict[str, Command]:
    """Returns the commands that the page on `topic` lists: all commands for `all`, with those of cups and of the
    operator at the end, otherwise the everyday ones."""
    known = available_commands(without)
    if strip_accents(topic) not in (ALL, strip_accents(_(ALL))):
        return {word: known[word] for word in EVERY_DAY if word in known}
    return dict(sorted(known.items(), key=lambda one: _place(one[0])))


def _place(word: str) -> int:
    row = COMMANDS[word]
    return 2 if row.permission is Permission.OPERATOR else 1 if "cup" in f"{row.permission.value} {row.help}" else 0


def more_help_text() -> str:
    """Returns the sentence that says how to list the commands that a page omits."""
    return _("These are the words of every day; help all lists every command, help cup those of cups.")


def question_mark_help() -> str:
    """Returns the description of what `?` shows."""
    return _("what you may do when it is your turn, else this page")


def usage_line(word: str, row: Command) -> str:
    """Returns the usage line of a command: its word in the current language, and its arguments."""
    return f"{translated_word(word)} {_(row.arguments)}".rstrip()


def topic_help_lines(topic: str, games: Mapping[str, str], without: Collection[str] = ()) -> list[str]:
    """Returns the help lines on a command: its usage, its effect and who may use it. For the first word of several
    commands such as `cup`, lists them; for an action word of a game, returns the forms of these actions; for any other
    topic, []."""
    topic = commands_by_translation().get(strip_accents(topic), topic)
    fitting = matching_commands(topic, without)
    if len(fitting) == 1:
        row = COMMANDS[fitting[0]]
        short = _(" Short: {listed}.", listed=", ".join(row.short)) if row.short else ""
        return [
            usage_line(fitting[0], row),
            f"  {_(row.help)}",
            _("  For {asker}.{short}", asker=row.permission.translated_text, short=short),
        ]
    if group := [word for word in COMMANDS if " " in word and topic in (_first(word), _first(translated_word(word)))]:
        rows = [_row(usage_line(word, COMMANDS[word]), _(COMMANDS[word].help)) for word in group]
        return "\n".join(rows).split("\n")
    found: dict[str, list[str]] = {}  # forms of actions, and the ids of the games that have these forms
    for game, forms in games.items():
        fit = [row for row in forms.split("\n") if topic and row.split(" ")[0].lower() == topic]
        if fit:
            found.setdefault("\n".join(fit), []).append(game)
    return [
        line
        for fit_there, names in found.items()
        for line in (_("In {games}:", games=_(" and ").join(names)), *fit_there.split("\n"))
    ]


def _first(said: str) -> str:
    return strip_accents(said).partition(" ")[0]


def _row(typed: str, text: str) -> str:
    """Returns one entry of a list of commands, wrapped at _WIDTH columns, because a terminal would split words."""
    head = f"  {typed:<{_COLUMN - 3}} "
    if len(head) > _COLUMN:
        head = f"  {typed}\n{'':<{_COLUMN}}"
    return head + textwrap.fill(text, _WIDTH - _COLUMN).replace("\n", f"\n{'':<{_COLUMN}}")
