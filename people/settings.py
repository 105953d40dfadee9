"""What a program tells a person's part at the beginning: the clock, the terminal, and what it does by itself."""

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
    """Set by the program that a person sits at, and by nothing here."""

    now: Callable[[], float]  # seconds on a clock that only goes on
    width: Callable[[], int]  # columns of the terminal
    stand_ins: StandIns  # bots of the program
    in_columns: bool = False  # long lists stand side by side
    pinned: bool = False  # the board stays on the screen, so that no line repeats it
    nonce: str = ""  # the person's share in the chance of a deal
    starts_when_full: bool = False  # a table of the person's starts by itself once every seat is taken
    quiet: bool = False  # nothing is said about who sits down
    saves: bool = False  # the match is only theirs, and is kept when they leave
    confirms: bool = False  # at first a decision waits until the person says yes to it
    rings: bool = False  # at first the bell calls the person to a decision
    decides_alone: bool = False  # what alone may be done is done for the person
    pause: Callable[[], float] = float  # seconds until something is done for the person
    tutor: Tutor | None = None  # where the only match is a guided one
    host: Host | None = None  # where the server runs in the same program
    server: Server | None = None  # where the person's part runs within the server; it gives help and lists, too
    question: str = ""  # stands before what is to be decided; "" for "Your turn: "
