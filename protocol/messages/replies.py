"""The answers to requests, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Any

from protocol.messages.parts import (
    Against,
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

    name: str
    version: int
    server: str
    limits: Map
    code: str = ""
    seats: tuple[TableInfo, ...] = ()
    ignored: tuple[str, ...] = ()


class Page(Reply, kw_only=True, tag="page"):
    """A text for people: help, or a rules page."""

    title: str
    text: str


class Pong(Reply, kw_only=True, tag="pong"):
    """The sign of life."""


class Players(Reply, kw_only=True, tag="players"):
    """The players on the server. `more`: there are later ones."""

    players: tuple[PlayerInfo, ...]
    more: bool = False


class PlayerStats(Reply, kw_only=True, tag="player_stats"):
    """The results of a player's finished matches. Aborted matches do not count. The latest game and opponent come
    first."""

    name: str
    games: tuple[GameStats, ...]
    opponents: tuple[Met, ...]


class GameList(Reply, kw_only=True, tag="game_list"):
    """The games of this server."""

    games: tuple[GameInfo, ...]


class BotList(Reply, kw_only=True, tag="bot_list"):
    """The bots that can be added."""

    bots: tuple[PlayerInfo, ...]


class CardList(Reply, kw_only=True, tag="card_list"):
    """A game's cards. `source` holds the card file that replaces the game's own, if there is one."""

    game: str
    cards: tuple[Any, ...]
    source: str = ""


class TableList(Reply, kw_only=True, tag="table_list"):
    """A page of tables. `more`: there are later ones. `which` repeats the selection."""

    tables: tuple[TableInfo, ...]
    more: bool = False
    which: str = "all"


class TableReply(Reply, kw_only=True, tag="table"):
    """The table after the request. `seat` is yours; 0: you have none."""

    info: TableInfo
    seat: int = 0


class Watching(Reply, kw_only=True, tag="watching"):
    """You are a spectator. `n` is the number of the last public message; the next one is n + 1."""

    table: str
    n: int
    info: TableInfo
    view: Any = None


class Left(Reply, kw_only=True, tag="left"):
    """You left the table. The seat is held for you for `held` seconds."""

    table: str
    held: float = 0.0


class Accepted(Reply, kw_only=True, tag="accepted"):
    """The action was done. Its results follow."""

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
    """Whether an action would be legal now. `text` says what it would do; if it is illegal, `rule` is the game's own
    code and `text` says why."""

    table: str
    legal: bool
    rule: str = ""
    text: str = ""


class Clocks(Reply, kw_only=True, tag="clocks"):
    """All clocks of a match, at the moment of sending."""

    table: str
    clocks: tuple[SeatClock, ...]


class Story(Reply, kw_only=True, tag="story"):
    """Earlier messages, in order. `more`: there are later ones."""

    table: str
    messages: tuple[Any, ...]
    more: bool = False


class ReplayLines(Reply, kw_only=True, tag="replay_lines"):
    """Lines of a replay, from line number `after` + 1 on. `more`: there are later ones."""

    table: str
    after: int
    lines: tuple[str, ...]
    more: bool = False


class OpenHands(Reply, kw_only=True, tag="open_hands"):
    """The match as it was the table's `delay` ago and before each player's last three decisions: the public view, and
    each seat's own. There are no views until the deal is that old."""

    table: str
    at: float
    view: Any = None
    views: tuple[Any, ...] = ()


class Resumed(Reply, kw_only=True, tag="resumed"):
    """The messages after `after` up to `n` follow, each as it was first sent. The clocks are current."""

    table: str
    after: int
    n: int
    seat: int
    clocks: tuple[SeatClock, ...] = ()


class Resigned(Reply, kw_only=True, tag="resigned"):
    """You gave the match up."""

    table: str


class Done(Reply, kw_only=True, tag="done"):
    """It was done."""

    text: str


class Said(Reply, kw_only=True, tag="said"):
    """Your words reached `heard` other players."""

    heard: int


class Ignoring(Reply, kw_only=True, tag="ignoring"):
    """The players whom you ignore from now on."""

    players: tuple[str, ...]


class CupList(Reply, kw_only=True, tag="cup_list"):
    """The cups, oldest first, without their entrants."""

    cups: tuple[CupInfo, ...]


class CupReply(Reply, kw_only=True, tag="cup_info"):
    """The cup after the request."""

    info: CupInfo


class CupStandings(Reply, kw_only=True, tag="cup_standings"):
    """The standings so far, best first."""

    cup: str
    state: str
    rows: tuple[Standing, ...]
    rank_by: str = "score"
    challenger: str = ""
    against: tuple[Against, ...] = ()


class CupLogLines(Reply, kw_only=True, tag="cup_log_lines"):
    """Lines of a cup's log, from line number `after` + 1 on. `more`: there are later ones. Line 1 is `cup.json` of the
    bundle, with an empty `secret` until the cup is over. The other lines are its `log.jsonl`."""

    cup: str
    after: int
    lines: tuple[str, ...]
    more: bool = False


class Error(Reply, kw_only=True, tag="error"):
    """The request failed and changed nothing. `code` is a row of the table of errors, `rule` the game's own code for an
    illegal action. `turn` encloses the current turn if you answered a stale one."""

    code: str
    text: str
    where: str = ""
    rule: str = ""
    again: bool = False
    clock_runs: bool = False
    closes: bool = False
    turn: Any = None
    wait: int = 0
