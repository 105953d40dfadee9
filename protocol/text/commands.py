"""The table of commands: each has its word, arguments, help, short forms and request here, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from protocol import messages as m
from protocol.errors import Refusal
from protocol.exchanges import EXCHANGES, Asker
from protocol.messages.parts import Map
from protocol.text.rules import CONTENTS
from protocol.text.where import Memory, Where

NUMBER = re.compile(r"[0-9]{1,9}")


class Arguments:
    """The words after a command, and where it was typed. Raises Refusal if something needed is missing."""

    def __init__(self, rest: str, where: Where, memory: Memory) -> None:
        self.rest, self.where, self.memory = rest, where, memory
        self.words = [word for word in rest.split(" ") if word]
        self.one, self.two = (*self.words, "", "")[:2]
        self.after_one = rest[len(self.one) :].strip(" ")

    def here(self) -> Map:
        """The current table."""
        if not self.where.table:
            raise Refusal("not_seated", "You are at no table; open, join or watch one.")
        return {"table": self.where.table}

    def game(self) -> str:
        """The game of the current table, or the only game there is."""
        if self.where.game:
            return self.where.game
        if len(self.where.games) == 1:
            return next(iter(self.where.games))
        raise Refusal("missing_field", f"Say which game: {', '.join(self.where.games)}.")

    def table(self, state: str) -> str:
        """The table that is named, or else the only one in that state."""
        fitting = [self.one] if self.one else self.where.tables(state)
        if not fitting:
            raise Refusal("missing_field", f"No table is {state} now; tables lists all.")
        if len(fitting) > 1:
            raise Refusal("missing_field", f"Say which table: {', '.join(fitting[:9])}.")
        return fitting[0]


def need(word: str, what: str) -> str:
    """The word; if it is missing, a Refusal that says what to add."""
    if not word:
        raise Refusal("missing_field", f"Add {what}.")
    return word


def number(word: str, what: str) -> int:
    """The word as a number."""
    if not NUMBER.fullmatch(word):
        raise Refusal("bad_number", f"Expected {what}, a whole number.")
    return int(word)


# -- what the requests hold --------------------------------------------------------------------------------------------


def _nothing(_said: Arguments) -> Map:
    return {}


def _after(said: Arguments) -> Map:
    return {"after": said.one}


def _cards(said: Arguments) -> Map:
    if said.one in said.where.games:
        return {"game": said.one, "name": said.after_one}
    return {"game": said.game(), "name": said.rest}


def _rules(said: Arguments) -> Map:
    if said.one in said.where.games:
        return {"game": said.one, "about": said.after_one or CONTENTS}
    return {"game": said.game(), "about": said.rest or CONTENTS}


def _open(said: Arguments) -> Map:
    game = need(said.one, "a game; games lists them")
    seats, options = 0, {}
    for word in said.words[1:]:
        key, equals, value = word.partition("=")
        if equals:
            options[key] = _option_value(value)
        else:
            seats = number(word, "a number of seats")
    return {"game": game, "seats": seats, "options": options}


def _option_value(word: str) -> Any:
    """A typed option's value: true or false, a whole number or a word."""
    if word in ("true", "on", "yes"):
        return True
    if word in ("false", "off", "no"):
        return False
    return int(word) if NUMBER.fullmatch(word) else word


def _enter(said: Arguments) -> Map:
    tables = number((said.two or "1").removeprefix("tables="), "a number of tables")
    return {**_cup(said), "tables": tables, "nonce": said.where.nonce}


def _join(said: Arguments) -> Map:
    return {"table": said.table("open"), "seat": number(said.two or "0", "a seat"), "nonce": said.where.nonce}


def _start(said: Arguments) -> Map:
    return {**said.here(), "nonce": said.where.nonce}


def _why(said: Arguments) -> Map:
    decision = said.where.decision()
    if decision is None:
        raise Refusal("not_your_turn")
    if NUMBER.fullmatch(said.rest) and 1 <= int(said.rest) <= decision.choices:
        return {**said.here(), "action": decision.listed(int(said.rest) - 1)}
    return {**said.here(), "action": decision.read(need(said.rest, "an action"))[0]}


def _say(said: Arguments) -> Map:
    return {"text": need(said.rest, "something to say"), "table": said.where.table}


def _tell(said: Arguments) -> Map:
    return {"to": need(said.one, "a name"), "text": need(said.after_one, "a text")}


def _reply(said: Arguments) -> Map:
    to = said.memory.whisperer
    if not to:
        raise Refusal("no_such_player", "Nobody has told you anything yet.")
    return {"to": to, "text": need(said.rest, f"what to say to {to}")}


def _kick(said: Arguments) -> Map:
    return {"player": need(said.one, "a name"), "table": said.two or said.here()["table"]}


def _mute(said: Arguments) -> Map:
    return {"player": need(said.one, "a name"), "table": "" if said.two == "all" else said.two or said.where.table}


def _cup(said: Arguments) -> Map:
    return {"cup": need(said.one, "a cup; cups lists them")}


def _cup_open(said: Arguments) -> Map:
    fields: Map = {"cup": need(said.one, "a name for the cup"), "game": need(said.two, "a game; games lists them")}
    options = {}
    for word in said.words[2:]:
        key, equals, value = word.partition("=")
        if key in ("format", "deals"):
            fields[key] = value
        elif key == "rounds":
            fields[key] = number(value, "a number of rounds")
        elif equals:
            options[key] = _option_value(value)
        else:
            fields["seats"] = number(word, "a number of seats")
    return {**fields, "options": options}


def _replace(said: Arguments) -> Map:
    entrant, player = (*said.after_one.split(), "", "")[:2]
    return {
        **_cup(said),
        "entrant": need(entrant, "an entrant"),
        "player": need(player, "who plays for it from now on"),
    }


# -- what is answered without a request --------------------------------------------------------------------------------


def _brief(said: Arguments) -> str:
    said.memory.brief = said.one != "off"
    return "The board is left out when it is your turn; look shows it." if said.memory.brief else "Board on."


def _aim(said: Arguments) -> str:
    if not said.where.aim:
        raise Refusal("not_seated", "You are at no table; rules GAME tells all about a game.")
    return said.where.aim


def _hint(said: Arguments) -> str:
    hint = said.where.hint()
    if not hint:
        raise Refusal("not_your_turn")
    return hint


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command. `means` gives the fields of its request or, if it has no request, the sentence that answers it."""

    arguments: str
    help: str
    request: type[m.Request] | None
    means: Callable[[Arguments], Map | str] = _nothing
    short: tuple[str, ...] = ()
    asks_once: str = ""  # said the first time it is typed; only the second time it is done

    @property
    def asker(self) -> Asker:
        """Who may say it."""
        return EXCHANGES[self.request].asker if self.request else Asker.ANYBODY


COMMANDS: dict[str, Command] = {
    "hello": Command(
        "NAME [CODE]",
        "take a name, or come back to yours with the code you were given",
        m.Hello,
        lambda said: {"name": need(said.one, "a name"), "code": said.two, "client": "text"},
    ),
    "help": Command(
        "[COMMAND|GAME]",
        "this page, one command, or how to type a game's actions",
        m.Help,
        lambda said: {"topic": " ".join(said.words)},
        short=("h",),
    ),
    "games": Command("", "the games here", m.Games),
    "rules": Command(
        "[GAME] [NUMBER|WORD]", "a game's rules: contents, a section, or what mentions a word", m.Rules, _rules
    ),
    "cards": Command("GAME [NAME]", "a game's cards, or those whose name begins with NAME", m.Cards, _cards),
    "who": Command("[NAME]", "who is here, from after that name", m.Who, _after, short=("w",)),
    "stats": Command(
        "[NAME]", "how your matches here came out, or somebody else's", m.Stats, lambda said: {"name": said.one}
    ),
    "tables": Command("[TABLE]", "the tables, from after that one", m.Tables, _after),
    "open": Command("GAME [SEATS] [OPTION=VALUE ...]", "open a table and take its first seat", m.Open, _open),
    "join": Command("[TABLE [SEAT]]", "take a seat at an open table", m.Join, _join),
    "bots": Command("[GAME]", "the bots that can be added", m.Bots, lambda said: {"game": said.one or said.where.game}),
    "add": Command(
        "BOT",
        "put a bot on the next empty seat of your table",
        m.Add,
        lambda said: {**said.here(), "bot": need(said.one, "a bot; bots lists them")},
    ),
    "start": Command("", "start the match, once every seat is taken", m.Start, _start),
    "watch": Command("[TABLE]", "see a match as a spectator", m.Watch, lambda said: {"table": said.table("playing")}),
    "look": Command(
        "[TABLE]",
        "show the table again, or turn to another one of yours",
        m.Look,
        lambda said: {"table": said.one} if said.one else said.here(),
        short=("l",),
    ),
    "legal": Command("", "list what you may do now, numbered; a number does it", m.Legal, Arguments.here),
    "why": Command("ACTION|NUMBER", "say what an action would do, or why it is not legal", m.Why, _why),
    "hint": Command("", "what a house bot would do in your place", None, _hint),
    "aim": Command("", "what the game is about, in two lines", None, _aim),
    "clock": Command("", "all clocks", m.Clock, Arguments.here, short=("k",)),
    "log": Command(
        "[N]",
        "what you were told so far, from after message N",
        m.Log,
        lambda said: {**said.here(), "after": number(said.one or "0", "a message number")},
    ),
    "replay": Command(
        "[TABLE [N]]",
        "a finished match as the lines of a file, from after line N",
        m.Replay,
        lambda said: {
            "table": said.one or said.here()["table"],
            "after": number(said.two or "0", "a line number"),
        },
    ),
    "say": Command(
        "TEXT", "talk to your table, or to all who are here if you have none", m.Say, _say, short=("s", "'")
    ),
    "tell": Command("NAME TEXT", "talk to one player", m.Tell, _tell, short=("t",)),
    "reply": Command("TEXT", "answer whoever told you something last", m.Tell, _reply, short=("/r",)),
    "kick": Command(
        "NAME [TABLE]", "send a player away from your table, before the match, or a spectator", m.Kick, _kick
    ),
    "mute": Command("NAME [TABLE|all]", "let nobody hear what that player says at your table", m.Mute, _mute),
    "unmute": Command(
        "NAME [TABLE|all]", "let that player be heard again", m.Mute, lambda said: {**_mute(said), "off": True}
    ),
    "close": Command(
        "[TABLE]",
        "end your table; a running match is aborted, if nobody else plays in it",
        m.Close,
        lambda said: {"table": said.one} if said.one else said.here(),
    ),
    "operator": Command(
        "WORD",
        "kick, mute and close anywhere, with the word that the server printed",
        m.Operator,
        lambda said: {"word": need(said.one, "the operator's word")},
    ),
    "cups": Command("", "the cups here", m.Cups),
    "cup show": Command("CUP", "a cup: who takes part, how far it is", m.Cup, _cup),
    "cup open": Command(
        "CUP GAME [SEATS] [rounds=N] [format=F] [deals=D] [OPTION=VALUE ...]",
        "open a cup, which anybody may enter; F is round_robin, gauntlet, swiss or knockout, D fresh or duplicate",
        m.CupOpen,
        _cup_open,
        short=("cup create",),
    ),
    "cup invite": Command(
        "CUP NAME",
        "tell a player that your cup waits for them",
        m.CupInvite,
        lambda said: {**_cup(said), "player": need(said.two, "a name")},
    ),
    "cup start": Command("CUP", "start your cup, or have it go on", m.CupStart, _cup),
    "cup pause": Command("CUP", "begin no new match of your cup", m.CupPause, _cup),
    "cup stop": Command("CUP", "end your cup for good", m.CupStop, _cup),
    "cup replace": Command(
        "CUP ENTRANT NAME", "have another player play for that entrant from now on", m.CupReplace, _replace
    ),
    "enter": Command("CUP [TABLES]", "take part in a cup, at so many tables at once", m.CupEnter, _enter),
    "cup drop": Command("CUP", "leave a cup; a house bot plays on", m.CupDrop, _cup),
    "standings": Command("CUP", "who is best in a cup so far", m.Standings, _cup),
    "follow": Command("CUP", "be told of a cup's results, and watch its matches", m.Follow, _cup),
    "unfollow": Command("CUP", "no longer", m.Follow, lambda said: {**_cup(said), "off": True}),
    "brief": Command("on|off", "leave the board out when it is your turn", None, _brief),
    "resign": Command(
        "",
        "give the match up; a house bot plays on",
        m.Resign,
        Arguments.here,
        asks_once="You would be placed last, and a house bot plays on. Type resign again to give the match up.",
    ),
    "leave": Command("", "leave the table", m.Leave, Arguments.here),
    "ping": Command("", "ask for a sign of life", m.Ping),
    "quit": Command("", "say goodbye", m.Quit, short=("q", "exit", "bye")),
}


def commands(*, says_hello: bool = True) -> dict[str, Command]:
    """All commands, without `hello` if a program has said it already."""
    return {word: row for word, row in COMMANDS.items() if says_hello or row.asker is not Asker.STRANGER}


def commands_of(word: str, *, says_hello: bool = True) -> list[str]:
    """The command of that name, or else those that begin with it."""
    return list(_commands_of(word, says_hello, tuple(COMMANDS)))


@lru_cache(maxsize=256)  # most lines begin with one of a few words
def _commands_of(word: str, says_hello: bool, words: tuple[str, ...]) -> tuple[str, ...]:
    known = [name for name in words if says_hello or COMMANDS[name].asker is not Asker.STRANGER]
    return (word,) if word in known else tuple(name for name in known if word and name.startswith(word))


def short_forms() -> dict[str, str]:
    """Each letter or word that stands for a command."""
    return _short_forms(tuple(COMMANDS))


@lru_cache(maxsize=2)  # every typed line asks for them
def _short_forms(words: tuple[str, ...]) -> dict[str, str]:
    return {short: word for word in words for short in COMMANDS[word].short}


def split(line: str) -> tuple[str, str]:
    """The command's word, or its two words, in lower case, and what follows."""
    first, _, rest = line.partition(" ")
    second, _, more = rest.strip(" ").partition(" ")
    first, two = first.lower(), f"{first} {second}".lower()
    if second and any(word.startswith(f"{first} ") for word in COMMANDS):
        return short_forms().get(two, two), more.strip(" ")
    return first, rest.strip(" ")


def full_word(word: str) -> str:
    """The word as it is looked up: without a leading slash, and written out if it is a short form."""
    short, word = short_forms(), word.lower()
    bare = word.removeprefix("/")
    return short.get(word) or short.get(bare, bare)


def is_too_long(command: str, rest: str) -> bool:
    """Whether more words follow than the command takes; the same word may then be meant as a game's action."""
    return len(rest.split()) > len(COMMANDS[command].arguments.split())
