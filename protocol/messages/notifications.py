"""The messages that the server sends without a request, in PROTOCOL.md's order."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from protocol.messages.parts import (
    AnyMap,
    AnyMapOrNull,
    AnyMaps,
    ClockRule,
    CupInfo,
    Map,
    Message,
    Recipients,
    SeatInfo,
    SeatResult,
    TableInfo,
)


class TableChanged(Message, kw_only=True, tag="table_changed"):
    """An open table where you sit or watch has changed: a player joined, left, disconnected or came back. Or such a
    table, whether open or playing, has a new owner. `kicked` names a player who was just removed, for that `reason`."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    info: TableInfo
    kicked: Annotated[str, Meta(description="the player who was just removed; empty if there is none")] = ""
    reason: Annotated[str, Meta(description="the reason for the removal; empty: none was given")] = ""


class Seated(Message, kw_only=True, tag="seated"):
    """You have a seat: a table's owner added you, or a tournament did."""

    recipients: ClassVar[Recipients] = ("yes", "no", "no", "no")

    info: TableInfo
    seat: Annotated[int, Meta(description="your seat")]


class SentAway(Message, kw_only=True, tag="sent_away"):
    """You no longer have a place at that table. `by` removed you (`why` is `kicked`) or closed the table (`closed`).
    Without `by` the server closed it, because it was empty or inactive. With an empty `table` the owner removed you
    from the cup `cup` and from all its matches. `reason` is the explanation of `by`."""

    recipients: ClassVar[Recipients] = ("yes", "where a table is closed", "where a table is closed", "no")

    table: str
    why: Annotated[str, Meta(description="`kicked` or `closed`")]
    by: Annotated[str, Meta(description="the player who did it; empty: the server closed the table")]
    cup: Annotated[str, Meta(description="the cup that you were removed from; empty: a table")] = ""
    reason: Annotated[str, Meta(description="their explanation; empty: none was given")] = ""


class Invited(Message, kw_only=True, tag="invited"):
    """The owner of a cup invites you to enter it."""

    recipients: ClassVar[Recipients] = ("yes", "no", "no", "no")

    info: Annotated[CupInfo, Meta(description="the cup, as every player may see it")]
    by: Annotated[str, Meta(description="its owner")]


class CupChanged(Message, kw_only=True, tag="cup_changed"):
    """A cup that you entered or follow started, was paused or stopped, or is finished. A cup that is over includes its
    `secret`."""

    recipients: ClassVar[Recipients] = (
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
    )

    info: Annotated[CupInfo, Meta(description="the cup, as every player may see it, without its entrants")]


class CupEntrant(Message, kw_only=True, tag="cup_entrant"):
    """A player `entered` or `left` your cup, or an entrant was `replaced`: from now on `player` plays for it. The
    server sends `replaced` to the previous and the new player too. `entrants` is the number of entrants now."""

    recipients: ClassVar[Recipients] = (
        "if it is its cup, or its entrant",
        "if it is its cup, or its entrant",
        "if it is its cup, or its entrant",
        "if it is its cup, or its entrant",
    )

    cup: str
    entrant: str
    how: Annotated[str, Meta(description="`entered`, `left` or `replaced`")]
    entrants: Annotated[int, Meta(description="the number of entrants now")]
    player: Annotated[
        str, Meta(description="if it was `replaced`, the player who plays for it from now on; else empty")
    ] = ""


class Paired(Message, kw_only=True, tag="paired"):
    """A match of a cup that you entered or follow begins at that table, with `entrants` in seat order. `shown` is true
    if you follow the cup and watch this match from now on."""

    recipients: ClassVar[Recipients] = (
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
    )

    cup: str
    match: int
    table: str
    entrants: Annotated[tuple[str, ...], Meta(description="the entrants, first seat first")]
    shown: Annotated[bool, Meta(description="whether you watch it from now on, because you follow the cup")] = False


class Result(Message, kw_only=True, tag="result"):
    """A match of a cup that you entered or follow is over. Without results it was aborted and does not count."""

    recipients: ClassVar[Recipients] = (
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
        "if it entered or follows",
    )

    cup: str
    match: int
    table: str
    results: Annotated[
        tuple[SeatResult, ...], Meta(description="how each seat came out, first seat first; empty if aborted")
    ]


class Chat(Message, kw_only=True, tag="chat"):
    """A player talks to everyone, to a table (with a number `n`), or to you alone."""

    recipients: ClassVar[Recipients] = ("if addressed", "if addressed", "if addressed", "if addressed")

    sender: Annotated[str, Meta(description="the player who talks")]
    text: Annotated[str, Meta(description="the message")]
    table: Annotated[str, Meta(description="the table that it is said to; empty: none")] = ""
    n: Annotated[int, Meta(description="its number, while a match is played at the table; else 0")] = 0
    private: Annotated[bool, Meta(description="whether only you receive it")] = False


class AreYouThere(Message, kw_only=True, tag="are_you_there"):
    """You have sent nothing for a long time. Any request within `seconds`, such as `ping`, keeps the connection."""

    recipients: ClassVar[Recipients] = ("own connection", "own connection", "own connection", "own connection")

    seconds: Annotated[float, Meta(description="seconds until the connection ends")]


class Service(Message, kw_only=True, tag="service"):
    """The operator changed whether the server accepts new players and matches: it does (`state` is `open`), it does not
    (`closed`), or it ends after the last running match (`draining`). `reason` is the operator's explanation."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "yes")

    state: Annotated[str, Meta(description="`open`, `closed` or `draining`")]
    reason: Annotated[str, Meta(description="the operator's explanation; empty: none was given")] = ""


class Bye(Message, kw_only=True, tag="bye"):
    """The last message of a connection. Your matches continue without the connection."""

    recipients: ClassVar[Recipients] = ("own connection", "own connection", "own connection", "own connection")

    reason: Annotated[str, Meta(description="one word, from the table of goodbyes")]
    text: Annotated[str, Meta(description="a sentence, for people")]
    re: Annotated[int, Meta(description="the `id` of the `quit` that it answers; else 0")] = 0


class MatchStarted(Message, kw_only=True, tag="started"):
    """The match begins. `you` is your seat, 0 for spectators. `commitment` fixes the seed of the deal, which the `over`
    message reveals. A tournament gives each match its own `word`, a seed for random choices in programs. `delay` is the
    number of seconds after which spectators may see all hands; 0: never."""

    recipients: ClassVar[Recipients] = ("yes, with `you`", "yes, with `you`", "yes", "no")

    table: str
    n: int
    game: str
    rules_version: str
    options: Annotated[Map, Meta(description="every option of the game with its value at this table")]
    seats: Annotated[tuple[SeatInfo, ...], Meta(description="the seats, first seat first")]
    clock: ClockRule
    commitment: str
    nonces: Annotated[tuple[str, ...], Meta(description="each seat's nonce, first seat first")]
    grace: Annotated[float, Meta(description="total seconds per match for which an absent player's seat is held")]
    you: Annotated[int, Meta(description="your seat; 0: you are a spectator")] = 0
    cards: str = ""
    word: Annotated[
        str, Meta(description="in a tournament, a seed for random choices in a program, different in each match")
    ] = ""
    delay: int = 0


class Happened(Message, kw_only=True, tag="event"):
    """An event of the game."""

    recipients: ClassVar[Recipients] = (
        "what the rules let it know",
        "what the rules let them know",
        "what is public",
        "no",
    )

    table: str
    n: int
    event: Annotated[AnyMap, Meta(description="what happened, one of the game's events")]


class TurnUpdate(Message, kw_only=True, tag="turn"):
    """You have to decide. It has the number of the decision, the view, the legal actions ready to send back, and the
    seconds that you may take (`left`). `main` is what remains of your main time. `knowledge` is everything that your
    seat knows by the rules. Your hello's `wants` selects view, legal actions and knowledge."""

    recipients: ClassVar[Recipients] = ("yes", "no", "no", "no")

    table: str
    n: int
    turn: int
    left: Annotated[
        float, Meta(description="seconds for the whole decision, counted from when the turn was first sent")
    ]
    main: Annotated[float, Meta(description="seconds of main time that you had left at that moment")]
    view: Annotated[AnyMapOrNull, Meta(description="what you know of the match now")] = None
    legal: Annotated[AnyMaps, Meta(description="all legal actions, each ready to send back as `action`")] = ()
    knowledge: Annotated[
        AnyMapOrNull, Meta(description="all that your seat knows by the rules, if your hello `wants` it")
    ] = None


class Presence(Message, kw_only=True, tag="presence"):
    """A player of the match disconnected, came back or left, or a house bot took over a player's seat. `how`: away,
    back, left, kicked, late, illegal, resigned or crashed. `by` names the house bot that plays the seat from now on. If
    it is empty, the seat is held for the player."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    table: str
    n: int
    seat: int
    name: Annotated[str, Meta(description="the player of the seat")]
    how: Annotated[
        str, Meta(description="`away`, `back`, `left`, `late`, `illegal`, `resigned`, `crashed` or `kicked`")
    ]
    by: Annotated[str, Meta(description="the house bot that plays the seat from now on; empty: none")] = ""


class Paused(Message, kw_only=True, tag="paused"):
    """A seat wants the match to pause, or no longer does. While all people with a seat want it, it is paused (`on`): no
    clock runs and no house bot plays. The pause ends with the next decision of any seat or with a `pause` request with
    `on` false; then no seat wants a pause any more."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    table: str
    n: int
    seat: Annotated[int, Meta(description="the seat that asked or answered; 0: the time for pauses is used up")]
    wanting: Annotated[tuple[int, ...], Meta(description="the seats that want a pause now")]
    on: Annotated[bool, Meta(description="whether the match is paused now")]


class Undone(Message, kw_only=True, tag="undone"):
    """A seat wants the latest decision taken back, agrees or refuses. When all people with a seat agree, it is taken
    back (`done`): its events no longer count, every turn that was pending is void, and each seat that has to decide now
    gets a new turn. If a seat decides before all have agreed, nothing is taken back."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    table: str
    n: int
    seat: Annotated[int, Meta(description="the seat that asked or answered; 0: not all agreed in time")]
    decided: Annotated[int, Meta(description="the seat whose decision it is")]
    wanting: Annotated[tuple[int, ...], Meta(description="the seats that want it taken back now")]
    done: Annotated[bool, Meta(description="whether it was taken back")]
    events: Annotated[AnyMaps, Meta(description="the events of that decision, as you received them before")] = ()


class Late(Message, kw_only=True, tag="late"):
    """A seat did not decide in time, or sent too many illegal actions, and the server played the game's default action
    for it. `count` is how often this has happened to the seat in this match."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    table: str
    n: int
    seat: int
    count: Annotated[int, Meta(description="how often this happened to the seat in this match")]
    why: Annotated[str, Meta(description="`time` or `illegal`")] = "time"


class Over(Message, kw_only=True, tag="over"):
    """The match is over. `seed`, `salt` and the nonces let anyone check the deal. In a tournament, `seed` and `salt`
    are empty; the replays have them when the tournament is over. `aborted`: the server failed or the table was closed,
    and the match does not count."""

    recipients: ClassVar[Recipients] = ("yes", "yes", "yes", "no")

    table: str
    n: int
    results: Annotated[
        tuple[SeatResult, ...], Meta(description="how each seat came out, first seat first; empty if aborted")
    ]
    reason: Annotated[str, Meta(description="the game's own word for how it ended, for programs")]
    text: Annotated[str, Meta(description="how it ended, for people")]
    seed: Annotated[str, Meta(description="64 hex digits, the seed of the deal")]
    salt: Annotated[str, Meta(description="32 hex digits, the key of the commitment")]
    aborted: Annotated[bool, Meta(description="the server erred or the table was closed: the match does not count")] = (
        False
    )
