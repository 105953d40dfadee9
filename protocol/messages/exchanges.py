"""Declares for each request which clients may send it, and which message answers it. Each request declares this with
`register_exchange`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from protocol.language import N_, _
from protocol.messages.parts import Message, Request

R = TypeVar("R", bound=type[Request])


class Permission(Enum):
    """The clients that may send a request. The value is a phrase for people."""

    ANYBODY = N_("anyone, before hello too")
    STRANGER = N_("a stranger, once")
    PLAYER = N_("a player")
    OWNER = N_("the table's owner")
    SEATED = N_("a player with a seat there")
    HEARER = N_("a player with a seat there, or a spectator")
    SPECTATOR = N_("a spectator")
    KEEPER = N_("the operator, or the table's owner if no other player plays there")
    OPERATOR = N_("the operator")
    SILENCER = N_("the table's owner, or the operator; everywhere: the operator")
    CUP_OWNER = N_("the cup's owner, or the operator")
    TALKER = N_("a player with a seat there, or a spectator; to everyone: a player")

    @property
    def translated_text(self) -> str:
        """Returns the phrase in the current language."""
        return _(self.value)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer. `weight` is the number of requests that it counts as in the rate limit."""

    request: type[Request]
    asker: Permission
    answer: type[Message]
    question: bool = False  # whether the server answers it again if it is repeated with the same id
    weight: float = 1.0


EXCHANGES: dict[type[Request], Exchange] = {}
"""Every request with its Exchange, in PROTOCOL.md's order."""


def register_exchange(
    asker: Permission, answer: type[Message], *, question: bool = False, weight: float = 1.0
) -> Callable[[R], R]:
    """Returns a class decorator for a request, which registers an `Exchange` with these fields in EXCHANGES."""

    def declare(request: R) -> R:
        EXCHANGES[request] = Exchange(request, asker, answer, question, weight)
        return request

    return declare
