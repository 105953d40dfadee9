"""What `help` says, to people on a telnet line first of all. One row a command; PROTOCOL.md has the rest."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

# command: (arguments, what it does)
COMMANDS: dict[str, tuple[str, str]] = {
    "hello": ("NAME [CODE]", "take a name, or come back to yours with the code you were given"),
    "help": ("[COMMAND|GAME]", "this page, one command, or how to type a game's actions"),
    "games": ("", "the games here"),
    "rules": ("GAME", "a game's rules"),
    "cards": ("GAME [NAME]", "a game's cards, or one of them"),
    "who": ("", "who is here"),
    "tables": ("", "the tables"),
    "open": ("GAME [SEATS] [OPTION=VALUE ...]", "open a table and take its first seat"),
    "join": ("[TABLE [SEAT]]", "take a seat at an open table"),
    "bots": ("[GAME]", "the bots that can be added"),
    "add": ("BOT", "put a bot on the next empty seat of your table"),
    "start": ("", "start the match, once every seat is taken"),
    "watch": ("[TABLE]", "see a match as a spectator"),
    "look": ("[TABLE]", "show the table again, or turn to another one of yours"),
    "legal": ("", "list what you may do now, numbered; a number does it"),
    "why": ("ACTION", "say whether an action would be legal, and if not, why"),
    "clock": ("", "all clocks"),
    "log": ("[N]", "what you were told so far, from after message N"),
    "say": ("TEXT", "talk to your table, or to all who are here if you have none"),
    "tell": ("NAME TEXT", "talk to one player"),
    "brief": ("on|off", "leave the board out when it is your turn"),
    "resign": ("", "give the match up; a house bot plays on"),
    "leave": ("", "leave the table"),
    "ping": ("", "ask for a sign of life"),
    "quit": ("", "say goodbye"),
}

_WIDTH = 79
_COLUMN = 25  # where the second column begins, as in the first steps

_FIRST_STEPS = """\
A first match, line by line:
  hello ann              take the name ann
  open ikasamage 4       open a table for four
  add greedy             put a bot on an empty seat (again for each)
  start                  deal
  legal                  see what you may do; type an action, or its number
Commands may be shortened as far as they stay clear."""


def is_too_long(command: str, words: int) -> bool:
    """Whether the command takes fewer words than follow it; a game with the same word may mean an action then."""
    return words > len(COMMANDS[command][0].split())


def help_page(topic: str, games: Mapping[str, str]) -> str:
    """The page for a command, a game or, with "", all commands. Unknown topics get the whole page."""
    topic = topic.lower()
    if topic in games:
        return f"To act in {topic}, type one of these:\n{games[topic]}"
    if topic in COMMANDS:
        arguments, text = COMMANDS[topic]
        return f"{topic} {arguments}".rstrip() + f"\n  {text}"
    rows = [_row(f"{name} {arguments}".rstrip(), text) for name, (arguments, text) in COMMANDS.items()]
    more = textwrap.fill(f"How to type a game's actions: help GAME ({', '.join(games)})", _WIDTH)
    return "\n".join((_FIRST_STEPS, "", "Commands:", *rows, "", more))


def _row(usage: str, text: str) -> str:
    """A terminal would break a long line in the middle of a word."""
    head = f"  {usage:<{_COLUMN - 3}} "
    if len(head) > _COLUMN:
        head = f"  {usage}\n{'':<{_COLUMN}}"
    return head + textwrap.fill(text, _WIDTH - _COLUMN).replace("\n", f"\n{'':<{_COLUMN}}")
