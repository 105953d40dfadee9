"""Decides when the server pings a program that is silent, and when it gives the program up.

People may be silent for any time. The server does not ping their terminals, because there is no telnet option that all
terminals answer every time. Dead connections of any peer are detected by the kernel's keepalive (`KEEPALIVE` in
server/app.py).
"""

from __future__ import annotations

from enum import Enum, auto

from protocol.connection import ServerConnection
from server.config import Config


class LivenessAction(Enum):
    """What the server does about a peer that is silent."""

    NOTHING = auto()
    ASK = auto()
    GIVE_UP = auto()


class Liveness:
    """Watches for silence on one connection. Times are in seconds on the server's clock."""

    __slots__ = ("_asked", "_heard", "_until")

    def __init__(self, now: float) -> None:
        self._heard = now
        self._asked, self._until = False, 0.0  # whether a ping has no answer yet, and until when the answer may come

    def record_input(self, now: float) -> None:
        """Records that bytes have arrived from the peer."""
        self._heard, self._asked = now, False

    def next_action(self, connection: ServerConnection, config: Config, now: float) -> LivenessAction:
        """Returns what the server must do at `now`. Called for each session every few seconds."""
        if not connection.can_answer_ping or now - self._heard < config.silent_seconds:
            return LivenessAction.NOTHING
        if not self._asked:
            self._asked, self._until = True, now + config.sign_seconds
            return LivenessAction.ASK
        return LivenessAction.GIVE_UP if now >= self._until else LivenessAction.NOTHING
