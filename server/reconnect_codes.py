"""The codes that prove a name without a token: one that was typed stays good until its successor has surely arrived."""

from __future__ import annotations

import hmac
import secrets

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10


class ReconnectCodes:
    """The codes of one name.

    A connection may be lost while the answer to a hello is on its way. So the code of that hello proves the name until
    its successor is used, or the server knows that it arrived; who comes back with the old one is told the same
    successor again. There are never more than two.
    """

    __slots__ = ("current", "is_unseen", "previous")

    def __init__(self, current: str = "", previous: str = "") -> None:
        self.current = current  # "": none was given
        self.previous = previous  # good as well, as long as the current one may not have arrived; "": none
        self.is_unseen = bool(previous)  # whether the current one, or the welcome without one, may not have arrived

    def fits(self, given: str) -> bool:
        """Whether that code proves the name now."""
        return bool(given) and any([_equal(given, self.current), _equal(given, self.previous)])

    def use(self, given: str) -> None:
        """That code, which fits, proved the name: the next one from `issue` takes its place."""
        if _equal(given, self.current):
            self.current, self.previous, self.is_unseen = "", given, True

    def issue(self) -> str:
        """The code to be told with a welcome: a new one, unless one is there that has not been used."""
        if not self.current:
            self.current, self.is_unseen = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)), True
        return self.current

    def arrived(self) -> None:
        """The owner of the name knows the current code, or has a token: the code before proves nothing any more."""
        self.previous, self.is_unseen = "", False

    def replace(self) -> str:
        """A new code; those before prove nothing any more."""
        self.clear()
        return self.issue()

    def clear(self) -> None:
        """No code proves the name."""
        self.current, self.previous, self.is_unseen = "", "", False


def _equal(given: str, code: str) -> bool:
    return bool(code) and hmac.compare_digest(given.encode(), code.encode())
