"""Settings of a person's session from their program: the clock, the terminal, and automatic actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from people.hosting import Host
from people.lessons import Tutor
from people.served import Server
from people.stand_ins import StandIns

PAUSE = (0.7, 2.5)  # seconds, the least and the most, that a decision may take which is made for a person among others


@dataclass
class PersonSettings:
    """The settings. The program sets them, and this package never changes them."""

    now: Callable[[], float]  # seconds on a monotonic clock
    width: Callable[[], int]  # columns of the terminal
    stand_ins: StandIns  # the program's bots
    in_columns: bool = False  # long lists may have columns
    pinned: bool = False  # the board stays on the screen, so no line repeats it
    nonce: str = ""  # the person's part of the randomness of a deal
    starts_when_full: bool = False  # a table of the person's starts once every seat is taken
    quiet: bool = False  # no lines about players who sit down
    saves: bool = False  # the match is only the person's, and saved when they leave
    confirms: bool = False  # at first, decisions wait for confirmation
    rings: bool = False  # at first the bell calls the person to a decision
    decides_alone: bool = False  # do the only possible action for the person
    pause: Callable[[], float] = float  # seconds until something is done for the person
    tutor: Tutor | None = None  # if the only match is a guided one
    host: Host | None = None  # if the server runs in the same process
    server: Server | None = None  # if the person is within the server, which also gives help and lists
    question: str = ""  # prefix of the question; "" for "Your turn: "
