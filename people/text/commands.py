"""The table of all typed commands: for each of them its word, arguments, help text, short forms and request. No other
module defines a command. Also the texts of the answers to these requests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from unicodedata import normalize

from people.language import N_, _
from people.text.arguments import (
    NO,
    NUMBER,
    YES,
    Arguments,
    parse_number,
    parse_switch,
    parse_yes_or_no,
    require_word,
    resolve_game_id,
)
from people.text.clocks import parse_clock_rule
from people.text.folding import COLUMNS, LEAST_COLUMNS, MOST_COLUMNS
from people.text.listings import cup_line, entrant_lines, player_line, sort_tables, table_line
from people.text.rules import CONTENTS
from people.text.sentences import (
    LONG_CLOCK,
    SAYS,
    Named,
    card_lines,
    ending_lines,
    name_at,
    open_hands_text,
    register_lines,
    standings_lines,
)
from people.text.stats import stats_lines
from people.text.times import format_minutes, parse_delay, parse_seconds
from protocol import limits
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.exchanges import EXCHANGES, Permission
from protocol.messages.parts import ClockRule, Map

# -- functions that return the fields of a command's request -----------------------------------------------------------


def _nothing(_said: Arguments) -> Map:
    return {}


def _who(said: Arguments) -> Map:
    if said.one == "after":
        return {"after": require_word(said.two, _("a name"))}
    return {"name": said.one} if said.one else {}


def _tables(said: Arguments) -> Map:
    if said.one == "finished":
        return {"which": "finished", "after": said.words[-1] if said.two else ""}
    if said.one == "after":
        return {"which": "current", "after": require_word(said.two, _("a table"))}
    return {"table": said.one} if said.one else {"which": "current"}


def _cards(said: Arguments) -> Map:
    if said.one in said.where.games:
        return {"game": said.one, "name": said.after_one}
    return {"game": said.game_id(), "name": said.rest}


def _rules(said: Arguments) -> Map:
    if said.one in said.where.games:
        return {"game": said.one, "about": said.after_one or CONTENTS}
    return {"game": said.game_id(), "about": said.rest or CONTENTS}


def _open(said: Arguments) -> Map:
    game = resolve_game_id(require_word(said.one, _("a game; games lists them")), said.where)
    seats, options, delay = 0, {}, 0
    for word in said.after_one.replace("--delay ", "delay=").split():
        key, equals, value = word.removeprefix("--").partition("=")
        if key == "delay":
            delay = _delay(value)
        elif equals:
            options[key] = _option_value(value)
        else:
            seats = parse_number(word, _("a number of seats"))
    return {"game": game, "seats": seats, "options": options, "delay": delay}


def _clock(word: str) -> ClockRule:
    try:
        return parse_clock_rule(word)
    except ValueError as error:
        raise Refusal("bad_number", str(error)) from None


def _delay(word: str) -> int:
    try:
        return parse_delay(word)
    except ValueError as error:
        raise Refusal("bad_number", str(error)) from None


def _option_value(word: str) -> Any:
    """Returns the value of an option of a game as it was typed: true or false, a whole number or a word."""
    if word in YES or word in NO:
        return word in YES
    return int(word) if NUMBER.fullmatch(word) else word


def _enter(said: Arguments) -> Map:
    tables = parse_number((said.two or "1").removeprefix("tables="), _("a number of tables"))
    return {**_cup(said), "tables": tables, "nonce": said.where.nonce}


def _join(said: Arguments) -> Map | str:
    table = said.table_id("open")
    seat, delay = parse_number(said.two or "0", _("a seat")), said.where.delay(table)
    if delay and said.memory.agrees != (table, delay):
        said.memory.note_delay_warning(table, delay)
        return _("{warned} Join once more to agree.", warned=open_hands_text(table, delay))
    return {"table": table, "seat": seat, "nonce": said.where.nonce, "delay": delay}


def _add(said: Arguments) -> Map:
    return {
        **said.table_field(),
        "bot": require_word(said.one, _("a bot; bots lists them")),
        "seat": parse_number(said.two or "0", _("a seat")),
    }


def _start(said: Arguments) -> Map:
    return {**said.table_field(), "nonce": said.where.nonce}


def _why(said: Arguments) -> Map:
    decision = said.where.decision()
    if decision is None:
        raise said.where.turn_refusal()
    if NUMBER.fullmatch(said.rest):
        return {**said.table_field(), "action": decision.action_numbered(said.rest)}
    return {**said.table_field(), "action": decision.read(require_word(said.rest, _("an action")))[0]}


def _say(said: Arguments) -> Map:
    return {"text": require_word(said.rest, _("something to say")), "table": said.where.table}


def _tell(said: Arguments) -> Map:
    return {"to": require_word(said.one, _("a name")), "text": require_word(said.after_one, _("a text"))}


def _reply(said: Arguments) -> Map:
    to = said.memory.whisperer
    if not to:
        raise Refusal("no_such_player", _("Nobody has told you anything yet."))
    return {"to": to, "text": require_word(said.rest, _("what to say to {to}", to=to))}


def _lobby(said: Arguments) -> Map:
    if said.one not in ("", "on", "off", "auto"):
        raise Refusal("bad_field", _("Type lobby on, lobby off or lobby auto."))
    return {"hear": said.one}


def _kick(said: Arguments) -> Map:
    player = require_word(said.one, _("a name"))
    table, rest = said.two, said.after_one.partition(" ")[2].strip(" ")
    if not (table == "all" or _TABLE.fullmatch(table)):
        table, rest = said.table_field()["table"], said.after_one
    return {"player": player, "table": "" if table == "all" else table, **({"reason": rest} if rest else {})}


def _ban(said: Arguments) -> Map:
    seconds, reason = 0, said.after_one
    try:
        seconds = parse_seconds(said.two)
        reason = reason.partition(" ")[2].strip(" ")
    except ValueError:
        pass  # there is no time, so this word begins the reason
    return {"player": require_word(said.one, _("a name or an address")), "seconds": seconds, "reason": reason}


_TABLE = re.compile(r"t[0-9]{1,15}")


def _mute(said: Arguments) -> Map:
    return {
        "player": require_word(said.one, _("a name")),
        "table": "" if said.two == "all" else said.two or said.where.table,
    }


def _password(said: Arguments) -> Map:
    word = require_word(said.one, _("a password, or off"))
    return {"off": True} if word.lower() == "off" else {"word": word}


def _cup(said: Arguments) -> Map:
    return {"cup": require_word(said.one, _("a cup; cups lists them"))}


def _agree(said: Arguments) -> Map:
    if said.one not in ("cups", "off"):
        raise Refusal("bad_field", _("Type agree cups or agree off."))
    return {"off": said.one == "off"}


def _cup_open(said: Arguments) -> Map:
    fields: Map = {
        "cup": require_word(said.one, _("a name for the cup")),
        "game": resolve_game_id(require_word(said.two, _("a game; games lists them")), said.where),
    }
    options = {}
    for word in said.words[2:]:
        key, equals, value = word.partition("=")
        if key in ("format", "deals", "rank_by"):
            fields[key] = value
        elif key == "rounds":
            fields[key] = parse_number(value, _("a number of rounds"))
        elif key == "clock":
            fields[key] = _clock(value)
        elif key == "late_entry":
            fields[key] = parse_yes_or_no(value)
        elif equals:
            options[key] = _option_value(value)
        else:
            fields["seats"] = parse_number(word, _("a number of seats"))
    return {**fields, "options": options}


def _cup_clock(said: Arguments) -> Map:
    entrant, clock = (*said.after_one.split(), "", "")[:2]
    return {**_cup(said), "entrant": require_word(entrant, _("an entrant")), "clock": _clock(clock) if clock else None}


def _replace(said: Arguments) -> Map:
    entrant, player = (*said.after_one.split(), "", "")[:2]
    return {
        **_cup(said),
        "entrant": require_word(entrant, _("an entrant")),
        "player": require_word(player, _("who plays for it from now on")),
    }


# -- functions that answer a command without a request -----------------------------------------------------------------


def _brief(said: Arguments) -> str:
    said.memory.set_brief(brief=parse_switch(said.one, "brief"))
    return _("The board is left out when it is your turn; look shows it.") if said.memory.brief else _("Board on.")


def _confirm(said: Arguments) -> str:
    said.memory.set_confirm(on=parse_switch(said.one, "confirm"))
    if said.memory.confirms:
        return _("Each decision waits until you type yes; undo takes it back.")
    return _("Each decision is sent at once.")


def _quiet(said: Arguments) -> str:
    said.memory.set_bell(on=not parse_switch(said.one, "quiet"))
    return _("The bell rings when it is your turn.") if said.memory.rings else _("No bell rings when it is your turn.")


def _pace(said: Arguments) -> Map:
    what = _("the seconds that house bots take for a decision, such as pace 1.5")
    word = require_word(said.one, what).replace(",", ".")
    if not _SECONDS.fullmatch(word):
        raise Refusal("bad_number", _("Expected {what}.", what=what))
    return {**said.table_field(), "seconds": float(word)}


_SECONDS = re.compile(r"[0-9]{1,4}(\.[0-9]{1,3})?")


def _width(said: Arguments) -> str:
    if not said.where.can_type_hello:
        return _("Lines are wrapped at the width of your terminal.")
    if said.one:
        columns = parse_number(said.one, _("a number of columns"))
        if not LEAST_COLUMNS <= columns <= MOST_COLUMNS:
            wrong = _("A line has {least} to {most} columns, not {columns}.", **_WIDTHS, columns=columns)
            raise Refusal("bad_number", wrong)
        said.memory.set_width(columns)
    return _("Lines are wrapped at {columns} columns.", columns=said.memory.width or COLUMNS)


_WIDTHS = {"least": LEAST_COLUMNS, "most": MOST_COLUMNS}


def _aim(said: Arguments) -> str:
    if not said.where.aim:
        raise Refusal("not_seated", _("You are at no table; rules GAME tells all about a game."))
    return said.where.aim


def _hint(said: Arguments) -> str:
    hint = said.where.hint()
    if not hint:
        raise said.where.turn_refusal()
    return hint


# -- the table of commands ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command. `means` returns the fields of the command's request, or a sentence that is the immediate answer to the
    typist, so that nothing is sent."""

    arguments: str
    help: str
    request: type[m.Request] | None
    means: Callable[[Arguments], Map | str] = _nothing
    short: tuple[str, ...] = ()
    many_words: bool = False  # the last argument may consist of several words
    in_full: bool = False  # the word cannot be shortened, because an action of a game begins alike, such as pass
    own: bool = False  # the typist's program carries the command out, and never sends it to a server
    lists: bool = False  # the command needs the server's current list of tables
    part: str = ""  # the part of the request's answer that is shown, such as "hand"; "" for the whole answer
    asks_once: str = ""  # a warning: typed once, the command only shows it; typed again, the command is done

    @property
    def permission(self) -> Permission:
        """The people who may use the command."""
        return EXCHANGES[self.request].asker if self.request else Permission.ANYBODY

    @property
    def keeps_full_stop(self) -> bool:
        """Whether a full stop at the end of the typed line is kept, because it belongs to a text, a code or a
        password."""
        return self.request in (m.Say, m.Tell, m.Announce, m.Kick, m.Ban, m.Hello, m.Password, m.Operator)


def _own(arguments: str, text: str, *, lists: bool = False) -> Command:
    """Returns a command that the typist's program carries out itself."""
    return Command(arguments, text, None, in_full=True, own=True, lists=lists)


# The one-word commands in one text, so that a catalogue translates them all at once, word by word in this order.
SAID = N_(
    "hello help lang games rules cards who stats tables open join bots add start watch hand hands look legal why hint "
    "aim clock log replay say tell reply ignore unignore lobby kick mute unmute close password ban unban announce "
    "operator cups enter agree standings follow unfollow brief width resign pause resume leave ping quit "
    "yes no undo confirm review rematch lessons next invite auto quiet pace"
)
OF_CUPS = N_("show open invite start pause stop replace add kick clock drop")  # second words of commands with `cup`

COMMANDS: dict[str, Command] = {
    "hello": Command(
        N_("NAME [CODE]"),
        N_("take a name, or come back to yours with the code you were given, or your password"),
        m.Hello,
        lambda said: {
            "name": normalize("NFC", require_word(said.one, _("a name"))),
            "code": said.two,
            "client": "text",
        },
    ),
    "help": Command(
        N_("[COMMAND|GAME]"),
        N_("this page, one command, or how to type a game's actions"),
        m.Help,
        lambda said: {"topic": " ".join(said.words)},
        short=("h",),
        many_words=True,
    ),
    "lang": Command(
        N_("LANGUAGE"),
        N_("choose the language of all texts: en, fr"),
        m.Lang,
        lambda said: {"lang": require_word(said.one, _("a language: en, fr"))},
    ),
    "games": Command("", N_("the games here"), m.Games),
    "rules": Command(
        N_("[GAME] [NUMBER|WORD]"),
        N_("a game's rules: the contents, a section, or the rules that mention a word"),
        m.Rules,
        _rules,
        many_words=True,
    ),
    "cards": Command(
        N_("GAME [NAME]"), N_("a game's cards, or those whose name begins with NAME"), m.Cards, _cards, many_words=True
    ),
    "who": Command(
        N_("[NAME|after NAME]"),
        N_("list the players, or say where one of them is"),
        m.Who,
        _who,
        short=("w",),
        many_words=True,
    ),
    "stats": Command(
        N_("[NAME]"), N_("your results on this server, or another player's"), m.Stats, lambda said: {"name": said.one}
    ),
    "tables": Command(
        N_("[TABLE|finished|after TABLE]"),
        N_("list open and running tables, one table, or finished ones"),
        m.Tables,
        _tables,
        many_words=True,
    ),
    "open": Command(
        N_("GAME [SEATS] [delay=TIME] [OPTION=VALUE ...]"),
        N_("open a table and take its first seat; with a delay, such as 3m, spectators see all hands that much later"),
        m.Open,
        _open,
        many_words=True,
    ),
    "join": Command(N_("[TABLE [SEAT]]"), N_("take a seat at an open table"), m.Join, _join, lists=True),
    "bots": Command(
        N_("[GAME]"), N_("the bots that can be added"), m.Bots, lambda said: {"game": said.one or said.where.game}
    ),
    "add": Command(
        N_("BOT [SEAT]"),
        N_("put a bot on a seat of your table, the next empty one if you name none"),
        m.Add,
        _add,
    ),
    "start": Command("", N_("start the match, once every seat is taken"), m.Start, _start),
    "watch": Command(
        N_("[TABLE]"),
        N_("see a match as a spectator"),
        m.Watch,
        lambda said: {"table": said.table_id("playing")},
        lists=True,
    ),
    "hand": Command("", N_("show your own hand"), m.LookRequest, Arguments.table_field, in_full=True, part="hand"),
    "hands": Command("", N_("see all hands as a spectator, after the table's delay"), m.Hands, Arguments.table_field),
    "look": Command(
        N_("[TABLE]"),
        N_("show the table again, or turn to another one of yours"),
        m.LookRequest,
        lambda said: {"table": said.one} if said.one else said.table_field(),
        short=("l",),
    ),
    "legal": Command("", N_("list what you may do now, numbered; a number does it"), m.Legal, Arguments.table_field),
    "why": Command(
        N_("ACTION|NUMBER"), N_("say what an action would do, or why it is not legal"), m.Why, _why, many_words=True
    ),
    "hint": Command("", N_("what a house bot would do in your place"), None, _hint),
    "aim": Command("", N_("what the game is about, in two lines"), None, _aim),
    "clock": Command("", N_("all clocks"), m.Clock, Arguments.table_field, short=("k",)),
    "log": Command(
        "[N]",
        N_("show the messages so far, from after message N"),
        m.Log,
        lambda said: {**said.table_field(), "after": parse_number(said.one or "0", _("a message number"))},
    ),
    "replay": Command(
        N_("[TABLE [N]]"),
        N_("a finished match as the lines of a file, from after line N"),
        m.Replay,
        lambda said: {
            "table": said.one or said.table_field()["table"],
            "after": parse_number(said.two or "0", _("a line number")),
        },
    ),
    "say": Command(
        N_("TEXT"),
        N_("talk to your table, or to everyone on the server if you have none"),
        m.Say,
        _say,
        short=("s", "'"),
        many_words=True,
    ),
    "tell": Command(N_("NAME TEXT"), N_("talk to one player"), m.Tell, _tell, short=("t",), many_words=True),
    "reply": Command(N_("TEXT"), N_("answer the last private message"), m.Tell, _reply, short=("/r",), many_words=True),
    "ignore": Command(
        N_("[NAME]"),
        N_("hide what a player says, or list the players you ignore"),
        m.Ignore,
        lambda said: {"player": said.one},
    ),
    "unignore": Command(
        N_("NAME"),
        N_("show what that player says again"),
        m.Ignore,
        lambda said: {"player": require_word(said.one, _("a name")), "off": True},
    ),
    "lobby": Command(
        N_("[on|off|auto]"),
        N_("receive lobby talk; auto, the default: only while you neither play nor watch a match"),
        m.LobbyTalk,
        _lobby,
    ),
    "kick": Command(
        N_("NAME [TABLE|all] [REASON]"),
        N_("remove a spectator, or a player before the match, from your table; all: from the server"),
        m.Kick,
        _kick,
        many_words=True,
    ),
    "mute": Command(N_("NAME [TABLE|all]"), N_("hide what that player says at your table"), m.Mute, _mute),
    "unmute": Command(
        N_("NAME [TABLE|all]"), N_("let that player talk again"), m.Mute, lambda said: {**_mute(said), "off": True}
    ),
    "close": Command(
        N_("[TABLE]"),
        N_("close your table; a running match is aborted, if you are its only player"),
        m.Close,
        lambda said: {"table": said.one} if said.one else said.table_field(),
    ),
    "password": Command(
        N_("WORD|off"),
        N_("set a password for hello NAME WORD; without TLS others in the network may read it; off removes it"),
        m.Password,
        _password,
        in_full=True,
    ),
    "ban": Command(
        N_("NAME|ADDRESS [TIME] [REASON]"),
        N_("ban a player or an address, for a time such as 2h or for good; for the operator"),
        m.Ban,
        _ban,
        many_words=True,
    ),
    "unban": Command(
        N_("NAME|ADDRESS"),
        N_("lift a ban"),
        m.Ban,
        lambda said: {"player": require_word(said.one, _("a name or an address")), "off": True},
    ),
    "announce": Command(
        N_("TEXT"),
        N_("send a message to everyone, as the server"),
        m.Announce,
        lambda said: {"text": require_word(said.rest, _("something to say"))},
        many_words=True,
    ),
    "operator": Command(
        N_("WORD|CODE"),
        N_("become the operator, with the word that the server printed or a code from magehall admin operator"),
        m.Operator,
        lambda said: {"word": require_word(said.one, _("the operator's word or code"))},
    ),
    "cups": Command("", N_("the cups here"), m.Cups),
    "cup show": Command(N_("CUP"), N_("show a cup: its entrants and progress"), m.CupRequest, _cup),
    "cup open": Command(
        N_("CUP GAME [SEATS] [rounds=N format=F deals=D clock=C OPTION=V ...]"),
        N_(
            "open a cup, which every player may enter; F is a format, such as swiss, D "
            "fresh or duplicate, C seconds, such as 60+10; late_entry=yes lets players enter after the "
            "start, rank_by=rating ranks by rating instead of by score"
        ),
        m.CupOpen,
        _cup_open,
        short=("cup create",),
        many_words=True,
    ),
    "cup invite": Command(
        N_("CUP NAME"),
        N_("invite a player to your cup"),
        m.CupInvite,
        lambda said: {**_cup(said), "player": require_word(said.two, _("a name"))},
    ),
    "cup start": Command(N_("CUP"), N_("start your cup, or continue it"), m.CupStart, _cup),
    "cup pause": Command(N_("CUP"), N_("pause your cup: no new match begins"), m.CupPause, _cup),
    "cup stop": Command(N_("CUP"), N_("end your cup for good"), m.CupStop, _cup),
    "cup replace": Command(
        N_("CUP ENTRANT NAME"), N_("have another player play for that entrant from now on"), m.CupReplace, _replace
    ),
    "cup add": Command(
        N_("CUP BOT"),
        N_("enter a house bot in your cup"),
        m.CupAdd,
        lambda said: {**_cup(said), "bot": require_word(said.two, _("a bot; bots lists them"))},
    ),
    "cup kick": Command(
        N_("CUP ENTRANT"),
        N_("remove an entrant from your cup; a house bot plays on"),
        m.CupKick,
        lambda said: {**_cup(said), "entrant": require_word(said.two, _("an entrant"))},
    ),
    "cup clock": Command(
        N_("CUP ENTRANT [MAIN+INC]"),
        N_("give an entrant a clock of its own, in seconds, before your cup starts; without one it has the cup's"),
        m.CupClock,
        _cup_clock,
    ),
    "enter": Command(
        N_("CUP [TABLES]"),
        N_("enter a cup, at up to TABLES tables at once"),
        m.CupEnter,
        _enter,
        short=("cup enter",),
    ),
    "cup drop": Command(N_("CUP"), N_("leave a cup; a house bot plays on"), m.CupDrop, _cup),
    "agree": Command(
        N_("cups|off"),
        N_("agree to play for absent entrants of cups when a cup's owner asks; off: no longer"),
        m.CupAgree,
        _agree,
    ),
    "standings": Command(N_("CUP"), N_("the standings of a cup so far"), m.Standings, _cup),
    "follow": Command(N_("CUP"), N_("receive a cup's results, and watch its matches"), m.Follow, _cup),
    "unfollow": Command(N_("CUP"), N_("no longer"), m.Follow, lambda said: {**_cup(said), "off": True}),
    "brief": Command(N_("on|off"), N_("leave the board out when it is your turn"), None, _brief),
    "confirm": Command(
        N_("on|off"), N_("keep each decision back until you type yes; undo takes it back"), None, _confirm, in_full=True
    ),
    "quiet": Command(N_("on|off"), N_("no bell and no window title when it is your turn"), None, _quiet, in_full=True),
    "pace": Command(
        N_("SECONDS"), N_("how long house bots take for a decision at your table"), m.Pace, _pace, in_full=True
    ),
    "auto": _own(N_("on|off"), N_("let things be until something concerns you, in games with such decisions")),
    "yes": _own("", N_("send the decision that is kept back; or agree to take one back")),
    "no": _own("", N_("take back the decision that is kept back; or refuse")),
    "undo": Command(
        "",
        N_("the same; or ask to take your last decision back, or agree to that"),
        m.Undo,
        Arguments.table_field,
        in_full=True,
        own=True,
    ),
    "rematch": _own("", N_("play the last match's game again, with those who want to"), lists=True),
    "review": _own("", N_("step through the last match with everything open: n, p, a number, q")),
    "lessons": _own(N_("[GAME]"), N_("play a guided match against house bots, which counts in no statistics")),
    "next": _own("", N_("watch the next match that is running"), lists=True),
    "invite": _own(
        N_("[qr [NUMBER]]"),
        N_("show the lines that the others type; invite qr adds a QR code, invite qr 2 that of the second address"),
    ),
    "width": Command(
        N_("[COLUMNS]"), N_("wrap lines at that width, if your terminal does not report its own"), None, _width
    ),
    "resign": Command(
        "",
        N_("give the match up; a house bot plays on"),
        m.Resign,
        Arguments.table_field,
        asks_once=N_("You would be placed last, and a house bot plays on. Type resign again to give the match up."),
    ),
    "pause": Command(
        "",
        N_("ask all players for a pause, or agree to one: clocks stop until resume or the next decision"),
        m.Pause,
        Arguments.table_field,
        in_full=True,
    ),
    "resume": Command("", N_("end the pause"), m.Pause, lambda said: {**said.table_field(), "on": False}, in_full=True),
    "leave": Command("", N_("leave the table"), m.Leave, Arguments.table_field),
    "ping": Command("", N_("ask for a sign of life"), m.Ping),
    "quit": Command("", N_("say goodbye"), m.Quit, short=("q", "exit", "bye")),
}


# -- functions that return the lines of an answer ----------------------------------------------------------------------


register_lines(m.Page)(lambda message, _table: message.text.rstrip("\n").split("\n"))
register_lines(m.Pong)(lambda _message, _table: ["pong"])


@register_lines(m.Players)
def _players(message: m.Players, _table: Named | None) -> list[str]:
    more = [_("(more: who after {name})", name=message.players[-1].name)] if message.more else []
    return _people(_("Here are"), message.players) + more


register_lines(m.PlayerStats)(lambda message, _table: stats_lines(message))
register_lines(m.BotList)(lambda message, _table: _people(_("Bots"), message.bots))


@register_lines(m.GameList)
def _game_list(message: m.GameList, _table: Named | None) -> list[str]:
    return [
        _(
            "{game:<14} {min_seats}-{max_seats} players  {title}: {about}",
            game=g.game,
            min_seats=g.min_seats,
            max_seats=g.max_seats,
            title=g.title,
            about=g.about,
        )
        for g in message.games
    ]


register_lines(m.CardList)(lambda message, _table: [line for card in message.cards for line in card_lines(card)])


@register_lines(m.TableList)
def _table_list(message: m.TableList, _table: Named | None) -> list[str]:
    last = message.tables[-1].table if message.tables else ""
    is_over = message.which == "finished"
    if not message.tables:
        return [_("No match has ended lately.") if is_over else _("There are no tables; open one.")]
    which = "finished after" if is_over else "after"
    rest = _("(more: tables {which} {table})", which=which, table=last)
    return [table_line(info) for info in sort_tables(message.tables)] + [rest] * message.more


@register_lines(m.ReplayLines)
def _replay_lines(message: m.ReplayLines, _table: Named | None) -> list[str]:
    more = (
        [_("(more: replay {table} {after})", table=message.table, after=message.after + len(message.lines))]
        if message.more
        else []
    )
    return [*message.lines, *more]


@register_lines(m.Reason)
def _reason(message: m.Reason, _table: Named | None) -> list[str]:
    legal = _("That would be legal. {text}", text=message.text).rstrip()
    return [legal if message.legal else _("No: {text}", text=message.text)]


register_lines(m.Clocks)(lambda message, table: [_clock_line(clock, table) for clock in message.clocks])
register_lines(m.Said)(lambda message, _table: [] if message.heard else [_("Nobody else hears you.")])
register_lines(m.DoneReply)(lambda message, _table: [message.text])


@register_lines(m.Ignoring)
def _ignoring(message: m.Ignoring, _table: Named | None) -> list[str]:
    listed = ", ".join(message.players)
    return [_("You ignore {listed}.", listed=listed) if listed else _("You ignore no player.")]


register_lines(m.Resigned)(lambda _message, _table: [_("You gave the match up.")])


@register_lines(m.CupList)
def _cup_list(message: m.CupList, _table: Named | None) -> list[str]:
    return [cup_line(info) for info in message.cups] or [_("There are no cups; open one: cup open CUP GAME.")]


@register_lines(m.CupReply)
def _cup_reply(message: m.CupReply, _table: Named | None) -> list[str]:
    return [cup_line(message.info), *entrant_lines(message.info), *ending_lines(message.info)]


register_lines(m.CupStandings)(lambda message, _table: standings_lines(message, COLUMNS))
register_lines(m.Watching)(
    lambda message, _table: [_("You watch {table}.", table=message.table), table_line(message.info)]
)


@register_lines(m.OpenHands)
def _open_hands(message: m.OpenHands, _table: Named | None) -> list[str]:
    if message.views:
        return []
    if message.at < 0:
        return [
            _(
                "All hands are shown with a delay here; the first ones in {minutes}.",
                minutes=format_minutes(-message.at),
            )
        ]
    decisions = limits.OPEN_HANDS_DECISIONS
    return [
        _(
            "All hands are shown with a delay here, once each player has made {decisions} more decisions.",
            decisions=decisions,
        )
    ]


@register_lines(m.Left)
def _left(message: m.Left, _table: Named | None) -> list[str]:
    back = _(
        "Your seat is held for {held:.0f} seconds; join {table} brings you back.",
        held=ceil(message.held),
        table=message.table,
    )
    held = f" {back}" if message.held else ""
    return [_("You left {table}.{held}", table=message.table, held=held)]


register_lines(m.Bye)(lambda message, _table: [_("Goodbye. {text}", text=message.text)])


def _people(what: str, people: Sequence[m.PlayerInfo]) -> list[str]:
    return [_("{what}: {people}", what=what, people=", ".join(map(player_line, people)) or _("nobody"))]


def _clock_line(clock: m.SeatClock, table: Named | None) -> str:
    if clock.main >= LONG_CLOCK:
        time, left = _("as much time as they like"), ""
    else:
        time, left = (
            _("{minutes} of main time", minutes=format_minutes(clock.main)),
            _(", {minutes} left", minutes=format_minutes(clock.left)),
        )
    return (
        _("{name}: {time}", name=name_at(clock.seat, table), time=time)
        + _(", deciding{left}", left=left) * clock.running
    )


def render_reply(message: m.Message, table: Named | None) -> list[str]:
    """Returns the lines that show a message to a person; [] if the message needs no line. `table` supplies the names of
    its seats."""
    lines = SAYS.get(type(message))
    return [] if lines is None else lines(message, table)
