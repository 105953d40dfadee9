"""The messages that the server sends without a request, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Any

from protocol.messages.parts import ClockRule, CupInfo, Map, Message, SeatInfo, SeatResult, TableInfo


class TableChanged(Message, kw_only=True, tag="table_changed"):
    """An open table where you sit or watch has changed: a player joined, left, disconnected or came back. Or a table,
    open or playing, has a new owner. `kicked` names a player who was just removed, for that `reason`."""

    info: TableInfo
    kicked: str = ""
    reason: str = ""


class Seated(Message, kw_only=True, tag="seated"):
    """You have a seat: a table's owner added you, or a tournament did."""

    info: TableInfo
    seat: int


class SentAway(Message, kw_only=True, tag="sent_away"):
    """You no longer have a place at that table. `by` removed you (`why` is `kicked`) or closed the table (`closed`).
    Without `by` the server closed it, because it was empty or inactive. With an empty `table` the owner removed you
    from the cup `cup` and from all its matches. `reason` is the explanation of `by`."""

    table: str
    why: str
    by: str
    cup: str = ""
    reason: str = ""


class Invited(Message, kw_only=True, tag="invited"):
    """The owner of a cup invites you to enter it."""

    info: CupInfo
    by: str


class CupChanged(Message, kw_only=True, tag="cup_changed"):
    """A cup that you entered or follow started, was paused or stopped, or is finished. A cup that is over includes its
    `secret`."""

    info: CupInfo


class CupEntrant(Message, kw_only=True, tag="cup_entrant"):
    """A player `entered` or `left` your cup, or an entrant was `replaced`: from now on `player` plays for it. The
    server sends `replaced` to the previous and the new player too. `entrants` is the number of entrants now."""

    cup: str
    entrant: str
    how: str
    entrants: int
    player: str = ""


class Paired(Message, kw_only=True, tag="paired"):
    """A match of a cup that you entered or follow begins at that table, with `entrants` in seat order. `shown` is true
    if you follow the cup and watch this match from now on."""

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
    """A player talks: to everyone, to a table (then numbered), or to you alone."""

    sender: str
    text: str
    table: str = ""
    n: int = 0
    private: bool = False


class AreYouThere(Message, kw_only=True, tag="are_you_there"):
    """You have sent nothing for a long time. Any request within `seconds`, such as `ping`, keeps the connection."""

    seconds: float


class Service(Message, kw_only=True, tag="service"):
    """The operator changed whether the server accepts new players and matches: it does (`state` is `open`), it does not
    (`closed`), or it ends after the last running match (`draining`). `reason` is the operator's explanation."""

    state: str
    reason: str = ""


class Bye(Message, kw_only=True, tag="bye"):
    """The last message of a connection. A match does not end with it."""

    reason: str
    text: str
    re: int = 0


class Started(Message, kw_only=True, tag="started"):
    """The match begins. `you` is your seat, 0 for spectators. The `over` message reveals the seed that `commitment`
    binds. A tournament gives each match its own `word`, a seed for random choices in programs. `delay` is the
    table's."""

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
    """Your decision: its number, the view, the legal actions ready to send back, and the seconds that it may take
    (`left`). `main` is what remains of your main time. `knowledge` is all that your seat knows by the rules. Your
    hello's `wants` selects view, legal actions and knowledge."""

    table: str
    n: int
    turn: int
    left: float
    main: float
    view: Any = None
    legal: Any = ()
    knowledge: Any = None


class Presence(Message, kw_only=True, tag="presence"):
    """A player disconnected or came back, the player left, or a house bot took the seat over. `how`: away, back, left,
    kicked, late, illegal, resigned or crashed. `by` names the house bot that plays from now on; without it the seat is
    held."""

    table: str
    n: int
    seat: int
    name: str
    how: str
    by: str = ""


class Late(Message, kw_only=True, tag="late"):
    """A seat did not decide in time, or sent too many illegal actions, and the server played the game's default action
    for it. `count` is how often this has happened to the seat in this match."""

    table: str
    n: int
    seat: int
    count: int
    why: str = "time"


class Over(Message, kw_only=True, tag="over"):
    """The match is over. `seed`, `salt` and the nonces let anyone check the deal. In a tournament both are empty until
    it is over; the replay then has them. `aborted`: the server failed or the table was closed, and the match does not
    count."""

    table: str
    n: int
    results: tuple[SeatResult, ...]
    reason: str
    text: str
    seed: str
    salt: str
    aborted: bool = False
