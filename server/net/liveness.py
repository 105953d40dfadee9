"""Liveness of silent programs: when the server pings a program, and when it gives up.

People may be silent as long as they like. The server does not ping their terminals, because no telnet option is
answered by all of them every time. The kernel's keepalive detects dead connections of all peers (`KEEPALIVE` in
server/app.py).
"""

from __future__ import annotations

from enum import Enum, auto

from protocol.connection import ServerConnection
from server.config import Config


class LivenessAction(Enum):
    """The action for a silent peer."""

    NOTHING = auto()
    ASK = auto()
    GIVE_UP = auto()


class Liveness:
    """One per connection. Times are in seconds on the server's clock."""

    __slots__ = ("_asked", "_heard", "_until")

    def __init__(self, now: float) -> None:
        self._heard = now
        self._asked, self._until = False, 0.0  # whether a ping is unanswered, and until when the answer may come

    def heard(self, now: float) -> None:
        """Records that bytes arrived."""
        self._heard, self._asked = now, False

    def step(self, connection: ServerConnection, config: Config, now: float) -> LivenessAction:
        """Returns the action that is due now. The server calls this for each session every few seconds."""
        if not connection.answers_signs or now - self._heard < config.silent_seconds:
            return LivenessAction.NOTHING
        if not self._asked:
            self._asked, self._until = True, now + config.sign_seconds
            return LivenessAction.ASK
        return LivenessAction.GIVE_UP if now >= self._until else LivenessAction.NOTHING
