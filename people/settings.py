"""Settings that a program chooses for a person's session: the clock, the terminal, and automatic actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from people.hosting import Host
from people.lessons import Tutor
from people.services import ServerServices
from people.stand_ins import StandIns

PAUSE = (0.7, 2.5)  # least and most seconds before an automatic decision, when the match has other people


@dataclass
class PersonSettings:
    """The settings of one session. The program sets them, and this package never changes them."""

    now: Callable[[], float]  # seconds on a monotonic clock
    width: Callable[[], int]  # columns of the terminal
    stand_ins: StandIns  # the bots that can play or advise in the person's place
    in_columns: bool = False  # long lists are shown in several columns
    pinned: bool = False  # the board stays on the screen, so the log does not repeat it
    nonce: str = ""  # the person's share in the randomness of deals, sent with requests for a seat
    starts_when_full: bool = False  # a table that the person owns starts its match once every seat is taken
    quiet: bool = False  # no lines about players who take seats, and no warning about a seat that is left
    saves: bool = False  # the person plays alone, and the match is saved when they leave
    confirms: bool = False  # whether decisions wait for confirmation at first; `confirm` changes it
    rings: bool = False  # whether the bell announces a decision at first; `quiet` changes it
    decides_alone: bool = False  # the client itself does an action that is the only legal one
    pause: Callable[[], float] = float  # returns the seconds before an automatic decision
    tutor: Tutor | None = None  # the tutor of a program whose only match is a guided one
    host: Host | None = None  # the server that the person hosts in the same process; None for another server
    server: ServerServices | None = None  # the server, if this model runs inside it; that server also answers help
    question: str = ""  # the prefix of the question that asks for a decision; "" for "Your turn: "
