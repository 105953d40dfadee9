"""Liveness of silent programs: when the server asks for a sign of life, and when it gives up.

People may be silent as long as they like. The server does not ask their terminals, because no question is answered by
all of them every time. The kernel's keepalive detects dead lines of all peers (`KEEPALIVE` in the app).
"""

from __future__ import annotations

from enum import Enum, auto

from protocol.connection import ServerConnection
from server.config import Config


class Step(Enum):
    """What is to be done about a silent peer."""

    NOTHING = auto()
    ASK = auto()
    GIVE_UP = auto()


class Sign:
    """One a connection. Times are in seconds on the server's clock."""

    __slots__ = ("_asked", "_heard", "_until")

    def __init__(self, now: float) -> None:
        self._heard = now
        self._asked, self._until = False, 0.0  # since then, and until when an answer is awaited

    def heard(self, now: float) -> None:
        """Something came."""
        self._heard, self._asked = now, False

    def step(self, connection: ServerConnection, config: Config, now: float) -> Step:
        """Checks the session. Called every few seconds."""
        if not connection.answers_signs or now - self._heard < config.silent_seconds:
            return Step.NOTHING
        if not self._asked:
            self._asked, self._until = True, now + config.sign_seconds
            return Step.ASK
        return Step.GIVE_UP if now >= self._until else Step.NOTHING
