"""Every message, in PROTOCOL.md's order. The same types serve text, JSON lines and msgpack frames.

Requests go from client to server and carry an `id`; the answer carries the same number as `re`. What the server tells
on its own carries no `re`; what belongs to a match carries `table` and `n`, numbered 1, 2, 3, ... for each receiver.
Actions, events and views are plain maps whose meaning only the game knows.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

from protocol import limits

Id: TypeAlias = Annotated[int, Meta(ge=1, le=limits.REQUEST_ID)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
TableId: TypeAlias = Annotated[str, Meta(max_length=32)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=limits.INTEGER)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=16)]
Map: TypeAlias = dict[str, Any]


class Request(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """What a client asks; `id` is its own counting number, larger each time."""

    id: Id


class Message(msgspec.Struct, tag_field="type", omit_defaults=True, kw_only=True, gc=False):
    """What the server says. Fields with their default value may be left out; unknown fields are to be ignored."""


class Reply(Message, kw_only=True):
    """The answer to the request with that id; 0 answers input that had no readable id."""

    re: Count = 0


# -- parts -------------------------------------------------------------------------------------------------------------


class ClockRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Seconds of main time a seat has for the match, and seconds added for each decision."""

    main: Annotated[float, Meta(ge=0, le=86_400)] = 300.0
    increment: Annotated[float, Meta(ge=0.05, le=3_600)] = 30.0


class SeatInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A seat as everybody may see it. `kind`: person, bot (a program on the wire), house (the server's bot), empty."""

    seat: int
    name: str = ""
    kind: str = "empty"
    here: bool = True


class TableInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A table as everybody may see it. `state`: open, playing or over."""

    table: str
    game: str
    state: str
    owner: str
    seats: tuple[SeatInfo, ...]
    clock: ClockRule
    options: Map
    commitment: str
    watchers: int = 0
    cards: str = ""


class PlayerInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """Somebody who is here. `tables` are those where they have a seat."""

    name: str
    kind: str
    tables: tuple[str, ...] = ()


class GameInfo(msgspec.Struct, omit_defaults=True, frozen=True):
    """A game that this server plays. `options` maps each option to its default value."""

    game: str
    title: str
    about: str
    min_seats: int
    max_seats: int
    rules_version: str
    options: Map
    cards: str = ""


class SeatClock(msgspec.Struct, omit_defaults=True, frozen=True):
    """Seconds of main time left; `running` tells that a decision is awaited and `left` what it may still take."""

    seat: int
    main: float
    running: bool = False
    left: float = 0.0


class SeatResult(msgspec.Struct, frozen=True):
    """How a seat came out. `how`: played, left, late, illegal or resigned; all but the first: a house bot played on."""

    seat: int
    name: str
    score: int
    place: int
    how: str = "played"
    late: int = 0


# -- requests ----------------------------------------------------------------------------------------------------------


class Hello(Request, kw_only=True, tag="hello"):
    """Takes a name. A name known to the server needs `proof` or `code`. Request ids count within one `session`, a word
    of the client's choice: the same word after a lost connection lets it repeat a request; "" is new each time."""

    name: Name
    session: Annotated[str, Meta(max_length=32)] = ""
    proof: Annotated[str, Meta(max_length=64)] = ""
    code: Annotated[str, Meta(max_length=32)] = ""
    bot: bool = False
    games: Annotated[tuple[Name, ...], Meta(max_length=32)] = ()
    client: Annotated[str, Meta(max_length=64)] = ""


class Help(Request, kw_only=True, tag="help"):
    """Asks what can be said here, or about one command."""

    topic: Annotated[str, Meta(max_length=64)] = ""


class Ping(Request, kw_only=True, tag="ping"):
    """Asks for a sign of life."""


class Quit(Request, kw_only=True, tag="quit"):
    """Says goodbye. Seats in running matches are held for the grace time."""


class Who(Request, kw_only=True, tag="who"):
    """Asks who is here."""


class Games(Request, kw_only=True, tag="games"):
    """Asks which games this server plays."""


class Bots(Request, kw_only=True, tag="bots"):
    """Asks which bots can be added to a table: the house's, and programs that are here."""

    game: Annotated[str, Meta(max_length=64)] = ""


class Rules(Request, kw_only=True, tag="rules"):
    """Asks for a game's rules page."""

    game: Name


class Cards(Request, kw_only=True, tag="cards"):
    """Asks for a game's cards, or one of them."""

    game: Name
    name: Annotated[str, Meta(max_length=64)] = ""


class Tables(Request, kw_only=True, tag="tables"):
    """Asks which tables there are."""


class Open(Request, kw_only=True, tag="open"):
    """Opens a table and takes its first seat; 0 seats asks for the game's smallest number. Without a clock it has the
    server's own."""

    game: Name
    seats: SeatNumber = 0
    options: Map = {}
    clock: ClockRule | None = None


class Join(Request, kw_only=True, tag="join"):
    """Takes a seat at an open table, the first empty one if `seat` is 0."""

    table: TableId
    seat: SeatNumber = 0
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


class Add(Request, kw_only=True, tag="add"):
    """Puts a bot on the next empty seat: a house bot by name, or a program that is here. For the table's owner."""

    table: TableId
    bot: Name


class Start(Request, kw_only=True, tag="start"):
    """Starts the match once every seat is taken. For the table's owner, whose nonce comes with it."""

    table: TableId
    nonce: Annotated[str, Meta(max_length=limits.NONCE_CHARACTERS)] = ""


class Watch(Request, kw_only=True, tag="watch"):
    """Becomes a spectator: the public view now, and everything public from here on."""

    table: TableId


class Leave(Request, kw_only=True, tag="leave"):
    """Leaves a table. In a running match the seat is held for the grace time, then a house bot plays on."""

    table: TableId


class Act(Request, kw_only=True, tag="act"):
    """Decides a turn: its number, and one of its legal actions."""

    table: TableId
    turn: Count
    action: Map


class Look(Request, kw_only=True, tag="look"):
    """Asks for the view again, one's own or the public one."""

    table: TableId


class Legal(Request, kw_only=True, tag="legal"):
    """Asks for the current turn again: number, view, legal actions, clock."""

    table: TableId


class Why(Request, kw_only=True, tag="why"):
    """Asks whether an action would be legal now, and if not, why; nothing is done."""

    table: TableId
    action: Map


class Clock(Request, kw_only=True, tag="clock"):
    """Asks for all clocks of a match."""

    table: TableId


class Log(Request, kw_only=True, tag="log"):
    """Asks for what was told so far, from after the message with that number; a bounded part at a time."""

    table: TableId
    after: Count = 0


class Resume(Request, kw_only=True, tag="resume"):
    """After a lost connection: everything of one's seat's messages after that number is sent again."""

    table: TableId
    after: Count = 0


class Resign(Request, kw_only=True, tag="resign"):
    """Gives the match up: a house bot plays on, and the seat is placed last. Some games forbid it."""

    table: TableId


class Say(Request, kw_only=True, tag="say"):
    """Talks to a table, or to everybody who is here if `table` is empty."""

    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS)]
    table: TableId = ""


class Tell(Request, kw_only=True, tag="tell"):
    """Talks to one player."""

    to: Name
    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT_CHARACTERS)]


# -- answers -----------------------------------------------------------------------------------------------------------


class Welcome(Reply, kw_only=True, tag="welcome"):
    """The name is yours. `token` comes once, with a new name; `code` proves the name once, for people without a
    program to compute a proof. `seats` lists the tables where you have one."""

    name: str
    version: int
    server: str
    code: str
    limits: Map
    token: str = ""
    seats: tuple[TableInfo, ...] = ()


class Page(Reply, kw_only=True, tag="page"):
    """A text for people: help, or a rules page."""

    title: str
    text: str


class Pong(Reply, kw_only=True, tag="pong"):
    """The sign of life."""


class Players(Reply, kw_only=True, tag="players"):
    """Who is here."""

    players: tuple[PlayerInfo, ...]


class GameList(Reply, kw_only=True, tag="game_list"):
    """The games of this server."""

    games: tuple[GameInfo, ...]


class BotList(Reply, kw_only=True, tag="bot_list"):
    """The bots that can be added."""

    bots: tuple[PlayerInfo, ...]


class CardList(Reply, kw_only=True, tag="card_list"):
    """A game's cards. `source` holds the owner's card file where one replaces the game's own."""

    game: str
    cards: tuple[Any, ...]
    source: str = ""


class TableList(Reply, kw_only=True, tag="table_list"):
    """The tables."""

    tables: tuple[TableInfo, ...]


class TableReply(Reply, kw_only=True, tag="table"):
    """The table after what was asked was done; `seat` is yours, 0 for none."""

    info: TableInfo
    seat: int = 0


class Watching(Reply, kw_only=True, tag="watching"):
    """You are a spectator. `n` is the number of the last public message; the next one is n + 1."""

    table: str
    n: int
    info: TableInfo
    view: Any = None


class Left(Reply, kw_only=True, tag="left"):
    """You left the table; `held` is for how many seconds the seat still waits for you."""

    table: str
    held: float = 0.0


class Accepted(Reply, kw_only=True, tag="accepted"):
    """The action was done; what it led to follows."""

    table: str
    turn: int


class Position(Reply, kw_only=True, tag="position"):
    """The view, and the number of the last message it includes."""

    table: str
    n: int
    view: Any


class TurnReply(Reply, kw_only=True, tag="your_turn"):
    """The current turn again, its clock as of this moment."""

    turn: Any


class Reason(Reply, kw_only=True, tag="reason"):
    """Whether an action would be legal; if not, the game's code and a sentence."""

    table: str
    legal: bool
    rule: str = ""
    text: str = ""


class Clocks(Reply, kw_only=True, tag="clocks"):
    """All clocks of a match, at the moment of sending."""

    table: str
    clocks: tuple[SeatClock, ...]


class Story(Reply, kw_only=True, tag="story"):
    """Messages told before, in order; `more` tells that there are later ones to ask for."""

    table: str
    messages: tuple[Any, ...]
    more: bool = False


class Resumed(Reply, kw_only=True, tag="resumed"):
    """The messages after `after` up to `n` follow, each as it was first sent; the clocks are those of this moment."""

    table: str
    after: int
    n: int
    seat: int
    clocks: tuple[SeatClock, ...] = ()


class Resigned(Reply, kw_only=True, tag="resigned"):
    """The match was given up."""

    table: str


class Said(Reply, kw_only=True, tag="said"):
    """What you said was passed on to `heard` others."""

    heard: int


class Error(Reply, kw_only=True, tag="error"):
    """Nothing was done. `code` stands in the table of errors, `rule` is the game's own code for an illegal action.
    `turn` encloses the current turn where a stale one was answered."""

    code: str
    text: str
    where: str = ""
    rule: str = ""
    again: bool = False
    clock_runs: bool = False
    closes: bool = False
    turn: Any = None


# -- told without being asked ------------------------------------------------------------------------------------------


class TableChanged(Message, kw_only=True, tag="table_changed"):
    """Somebody joined or left an open table where you sit or watch."""

    info: TableInfo


class Seated(Message, kw_only=True, tag="seated"):
    """Somebody gave you a seat: the owner of a table added you, or a tournament did."""

    info: TableInfo
    seat: int


class Chat(Message, kw_only=True, tag="chat"):
    """Somebody talks: to everybody, to a table (then numbered), or to you alone."""

    sender: str
    text: str
    table: str = ""
    n: int = 0
    private: bool = False


class Bye(Message, kw_only=True, tag="bye"):
    """The last message of a connection. A match does not end with it."""

    reason: str
    text: str
    re: int = 0


class Started(Message, kw_only=True, tag="started"):
    """The match begins. `you` is your seat, 0 for spectators. The seed that `commitment` binds comes at the end."""

    table: str
    n: int
    game: str
    rules_version: str
    options: Map
    seats: tuple[SeatInfo, ...]
    clock: ClockRule
    commitment: str
    nonces: tuple[str, ...]
    grace: float
    you: int = 0
    cards: str = ""


class Happened(Message, kw_only=True, tag="event"):
    """Something happened by the rules."""

    table: str
    n: int
    event: Any


class Turn(Message, kw_only=True, tag="turn"):
    """Your decision: number, view, legal actions ready to send back, and the seconds that it may take (`left`); `main`
    is what remains of your main time."""

    table: str
    n: int
    turn: int
    view: Any
    legal: Any
    left: float
    main: float


class Presence(Message, kw_only=True, tag="presence"):
    """A player's connection was lost, came back, or a house bot took the seat over. `how`: away, back, left, late,
    illegal or resigned; `by` names the house bot that plays from now on."""

    table: str
    n: int
    seat: int
    name: str
    how: str
    by: str = ""


class Late(Message, kw_only=True, tag="late"):
    """A seat did not decide in time (or sent too many illegal actions), and the game's default action was done for it.
    `count` is how often this happened to it in this match."""

    table: str
    n: int
    seat: int
    count: int
    why: str = "time"


class Over(Message, kw_only=True, tag="over"):
    """The match is over. With `seed`, `salt` and the nonces anyone can check the deal. `aborted` tells that the server
    erred and the match does not count."""

    table: str
    n: int
    results: tuple[SeatResult, ...]
    reason: str
    text: str
    seed: str
    salt: str
    aborted: bool = False


REQUESTS: tuple[type[Request], ...] = (
    *(Hello, Help, Ping, Quit),
    *(Who, Games, Bots, Rules, Cards, Tables),
    *(Open, Join, Add, Start, Watch, Leave),
    *(Act, Look, Legal, Why, Clock, Log, Resume, Resign),
    *(Say, Tell),
)
REPLIES: tuple[type[Reply], ...] = (
    *(Welcome, Page, Pong, Players, GameList, BotList, CardList, TableList, TableReply, Watching, Left),
    *(Accepted, Position, TurnReply, Reason, Clocks, Story, Resumed, Resigned, Said, Error),
)
TOLD: tuple[type[Message], ...] = (
    *(TableChanged, Seated, Chat, Bye),
    *(Started, Happened, Turn, Presence, Late, Over),
)

QUESTIONS: frozenset[type[Request]] = frozenset(
    {Help, Ping, Who, Games, Bots, Rules, Cards, Tables, Look, Legal, Why, Clock, Log}
)
"""What changes nothing, so that it is answered anew when it is asked again under the same id."""

BEFORE_HELLO: frozenset[type[Request]] = frozenset({Hello, Help, Ping, Quit, Games, Rules, Cards})
"""What a stranger may ask; anything else is refused with `login_first`, a second hello with `already_logged_in`."""
