"""What the server says without being asked, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Any

from protocol.messages.parts import ClockRule, CupInfo, Map, Message, SeatInfo, SeatResult, TableInfo


class TableChanged(Message, kw_only=True, tag="table_changed"):
    """At an open table where you sit or watch somebody joined, left, lost the connection or is back; or a table,
    which may play by now, belongs to another player. `kicked` is the name of somebody who was sent away, for that
    `reason`."""

    info: TableInfo
    kicked: str = ""
    reason: str = ""


class Seated(Message, kw_only=True, tag="seated"):
    """Somebody gave you a seat: the owner of a table added you, or a tournament did."""

    info: TableInfo
    seat: int


class SentAway(Message, kw_only=True, tag="sent_away"):
    """You are at that table no more: `by` sent you away (`why` is `kicked`) or closed the table (`closed`). Without
    `by` it was gone because nobody sat there, or nothing happened. Where `table` is empty, you were sent away from that
    `cup`, with all that you play for. `reason` is what whoever did it says."""

    table: str
    why: str
    by: str
    cup: str = ""
    reason: str = ""


class Invited(Message, kw_only=True, tag="invited"):
    """The owner of a cup would like you to enter it."""

    info: CupInfo
    by: str


class CupChanged(Message, kw_only=True, tag="cup_changed"):
    """A cup that you entered or follow started, was paused or stopped, or is finished; then its `secret` is told."""

    info: CupInfo


class CupEntrant(Message, kw_only=True, tag="cup_entrant"):
    """Somebody `entered` or `left` a cup of yours; or an entrant was `replaced`, which you were or whom you play for:
    `player` plays for it from now on. `entrants` is how many it has now."""

    cup: str
    entrant: str
    how: str
    entrants: int
    player: str = ""


class Paired(Message, kw_only=True, tag="paired"):
    """A match of a cup that you entered or follow begins at that table: `entrants` by seat. `shown` tells who follows
    the cup that they watch this one from now on."""

    cup: str
    match: int
    table: str
    entrants: tuple[str, ...]
    shown: bool = False


class Result(Message, kw_only=True, tag="result"):
    """A match of a cup that you entered or follow is over. Without results it was aborted and does not count."""

    cup: str
    match: int
    table: str
    results: tuple[SeatResult, ...]


class Chat(Message, kw_only=True, tag="chat"):
    """Somebody talks: to everybody, to a table (then numbered), or to you alone."""

    sender: str
    text: str
    table: str = ""
    n: int = 0
    private: bool = False


class AreYouThere(Message, kw_only=True, tag="are_you_there"):
    """You have said nothing for long. Anything that you say within `seconds`, such as `ping`, keeps the connection."""

    seconds: float


class Service(Message, kw_only=True, tag="service"):
    """The operator lets newcomers in and matches begin (`state` is `open`), lets neither (`closed`), or ends the server
    with the last match that is played (`draining`), for that `reason`."""

    state: str
    reason: str = ""


class Bye(Message, kw_only=True, tag="bye"):
    """The last message of a connection. A match does not end with it."""

    reason: str
    text: str
    re: int = 0


class Started(Message, kw_only=True, tag="started"):
    """The match begins. `you` is your seat, 0 for spectators. The seed that `commitment` binds comes at the end. A
    tournament gives each match a `word` of its own, for the chance in programs. `delay` is the table's."""

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
    word: str = ""
    delay: int = 0


class Happened(Message, kw_only=True, tag="event"):
    """Something happened by the rules."""

    table: str
    n: int
    event: Any


class Turn(Message, kw_only=True, tag="turn"):
    """Your decision: number, view, legal actions ready to send back, and the seconds that it may take (`left`); `main`
    is what remains of your main time. `knowledge` is all that your seat knows by the rules; it is there, and view and
    legal actions are, as your hello's `wants` said."""

    table: str
    n: int
    turn: int
    left: float
    main: float
    view: Any = None
    legal: Any = ()
    knowledge: Any = None


class Presence(Message, kw_only=True, tag="presence"):
    """A player's connection was lost or came back, the player left, or a house bot took the seat over. `how`: away,
    back, left, kicked, late, illegal, resigned or crashed; `by` names the house bot that plays from now on, without it
    the seat is held."""

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
    """The match is over. With `seed`, `salt` and the nonces anyone can check the deal; in a tournament both are empty,
    and come in the replay once it is over. `aborted` tells that the server erred or the table was closed, and the match
    does not count."""

    table: str
    n: int
    results: tuple[SeatResult, ...]
    reason: str
    text: str
    seed: str
    salt: str
    aborted: bool = False
