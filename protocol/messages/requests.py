"""What a client asks, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from protocol import limits
from protocol.messages.parts import (
    LIVE,
    WANTS,
    ClockRule,
    Count,
    Delay,
    Hears,
    Map,
    Name,
    Request,
    SeatNumber,
    TableId,
    Wants,
)

GivenReason = Annotated[str, Meta(max_length=limits.CHAT_CHARACTERS)]
Rounds = Annotated[int, Meta(ge=1, le=limits.CUP_ROUNDS)]
AtOnce = Annotated[int, Meta(ge=1, le=limits.TABLES_A_PLAYER)]


class Hello(Request, kw_only=True, tag="hello"):
    """Takes a name that is new, with a `key` for a program; a name known to the server needs `proof` or `code`, a code
    or the name's password. Request ids count within one `session`, a word of the client's choice: the same word after a
    lost connection lets it repeat a request; "" is new each time. A program that says no number of `tables` is seated
    by nobody else. `wants` says what comes with each of its turns, `hear` whether what others do comes at once or with
    them."""

    name: Name
    session: Annotated[str, Meta(max_length=32)] = ""
    key: Annotated[str, Meta(max_length=64)] = ""
    proof: Annotated[str, Meta(max_length=64)] = ""
    code: Annotated[str, Meta(max_length=limits.PASSWORD_CHARACTERS)] = ""
    bot: bool = False
    games: Annotated[tuple[Name, ...], Meta(max_length=32)] = ()
    tables: Annotated[int, Meta(ge=0, le=limits.TABLES_A_PLAYER)] = 0
    client: Annotated[str, Meta(max_length=64)] = ""
    wants: Annotated[Wants, Meta(max_length=8)] = WANTS
    hear: Hears = LIVE


class Password(Request, kw_only=True, tag="password"):
    """Gives your name a password, which proves it in the `code` of a hello for as long as you like, or with `off` takes
    it away. It crosses the network as plain text. The server keeps a slow hash of it."""

    word: Annotated[str, Meta(max_length=limits.PASSWORD_CHARACTERS)] = ""
    off: bool = False


class Help(Request, kw_only=True, tag="help"):
    """Asks what can be said here, or about one command."""

    topic: Annotated[str, Meta(max_length=64)] = ""


class Lang(Request, kw_only=True, tag="lang"):
    """From now on has sentences for people (of errors, pages, cards) in that language on this connection, as far as
    they are known in it. Names, codes, actions, events and views are the same in every language."""

    lang: Annotated[str, Meta(max_length=16)]


class Ping(Request, kw_only=True, tag="ping"):
    """Asks for a sign of life."""


class Quit(Request, kw_only=True, tag="quit"):
    """Says goodbye. Seats in running matches are held for the grace time."""


class Who(Request, kw_only=True, tag="who"):
    """Asks who is here, and who is away while a seat of theirs is held, in alphabetical order: a bounded part at a
    time, from after that name."""

    after: Annotated[str, Meta(max_length=64)] = ""


class Stats(Request, kw_only=True, tag="stats"):
    """Asks how somebody's finished matches on this server came out: one's own, or those of that name."""

    name: Annotated[str, Meta(max_length=64)] = ""


class Games(Request, kw_only=True, tag="games"):
    """Asks which games this server plays."""


class Bots(Request, kw_only=True, tag="bots"):
    """Asks which bots can be added to a table: the house's, and programs that agreed to it and have room."""

    game: Annotated[str, Meta(max_length=64)] = ""


class Rules(Request, kw_only=True, tag="rules"):
    """Asks for a game's rules page: all of it, or with `about` the contents (`contents`), the section or rule of that
    number, or what mentions that word."""

    game: Name
    about: Annotated[str, Meta(max_length=64)] = ""


class Cards(Request, kw_only=True, tag="cards"):
    """Asks for a game's cards: all, the one of that name or title, or else those that begin with it."""

    game: Name
    name: Annotated[str, Meta(max_length=64)] = ""


class Tables(Request, kw_only=True, tag="tables"):
    """Asks which tables there are: a bounded part at a time, from after that one. `which`: all, those that go on
    (`current`: open or playing), or those that are `finished`. With `table` it asks for that one alone."""

    after: TableId = ""
    which: Literal["all", "current", "finished"] = "all"
    table: TableId = ""


class Open(Request, kw_only=True, tag="open"):
    """Opens a table and takes a seat of it, the first if `seat` is 0; 0 seats asks for the game's smallest number.
    Without a clock it has the server's own. With a `delay` its spectators may see all hands, so many seconds later."""

    game: Name
    seats: SeatNumber = 0
    options: Map = {}
    clock: ClockRule | None = None
    delay: Delay = 0
    seat: SeatNumber = 0


class Join(Request, kw_only=True, tag="join"):
    """Takes a seat at an open table, the first empty one if `seat` is 0. `delay` is the table's own: with it one agrees
    that spectators see all hands, so many seconds later."""

    table: TableId
    seat: SeatNumber = 0
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""
    delay: Delay = 0


class Add(Request, kw_only=True, tag="add"):
    """Puts a bot on a seat, the next empty one if `seat` is 0: a house bot by name, or a program that agreed to it. For
    the table's owner."""

    table: TableId
    bot: Name
    seat: SeatNumber = 0


class Start(Request, kw_only=True, tag="start"):
    """Starts the match once every seat is taken. For the table's owner, whose nonce comes with it."""

    table: TableId
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


class Watch(Request, kw_only=True, tag="watch"):
    """Becomes a spectator: the public view now, and everything public from here on."""

    table: TableId


class Leave(Request, kw_only=True, tag="leave"):
    """Leaves a table. In a running match the seat is held for the grace time, then a house bot plays on; at once for a
    program that says it `crashed`."""

    table: TableId
    crashed: bool = False


class Act(Request, kw_only=True, tag="act"):
    """Decides a turn: its number, and one of its legal actions."""

    table: TableId
    turn: Count
    action: Map


class Look(Request, kw_only=True, tag="look"):
    """Asks for the view again: your own, or the public one."""

    table: TableId


class Legal(Request, kw_only=True, tag="legal"):
    """Asks for the current turn again: number, clock, and what the hello `wants` of it."""

    table: TableId


class Why(Request, kw_only=True, tag="why"):
    """Asks what an action would do now, or why it is not legal; nothing is done."""

    table: TableId
    action: Map


class Clock(Request, kw_only=True, tag="clock"):
    """Asks for all clocks of a match."""

    table: TableId


class Log(Request, kw_only=True, tag="log"):
    """Asks for what was told after the message with that number; a limited part at a time."""

    table: TableId
    after: Count = 0


class Replay(Request, kw_only=True, tag="replay"):
    """Asks for the replay of a finished match, in which nothing is secret any more: its lines, a limited part at a
    time, from after that many."""

    table: TableId
    after: Count = 0


class Hands(Request, kw_only=True, tag="hands"):
    """Asks for all hands as they were the table's `delay` ago, where it has one."""

    table: TableId


class Resume(Request, kw_only=True, tag="resume"):
    """After a lost connection: all messages of your seat after that number are sent again."""

    table: TableId
    after: Count = 0


class Resign(Request, kw_only=True, tag="resign"):
    """Gives the match up: a house bot plays on, and the seat is placed last. Some games forbid it."""

    table: TableId


class Operator(Request, kw_only=True, tag="operator"):
    """Makes this connection the operator's, who may kick, mute and close everywhere, and sees no more than others: with
    a `proof` of the word that is printed where the server was started, or of a code that works once. `word` is the code
    itself; the server's word itself is taken there only from the server's own machine."""

    word: Annotated[str, Meta(max_length=64)] = ""
    proof: Annotated[str, Meta(max_length=64)] = ""


class Kick(Request, kw_only=True, tag="kick"):
    """Sends a player away from a table, or a house bot before the match. Who plays in a running match is sent away by
    the operator alone; a house bot plays on at once. Who was sent away takes no seat there again, nor watches. Without
    a table, for the operator: ends the player's connection and takes every seat away."""

    player: Name
    table: TableId = ""
    reason: GivenReason = ""


class Mute(Request, kw_only=True, tag="mute"):
    """What that player says at the table reaches nobody from now on, or with `off` it does again. Without a table, for
    the operator: whatever the player says anywhere."""

    player: Name
    table: TableId = ""
    off: bool = False


class Close(Request, kw_only=True, tag="close"):
    """Ends a table: an open one is gone, a running match is aborted. While others play there, only the operator may."""

    table: TableId


class Ban(Request, kw_only=True, tag="ban"):
    """Kicks that player, or all who come from that address, and lets them in no more: for so many seconds, with 0 for
    good. With `off` they are let in again."""

    player: Name
    seconds: Count = 0
    reason: GivenReason = ""
    off: bool = False


class Announce(Request, kw_only=True, tag="announce"):
    """Says something to everybody who is here, from `server`."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS)]


class Say(Request, kw_only=True, tag="say"):
    """Talks to a table, or to everybody who is here if `table` is empty."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS)]
    table: TableId = ""


class Tell(Request, kw_only=True, tag="tell"):
    """Talks to one player."""

    to: Name
    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS)]


class Ignore(Request, kw_only=True, tag="ignore"):
    """From now on, on later connections too, what that player says to everybody or to you alone does not reach you;
    with `off` it does again. What they say at a table is still sent, since messages there are numbered: a client leaves
    it out. Without a player it only asks for the list."""

    player: Annotated[str, Meta(max_length=64)] = ""
    off: bool = False


class LobbyTalk(Request, kw_only=True, tag="lobby"):
    """Whether you are told what is said to everybody: `on`, `off`, or `auto`, as it is until you say otherwise: unless
    you play or watch a match that goes on. Empty: only asks."""

    hear: Literal["", "on", "off", "auto"] = ""


class Cups(Request, kw_only=True, tag="cups"):
    """Asks which cups there are, those that are over too."""


class Cup(Request, kw_only=True, tag="cup"):
    """Asks for one cup."""

    cup: Name


class CupOpen(Request, kw_only=True, tag="cup_open"):
    """Opens a cup, which anybody may enter until it starts, and with `late_entry` afterwards too; you own it. 0 seats
    asks for the game's smallest number. All its deals come from a secret that the answer commits to, and that is told
    when the cup is over."""

    cup: Name
    game: Name
    seats: SeatNumber = 0
    format: Annotated[str, Meta(max_length=16)] = "round_robin"
    deals: Annotated[str, Meta(max_length=16)] = "fresh"
    rounds: Rounds = 10
    options: Map = {}
    clock: ClockRule | None = None
    rank_by: Annotated[str, Meta(max_length=16)] = "score"
    late_entry: bool = False


class CupEnter(Request, kw_only=True, tag="cup_enter"):
    """Enters a cup: you play at as many of its `tables` at once as you say, and never at more. Once more, it changes
    that number, or takes you back after `cup_drop`. The nonce that you gave last before the start goes into every deal;
    "" keeps the one before, unless you had dropped out."""

    cup: Name
    tables: AtOnce = 1
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


class CupDrop(Request, kw_only=True, tag="cup_drop"):
    """Leaves a cup. Once it has started a house bot plays your seats, in matches to come too."""

    cup: Name


class CupInvite(Request, kw_only=True, tag="cup_invite"):
    """Tells a player that the open cup waits for them, or an entrant that a started one does. For the cup's owner."""

    cup: Name
    player: Name


class CupStart(Request, kw_only=True, tag="cup_start"):
    """Starts the cup with those who have entered, or has a paused one go on. For the cup's owner."""

    cup: Name


class CupPause(Request, kw_only=True, tag="cup_pause"):
    """No new match of the cup begins; those that are played go on. For the cup's owner."""

    cup: Name


class CupStop(Request, kw_only=True, tag="cup_stop"):
    """Ends the cup for good, with the results so far. For the cup's owner."""

    cup: Name


class CupReplace(Request, kw_only=True, tag="cup_replace"):
    """From its next match on another player plays for that entrant. For the cup's owner."""

    cup: Name
    entrant: Name
    player: Name


class CupAdd(Request, kw_only=True, tag="cup_add"):
    """Enters a house bot, at as many tables as it is paired at. For the cup's owner."""

    cup: Name
    bot: Name


class CupAgree(Request, kw_only=True, tag="cup_agree"):
    """From now on, on later connections too, owners of cups may have you play for one of their entrants, at one table
    at a time (a program: as its hello says); with `off` no longer."""

    off: bool = False


class CupKick(Request, kw_only=True, tag="cup_kick"):
    """Sends an entrant away, who does not enter again unless invited: before the start it is none any more, later a
    house bot plays its seats, in matches to come too. For the cup's owner."""

    cup: Name
    entrant: Name


class CupClock(Request, kw_only=True, tag="cup_clock"):
    """Gives an entrant a clock of its own in all matches of the cup, which everybody may see. Before the cup starts.
    For the cup's owner."""

    cup: Name
    entrant: Name
    clock: ClockRule | None = None


class Standings(Request, kw_only=True, tag="standings"):
    """Asks for a cup's standings."""

    cup: Name


class CupLog(Request, kw_only=True, tag="cup_log"):
    """Asks for a cup's log, from which its standings and, with the replays of its matches, its bundle are made."""

    cup: Name
    after: Count = 0


class Follow(Request, kw_only=True, tag="follow"):
    """Has you told of a cup's matches and results, and lets you watch one match of it after the other; with `off` no
    longer."""

    cup: Name
    off: bool = False
