"""Whether a peer that is silent for long is still there: when it is asked for a sign of life, and when it is given up.

People may think as long as they like: their telnet answers by itself, nobody else who types is asked, and of a line
that is dead the kernel's keepalive tells.
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

    __slots__ = ("_asked", "_heard", "_tried", "_until")

    def __init__(self, now: float) -> None:
        self._heard = now
        self._asked, self._until = False, 0.0  # since then, and until when an answer is awaited
        self._tried = False  # whether its telnet answers at all

    def heard(self, now: float) -> None:
        """Something came."""
        self._heard, self._asked = now, False

    def step(self, connection: ServerConnection, config: Config, now: float) -> Step:
        """Looked at every few seconds. What seems to be a telnet is asked once, half as early, whether it answers at
        all; it might be a program that would not know what to do with the question."""
        silent = now - self._heard
        if connection.like_telnet and not self._tried and silent >= config.silent_seconds / 2:
            self._tried = True
            return Step.ASK
        if not connection.answers_signs or silent < config.silent_seconds:
            return Step.NOTHING
        if not self._asked:
            self._asked, self._until = True, now + config.sign_seconds
            return Step.ASK
        return Step.GIVE_UP if now >= self._until else Step.NOTHING
