"""Codes that prove a name without a token. A used code stays valid until its successor has surely arrived."""

from __future__ import annotations

import hmac
import secrets

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 10


class ReconnectCodes:
    """The codes of one name.

    A connection may be lost before the answer to a hello arrives. So the code of that hello proves the name until its
    successor is used, or the server knows that it arrived. A client that comes back with the old code gets the same
    successor again. There are never more than two codes.
    """

    __slots__ = ("current", "is_unseen", "previous")

    def __init__(self, current: str = "", previous: str = "") -> None:
        self.current = current  # "" if none was issued
        self.previous = previous  # also valid until the current one has arrived; "" if there is none
        self.is_unseen = bool(previous)  # whether the latest welcome may not have arrived

    def fits(self, given: str) -> bool:
        """Returns whether that code proves the name now."""
        return bool(given) and any([_equal(given, self.current), _equal(given, self.previous)])

    def use(self, given: str) -> None:
        """Marks a valid code as used. `issue` then creates its successor."""
        if _equal(given, self.current):
            self.current, self.previous, self.is_unseen = "", given, True

    def issue(self) -> str:
        """Returns the code to send with a welcome: the current unused one, or a new one."""
        if not self.current:
            self.current, self.is_unseen = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)), True
        return self.current

    def arrived(self) -> None:
        """Records that the owner has received the current code or a token. The previous code becomes invalid."""
        self.previous, self.is_unseen = "", False

    def replace(self) -> str:
        """Invalidates all codes and returns a new one."""
        self.clear()
        return self.issue()

    def clear(self) -> None:
        """Invalidates all codes."""
        self.current, self.previous, self.is_unseen = "", "", False


def _equal(given: str, code: str) -> bool:
    return bool(code) and hmac.compare_digest(given.encode(), code.encode())
