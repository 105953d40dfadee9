"""The answers to requests, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from protocol.messages.parts import (
    Against,
    AnyCards,
    AnyMap,
    AnyMapOrNull,
    AnyMessages,
    AnyTurn,
    AnyTurnOrNull,
    AnyViews,
    CupInfo,
    GameInfo,
    GameStats,
    Map,
    Met,
    PlayerInfo,
    Reply,
    SeatClock,
    Standing,
    TableInfo,
)


class Welcome(Reply, kw_only=True, tag="welcome"):
    """The name is yours. `code` proves it once, if your hello had no `key` or `proof`. `seats` lists the tables where
    you have a seat, `ignored` the players whom you ignore."""

    name: Annotated[str, Meta(description="your name")]
    version: Annotated[int, Meta(description="the protocol's version")]
    server: Annotated[str, Meta(description="the server's version, for people")]
    limits: Annotated[Map, Meta(description="every limit of this server by name; the table of limits explains them")]
    code: Annotated[
        str,
        Meta(description="a word that proves your name at the next hello; empty after a hello with `key` or `proof`"),
    ] = ""
    seats: Annotated[
        tuple[TableInfo, ...],
        Meta(
            description="the tables where you have a seat, without matches that cannot be continued; at most "
            "the latest 64 that are over or given up"
        ),
    ] = ()
    ignored: Annotated[tuple[str, ...], Meta(description="the names of players whose talk your client leaves out")] = ()


class Page(Reply, kw_only=True, tag="page"):
    """A text for people: help, or a rules page."""

    title: Annotated[str, Meta(description="the subject of the text")]
    text: Annotated[str, Meta(description="the text, many lines")]


class Pong(Reply, kw_only=True, tag="pong"):
    """The answer to `ping`: the server is alive."""


class Players(Reply, kw_only=True, tag="players"):
    """One page of the list of players. `more`: further players follow after this page."""

    players: Annotated[
        tuple[PlayerInfo, ...], Meta(description="connected players, and those with a held seat, by name")
    ]
    more: Annotated[bool, Meta(description="whether there are later ones")] = False


class PlayerStats(Reply, kw_only=True, tag="player_stats"):
    """The results of a player's finished matches. Aborted matches do not count. The latest game and opponent come
    first."""

    name: Annotated[str, Meta(description="the player's name")]
    games: Annotated[tuple[GameStats, ...], Meta(description="by game, the one played last first")]
    opponents: Annotated[tuple[Met, ...], Meta(description="the latest 50, the one met last first")]


class GameList(Reply, kw_only=True, tag="game_list"):
    """The games of this server."""

    games: Annotated[tuple[GameInfo, ...], Meta(description="the games, a map each")]


class BotList(Reply, kw_only=True, tag="bot_list"):
    """The bots that can be added."""

    bots: Annotated[tuple[PlayerInfo, ...], Meta(description="the bots that can be added, house bots first")]


class CardList(Reply, kw_only=True, tag="card_list"):
    """A game's cards. `source` holds the card file that replaces the game's own, if there is one."""

    game: str
    cards: Annotated[AnyCards, Meta(description="the cards, in the order of the card file")]
    source: Annotated[
        str, Meta(description="the card file that replaces the game's own, as text; empty: the game's own cards")
    ] = ""


class TableList(Reply, kw_only=True, tag="table_list"):
    """One page of the list of tables. `more`: further tables follow after this page. `which` repeats which tables you
    asked for: all, current or finished ones."""

    tables: Annotated[tuple[TableInfo, ...], Meta(description="the tables, oldest first")]
    more: Annotated[bool, Meta(description="whether there are later ones")] = False
    which: Annotated[str, Meta(description="`all`, `current` or `finished`")] = "all"


class TableReply(Reply, kw_only=True, tag="table"):
    """The table as it is after your request. `seat` is your seat; 0: you have none."""

    info: TableInfo
    seat: Annotated[int, Meta(description="your seat; 0: you have none")] = 0


class Watching(Reply, kw_only=True, tag="watching"):
    """You are a spectator. `n` is the number of the last public message; the next one is n + 1."""

    table: str
    n: Annotated[int, Meta(description="the number of the last public message so far")]
    info: TableInfo
    view: Annotated[AnyMapOrNull, Meta(description="the public view now; null: the match has not begun")] = None


class Left(Reply, kw_only=True, tag="left"):
    """You left the table. The seat is held for you for `held` seconds."""

    table: str
    held: Annotated[float, Meta(description="seconds for which the seat is held for you; 0: it is not held")] = 0.0


class Accepted(Reply, kw_only=True, tag="accepted"):
    """The server carried out the action. Messages with its results follow."""

    table: str
    turn: int


class Position(Reply, kw_only=True, tag="position"):
    """The view of the match now, and the number of the last message that the view takes into account."""

    table: str
    n: Annotated[int, Meta(description="the number of the last message that the view includes")]
    view: Annotated[AnyMap, Meta(description="what you know of the match now")]


class TurnReply(Reply, kw_only=True, tag="your_turn"):
    """The `turn` message of your current decision again, with the view and the time left as of now."""

    turn: Annotated[
        AnyTurn,
        Meta(description="the `turn` message again, with what the hello `wants`; view and `left` are as of now"),
    ]


class Reason(Reply, kw_only=True, tag="reason"):
    """The answer whether an action would be legal now. `text` says what it would do; if it is illegal, `rule` is the
    game's own code and `text` says why."""

    table: str
    legal: Annotated[bool, Meta(description="whether the rules allow it now")]
    rule: Annotated[str, Meta(description="the game's own code for the reason why it is illegal; else empty")] = ""
    text: Annotated[str, Meta(description="what the action would do, or why it is illegal, for people")] = ""


class Clocks(Reply, kw_only=True, tag="clocks"):
    """All clocks of a match, as of now."""

    table: str
    clocks: Annotated[tuple[SeatClock, ...], Meta(description="every seat's clock as of now, first seat first")]
    paused: Annotated[bool, Meta(description="whether the match is paused, and no clock runs")] = False


class PastMessages(Reply, kw_only=True, tag="story"):
    """One page of a match's earlier messages, in order. `more`: further messages follow after this page."""

    table: str
    messages: Annotated[AnyMessages, Meta(description="messages as they were first sent")]
    more: Annotated[bool, Meta(description="whether there are later ones")] = False


class ReplayLines(Reply, kw_only=True, tag="replay_lines"):
    """Lines of a replay, from line number `after` + 1 on. `more`: further lines follow after these."""

    table: str
    after: Annotated[int, Meta(description="the number that you gave")]
    lines: Annotated[tuple[str, ...], Meta(description="lines of the file, without the LF at their end")]
    more: Annotated[bool, Meta(description="whether there are later ones")] = False


class OpenHands(Reply, kw_only=True, tag="open_hands"):
    """The match at an earlier moment: at least the table's `delay` ago, and before the last twelve decisions of each
    player. The message has the public view and the view of each seat as they were then. Until the deal itself is that
    old, it has no views."""

    table: str
    at: Annotated[
        float,
        Meta(description="the time shown, in seconds since the match began; below 0: the deal is not that old yet"),
    ]
    view: Annotated[AnyMapOrNull, Meta(description="the public view then; null: nothing is shown yet")] = None
    views: Annotated[AnyViews, Meta(description="what each seat saw then, first seat first")] = ()


class Resumed(Reply, kw_only=True, tag="resumed"):
    """Your match messages with numbers above `after`, up to `n`, follow, each as it was first sent. `clocks` are as of
    now."""

    table: str
    after: Annotated[int, Meta(description="the number that you gave")]
    n: Annotated[int, Meta(description="the number of the last message that follows")]
    seat: Annotated[int, Meta(description="your seat")]
    clocks: Annotated[tuple[SeatClock, ...], Meta(description="every seat's clock as of now, first seat first")] = ()


class Resigned(Reply, kw_only=True, tag="resigned"):
    """You resigned from the match."""

    table: str


class DoneReply(Reply, kw_only=True, tag="done"):
    """The server carried out the request."""

    text: Annotated[str, Meta(description="a sentence, for people")]


class Said(Reply, kw_only=True, tag="said"):
    """The server delivered your message. `heard` is the number of other players that received it."""

    heard: Annotated[int, Meta(description="how many other players received it")]


class Ignoring(Reply, kw_only=True, tag="ignoring"):
    """The players whom you ignore from now on."""

    players: Annotated[tuple[str, ...], Meta(description="the names of the ignored players")]


class CupList(Reply, kw_only=True, tag="cup_list"):
    """The cups, oldest first, without their entrants."""

    cups: Annotated[tuple[CupInfo, ...], Meta(description="the cups, oldest first")]


class CupReply(Reply, kw_only=True, tag="cup_info"):
    """The cup as it is after your request."""

    info: Annotated[CupInfo, Meta(description="the cup, as every player may see it")]


class CupStandings(Reply, kw_only=True, tag="cup_standings"):
    """The standings so far, best first."""

    cup: str
    state: Annotated[str, Meta(description="the cup's state")]
    rows: Annotated[tuple[Standing, ...], Meta(description="a line for each entrant that has a result")]
    rank_by: Annotated[str, Meta(description="what ranks: `score` or `rating`")] = "score"
    challenger: Annotated[str, Meta(description="a gauntlet's first entrant; of other formats empty")] = ""
    against: Annotated[tuple[Against, ...], Meta(description="the challenger against each of the others")] = ()


class CupLogLines(Reply, kw_only=True, tag="cup_log_lines"):
    """Lines of a cup's log, from line number `after` + 1 on. `more`: further lines follow after these. Line 1 is the
    content of `cup.json` in the cup's bundle, with an empty `secret` until the cup is over. The other lines are those
    of `log.jsonl` in the bundle."""

    cup: str
    after: Annotated[int, Meta(description="the number that you gave")]
    lines: Annotated[tuple[str, ...], Meta(description="lines of the log, without the LF at their end")]
    more: Annotated[bool, Meta(description="whether there are later ones now")] = False


class Error(Reply, kw_only=True, tag="error"):
    """The request failed and changed nothing. `code` is a row of the table of errors, `rule` the game's own code for an
    illegal action. If you answered a turn that was over, `turn` has your current turn."""

    code: Annotated[str, Meta(description="the code, from the table of errors")]
    text: Annotated[str, Meta(description="a sentence, for people")]
    where: Annotated[
        str,
        Meta(
            description="the place in the input: a path such as `$.seats`, or a column of a JSON line; for an "
            "action or options only `$.action` or `$.options`, and the sentence says the rest"
        ),
    ] = ""
    rule: Annotated[str, Meta(description="the game's own code for an illegal action")] = ""
    again: Annotated[bool, Meta(description="the same request may succeed later, unchanged")] = False
    clock_runs: Annotated[bool, Meta(description="a decision of yours is awaited, and its clock runs on")] = False
    closes: Annotated[bool, Meta(description="the server closes the connection after this")] = False
    turn: Annotated[AnyTurnOrNull, Meta(description="the current `turn` message, if you answered a stale one")] = None
    wait: Annotated[int, Meta(description="the seconds after which to try again, if the sentence says so; else 0")] = 0
