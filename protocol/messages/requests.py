"""The requests of a client, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from protocol import limits
from protocol.messages import notifications, replies
from protocol.messages.exchanges import Permission, register_exchange
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


@register_exchange(Permission.STRANGER, replies.Welcome)
class Hello(Request, kw_only=True, tag="hello"):
    """Takes a name. A new name needs nothing else; a program gives it a `key`. A known name is proved by `proof` or by
    `code`, which is the latest code that the server gave you or the name's password. Request ids count within one
    `session`, a word of the client's choice. A client that sends the same word after a lost connection may repeat a
    request; "" starts a new session each time. Owners of tables may seat a program while it plays at fewer than
    `tables` tables. `wants` lists what each turn contains. `hear` sets when messages about other players arrive."""

    name: Annotated[Name, Meta(description="the name to take")]
    session: Annotated[
        str, Meta(max_length=32, description="a word of your choice, new for each run of your program")
    ] = ""
    key: Annotated[
        str,
        Meta(
            max_length=64,
            description="64 hex digits that your proofs have to fit, with a new name or a `code`: see "
            'PROTOCOL.md, "Greeting and hello"',
        ),
    ] = ""
    proof: Annotated[
        str,
        Meta(max_length=64, description='64 hex digits that prove a known name: see PROTOCOL.md, "Greeting and hello"'),
    ] = ""
    code: Annotated[
        str,
        Meta(
            max_length=limits.PASSWORD_CHARACTERS,
            description="the word that your last `welcome`, or the operator, gave you, or your password, "
            "instead of a proof",
        ),
    ] = ""
    bot: Annotated[bool, Meta(description="whether a program plays")] = False
    games: Annotated[
        tuple[Name, ...], Meta(max_length=32, description="the ids of the games that the program plays; empty: all")
    ] = ()
    tables: Annotated[
        int,
        Meta(
            ge=0,
            le=limits.TABLES_A_PLAYER,
            description="owners of tables may seat the program while it plays at fewer tables than this; 0: never",
        ),
    ] = 0
    client: Annotated[str, Meta(max_length=64, description="the client's name and version, for the server's log")] = ""
    wants: Annotated[
        Wants, Meta(max_length=8, description="what comes with each turn: `view`, `legal`, `knowledge`")
    ] = WANTS
    hear: Annotated[
        Hears,
        Meta(
            description="when messages about other players arrive: `live`; `with_turn`: with your next turn or "
            "within a second; `all_with_turn`: `accepted` too; `turns`: as `all_with_turn`, and "
            "without events"
        ),
    ] = LIVE


@register_exchange(Permission.PLAYER, replies.DoneReply)  # the server adds to its weight for the slow hash
class Password(Request, kw_only=True, tag="password"):
    """Gives your name a password, or removes it with `off`. The `code` of a hello may be the password, as often as you
    like. It crosses the network as plain text. The server keeps a slow hash of it."""

    word: Annotated[
        str,
        Meta(
            max_length=limits.PASSWORD_CHARACTERS,
            description="the password: printable ASCII without spaces, not your name",
        ),
    ] = ""
    off: Annotated[bool, Meta(description="true removes the password")] = False


@register_exchange(Permission.ANYBODY, replies.Page, question=True)  # the server adds a weight for the whole page
class Help(Request, kw_only=True, tag="help"):
    """Asks for help: a list of commands, or the help of one command."""

    topic: Annotated[
        str, Meta(max_length=64, description="a command or a game; anything else, or empty: everything")
    ] = ""


@register_exchange(Permission.ANYBODY, replies.DoneReply, question=True)
class Lang(Request, kw_only=True, tag="lang"):
    """Sets the language of sentences for people (in errors, pages and cards) on this connection. Sentences without a
    translation stay English. Names, codes, actions, events and views are the same in every language."""

    lang: Annotated[str, Meta(max_length=16, description="`en` or `fr`; its own name will do")]


@register_exchange(Permission.ANYBODY, replies.Pong, question=True)
class Ping(Request, kw_only=True, tag="ping"):
    """Asks for a sign of life."""


@register_exchange(Permission.ANYBODY, notifications.Bye)
class Quit(Request, kw_only=True, tag="quit"):
    """Says goodbye. Seats in running matches are held for the grace time."""


@register_exchange(Permission.PLAYER, replies.Players, question=True, weight=5)
class Who(Request, kw_only=True, tag="who"):
    """Asks for the players who are connected, or away with a seat held, in alphabetical order. The answer is one
    bounded page, which begins after the name `after`. With `name` it has that player alone."""

    after: Annotated[
        str, Meta(max_length=64, description="the last name of the part before; empty: from the first on")
    ] = ""
    name: Annotated[str, Meta(max_length=64, description="a player's name, for that player alone; empty: all")] = ""


@register_exchange(Permission.PLAYER, replies.PlayerStats, question=True)
class Stats(Request, kw_only=True, tag="stats"):
    """Asks for the results of a player's finished matches on this server. Without `name` it asks for your own."""

    name: Annotated[str, Meta(max_length=64, description="a player's name; empty: your own")] = ""


@register_exchange(Permission.ANYBODY, replies.GameList, question=True)
class Games(Request, kw_only=True, tag="games"):
    """Asks which games this server plays."""


@register_exchange(Permission.PLAYER, replies.BotList, question=True, weight=5)
class Bots(Request, kw_only=True, tag="bots"):
    """Asks which bots can be added to a table: house bots, and programs that agreed to it and have room."""

    game: Annotated[str, Meta(max_length=64, description="a game's id; empty: bots for any game")] = ""


@register_exchange(Permission.ANYBODY, replies.Page, question=True, weight=5)  # because the page is long
class Rules(Request, kw_only=True, tag="rules"):
    """Asks for a game's rules page: all of it, or with `about` its contents (`contents`), one section or rule by
    number, or the rules that mention a word."""

    game: Name
    about: Annotated[str, Meta(max_length=64, description="`contents`, a number or a word; empty: the whole page")] = ""


@register_exchange(Permission.ANYBODY, replies.CardList, question=True, weight=5)
class Cards(Request, kw_only=True, tag="cards"):
    """Asks for a game's cards: all of them, or the one whose name or title is `name`, or else those whose names begin
    with it."""

    game: Name
    name: Annotated[str, Meta(max_length=64, description="one card's name or title; empty: all cards")] = ""


@register_exchange(Permission.PLAYER, replies.TableList, question=True, weight=5)
class Tables(Request, kw_only=True, tag="tables"):
    """Asks for the tables. The answer is one bounded page, which begins after the table `after`. `which` selects all,
    `current` (open or playing) or `finished` tables. With `table` it asks for that table alone."""

    after: Annotated[TableId, Meta(description="the last table of the part before; empty: from the first on")] = ""
    which: Annotated[Literal["all", "current", "finished"], Meta(description="`all`, `current` or `finished`")] = "all"
    table: Annotated[
        TableId, Meta(description="one table's id, for that table alone; empty: all that `which` selects")
    ] = ""


@register_exchange(Permission.PLAYER, replies.TableReply)
class Open(Request, kw_only=True, tag="open"):
    """Opens a table and takes a seat, the first one if `seat` is 0. 0 seats mean the game's smallest number. Without a
    `clock` the table has the server's usual clock. With a `delay`, spectators may see all hands after that many
    seconds. A `guided` table is yours alone and full of house bots; its deal is known, so its match counts in no
    statistics."""

    game: Name
    seats: Annotated[SeatNumber, Meta(description="how many seats; 0: the game's smallest number")] = 0
    options: Annotated[Map, Meta(description="options by name; those left out have their defaults")] = {}
    clock: Annotated[ClockRule | None, Meta(description="the clock rule of this table; null: the server's own")] = None
    delay: Delay = 0
    seat: Annotated[SeatNumber, Meta(description="which seat you take; 0: the first")] = 0
    guided: Annotated[
        bool,
        Meta(description="true: the match of the game's lessons; of the other fields only `clock` counts then"),
    ] = False


@register_exchange(Permission.PLAYER, replies.TableReply)
class Join(Request, kw_only=True, tag="join"):
    """Takes a seat at an open table, the first empty one if `seat` is 0. `delay` repeats the table's own: you agree
    that spectators see all hands after that many seconds."""

    table: TableId
    seat: Annotated[SeatNumber, Meta(description="which seat; 0: the first empty one")] = 0
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""
    delay: Annotated[Delay, Meta(description="the table's `delay`, to which you agree")] = 0


@register_exchange(Permission.OWNER, replies.TableReply)
class Add(Request, kw_only=True, tag="add"):
    """Puts a bot on a seat, the next empty one if `seat` is 0: a house bot by name, or a program that agreed to it. For
    the table's owner."""

    table: TableId
    bot: Annotated[Name, Meta(description="the name of a bot")]
    seat: Annotated[SeatNumber, Meta(description="which seat; 0: the next empty one")] = 0


@register_exchange(Permission.OWNER, replies.TableReply)
class Start(Request, kw_only=True, tag="start"):
    """Starts the match once every seat is taken. For the table's owner, whose nonce comes with it."""

    table: TableId
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


@register_exchange(Permission.OWNER, replies.DoneReply)
class Pace(Request, kw_only=True, tag="pace"):
    """Sets how long house bots at that table take for a decision, from now on; not less than the server's own time. For
    the table's owner."""

    table: TableId
    seconds: Annotated[float, Meta(ge=0, le=10, description="seconds for each decision")]


@register_exchange(Permission.PLAYER, replies.Watching)
class Watch(Request, kw_only=True, tag="watch"):
    """Makes you a spectator of a table. The answer has the public view, and all later public messages of the table
    follow."""

    table: TableId


@register_exchange(Permission.HEARER, replies.Left)
class Leave(Request, kw_only=True, tag="leave"):
    """Leaves a table. In a running match the seat is held for the grace time, then a house bot plays on. For a program
    that says it `crashed`, the house bot plays on at once."""

    table: TableId
    crashed: Annotated[
        bool,
        Meta(
            description="whether you are a program that raised an error: no seat is held, and the result says `crashed`"
        ),
    ] = False


@register_exchange(Permission.SEATED, replies.Accepted)
class Act(Request, kw_only=True, tag="act"):
    """Answers a turn with its number and one of its legal actions."""

    table: TableId
    turn: Count
    action: Map


@register_exchange(Permission.HEARER, replies.Position, question=True)
class LookRequest(Request, kw_only=True, tag="look"):
    """Asks for the current view of the match: that of your seat, or the public one if you are a spectator."""

    table: TableId


@register_exchange(Permission.SEATED, replies.TurnReply, question=True)
class Legal(Request, kw_only=True, tag="legal"):
    """Asks for your current turn again: its number, the time left, and the parts that your hello `wants`."""

    table: TableId


@register_exchange(Permission.SEATED, replies.Reason, question=True)
class Why(Request, kw_only=True, tag="why"):
    """Asks what an action would do now, or why it is illegal. The action is not carried out."""

    table: TableId
    action: Map


@register_exchange(Permission.PLAYER, replies.Clocks, question=True)
class Clock(Request, kw_only=True, tag="clock"):
    """Asks for all clocks of a match."""

    table: TableId


@register_exchange(
    Permission.HEARER, replies.PastMessages, question=True, weight=10
)  # because it repeats a match's messages
class Log(Request, kw_only=True, tag="log"):
    """Asks for the messages that the match has sent you, after the one with the number `after`, one bounded page at a
    time."""

    table: TableId
    after: Annotated[
        Count, Meta(description="the number of the last message that you do not need; 0: from the first message on")
    ] = 0


@register_exchange(
    Permission.PLAYER, replies.ReplayLines, question=True, weight=5
)  # the server adds the cost of recomputing the match
class Replay(Request, kw_only=True, tag="replay"):
    """Asks for the replay of a finished match, in which nothing is secret any more. The answer is one bounded page of
    lines, which begins after the line number `after`."""

    table: TableId
    after: Annotated[
        Count, Meta(description="the number of the last line that you have; 0: from the first line on")
    ] = 0


@register_exchange(Permission.SPECTATOR, replies.OpenHands, question=True, weight=5)
class Hands(Request, kw_only=True, tag="hands"):
    """Asks what all seats held at an earlier moment: at least the table's `delay` ago. Only a table with a `delay`
    shows them."""

    table: TableId


@register_exchange(Permission.SEATED, replies.Resumed, weight=3)
class Resume(Request, kw_only=True, tag="resume"):
    """Continues a seat after a lost connection: the server sends all messages of the seat with numbers above `after`
    again."""

    table: TableId
    after: Annotated[
        Count, Meta(description="the number of the last message that you have dealt with; 0: none yet")
    ] = 0


@register_exchange(Permission.SEATED, replies.Resigned)
class Resign(Request, kw_only=True, tag="resign"):
    """Resigns from the match: a house bot plays on, and the seat is placed last. Some games forbid it."""

    table: TableId


@register_exchange(Permission.SEATED, replies.DoneReply)
class Pause(Request, kw_only=True, tag="pause"):
    """Asks for a pause of the match, or agrees to one. It begins when all people with a seat have asked; programs and
    house bots are not asked. The total time of all pauses of a match is limited."""

    table: TableId
    on: Annotated[bool, Meta(description="false: ends the pause, or takes your wish for one back")] = True


@register_exchange(Permission.SEATED, replies.DoneReply, weight=5)
class Undo(Request, kw_only=True, tag="undo"):
    """Asks the people with a seat to let you take your latest decision back, or agrees to let another seat do so. It is
    taken back when all of them have agreed; programs and house bots are not asked. The decision must be the latest of
    the match, and must have revealed nothing."""

    table: TableId
    on: Annotated[bool, Meta(description="false: you refuse, or no longer want it")] = True


@register_exchange(
    Permission.PLAYER, replies.DoneReply, question=True
)  # a question, so that a repeated request takes effect on a new connection
class Operator(Request, kw_only=True, tag="operator"):
    """Makes this connection the operator's. The operator may kick, mute, ban and close everywhere, and sees no more of
    a match than other players. `proof` proves the server's word, which the server prints when it starts, or a code that
    works once. `word` is the code itself. From the server's own machine, `word` may be the server's word."""

    word: Annotated[
        str, Meta(max_length=64, description="the code; from the server's own machine, the server's word")
    ] = ""
    proof: Annotated[
        str,
        Meta(
            max_length=64,
            description="64 hex digits: a proof with the word or code as token: see docs/protocol-lobby.md",
        ),
    ] = ""


@register_exchange(Permission.SILENCER, replies.DoneReply)
class Kick(Request, kw_only=True, tag="kick"):
    """Removes a player from a table, or a house bot from an open table. Only the operator removes a player of a running
    match; a house bot plays on at once. A removed player cannot join or watch that table again. Without `table` the
    operator disconnects the player and frees every seat of theirs."""

    player: Annotated[Name, Meta(description="the name of a player, or of a house bot at an open table")]
    table: Annotated[TableId, Meta(description="the table; empty: the whole server")] = ""
    reason: Annotated[GivenReason, Meta(description="the reason, for those concerned")] = ""


@register_exchange(Permission.SILENCER, replies.DoneReply)
class Mute(Request, kw_only=True, tag="mute"):
    """Hides what a player says at the table, or shows it again with `off`. Without `table` the operator hides what the
    player says anywhere."""

    player: Annotated[Name, Meta(description="the name of a player")]
    table: Annotated[TableId, Meta(description="the table where their talk is hidden; empty: everywhere")] = ""
    off: Annotated[bool, Meta(description="true shows their talk again")] = False


@register_exchange(Permission.KEEPER, replies.DoneReply)
class Close(Request, kw_only=True, tag="close"):
    """Ends a table. An open table disappears; a running match is aborted. Only the operator closes a table where others
    play."""

    table: TableId


@register_exchange(Permission.OPERATOR, replies.DoneReply)
class Ban(Request, kw_only=True, tag="ban"):
    """Kicks a player, or all players of an address, and refuses them for `seconds`; 0 bans for good. `off` lifts the
    ban."""

    player: Annotated[Name, Meta(description="a player's name, or an IP address; an IPv6 address stands for its /64")]
    seconds: Annotated[Count, Meta(description="for how long; 0: for good")] = 0
    reason: Annotated[GivenReason, Meta(description="the reason, for those concerned")] = ""
    off: Annotated[bool, Meta(description="true lifts the ban")] = False


@register_exchange(Permission.OPERATOR, replies.DoneReply)
class Announce(Request, kw_only=True, tag="announce"):
    """Sends a message from `server` to every player who is connected."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS, description="the message")]


@register_exchange(Permission.TALKER, replies.Said)
class Say(Request, kw_only=True, tag="say"):
    """Talks to a table, or to every connected player if `table` is empty."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS, description="the message")]
    table: Annotated[TableId, Meta(description="the table to talk to; empty: every connected player")] = ""


@register_exchange(Permission.PLAYER, replies.Said)
class Tell(Request, kw_only=True, tag="tell"):
    """Talks to one player."""

    to: Annotated[Name, Meta(description="the name of a connected player")]
    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS, description="the message")]


@register_exchange(Permission.PLAYER, replies.Ignoring)
class Ignore(Request, kw_only=True, tag="ignore"):
    """Hides what one player says to everyone or to you, on this and later connections. `off` shows it again. Table talk
    is still sent, because its messages are numbered; a client leaves it out. Without `player` the answer is only the
    list."""

    player: Annotated[str, Meta(max_length=64, description="a player's name; empty: only asks")] = ""
    off: Annotated[bool, Meta(description="true shows their talk again")] = False


@register_exchange(Permission.PLAYER, replies.DoneReply)
class LobbyTalk(Request, kw_only=True, tag="lobby"):
    """Sets whether you receive talk to everyone: `on`, `off` or `auto`. `auto`, the default, stops it while you play or
    watch a running match. Empty: only asks for the setting."""

    hear: Annotated[Literal["", "on", "off", "auto"], Meta(description="`on`, `off` or `auto`; empty: only asks")] = ""


@register_exchange(Permission.PLAYER, replies.CupList, question=True, weight=5)
class Cups(Request, kw_only=True, tag="cups"):
    """Asks for all cups, finished ones included."""


@register_exchange(Permission.PLAYER, replies.CupReply, question=True, weight=5)
class CupRequest(Request, kw_only=True, tag="cup"):
    """Asks for one cup."""

    cup: Name


@register_exchange(Permission.PLAYER, replies.CupReply)
class CupOpen(Request, kw_only=True, tag="cup_open"):
    """Opens a cup, which you then own. Every player may enter it until it starts, and with `late_entry` afterwards too.
    0 seats mean the game's smallest number. All deals come from a secret. The answer commits to the secret, and the
    server publishes it when the cup is over."""

    cup: Name
    game: Name
    seats: Annotated[SeatNumber, Meta(description="seats of a table; 0: the game's smallest number")] = 0
    format: Annotated[str, Meta(max_length=16, description="the id of a format, see docs/protocol-cups.md")] = (
        "round_robin"
    )
    deals: Annotated[
        str,
        Meta(max_length=16, description="`fresh` (each match its own) or `duplicate` (all tables of a round the same)"),
    ] = "fresh"
    rounds: Annotated[Rounds, Meta(description="number of rounds; the format defines a round")] = 10
    options: Annotated[Map, Meta(description="options by name; those left out have their defaults")] = {}
    clock: Annotated[ClockRule | None, Meta(description="the clock rule of all matches; null: the server's own")] = None
    rank_by: Annotated[
        str,
        Meta(
            max_length=16, description="what ranks: `score` (the share of the win) or `rating` (from finishing orders)"
        ),
    ] = "score"
    late_entry: Annotated[bool, Meta(description="whether players may enter after the start; not in every format")] = (
        False
    )


@register_exchange(Permission.PLAYER, replies.CupReply, weight=5)  # because the answer lists all entrants
class CupEnter(Request, kw_only=True, tag="cup_enter"):
    """Enters a cup. The cup seats you at up to `tables` tables at once. A second request changes that number, or takes
    you back after `cup_drop`. The last nonce before the start goes into every deal. "" keeps the previous nonce, unless
    you had dropped out."""

    cup: Name
    tables: Annotated[AtOnce, Meta(description="at how many tables of this cup you play at once")] = 1
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


@register_exchange(Permission.PLAYER, replies.CupReply, weight=5)
class CupDrop(Request, kw_only=True, tag="cup_drop"):
    """Leaves a cup. Once the cup has started, a house bot plays your seats, in later matches too."""

    cup: Name


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupInvite(Request, kw_only=True, tag="cup_invite"):
    """Invites a player to the open cup, or reminds an entrant that a started one waits for them. For the cup's
    owner."""

    cup: Name
    player: Annotated[Name, Meta(description="the name of a connected player")]


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupStart(Request, kw_only=True, tag="cup_start"):
    """Starts the cup with those who have entered, or continues a paused one. For the cup's owner."""

    cup: Name


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupPause(Request, kw_only=True, tag="cup_pause"):
    """Pauses the cup. Running matches go on, and no new match begins. For the cup's owner."""

    cup: Name


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupStop(Request, kw_only=True, tag="cup_stop"):
    """Ends the cup for good, with the results so far. For the cup's owner."""

    cup: Name


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupReplace(Request, kw_only=True, tag="cup_replace"):
    """Lets another player play for an entrant, from the entrant's next match on. For the cup's owner."""

    cup: Name
    entrant: Annotated[Name, Meta(description="the entrant's name")]
    player: Annotated[Name, Meta(description="the name of a connected player")]


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupAdd(Request, kw_only=True, tag="cup_add"):
    """Enters a house bot, which plays at every table where it is paired. For the cup's owner."""

    cup: Name
    bot: Annotated[Name, Meta(description="the name of a house bot that plays the game; it may be shortened")]


@register_exchange(Permission.PLAYER, replies.DoneReply)
class CupAgree(Request, kw_only=True, tag="cup_agree"):
    """Agrees that owners of cups may have you play for one of their entrants, on this and later connections. You play
    at one table at a time, a program at as many as its hello says. `off` takes the agreement back."""

    off: Annotated[bool, Meta(description="true takes the agreement back")] = False


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupKick(Request, kw_only=True, tag="cup_kick"):
    """Removes an entrant from the cup; it cannot enter again unless invited. After the start a house bot plays its
    seats, in later matches too. For the cup's owner."""

    cup: Name
    entrant: Annotated[Name, Meta(description="the entrant's name")]


@register_exchange(Permission.CUP_OWNER, replies.CupReply, weight=5)
class CupClock(Request, kw_only=True, tag="cup_clock"):
    """Gives an entrant its own clock in all matches of the cup, before the cup starts. Every player may see it. For the
    cup's owner."""

    cup: Name
    entrant: Annotated[Name, Meta(description="the entrant's name")]
    clock: Annotated[ClockRule | None, Meta(description="its clock rule; null: the cup's")] = None


@register_exchange(
    Permission.PLAYER, replies.CupStandings, question=True, weight=10
)  # because it computes ratings with their intervals
class Standings(Request, kw_only=True, tag="standings"):
    """Asks for a cup's standings."""

    cup: Name


@register_exchange(Permission.PLAYER, replies.CupLogLines, question=True, weight=5)
class CupLog(Request, kw_only=True, tag="cup_log"):
    """Asks for a cup's log, one bounded page at a time. The standings can be computed from the log, and the cup's
    bundle from the log and the replays of its matches."""

    cup: Name
    after: Annotated[
        Count, Meta(description="the number of the last line that you have; 0: from the first line on")
    ] = 0


@register_exchange(
    Permission.PLAYER, replies.CupReply, question=True, weight=5
)  # a question, so that a repeated request takes effect on a new connection
class Follow(Request, kw_only=True, tag="follow"):
    """Follows a cup: you receive its pairings and results, and become a spectator of one of its matches after the
    other. With `off` you no longer follow it."""

    cup: Name
    off: Annotated[bool, Meta(description="true stops following it")] = False
